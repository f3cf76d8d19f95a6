import { sql } from '../../database/drizzle.ts'
import { param, statement } from '../../database/statement.ts'
import type { Env } from '../../platform/access/env.ts'
import type { CallingUser, RingingUser } from '../routing/decide/loaded.ts'
import { findParties } from '../routing/load/parties.ts'
import { findRingingUsers } from '../routing/load/ringing-user.ts'

/** Somebody's own telephones, and what they present when they call. */
export interface OwnPhone {
  id: number
  ringing: RingingUser
  calling: CallingUser
  /** `client:username@host`: the party that calls of this user come from. */
  uri: string
  defaultCallerId: string | undefined
}

const OF_LOGIN = statement<{ id: number }, { user: number }>(
  'phone_user_of_login',
  sql`select id from connect_user where "user" = ${param('user')} and active is not false`,
)

/** The phone user whom a login is; undefined when it has none. */
export async function findOwnPhoneId(env: Env, login: number = env.identity.userId): Promise<number | undefined> {
  const [row] = await env.db.run(OF_LOGIN, { user: login })
  return row?.id
}

/** A phone user who can be rung and can call; undefined without a username and a SIP domain. */
export async function findOwnPhone(env: Env, id: number): Promise<OwnPhone | undefined> {
  const call = { sid: '', callId: undefined, called: '', isOutbound: true, fields: {}, dialled: '' }
  const [ringing] = await findRingingUsers(env, [{ key: id, call: { ...call, caller: '' } }])
  if (ringing?.address === undefined) return undefined
  const uri = `client:${ringing.address}`
  const [parties] = await findParties(env, [{ ...call, caller: uri }])
  const { caller, defaultCallerId } = parties ?? {}
  return caller === undefined ? undefined : { id, ringing, calling: caller, uri, defaultCallerId }
}
