import { addCalled } from '../../ledger/calls/call-rows.ts'
import { markNoPhone, saveDialEndSteps, tagAgents } from '../../ledger/calls/call-updates.ts'
import type { Env } from '../../platform/access/env.ts'
import { sendPosts } from '../../platform/chatter/chatter.ts'
import { clearAttempts, markTried, markTriedByAddress, startRinging } from '../phone-users/ring-attempts.ts'
import type { Effect } from './decide/plan.ts'

type Kind = Effect['does']
type EffectOf<Does extends Kind> = Extract<Effect, { readonly does: Does }>

/** How effects of one kind are carried out, each of another call. */
const CARRY_OUT: { readonly [Does in Kind]: (env: Env, effects: readonly EffectOf<Does>[]) => void } = {
  'start-ringing': ({ db }, started) => startRinging(db, started),
  'mark-tried': ({ db }, tried) => markTried(db, tried),
  'mark-tried-by-address': ({ db }, named) => markTriedByAddress(db, named),
  'clear-attempts': ({ db }, cleared) => clearAttempts(db, { calls: cleared.map(({ call }) => call) }),
  'save-dial-end': saveDialEndSteps,
  'tag-agent': tagAgents,
  'name-called': addCalled,
  'mark-no-phone': (env, marked) =>
    markNoPhone(
      env,
      marked.map(({ call }) => call),
    ),
  remark: (env, remarks) =>
    sendPosts(
      env,
      remarks.map(({ call, text }) => ({ model: 'connect.call', id: call, text, subtype: 'note' })),
    ),
  'log-unroutable': ({ platform: { log } }, unroutable) => {
    for (const { callSid, reason } of unroutable) log.warn({ callSid, reason }, 'a call could not be connected')
  },
  'log-error': ({ platform: { log } }, failed) => {
    for (const { callSid, error } of failed) log.error({ err: error, callSid }, 'markup could not be rendered')
  },
}

/**
 * Carries out what the plans of different calls set off, in the transaction that they were loaded in: that of each plan in
 * its order, that of several plans by one statement.
 */
export function carryOut(env: Env, plans: readonly { readonly effects: readonly Effect[] }[]): void {
  const most = Math.max(0, ...plans.map(({ effects }) => effects.length))
  for (let at = 0; at < most; at += 1) {
    const next = plans.flatMap(({ effects }) => effects[at] ?? [])
    for (const [does, effects] of Map.groupBy(next, (effect) => effect.does)) {
      const carryOutSame = CARRY_OUT[does] as (env: Env, effects: readonly Effect[]) => void
      carryOutSame(env, effects)
    }
  }
}
