import { sql } from '../../../database/drizzle.ts'
import { param, statement } from '../../../database/statement.ts'
import { ID_IN_ADDRESS } from '../../../lenient-values.ts'
import type { Env } from '../../../platform/access/env.ts'

/** One step of ringing somebody. */
export interface RingStep {
  readonly id: number
  readonly type: 'client' | 'sip' | 'voicemail'
}

/** Ids that one address can carry; a user has three steps. */
const DONE_STEPS_MAX = 20

/** The steps that `done_callflows` lists; what is no id is dropped. */
export function parseDoneSteps(query: URLSearchParams): number[] {
  const chunks = (query.get('done_callflows') ?? '').split(',', DONE_STEPS_MAX)
  const ids = chunks.map((chunk) => chunk.trim()).filter((chunk) => ID_IN_ADDRESS.test(chunk))
  return [...new Set(ids.map(Number))]
}

const START = statement<never, { call: number; user: number; step: number }>(
  'ring_start',
  sql`with others as (
        delete from connect_telco_user_callflow_call where call = ${param('call')} and callflow <> ${param('step')}
          and callflow in (select id from connect_telco_user_callflow where "user" = ${param('user')}))
      insert into connect_telco_user_callflow_call (call, callflow) values (${param('call')}, ${param('step')})
      on conflict (call, callflow) do nothing`,
)

const TRY = statement<never, { call: number; step: number }>(
  'ring_try',
  sql`insert into connect_telco_user_callflow_call (call, callflow) values (${param('call')}, ${param('step')})
      on conflict (call, callflow) do nothing`,
)

const FOLD = statement<never, { call: number; user: number; steps: string }>(
  'ring_fold',
  sql`insert into connect_telco_user_callflow_call (call, callflow)
      select ${param('call')}::bigint, id from connect_telco_user_callflow
      where "user" = ${param('user')} and id = any(string_to_array(${param('steps')}, ',')::bigint[])
      on conflict (call, callflow) do nothing`,
)

const FORGET = statement<never, { call: number }>(
  'ring_forget',
  sql`delete from connect_telco_user_callflow_call where call = ${param('call')}`,
)

/** The first step of the user in this call. Asked for again, the call starts over with the same step. */
export function startWalk(
  { db }: Pick<Env, 'db'>,
  { call, user, step }: { call: number; user: number; step: number },
): void {
  db.send(START, { call, user, step })
}

/** Marks a step as tried in this call. */
export function recordStep({ db }: Pick<Env, 'db'>, { call, step }: { call: number; step: number }): void {
  db.send(TRY, { call, step })
}

/** Marks steps that an address says were tried, as far as they are steps of the user. */
export function foldSteps(
  { db }: Pick<Env, 'db'>,
  { call, user, steps }: { call: number; user: number; steps: readonly number[] },
): void {
  if (steps.length > 0) db.send(FOLD, { call, user, steps: steps.join(',') })
}

/** The walk of this call is over. */
export function forgetWalk({ db }: Pick<Env, 'db'>, call: number | undefined): void {
  if (call !== undefined) db.send(FORGET, { call })
}
