import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { insertRow } from '../../support/rows.ts'
import { ACCOUNT_SID, AUTH_TOKEN, PUBLIC_URL } from '../../support/telco.ts'
import { empty, only, refusal, SyncOffice } from './sync-office.ts'

const NUMBER = '+14155550101'

let office: SyncOffice

beforeAll(async () => {
  office = await SyncOffice.start()
  office.telco.addNumber({ phoneNumber: NUMBER })
  office.telco.addWhatsAppSender(NUMBER)
  office.telco.account.callerIds.add({ sid: 'PN9', friendly_name: 'Branch', phone_number: '+14155550901' })
})
afterAll(() => office.stop())
beforeEach(async () => {
  await office.settle()
  office.line.reset()
})

test('nothing is pushed before there is an account, nor when its credentials are entered', async () => {
  await office.create('connect.telco.markup', { name: 'Early' })
  await office.domain()
  await office.settings({ api_url: PUBLIC_URL })
  await office.settings({ account_sid: ACCOUNT_SID, auth_token: AUTH_TOKEN, telco_auto_sync: true })
  await office.settle()
  expect(office.line.asked).toEqual([])
  expect((await office.run()).state).toBe('done')
})

describe('a number', () => {
  test('a number is pushed whenever it is saved', async () => {
    const stored = await office.one('connect.telco.number', [])
    const there = only(office.telco.account.numbers.list())
    office.telco.account.numbers.change(there, { voice_url: 'https://demo.example.com/' })
    await office.write('connect.telco.number', stored.id, { friendly_name: 'Front desk' })
    await office.settle()
    expect(only(office.telco.account.numbers.list())).toMatchObject({
      friendly_name: 'Front desk',
      voice_url: `${PUBLIC_URL}/telco/webhook/number#e=ashburn`,
    })
  })

  test('a number is not pushed while it is ignored, or while changes are not pushed', async () => {
    const { id } = await office.one('connect.telco.number', [])
    await office.write('connect.telco.number', id, { is_ignored: true, friendly_name: 'Other' })
    await office.settings({ telco_auto_sync: false })
    await office.write('connect.telco.number', id, { is_ignored: false, friendly_name: 'Third' })
    await office.settings({ telco_auto_sync: true })
    await office.settle()
    expect(office.line.asked).toEqual([])
  })

  test('a number that the account does not have says so', async () => {
    const id = await office.create('connect.telco.number', { phone_number: '+14155558888' })
    await office.settle()
    expect(await office.one('connect.telco.number', [['id', '=', id]])).toMatchObject({
      sync_error: 'The account at Twilio does not have this number.',
    })
    await office.unlink('connect.telco.number', id)
    expect(only(office.telco.account.numbers.list())).toMatchObject({ phone_number: NUMBER })
  })

  test('a number that the provider refuses keeps the reason until it is in sync', async () => {
    const { id } = await office.one('connect.telco.number', [])
    office.line.plan('POST', /^\/IncomingPhoneNumbers/, refusal(400, 21402, 'VoiceUrl is not valid'))
    await office.write('connect.telco.number', id, { friendly_name: 'Fourth' })
    await office.settle()
    expect(await office.one('connect.telco.number', [])).toMatchObject({
      sync_error: 'Twilio refused: VoiceUrl is not valid (error 21402)',
    })
    await office.write('connect.telco.number', id, { friendly_name: 'Fifth' })
    await office.settle()
    expect(await office.one('connect.telco.number', [])).toMatchObject({ sync_error: null })
  })
})

describe('an application', () => {
  test('an application is made whatever the settings say, renamed and removed when changes are pushed', async () => {
    await office.settings({ telco_auto_sync: false })
    const id = await office.create('connect.telco.markup', { name: 'Menu' })
    await office.settle()
    const { sid } = await office.one('connect.telco.markup', [['id', '=', id]])
    const there = () => office.telco.account.applications.find(String(sid))
    expect(there()).toMatchObject({ friendly_name: 'Menu' })
    await office.write('connect.telco.markup', id, { name: 'Evening menu' })
    await office.settle()
    expect(there()).toMatchObject({ friendly_name: 'Menu' })
    await office.settings({ telco_auto_sync: true })
    await office.write('connect.telco.markup', id, { name: 'Night menu' })
    await office.settle()
    expect(there()).toMatchObject({ friendly_name: 'Night menu' })
    await office.unlink('connect.telco.markup', id)
    await office.settle()
    expect(there()).toBeUndefined()
  })

  test('an application whose text changes is nothing the provider knows', async () => {
    const [{ id } = { id: 0 }] = await office.list('connect.telco.markup', [['name', '=', 'Reject']])
    await office.write('connect.telco.markup', id, { markup: '<Response><Reject reason="busy"/></Response>' })
    await office.settle()
    expect(office.line.asked).toEqual([])
  })
})

describe('a SIP domain and its phones', () => {
  test('a SIP domain and its phones are created, updated and deleted', async () => {
    const { account } = office.telco
    const id = await office.domain({ subdomain: 'branch', friendly_name: 'Branch' })
    await office.settle()
    const stored = await office.one('connect.telco.domain', [['id', '=', id]])
    expect(account.domains.find(String(stored.sid))).toMatchObject({ domain_name: 'branch.sip.twilio.com' })
    await office.write('connect.telco.domain', id, { friendly_name: 'Branch office' })
    const user = await office.phone('dora', { domain: id })
    await office.settle()
    expect(account.domains.find(String(stored.sid))).toMatchObject({ friendly_name: 'Branch office' })
    expect(only(account.credentials.list())).toMatchObject({
      username: 'dora',
      credential_list_sid: stored.cred_list_sid,
    })
    expect(await office.one('connect.user', [['id', '=', user]])).toMatchObject({ password: '****' })
    await office.write('connect.telco.domain', id, { delete_protection: false })
    await office.unlink('connect.telco.domain', id)
    await office.settle()
    expect(account.domains.find(String(stored.sid))).toBeUndefined()
    expect(account.credentialLists.find(String(stored.cred_list_sid))).toBeUndefined()
    expect(account.credentials.list()).toEqual([])
  })

  test('a SIP domain and its phones are changed when another application is to steer the calls', async () => {
    const { id } = await office.one('connect.telco.domain', [])
    const application = await office.create('connect.telco.markup', { name: 'Dial plan' })
    await office.write('connect.telco.domain', id, { application })
    await office.settle()
    expect(only(office.telco.account.domains.list())).toMatchObject({
      voice_url: `${PUBLIC_URL}/telco/webhook/markup/${application}#e=ashburn`,
    })
    await office.write('connect.telco.markup', application, {
      code_type: 'model_method',
      model: 'connect.telco.domain',
      method: 'route_call',
    })
    await office.settle()
    expect(only(office.telco.account.domains.list())).toMatchObject({
      voice_url: `${PUBLIC_URL}/telco/webhook/domain#e=ashburn`,
    })
  })
})

describe('the credential of a SIP phone', () => {
  const credentials = () => office.telco.account.credentials.list()
  const read = (id: number) => office.one('connect.user', [['id', '=', id]])

  test('follows its password, and goes when the phone is switched off or the user is removed', async () => {
    const id = await office.phone('erin')
    await office.settle()
    const { sid } = only(credentials())
    await office.write('connect.user', id, { password: 'Bcdefghi2345' })
    await office.settle()
    expect(only(credentials()).sid).toBe(sid)
    const passwords = office.line.changes(/Credentials/).map(({ body }) => new URLSearchParams(body).get('Password'))
    expect(passwords).toEqual(['Abcdefgh1234', 'Bcdefghi2345'])

    await office.write('connect.user', id, { sip_enabled: false })
    await office.settle()
    expect(credentials()).toEqual([])
    expect(await read(id)).toMatchObject({ sid: null, password: null })

    await office.write('connect.user', id, { sip_enabled: true, password: 'Cdefghij3456' })
    await office.settle()
    expect(only(credentials())).toMatchObject({ username: 'erin' })
    await office.write('connect.user', id, { active: false })
    await office.settle()
    expect(credentials()).toEqual([])
    await office.write('connect.user', id, { active: true, password: 'Defghijk4567' })
    await office.settle()
    await office.unlink('connect.user', id)
    await office.settle()
    expect(credentials()).toEqual([])
  })

  test('the credential of a SIP phone is removed with the login of its user, whose extension then leads nowhere', async () => {
    const id = await office.phone('gone')
    await office.settle()
    expect(only(credentials())).toMatchObject({ username: 'gone' })
    const exten = await office.app.admin.ask<number>('connect.telco.exten', 'create', {
      vals_list: { number: '777', dst: `connect.user,${id}` },
    })
    const { user } = await read(id)
    await office.unlink('res.users', (user as [number, string])[0])
    await office.settle()
    expect(credentials()).toEqual([])
    expect(await office.one('connect.telco.exten', [['id', '=', exten]])).toMatchObject({ dst: null, model: null })
  })

  test('the credential of a SIP phone is imported when it exists already', async () => {
    const { cred_list_sid: list } = await office.one('connect.telco.domain', [])
    office.telco.account.credentials.add({ sid: 'CR9', username: 'frank', credential_list_sid: list })
    const id = await office.phone('frank')
    await office.settle()
    expect(await read(id)).toMatchObject({ sid: 'CR9', password: '****' })
    await office.unlink('connect.user', id)
  })

  test('the credential of a SIP phone is made once, however many changes there are', async () => {
    const id = await office.phone('gail')
    await Promise.all(
      ['Efghijkl5678', 'Fghijklm6789', 'Ghijklmn7890'].map((password) =>
        office.write('connect.user', id, { password }),
      ),
    )
    await office.settle()
    expect(only(credentials())).toMatchObject({ username: 'gail' })
    expect(await read(id)).toMatchObject({ password: '****', sid: only(credentials()).sid })
    await office.unlink('connect.user', id)
  })

  test('a mask that comes back from a form changes nothing', async () => {
    const id = await office.phone('hugo')
    await office.settle()
    office.line.reset()
    await office.write('connect.user', id, { password: '****' })
    await office.settle()
    expect(office.line.asked).toEqual([])
    await office.unlink('connect.user', id)
  })

  test('the credential of a SIP phone is not made for somebody without a SIP phone', async () => {
    await office.phone('iris', { sip_enabled: false, password: null })
    await office.settle()
    expect(office.line.asked).toEqual([])
  })
})

describe('a caller ID', () => {
  const model = 'connect.telco.outgoing_callerid'

  test('a caller ID of somebody else is renamed and removed at the provider', async () => {
    const { id } = await office.one(model, [['callerid_type', '=', 'outgoing_callerid']])
    await office.write(model, id, { friendly_name: 'Branch office' })
    await office.settle()
    expect(office.telco.account.callerIds.find('PN9')).toMatchObject({ friendly_name: 'Branch office' })
    await office.unlink(model, id)
    await office.settle()
    expect(office.telco.account.callerIds.list()).toEqual([])
  })

  test('a caller ID of our own is not removed here while changes are pushed', async () => {
    const { id } = await office.one(model, [['callerid_type', '=', 'number']])
    expect(await office.app.admin.call(model, 'unlink', { ids: [id] })).toMatchObject({ status: 422 })
    await office.write(model, id, { friendly_name: 'Mine' })
    await office.settle()
    expect(office.line.asked).toEqual([])
  })
})

describe('a WhatsApp sender', () => {
  test('a WhatsApp sender that the account does not have says so', async () => {
    const values = { number: '+14155558877', sid: 'XE00000000000000000000000000008877', status: 'ONLINE' }
    const id = await insertRow(office.app.db, 'connect_whatsapp_sender', values)
    const application = await office.create('connect.telco.markup', { name: 'Calls of nobody' })
    await office.write('connect.whatsapp_sender', id, { voice_application: application })
    await office.settle()
    expect(await office.one('connect.whatsapp_sender', [['id', '=', id]])).toMatchObject({
      sync_error: 'The account at Twilio does not have this sender.',
    })
    await office.unlink('connect.whatsapp_sender', id)
    await office.unlink('connect.telco.markup', application)
    await office.settle()
  })

  test('follows its application, unless it is to be left alone', async () => {
    const { id } = await office.one('connect.whatsapp_sender', [])
    const application = await office.create('connect.telco.markup', { name: 'WhatsApp calls' })
    await office.settle()
    await office.write('connect.whatsapp_sender', id, { voice_application: application })
    await office.settle()
    const { sid } = await office.one('connect.telco.markup', [['id', '=', application]])
    expect(only(office.telco.account.senders.list())).toMatchObject({ configuration: { voice_application_sid: sid } })
    office.line.reset()
    await office.write('connect.whatsapp_sender', id, { no_sync: true })
    await office.write('connect.whatsapp_sender', id, { voice_application: null })
    await office.settle()
    expect(office.line.asked).toEqual([])
    await office.write('connect.whatsapp_sender', id, { no_sync: false, voice_application: application })
  })

  test('a WhatsApp sender is told the new id of an application that was made anew', async () => {
    empty(office.telco.account.applications)
    const application = await office.one('connect.telco.markup', [['name', '=', 'WhatsApp calls']])
    await office.write('connect.telco.markup', application.id, { name: 'Calls' })
    await office.settle()
    const { sid } = await office.one('connect.telco.markup', [['id', '=', application.id]])
    expect(sid).not.toBe(application.sid)
    expect(only(office.telco.account.senders.list())).toMatchObject({ configuration: { voice_application_sid: sid } })
  })
})

test('what cannot be removed at the provider is removed here all the same', async () => {
  const id = await office.create('connect.telco.markup', { name: 'Stubborn' })
  await office.settle()
  office.line.plan('DELETE', /^\/Applications/, refusal(400, 20001, 'It is in use'))
  await office.unlink('connect.telco.markup', id)
  await office.settle()
  expect(office.line.changes().map(({ method }) => method)).toEqual(['POST', 'DELETE'])
  expect(await office.list('connect.telco.markup', [['id', '=', id]])).toEqual([])
})

test('another edge or public address is pushed everywhere, and can be seen as a run', async () => {
  await office.settings({ telco_edge: 'umatilla' })
  await office.settle()
  const [run] = await office.app.admin.ask<{ state: string }[]>('connect.sync_run', 'search_read', { limit: 1 })
  expect(run).toMatchObject({ area: 'telco', kind: 'sync', state: 'done' })
  expect(only(office.telco.account.numbers.list())).toMatchObject({
    voice_url: `${PUBLIC_URL}/telco/webhook/number#e=umatilla`,
    status_callback: `${PUBLIC_URL}/telco/webhook/callstatus#e=umatilla&rc=2&rp=ct,rt,5xx`,
  })
  await office.settings({ telco_region: 'ie1' })
  await office.settle()
  expect(only(office.telco.account.domains.list())).toMatchObject({ voice_url: expect.stringMatching(/#e=dublin$/) })
  await office.settings({ telco_region: 'us1', api_url: 'https://new.example.com' })
  await office.settle()
  expect(only(office.telco.account.senders.list())).toMatchObject({
    webhook: { callback_url: 'https://new.example.com/telco/webhook/message#e=ashburn' },
  })
})
