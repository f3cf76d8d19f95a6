import { sql } from '../../database/drizzle.ts'
import type { Env } from '../access/env.ts'
import { GROUP } from '../access/identity.ts'
import { boolean, char, computed, datetime, many2many, many2one, one2many } from '../model/fields.ts'
import { defineModel, type Row } from '../model/model.ts'
import { idList } from '../records/records.ts'
import { apiKeyCreate, apiKeysEnd } from './api-keys.ts'
import { prepareUser, requireRemovableGroups, requireRemovableUsers, requireSameGroup } from './user-rules.ts'

/** Who keeps users. What opens doors is written by managers only, whatever the field says (user-rules.ts). */
const KEEPERS = [GROUP.manager, GROUP.connectAdmin]

const GROUP_PAIRS = { table: 'res_groups_users_rel', here: 'user_id', there: 'group_id' }

export const userModel = defineModel({
  name: 'res.users',
  label: 'User',
  order: 'login',
  fields: {
    login: char('Login', { required: true, isUnique: true, maxLength: 200 }),
    name: char('Name', { required: true, maxLength: 200 }),
    active: boolean('Active', { default: true }),
    share: boolean('External user', { groups: KEEPERS }),
    partner_id: many2one('Contact', 'res.partner', { onDelete: 'restrict', groups: KEEPERS }),
    tz: computed('Time zone', 'char', {
      depends: ['partner_id'],
      isWritable: true,
      groups: KEEPERS,
      help: 'In which their times are meant and spoken, such as Europe/Zurich; the same as that of their contact. Empty: UTC.',
      compute: zonesOf,
    }),
    group_ids: many2many('Groups', 'res.groups', GROUP_PAIRS, { groups: KEEPERS }),
    password_hash: char('Password hash', { isProtected: true, readonly: true, isHeavy: true, groups: [] }),
    password: computed('Password', 'char', {
      depends: [],
      isWritable: true,
      groups: KEEPERS,
      help: 'Written only; reading it gives nothing.',
      compute: (_env, rows) => rows.map(() => null),
    }),
    external_id: char('External id', { readonly: true, isUnique: true, groups: KEEPERS }),
    api_key_ids: one2many('API keys', 'res.users.apikeys', 'user_id', { groups: KEEPERS }),
  },
  methods: { api_key_create: apiKeyCreate, api_keys_end: apiKeysEnd },
  prepare: prepareUser,
  async saved(env, { id, values }) {
    if ('tz' in values) await saveZone(env, id, values.tz)
    await env.db.notify('connect_identity', String(id))
    const isOut = 'active' in values && values.active !== true
    if (isOut || 'password_hash' in values) {
      await env.db.query(sql`delete from res_users_session where user_id = ${id}::bigint`)
    }
    if (typeof values.password_hash === 'string') await noteSetUp(env)
  },
  async removing(env, ids) {
    await requireRemovableUsers(env, ids)
    for (const id of ids) await env.db.notify('connect_identity', String(id))
  },
})

/** The zone of each user's contact. */
async function zonesOf(env: Env, rows: readonly Row[]): Promise<(string | null)[]> {
  const ids = rows.map((row) => row.partner_id).filter((id) => typeof id === 'number')
  if (ids.length === 0) return rows.map(() => null)
  const found = await env.db.query<{ id: number; tz: string | null }>(
    sql`select id, tz from res_partner where id in (${idList(ids)})`,
  )
  const zones = new Map(found.map(({ id, tz }) => [id, tz]))
  return rows.map((row) => zones.get(Number(row.partner_id)) || null)
}

/** `prepareUser` has checked the zone. */
async function saveZone(env: Env, userId: number, zone: unknown): Promise<void> {
  await env.db.query(
    sql`update res_partner set tz = ${zone === '' ? null : zone}
        where id = (select partner_id from res_users where id = ${userId}::bigint)`,
  )
}

/** For good: also when the only person with a password loses it. The command line makes another one. */
async function noteSetUp(env: Env): Promise<void> {
  await env.db.query(sql`update connect_settings set was_set_up = true where was_set_up is not true`)
}

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
      { groups: KEEPERS, readonly: true },
    ),
  },
  prepare: requireSameGroup,
  async saved(env) {
    await env.db.notify('connect_identity', '*')
  },
  async removing(env, ids) {
    await requireRemovableGroups(env, ids)
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
