import { sql } from '../../database/drizzle.ts'
import { param, statement } from '../../database/statement.ts'
import { tagAgentSql } from '../../ledger/calls/call-updates.ts'
import { saveDialEndStep } from '../../ledger/calls/dial-ends.ts'
import type { Env } from '../../platform/access/env.ts'
import type { Effect } from './decide/plan.ts'

const START = statement<never, { call: number; user: number; step: number }>(
  'ring_start',
  sql`with others as (
        delete from connect_telco_user_callflow_call where call = ${param('call')} and callflow <> ${param('step')}
          and callflow in (select id from connect_telco_user_callflow where "user" = ${param('user')}))
      insert into connect_telco_user_callflow_call (call, callflow) values (${param('call')}, ${param('step')})
      on conflict (call, callflow) do nothing`,
)

const MARK = statement<never, { call: number; step: number }>(
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

const CLEAR = statement<never, { call: number }>(
  'ring_clear',
  sql`delete from connect_telco_user_callflow_call where call = ${param('call')}`,
)

/** The call remembers the first agent that it was handed to. */
const TAG_AGENT = statement<never, { agent: number; call: number }>(
  'routing_agent_tag',
  tagAgentSql({ call: param('call'), agent: sql`select ${param('agent')}::bigint as id` }),
)

/** Carries out what a plan sets off, in its order, in the transaction that it was loaded in. */
export function carryOut(env: Env, effects: readonly Effect[]): void {
  for (const effect of effects) carryOutOne(env, effect)
}

function carryOutOne({ db, platform: { log } }: Env, effect: Effect): void {
  switch (effect.does) {
    case 'start-ringing':
      db.send(START, { call: effect.call, user: effect.user, step: effect.step })
      break
    case 'mark-tried':
      db.send(MARK, { call: effect.call, step: effect.step })
      break
    case 'mark-tried-by-address':
      db.send(MARK_BY_ADDRESS, { call: effect.call, user: effect.user, steps: effect.steps.join(',') })
      break
    case 'clear-attempts':
      clearAttempts({ db }, effect.call)
      break
    case 'save-dial-end':
      saveDialEndStep(db, { call: effect.call, leg: effect.leg, step: effect.step })
      break
    case 'tag-agent':
      db.send(TAG_AGENT, { call: effect.call, agent: effect.agent })
      break
    case 'log-unroutable':
      log.warn({ callSid: effect.callSid, reason: effect.reason }, 'a call could not be connected')
      break
    case 'log-error':
      log.error({ err: effect.error, callSid: effect.callSid }, 'markup could not be rendered')
      break
  }
}

/** The call is over, or has been answered: nobody is tried in it any more. */
export function clearAttempts({ db }: Pick<Env, 'db'>, call: number): void {
  db.send(CLEAR, { call })
}
