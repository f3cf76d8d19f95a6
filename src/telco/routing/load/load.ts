import { sql } from '../../../database/drizzle.ts'
import { listed } from '../../../database/listed.ts'
import { statement } from '../../../database/statement.ts'
import { findDialEndSteps } from '../../../ledger/calls/call-updates.ts'
import type { Env } from '../../../platform/access/env.ts'
import { countOutgoing } from '../../outgoing/outgoing-limits.ts'
import type { RoutedCall } from '../decide/context.ts'
import type { Application, Facts, Need } from '../decide/loaded.ts'
import { findAgents } from './agent.ts'
import { type Asked, keysOf } from './asked.ts'
import { findCallflows } from './callflow.ts'
import { findExtensions, findExtensionsByNumber, findExtensionsByPattern } from './extension.ts'
import { findNumberFallbacks, findOurNumbers } from './our-number.ts'
import { findParties } from './parties.ts'
import { findRingingUsers } from './ringing-user.ts'

type Load<Key, Value> = (env: Env, asked: readonly Asked<Key>[]) => Promise<readonly Value[]>
type Loaders = { readonly [What in keyof Facts]: Load<Facts[What]['key'], Facts[What]['value']> }

const APPLICATIONS = statement<Application, { ids: readonly number[] }>(
  'routing_markup',
  sql`select id, code_type, markup, model, method from connect_telco_markup where id in ${listed('ids', 'bigint')}`,
)

/** How each fact is found, for all calls that ask for it at the same time. */
const LOADERS: Loaders = {
  ourNumber: byKey(findOurNumbers),
  numberFallback: byKey(findNumberFallbacks),
  extension: byKey(findExtensions),
  extensionByNumber: byKey(findExtensionsByNumber),
  extensionsByPattern: async (env, asked) => {
    const fitting = await findExtensionsByPattern(env, keysOf(asked))
    return asked.map(({ key }) => fitting.get(key) ?? [])
  },
  user: findRingingUsers,
  callflow: byKey(findCallflows),
  agent: byKey(findAgents),
  application: byKey(findApplications),
  parties: (env, asked) =>
    findParties(
      env,
      asked.map(({ call }) => call),
    ),
  // Each by itself: two calls of one person count twice.
  outgoingReached: (env, asked) => countOutgoing(env, { kind: 'call', users: asked.map(({ key }) => key) }),
  // The calls stay locked from here on, so that the same report twice at a time is answered one after the other.
  dialEnd: ({ db }, asked) =>
    findDialEndSteps(
      db,
      asked.map(({ key: leg, call: { callId = 0 } }) => ({ call: callId, leg })),
    ),
}

/** A fact that is the same for every call. */
function byKey<Key, Value>(
  find: (env: Env, keys: readonly Key[]) => Promise<ReadonlyMap<Key, Value>>,
): Load<Key, Value | undefined> {
  return async (env, asked) => {
    const found = await find(env, keysOf(asked))
    return asked.map(({ key }) => found.get(key))
  }
}

async function findApplications({ db }: Env, ids: readonly number[]): Promise<Map<number, Application>> {
  const applications = await db.run(APPLICATIONS, { ids })
  return new Map(applications.map((application) => [application.id, application]))
}

/** What decisions about different calls asked for, in their order: the same of several by one statement. */
export async function loadFacts(
  env: Env,
  needs: readonly { readonly need: Need; readonly call: RoutedCall }[],
): Promise<unknown[]> {
  const asked = needs.map(({ need: { what, key }, call }, at) => ({ what, key, call, at }))
  const facts: unknown[] = []
  await Promise.all(
    [...Map.groupBy(asked, ({ what }) => what)].map(async ([what, same]) => {
      const load = LOADERS[what] as Load<Need['key'], unknown>
      const found = await load(env, same)
      for (const [nth, { at }] of same.entries()) facts[at] = found[nth]
    }),
  )
  return facts
}
