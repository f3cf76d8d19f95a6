import { sql } from '../../database/drizzle.ts'
import { Refusal } from '../../errors.ts'
import { requireAccess } from '../access/access.ts'
import type { Env } from '../access/env.ts'
import { Identities } from '../identity/identities.ts'
import { records } from '../records/records.ts'
import { notifyPeople } from './notice.ts'

/** People that one text can call; more are somebody's list and not a question to them. */
const MENTIONED_MAX = 20
const DETAIL_CHARS_MAX = 140

interface Mentioning {
  model: string
  id: number
  text: string
}

/**
 * Leaves a notice for each person whom a note names as `@login` or by `@` and their name. Anyone who may not read the record
 * hears nothing of it.
 */
export async function notifyMentioned(env: Env, { model, id, text }: Mentioning): Promise<void> {
  if (!text.includes('@')) return
  const written = text.toLowerCase()
  const named = await env.db.query<{ id: number; login: string; name: string }>(
    sql`select id, login, name from res_users where active and share is not true
          and (strpos(${written}, '@' || lower(login)) > 0 or strpos(${written}, '@' || lower(name)) > 0)
        order by id limit ${MENTIONED_MAX}::int`,
  )
  const identities = new Identities(env.db, env.platform.clock)
  const users: number[] = []
  for (const person of named) {
    if (!isNamed(written, person.login) && !isNamed(written, person.name)) continue
    const identity = await identities.byId(person.id)
    if (identity !== undefined && (await mayRead({ ...env, identity }, { model, id }))) users.push(person.id)
  }
  notifyPeople(env, { kind: 'mentioned', ref: { model, id }, users, detail: text.slice(0, DETAIL_CHARS_MAX) })
}

/** The whole name, and not the beginning of a longer one: `@eve` is not named by `@evelyn`. */
function isNamed(written: string, name: string): boolean {
  const sign = `@${name.toLowerCase()}`
  for (let at = written.indexOf(sign); at !== -1; at = written.indexOf(sign, at + 1)) {
    const before = written.charAt(at - 1)
    const after = written.charAt(at + sign.length)
    if (!/[\p{L}\p{N}_]/u.test(before) && !/[\p{L}\p{N}_]/u.test(after)) return true
  }
  return false
}

async function mayRead(env: Env, { model, id }: Pick<Mentioning, 'model' | 'id'>): Promise<boolean> {
  try {
    requireAccess(env.identity, env.platform.models.get(model), 'read')
    await records(env, model).requireVisible([id])
    return true
  } catch (error) {
    if (error instanceof Refusal) return false
    throw error
  }
}
