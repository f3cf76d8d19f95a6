import { sql } from '../../database/drizzle.ts'
import { param, statement } from '../../database/statement.ts'
import { Refusal } from '../../errors.ts'
import { isTerminal } from '../../ledger/legs/call-status.ts'
import { channelModel } from '../../ledger/legs/leg.ts'
import type { Env } from '../../platform/access/env.ts'
import type { RowOf } from '../../platform/model/model.ts'
import { columnsOf } from '../../platform/model/statements.ts'

/** A leg of a call, as steering the call needs it. */
export type Leg = RowOf<typeof channelModel, (typeof COLUMNS)[number]>
const COLUMNS = [
  ...['id', 'sid', 'parent_sid', 'technical_direction', 'status'],
  ...['caller', 'called', 'caller_pbx_user', 'called_pbx_user'],
] as const

const LEGS = statement<Leg, { call: number }>(
  'legs_of_call',
  sql`select ${columnsOf(channelModel, COLUMNS)}
      from connect_channel where call = ${param('call')} order by (coalesce(parent_sid, '') <> ''), id`,
)

/** The legs of a call that have not ended, the first one first. Throws a refusal when the call is over. */
export async function requireLiveLegs(env: Env, callId: number): Promise<Leg[]> {
  const live = (await env.db.run(LEGS, { call: callId })).filter((leg) => !isTerminal(leg.status ?? 'queued'))
  if (live.length > 0) return live
  throw new Refusal('conflict', 'call-over')
}

/** The one record that a method is about. */
export function requireOne(ids: readonly number[]): number {
  const [id, ...others] = ids
  if (id !== undefined && others.length === 0) return id
  throw new Refusal('refused', 'api-argument-ids-must-name-exactly-one')
}

/** Who is at the end of the leg: of an inbound one who called, of others who was called. */
function partyUser({ technical_direction: direction, caller_pbx_user, called_pbx_user }: Leg): number | undefined {
  return (direction === 'inbound' ? caller_pbx_user : called_pbx_user) ?? undefined
}

/**
 * The leg of the person somebody talks to: one that is not theirs, somebody outside before a colleague, and of several the
 * first. Undefined when nobody else is on the line. `me` is undefined for somebody who is not in the call.
 */
export function otherParty(live: readonly Leg[], me: number | undefined): Leg | undefined {
  const others = live.filter((leg) => isOnTheLine(leg) && (me === undefined || partyUser(leg) !== me))
  return others.find((leg) => partyUser(leg) === undefined) ?? others[0]
}

/** The provider tells of an inbound leg only when it ends, so while it lives somebody is there. */
function isOnTheLine({ technical_direction: direction, status }: Leg): boolean {
  return direction === 'inbound' || status === 'in-progress'
}
