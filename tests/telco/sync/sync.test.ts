import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { only, type Run, SyncOffice } from './sync-office.ts'

const HOOKS = 'https://pbx.example.com/telco/webhook'
const MARKUP = '#e=ashburn'
const STATUS = '#e=ashburn&rc=2&rp=ct,rt,5xx'
const NUMBERS = ['+14155550101', '+14155550102']
const EXTERNAL = '+14155550900'

let office: SyncOffice
let run: Run
let alice: number
let domain: number

beforeAll(async () => {
  office = await SyncOffice.start()
  await office.setUp({ api_fallback_url: 'https://spare.example.com/base/' })
  const { account } = office.telco
  for (const number of NUMBERS) office.telco.addNumber({ phoneNumber: number, friendlyName: `Line ${number.at(-1)}` })
  office.telco.addWhatsAppSender(NUMBERS[0] ?? '')
  account.callerIds.add({
    sid: `PN${'e'.repeat(32)}`,
    account_sid: account.sid,
    friendly_name: 'Head office',
    phone_number: EXTERNAL,
    date_created: null,
    date_updated: null,
    uri: null,
  })
  account.contents.add(aContent('welcome', { 'twilio/text': { body: 'Hello {{1}}' } }, 'approved'))
  await office.create('connect.telco.markup', { name: 'Opening hours' })
  domain = await office.domain()
  alice = await office.phone('alice')
  // New applications are pushed at once, whatever the settings say.
  await office.settle()
  run = await office.run()
})
afterAll(() => office.stop())

function aContent(name: string, types: object, status: string) {
  const date = '2026-01-01T00:00:00Z'
  return {
    sid: `HX${Buffer.from(name).toString('hex').padEnd(32, '0').slice(0, 32)}`,
    friendly_name: name,
    language: 'en',
    variables: { 1: 'Zoe' },
    types,
    date_created: date,
    date_updated: date,
    approval: { name, category: 'MARKETING', status, rejection_reason: '', allow_category_change: true },
  }
}

describe('a SYNC of an account that was never synchronised', () => {
  test('ends with everything in sync, and nothing the provider would have objected to', () => {
    expect(run).toMatchObject({ state: 'done', errors: [], summary: 'Everything is in sync.' })
    office.telco.problems.check()
  })

  test('goes through the lists in their order', () => {
    const steps = ['applications', 'SIP domains', 'numbers', 'caller IDs', 'WhatsApp senders', 'WhatsApp templates']
    expect(Object.keys(run.counts).sort()).toEqual(['connection', ...steps].sort())
    const families = office.line.changes().map(({ path }) => path.split('/')[1])
    const order = ['Applications.json', 'SIP', 'IncomingPhoneNumbers', 'v2']
    expect(families.map((family) => order.indexOf(family ?? ''))).toEqual(
      families.map((family) => order.indexOf(family ?? '')).sort(),
    )
  })

  test('makes every application, with its own address', async () => {
    const stored = await office.list('connect.telco.markup')
    expect(run.counts.applications).toEqual({ total: 4, created: 3, unchanged: 1 })
    for (const { id, name, sid, sync_error } of stored) {
      expect(sync_error).toBeNull()
      expect(office.telco.account.applications.find(String(sid))).toMatchObject({
        friendly_name: name,
        voice_url: `${HOOKS}/markup/${id}${MARKUP}`,
        voice_method: 'POST',
        voice_fallback_url: `https://spare.example.com/base/telco/webhook/markup/${id}${MARKUP}`,
        status_callback: `${HOOKS}/callstatus${STATUS}`,
        status_callback_method: 'POST',
      })
    }
  })

  test('makes the SIP domain, whose list of credentials may call and register', async () => {
    const stored = await office.one('connect.telco.domain', [['id', '=', domain]])
    const there = only(office.telco.account.domains.list())
    expect(there).toMatchObject({
      sid: stored.sid,
      domain_name: 'acme.sip.twilio.com',
      friendly_name: 'Acme',
      voice_url: `${HOOKS}/domain${MARKUP}`,
      voice_fallback_url: `https://spare.example.com/base/telco/webhook/domain${MARKUP}`,
      voice_status_callback_url: `${HOOKS}/callstatus${STATUS}`,
      sip_registration: true,
    })
    const { callMappings, registrationMappings } = office.telco.account
    for (const mapping of [only(callMappings.list()), only(registrationMappings.list())]) {
      expect(mapping).toMatchObject({ domain_sid: there.sid, list_sid: stored.cred_list_sid })
    }
  })

  test('lets the SIP phone sign in, and keeps no password', async () => {
    const stored = await office.one('connect.user', [['id', '=', alice]])
    const credential = only(office.telco.account.credentials.list())
    expect(credential).toMatchObject({ sid: stored.sid, username: 'alice' })
    const [asked] = office.line.changes(/Credentials\.json$/)
    expect(new URLSearchParams(asked?.body).get('Password')).toBe('Abcdefgh1234')
    expect(stored.password).toBe('****')
    expect(run.counts['SIP domains']).toEqual({ total: 1, created: 1, phones: 1, 'phones created': 1 })
  })

  test('a SYNC of an account that was never synchronised has the numbers here, each leading to this service', async () => {
    const stored = await office.list('connect.telco.number')
    expect(stored.map(({ phone_number, friendly_name }) => [phone_number, friendly_name]).sort()).toEqual([
      [NUMBERS[0], 'Line 1'],
      [NUMBERS[1], 'Line 2'],
    ])
    for (const { sid } of stored) {
      expect(office.telco.account.numbers.find(String(sid))).toMatchObject({
        voice_url: `${HOOKS}/number${MARKUP}`,
        voice_method: 'POST',
        voice_fallback_url: `https://spare.example.com/base/telco/webhook/number${MARKUP}`,
        status_callback: `${HOOKS}/callstatus${STATUS}`,
        sms_url: `${HOOKS}/message${MARKUP}`,
        sms_fallback_url: `${HOOKS}/message${MARKUP}`,
        voice_application_sid: null,
      })
    }
    expect(run.counts.numbers).toEqual({ total: 2, created: 2, updated: 2 })
  })

  test('a SYNC of an account that was never synchronised has the numbers that may be shown here: verified ones first, then our own', async () => {
    const stored = await office.list('connect.telco.outgoing_callerid')
    expect(
      stored.map(({ number, callerid_type, status, is_default }) => [
        number,
        callerid_type,
        status,
        is_default === true,
      ]),
    ).toEqual([
      [EXTERNAL, 'outgoing_callerid', 'validated', true],
      [NUMBERS[1], 'number', 'validated', false],
      [NUMBERS[0], 'number', 'validated', false],
    ])
  })

  test('a SYNC of an account that was never synchronised has the WhatsApp sender here, leading to this service', async () => {
    const stored = await office.one('connect.whatsapp_sender', [])
    const application = await office.one('connect.telco.markup', [['name', '=', 'SIP Domain Calls']])
    expect(stored).toMatchObject({
      number: NUMBERS[0],
      status: 'ONLINE',
      profile_name: 'Acme',
      profile_about: 'We mend heaters.',
      profile_vertical: 'Professional Services',
      profile_address: '1 Main Street, San Francisco',
      profile_description: null,
      profile_logo_url: 'https://example.com/logo.png',
      profile_banner_url: null,
      profile_privacy_url: 'https://example.com/privacy',
      profile_terms_url: null,
      profile_accent_color: '#0a7d33',
      profile_websites: 'Website: https://example.com',
      profile_emails: 'Email: office@example.com',
      profile_phone_numbers: 'Phone: +14155550100',
      messaging_limit: '1K Customers/24hr',
      quality_rating: 'HIGH',
      voice_application: [application.id, 'SIP Domain Calls'],
    })
    expect(office.telco.account.senders.find(String(stored.sid))).toMatchObject({
      webhook: {
        callback_url: `${HOOKS}/message${MARKUP}`,
        callback_method: 'POST',
        status_callback_url: `${HOOKS}/message_status${STATUS}`,
        status_callback_method: 'POST',
      },
      configuration: { waba_id: '1234567890', voice_application_sid: application.sid },
    })
  })

  test('a SYNC of an account that was never synchronised has the WhatsApp template here, with its state', async () => {
    const stored = await office.one('connect.message_content_template', [['friendly_name', '=', 'welcome']])
    expect(stored).toMatchObject({
      content_type: 'text',
      body: 'Hello {{1}}',
      variables: { 1: 'Zoe' },
      category: 'MARKETING',
      status: 'approved',
      approval_fetch_url: `https://content.twilio.com/v1/Content/${stored.sid}/ApprovalRequests`,
      approval_create_url: `https://content.twilio.com/v1/Content/${stored.sid}/ApprovalRequests/whatsapp`,
      date_created: '2026-01-01 00:00:00',
    })
    const own = await office.one('connect.message_content_template', [['friendly_name', '=', 'voice_call_request']])
    expect(own).toMatchObject({ status: 'unsubmitted', sid: null })
  })

  test('tells nobody a secret', () => {
    expect(JSON.stringify(run)).not.toContain('Abcdefgh1234')
  })
})

describe('a second SYNC', () => {
  test('changes nothing, here or there', async () => {
    office.line.reset()
    const tables = ['connect_telco_markup', 'connect_telco_number', 'connect_telco_outgoing_callerid', 'connect_user']
    const before = await Promise.all(tables.map((table) => office.app.count(table)))
    const again = await office.run()
    expect(again).toMatchObject({ state: 'done', errors: [], differences: [] })
    expect(office.line.changes()).toEqual([])
    expect(await Promise.all(tables.map((table) => office.app.count(table)))).toEqual(before)
    expect(again.counts).toMatchObject({
      applications: { unchanged: 4 },
      'SIP domains': { unchanged: 1, 'phones unchanged': 1 },
      numbers: { unchanged: 2 },
      'caller IDs': { unchanged: 3 },
      'WhatsApp senders': { unchanged: 1 },
    })
  })

  test('undoes what somebody changed at the provider', async () => {
    const { account } = office.telco
    const [number] = account.numbers.list()
    const sender = only(account.senders.list())
    if (number !== undefined)
      account.numbers.change(number, { voice_url: 'https://demo.example.com/', voice_application_sid: null })
    account.senders.change(sender, { webhook: { callback_url: 'https://demo.example.com/' } })
    const again = await office.run()
    expect(again.counts).toMatchObject({ numbers: { updated: 1, unchanged: 1 }, 'WhatsApp senders': { updated: 1 } })
    expect(account.numbers.find(number?.sid ?? '')).toMatchObject({ voice_url: `${HOOKS}/number${MARKUP}` })
  })

  test('takes an application away that answered in place of this service', async () => {
    const { account } = office.telco
    const [number] = account.numbers.list()
    const [application] = account.applications.list()
    if (number !== undefined) account.numbers.change(number, { voice_application_sid: application?.sid })
    expect((await office.run('connect.telco.number', 'sync')).counts.numbers).toMatchObject({ updated: 1 })
    expect(account.numbers.find(number?.sid ?? '')).toMatchObject({ voice_application_sid: null })
  })
})

describe('one list', () => {
  test.each([
    ['connect.telco.markup', 'applications'],
    ['connect.telco.domain', 'SIP domains'],
    ['connect.telco.number', 'numbers'],
    ['connect.telco.outgoing_callerid', 'caller IDs'],
    ['connect.whatsapp_sender', 'WhatsApp senders'],
    ['connect.message_content_template', 'WhatsApp templates'],
  ])('one list of %s is synchronised by itself', async (model, step) => {
    const alone = await office.run(model, 'sync')
    expect(alone.state).toBe('done')
    expect(Object.keys(alone.counts).sort()).toEqual(['connection', step].sort())
  })

  test('only administrators synchronise one list', async () => {
    const user = await office.app.person(['connect.group_user'])
    expect((await user.call('connect.telco.number', 'sync')).status).toBe(403)
    expect((await user.call('connect.settings', 'telco_sync')).status).toBe(403)
  })
})

test('lists of many pages are read whole', async () => {
  for (let at = 0; at < 130; at += 1) office.telco.addNumber({ phoneNumber: `+1415666${String(at).padStart(4, '0')}` })
  const many = await office.run('connect.telco.number', 'sync')
  expect(many.counts.numbers).toMatchObject({ total: 132, created: 130 })
  expect(await office.app.count('connect_telco_number')).toBe(132)
  const { contents } = office.telco.account
  for (let at = 0; at < 130; at += 1)
    contents.add(aContent(`many${at}_`, { 'twilio/text': { body: 'Hi' } }, 'approved'))
  const templates = await office.run('connect.message_content_template', 'sync')
  expect(templates.counts['WhatsApp templates']).toEqual({ total: 131, created: 130, updated: 1 })
})
