import { sql } from '../../database/drizzle.ts'
import type { Env } from '../../platform/access/env.ts'
import { records } from '../../platform/records/records.ts'
import { USERNAME_CHARS_MAX } from './phone-user.ts'

/**
 * Makes a user who has no phone a phone user with that extension; the web phone signs in by the login's letters. What is said for
 * them on the phone is said in the language, such as `de-DE`, else in that of the company's callers.
 */
export async function givePhone(
  env: Env,
  userId: number,
  extension: string,
  language: string = env.settings.speechLanguage,
): Promise<void> {
  const username = await freeUsername(env, userId)
  // Web phones sign in below a domain: where none is set up yet, the extension waits for one.
  const domains = await env.db.query(sql`select 1 from connect_telco_domain limit 1`)
  const values = { user: userId, username, telco_exten_number: extension, client_enabled: domains.length > 0, language }
  await records(env, 'connect.user').create([values])
}

/** The letters and digits of the login, or the nearest that nobody has. */
async function freeUsername(env: Env, userId: number): Promise<string> {
  const [user] = await env.db.query<{ login: string }>(sql`select login from res_users where id = ${userId}::bigint`)
  const letters = (user?.login ?? '').replaceAll(/[^A-Za-z0-9]/g, '').slice(0, USERNAME_CHARS_MAX) || 'phone'
  const [taken] = await env.db.query(sql`select 1 from connect_user where username = ${letters}`)
  if (taken === undefined) return letters
  const number = String(userId)
  return letters.slice(0, USERNAME_CHARS_MAX - number.length) + number
}
