import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import {
  answers,
  declines,
  doesNotAnswer,
  hangUp,
  hear,
  isBusy,
  person,
  press,
  say,
  wait,
} from '../../emulators/people.ts'
import { startTelcoEmulator, type TelcoEmulator } from '../../emulators/telco/start.ts'
import { type Asked, FakeService, isSigned, markup, PUBLIC_URL } from './fake-service.ts'

const NUMBER = '+14155550199'
const CALLER = '+14155550100'
let service: FakeService
let telco: TelcoEmulator

beforeAll(async () => {
  service = await FakeService.start()
})
afterAll(() => service.stop())

beforeEach(async () => {
  service.forget()
  telco = await startTelcoEmulator({ service: service.address, numbers: [{ phoneNumber: NUMBER }] })
  const number = telco.account.numbers.findWhere('phone_number', NUMBER)
  if (number === undefined) throw new Error('no number')
  telco.account.numbers.change(number, {
    voice_url: `${PUBLIC_URL}/number#e=ashburn`,
    status_callback: `${PUBLIC_URL}/status#e=ashburn&rc=2&rp=ct,rt,5xx`,
    sms_url: `${PUBLIC_URL}/message`,
  })
  return () => telco.stop()
})

function statuses(asked: readonly Asked[]): string[] {
  return asked.map(({ fields }) => `${fields.Direction} ${fields.CallStatus} ${fields.SequenceNumber}`)
}

function dialTo(nouns: string, attributes = ''): string {
  return markup(`<Dial action="${PUBLIC_URL}/action" ${attributes}>${nouns}</Dial>`)
}

function reported(name: string, content: string): string {
  return `<${name} statusCallback="${PUBLIC_URL}/leg" statusCallbackEvent="initiated ringing answered completed">${content}</${name}>`
}

test('an incoming call asks the number, is signed, speaks, and reports its end once', async () => {
  service.answer('/number', markup('<Say>Welcome to Acme.</Say><Pause length="2"/><Hangup/>'))
  const result = await telco.call({ from: CALLER, to: NUMBER, acts: [hear('welcome')] })
  expect(result).toMatchObject({ status: 'completed', heard: ['Welcome to Acme.'] })
  const [asked] = service.at('/number')
  expect(asked?.fields).toMatchObject({
    CallSid: result.sid,
    AccountSid: telco.account.sid,
    CallStatus: 'ringing',
    Direction: 'inbound',
    From: CALLER,
    Caller: CALLER,
    To: NUMBER,
    ApiVersion: '2010-04-01',
    FromCity: 'SAN FRANCISCO',
  })
  expect(asked !== undefined && isSigned(asked, telco.account.authToken)).toBe(true)
  expect(asked?.headers).toMatchObject({ host: 'pbx.example.com', 'user-agent': 'TwilioProxy/1.1' })
  expect(statuses(service.at('/status'))).toEqual(['inbound completed 0'])
  expect(service.at('/status')[0]?.fields).toMatchObject({ CallDuration: '4', Duration: '1' })
  telco.problems.check()
})

test('digits stop the prompt and go to the action; a finishing key is not one of them', async () => {
  service.answer(
    '/number',
    markup(`<Gather action="${PUBLIC_URL}/gather" numDigits="4"><Say>Enter your number.</Say></Gather>`),
  )
  service.answer('/gather', markup('<Say>Thank you.</Say>'))
  const result = await telco.call({ from: CALLER, to: NUMBER, acts: [press('12#'), hear('thank you')] })
  expect(service.at('/gather')[0]?.fields).toMatchObject({
    Digits: '12',
    FinishedOnKey: '#',
    CallStatus: 'in-progress',
  })
  expect(result.heard).toEqual(['Thank you.'])
  telco.problems.check()
})

test('speech is taken as a whole, however long it is', async () => {
  service.answer(
    '/number',
    markup(
      `<Gather input="dtmf speech" action="${PUBLIC_URL}/gather" timeout="2"><Say>How can we help?</Say></Gather>`,
    ),
  )
  service.answer('/gather', markup('<Hangup/>'))
  const acts = [hear('help'), wait(1), say('I need to talk to the support about my boiler please', 30)]
  await telco.call({ from: CALLER, to: NUMBER, acts })
  expect(service.at('/gather')[0]?.fields).toMatchObject({
    SpeechResult: expect.stringContaining('boiler'),
    Confidence: expect.any(String),
  })
  telco.problems.check()
})

test('no input goes on with the next verb, or to the action when it wants empty results', async () => {
  service.answer(
    '/number',
    markup(`<Gather action="${PUBLIC_URL}/gather"><Say>Press.</Say></Gather><Say>Nothing came.</Say>`),
  )
  const first = await telco.call({ from: CALLER, to: NUMBER, acts: [] })
  expect(first.heard).toEqual(['Press.', 'Nothing came.'])
  expect(service.at('/gather')).toHaveLength(0)
  service.answer('/number', markup(`<Gather action="${PUBLIC_URL}/gather" actionOnEmptyResult="true"/>`))
  service.answer('/gather', markup('<Hangup/>'))
  await telco.call({ from: CALLER, to: NUMBER, acts: [] })
  expect(service.at('/gather')[0]?.fields).toMatchObject({ Digits: '' })
  telco.problems.check()
})

test('a dialled person talks: callbacks in order, then the action, then the recording', async () => {
  service.answer(
    '/number',
    dialTo(
      reported('Number', '+14155550177'),
      `callerId="${NUMBER}" record="record-from-answer-dual" recordingStatusCallback="${PUBLIC_URL}/recording"`,
    ),
  )
  service.answer('/action', markup('<Say>Goodbye.</Say>'))
  telco.connect('+14155550177', person('Ann', telco.problems, [answers([hear('hello'), say('Ann here'), hangUp()])]))
  const result = await telco.call({
    from: CALLER,
    to: NUMBER,
    acts: [wait(6), say('Hello'), hear('ann here'), hear('goodbye')],
  })
  await telco.clock.idle()
  expect(statuses(service.at('/leg'))).toEqual([
    'outbound-dial initiated 0',
    'outbound-dial ringing 1',
    'outbound-dial in-progress 2',
    'outbound-dial completed 3',
  ])
  const child = result.childSids[0]
  expect(service.at('/leg')[3]?.fields).toMatchObject({
    CallSid: child,
    ParentCallSid: result.sid,
    From: NUMBER,
    SipResponseCode: '200',
  })
  expect(service.at('/action')[0]?.fields).toMatchObject({
    CallSid: result.sid,
    CallStatus: 'in-progress',
    DialCallStatus: 'completed',
    DialCallSid: child,
    DialBridged: 'true',
    RecordingSid: expect.stringMatching(/^RE/),
  })
  expect(service.asked.map(({ target }) => target)).toEqual([
    '/number',
    '/leg',
    '/leg',
    '/leg',
    '/leg',
    '/action',
    '/status',
    '/recording',
  ])
  expect(service.at('/recording')[0]?.fields).toMatchObject({
    CallSid: result.sid,
    RecordingStatus: 'completed',
    RecordingSource: 'DialVerb',
    RecordingChannels: '2',
    RecordingUrl: expect.stringMatching(/^https:\/\/api\.twilio\.com\/2010-04-01\/Accounts\/AC\w+\/Recordings\/RE\w+$/),
  })
  telco.problems.check()
})

test('one of several that ring answers, the others are canceled', async () => {
  const nouns =
    reported('Client', '<Identity>ann@acme</Identity><Parameter name="Partner" value="7"/>') +
    reported('Sip', 'sip:bob@acme.sip.dublin.twilio.com')
  service.answer('/number', dialTo(nouns, 'answerOnBridge="true"'))
  service.answer('/action', markup('<Hangup/>'))
  telco.connect('client:ann@acme', person('Ann', telco.problems, [answers([wait(10), hangUp()], { afterSeconds: 8 })]))
  telco.connect(
    'sip:bob@acme.sip.twilio.com',
    person('Bob', telco.problems, [answers([wait(10), hangUp()], { afterSeconds: 4 })]),
  )
  const result = await telco.call({ from: CALLER, to: NUMBER, acts: [] })
  const ends = service.at('/leg').filter(({ fields }) => fields.CallDuration !== undefined)
  expect(ends.map(({ fields }) => [fields.To, fields.CallStatus, fields.SipResponseCode])).toEqual([
    ['client:ann@acme', 'canceled', '487'],
    ['sip:bob@acme.sip.dublin.twilio.com', 'completed', '200'],
  ])
  expect(service.at('/action')[0]?.fields).toMatchObject({
    DialCallStatus: 'completed',
    DialCallSid: result.childSids[1],
  })
  telco.problems.check()
})

test.each([
  ['busy', isBusy, 'busy', '486'],
  ['declined', declines, 'busy', '603'],
  ['ringing in vain', doesNotAnswer, 'no-answer', '487'],
])('a %s phone leaves the caller to the action', async (_name, reaction, status, code) => {
  service.answer('/number', dialTo(reported('Number', '+14155550177'), `callerId="${NUMBER}" timeout="20"`))
  service.answer('/action', markup('<Say>Nobody is there.</Say>'))
  telco.connect('+14155550177', person('Ann', telco.problems, [reaction]))
  const { heard } = await telco.call({ from: CALLER, to: NUMBER, acts: [] })
  expect(heard).toEqual(['Nobody is there.'])
  expect(service.at('/action')[0]?.fields).toMatchObject({ DialCallStatus: status, DialBridged: 'false' })
  expect(service.at('/leg').at(-1)?.fields).toMatchObject({
    CallStatus: status,
    SipResponseCode: code,
    CallDuration: '0',
  })
  telco.problems.check()
})

test('a caller who hangs up while it rings cancels the leg, and the action is asked for nobody', async () => {
  service.answer('/number', dialTo(reported('Number', '+14155550177'), `callerId="${NUMBER}"`))
  service.answer('/action', markup('<Say>Nobody hears this.</Say>'))
  telco.connect('+14155550177', person('Ann', telco.problems, [doesNotAnswer]))
  const { heard } = await telco.call({ from: CALLER, to: NUMBER, acts: [wait(7), hangUp()] })
  expect(heard).toEqual([])
  expect(service.at('/leg').at(-1)?.fields.CallStatus).toBe('canceled')
  expect(service.at('/action')[0]?.fields).toMatchObject({ CallStatus: 'completed', DialCallStatus: 'canceled' })
  telco.problems.check()
})

test('a callee who declines in the screening document was never bridged', async () => {
  const attributes = `callerId="${NUMBER}" answerOnBridge="true"`
  service.answer('/number', dialTo(`<Number url="${PUBLIC_URL}/screen">+14155550177</Number>`, attributes))
  service.answer(
    '/screen',
    markup(`<Gather action="${PUBLIC_URL}/accepted" numDigits="1"><Say>Press 1 to accept.</Say></Gather><Hangup/>`),
  )
  service.answer('/action', markup('<Hangup/>'))
  telco.connect('+14155550177', person('Ann', telco.problems, [answers([hear('press 1')])]))
  await telco.call({ from: CALLER, to: NUMBER, acts: [] })
  expect(service.at('/screen')[0]?.fields).toMatchObject({ Direction: 'outbound-dial', CallStatus: 'in-progress' })
  expect(service.at('/action')[0]?.fields).toMatchObject({ DialCallStatus: 'completed', DialBridged: 'false' })
  telco.problems.check()
})

test('a voicemail is recorded until silence, and reported when the file is ready', async () => {
  service.answer(
    '/number',
    markup(
      `<Say>Leave a message.</Say><Record action="${PUBLIC_URL}/action" recordingStatusCallback="${PUBLIC_URL}/vm" maxLength="120" finishOnKey="#"/>`,
    ),
  )
  service.answer('/action', markup('<Hangup/>'))
  await telco.call({ from: CALLER, to: NUMBER, acts: [hear('(beep)'), say('Please call me back', 9)] })
  await telco.clock.idle()
  const action = service.at('/action')[0]?.fields
  expect(action).toMatchObject({ RecordingDuration: '9', Digits: '', CallStatus: 'in-progress' })
  expect(service.at('/vm')[0]?.fields).toMatchObject({
    RecordingStatus: 'completed',
    RecordingDuration: '9',
    RecordingSource: 'RecordVerb',
  })
  expect(service.at('/vm')[0]?.fields.Caller).toBeUndefined()
  expect(telco.recordedWords(action?.RecordingSid ?? '')).toBe('Please call me back')
  telco.problems.check()
})

test('a caller who hangs up into the voicemail leaves it all the same', async () => {
  service.answer(
    '/number',
    markup(`<Record action="${PUBLIC_URL}/action" recordingStatusCallback="${PUBLIC_URL}/vm"/>`),
  )
  service.answer('/action', markup('<Say>Nobody hears this.</Say>'))
  await telco.call({ from: CALLER, to: NUMBER, acts: [hear('(beep)'), say('Bye', 3), hangUp()] })
  await telco.clock.idle()
  expect(service.at('/action')[0]?.fields).toMatchObject({ Digits: 'hangup', CallStatus: 'completed' })
  expect(service.at('/vm')[0]?.fields).toMatchObject({ RecordingDuration: '3' })
  telco.problems.check()
})

test('a rejected call is never answered', async () => {
  service.answer('/number', markup('<Reject reason="busy"/>'))
  const result = await telco.call({ from: CALLER, to: NUMBER, acts: [] })
  expect(result).toMatchObject({ status: 'busy', durationSeconds: 0, heard: [] })
  expect(service.at('/status')[0]?.fields).toMatchObject({ CallStatus: 'busy', CallDuration: '0' })
})

test('relative addresses, redirects and other answers than markup are carried out', async () => {
  service.answer('/number', markup('<Redirect>next?a=1&amp;b=2</Redirect>'))
  service.answer('/next', { type: 'text/plain', body: 'Spoken as it is' })
  const { heard } = await telco.call({ from: CALLER, to: NUMBER, acts: [] })
  expect(heard).toEqual(['Spoken as it is'])
  expect(service.at('/next')[0]?.target).toBe('/next?a=1&b=2')
  telco.problems.check()
})
