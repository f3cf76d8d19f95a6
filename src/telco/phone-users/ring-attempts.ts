import type { Transaction } from '../../database/database.ts'
import { sql } from '../../database/drizzle.ts'
import { param, statement } from '../../database/statement.ts'

/** A step that is tried in a call. */
interface Attempt {
  readonly call: number
  readonly step: number
}

const START = statement<never, Attempt & { user: number }>(
  'ring_start',
  sql`with others as (
        delete from connect_telco_user_callflow_call where call = ${param('call')} and callflow <> ${param('step')}
          and callflow in (select id from connect_telco_user_callflow where "user" = ${param('user')}))
      insert into connect_telco_user_callflow_call (call, callflow) values (${param('call')}, ${param('step')})
      on conflict (call, callflow) do nothing`,
)

const MARK = statement<never, Attempt>(
  'ring_mark',
  sql`insert into connect_telco_user_callflow_call (call, callflow) values (${param('call')}, ${param('step')})
      on conflict (call, callflow) do nothing`,
)

const MARK_BY_ADDRESS = statement<never, { call: number; user: number; steps: string }>(
  'ring_mark_by_address',
  sql`insert into connect_telco_user_callflow_call (call, callflow)
      select ${param('call')}::bigint, id from connect_telco_user_callflow
      where "user" = ${param('user')} and id = any(string_to_array(${param('steps')}, ',')::bigint[])
      on conflict (call, callflow) do nothing`,
)

const CLEAR = statement<never, { calls: readonly number[] }>(
  'ring_clear',
  sql`delete from connect_telco_user_callflow_call where call = any(${param('calls')}::bigint[])`,
)

/** The first step of the user in this call. Asked for again, the call starts over with the same step. */
export function startRinging(db: Transaction, first: Attempt & { user: number }): void {
  db.send(START, first)
}

export function markTried(db: Transaction, attempt: Attempt): void {
  db.send(MARK, attempt)
}

/** Marks steps that an address says were tried, as far as they are steps of the user. */
export function markTriedByAddress(
  db: Transaction,
  { call, user, steps }: { call: number; user: number; steps: readonly number[] },
): void {
  db.send(MARK_BY_ADDRESS, { call, user, steps: steps.join(',') })
}

/** The calls are over, or have been answered: nobody is tried in them any more. */
export function clearAttempts(db: Transaction, { calls }: { calls: readonly number[] }): void {
  db.send(CLEAR, { calls })
}
