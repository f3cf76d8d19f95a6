import { sql } from '../../database/drizzle.ts'
import { Refusal } from '../../errors.ts'
import type { Env } from '../../platform/access/env.ts'
import type { Row, Values } from '../../platform/model/model.ts'
import { isMask } from '../../platform/secrets/secrets.ts'
import { inItsLanguage } from '../sentences/in-its-language.ts'
import { sipPasswordProblem } from './sip-password.ts'

/** Checks and completes what is about to be stored for a phone user. */
export async function preparePbxUser(env: Env, given: Values, current: Row | undefined): Promise<Values> {
  const values = { ...given }
  if (typeof values.username === 'string') values.username = values.username.trim() || null
  if (current !== undefined) requireKept(values, current)
  preparePassword(env, values)
  const login = values.user ?? current?.user
  if (typeof login === 'number') values.name = await requireInternalLogin(env, login)
  await requireUsableSender(env, values.whatsapp_sender_id)
  return inItsLanguage(values, current, { voicemail_prompt: 'userIsAway' })
}

/** What the provider or the ledger already knows the user by stays as it is. */
function requireKept(values: Values, current: Row): void {
  if ('username' in values && current.username && values.username !== current.username) {
    throw new Refusal('refused', '"connect.user.username" cannot be changed once it is set.')
  }
  if ('domain' in values && current.sid && values.domain !== current.domain) {
    throw new Refusal('refused', '"connect.user.domain" cannot be changed while the user has a SIP credential.')
  }
  if ('user' in values && values.user !== current.user) {
    throw new Refusal('refused', '"connect.user.user" stays the login that it was created for.')
  }
}

function preparePassword(env: Env, values: Values): void {
  const { password } = values
  if (typeof password !== 'string' || password === '') return
  if (isMask(password)) {
    // The service itself stores the mask, once the provider has the password; from a form it means "unchanged".
    if (!env.identity.isElevated) delete values.password
    return
  }
  const problem = sipPasswordProblem(password)
  if (problem !== undefined) throw new Refusal('refused', `"connect.user.password" ${problem}.`)
}

/** The name of the login; refuses a login of somebody outside the company. One that does not exist is refused later. */
async function requireInternalLogin(env: Env, login: number): Promise<string | null> {
  const rows = await env.db.query<{ name: string; share: boolean | null }>(
    sql`select name, share from res_users where id = ${login}::bigint`,
  )
  if (rows[0]?.share === true) throw new Refusal('refused', '"connect.user.user" must be an internal user.')
  return rows[0]?.name ?? null
}

async function requireUsableSender(env: Env, sender: unknown): Promise<void> {
  if (typeof sender !== 'number') return
  const rows = await env.db.query<{ status: string | null; no_sync: boolean | null }>(
    sql`select status, no_sync from connect_whatsapp_sender where id = ${sender}::bigint`,
  )
  const [found] = rows
  if (found === undefined || (found.status === 'ONLINE' && found.no_sync !== true)) return
  throw new Refusal('refused', '"connect.user.whatsapp_sender_id" must be a sender that is online and synchronised.')
}
