import { sql } from '../../database/drizzle.ts'
import { param, statement } from '../../database/statement.ts'
import { saveDialEndStep, tagAgentSql } from '../../ledger/calls/call-updates.ts'
import type { Env } from '../../platform/access/env.ts'
import { clearAttempts, markTried, markTriedByAddress, startRinging } from '../phone-users/ring-attempts.ts'
import type { Effect } from './decide/plan.ts'

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
      startRinging(db, effect)
      break
    case 'mark-tried':
      markTried(db, effect)
      break
    case 'mark-tried-by-address':
      markTriedByAddress(db, effect)
      break
    case 'clear-attempts':
      clearAttempts(db, { calls: [effect.call] })
      break
    case 'save-dial-end':
      saveDialEndStep(db, effect)
      break
    case 'tag-agent':
      db.send(TAG_AGENT, effect)
      break
    case 'log-unroutable':
      log.warn({ callSid: effect.callSid, reason: effect.reason }, 'a call could not be connected')
      break
    case 'log-error':
      log.error({ err: effect.error, callSid: effect.callSid }, 'markup could not be rendered')
      break
  }
}
