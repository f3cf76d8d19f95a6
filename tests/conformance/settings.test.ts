// The settings (docs/reference/domain.md#settings): one record, held in memory, the same in every process after a
// change, addresses built from api_url.

import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type App, createApp } from '../../src/app/create-app.ts'
import { openSettings } from '../../src/app/settings.ts'
import type { Queryable } from '../../src/database/database.ts'
import { sql } from '../../src/database/drizzle.ts'
import { openServer } from '../../src/database/server/server.ts'
import { createLog } from '../../src/log.ts'
import { TEST_CIPHER } from '../support/database.ts'
import { type Caller, eventually, TestApp } from '../support/test-app.ts'

let app: TestApp
let admin: Caller
let settingsId: number

beforeAll(async () => {
  app = await TestApp.start()
  admin = app.admin
  const [row] = await admin.ask<{ id: number }[]>('connect.settings', 'search_read', { fields: ['id'] })
  settingsId = row?.id ?? 0
})
afterAll(() => app.stop())

function write(vals: object): Promise<boolean> {
  return admin.ask('connect.settings', 'write', { ids: [settingsId], vals })
}

async function read(...fields: string[]): Promise<Record<string, unknown>> {
  const [row] = await admin.ask<Record<string, unknown>[]>('connect.settings', 'read', { ids: [settingsId], fields })
  return row ?? {}
}

describe('on a new installation', () => {
  it('the settings of a new installation are one record with the defaults of the documents', async () => {
    expect(await admin.ask('connect.settings', 'search_count')).toBe(1)
    const [row] = await admin.ask<object[]>('connect.settings', 'search_read')
    expect(row).toMatchObject({
      name: 'General Settings',
      display_name: 'General Settings',
      api_url: 'https://pbx.example.com',
      debug_mode: false,
      number_search_operation: '=',
      proxy_recordings: true,
      call_duration_limit: 7200,
      barred_prefixes: expect.stringContaining('+881'),
      calls_a_day: 2000,
      messages_a_day: 5000,
      transcript_calls: false,
      transcript_provider: 'core',
      register_summary: true,
      voiceai_enabled: false,
      telco_region: 'us1',
      telco_edge: 'ashburn',
      telco_auto_sync: true,
      telco_verify_requests: true,
      fetch_call_prices: false,
      instance_uid: expect.stringMatching(/^[0-9a-f-]{36}$/),
      voiceai_agent_token: expect.stringMatching(
        /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
      ),
    })
  })

  it('send the agent token where a manager says, and not where another administrator does', async () => {
    const other = await app.person(['connect.group_admin'])
    const vals = { api_url: 'https://elsewhere.example.com' }
    expect(await other.call('connect.settings', 'write', { ids: [settingsId], vals })).toMatchObject({
      status: 403,
      text: expect.stringContaining('may be written by managers only'),
    })
    expect(await read('api_url')).toEqual({ id: settingsId, api_url: 'https://pbx.example.com' })
    const harmless = { ids: [settingsId], vals: { debug_mode: false } }
    expect((await other.call('connect.settings', 'write', harmless)).status).toBe(200)
  })

  it('the settings stay that one record for ever', async () => {
    expect((await admin.call('connect.settings', 'create', { vals_list: {} })).status).toBe(409)
    expect((await admin.call('connect.settings', 'unlink', { ids: [settingsId] })).status).toBe(403)
    expect(await app.count('connect_settings')).toBe(1)
  })
})

describe('values', () => {
  it.each([
    ['https://h.example.com', 'https://h.example.com/connect_voiceai/post_call'],
    ['https://h.example.com/', 'https://h.example.com/connect_voiceai/post_call'],
    ['https://h.example.com/base', 'https://h.example.com/base/connect_voiceai/post_call'],
    [' https://h.example.com/base/ ', 'https://h.example.com/base/connect_voiceai/post_call'],
    ['', null],
  ])('settings with the API URL %j give the address %j', async (apiUrl, expected) => {
    await write({ api_url: apiUrl })
    expect(await read('voiceai_post_call_webhook_url')).toMatchObject({ voiceai_post_call_webhook_url: expected })
    const initiation = expected?.replace('post_call', 'conversation_initiation') ?? null
    const name = 'voiceai_conversation_initiation_webhook_url'
    expect(await read(name)).toMatchObject({ [name]: initiation })
    await write({ api_url: 'https://pbx.example.com' })
  })

  it('settings take a fallback address that was pasted with blanks', async () => {
    await write({ api_fallback_url: ' https://spare.example.com ' })
    expect(await read('api_fallback_url')).toMatchObject({ api_fallback_url: 'https://spare.example.com' })
    await write({ api_fallback_url: null })
  })

  it('a region brings its edge, unless another is chosen with it', async () => {
    for (const [vals, edge] of [
      [{ telco_region: 'ie1' }, 'dublin'],
      [{ telco_region: 'au1' }, 'sydney'],
      [{ telco_region: 'us1', telco_edge: 'frankfurt' }, 'frankfurt'],
      [{ telco_region: 'us1' }, 'frankfurt'],
    ] as const) {
      await write(vals)
      expect(await read('telco_edge')).toMatchObject({ telco_edge: edge })
    }
  })

  it('settings with values that cannot be are refused by name', async () => {
    for (const [name, value] of [
      ['call_duration_limit', 0],
      ['delivery_keep_days', 0],
      ['number_search_operation', '>'],
      ['telco_edge', 'moon'],
      ['summary_prompt', ''],
      ['voiceai_agent_token', null],
      ['country_id', 2_000_000_000],
    ]) {
      const answer = await admin.call('connect.settings', 'write', {
        ids: [settingsId],
        vals: { [String(name)]: value },
      })
      expect(answer.status).toBe(422)
      expect(answer.text).toContain(String(name))
    }
    for (const name of ['instance_uid', 'telco_balance', 'name']) {
      const answer = await admin.call('connect.settings', 'write', { ids: [settingsId], vals: { [name]: 'x' } })
      expect([answer.status, answer.text]).toEqual([422, expect.stringContaining(name)])
    }
  })
})

describe('in memory', () => {
  let other: App
  let closeOther = async (): Promise<void> => {}

  // Another process: on a server with connections of its own; the embedded database has one process, so there it is
  // another service on the same database.
  beforeAll(async () => {
    const db = app.databaseUrl === undefined ? app.db : await openServer(app.databaseUrl, 3)
    other = createApp({ config: { ...app.config, worker: false }, db, cipher: TEST_CIPHER, log: createLog('silent') })
    await other.start()
    closeOther = async () => {
      await other.stop()
      if (db !== app.db) await db.close()
    }
  })
  afterAll(() => closeOther())
  beforeEach(() => write({ api_url: 'https://pbx.example.com', account_sid: null }))

  /** Settings that nobody notifies, and how often they were read; a reading is held until what `hold` gives is over. */
  function countingReads(hold: (read: number) => Promise<void> | undefined = () => undefined) {
    let reads = 0
    const run: Queryable['run'] = async (statement, params) => {
      reads += 1
      await hold(reads)
      return app.db.run(statement, params)
    }
    return { settings: openSettings({ ...app.db, run }, TEST_CIPHER), reads: () => reads }
  }

  it('the settings are read once, however many ask', async () => {
    const { settings, reads } = countingReads()
    const [first] = await Promise.all(Array.from({ length: 20 }, () => settings.get()))
    await app.db.query(sql`update connect_settings set account_sid = 'AC-behind'`)
    const all = await Promise.all(Array.from({ length: 20 }, () => settings.get()))
    expect(all.every((each) => each === first)).toBe(true)
    expect([settings.known === first, reads()]).toEqual([true, 1])
    settings.forget()
    expect((await settings.get()).accountSid).toBe('AC-behind')
    expect(reads()).toBe(2)
  })

  it.each(['answers', 'fails'])('stay when a reading that began before the change %s after it', async (outcome) => {
    const late = Promise.withResolvers<void>()
    const { settings, reads } = countingReads((read) => (read === 1 ? late.promise : undefined))
    const old = settings.get()
    settings.forget()
    const now = await settings.get()
    if (outcome === 'fails') late.reject(new Error('the connection was closed'))
    else late.resolve()
    await old.catch(() => undefined)
    expect(await settings.get()).toBe(now)
    expect([settings.known === now, reads()]).toEqual([true, 2])
  })

  it('changed settings are known here with the answer to the change, and soon in every other process', async () => {
    await other.platform.settings.get()
    for (const value of ['AC1', 'AC2', 'AC3']) {
      await write({ account_sid: value })
      expect((await app.app.platform.settings.get()).accountSid).toBe(value)
      await eventually(async () => (await other.platform.settings.get()).accountSid === value)
    }
  })

  it('the settings in memory do not change when the change is rolled back', async () => {
    const vals = { account_sid: 'AC-lost', call_duration_limit: 0 }
    expect((await admin.call('connect.settings', 'write', { ids: [settingsId], vals })).status).toBe(422)
    expect((await app.app.platform.settings.get()).accountSid).toBeUndefined()
  })

  it('decide who is let in: a changed agent token counts at once here and soon elsewhere', async () => {
    const url = await other.http.listen({ host: '127.0.0.1', port: 0 })
    const status = async (base: string, token: string) => {
      const headers = { 'x-voiceai-agent-token': token, 'content-type': 'application/json' }
      const address = `${base}/connect_voiceai/get_current_date`
      return (await fetch(address, { method: 'POST', headers, body: '{}' })).status
    }
    expect([await status(app.url, app.token), await status(url, app.token)]).toEqual([200, 200])
    await write({ voiceai_agent_token: 'a new token' })
    expect([await status(app.url, app.token), await status(app.url, 'a new token')]).toEqual([401, 200])
    await eventually(async () => (await status(url, app.token)) === 401)
    expect(await status(url, 'a new token')).toBe(200)
    // Blanks that were pasted with it never arrive in a header.
    await write({ voiceai_agent_token: ' pasted token\n' })
    expect(await status(app.url, 'pasted token')).toBe(200)
  })

  it('tell other processes of people and keys too', async () => {
    const person = await app.person(['connect.group_user'])
    expect((await other.identities.byKey(person.key))?.userId).toBe(person.userId)
    await admin.ask('res.users', 'write', { ids: [person.userId], vals: { active: false } })
    await eventually(async () => (await other.identities.byKey(person.key)) === undefined)
  })
})
