// What callers hear from the service itself: never a bare end while nobody answers, in the language of the person they
// called, the same again when the provider asks again, and whether they are recorded.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sentence } from '../../../src/telco/sentences/sentence.ts'
import { Exchange, HANGUP, HOST, MAIN_NUMBER, response, say, sipDial, UNANSWERED } from './exchange.ts'

const GERMAN = ' language="de-DE" voice="woman"'
const UNANSWERED_GERMAN = response(say(sentence('nobodyAnswers', 'de'), GERMAN), '<Pause length="1"/><Hangup/>')
const NO_ANSWER = { DialCallStatus: 'no-answer' }

let exchange: Exchange
let number = 0

beforeAll(async () => {
  exchange = await Exchange.start()
  number = await exchange.number(MAIN_NUMBER, {})
})
afterAll(() => exchange.stop())

const set = (values: Record<string, unknown>) => exchange.write('connect.telco.number', number, values)
let legs = 0
const ended = (leg = `CA-leg-${legs++}`): Record<string, string> => ({ ...NO_ANSWER, DialCallSid: leg })

describe('nobody answers and there is no voicemail', () => {
  test('a user who does not answer: a sentence in the language of the user', async () => {
    const user = await exchange.user('gerda', { language: 'de-DE' })
    await set({ destination: 'user', user })
    const callId = await exchange.call()
    await exchange.toNumber({ callId })
    expect(await exchange.userAction(user, { callId, form: ended() })).toBe(UNANSWERED_GERMAN)
    expect(await exchange.tried(callId)).toEqual([])
  })

  test('a user whom the caller has left: nothing is said to nobody', async () => {
    const user = await exchange.user('gone')
    expect(await exchange.userAction(user, { form: { ...NO_ANSWER, CallStatus: 'completed' } })).toBe(HANGUP)
  })

  test('a flow where nobody answers: a sentence in its language and voice, or what the number has instead', async () => {
    const flow = await exchange.flow({ language: 'de-DE' })
    expect(await exchange.flowAction(flow, { form: ended() })).toBe(UNANSWERED_GERMAN)
    await set({ fallback_message: 'Morgen wieder.', language: 'de-DE' })
    const own = response(say('Morgen wieder.', GERMAN), '<Hangup/>')
    expect(await exchange.flowAction(flow, { form: ended() })).toBe(own)
    await set({ fallback_message: null, language: 'en-US' })
  })

  test('an agent that does not answer: a sentence in the language that it speaks', async () => {
    const agent = await exchange.agent({ agent_uid: 'agent_fr', language: 'fr' })
    expect(await exchange.agentAction(agent, { form: ended() })).toContain(
      `<Say language="fr-FR" voice="woman">${sentence('nobodyAnswers', 'fr')}<`,
    )
  })
})

describe('what cannot be connected', () => {
  test('what cannot be connected is said in the language of the number', async () => {
    await set({ destination: null, language: 'it-IT' })
    const spoken = ' language="it-IT" voice="woman"'
    expect(await exchange.toNumber()).toBe(response(say(sentence('numberNotConfigured', 'it'), spoken)))
    await set({ language: 'en-GB' })
    expect(await exchange.toNumber()).toBe(response(say(sentence('numberNotConfigured'))))
    await set({ language: 'en-US' })
  })

  test('what cannot be connected is said in the language of the colleague who calls', async () => {
    await exchange.user('pavel', { language: 'cs-CZ' })
    const form = { From: `sip:pavel@${HOST}` }
    const spoken = ' language="cs-CZ" voice="Google.cs-CZ-Standard-A"'
    const notFound = response(say(sentence('extensionNotFound', 'cs'), spoken))
    expect(await exchange.toDomain('sip:987@x', { form })).toBe(notFound)
    const empty = await exchange.create('connect.telco.exten', { number: '986' })
    expect(empty).toBeGreaterThan(0)
    expect(await exchange.toDomain('sip:986@x', { form })).toBe(
      response(say(sentence('extensionNotConfigured', 'cs'), spoken)),
    )
    expect(await exchange.toDomain('+14155550123', { form })).toBe(response(say(sentence('noCallerId', 'cs'), spoken)))
  })

  test('behind a menu is said in the language of the menu', async () => {
    const flow = await exchange.flow({ language: 'de-DE', gather_input: true, prompt_message: 'Bitte wählen.' })
    const exten = await exchange.create('connect.telco.exten', { number: '985' })
    await exchange.create('connect.telco.callflow_choice', { callflow: flow, choice_digits: '1', exten })
    const answer = await exchange.gather(flow, { form: { Digits: '1' } })
    expect(answer).toBe(response(say(sentence('extensionNotConfigured', 'de'), GERMAN)))
  })
})

describe('texts that a record begins with', () => {
  const read = async (model: string, id: number, fields: string[]) =>
    (await exchange.app.admin.ask<Record<string, unknown>[]>(model, 'read', { ids: [id], fields }))[0]
  const flow = (values: object) => exchange.create('connect.telco.callflow', { name: 'Menu', ...values })

  test('the texts that a record begins with are in its language, and follow it while nobody has changed them', async () => {
    const id = await flow({ language: 'de-DE', invalid_input_message: 'Wie bitte?' })
    const fields = ['prompt_message', 'invalid_input_message']
    const prompt = sentence('welcome', 'de')
    expect(await read('connect.telco.callflow', id, fields)).toMatchObject({
      prompt_message: prompt,
      invalid_input_message: 'Wie bitte?',
    })
    await exchange.write('connect.telco.callflow', id, { language: 'es-MX', prompt_message: prompt })
    expect(await read('connect.telco.callflow', id, fields)).toMatchObject({
      prompt_message: sentence('welcome', 'es'),
      invalid_input_message: 'Wie bitte?',
    })
  })

  test('the texts that a phone user begins with name the user in any language', async () => {
    const id = await exchange.user('yrsa', { language: 'is-IS', voicemail_enabled: true, client_enabled: false })
    await set({ destination: 'user', user: id })
    expect(await exchange.toNumber()).toContain('>Yrsa getur ekki svarað símtalinu núna.')
    await exchange.write('connect.user', id, { voicemail_prompt: ' ' })
    expect(await exchange.toNumber()).toContain(`>${sentence('leaveMessage', 'is')}<`)
  })
})

describe('the end of a leg that is reported again', () => {
  test('the end of a leg that is reported again gets the same answer, and moves nothing', async () => {
    const user = await exchange.user('twice', { sip_enabled: true, voicemail_enabled: true })
    await set({ destination: 'user', user })
    const callId = await exchange.call()
    await exchange.toNumber({ callId })
    const first = { callId, form: ended() }
    const sip = response(sipDial('twice', { userId: user }))
    expect(await exchange.userAction(user, first)).toBe(sip)
    expect(await exchange.userAction(user, first)).toBe(sip)
    expect(await exchange.tried(callId)).toEqual(['client', 'sip'])
    const second = { callId, form: ended() }
    const voicemail = await exchange.userAction(user, second)
    expect(voicemail).toContain('<Record ')
    // Late, after the next leg has ended too.
    expect(await exchange.userAction(user, first)).toBe(sip)
    expect(await exchange.userAction(user, second)).toBe(voicemail)
    expect(await exchange.tried(callId)).toEqual(['client', 'sip', 'voicemail'])
  })

  test('the end of a leg that is reported again at the same time gets one answer', async () => {
    const user = await exchange.user('atonce', { sip_enabled: true, voicemail_enabled: true })
    await set({ destination: 'user', user })
    const callId = await exchange.call()
    await exchange.toNumber({ callId })
    const first = { callId, form: ended() }
    const answers = await Promise.all([1, 2, 3].map(() => exchange.userAction(user, first)))
    expect(new Set(answers)).toEqual(new Set([response(sipDial('atonce', { userId: user }))]))
    expect(await exchange.tried(callId)).toEqual(['client', 'sip'])
  })

  test('rings nobody anew when it was the last one', async () => {
    const user = await exchange.user('last')
    await set({ destination: 'user', user })
    const callId = await exchange.call()
    await exchange.toNumber({ callId })
    const last = { callId, form: ended() }
    expect(await exchange.userAction(user, last)).toBe(UNANSWERED)
    expect(await exchange.userAction(user, last)).toBe(UNANSWERED)
    expect(await exchange.tried(callId)).toEqual([])
  })

  test('takes no ringing back that stands in for it', async () => {
    const deputy = await exchange.user('deputy', { sip_enabled: true })
    const exten = await exchange.extension('777', `connect.user,${deputy}`)
    const flow = await exchange.flow({ fallback_exten: exten })
    const callId = await exchange.call()
    const group = { callId, form: ended() }
    const rung = await exchange.flowAction(flow, group)
    expect(rung).toContain(`<Identity>deputy@${HOST}`)
    const next = { callId, query: 'fallback=1', form: ended() }
    expect(await exchange.userAction(deputy, next)).toContain('<Sip ')
    expect(await exchange.flowAction(flow, group)).toBe(rung)
    expect(await exchange.tried(callId)).toEqual(['client', 'sip'])
  })

  test('the ends of two legs that are reported are two ends', async () => {
    const user = await exchange.user('legs', { sip_enabled: true })
    await set({ destination: 'user', user })
    const callId = await exchange.call()
    await exchange.toNumber({ callId })
    expect(await exchange.userAction(user, { callId, form: ended() })).toContain('<Sip ')
    expect(await exchange.userAction(user, { callId, form: ended() })).toBe(UNANSWERED)
  })
})

describe('a recorded call', () => {
  const announced = (on: boolean) => exchange.settings({ announce_recordings: on })
  const ANNOUNCEMENT = say(sentence('callIsRecorded', 'de'), GERMAN)

  test('a recorded call is recorded without a word unless the settings want it', async () => {
    const user = await exchange.user('quiet', { language: 'de-DE', record_calls: true })
    await set({ destination: 'user', user })
    const markup = await exchange.toNumber()
    expect(markup).toContain(' record="record-from-answer"')
    expect(markup).not.toContain('<Say')
  })

  test('the recording of a call to a user is announced once, after the greeting, and not when a message is asked for', async () => {
    await announced(true)
    const user = await exchange.user('loud', {
      ...{ language: 'de-DE', record_calls: true, sip_enabled: true, voicemail_enabled: true },
      greeting_message: 'Guten Tag.',
    })
    await set({ destination: 'user', user })
    const callId = await exchange.call()
    expect(await exchange.toNumber({ callId })).toMatch(
      new RegExp(`^<Response>${say('Guten Tag.', GERMAN)}${ANNOUNCEMENT}<Dial `),
    )
    expect(await exchange.userAction(user, { callId, form: ended() })).not.toContain('aufgezeichnet')
    await exchange.write('connect.user', user, { client_enabled: false, sip_enabled: false })
    expect(await exchange.toNumber()).not.toContain('aufgezeichnet')
    await exchange.write('connect.user', user, { client_enabled: true, record_calls: false })
    expect(await exchange.toNumber()).not.toContain('aufgezeichnet')
  })

  test('the recording of a call to a flow is announced before its phones ring', async () => {
    await announced(true)
    const user = await exchange.user('group')
    const flow = await exchange.flow({ language: 'de-DE', record_calls: true, ring_users: [[6, 0, [user]]] })
    await set({ destination: 'callflow', callflow: flow })
    expect(await exchange.toNumber()).toContain(`<Response>${ANNOUNCEMENT}<Dial `)
    await announced(false)
    expect(await exchange.toNumber()).not.toContain('aufgezeichnet')
  })
})
