import { sql } from '../../database/drizzle.ts'
import { param, statement } from '../../database/statement.ts'
import type { Env } from '../../platform/access/env.ts'
import type { CallingUser, RingingUser } from '../routing/dial-plan.ts'
import { loadDialPlan } from '../routing/load-dial-plan.ts'

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
  const { users, defaultCallerId } = await loadDialPlan(env.db)
  const { ringing, calling } = users.get(id) ?? {}
  if (ringing?.address === undefined || calling === undefined) return undefined
  return { id, ringing, calling, uri: `client:${ringing.address}`, defaultCallerId }
}
