import type { SQL } from './drizzle.ts'
import { PgDialect, Placeholder, sql } from './drizzle.ts'

const dialect = new PgDialect()

/** A query compiled once: its text, the name under which servers keep it prepared, and where its parameters go. */
export interface Statement<Row, Params = Record<string, unknown>> {
  readonly name: string
  readonly text: string
  values: (params: Params) => unknown[]
  readonly row?: Row
}

/** One compiled query with its values, for queries whose shape is only known when they run. */
interface CompiledQuery {
  text: string
  values: unknown[]
}

/** Parameters by name, each of which has to be there: one that is not would be stored as NULL, and nobody would notice. */
type Complete<Params> = { [Name in keyof Params]-?: Exclude<Params[Name], undefined> }

/** Refuses parameters without names of their own, such as a `Record<string, unknown>`: nobody could see which are missing. */
type Named<Params> = { [Name in keyof Params]: string extends Name ? never : unknown }

/** A parameter that knows how what it is given is sent. */
interface EncodingPlaceholder {
  readonly name: string
  encode?(value: unknown): unknown
}

/**
 * Compiles a query of the hot path once. `name` must be unique; parameters are `param('name')` inside the text. One that is
 * not given when it runs throws.
 * Rows come back as the database wrote them: date-times as `YYYY-MM-DD HH:MM:SS[.ffffff]` text in UTC.
 */
export function statement<Row, Params extends Named<Params> & object = Record<never, never>>(
  name: string,
  query: SQL,
): Statement<Row, Complete<Params>> {
  const { sql: text, params } = dialect.sqlToQuery(query)
  const places = params.map((value) => (value instanceof Placeholder ? (value as EncodingPlaceholder) : undefined))
  return {
    name,
    text,
    values(given) {
      const source = given as Readonly<Record<string, unknown>>
      return places.map((place, at) => {
        if (place === undefined) return params[at]
        const value = source[place.name]
        if (value === undefined) throw new Error(`${name} was not given its parameter "${place.name}"`)
        return place.encode === undefined ? value : place.encode(value)
      })
    },
  }
}

/** A named parameter of a statement. */
export function param(name: string): SQL {
  return sql`${sql.placeholder(name)}`
}

/** Compiles a query that is built anew for each call. */
export function compile(query: SQL): CompiledQuery {
  const { sql: text, params } = dialect.sqlToQuery(query)
  return { text, values: params }
}
