import { sql } from '../database/drizzle.ts'
import { idList } from '../database/ids.ts'
import { type Env, elevated } from '../platform/access/env.ts'
import type { Row } from '../platform/model/model.ts'
import { records } from '../platform/records/records.ts'

/** Leaves the extensions of records that go without a target: their numbers stay, and may be given to something else. */
export async function releaseExtensions(env: Env, model: string, ids: readonly number[]): Promise<void> {
  // Anyone who may delete the target may free its extension, whatever their rights on extensions are.
  const extensions = records(elevated(env), 'connect.telco.exten')
  const found = await extensions.search([
    ['model', '=', model],
    ['res_id', 'in', [...ids]],
  ])
  if (found.length > 0) await extensions.write(found, { dst: null })
}

/** Numbers of the extensions that rows link to in `column`, in the order of the rows. */
export async function extenNumbers(env: Env, rows: readonly Row[], column: string): Promise<(string | null)[]> {
  const ids = rows.map((row) => row[column]).filter((id) => typeof id === 'number')
  if (ids.length === 0) return rows.map(() => null)
  const found = await env.db.query<{ id: number; number: string }>(
    sql`select id, number from connect_telco_exten where id in (${idList(ids)})`,
  )
  const numbers = new Map(found.map((each) => [each.id, each.number]))
  return rows.map((row) => numbers.get(row[column] as number) ?? null)
}
