// What looking into long texts costs: the planner counts rows, and takes a text of a million characters for a short one.
import { type SQL, sql } from '../../../database/drizzle.ts'
import type { Env } from '../../access/env.ts'
import type { Model } from '../../model/model.ts'
import { rowsOf } from '../../model/rows-of.ts'
import type { LongText } from '../search-budget.ts'

/**
 * Of one byte, in the units of the planner (docs/decisions/0012): of a text that is compared as it is, and of one that is folded
 * first, which takes six times as long as comparing without regard to case when it has accents.
 */
const COST_PER_BYTE = { asItIs: 0.002, folded: 0.015 }

/** What it costs to look into texts of the rows that are searched, as far as `where` goes. */
export async function costOfOwnTexts(
  { db }: Env,
  model: Model,
  { texts, where }: { texts: readonly LongText[]; where: SQL },
): Promise<number> {
  const own = texts.filter(({ table }) => table === undefined)
  if (own.length === 0) return 0
  const [row] = await db.query<{ cost: number }>(sql`select ${costSql(own)} as cost from ${rowsOf(model)} ${where}`)
  return row?.cost ?? 0
}

/** The same of records that the searched ones link to: all of them are looked into. */
export async function costOfLinkedTexts({ db }: Env, texts: readonly LongText[]): Promise<number> {
  let cost = 0
  for (const [table, ofTable] of Map.groupBy(texts, (each) => each.table)) {
    if (table === undefined) continue
    const [row] = await db.query<{ cost: number }>(
      sql`select ${costSql(ofTable)} as cost from ${sql.identifier(table)} t`,
    )
    cost += row?.cost ?? 0
  }
  return cost
}

/** The length of a text is known without reading it. */
function costSql(texts: readonly LongText[]): SQL {
  const terms = texts.map(({ column, isFolded }) => {
    const perByte = isFolded ? COST_PER_BYTE.folded : COST_PER_BYTE.asItIs
    return sql`coalesce(sum(octet_length(t.${sql.identifier(column)})), 0)::float8 * ${sql.raw(String(perByte))}`
  })
  return sql.join(terms, sql` + `)
}
