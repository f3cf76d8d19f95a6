import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { AUTH_TOKEN, PUBLIC_URL } from '../../support/telco.ts'
import { eventually } from '../../support/test-app.ts'
import { empty, only, refusal, SyncOffice } from './sync-office.ts'

const HTTP = 'Invalid api url! Please use HTTPS instead of HTTP to ensure a secure connection!'
const LOCAL = 'Invalid api url! Localhost is not allowed! Please use a valid and secure domain!'
const PRIVATE = 'Invalid api url! 10.1.2.3 is a private address that no provider can reach! Please use a public domain!'

/** The account itself. */
const ACCOUNT = /^\.json$/

let office: SyncOffice

beforeAll(async () => {
  office = await SyncOffice.start()
})
afterAll(() => office.stop())
beforeEach(() => office.line.reset())

describe('a SYNC is refused', () => {
  test.each([
    ['without an account', { account_sid: null }, '"account_sid" is not set: enter it in the settings first.'],
    ['without an Auth Token', { auth_token: null }, '"auth_token" is not set: enter it in the settings first.'],
    ['with a plain address', { api_url: 'http://pbx.example.com' }, HTTP],
    ['with an address of this machine', { api_url: 'https://localhost:8080' }, LOCAL],
    ['with a plain address of this machine', { api_url: 'http://127.0.0.1:8080' }, LOCAL],
    ['without an address', { api_url: null }, LOCAL],
    ['with an address of a private network', { api_url: 'https://10.1.2.3' }, PRIVATE],
  ])('%s, and nothing is begun', async (_what, values, sentence) => {
    await office.setUp(values)
    for (const [model, button] of [
      ['connect.settings', 'telco_sync'],
      ['connect.settings', 'telco_check'],
      ['connect.telco.number', 'sync'],
    ] as const) {
      expect(await office.app.admin.call(model, button)).toMatchObject({ status: 422, body: { message: sentence } })
    }
    expect(await office.app.count('connect_sync_run')).toBe(0)
    expect(office.line.asked).toEqual([])
  })

  test('while another one is under way', async () => {
    await office.setUp()
    const release = Promise.withResolvers<void>()
    office.line.plan('GET', ACCOUNT, { held: release.promise })
    const first = await office.app.admin.ask<{ run_id: number }>('connect.settings', 'telco_sync')
    for (const [model, button] of [
      ['connect.settings', 'telco_sync'],
      ['connect.telco.domain', 'sync'],
    ] as const) {
      const second = await office.app.admin.call(model, button)
      expect(second).toMatchObject({ status: 409, body: { message: expect.stringContaining('already running') } })
    }
    release.resolve()
    expect((await office.ended(first.run_id)).state).toBe('done')
  })
})

test('credentials that may not read the account itself are told apart by what they may do', async () => {
  await office.setUp()
  office.line.plan('GET', ACCOUNT, { status: 404, body: { code: 20404, message: 'not found', status: 404 } })
  expect(await office.run()).toMatchObject({ state: 'done', errors: [] })
})

describe('credentials that are wrong', () => {
  test('stop the run before anything was changed, and say what to check', async () => {
    await office.setUp({ auth_token: 'wrong-token-that-is-secret' })
    const [before, asked] = [await office.app.count('connect_telco_number'), office.line.changes().length]
    office.telco.addNumber({ phoneNumber: '+14155550101' })
    const run = await office.run()
    expect(run).toMatchObject({
      state: 'failed',
      step: 'connection',
      summary: 'Stopped at "connection", before anything was changed. Run it again.',
      errors: [
        {
          step: 'connection',
          message:
            'Twilio refused the credentials (error 20003): check the Account SID and the Auth Token in the settings.',
        },
      ],
    })
    expect(JSON.stringify(run)).not.toContain('wrong-token')
    expect(await office.app.count('connect_telco_number')).toBe(before)
    expect(office.line.changes()).toHaveLength(asked)
    await office.settings({ auth_token: AUTH_TOKEN })
  })

  test('credentials that stop working half-way are asked about once in a list, and every record of it is named', async () => {
    await office.setUp()
    for (const name of ['One', 'Two', 'Three']) await office.create('connect.telco.markup', { name })
    await office.settle()
    empty(office.telco.account.applications)
    office.line.reset()
    office.line.plan('POST', /^\/Applications/, refusal(401, 20003, 'Authenticate'), 100)
    const run = await office.run('connect.telco.markup', 'sync')
    expect(run.state).toBe('failed')
    expect(run.errors).toHaveLength(6)
    expect(office.line.changes()).toHaveLength(1)
  })

  test('the credentials of an account that is suspended stop the run too', async () => {
    office.line.plan('GET', ACCOUNT, {
      status: 200,
      body: { sid: 'AC', status: 'suspended', date_created: null, date_updated: null },
    })
    expect((await office.run()).errors).toMatchObject([{ message: 'The account at Twilio is suspended.' }])
  })
})

describe('a SYNC that fails half-way', () => {
  test('names what is not in sync, does the rest, and can be run again', async () => {
    await office.setUp()
    office.telco.addNumber({ phoneNumber: '+14155550102' })
    office.line.plan('POST', /^\/IncomingPhoneNumbers\//, refusal(400, 21402, 'VoiceUrl is not a valid URL'))
    const run = await office.run()
    expect(run.state).toBe('failed')
    expect(run.errors).toEqual([
      {
        step: 'numbers',
        model: 'connect.telco.number',
        id: expect.any(Number),
        name: expect.stringMatching(/^\+1415/),
        message: 'Twilio refused: VoiceUrl is not a valid URL (error 21402)',
      },
    ])
    expect(run.summary).toContain(`Not in sync: ${run.errors[0]?.name}`)
    expect(run.counts.numbers).toMatchObject({ updated: 1, failed: 1 })
    const stored = await office.one('connect.telco.number', [['id', '=', run.errors[0]?.id]])
    expect(stored.sync_error).toBe(run.errors[0]?.message)

    const again = await office.run()
    expect(again).toMatchObject({ state: 'done', errors: [] })
    expect((await office.one('connect.telco.number', [['id', '=', stored.id]])).sync_error).toBeNull()
  })

  test('because a whole list cannot be read goes on with the next one', async () => {
    office.line.plan('GET', /^\/SIP\/Domains\.json$/, refusal(403, 20403, 'SIP is not enabled for this account'))
    const run = await office.run()
    expect(run.errors).toEqual([
      { step: 'SIP domains', message: 'Twilio refused: SIP is not enabled for this account (error 20403)' },
    ])
    expect(run.counts.numbers).toMatchObject({ total: 2 })
  })

  test('leaves a provider alone that does not answer, and tries again by itself later', async () => {
    empty(office.telco.account.applications)
    office.line.plan('POST', /^\/Applications/, { status: 503 }, 100)
    const run = await office.run('connect.telco.markup', 'sync')
    expect(run.errors).toHaveLength(6)
    expect(office.line.changes()).toHaveLength(3)
    const { rows } = await office.app.db.transaction((tx) =>
      tx.execute(
        `select data from jobs.job where name = 'telco-push' and state = 'created' and start_after > now()`,
        [],
      ),
    )
    expect(rows).toHaveLength(6)
    office.line.reset()
    expect((await office.run('connect.telco.markup', 'sync')).state).toBe('done')
  })
})

describe('an answer that was lost', () => {
  test('makes no second application, domain, credential list or credential', async () => {
    const { account } = office.telco
    empty(account.applications)
    await office.domain()
    await office.phone('alice')
    office.line.plan('POST', /^\/Applications\.json$/, { isLost: true })
    office.line.plan('POST', /^\/SIP\/Domains\.json$/, { isLost: true })
    office.line.plan('POST', /^\/SIP\/CredentialLists\.json$/, { isLost: true })
    office.line.plan('POST', /Credentials\.json$/, { isLost: true })
    const first = await office.run()
    expect(first.errors.map(({ name }) => name)).toEqual(['Acme'])
    const second = await office.run()
    expect(second.state).toBe('done')
    expect(account.applications.list()).toHaveLength(6)
    for (const store of [
      account.domains,
      account.credentialLists,
      account.callMappings,
      account.registrationMappings,
    ]) {
      only(store.list())
    }
    expect(only(account.credentials.list())).toMatchObject({ username: 'alice' })
    expect((await office.one('connect.user', [])).password).toBe('****')
  })
})

test('an address that is taken back from the settings ends a run that is under way, and says so', async () => {
  await office.setUp()
  const release = Promise.withResolvers<void>()
  office.line.plan('GET', /^\/Applications\.json$/, { held: release.promise })
  const { run_id: id } = await office.app.admin.ask<{ run_id: number }>('connect.settings', 'telco_sync')
  await eventually(async () => office.line.asked.some(({ path }) => path === '/Applications.json'))
  await office.settings({ api_url: null })
  release.resolve()
  const run = await office.ended(id)
  expect(run.state).toBe('failed')
  expect(run.errors.at(-1)).toMatchObject({ step: 'WhatsApp templates', message: LOCAL })
  await office.settings({ api_url: PUBLIC_URL })
})
