import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { renderMarkup } from '../../../src/telco/markup/verb.ts'
import { SYSTEM_ERROR } from '../../../src/telco/routing/decide/spoken-endings.ts'
import { sentence } from '../../../src/telco/sentences/sentence.ts'
import { clientDial, Exchange, MAIN_NUMBER, response, say, UNANSWERED } from './exchange.ts'

const NOT_CONFIGURED = response(say(sentence('numberNotConfigured')))

let now = new Date('2026-03-04T10:00:00Z')
let exchange: Exchange
let user = 0
let number = 0

beforeAll(async () => {
  exchange = await Exchange.start({ clock: () => now })
  user = await exchange.user('alice')
  number = await exchange.number(MAIN_NUMBER, {})
})

afterAll(() => exchange.stop())

const set = (values: Record<string, unknown>) => exchange.write('connect.telco.number', number, values)

test('a number that is none of ours is said to be none', async () => {
  for (const to of ['+14155559999', '', 'sip:x@y', 'not a number']) {
    expect(await exchange.toNumber({ form: { To: to } })).toBe(response(say(sentence('numberNotFound'))))
  }
})

test('the called party wins over the dialled one', async () => {
  await set({ destination: 'user', user })
  expect(await exchange.toNumber({ form: { Called: MAIN_NUMBER, To: '+14155559999' } })).toContain('<Client')
})

test('a number without destination, or with one that is gone, is said to be not configured', async () => {
  await set({ destination: null })
  expect(await exchange.toNumber()).toBe(NOT_CONFIGURED)
  await set({ destination: 'callflow' })
  expect(await exchange.toNumber()).toBe(NOT_CONFIGURED)
  const flow = await exchange.flow({})
  await set({ destination: 'callflow', callflow: flow })
  expect(await exchange.toNumber()).toContain(sentence('noActions'))
  await exchange.app.admin.ask('connect.telco.callflow', 'unlink', { ids: [flow] })
  expect(await exchange.toNumber()).toBe(NOT_CONFIGURED)
  await exchange.write('connect.user', user, { active: false })
  await set({ destination: 'user', user })
  expect(await exchange.toNumber()).toBe(NOT_CONFIGURED)
  await exchange.write('connect.user', user, { active: true })
})

test('a number can be answered by an application and by a voice agent', async () => {
  const markup = await exchange.create('connect.telco.markup', {
    name: 'Hi',
    markup: '<Response><Say>Hi {{ Caller }}</Say></Response>',
  })
  await set({ destination: 'markup', markup })
  expect(await exchange.toNumber({ form: { Caller: '+14155550100' } })).toBe(response(say('Hi +14155550100')))
  await set({ destination: 'voiceai_agent', voiceai_agent: await exchange.agent({ agent_uid: 'agent_1' }) })
  expect(await exchange.toNumber()).toContain(`<Sip `)
})

describe('what stands in for a destination', () => {
  let bob = 0
  let exten = 0
  beforeAll(async () => {
    bob = await exchange.user('bob')
    exten = await exchange.extension('102', `connect.user,${bob}`)
  })

  test('the extension of the number stands in once for a destination that nobody answers', async () => {
    await set({ destination: 'user', user, fallback_exten: exten, fallback_message: null })
    const callId = await exchange.call()
    const form = { DialCallStatus: 'no-answer' }
    await exchange.toNumber({ callId })
    const fallback = await exchange.userAction(user, { callId, form })
    expect(fallback).toBe(response(clientDial('bob', { userId: bob, query: '?fallback=1' })))
    expect(await exchange.userAction(bob, { callId, form, query: 'fallback=1' })).toBe(UNANSWERED)
  })

  test('the sentence of the number stands in, in its language, for a destination that nobody answers', async () => {
    await set({ fallback_exten: null, fallback_message: 'Bitte später <anrufen>!', language: 'de-DE' })
    const callId = await exchange.call()
    await exchange.toNumber({ callId })
    const sentence = response(say('Bitte später &lt;anrufen&gt;!', ' language="de-DE" voice="woman"'), '<Hangup/>')
    expect(await exchange.userAction(user, { callId, form: { DialCallStatus: 'busy' } })).toBe(sentence)
    expect(await exchange.flowAction(await exchange.flow({}), { form: { DialCallStatus: 'busy' } })).toBe(sentence)
    await set({ destination: null })
    expect(await exchange.toNumber()).toBe(sentence)
  })

  test('an extension that leads nowhere gives way to the sentence, and that to the usual one', async () => {
    const broken = await exchange.create('connect.telco.exten', { number: '103' })
    await set({ destination: null, fallback_exten: broken, fallback_message: 'Later.', language: null })
    expect(await exchange.toNumber()).toBe(response(say('Later.'), '<Hangup/>'))
    await set({ fallback_message: ' ' })
    expect(await exchange.toNumber()).toBe(NOT_CONFIGURED)
  })

  test('a number that the route of calls from phones answers is not called again', async () => {
    const route = { code_type: 'model_method', model: 'connect.telco.domain', method: 'route_call' }
    const markup = await exchange.create('connect.telco.markup', { name: 'Phones', ...route })
    await set({ destination: 'markup', markup, fallback_exten: null, fallback_message: null })
    expect(await exchange.toNumber({ form: { To: MAIN_NUMBER } })).toBe(renderMarkup(SYSTEM_ERROR()))
  })

  test('an extension that leads back to what failed does not go round', async () => {
    const own = await exchange.extension('104', `connect.user,${user}`)
    await set({ destination: 'user', user, fallback_exten: own })
    const callId = await exchange.call()
    const form = { DialCallStatus: 'no-answer' }
    await exchange.toNumber({ callId })
    expect(await exchange.userAction(user, { callId, form })).toContain('?fallback=1#e=')
    expect(await exchange.userAction(user, { callId, form, query: 'fallback=1' })).toBe(UNANSWERED)
    await set({ fallback_exten: null })
  })

  test('an error while rendering is never spoken', async () => {
    const markup = await exchange.create('connect.telco.markup', { name: 'Broken' })
    await exchange.app.db.query(
      (await import('../../../src/database/drizzle.ts'))
        .sql`update connect_telco_markup set markup = '<Response>{{ Caller | nonsense }}' where id = ${markup}::bigint`,
    )
    await set({ destination: 'markup', markup, fallback_exten: exten })
    expect(await exchange.toNumber()).toContain('<Identity>bob@')
    await set({ fallback_exten: null })
    // The sentence for an application whose template cannot be filled: docs/reference/domain.md#rendered-applications.
    expect(await exchange.toNumber()).toBe(renderMarkup(SYSTEM_ERROR()))
  })
})

describe('business hours', () => {
  let closedFor = 0
  beforeAll(async () => {
    const hours = await exchange.create('connect.telco.business_hours', { name: 'Office', tz: 'Europe/Zurich' })
    await exchange.create('connect.telco.opening', {
      business_hours: hours,
      dayofweek: '2',
      hour_from: 8,
      hour_to: 12.5,
    })
    await exchange.create('connect.telco.holiday', { business_hours: hours, name: 'Day off', date_from: '2026-03-11' })
    closedFor = await exchange.extension('199', `connect.telco.callflow,${await exchange.flow({ name: 'Night' })}`)
    await set({ destination: 'user', user, business_hours: hours })
  })

  const at = (time: string) => {
    now = new Date(time)
    return exchange.toNumber()
  }

  test('the destination answers while it is open', async () => {
    expect(await at('2026-03-04T07:00:00Z')).toContain('<Client')
    expect(await at('2026-03-04T11:29:59Z')).toContain('<Client')
  })

  test.each(['2026-03-04T06:59:59Z', '2026-03-04T11:30:00Z', '2026-03-05T10:00:00Z', '2026-03-11T10:00:00Z'])(
    'at %s it is closed',
    async (time) => {
      await set({ closed_exten: null, closed_message: null })
      expect(await at(time)).toBe(response(say(sentence('closed')), '<Hangup/>'))
      await set({ closed_message: 'Closed.' })
      expect(await at(time)).toBe(response(say('Closed.'), '<Hangup/>'))
      await set({ closed_exten: closedFor })
      expect(await at(time)).toContain(sentence('noActions'))
    },
  )

  test.each([
    ['connect.telco.business_hours', { name: 'x', tz: 'Mars/Crater' }, 'time zone'],
    ['connect.telco.business_hours', { name: 'x' }, 'required'],
    ['connect.telco.opening', { business_hours: 1, dayofweek: '1', hour_from: 9, hour_to: 9 }, 'after'],
    ['connect.telco.opening', { business_hours: 1, dayofweek: '7', hour_from: 9, hour_to: 10 }, 'must be one of'],
    [
      'connect.telco.holiday',
      { business_hours: 1, name: 'x', date_from: '2026-03-11', date_to: '2026-03-10' },
      'after',
    ],
  ])('%s refuses %j', async (model, vals, words) => {
    const hours = await exchange.app.admin.ask('connect.telco.business_hours', 'create', {
      vals_list: { name: 'theirs', tz: 'Europe/Zurich' },
    })
    const ofThem = 'business_hours' in vals ? { ...vals, business_hours: hours } : vals
    const answer = await exchange.app.admin.call(model, 'create', { vals_list: ofThem })
    expect(answer.status).toBe(422)
    expect(answer.text).toContain(words)
  })
})
