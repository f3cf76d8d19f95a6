import { sql } from '../../../database/drizzle.ts'
import { param, statement } from '../../../database/statement.ts'
import { findDialEndStep } from '../../../ledger/calls/call-updates.ts'
import type { Env } from '../../../platform/access/env.ts'
import type { RoutedCall } from '../decide/context.ts'
import type { Application, Facts, Need } from '../decide/loaded.ts'
import { findAgent } from './agent.ts'
import { findCallflow } from './callflow.ts'
import { findExtension, findExtensionByNumber, findExtensionsByPattern } from './extension.ts'
import { findNumberFallback, findOurNumber } from './our-number.ts'
import { findParties } from './parties.ts'
import { findRingingUser } from './ringing-user.ts'

type Loaders = {
  readonly [What in keyof Facts]: (env: Env, key: Facts[What]['key'], call: RoutedCall) => Promise<Facts[What]['value']>
}

const APPLICATION = statement<Application, { id: number }>(
  'routing_markup',
  sql`select id, code_type, markup, model, method from connect_telco_markup where id = ${param('id')}`,
)

/** How each fact is found. */
const LOADERS: Loaders = {
  ourNumber: findOurNumber,
  numberFallback: findNumberFallback,
  extension: findExtension,
  extensionByNumber: findExtensionByNumber,
  extensionsByPattern: findExtensionsByPattern,
  user: (env, id, { callId }) => findRingingUser(env, { id, callId }),
  callflow: findCallflow,
  agent: findAgent,
  application: async ({ db }, id) => (await db.run(APPLICATION, { id }))[0],
  parties: (env, _ofTheCall, call) => findParties(env, call),
  // The call stays locked from here on, so that the same report twice at a time is answered one after the other.
  dialEnd: async ({ db }, leg, { callId }) =>
    callId === undefined ? undefined : findDialEndStep(db, { call: callId, leg }),
}

/** What a decision about the call asked for. */
export function loadFact(env: Env, { what, key }: Need, call: RoutedCall): Promise<unknown> {
  const load = LOADERS[what] as (env: Env, key: Need['key'], call: RoutedCall) => Promise<unknown>
  return load(env, key, call)
}
