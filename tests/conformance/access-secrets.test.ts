// What is protected (docs/reference/contract.md#resources, docs/reference/domain.md#masked-secrets): values for
// managers, exactly four asterisks for everybody else who may read the record, nothing for the webhook, and no way
// round by searching, sorting, linking, describing or failing.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sql } from '../../src/database/drizzle.ts'
import { writeAsService } from '../fixtures/post-call.ts'
import { insertRow } from '../support/rows.ts'
import { type Caller, eventually, TestApp } from '../support/test-app.ts'

const SECRETS = {
  voiceai_api_key: 'zz-voiceai-key-zz',
  voiceai_agent_token: 'zz-agent-token-zz',
  voiceai_post_call_webhook_id: 'zz-webhook-id-zz',
  voiceai_post_call_webhook_secret: 'zz-webhook-secret-zz',
  voiceai_post_call_webhook_previous_secret: 'zz-webhook-previous-zz',
  auth_token: 'zz-auth-token-zz',
  telco_api_secret: 'zz-telco-secret-zz',
}
const ENCRYPTED = Object.keys(SECRETS).filter((name) => name !== 'voiceai_post_call_webhook_id')
const TWINS = ['display_voiceai_api_key', 'display_auth_token', 'display_telco_api_secret']
const NAMES = Object.keys(SECRETS)
const MARK = /zz-[a-z-]+-zz/
const VIRTUAL_NUMBER = 'zz-virtual-number-zz'

let app: TestApp
let manager: Caller
let admin: Caller
let user: Caller
let webhook: Caller
let settingsId: number
let agentId: number

beforeAll(async () => {
  app = await TestApp.start()
  manager = await app.person(['base.group_erp_manager', 'connect.group_admin'])
  admin = await app.person(['connect.group_admin'])
  user = await app.person(['connect.group_user'])
  webhook = await app.webhookUser()
  const [settings] = await manager.ask<{ id: number }[]>('connect.settings', 'search_read', { fields: ['id'] })
  settingsId = settings?.id ?? 0
  await writeAsService(app, SECRETS)
  const voice = await insertRow(app.db, 'connect_voiceai_voice', { voice_id: 'v1', name: 'Eve' })
  agentId = await admin.ask('connect.voiceai_agent', 'create', { vals_list: { name: 'Eve', voice, prompt: 'Help.' } })
  await app.db.query(
    sql`update connect_voiceai_agent set voiceai_virtual_number_uid = ${VIRTUAL_NUMBER} where id = ${agentId}::bigint`,
  )
})
afterAll(() => app.stop())

async function readSettings(caller: Caller, fields?: string[]): Promise<Record<string, unknown>> {
  const [row] = await caller.ask<Record<string, unknown>[]>('connect.settings', 'read', { ids: [settingsId], fields })
  return row ?? {}
}

describe('reading', () => {
  it('gives a manager the values, and masks in the fields they are entered through', async () => {
    expect(await readSettings(manager, NAMES)).toEqual({ id: settingsId, ...SECRETS })
    const twins = Object.fromEntries(TWINS.map((name) => [name, '****']))
    expect(await readSettings(manager, TWINS)).toEqual({ id: settingsId, ...twins })
  })

  it('gives an administrator four asterisks whatever the length, asked by name or not', async () => {
    const masked = Object.fromEntries([...NAMES, ...TWINS].map((name) => [name, '****']))
    expect(await readSettings(admin, [...NAMES, ...TWINS])).toEqual({ id: settingsId, ...masked })
    expect(await readSettings(admin)).toMatchObject(masked)
  })

  it('gives an administrator null for what is not set', async () => {
    await manager.ask('connect.settings', 'write', { ids: [settingsId], vals: { telco_api_secret: null } })
    expect(await readSettings(admin, ['telco_api_secret', 'display_telco_api_secret'])).toEqual({
      id: settingsId,
      telco_api_secret: null,
      display_telco_api_secret: null,
    })
    const { telco_api_secret } = SECRETS
    await manager.ask('connect.settings', 'write', { ids: [settingsId], vals: { telco_api_secret } })
  })

  it('gives the webhook nothing, not even a mask', async () => {
    const read = { ids: [agentId], fields: ['name', 'voiceai_virtual_number_uid'] }
    const nothing = [{ id: agentId, name: 'Eve', voiceai_virtual_number_uid: null }]
    expect(await webhook.ask('connect.voiceai_agent', 'read', read)).toEqual(nothing)
    const masked = [{ id: agentId, name: 'Eve', voiceai_virtual_number_uid: '****' }]
    expect(await admin.ask('connect.voiceai_agent', 'read', read)).toEqual(masked)
    expect(await user.ask('connect.voiceai_agent', 'read', read)).toEqual(masked)
    const value = [{ id: agentId, name: 'Eve', voiceai_virtual_number_uid: VIRTUAL_NUMBER }]
    expect(await manager.ask('connect.voiceai_agent', 'read', read)).toEqual(value)
    expect((await webhook.call('connect.settings', 'read', { ids: [settingsId] })).status).toBe(403)
  })
})

describe('writing', () => {
  it.each([...NAMES, ...TWINS])('writing %s is refused to an administrator and changes nothing', async (name) => {
    const answer = await admin.call('connect.settings', 'write', { ids: [settingsId], vals: { [name]: 'mine' } })
    expect(answer.status).toBe(403)
    expect(answer.text).toContain(name)
    expect(await readSettings(manager, NAMES)).toEqual({ id: settingsId, ...SECRETS })
  })

  it('writing nothing but asterisks changes nothing, by anybody, in the field and in its twin', async () => {
    const vals = Object.fromEntries([...NAMES, ...TWINS].map((name) => [name, '*****']))
    expect(await manager.ask('connect.settings', 'write', { ids: [settingsId], vals })).toBe(true)
    expect(await admin.ask('connect.settings', 'write', { ids: [settingsId], vals })).toBe(true)
    expect(await readSettings(manager, NAMES)).toEqual({ id: settingsId, ...SECRETS })
  })

  it('writing through the twin stores the secret, trimmed', async () => {
    const vals = { display_auth_token: '  zz-other-token-zz ' }
    await manager.ask('connect.settings', 'write', { ids: [settingsId], vals })
    expect(await readSettings(manager, ['auth_token'])).toMatchObject({ auth_token: 'zz-other-token-zz' })
    expect((await app.app.platform.settings.get()).authToken).toBe('zz-other-token-zz')
    await manager.ask('connect.settings', 'write', { ids: [settingsId], vals: { auth_token: SECRETS.auth_token } })
  })
})

describe('guessing', () => {
  const agents = 'connect.voiceai_agent'
  it.each([
    ['a search', 'connect.settings', 'search', { domain: [['voiceai_api_key', 'like', 'zz']] }],
    ['a count', 'connect.settings', 'search_count', { domain: [['auth_token', '=', SECRETS.auth_token]] }],
    ['a test for emptiness', 'connect.settings', 'search', { domain: [['auth_token', '!=', false]] }],
    ['a negation', 'connect.settings', 'search', { domain: ['!', ['telco_api_secret', '=', 'x']] }],
    ['a comparison', 'connect.settings', 'search', { domain: [['voiceai_post_call_webhook_id', '>', 'a']] }],
    ['a search in a twin', 'connect.settings', 'search', { domain: [['display_auth_token', '=', '****']] }],
    ['an order', 'connect.settings', 'search_read', { order: 'voiceai_agent_token desc' }],
    ['a domain of name_search', agents, 'name_search', { domain: [['voiceai_virtual_number_uid', '=', 'x']] }],
    ['a path', 'connect.call', 'search', { domain: [['voiceai_agent.voiceai_virtual_number_uid', '=', 'x']] }],
    [
      'a longer path',
      'connect.channel',
      'search',
      { domain: [['call.voiceai_agent.voiceai_virtual_number_uid', '=', 'x']] },
    ],
    [
      'a path of many',
      agents,
      'search',
      { domain: [['transfer_to_agent.agent.voiceai_virtual_number_uid', '=', 'x']] },
    ],
  ])('guessing a secret by %s is refused to an administrator', async (_what, model, method, args) => {
    const answer = await admin.call(model, method, args)
    expect([403, 422]).toContain(answer.status)
    expect(answer.text).not.toMatch(MARK)
  })

  it('a manager needs no guessing, and what is encrypted is not searched by anybody', async () => {
    const domain = [['voiceai_post_call_webhook_id', '=', SECRETS.voiceai_post_call_webhook_id]]
    expect(await manager.ask('connect.settings', 'search', { domain })).toEqual([settingsId])
    for (const name of ENCRYPTED) {
      expect((await manager.call('connect.settings', 'search', { domain: [[name, '!=', 'x']] })).status).toBe(422)
      expect((await manager.call('connect.settings', 'search', { order: name })).status).toBe(422)
    }
  })

  it.each([
    ['res.users', 'password_hash'],
    ['res.users.apikeys', 'key_hash'],
    ['connect.recording', 'media_ref'],
  ])('guessing the internal %s.%s is refused to everybody, and it is never read', async (model, name) => {
    for (const args of [{ fields: [name] }, { domain: [[name, '!=', false]] }, { order: name }]) {
      expect((await app.admin.call(model, 'search_read', args)).status).toBe(403)
    }
    const rows = await app.admin.ask<object[]>(model, 'search_read')
    expect(rows.filter((row) => name in row)).toEqual([])
    expect(Object.keys(await app.admin.ask<object>(model, 'fields_get'))).not.toContain(name)
  })
})

describe('nothing else gives a secret away', () => {
  it('no answer of the API gives a secret away to an administrator', async () => {
    for (const { name: model, fields } of app.app.platform.models) {
      for (const asked of [undefined, Object.keys(fields)])
        expect((await admin.call(model, 'search_read', { fields: asked })).text).not.toMatch(MARK)
      for (const method of ['fields_get', 'name_search', 'search']) {
        expect((await admin.call(model, method)).text).not.toMatch(MARK)
      }
    }
  })

  it('the API document, the pages and the metrics give no secret away', async () => {
    const headers = { authorization: `bearer ${admin.key}` }
    for (const address of [
      '/api/openapi.json',
      '/api/docs',
      '/',
      '/setup',
      '/metrics',
      '/healthz',
      '/readyz',
      '/api/me',
    ]) {
      const answer = await app.request(address, { headers })
      expect(answer.status).toBe(200)
      expect(answer.text).not.toMatch(MARK)
    }
  })

  it('the refusal of a value gives no secret away', async () => {
    for (const vals of [{ auth_token: 'zz-refused-zz'.repeat(200) }, { voiceai_agent_token: '' }, { auth_token: 5 }]) {
      const answer = await manager.call('connect.settings', 'write', { ids: [settingsId], vals })
      expect(answer.status).toBe(422)
      expect(answer.text).not.toMatch(MARK)
    }
  })

  it('the delivery log gives no secret away, whatever was sent', async () => {
    const token = SECRETS.voiceai_agent_token
    for (const given of [token, `${token}x`]) {
      await app.tool('/connect_voiceai/get_current_date', {}, { 'x-voiceai-agent-token': given })
      await app.tool('/connect_voiceai_helpdesk/fetch_ticket', { ticket_id: 0 }, { 'x-voiceai-agent-token': given })
    }
    await app.post('/connect_voiceai/post_call', '{}', {
      'voiceai-signature': 't=1,v0=00',
      authorization: `Bearer ${token}`,
    })
    await eventually(async () => (await admin.ask<number>('connect.delivery', 'search_count')) >= 5)
    const fields = Object.keys(await admin.ask<object>('connect.delivery', 'fields_get'))
    const rows = await admin.ask<object[]>('connect.delivery', 'search_read', { fields })
    expect(JSON.stringify(rows)).not.toMatch(MARK)
    expect(JSON.stringify(rows)).toContain('"x-voiceai-agent-token":"****"')
  })

  it('the stored rows give no secret away: all of it is encrypted at rest', async () => {
    const tables = await app.db.query<{ name: string }>(
      sql`select table_name as name from information_schema.tables where table_schema = 'public'`,
    )
    expect(tables.length).toBeGreaterThan(40)
    const ids = new Set([SECRETS.voiceai_post_call_webhook_id, VIRTUAL_NUMBER])
    for (const { name } of tables) {
      const rows = await app.db.query(sql`select to_jsonb(t)::text as row from ${sql.identifier(name)} t`)
      const found = JSON.stringify(rows).match(new RegExp(MARK, 'g')) ?? []
      expect(found.filter((each) => !ids.has(each))).toEqual([])
    }
    const [row] = await app.db.query<{ stored: string }>(sql`select auth_token as stored from connect_settings`)
    expect(row?.stored).toMatch(/^v2:[A-Za-z0-9+/=]+$/)
  })
})
