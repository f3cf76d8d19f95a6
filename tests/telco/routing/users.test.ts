import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sentence } from '../../../src/telco/sentences/sentence.ts'
import {
  clientDial,
  Exchange,
  HANGUP,
  HOST,
  MAIN_NUMBER,
  RECORDING_URL,
  response,
  SORRY,
  say,
  sipDial,
  UNANSWERED,
  VOICEMAIL,
} from './exchange.ts'

const SPEECH = ' language="en-US" voice="woman"'
const PROMPT = say(sentence('userIsAway').replace('{{user.name}}', 'Alice'), SPEECH)

let exchange: Exchange
let alice = 0

beforeAll(async () => {
  exchange = await Exchange.start()
  alice = await exchange.user('alice', { sip_enabled: true, voicemail_enabled: true })
  await exchange.number(MAIN_NUMBER, { destination: 'user', user: alice })
})

afterAll(() => exchange.stop())

describe('a call to a user of a known call', () => {
  test('rings one device after another, then takes a message, then ends', async () => {
    const callId = await exchange.call()
    expect(await exchange.toNumber({ callId })).toBe(response(clientDial('alice', { userId: alice })))
    expect(await exchange.tried(callId)).toEqual(['client'])

    const noAnswer = { callId, form: { DialCallStatus: 'no-answer' } }
    expect(await exchange.userAction(alice, noAnswer)).toBe(response(sipDial('alice', { userId: alice })))
    expect(await exchange.tried(callId)).toEqual(['client', 'sip'])

    expect(await exchange.userAction(alice, noAnswer)).toBe(response(PROMPT, VOICEMAIL))
    expect(await exchange.tried(callId)).toEqual(['client', 'sip', 'voicemail'])

    expect(await exchange.userAction(alice, noAnswer)).toBe(HANGUP)
    expect(await exchange.tried(callId)).toEqual([])
  })

  test('starts over with the same answer when the provider asks for it again', async () => {
    const callId = await exchange.call()
    const first = await exchange.toNumber({ callId })
    expect(await exchange.toNumber({ callId })).toBe(first)
    await exchange.userAction(alice, { callId, form: { DialCallStatus: 'busy' } })
    expect(await exchange.toNumber({ callId })).toBe(first)
    expect(await exchange.tried(callId)).toEqual(['client'])
  })

  test.each([
    ['the caller hung up', { CallStatus: 'completed', DialCallStatus: 'no-answer' }],
    ['the caller was cut off', { CallStatus: 'failed' }],
    ['they talked', { DialCallStatus: 'completed', DialBridged: 'true' }],
    ['they talked, told by an account that does not say so', { DialCallStatus: 'completed' }],
    ['it was answered', { DialCallStatus: 'answered' }],
    ['it was canceled', { DialCallStatus: 'canceled' }],
  ])('ends when %s', async (_what, form) => {
    const callId = await exchange.call()
    await exchange.toNumber({ callId })
    expect(await exchange.userAction(alice, { callId, form })).toBe(HANGUP)
    expect(await exchange.tried(callId)).toEqual([])
  })

  test.each([
    ['nobody answered', { DialCallStatus: 'no-answer' }],
    ['it was busy', { DialCallStatus: 'busy' }],
    ['it failed', { DialCallStatus: 'failed' }],
    ['the provider says nothing', {}],
    ['the callee declined in the screening', { DialCallStatus: 'completed', DialBridged: 'false' }],
  ])('goes on when %s', async (_what, form) => {
    const callId = await exchange.call()
    await exchange.toNumber({ callId })
    expect(await exchange.userAction(alice, { callId, form })).toBe(response(sipDial('alice', { userId: alice })))
  })

  test('counts steps that the address names, and only those of this user', async () => {
    const bob = await exchange.user('stepless')
    const callId = await exchange.call()
    const steps = [await exchange.stepId(alice, 'client'), await exchange.stepId(bob, 'client'), 999_999_999]
    const query = `done_callflows=x,${steps.join(',')},-1,99999999999999,%00`
    expect(await exchange.userAction(alice, { callId, query })).toBe(response(sipDial('alice', { userId: alice })))
    expect(await exchange.tried(callId)).toEqual(['client', 'sip'])
  })
})

test('a call that the ledger does not know carries its steps in the address, and is not greeted', async () => {
  const bob = await exchange.user('bob', { sip_enabled: true, greeting_message: 'Welcome.' })
  const [client, sip] = [await exchange.stepId(bob, 'client'), await exchange.stepId(bob, 'sip')]
  await exchange.extension('102', `connect.user,${bob}`)
  const start = await exchange.toDomain('102', { callId: 0, form: { From: '+14155550100' } })
  expect(start).toBe(response(clientDial('bob', { userId: bob, query: `?done_callflows=${client}` })))
  const next = { callId: 0, query: `done_callflows=${client}`, form: { DialCallStatus: 'no-answer' } }
  expect(await exchange.userAction(bob, next)).toBe(
    response(sipDial('bob', { userId: bob, query: `?done_callflows=${client},${sip}` })),
  )
  const last = { ...next, query: `done_callflows=${client},${sip}` }
  expect(await exchange.userAction(bob, last)).toBe(UNANSWERED)
})

test('the greeting is spoken once, before the first device', async () => {
  const userId = await exchange.user('greta', {
    sip_enabled: true,
    greeting_message: 'Grüezi & hello!',
    language: 'de-DE',
  })
  await exchange.extension('103', `connect.user,${userId}`)
  const callId = await exchange.call()
  const options = { callId, form: { From: '+14155550100' } }
  const greeting = say('Grüezi &amp; hello!', ' language="de-DE" voice="woman"')
  expect(await exchange.toDomain('103', options)).toBe(response(greeting, clientDial('greta', { userId })))
  expect(await exchange.userAction(userId, options)).not.toContain('hello')
})

test('priorities, ring times and recording are those of the user', async () => {
  const userId = await exchange.user('rita', {
    sip_enabled: true,
    sip_priority: '1',
    client_priority: '2',
    sip_ring_timeout: 45,
    client_ring_timeout: 1,
    record_calls: true,
  })
  await exchange.number('+14155550111', { destination: 'user', user: userId })
  const callId = await exchange.call()
  const form = { To: '+14155550111', Called: '+14155550111' }
  const record = (mode: string): string => ` record="${mode}" recordingStatusCallback="${RECORDING_URL}"`
  expect(await exchange.toNumber({ callId, form })).toBe(
    response(sipDial('rita', { userId, timeout: 45, record: record('record-from-answer-dual') })),
  )
  // The provider rings five seconds at least.
  expect(await exchange.userAction(userId, { callId, form })).toBe(
    response(clientDial('rita', { userId, timeout: 5, record: record('record-from-answer') })),
  )
})

describe('who the phone shows', () => {
  test('a colleague is shown by extension and name, the contact of the call by id', async () => {
    const carl = await exchange.user('carl')
    await exchange.extension('110', `connect.user,${carl}`)
    await exchange.extension('101', `connect.user,${alice}`)
    const partner = await exchange.create('res.partner', { name: 'Zoe & Co' })
    const callId = await exchange.call({ partner })
    const parameters = `<Parameter name="CallerName" value="Alice"/><Parameter name="Partner" value="${partner}"/>`
    expect(await exchange.toDomain(`sip:110@${HOST}`, { callId })).toBe(
      response(clientDial('carl', { userId: carl, callerId: '101', parameters })),
    )
  })

  test('a stranger is shown by the contact of the call, else by the login that called', async () => {
    const partner = await exchange.create('res.partner', { name: 'Zoe <&> Co' })
    expect(await exchange.toNumber({ callId: await exchange.call({ partner }) })).toContain(
      `<Parameter name="CallerName" value="Zoe &lt;&amp;> Co"/><Parameter name="Partner" value="${partner}"/>`,
    )
    const callerUser = exchange.app.admin.userId
    expect(await exchange.toNumber({ callId: await exchange.call({ callerUser }) })).toContain(
      '<Parameter name="CallerName" value="Local Administrator"/></Client>',
    )
  })

  test('a user without extension is shown by the own caller id, the default one, or the address', async () => {
    await exchange.user('dora')
    const form = { From: `client:dora@${HOST}` }
    expect(await exchange.toNumber({ form })).toContain(`callerId="client:dora@${HOST}"`)
    const fallback = { number: '+14155550150', friendly_name: 'Desk', callerid_type: 'number', is_default: true }
    const shown = await exchange.create('connect.telco.outgoing_callerid', fallback)
    expect(await exchange.toNumber({ form })).toContain('callerId="+14155550150"')
    const own = await exchange.create('connect.telco.outgoing_callerid', {
      number: '+14155550151',
      friendly_name: 'Own',
      callerid_type: 'number',
    })
    await exchange.user('emil', { telco_outgoing_callerid: own })
    expect(await exchange.toNumber({ form: { From: `sip:emil@${HOST}:5060;x=y` } })).toContain(
      'callerId="+14155550151"',
    )
    await exchange.write('connect.telco.outgoing_callerid', shown, { is_default: false })
  })

  test.each([
    ['anonymous', 'anonymous'],
    ['', 'anonymous'],
    ['Restricted number', 'anonymous'],
    ['"><Hangup/>', 'anonymous'],
    [`sip:stranger@${HOST}`, `sip:stranger@${HOST}`],
    ['whatsapp:+380501234567', '+380501234567'],
    ['+380501234567', '+380501234567'],
  ])('the caller %j is shown as %s', async (caller, shown) => {
    expect(await exchange.toNumber({ form: { From: caller } })).toContain(`callerId="${shown}"`)
  })
})

describe('a user who cannot be rung', () => {
  test('a user with a voicemail who cannot be rung takes a message at once', async () => {
    const userId = await exchange.user('vera', {
      client_enabled: false,
      voicemail_enabled: true,
      voicemail_prompt: 'Hi {{ user.name }}{{ secret }}!',
    })
    await exchange.extension('120', `connect.user,${userId}`)
    expect(await exchange.toDomain('120')).toBe(response(say('Hi Vera!', SPEECH), VOICEMAIL))
    await exchange.write('connect.user', userId, { voicemail_prompt: '' })
    expect(await exchange.toDomain('120')).toBe(response(say(sentence('leaveMessage'), SPEECH), VOICEMAIL))
  })

  test('a caller is told that a user without a voicemail cannot be rung', async () => {
    const userId = await exchange.user('nora', { client_enabled: false })
    await exchange.extension('121', `connect.user,${userId}`)
    expect(await exchange.toDomain('121')).toBe(SORRY)
  })

  test.each([
    ['a caller who hears that no one can be reached', false],
    ['a caller who leaves a message', true],
  ])('%s has called the person of whom no phone rings', async (_what, voicemail) => {
    const userId = await exchange.user(`paul${Number(voicemail)}`, {
      client_enabled: false,
      voicemail_enabled: voicemail,
    })
    const number = `+1415555017${Number(voicemail)}`
    await exchange.number(number, { destination: 'user', user: userId })
    const callId = await exchange.call()
    const silence = { callId, form: { To: number } }
    await exchange.toNumber(silence)
    await exchange.toNumber(silence)
    const [call] = await exchange.app.admin.ask<{ called_users: number[]; called_pbx_users: number[] }[]>(
      'connect.call',
      'read',
      { ids: [callId], fields: ['called_users', 'called_pbx_users'] },
    )
    expect(call?.called_pbx_users).toEqual([userId])
    expect(call?.called_users).toHaveLength(1)
  })

  test('a group without any phone was called as a whole, a menu that may lead elsewhere was not', async () => {
    const people = [
      await exchange.user('ina', { client_enabled: false }),
      await exchange.user('ivo', { client_enabled: false }),
    ]
    const calledIn = async (values: Record<string, unknown>): Promise<number[]> => {
      const flow = await exchange.flow({ ring_users: [[6, 0, people]], ...values })
      const callId = await exchange.call()
      await exchange.extension(String(flow + 7000), `connect.telco.callflow,${flow}`)
      await exchange.toDomain(String(flow + 7000), { callId, form: { From: '+14155550100' } })
      const [call] = await exchange.app.admin.ask<{ called_pbx_users: number[] }[]>('connect.call', 'read', {
        ...{ ids: [callId], fields: ['called_pbx_users'] },
      })
      return call?.called_pbx_users ?? []
    }
    expect(await calledIn({ gather_input: false })).toEqual(people)
    expect(await calledIn({ gather_input: true, prompt_message: 'Press a key.' })).toEqual([])
  })

  test('a user who has left the company is no destination any more', async () => {
    const userId = await exchange.user('gone')
    await exchange.extension('122', `connect.user,${userId}`)
    const callId = await exchange.call()
    await exchange.toDomain('122', { callId })
    await exchange.write('connect.user', userId, { active: false })
    expect(await exchange.toDomain('122')).toBe(response(say(sentence('extensionNotConfigured'))))
    expect(await exchange.userAction(userId, { callId, form: { DialCallStatus: 'no-answer' } })).toBe(SORRY)
  })

  test('an unknown user is answered with a sentence, and nothing is written', async () => {
    const callId = await exchange.call()
    expect(await exchange.userAction(0, { callId })).toBe(SORRY)
    expect(await exchange.userAction(999_999_999, { callId, query: 'done_callflows=1' })).toBe(SORRY)
    expect(await exchange.tried(callId)).toEqual([])
  })
})
