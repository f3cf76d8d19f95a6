import type { Twilio } from 'twilio'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { startTelcoEmulator, type TelcoEmulator } from '../../emulators/telco/start.ts'
import { refusalOf, sdkFor } from './telco-sdk.ts'

let telco: TelcoEmulator
let client: Twilio

beforeAll(async () => {
  telco = await startTelcoEmulator({
    numbers: [{ phoneNumber: '+14155550199', friendlyName: 'Main' }, { phoneNumber: '+14155550198' }],
    whatsAppNumbers: ['+14155550199'],
    apiKeys: { SK00000000000000000000000000000001: 'secret' },
  })
  client = sdkFor(telco)
})
afterAll(() => telco.stop())
afterEach(() => telco.problems.check())

test('wrong credentials are refused with 20003; an API key may do everything but look at the account', async () => {
  expect(await refusalOf(sdkFor(telco, 'wrong').balance.fetch())).toMatchObject({ status: 401, code: 20003 })
  expect(
    await refusalOf(sdkFor(telco, 'wrong').messaging.v2.channelsSenders.list({ channel: 'whatsapp' })),
  ).toMatchObject({ status: 401 })
  const account = await client.api.v2010.accounts(telco.account.sid).fetch()
  expect(account).toMatchObject({ sid: telco.account.sid, status: 'active' })
  const { default: twilio } = await import('twilio')
  const byKey = twilio('SK00000000000000000000000000000001', 'secret', { accountSid: telco.account.sid })
  byKey.api.baseUrl = telco.url
  expect((await byKey.balance.fetch()).currency).toBe('USD')
  expect(await refusalOf(byKey.api.v2010.accounts(telco.account.sid).fetch())).toMatchObject({ code: 20003 })
})

test('the balance', async () => {
  expect(await client.balance.fetch()).toMatchObject({
    accountSid: telco.account.sid,
    balance: '12.30',
    currency: 'USD',
  })
})

test('numbers are listed, filtered and changed; dates are dates', async () => {
  expect(await client.incomingPhoneNumbers.list()).toHaveLength(2)
  const [number] = await client.incomingPhoneNumbers.list({ phoneNumber: '+14155550199' })
  expect(number).toMatchObject({ friendlyName: 'Main', capabilities: { voice: true, sms: true } })
  expect(number?.dateCreated).toBeInstanceOf(Date)
  const sid = number?.sid ?? ''
  const changed = await client.incomingPhoneNumbers(sid).update({
    voiceUrl: 'https://pbx.example.com/telco/webhook/number#e=ashburn',
    voiceMethod: 'POST',
    statusCallback: 'https://pbx.example.com/telco/webhook/callstatus#e=ashburn',
    smsUrl: 'https://pbx.example.com/telco/webhook/message#e=ashburn',
    voiceApplicationSid: '',
    voiceCallerIdLookup: false,
  })
  expect(changed).toMatchObject({
    voiceUrl: 'https://pbx.example.com/telco/webhook/number#e=ashburn',
    voiceCallerIdLookup: false,
  })
  expect((await client.incomingPhoneNumbers(sid).fetch()).smsUrl).toContain('/message')
  expect(await refusalOf(client.incomingPhoneNumbers(sid).update({ voiceUrl: 'ftp://x' }))).toMatchObject({
    status: 400,
  })
  expect(
    await refusalOf(client.incomingPhoneNumbers(sid).update({ voiceUrl: 'https://a_b.example.com/' })),
  ).toMatchObject({ status: 400 })
  expect(
    await refusalOf(client.incomingPhoneNumbers(sid).update({ voiceApplicationSid: `AP${'0'.repeat(32)}` })),
  ).toMatchObject({
    status: 404,
  })
  expect(await refusalOf(client.incomingPhoneNumbers('PN0').fetch())).toMatchObject({ status: 404, code: 20404 })
})

test('numbers for sale are searched and bought; what the provider refuses is refused', async () => {
  const inArea = await client.availablePhoneNumbers('US').local.list({ areaCode: 415, voiceEnabled: true })
  expect(inArea[0]).toMatchObject({ phoneNumber: '+14155551000', addressRequirements: 'none', isoCountry: 'US' })
  expect(await client.availablePhoneNumbers('US').local.list({ contains: '+1212555100%' })).toHaveLength(10)
  expect(await client.availablePhoneNumbers('CH').local.list({ inLocality: 'zurich', smsEnabled: true })).toEqual([])
  expect(await refusalOf(client.availablePhoneNumbers('AT').local.list())).toMatchObject({ status: 404 })
  expect(await refusalOf(client.availablePhoneNumbers('US').local.list({ contains: '+1 (415)' }))).toMatchObject({
    status: 400,
  })
  const { phoneNumberPrices: prices, priceUnit } = await client.pricing.v1.phoneNumbers.countries('US').fetch()
  // As the provider sends it: a text, whatever the type says.
  expect(prices.find(({ numberType }) => numberType === 'local')?.currentPrice).toBe('1.15')
  expect(priceUnit).toBe('USD')
  const buy = (values: object) => client.incomingPhoneNumbers.create(values)
  const bought = await buy({ phoneNumber: '+14155551000', voiceUrl: 'https://pbx.example.com/n' })
  expect(bought).toMatchObject({ phoneNumber: '+14155551000', voiceUrl: 'https://pbx.example.com/n' })
  expect(await refusalOf(buy({ phoneNumber: '+14155551000' }))).toMatchObject({ status: 400, code: 21422 })
  expect(await refusalOf(buy({ phoneNumber: 'none' }))).toMatchObject({ code: 21421 })
  expect(await refusalOf(buy({ phoneNumber: '+41435551000' }))).toMatchObject({ code: 21631 })
  const addressSid = telco.addAddress({ name: 'Berlin', country: 'DE' })
  expect(await refusalOf(buy({ phoneNumber: '+493055551000', addressSid }))).toMatchObject({ code: 21649 })
  const bundleSid = telco.addBundle({ name: 'Papers', country: 'DE', kind: 'local' })
  const { regulations, bundles } = client.numbers.v2.regulatoryCompliance
  expect(await regulations.list({ isoCountry: 'DE', numberType: 'local' })).toHaveLength(1)
  expect(await bundles.list({ status: 'twilio-approved', isoCountry: 'DE', numberType: 'local' })).toHaveLength(1)
  expect(await buy({ phoneNumber: '+493055551000', addressSid, bundleSid })).toMatchObject({ bundleSid })
  expect(await client.addresses.list({ isoCountry: 'CH' })).toEqual([])
  expect((await client.availablePhoneNumbers.list()).map(({ countryCode }) => countryCode)).toContain('CH')
})

test('a list is paged, with the SDK following the pages', async () => {
  for (let count = 0; count < 7; count += 1) await client.applications.create({ friendlyName: `app ${count}` })
  expect(await client.applications.list({ pageSize: 3 })).toHaveLength(7)
  expect(await client.applications.list({ pageSize: 3, limit: 4 })).toHaveLength(4)
  expect(await client.applications.list({ friendlyName: 'app 5' })).toHaveLength(1)
  for (const { sid } of await client.applications.list()) await client.applications(sid).remove()
  expect(await client.applications.list()).toEqual([])
})

test('applications are created, changed and removed', async () => {
  const { sid } = await client.applications.create({ friendlyName: 'Menu', voiceUrl: 'https://pbx.example.com/m/1' })
  expect(await client.applications(sid).fetch()).toMatchObject({
    friendlyName: 'Menu',
    smsUrl: null,
    voiceMethod: 'POST',
  })
  const changed = await client
    .applications(sid)
    .update({ voiceFallbackUrl: 'https://fall.example.com/', statusCallback: 'https://pbx.example.com/s' })
  expect(changed).toMatchObject({
    voiceFallbackUrl: 'https://fall.example.com/',
    voiceUrl: 'https://pbx.example.com/m/1',
  })
  expect(await client.applications(sid).remove()).toBe(true)
  expect(await refusalOf(client.applications(sid).fetch())).toMatchObject({ status: 404 })
})

test('SIP domains, their credential lists, mappings and credentials', async () => {
  expect(await refusalOf(client.sip.domains.create({ domainName: 'acme.example.com' }))).toMatchObject({ status: 400 })
  const domain = await client.sip.domains.create({
    domainName: 'acme.sip.twilio.com',
    friendlyName: 'Acme',
    sipRegistration: true,
    voiceUrl: 'https://pbx.example.com/d',
  })
  expect(domain).toMatchObject({ sipRegistration: true, secure: false })
  expect(await refusalOf(client.sip.domains.create({ domainName: 'acme.sip.twilio.com' }))).toMatchObject({
    status: 400,
    message: expect.stringContaining('already exists'),
  })
  const list = await client.sip.credentialLists.create({ friendlyName: 'acme' })
  for (const mappings of [callMappings(domain.sid), registrationMappings(domain.sid)]) {
    expect((await mappings.create({ credentialListSid: list.sid })).sid).toBe(list.sid)
    expect(await refusalOf(mappings.create({ credentialListSid: list.sid }))).toMatchObject({ status: 400 })
    expect(await mappings.list()).toHaveLength(1)
  }
  const credentials = client.sip.credentialLists(list.sid).credentials
  expect(await refusalOf(credentials.create({ username: 'ann', password: 'short' }))).toMatchObject({
    status: 400,
    code: 21240,
  })
  const credential = await credentials.create({ username: 'ann', password: 'Abcdefgh1234' })
  expect(JSON.stringify(credential)).not.toContain('Abcdefgh1234')
  expect(await refusalOf(credentials.create({ username: 'ann', password: 'Abcdefgh1234' }))).toMatchObject({
    message: expect.stringContaining('already exists'),
  })
  expect(await credentials.list()).toHaveLength(1)
  await credentials(credential.sid).update({ password: 'Abcdefgh5678' })
  expect(await credentials(credential.sid).remove()).toBe(true)
  expect(await client.sip.domains(domain.sid).auth.calls.credentialListMappings(list.sid).remove()).toBe(true)
  expect((await client.sip.domains(domain.sid).update({ friendlyName: 'New' })).domainName).toBe('acme.sip.twilio.com')
  expect(await client.sip.credentialLists(list.sid).remove()).toBe(true)
  expect(await registrationMappings(domain.sid).list()).toEqual([])
  expect(await client.sip.domains(domain.sid).remove()).toBe(true)
})

/** What both kinds of mapping can do alike; the SDK has a type of its own for each. */
interface Mappings {
  create(options: { credentialListSid: string }): Promise<{ sid: string }>
  list(): Promise<unknown[]>
}

function callMappings(sid: string): Mappings {
  return client.sip.domains(sid).auth.calls.credentialListMappings
}

function registrationMappings(sid: string): Mappings {
  return client.sip.domains(sid).auth.registrations.credentialListMappings
}

test('WhatsApp senders understand snake_case only', async () => {
  const [sender] = await client.messaging.v2.channelsSenders.list({ channel: 'whatsapp' })
  expect(sender).toMatchObject({
    senderId: 'whatsapp:+14155550199',
    status: 'ONLINE',
    properties: { qualityRating: 'HIGH' },
  })
  const sid = sender?.sid ?? ''
  const webhook = {
    callback_url: 'https://pbx.example.com/message',
    status_callback_url: 'https://pbx.example.com/status',
  }
  const changed = await client.messaging.v2.channelsSenders(sid).update({ webhook } as never)
  expect(changed.webhook).toMatchObject({ callbackUrl: webhook.callback_url, callbackMethod: 'POST' })
  expect((await client.messaging.v2.channelsSenders(sid).fetch()).webhook).toMatchObject({
    statusCallbackUrl: webhook.status_callback_url,
  })
  await client.messaging.v2.channelsSenders(sid).update({ webhook: { callbackUrl: 'https://ignored.example.com' } })
  expect(telco.problems.take(/does not know webhook\.callbackUrl/)).toHaveLength(1)
  expect(await refusalOf(client.messaging.v2.channelsSenders('XE0').fetch())).toMatchObject({ status: 404 })
})

test('content templates are created, submitted, approved or rejected, and removed', async () => {
  const types = { 'twilio/text': { body: 'Hello {{1}}' } }
  const { sid } = await client.content.v1.contents.create({
    friendly_name: 'hello',
    language: 'en',
    variables: { '1': 'you' },
    types,
  } as never)
  expect(await client.content.v1.contents(sid).fetch()).toMatchObject({ friendlyName: 'hello', language: 'en' })
  expect((await client.content.v1.contents(sid).approvalFetch().fetch()).whatsapp).toMatchObject({
    status: 'unsubmitted',
  })
  const approval = client.content.v1.contents(sid).approvalCreate
  expect(await refusalOf(approval.create({ name: 'Hello!', category: 'UTILITY' }))).toMatchObject({ status: 400 })
  expect(await approval.create({ name: 'hello', category: 'UTILITY' })).toMatchObject({
    status: 'received',
    contentType: 'twilio/text',
  })
  await telco.clock.idle()
  const [listed] = await client.content.v1.contentAndApprovals.list()
  expect(listed?.approvalRequests).toMatchObject({ status: 'approved', category: 'UTILITY' })
  expect(await client.content.v1.contents.list()).toHaveLength(1)
  expect(await client.content.v1.contents(sid).remove()).toBe(true)
})

test('a number has no region before one is set', async () => {
  const number = client.routes.v2.phoneNumbers('+14155550198')
  expect(await refusalOf(number.fetch())).toMatchObject({ status: 404, code: 20404 })
  expect(await client.routes.v2.phoneNumbers('+14155550198').update({ voiceRegion: 'ie1' })).toMatchObject({
    voiceRegion: 'ie1',
  })
  expect((await client.routes.v2.phoneNumbers('+14155550198').fetch()).voiceRegion).toBe('ie1')
})

test('what the API does not know is a problem, not a silence', async () => {
  expect(await refusalOf(client.conferences.list())).toMatchObject({ status: 404, code: 20404 })
  expect(telco.problems.take(/Conferences.json is not known/)).toHaveLength(1)
  const [number] = await client.incomingPhoneNumbers.list()
  const { authorization } = { authorization: `Basic ${btoa(`${telco.account.sid}:${telco.account.authToken}`)}` }
  await fetch(`${telco.url}/2010-04-01/Accounts/${telco.account.sid}/IncomingPhoneNumbers/${number?.sid}.json`, {
    method: 'POST',
    headers: { authorization, 'content-type': 'application/x-www-form-urlencoded' },
    body: 'voiceUrl=https%3A%2F%2Fx.example.com',
  })
  expect(telco.problems.take(/does not know voiceUrl/)).toHaveLength(1)
})

describe('a request that is not as the provider describes it', () => {
  const refused = async (asking: Promise<unknown>) => {
    const refusal = await refusalOf(asking)
    return [refusal.status, refusal.code, refusal.message]
  }
  const anyText = (text: string) => expect.stringContaining(text)

  test('a request that is not as the provider describes it is refused for a value of another type', async () => {
    const asking = client.sip.domains.create({ domainName: 'a.sip.twilio.com', secure: 'perhaps' as never })
    expect(await refused(asking)).toEqual([400, 20001, anyText('Secure must be boolean')])
  })

  test('a request that is not as the provider describes it is refused for a word that is no choice', async () => {
    const [number] = await client.incomingPhoneNumbers.list()
    const asking = client.incomingPhoneNumbers(number?.sid ?? '').update({ voiceMethod: 'FETCH' })
    expect(await refused(asking)).toEqual([400, 20001, anyText('VoiceMethod must be equal to one of')])
  })

  test('a request that is not as the provider describes it is refused for a part that is missing', async () => {
    const asking = client.content.v1.contents.create({ friendly_name: 'x', language: 'en' } as never)
    expect(await refused(asking)).toEqual([400, 20001, anyText('types')])
  })

  test('a request that is not as the provider describes it is refused for an id of another kind', async () => {
    const [number] = await client.incomingPhoneNumbers.list()
    const asking = client.incomingPhoneNumbers(number?.sid ?? '').update({ voiceApplicationSid: `TK${'0'.repeat(32)}` })
    expect(await refused(asking)).toEqual([400, 20001, anyText('VoiceApplicationSid must match')])
  })

  test('a request that is not as the provider describes it is a problem for a name that nobody reads', async () => {
    const { sid } = await client.content.v1.contents.create({
      friendly_name: 'x',
      language: 'en',
      types: { 'twilio/text': { body: 'x' } },
    } as never)
    const approval = { name: 'x', category: 'UTILITY', allow_category_change: true }
    await client.content.v1.contents(sid).approvalCreate.create(approval as never)
    expect(telco.problems.take(/does not know allow_category_change/)).toHaveLength(1)
    await telco.clock.idle()
  })
})
