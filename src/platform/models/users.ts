import { sql } from '../../database/drizzle.ts'
import { Refusal } from '../../errors.ts'
import type { Env } from '../env.ts'
import { boolean, char, computed, datetime, many2many, many2one, one2many } from '../fields.ts'
import { apiKeyCreate } from '../identity/api-keys.ts'
import { hashPassword } from '../identity/passwords.ts'
import { GROUP, isManager } from '../identity.ts'
import { defineModel, type Row, type Values } from '../model.ts'

const PASSWORD_CHARS_MIN = 12
const PASSWORD_CHARS_MAX = 200
/** Groups that somebody who is no manager may hand out: none of them opens what is protected. */
const ONLY_MANAGERS_SEE = [GROUP.manager, GROUP.connectAdmin]

const GROUP_PAIRS = { table: 'res_groups_users_rel', here: 'user_id', there: 'group_id' }

export const userModel = defineModel({
  name: 'res.users',
  label: 'User',
  order: 'login',
  fields: {
    login: char('Login', { required: true, isUnique: true, maxLength: 200 }),
    name: char('Name', { required: true, maxLength: 200 }),
    active: boolean('Active', { default: true }),
    share: boolean('External user'),
    partner_id: many2one('Contact', 'res.partner', { onDelete: 'restrict', groups: ONLY_MANAGERS_SEE }),
    group_ids: many2many('Groups', 'res.groups', GROUP_PAIRS, { groups: ONLY_MANAGERS_SEE }),
    password_hash: char('Password hash', { isProtected: true, readonly: true, isHeavy: true, groups: [] }),
    password: computed('Password', 'char', {
      depends: [],
      isWritable: true,
      groups: ONLY_MANAGERS_SEE,
      help: 'Written only; reading it gives nothing.',
      compute: (_env, rows) => rows.map(() => null),
    }),
    external_id: char('External id', { readonly: true, isUnique: true, groups: ONLY_MANAGERS_SEE }),
    api_key_ids: one2many('API keys', 'res.users.apikeys', 'user_id', { groups: ONLY_MANAGERS_SEE }),
  },
  methods: { api_key_create: apiKeyCreate },
  async prepare(env, given, current) {
    const values = await withPassword(given)
    if (typeof values.login === 'string') values.login = values.login.trim()
    requireManagerFor(env, values)
    return current === undefined ? withContact(env, values) : values
  },
  async saved(env, { id, values }) {
    await env.db.notify('connect_identity', String(id))
    if (values.active === false || 'password_hash' in values) {
      await env.db.query(sql`delete from res_users_session where user_id = ${id}::int`)
    }
  },
  async removing(env, ids) {
    for (const id of ids) await env.db.notify('connect_identity', String(id))
  },
})

export const groupModel = defineModel({
  name: 'res.groups',
  label: 'Group',
  order: 'external_id',
  fields: {
    name: char('Name', { required: true }),
    external_id: char('External id', { required: true, isUnique: true }),
    implied_ids: many2many('Implied groups', 'res.groups', {
      table: 'res_groups_implied_rel',
      here: 'group_id',
      there: 'implied_id',
    }),
    user_ids: many2many(
      'Users',
      'res.users',
      { table: GROUP_PAIRS.table, here: GROUP_PAIRS.there, there: GROUP_PAIRS.here },
      { groups: ONLY_MANAGERS_SEE, readonly: true },
    ),
  },
  async saved(env) {
    await env.db.notify('connect_identity', '*')
  },
})

export const apiKeyModel = defineModel({
  name: 'res.users.apikeys',
  label: 'API key',
  order: 'id desc',
  fields: {
    name: char('Name', { required: true, readonly: true }),
    user_id: many2one('User', 'res.users', { required: true, onDelete: 'cascade', readonly: true }),
    key_hash: char('Key hash', { required: true, isUnique: true, readonly: true, isHeavy: true, groups: [] }),
    expires_at: datetime('Expires', { readonly: true }),
    last_used: datetime('Last used', { readonly: true }),
  },
  rules: [
    { group: GROUP.internal, domain: (identity) => [['user_id', '=', identity.userId]] },
    { group: GROUP.manager, domain: () => [] },
  ],
  async removing(env, ids) {
    for (const id of ids) await env.db.notify('connect_identity', `key ${id}`)
  },
})

async function withPassword(given: Values): Promise<Values> {
  if (!('password' in given)) return { ...given }
  const { password, ...values } = given
  if (typeof password !== 'string' || password.length < PASSWORD_CHARS_MIN || password.length > PASSWORD_CHARS_MAX) {
    throw new Refusal('refused', `A "password" has from ${PASSWORD_CHARS_MIN} to ${PASSWORD_CHARS_MAX} characters.`)
  }
  return { ...values, password_hash: await hashPassword(password) }
}

/** Connect administrators keep users, but only a manager makes managers or touches one's password. */
function requireManagerFor(env: Env, values: Values): void {
  if (isManager(env.identity)) return
  if ('group_ids' in values) throw new Refusal('forbidden', 'The field "group_ids" of res.users is for managers only.')
  if ('password_hash' in values)
    throw new Refusal('forbidden', 'The field "password" of res.users is for managers only.')
}

/** Every user has a contact, which carries their time zone and language. */
async function withContact(env: Env, values: Values): Promise<Values> {
  if (typeof values.partner_id === 'number') return values
  const rows = await env.db.query<Row>(
    sql`insert into res_partner (name, active) values (${String(values.name ?? '')}, ${values.active !== false}) returning id`,
  )
  return { ...values, partner_id: rows[0]?.id ?? null }
}
