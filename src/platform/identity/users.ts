import { LOGIN, ONE_LINE } from '../../names.ts'
import type { Env } from '../access/env.ts'
import { GROUP } from '../access/identity.ts'
import { boolean, char, computed, integer, json, many2many, many2one, one2many } from '../model/fields.ts'
import { defineModel, type Model, type Row } from '../model/model.ts'
import { zoneCheck } from '../model/zone-check.ts'
import { markSetUp } from '../settings/set-up.ts'
import { agentCalls } from './agent-calls.ts'
import { apiKeyCreate, apiKeysEnd } from './api-keys.ts'
import { COLLEAGUE_FACTS } from './colleagues.ts'
import { setPreferences } from './preferences.ts'
import { resetSecondFactor } from './second-factor/reset-second-factor.ts'
import type { UserContacts } from './service-users.ts'
import { prepareUser, requireRemovableGroups, requireRemovableUsers, requireSameGroup } from './user-rules.ts'
import { endWaysIn } from './ways-in.ts'

/** Who keeps users. What opens doors is written by managers only, whatever the field says (user-rules.ts). */
const USER_ADMINS = [GROUP.manager, GROUP.connectAdmin]

const GROUP_PAIRS = { table: 'res_groups_users_rel', here: 'user_id', there: 'group_id' }

const signInAge = integer('New passwords and archivings', {
  readonly: true,
  isHeavy: true,
  groups: [],
  help: 'A first step of a sign-in counts for the number of its moment only.',
})

export function userModelWith(contacts: UserContacts): Model {
  return defineModel({
    name: 'res.users',
    label: 'User',
    order: 'login',
    fields: {
      login: char('Login', { required: true, isUnique: true, taken: 'login-taken', maxLength: 200, pattern: LOGIN }),
      name: char('Name', { required: true, maxLength: 200, isIndexed: 'folded', pattern: ONE_LINE }),
      active: boolean('Active', { default: true }),
      share: boolean('External user', { groups: USER_ADMINS }),
      partner_id: many2one('Contact', 'res.partner', { onDelete: 'restrict', groups: USER_ADMINS }),
      tz: computed('Time zone', 'char', {
        depends: ['partner_id'],
        isWritable: true,
        groups: USER_ADMINS,
        help: "Used for their times. Leave empty for the company's.",
        compute: (env, rows) => zonesOf(env, rows, contacts),
      }),
      group_ids: many2many('Groups', 'res.groups', GROUP_PAIRS, { groups: USER_ADMINS }),
      password_hash: char('Password hash', { isProtected: true, readonly: true, isHeavy: true, groups: [] }),
      password: computed('Password', 'char', {
        depends: [],
        isWritable: true,
        isCostly: true,
        groups: USER_ADMINS,
        help: 'At least 12 characters, not a common password.',
        compute: (_env, rows) => rows.map(() => null),
      }),
      sign_in_age: signInAge,
      preferences: json('Preferences of the page', { readonly: true, isHeavy: true, groups: [] }),
      external_id: char('External id', { readonly: true, isUnique: true, groups: USER_ADMINS }),
      api_key_ids: one2many('API keys', 'res.users.apikeys', 'user_id', { groups: USER_ADMINS }),
      ...COLLEAGUE_FACTS,
    },
    methods: {
      api_key_create: apiKeyCreate,
      api_keys_end: apiKeysEnd,
      set_preferences: setPreferences,
      reset_second_factor: resetSecondFactor,
    },
    checks: [zoneCheck('res.users', 'tz')],
    async prepare(env, given, current) {
      const values = await prepareUser(env, given, current)
      // Every user has a contact, which carries their time zone and language.
      if (current !== undefined || typeof values.partner_id === 'number') return values
      const contact = { name: String(values.name ?? ''), isActive: values.active !== false }
      return { ...values, partner_id: await contacts.create(env.db, contact) }
    },
    async saved(env, { id, values }) {
      if ('tz' in values) await contacts.saveZone(env, id, values.tz === '' ? null : values.tz)
      await env.db.notify('connect_identity', String(id))
      const isOut = 'active' in values && values.active !== true
      if (isOut || 'password_hash' in values) await endWaysIn(env, id)
      if (typeof values.password_hash === 'string') await markSetUp(env.db)
    },
    async removing(env, ids) {
      await requireRemovableUsers(env, ids)
      for (const id of ids) await env.db.notify('connect_identity', String(id))
    },
  })
}

/** The zone of each user's contact. */
async function zonesOf({ db }: Env, rows: readonly Row[], contacts: UserContacts): Promise<(string | null)[]> {
  const ids = rows.map((row) => row.partner_id).filter((id) => typeof id === 'number')
  if (ids.length === 0) return rows.map(() => null)
  const zones = await contacts.zonesOf(db, ids)
  return rows.map((row) => zones.get(Number(row.partner_id)) || null)
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
      { groups: USER_ADMINS, readonly: true },
    ),
  },
  methods: { agent_calls: agentCalls },
  prepare: requireSameGroup,
  async saved(env) {
    await env.db.notify('connect_identity', '*')
  },
  async removing(env, ids) {
    await requireRemovableGroups(env, ids)
    await env.db.notify('connect_identity', '*')
  },
})
