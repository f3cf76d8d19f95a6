import { afterAll, beforeAll, expect, test } from 'vitest'
import { only, type Row, type Run, refusal, SyncOffice } from './sync-office.ts'

const HOST = 'acme.sip.twilio.com'
const DOMAIN = `SD${'1'.repeat(32)}`
const OTHER_DOMAIN = `SD${'2'.repeat(32)}`
const LIST = `CL${'1'.repeat(32)}`
const CREDENTIALS = { alice: `CR${'1'.repeat(32)}`, carol: `CR${'2'.repeat(32)}`, ghost: `CR${'3'.repeat(32)}` }
const OLD_URL = 'https://old.example.com/'

let office: SyncOffice
let run: Run
let domain: Row
let alice: number
let bob: number
let carol: number

beforeAll(async () => {
  office = await SyncOffice.start()
  await office.setUp()
  const { account } = office.telco
  const date = { account_sid: account.sid, date_created: null, date_updated: null }
  account.domains.add({
    ...date,
    sid: DOMAIN,
    domain_name: HOST,
    friendly_name: 'Old',
    voice_url: OLD_URL,
    sip_registration: false,
  })
  account.domains.add({
    ...date,
    sid: OTHER_DOMAIN,
    domain_name: 'other.sip.twilio.com',
    friendly_name: 'Other',
    voice_url: OLD_URL,
  })
  account.credentialLists.add({ ...date, sid: LIST, friendly_name: 'Phones of old' })
  account.callMappings.add({
    ...date,
    sid: `${DOMAIN}:${LIST}`,
    list_sid: LIST,
    domain_sid: DOMAIN,
    friendly_name: '',
  })
  for (const [sid, username] of [
    [CREDENTIALS.alice, 'alice'],
    [CREDENTIALS.carol, 'carol'],
    [CREDENTIALS.ghost, 'ghost'],
  ] as const) {
    account.credentials.add({ ...date, sid, username, credential_list_sid: LIST })
  }
  await office.domain()
  alice = await office.phone('alice')
  bob = await office.phone('bob')
  carol = await office.phone('carol', { password: null })
  run = await office.run('connect.telco.domain', 'sync')
  domain = await office.one('connect.telco.domain', [])
})
afterAll(() => office.stop())

test('a SIP domain that the account has already is adopted, with its list of credentials', () => {
  const { account } = office.telco
  expect(run).toMatchObject({ state: 'done', counts: { 'SIP domains': { total: 1, adopted: 1 } } })
  expect(domain).toMatchObject({
    sid: DOMAIN,
    cred_list_sid: LIST,
    sync_error: null,
  })
  expect(account.domains.find(DOMAIN)).toMatchObject({
    friendly_name: 'Acme',
    voice_url: 'https://pbx.example.com/telco/webhook/domain#e=ashburn',
    sip_registration: true,
  })
  expect(only(account.credentialLists.list())).toMatchObject({ sid: LIST })
  expect(only(account.registrationMappings.list())).toMatchObject({
    domain_sid: DOMAIN,
    list_sid: LIST,
  })
})

test('a SIP domain that only the provider has is ignored', async () => {
  expect(office.telco.account.domains.find(OTHER_DOMAIN)).toMatchObject({ voice_url: OLD_URL })
  expect(await office.app.count('connect_telco_domain')).toBe(1)
})

test('credentials are taken over both ways', async () => {
  const read = (id: number) => office.one('connect.user', [['id', '=', id]])
  expect(await read(alice)).toMatchObject({ sid: CREDENTIALS.alice, password: '****' })
  expect(await read(carol)).toMatchObject({ sid: CREDENTIALS.carol, password: null })
  const made = await read(bob)
  expect(office.telco.account.credentials.find(String(made.sid))).toMatchObject({
    username: 'bob',
    credential_list_sid: LIST,
  })
  const passwords = office.line
    .changes(/Credentials/)
    .map(({ path, body }) => [path.split('/').at(-1), new URLSearchParams(body).get('Password')])
  expect(passwords.sort()).toEqual([
    [`${CREDENTIALS.alice}.json`, 'Abcdefgh1234'],
    ['Credentials.json', 'Abcdefgh1234'],
  ])
})

test('a phone that may register and belongs to nobody here is named', () => {
  expect(run.differences).toMatchObject([{ what: 'connect.user', name: 'ghost' }])
})

test('a phone whose password nobody knows any more is named, and asks for a new one', async () => {
  office.telco.account.credentials.remove(CREDENTIALS.alice)
  const again = await office.run()
  const message = 'Twilio has no credential for this SIP phone, and Connect does not know its password. Set a new one.'
  expect(again.errors).toMatchObject([
    { model: 'connect.user', id: alice, name: expect.stringContaining('alice'), message },
  ])
  expect(await office.one('connect.user', [['id', '=', alice]])).toMatchObject({ sync_error: message })
  await office.write('connect.user', alice, { password: 'Bcdefghi2345' })
  expect((await office.run()).state).toBe('done')
  expect(await office.one('connect.user', [['id', '=', alice]])).toMatchObject({ password: '****', sync_error: null })
})

test('a name that somebody else has taken is an error of that domain alone', async () => {
  const taken = await office.domain({ subdomain: 'taken', friendly_name: 'Taken' })
  office.line.plan('POST', /^\/SIP\/Domains\.json$/, refusal(400, 21232, 'Domain name already exists'))
  const again = await office.run()
  expect(again.errors).toMatchObject([
    { model: 'connect.telco.domain', id: taken, message: expect.stringContaining('already exists') },
  ])
  expect(again.counts['SIP domains']).toMatchObject({ unchanged: 1, failed: 1 })
})

test('an application of ours that the account has already is adopted', async () => {
  const id = await office.create('connect.telco.markup', { name: 'Menu' })
  await office.settle()
  const before = office.telco.account.applications.list().length
  const { sid } = await office.one('connect.telco.markup', [['id', '=', id]])
  await office.app.db.transaction((tx) => tx.execute('update connect_telco_markup set sid = null where id = $1', [id]))
  const again = await office.run('connect.telco.markup', 'sync')
  expect(again.counts.applications).toMatchObject({ adopted: 1 })
  expect(await office.one('connect.telco.markup', [['id', '=', id]])).toMatchObject({ sid })
  expect(office.telco.account.applications.list()).toHaveLength(before)
})

test('a number and a sender that were entered by hand are joined with those of the account', async () => {
  const number = await office.create('connect.telco.number', {
    phone_number: '+1 415 555-0101',
    friendly_name: 'Front desk',
  })
  const sender = await office.create('connect.whatsapp_sender', { number: '+14155550101' })
  const callerId = await office.create('connect.telco.outgoing_callerid', {
    number: '+14155550901',
    friendly_name: 'Branch',
  })
  office.telco.addNumber({ phoneNumber: '+14155550101', friendlyName: 'Bought in May' })
  office.telco.addWhatsAppSender('+14155550101')
  office.telco.account.callerIds.add({ sid: 'PN9', friendly_name: 'Old branch', phone_number: '+14155550901' })
  await office.run()
  const [bought] = office.telco.account.numbers.list()
  expect(await office.one('connect.telco.number', [])).toMatchObject({
    id: number,
    sid: bought?.sid,
    friendly_name: 'Front desk',
  })
  expect(bought).toMatchObject({ friendly_name: 'Front desk' })
  expect(await office.one('connect.whatsapp_sender', [])).toMatchObject({ id: sender, status: 'ONLINE' })
  const joined = await office.one('connect.telco.outgoing_callerid', [['id', '=', callerId]])
  expect(joined).toMatchObject({ sid: 'PN9', status: 'validated', friendly_name: 'Branch' })
  expect(office.telco.account.callerIds.find('PN9')).toMatchObject({ friendly_name: 'Branch' })
})
