import { type SQL, sql } from '../../database/drizzle.ts'
import type { Model } from './model.ts'

/** The rows of a model as part of a query, under an alias: its table, or what gives its rows when they are elsewhere. */
export function rowsOf({ table, rows }: Pick<Model, 'table' | 'rows'>, alias = 't'): SQL {
  const from = rows === undefined ? sql.identifier(table) : sql.raw(`(${rows})`)
  return sql`${from} ${sql.identifier(alias)}`
}
