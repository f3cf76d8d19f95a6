import type { Transaction } from '../../database/database.ts'
import { sql } from '../../database/drizzle.ts'
import { limitOfRows } from '../../database/listed.ts'
import { param, statement } from '../../database/statement.ts'

/** A step that is tried in a call. */
interface Attempt {
  readonly call: number
  readonly step: number
}

interface Attempts {
  readonly calls: readonly number[]
  readonly steps: readonly number[]
}

const FORGET = statement<never, Attempts>(
  'ring_forget',
  sql`delete from connect_telco_user_callflow_call t
      using (select * from unnest(${param('calls')}::bigint[], ${param('steps')}::bigint[]) as each (call, step)
        ${limitOfRows()}) as given
      where t.call = given.call and t.callflow = given.step`,
)

// Rows are added in the order of their keys, so that transactions which add the same ones never wait for each other in a circle.
const MARK = statement<never, Attempts>(
  'ring_mark',
  sql`insert into connect_telco_user_callflow_call (call, callflow)
      select call, step from unnest(${param('calls')}::bigint[], ${param('steps')}::bigint[]) as given (call, step)
      order by call, step
      on conflict (call, callflow) do nothing`,
)

const MARK_BY_ADDRESS = statement<never, Attempts & { users: readonly number[] }>(
  'ring_mark_by_address',
  sql`insert into connect_telco_user_callflow_call (call, callflow)
      select given.call, f.id from unnest(${param('calls')}::bigint[], ${param('steps')}::bigint[],
        ${param('users')}::bigint[]) as given (call, step, "user")
      join connect_telco_user_callflow f on f.id = given.step and f."user" = given."user"
      order by given.call, f.id
      on conflict (call, callflow) do nothing`,
)

const CLEAR = statement<never, { calls: readonly number[] }>(
  'ring_clear',
  sql`delete from connect_telco_user_callflow_call t
      using (select * from unnest(${param('calls')}::bigint[]) as each (call) ${limitOfRows()}) as ended
      where t.call = ended.call`,
)

/** The first step of a user in each call. What was tried of the user before counts no more. */
export function startRinging(db: Transaction, first: readonly (Attempt & { before: readonly number[] })[]): void {
  const before = first.flatMap(({ call, before: steps }) => steps.map((step) => ({ call, step })))
  if (before.length > 0) db.send(FORGET, columnsOf(before))
  markTried(db, first)
}

export function markTried(db: Transaction, attempts: readonly Attempt[]): void {
  db.send(MARK, columnsOf(attempts))
}

/** Marks steps that an address says were tried, as far as they are steps of the user. */
export function markTriedByAddress(
  db: Transaction,
  named: readonly { call: number; user: number; steps: readonly number[] }[],
): void {
  const attempts = named.flatMap(({ steps, ...each }) => steps.map((step) => ({ ...each, step })))
  db.send(MARK_BY_ADDRESS, { ...columnsOf(attempts), users: attempts.map(({ user }) => user) })
}

/** The calls are over, or have been answered: nobody is tried in them any more. */
export function clearAttempts(db: Transaction, { calls }: { calls: readonly number[] }): void {
  db.send(CLEAR, { calls })
}

function columnsOf(attempts: readonly Attempt[]): Attempts {
  return { calls: attempts.map(({ call }) => call), steps: attempts.map(({ step }) => step) }
}
