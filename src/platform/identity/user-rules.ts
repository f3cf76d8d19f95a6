import { sql } from '../../database/drizzle.ts'
import { idList } from '../../database/ids.ts'
import { bareEmail } from '../../email-address.ts'
import { Refusal } from '../../errors.ts'
import type { Env } from '../access/env.ts'
import { GROUP, isManager } from '../access/identity.ts'
import type { Row, Values } from '../model/model.ts'
import { requireGoodPassword } from './passwords/password-rules.ts'
import { hashPassword } from './passwords/passwords.ts'
import { WEBHOOK_USER } from './service-users.ts'

/** What makes the webhook user: the service runs webhooks as it, and nobody signs in as it. */
const WEBHOOK_FIELDS = ['login', 'active', 'share', 'password', 'group_ids'] as const

/** Checks and completes what is about to be stored for a user. */
export async function prepareUser(env: Env, given: Values, current: Row | undefined): Promise<Values> {
  if (!isManager(env.identity)) await requireHarmless(env, given, current)
  if (current?.external_id === WEBHOOK_USER) requireWebhookUserSame(given, current)
  const values = await withPassword(given)
  if (typeof values.login === 'string') values.login = bareEmail(values.login)
  return values
}

/** Throws a refusal when one of the users is one that the service itself works as, or one that outranks the caller. */
export async function requireRemovableUsers(env: Env, ids: readonly number[]): Promise<void> {
  const [kept] = await env.db.query<{ login: string }>(
    sql`select login from res_users where external_id is not null and id in (${idList(ids)}) order by id limit 1`,
  )
  if (kept !== undefined) {
    throw new Refusal('refused', 'user-belongs-service-cannot-deleted', { login: kept.login })
  }
  if (!isManager(env.identity)) await requireNoManager(env, ids)
}

/** The code of the service knows its groups by their external ids. */
export function requireSameGroup(_env: Env, values: Values, current: Row | undefined): Values {
  if (current === undefined || !('external_id' in values) || values.external_id === current.external_id) return values
  throw new Refusal('refused', 'external-id-res-groups-cannot-changed')
}

/** Throws a refusal when one of the groups is one that access depends on. */
export async function requireRemovableGroups(env: Env, ids: readonly number[]): Promise<void> {
  const own: ReadonlySet<string> = new Set(Object.values(GROUP))
  const rows = await env.db.query<{ external_id: string }>(
    sql`select external_id from res_groups where id in (${idList(ids)})`,
  )
  const kept = rows.find((row) => own.has(row.external_id))
  if (kept === undefined) return
  throw new Refusal('refused', 'group-belongs-service-cannot-deleted', { external_id: kept.external_id })
}

/** Connect administrators keep users, but only a manager makes managers, or touches one. */
async function requireHarmless(env: Env, given: Values, current: Row | undefined): Promise<void> {
  const { fields } = env.platform.models.get('res.users')
  const name = Object.keys(given).find((each) => {
    const managersWrite = fields[each]?.managersWrite
    if (managersWrite === undefined || (managersWrite === 'once stored' && current === undefined)) return false
    return isChange(each, given, current)
  })
  if (name !== undefined) throw new Refusal('forbidden', 'field-res-users-for-managers-only', { name })
  if (current !== undefined) await requireNoManager(env, [current.id])
}

async function requireNoManager(env: Env, ids: readonly number[]): Promise<void> {
  const managers = await env.db.query(
    sql`with recursive held(user_id, group_id) as (
          select user_id, group_id from res_groups_users_rel where user_id in (${idList(ids)})
          union select held.user_id, i.implied_id from res_groups_implied_rel i join held on held.group_id = i.group_id
        )
        select 1 from held join res_groups g on g.id = held.group_id where g.external_id = ${GROUP.manager} limit 1`,
  )
  if (managers.length > 0) throw new Refusal('forbidden', 'user-who-manager-kept-by-managers')
}

function requireWebhookUserSame(given: Values, current: Row): void {
  const name = WEBHOOK_FIELDS.find((each) => isChange(each, given, current))
  if (name === undefined) return
  throw new Refusal('refused', 'webhook-user-belongs-service-cannot-changed', { name })
}

/** Forms send back what they read; a password and a list of groups are never the same as what is stored. */
function isChange(name: string, given: Values, current: Row | undefined): boolean {
  if (!(name in given)) return false
  return current === undefined || !(name in current) || given[name] !== current[name]
}

async function withPassword(given: Values): Promise<Values> {
  if (!('password' in given)) return { ...given }
  const { password, ...values } = given
  requireGoodPassword(password)
  return { ...values, password_hash: await hashPassword(password) }
}
