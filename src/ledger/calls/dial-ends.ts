import type { Queryable, Transaction } from '../../database/database.ts'
import { sql } from '../../database/drizzle.ts'
import { param, statement } from '../../database/statement.ts'

// Locked, so that the same report twice at a time is answered one after the other.
const FIND = statement<{ step: number | null }, { call: number; leg: string }>(
  'dial_end_find',
  sql`select (dial_ends ->> ${param('leg')})::bigint as step from connect_call where id = ${param('call')}
      for no key update`,
)
const SAVE = statement<never, { call: number; leg: string; step: number }>(
  'dial_end_save',
  sql`update connect_call set dial_ends = coalesce(dial_ends, '{}'::jsonb)
        || jsonb_build_object(${param('leg')}::text, ${param('step')}::bigint)
      where id = ${param('call')}`,
)

/** What followed when the end of this leg was reported first; the call is locked until the transaction ends. */
export async function findDialEndStep(db: Queryable, end: { call: number; leg: string }): Promise<number | undefined> {
  const [row] = await db.run(FIND, end)
  return row?.step ?? undefined
}

/** Saves what follows the end of a dialled leg. */
export function saveDialEndStep(db: Transaction, end: { call: number; leg: string; step: number }): void {
  db.send(SAVE, end)
}
