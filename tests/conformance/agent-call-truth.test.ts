// What a call with a voice agent says of itself: who is on the line while it goes on, and afterwards only what the platform found out.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sql } from '../../src/database/drizzle.ts'
import { noticeModel } from '../../src/platform/notices/notice.ts'
import { aConversationId, aTranscript, callOf, deliver, useSecret } from '../fixtures/post-call.ts'
import { aVoiceAgent } from '../fixtures/records.ts'
import { callback, type Leg, newSid, Office, requestOf } from '../support/telco-office.ts'

const NUMBER = '+14155550177'
const AGENT_ADDRESS = 'sip:agent_true@sip.rtc.elevenlabs.io:5060;transport=tcp'

let office: Office
let agent = 0

beforeAll(async () => {
  office = await Office.start()
  await useSecret(office.app)
  agent = await aVoiceAgent(office.app, 'agent_true', { name: 'Helpdesk' })
  await office.number(NUMBER, { destination: 'voiceai_agent', voiceai_agent: agent })
})
afterAll(() => office.stop())

async function seen(conversationId: string, fields: readonly string[]) {
  const { id } = await callOf(office.app, conversationId)
  const [call] = await office.list('connect.call', [['id', '=', id]], fields)
  return { id, call: (call ?? {}) as Record<string, unknown> }
}

async function told(data: Record<string, unknown>, fields: readonly string[]) {
  const conversationId = aConversationId()
  const body = aTranscript({ conversationId })
  for (const [part, values] of Object.entries(data)) {
    const whole = Array.isArray(values) || body.data[part] === undefined
    body.data[part] = whole ? values : { ...(body.data[part] as object), ...(values as object) }
  }
  await deliver(office.app, body)
  return seen(conversationId, fields)
}

describe('the analysis of a conversation', () => {
  const FIELDS = [
    ...[
      'conversation_result',
      'conversation_criteria',
      'conversation_data',
      'conversation_cost',
      'conversation_cost_usd',
    ],
    ...['conversation_charging', 'conversation_language', 'conversation_tags'],
  ]

  it('criteria, data fields, cost, language and tags of a delivery are stored on the call', async () => {
    const { call } = await told(
      {
        tag_ids: ['tag_vip', 'tag_boiler'],
        metadata: {
          cost: 296,
          cost_fiat: 0.0296,
          main_language: 'de',
          charging: {
            dev_discount: false,
            tier: 'pro',
            call_charge: 250,
            llm_charge: 46,
            llm_usage: { irreversible_generation: {} },
          },
        },
        analysis: {
          call_successful: 'failure',
          evaluation_criteria_results: {
            solved: {
              criteria_id: 'solved',
              result: 'failure',
              rationale: 'No visit was booked.',
              score: 1,
              max_score: 5,
            },
          },
          data_collection_results: {
            street: {
              data_collection_id: 'street',
              value: 'Main Street 1',
              rationale: 'Said twice.',
              json_schema: null,
            },
            floor: { data_collection_id: 'floor', value: 3, rationale: '' },
            floors: { data_collection_id: 'floors', value: [1, 2], rationale: 'Both leak.' },
            email: { data_collection_id: 'email', value: null, rationale: 'Not asked.' },
          },
        },
      },
      FIELDS,
    )
    expect(call).toMatchObject({
      conversation_result: 'failure',
      conversation_criteria: [
        { id: 'solved', result: 'failure', rationale: 'No visit was booked.', score: 1, max_score: 5 },
      ],
      conversation_data: [
        { id: 'street', value: 'Main Street 1', rationale: 'Said twice.' },
        { id: 'floor', value: 3, rationale: null },
        { id: 'floors', value: '[1,2]', rationale: 'Both leak.' },
        { id: 'email', value: null, rationale: 'Not asked.' },
      ],
      conversation_cost: 296,
      conversation_cost_usd: 0.0296,
      conversation_charging: { dev_discount: false, tier: 'pro', call_charge: 250, llm_charge: 46 },
      conversation_language: 'de',
      conversation_tags: ['tag_vip', 'tag_boiler'],
    })
  })

  it('results that come as lists alone are read too', async () => {
    const analysis = {
      evaluation_criteria_results: {},
      evaluation_criteria_results_list: [{ criteria_id: 'polite', result: 'success', rationale: 'Always.' }],
      data_collection_results_list: [{ data_collection_id: 'name', name: 'Name', value: 'Zoe', rationale: '' }],
    }
    const { call } = await told({ analysis }, FIELDS)
    expect(call).toMatchObject({
      conversation_criteria: [{ id: 'polite', result: 'success', rationale: 'Always.' }],
      conversation_data: [{ id: 'name', name: 'Name', value: 'Zoe', rationale: null }],
    })
  })

  it.each([
    ['nothing', { analysis: null, metadata: { cost: null, main_language: null, charging: null } }],
    [
      'values of other kinds',
      {
        tag_ids: 'tag',
        metadata: { cost: -1, cost_fiat: 'free', main_language: 7, charging: [] },
        analysis: { evaluation_criteria_results: [], data_collection_results: 'none' },
      },
    ],
  ])('a call of whose conversation %s is told has no analysis', async (_what, data) => {
    const { call } = await told(data, FIELDS)
    for (const name of FIELDS.slice(1)) expect(call[name] ?? null, name).toBe(null)
  })
})

describe('a call in which the caller said nothing', () => {
  const turn = (role: string, message: string | null) => ({ role, message, time_in_call_secs: 0 })

  it.each([
    ['the greeting alone', [turn('agent', 'Hello!')], true],
    ['dots of the caller', [turn('agent', 'Hello!'), turn('user', '...'), turn('user', ' … ')], true],
    ['a word of the caller', [turn('agent', 'Hello!'), turn('user', 'Yes.')], false],
    ['nothing at all', [], false],
  ])('a conversation with %s is silent: %j', async (_what, transcript, silent) => {
    const { id, call } = await told(
      {
        transcript,
        analysis: { call_successful: 'unknown' },
        metadata: { termination_reason: 'Client disconnected: 1005' },
      },
      ['outcome', 'nobody_spoke'],
    )
    expect(call).toMatchObject({ outcome: 'agent', nobody_spoke: silent })
    const why = await office.app.admin.ask<{ code: string; sentence: string }>('connect.call', 'explain', { ids: [id] })
    expect(why.code === 'agent_silent').toBe(silent)
    expect(why.sentence.startsWith('The caller said nothing')).toBe(silent)
  })

  it('silence after a talk is not told as a call in which the caller said nothing', async () => {
    const { id, call } = await told({ metadata: { termination_reason: 'Silence end call timeout reached' } }, [
      'nobody_spoke',
    ])
    expect(call).toMatchObject({ nobody_spoke: false })
    const why = await office.app.admin.ask<{ sentence: string }>('connect.call', 'explain', { ids: [id] })
    expect(why.sentence).toMatch(/after a silence/)
  })
})

describe('a live call of an agent', () => {
  const LIVE = ['outcome', 'status', 'answered_at', 'strip', 'voiceai_agent']
  const find = async ({ sid }: Leg) =>
    (await office.only('connect.call', [['call_sid', '=', sid]], LIVE)) as Record<string, unknown>
  const kinds = (call: Record<string, unknown>) => (call.strip as { kind: string }[]).map(({ kind }) => kind)

  it('a live call of an agent is answered from the moment our answer connected it, whatever is reported of the caller, and its line is the agent', async () => {
    const root = { sid: newSid(), from: '+14155550801', to: NUMBER }
    await office.voice('number', requestOf(root))
    const call = await find(root)
    expect(call).toMatchObject({ outcome: 'in_progress', answered_at: expect.any(String) })
    await office.reports(callback(root, 'ringing', { sequence: 1 }))
    expect(kinds(await find(root)).at(-1)).toBe('agent')
    expect(await find(root)).toMatchObject({ outcome: 'in_progress', answered_at: call.answered_at })
    await office.reports(callback(root, 'in-progress', { sequence: 2, seconds: 1 }))
    expect(await find(root)).toMatchObject({ outcome: 'in_progress', answered_at: call.answered_at })
    // Afterwards the conversation says when it was answered.
    await office.reports(callback(root, 'completed', { sequence: 3, seconds: 20 }))
    expect(await find(root)).toMatchObject({ outcome: 'agent', answered_at: null })
  })

  it('a live call that is dialled over SIP instead rings until the agent answers', async () => {
    const root = { sid: newSid(), from: '+14155550802', to: NUMBER }
    await office.voice('number', requestOf(root))
    const leg: Leg = { sid: newSid(), parent: root.sid, direction: 'outbound-dial', from: root.from, to: AGENT_ADDRESS }
    await office.reports(callback(leg, 'initiated', { sequence: 0, seconds: 1 }))
    expect(await find(root)).toMatchObject({ outcome: 'in_progress', answered_at: null })
    await office.reports(callback(leg, 'in-progress', { sequence: 1, seconds: 2 }))
    expect(await find(root)).toMatchObject({ outcome: 'in_progress', answered_at: expect.any(String) })
  })

  it('a live call of an agent that is always called over SIP rings until the agent answers', async () => {
    await office.write('connect.voiceai_agent', agent, { connect_method: 'sip' })
    const root = { sid: newSid(), from: '+14155550803', to: NUMBER }
    await office.voice('number', requestOf(root))
    expect(await find(root)).toMatchObject({ outcome: 'in_progress', answered_at: null })
    await office.write('connect.voiceai_agent', agent, { connect_method: 'register' })
  })
})

describe('a notice of a missed call', () => {
  it.each([
    ['the name of the contact', '+14155550811', 'Yara Novak', 'Missed call from Yara Novak'],
    ['the number of a stranger', '+14155550812', undefined, 'Missed call from +14155550812'],
    ['that a number is withheld', 'anonymous', undefined, 'Missed call from a withheld number'],
  ])('a notice of a missed call says %s', async (_what, from, name, title) => {
    const username = `rung${from.replaceAll(/\W/g, '')}`
    const { loginId } = await office.user(username, String(300 + title.length))
    if (name !== undefined) await office.contact(name, { phone: from })
    const root: Leg = { sid: newSid(), from }
    const to = `client:${username}@acme.sip.twilio.com`
    const leg: Leg = { sid: newSid(), parent: root.sid, direction: 'outbound-dial', from, to }
    await office.reports(callback(root, 'ringing'), callback(leg, 'no-answer', { sequence: 1 }))
    await office.reports(callback(root, 'completed', { sequence: 2 }))
    const notices = await office.app.db.query<{ kind: string; detail: string | null }>(
      sql`select kind, detail from connect_notice where "user" = ${loginId}::bigint`,
    )
    expect(notices.map((notice) => noticeModel.display?.show(notice as never))).toEqual([title])
  })
})
