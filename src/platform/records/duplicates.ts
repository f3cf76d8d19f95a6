import { sql } from '../../database/drizzle.ts'
import { Refusal } from '../../errors.ts'
import { type PlainCode, type Said, sayRefusal } from '../../refusals.ts'
import type { Env } from '../access/env.ts'
import { type Field, isColumn } from '../model/fields.ts'
import type { Model, ModelIndex, Values } from '../model/model.ts'
import type { Problems } from '../model/problems.ts'
import { uniqueIndexName } from '../model/tables.ts'

/** Columns that only one record may have together. */
export function uniqueIndexes(model: Model): readonly ModelIndex[] {
  const own = Object.entries(model.fields).flatMap(([name, field]): ModelIndex[] =>
    isColumn(field) && field.isUnique === true ? [{ columns: [name] }] : [],
  )
  return [...own, ...(model.indexes ?? []).filter(({ isUnique }) => isUnique === true)]
}

/** Adds what another record has already; `after` are columns as they would be stored. The index itself has the last word. */
export async function gatherDuplicates(
  env: Env,
  model: Model,
  after: Values,
  id: number,
  problems: Problems,
): Promise<void> {
  for (const { columns, where } of uniqueIndexes(model)) {
    const [name] = columns
    if (columns.some((each) => problems.has(each) || after[each] === null || after[each] === undefined)) continue
    const same = columns.map((each) => sql`${sql.identifier(each)} = ${after[each]}`)
    const rows = await env.db.query(
      sql`select 1 from ${sql.identifier(model.table)} where ${sql.join(same, sql` and `)}
          ${where === undefined ? sql`` : sql`and (${sql.raw(where)})`} and id <> ${id}::bigint limit 1`,
    )
    if (rows.length === 0) continue
    problems.add(name, Refusal.saying('conflict', sayDuplicate(model, uniqueIndexName(model.table, columns))))
  }
}

/** What the model itself says of the index goes before our own. */
export function sayDuplicate(model: Model, constraint: string | undefined): Said {
  const index = model.indexes?.find((each) => constraint === uniqueIndexName(model.table, each.columns))
  if (index?.refusal !== undefined) return sayRefusal(index.refusal)
  const field = Object.keys(model.fields).find((name) => constraint === uniqueIndexName(model.table, [name]))
  const taken = field === undefined ? undefined : takenOf(model.fields[field])
  if (taken !== undefined) return sayRefusal(taken)
  const columns = index?.columns ?? (field === undefined ? ['values'] : [field])
  return sayRefusal('same-value', { model: model.name, columns: columns.map((each) => `"${each}"`).join(' and ') })
}

function takenOf(field: Field | undefined): PlainCode | undefined {
  return field !== undefined && isColumn(field) ? field.taken : undefined
}
