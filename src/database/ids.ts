import { type SQL, sql } from './drizzle.ts'

/**
 * The id for an `insert ... on conflict do update`: that of the row which is there already, else a new one. The column's
 * default would use up a new one for each update as well, because it is taken before the conflict is found.
 */
export function idOf(table: string, isTheRow: SQL): SQL {
  const sequence = sql.raw(`'${table}_id_seq'`)
  return sql`coalesce((select present.id from ${sql.identifier(table)} present where ${isTheRow}), nextval(${sequence}))`
}

/** Ids for an `in (...)`. */
export function idList(ids: readonly number[]): SQL {
  return sql.join(
    ids.map((id) => sql`${id}::bigint`),
    sql`, `,
  )
}

/** The same for however many: a statement has no room for tens of thousands of parameters. */
export function manyIds(ids: readonly number[]): SQL {
  return sql`select each::bigint from jsonb_array_elements_text(${JSON.stringify(ids)}::jsonb) as ids (each)`
}
