import type { Twilio } from 'twilio'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { wordsIn } from '../../emulators/audio.ts'
import {
  answers,
  doesNotAnswer,
  hangUp,
  hear,
  isBusy,
  meanwhile,
  person,
  press,
  say,
  wait,
} from '../../emulators/people.ts'
import { startTelcoEmulator, type TelcoEmulator } from '../../emulators/telco/start.ts'
import { FakeService, markup, PUBLIC_URL } from './fake-service.ts'
import { refusalOf, sdkFor } from './telco-sdk.ts'

const NUMBER = '+14155550199'
const CALLER = '+14155550100'
let service: FakeService
let telco: TelcoEmulator
let client: Twilio

beforeAll(async () => {
  service = await FakeService.start()
})
afterAll(() => service.stop())

beforeEach(async () => {
  service.forget()
  telco = await startTelcoEmulator({
    service: service.address,
    numbers: [{ phoneNumber: NUMBER }],
    whatsAppNumbers: [NUMBER],
  })
  client = sdkFor(telco)
  const [number] = await client.incomingPhoneNumbers.list()
  // Records of a list cannot be changed through themselves: the SDK 6.2.0 forgets their id.
  await client.incomingPhoneNumbers(number?.sid ?? '').update({
    voiceUrl: `${PUBLIC_URL}/number`,
    statusCallback: `${PUBLIC_URL}/status`,
    smsUrl: `${PUBLIC_URL}/message`,
  })
  return () => telco.stop()
})

const EVENTS = ['initiated', 'ringing', 'answered', 'completed']

test('a call through the API rings, is answered, carries out its document and is priced later', async () => {
  telco.connect('+14155550177', person('Ann', telco.problems, [answers([hear('hello ann')])]))
  const call = await client.calls.create({
    to: '+14155550177',
    from: NUMBER,
    twiml: markup('<Say>Hello Ann.</Say>'),
    statusCallback: `${PUBLIC_URL}/progress`,
    statusCallbackEvent: EVENTS,
    record: true,
    recordingStatusCallback: `${PUBLIC_URL}/recording`,
  })
  expect(call).toMatchObject({ status: 'queued', direction: 'outbound-api', price: null, startTime: null })
  await telco.clock.idle()
  expect(service.at('/progress').map(({ fields }) => fields.CallStatus)).toEqual([
    'initiated',
    'ringing',
    'in-progress',
    'completed',
  ])
  expect(service.at('/recording')[0]?.fields.RecordingSource).toBe('OutboundAPI')
  expect(await client.calls(call.sid).fetch()).toMatchObject({
    status: 'completed',
    duration: '1',
    price: '-0.00850',
    priceUnit: 'USD',
  })
  expect(await client.calls.list({ status: 'completed', to: '+14155550177' })).toHaveLength(1)
  telco.problems.check()
})

test('a call through the API that nobody answers ends with its reason', async () => {
  telco.connect('+14155550177', person('Ann', telco.problems, [isBusy, doesNotAnswer]))
  for (const status of ['busy', 'no-answer']) {
    const { sid } = await client.calls.create({
      to: '+14155550177',
      from: NUMBER,
      url: `${PUBLIC_URL}/never`,
      timeout: 20,
    })
    await telco.clock.idle()
    expect((await client.calls(sid).fetch()).status).toBe(status)
  }
  expect(service.at('/never')).toEqual([])
  telco.problems.check()
})

test.each([
  ['no number to call', { to: 'x', from: NUMBER }, 21211],
  ['a number of somebody else', { to: CALLER, from: '+14155559999' }, 21210],
  ['nothing to say', { to: CALLER, from: NUMBER }, 21205],
  ['too much inline', { to: CALLER, from: NUMBER, twiml: markup(`<Say>${'a'.repeat(4_000)}</Say>`) }, 32018],
])('a call with %s is refused', async (_name, call, code) => {
  expect(await refusalOf(client.calls.create(call as never))).toMatchObject({ status: 400, code })
})

test('a live call is given another document: its dial is dropped, the action asked in vain, and the new one plays', async () => {
  service.answer(
    '/number',
    markup(
      `<Dial action="${PUBLIC_URL}/action" callerId="${NUMBER}"><Number statusCallback="${PUBLIC_URL}/leg">+14155550177</Number></Dial>`,
    ),
  )
  service.answer('/action', markup('<Say>Nobody hears this.</Say>'))
  telco.connect('+14155550177', person('Ann', telco.problems, [answers()]))
  const redirect = meanwhile(async () => {
    const [call] = await client.calls.list({ status: 'in-progress', from: CALLER })
    await client.calls(call?.sid ?? '').update({ twiml: markup('<Say>You are being transferred.</Say>') })
  })
  const { heard } = await telco.call({ from: CALLER, to: NUMBER, acts: [wait(20), redirect, hear('transferred')] })
  expect(heard).toEqual(['You are being transferred.'])
  expect(service.at('/leg').map(({ fields }) => fields.CallStatus)).toEqual(['completed'])
  expect(service.at('/action')[0]?.fields).toMatchObject({ CallStatus: 'in-progress', DialCallStatus: 'completed' })
  telco.problems.check()
})

// https://www.twilio.com/docs/voice/api/call-resource#update-a-call-resource, and the action of a dial whose other end has gone:
// https://www.twilio.com/docs/voice/twiml/dial#action
test('a dialled leg is given a document: it hears that one, and the call that dialled it goes on with its action', async () => {
  service.answer(
    '/number',
    markup(
      `<Dial action="${PUBLIC_URL}/action"><Number statusCallback="${PUBLIC_URL}/leg">+14155550177</Number></Dial>`,
    ),
  )
  service.answer('/action', markup('<Say>Ann has left.</Say>'))
  const led: string[] = []
  const hearsIt = meanwhile(async () => void led.push('heard'))
  telco.connect('+14155550177', person('Ann', telco.problems, [answers([hear('led away'), hearsIt, wait(30)])]))
  const redirect = meanwhile(async () => {
    const [leg] = await client.calls.list({ status: 'in-progress', to: '+14155550177' })
    const updated = await client.calls(leg?.sid ?? '').update({ twiml: markup('<Say>You are led away.</Say>') })
    expect(updated.status).toBe('in-progress')
  })
  const { heard } = await telco.call({ from: CALLER, to: NUMBER, acts: [wait(20), redirect, hear('has left')] })
  await telco.clock.idle()
  expect([heard, led]).toEqual([['Ann has left.'], ['heard']])
  expect(service.at('/action')[0]?.fields).toMatchObject({ CallStatus: 'in-progress', DialCallStatus: 'completed' })
  expect(service.at('/leg').map(({ fields }) => fields.CallStatus)).toEqual(['completed'])
  telco.problems.check()
})

// https://support.twilio.com/hc/en-us/articles/360010199074: what a dial records is steered through the API too.
test('the recording of a dial is stopped through the API', async () => {
  service.answer(
    '/number',
    markup(
      `<Dial record="record-from-answer" recordingStatusCallback="${PUBLIC_URL}/recording"><Number>+14155550177</Number></Dial>`,
    ),
  )
  telco.connect('+14155550177', person('Ann', telco.problems, [answers()]))
  const stop = meanwhile(async () => {
    const [call] = await client.calls.list({ status: 'in-progress', to: NUMBER })
    const [recording] = await client.calls(call?.sid ?? '').recordings.list()
    await client
      .calls(call?.sid ?? '')
      .recordings(recording?.sid ?? '')
      .update({ status: 'stopped' })
    expect((await client.recordings(recording?.sid ?? '').fetch()).status).toBe('processing')
  })
  await telco.call({ from: CALLER, to: NUMBER, acts: [wait(20), stop, wait(20), hangUp()] })
  await telco.clock.idle()
  expect(service.at('/recording').map(({ fields }) => fields.RecordingDuration)).toEqual(['16'])
  telco.problems.check()
})

test('a live call is ended; one that is over cannot be changed', async () => {
  service.answer('/number', markup('<Pause length="1"/><Say>Hello</Say><Pause length="600"/>'))
  const end = meanwhile(async () => {
    const [call] = await client.calls.list({ status: 'in-progress' })
    await client.calls(call?.sid ?? '').update({ status: 'completed' })
  })
  const { sid, durationSeconds } = await telco.call({ from: CALLER, to: NUMBER, acts: [hear('hello'), wait(9), end] })
  expect(durationSeconds).toBe(10)
  expect(await refusalOf(client.calls(sid).update({ twiml: markup('<Hangup/>') }))).toMatchObject({
    status: 400,
    code: 21220,
  })
  expect(await refusalOf(client.calls('CA0').update({ status: 'completed' }))).toMatchObject({
    status: 404,
    code: 20404,
  })
})

test('a live call is recorded for a while; its audio is fetched with credentials when it is ready', async () => {
  service.answer('/number', markup('<Say>Hello</Say><Pause length="60"/>'))
  let recordingSid = ''
  const record = meanwhile(async () => {
    const [call] = await client.calls.list({ status: 'in-progress' })
    const options = { recordingStatusCallback: `${PUBLIC_URL}/recording`, recordingChannels: 'dual' }
    recordingSid = (await client.calls(call?.sid ?? '').recordings.create(options)).sid
  })
  const stop = meanwhile(async () => {
    const [call] = await client.calls.list({ status: 'in-progress' })
    expect(await client.calls(call?.sid ?? '').recordings.list()).toHaveLength(1)
    await client
      .calls(call?.sid ?? '')
      .recordings(recordingSid)
      .update({ status: 'stopped' })
    expect((await fetch(audioUrl('.mp3'), { headers })).status).toBe(404)
  })
  const headers = { authorization: `Basic ${btoa(`${telco.account.sid}:${telco.account.authToken}`)}` }
  const audioUrl = (ending: string): string =>
    `${telco.url}/2010-04-01/Accounts/${telco.account.sid}/Recordings/${recordingSid}${ending}`
  await telco.call({ from: CALLER, to: NUMBER, acts: [hear('hello'), record, say('One two three', 5), stop, hangUp()] })
  await telco.clock.idle()
  expect(service.at('/recording')[0]?.fields).toMatchObject({
    RecordingDuration: '5',
    RecordingSource: 'StartCallRecordingAPI',
  })
  const recording = await client.recordings(recordingSid).fetch()
  expect(recording).toMatchObject({ duration: '5', channels: 2, status: 'completed', price: '-0.00250' })
  expect((await fetch(audioUrl('.mp3'))).status).toBe(401)
  for (const [ending, type] of [
    ['.mp3', 'audio/mpeg'],
    ['.wav', 'audio/x-wav'],
    ['', 'audio/x-wav'],
  ]) {
    const reply = await fetch(audioUrl(ending ?? ''), { headers })
    expect(reply.headers.get('content-type')).toBe(type)
    expect(wordsIn(Buffer.from(await reply.arrayBuffer()))).toBe('One two three')
  }
  const part = await fetch(audioUrl('.mp3'), { headers: { ...headers, range: 'bytes=0-9' } })
  expect([part.status, (await part.arrayBuffer()).byteLength]).toEqual([206, 10])
  expect(await client.recordings(recordingSid).remove()).toBe(true)
  expect(await refusalOf(client.recordings(recordingSid).fetch())).toMatchObject({ status: 404 })
  telco.problems.check()
})

test('a caller id is validated by the code that is typed in on the phone', async () => {
  let code = ''
  const types = answers([
    hear('verification code'),
    meanwhile(async () => {}),
    (line) => line.press(code),
    hear('verified'),
  ])
  telco.connect('+14155550123', person('Boss', telco.problems, [answers([press('000000')]), types]))
  const ask = () =>
    client.validationRequests.create({
      phoneNumber: '+14155550123',
      friendlyName: 'Boss',
      statusCallback: `${PUBLIC_URL}/callerid`,
    })
  await ask()
  await telco.clock.idle()
  const request = await ask()
  code = request.validationCode
  expect(code).toMatch(/^\d{6}$/)
  await telco.clock.idle()
  expect(
    service.at('/callerid').map(({ fields }) => [fields.VerificationStatus, fields.CallStatus, fields.To]),
  ).toEqual([
    ['failed', 'completed', '+14155550123'],
    ['success', 'completed', '+14155550123'],
  ])
  const [callerId] = await client.outgoingCallerIds.list({ phoneNumber: '+14155550123' })
  expect(service.at('/callerid')[1]?.fields).toMatchObject({
    OutgoingCallerIdSid: callerId?.sid,
    CallSid: request.callSid,
  })
  expect(await refusalOf(ask())).toMatchObject({ status: 400, code: 21450 })
  expect(await client.outgoingCallerIds(callerId?.sid ?? '').remove()).toBe(true)
  telco.problems.check()
})

test('a text goes out and its way is reported; WhatsApp keeps its window of a day', async () => {
  const send = (to: string, from: string) =>
    client.messages.create({ to, from, body: 'Hello', statusCallback: `${PUBLIC_URL}/delivery` })
  telco.reactToTexts('+14155550188', 'undelivered')
  telco.reactToTexts('whatsapp:+14155550177', 'read')
  const { sid } = await send('+14155550177', NUMBER)
  await telco.clock.idle()
  expect(service.at('/delivery').map(({ fields }) => fields.MessageStatus)).toEqual(['sent', 'delivered'])
  expect(await client.messages(sid).fetch()).toMatchObject({ status: 'delivered', errorCode: null, numSegments: '1' })
  service.asked.length = 0
  await send('+14155550188', NUMBER)
  await send('whatsapp:+14155550177', `whatsapp:${NUMBER}`)
  await telco.clock.idle()
  const reported = service
    .at('/delivery')
    .map(({ fields }) => `${fields.To} ${fields.MessageStatus} ${fields.ErrorCode}`)
  expect(reported.sort()).toEqual([
    '+14155550188 sent undefined',
    '+14155550188 undelivered 30003',
    'whatsapp:+14155550177 failed 63016',
  ])
  expect(await refusalOf(send('+14155550177', '+14155559999'))).toMatchObject({ status: 400, code: 21606 })
  expect(await refusalOf(send('whatsapp:+14155550177', NUMBER))).toMatchObject({ status: 400, code: 63007 })
  telco.problems.check()
})

test('texts come in with everything a number or sender tells; an answer in plain text is a problem', async () => {
  service.answer('/message', '<Response/>')
  const [sender] = await client.messaging.v2.channelsSenders.list({ channel: 'whatsapp' })
  await client.messaging.v2
    .channelsSenders(sender?.sid ?? '')
    .update({ webhook: { callback_url: `${PUBLIC_URL}/message` } } as never)
  const media = [{ contentType: 'image/jpeg', content: Buffer.from('jpeg') }]
  const sid = await telco.text({ from: CALLER, to: NUMBER, body: 'See photo', media })
  expect(service.at('/message')[0]?.fields).toMatchObject({
    MessageSid: sid,
    SmsStatus: 'received',
    NumMedia: '1',
    MediaContentType0: 'image/jpeg',
    MediaUrl0: expect.stringContaining(`/Messages/${sid}/Media/ME`),
  })
  expect(await client.messages(sid).media.list()).toHaveLength(1)
  await telco.text({ from: `whatsapp:${CALLER}`, to: `whatsapp:${NUMBER}`, body: 'Hi', profileName: 'Zoe' })
  expect(service.at('/message')[1]?.fields).toMatchObject({
    ProfileName: 'Zoe',
    WaId: '14155550100',
    MessageType: 'text',
  })
  const { sid: reply } = await client.messages.create({
    to: `whatsapp:${CALLER}`,
    from: `whatsapp:${NUMBER}`,
    body: 'Hello',
  })
  await telco.clock.idle()
  expect((await client.messages(reply).fetch()).status).toBe('delivered')
  telco.problems.check()
  service.answer('/message', { type: 'text/plain', body: 'OK' })
  await telco.text({ from: CALLER, to: NUMBER, body: 'Hi' })
  expect(() => telco.problems.check()).toThrow('would be sent to the person who wrote')
})

test('a registered SIP phone dials through its domain, a web phone through its application', async () => {
  const domain = await client.sip.domains.create({
    domainName: 'acme.sip.twilio.com',
    voiceUrl: `${PUBLIC_URL}/domain`,
  })
  const dialling = { user: 'ann', domain: 'acme.sip.twilio.com', dialled: '101', acts: [] }
  await expect(telco.callFromSipPhone(dialling)).rejects.toThrow('no credential')
  const list = await client.sip.credentialLists.create({ friendlyName: 'acme' })
  await client.sip.domains(domain.sid).auth.calls.credentialListMappings.create({ credentialListSid: list.sid })
  await client.sip.credentialLists(list.sid).credentials.create({ username: 'ann', password: 'Abcdefgh1234' })
  service.answer('/domain', markup('<Say>Hello.</Say>'))
  await telco.callFromSipPhone(dialling)
  expect(service.at('/domain')[0]?.fields).toMatchObject({
    From: 'sip:ann@acme.sip.twilio.com',
    To: 'sip:101@acme.sip.twilio.com',
    SipDomain: 'acme.sip.twilio.com',
    SipDomainSid: domain.sid,
    Direction: 'inbound',
  })
  expect(service.at('/domain')[0]?.fields.CallToken).toBeUndefined()
  const { sid: applicationSid } = await client.applications.create({
    friendlyName: 'Web',
    voiceUrl: `${PUBLIC_URL}/domain`,
  })
  await telco.callFromWebPhone({
    identity: 'ann@acme.sip.twilio.com',
    applicationSid,
    parameters: { To: '+14155550123', Extra: 'yes' },
    acts: [],
  })
  expect(service.at('/domain')[1]?.fields).toMatchObject({
    From: 'client:ann@acme.sip.twilio.com',
    To: '+14155550123',
    ApplicationSid: applicationSid,
    Extra: 'yes',
  })
  telco.problems.check()
})
