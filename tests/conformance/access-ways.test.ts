// What somebody may not write directly they write by no other way either, and each way has the same budgets.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sql } from '../../src/database/drizzle.ts'
import { type Caller, TestApp } from '../support/test-app.ts'

const TOO_MANY = Array.from({ length: 1_001 }, (_each, at) => at + 1)
const ROWS = 'One call may touch at most 1000 records.'

type Who = 'admin' | 'user' | 'helpdesk' | 'nobody'

let app: TestApp
let callers: Record<Who, Caller>
let manager: Caller
let ids: Record<string, number>

beforeAll(async () => {
  app = await TestApp.start()
  manager = await app.person(['base.group_erp_manager', 'connect.group_admin'], { name: 'Max Manager' })
  callers = {
    admin: await app.person(['connect.group_admin', 'helpdesk.group_user']),
    user: await app.person(['connect.group_user']),
    helpdesk: await app.person(['helpdesk.group_user']),
    nobody: await app.person([]),
  }
  const make = (model: string, values: object) => app.admin.ask<number>(model, 'create', { vals_list: values })
  const [managers = 0] = await app.groupIds(['base.group_erp_manager'])
  const contact = await contactOf(manager.userId)
  const phone = await make('connect.user', { user: manager.userId, client_enabled: false, sip_enabled: false })
  ids = {
    ...{ manager: manager.userId, managers, contact, phone },
    team: await make('helpdesk.team', { name: 'Support', member_ids: [manager.userId] }),
    call: await make('connect.call', { caller: '+41315550142', called: '+41445550100', direction: 'incoming' }),
    flow: await make('connect.telco.callflow', { name: 'Menu' }),
    other: await make('res.partner', { name: 'Zoe' }),
  }
})
afterAll(() => app.stop())

async function contactOf(user: number): Promise<number> {
  const [row] = await app.db.query<{ partner_id: number }>(
    sql`select partner_id from res_users where id = ${user}::bigint`,
  )
  return row?.partner_id ?? 0
}

/** Who is let in, as what, and where calls and people are sent. */
async function doors(): Promise<unknown> {
  const users = sql`select id, login, password_hash, external_id, active, share, partner_id from res_users
    where login not like 'made-%' order by id`
  const managersOf = sql`select u.login from res_groups_users_rel r join res_users u on u.id = r.user_id where r.group_id = ${ids.managers}::bigint order by 1`
  const groups = sql`select r.group_id, r.user_id from res_groups_users_rel r join res_users u on u.id = r.user_id where u.login not like 'made-%' order by 1, 2`
  const settings = sql`select api_url, api_fallback_url, telco_verify_requests, require_second_factor, sso_issuer, sso_group_claim,
    barred_prefixes, calls_a_day, voiceai_post_call_webhook_id from connect_settings`
  const keys = sql`select "user_id", count(*)::int as count from res_users_apikeys group by 1 order by 1`
  const phones = sql`select id, "user" from connect_user order by id`
  return Promise.all([users, managersOf, groups, settings, keys, phones].map((query) => app.db.query(query)))
}

/** Values of a user that a manager alone writes, or nobody. */
const values = (): object[] => [
  { login: 'taken-over' },
  { password: 'ribbon lantern 42' },
  { group_ids: [[4, ids.managers]] },
  { group_ids: [[6, 0, []]] },
  { partner_id: ids.other },
  { share: true },
  { external_id: 'x.y' },
  { password_hash: 'x' },
  { is_manager: true },
  { api_key_ids: [[0, 0, { name: 'Mine' }]] },
]

/** The ways to write a user through a record that links to users. */
function nested(): [model: string, id: number, field: string][] {
  return [
    ['helpdesk.team', ids.team ?? 0, 'member_ids'],
    ['connect.call', ids.call ?? 0, 'called_users'],
    ['res.groups', ids.managers ?? 0, 'user_ids'],
  ]
}

/** Each call that would open a door by a way of its own. */
function ways(): [model: string, method: string, args: object][] {
  const user = ids.manager ?? 0
  const made = { login: `made-${Math.random()}`, name: 'Made' }
  const inside = nested().flatMap(([model, id, field]) =>
    values().flatMap((vals): [string, string, object][] => [
      [model, 'write', { ids: [id], vals: { [field]: [[1, user, vals]] } }],
      [model, 'write', { ids: [id], vals: { [field]: [[0, 0, { ...made, ...vals, group_ids: [ids.managers] }]] } }],
      [model, 'create', { vals_list: { name: 'x', [field]: [[0, 0, { ...made, ...vals, external_id: 'x.y' }]] } }],
    ]),
  )
  return [
    ...inside,
    ['res.groups', 'write', { ids: [ids.managers], vals: { user_ids: [[4, callers.user.userId]] } }],
    ['res.groups', 'write', { ids: [ids.managers], vals: { implied_ids: [[6, 0, []]] } }],
    ['res.groups', 'create', { vals_list: { name: 'Mine', implied_ids: [ids.managers] } }],
    ['res.users', 'write', { ids: [user], vals: { connect_user: [0, 0, { user: callers.user.userId }] } }],
    ['connect.telco.callflow', 'write', { ids: [ids.flow], vals: { ring_users: [[1, ids.phone, { user: 1 }]] } }],
    ['connect.call', 'write', { ids: [ids.call], vals: { called_pbx_users: [[1, ids.phone, { user: 1 }]] } }],
    ['connect.telco.outgoing_callerid', 'create', { vals_list: { callerid_users: [[1, ids.phone, { user: 1 }]] } }],
    ['res.partner', 'merge', { keep: ids.other, others: [ids.contact] }],
    ['res.partner', 'erase', { ids: [ids.contact], confirm: 'Max Manager' }],
    ['res.partner', 'unlink', { ids: [ids.contact] }],
    ['res.users', 'set_preferences', { ids: [user], name: 'Mine' }],
    ['res.users', 'invite', { name: 'Mine', login: 'mine@example.com', group_ids: [ids.managers] }],
    ['res.users', 'reset_link', { ids: [user] }],
    ['res.users', 'reset_second_factor', { ids: [user] }],
    ['res.users', 'revoke', { ids: [user] }],
    ['res.users', 'api_key_create', { ids: [user], name: 'Mine' }],
    ['res.users', 'api_keys_end', { ids: [user] }],
    ['res.users.apikeys', 'create', { vals_list: { user_id: user, name: 'Mine' } }],
    ['connect.settings', 'impact', { ids: [1], vals: { api_fallback_url: 'https://evil.example.com' } }],
    ['connect.settings', 'create', { vals_list: { api_fallback_url: 'https://evil.example.com' } }],
    ['connect.settings', 'unlink', { ids: [1] }],
    ['connect.settings', 'voiceai_ensure_post_call_secret', { ids: [1] }],
    ['connect.user', 'write', { ids: [ids.phone], vals: { user: callers.user.userId } }],
  ]
}

describe('ways round the lists of writers', () => {
  // A Connect administrator says whose a phone user is; no other of these.
  const MAY: Readonly<Record<string, readonly string[]>> = { admin: ['connect.user'] }

  it.each<Who>(['admin', 'user', 'helpdesk', 'nobody'])(
    'no way opens a door to %s that the direct one keeps shut',
    async (who) => {
      const before = await doors()
      for (const [model, method, args] of ways()) {
        if (MAY[who]?.includes(model) === true) continue
        const { status } = await callers[who].call(model, method, args)
        expect([model, method, args, status < 500]).toEqual([model, method, args, true])
        expect([model, method, args, await doors()]).toEqual([model, method, args, before])
      }
    },
    120_000,
  )

  it('values of a context count for nothing', async () => {
    const before = await doors()
    const context = { default_login: 'x', default_group_ids: [ids.managers], su: true, uid: manager.userId }
    for (const who of Object.values(callers)) {
      await who.call('res.users', 'write', { ids: [ids.manager], vals: { login: 'x' }, context })
      expect(await doors()).toEqual(before)
    }
  })
})

/** They read and write at Twilio, whatever records are named. */
const OF_NO_RECORD = ['search_available', 'purchase_papers', 'buy'].map((name) => `connect.telco.number/${name}`)

describe('budgets of every way', () => {
  it('every method of every model refuses more records than one call may touch', async () => {
    const passed: string[] = []
    const all = [...app.app.platform.models].flatMap(({ name: model, methods = {} }) =>
      Object.entries(methods).map(([name, { args }]) => ({ model, name, args })),
    )
    for (const { model, name, args } of all.filter((each) => !OF_NO_RECORD.includes(`${each.model}/${each.name}`))) {
      const given = fitting(args as Schema) as object
      const { status, text } = await manager.call(model, name, { ...given, ids: TOO_MANY })
      // Of some the page of one is all that there is.
      if (status !== 403 && !(status === 422 && text.includes(ROWS))) passed.push(`${model}/${name} ${status}`)
    }
    expect(passed).toEqual([])
  }, 120_000)

  it.each([
    ['unlink', {}],
    ['write', { vals: { name: 'x' } }],
    ['consequences', {}],
    ['message_post', { body: 'x' }],
  ])('%s refuses more records than one call may touch', async (method, args) => {
    const answer = await app.admin.call('res.partner', method, { ids: TOO_MANY, ...args })
    expect([answer.status, answer.text]).toEqual([422, expect.stringMatching(/at most 1000 records|on one record/)])
  })

  it('an import of as many rows as one call takes is refused by its bytes, and none of them is kept', async () => {
    const before = await app.count('res_partner')
    const vals_list = Array.from({ length: 1_000 }, (_each, at) => ({ name: `Row ${at}`, comment: 'x'.repeat(4_300) }))
    expect((await app.admin.call('res.partner', 'create', { vals_list })).status).toBe(413)
    expect(await app.count('res_partner')).toBe(before)
  })

  it('what one person keeps for themselves has a limit by every way', async () => {
    const { nobody } = callers
    const much = { notes: 'x'.repeat(5_000_000) }
    expect((await nobody.call('res.users', 'set_preferences', { preferences: much })).status).toBeGreaterThanOrEqual(
      400,
    )
    const view = { name: 'x', model: 'res.partner', query: much }
    expect((await nobody.call('connect.view', 'create', { vals_list: view })).status).toBeGreaterThanOrEqual(400)
  })
})

interface Schema {
  type?: string
  anyOf?: Schema[]
  const?: unknown
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  minItems?: number
}

/** Something that a method takes. */
function fitting({ type, anyOf, const: only, properties = {}, required = [], items, minItems = 0 }: Schema): unknown {
  if (only !== undefined) return only
  if (anyOf?.[0] !== undefined) return fitting(anyOf[0])
  if (type === 'integer' || type === 'number') return 1
  if (type === 'boolean') return true
  if (type === 'array') return Array.from({ length: minItems }, () => fitting(items ?? {}))
  if (type === 'object') return Object.fromEntries(required.map((name) => [name, fitting(properties[name] ?? {})]))
  return '2026-01-01'
}
