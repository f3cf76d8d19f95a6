import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { sql } from '../../../src/database/drizzle.ts'
import type { SettingsSnapshot } from '../../../src/platform/settings/settings.ts'
import type { AgentCall } from '../../../src/ports/agent-connector.ts'
import { renderMarkup } from '../../../src/telco/markup/verb.ts'
import { routeToAgent } from '../../../src/telco/routing/decide/agent.ts'
import { contextOf } from '../../../src/telco/routing/decide/context.ts'
import { sentence } from '../../../src/telco/sentences/sentence.ts'
import { aDialPlan } from '../../support/dial-plan.ts'
import {
  BASE,
  CUSTOMER,
  EDGE,
  Exchange,
  HANGUP,
  MAIN_NUMBER,
  response,
  SORRY,
  STATUS_URL,
  say,
  valid,
} from './exchange.ts'

const STREAM =
  '<Response><Connect><Stream url="wss://agents.example.com/s"><Parameter name="conversation_id" value="c1"/></Stream></Connect></Response>'

interface Handover {
  caller?: string
  sid?: string
  callId?: number
  agentUid?: string
  defaultCallerId?: string | undefined
}

let exchange: Exchange
let agent = 0
let number = 0
let registered: { call: AgentCall; timeoutMs: number }[] = []
let register: () => Promise<string | undefined>

beforeAll(async () => {
  const connector = {
    registerCall(call: AgentCall, timeoutMs: number) {
      registered.push({ call, timeoutMs })
      return register()
    },
  }
  exchange = await Exchange.start({ connector })
  agent = await exchange.agent({ agent_uid: 'agent_1' })
  number = await exchange.number(MAIN_NUMBER, { destination: 'voiceai_agent', voiceai_agent: agent })
})

afterAll(() => exchange.stop())

beforeEach(() => {
  registered = []
  register = async () => undefined
})

function sipDial({ sid = '', callerId = CUSTOMER, callId = 0, query = '', agentId = agent } = {}): string {
  const headers = `${callId === 0 ? '' : `X-Connect-Call-Ref=${callId}&amp;`}X-CALL-ID=${sid}`
  const action = `${BASE}/telco/webhook/connect.voiceai_agent/call_action/${agentId}${query}${EDGE}`
  return `<Dial timeout="20" callerId="${callerId}" action="${action}"><Sip statusCallback="${STATUS_URL}" statusCallbackEvent="initiated answered completed">sip:agent_1@sip.rtc.elevenlabs.io:5060;transport=tcp?${headers}</Sip></Dial>`
}

describe('registering the call', () => {
  test("answers the platform's markup, asked with all that it needs to know", async () => {
    register = async () => STREAM
    const callId = await exchange.call()
    expect(await exchange.toNumber({ callId, form: { CallSid: 'CA-register' } })).toBe(STREAM)
    const call = {
      agentUid: 'agent_1',
      callId,
      callSid: 'CA-register',
      from: CUSTOMER,
      to: MAIN_NUMBER,
      direction: 'inbound',
    }
    expect(registered).toEqual([{ call, timeoutMs: 4_000 }])
  })

  test('tells calls of ours from calls to us, and numbers from addresses', async () => {
    await exchange.toNumber({ form: { Direction: 'outbound-api', From: 'sip:bob@acme.sip.twilio.com' } })
    await exchange.toNumber({ form: { From: '' } })
    expect(registered.map(({ call }) => [call.direction, call.from])).toEqual([
      ['outbound', 'bob'],
      ['inbound', 'anonymous'],
    ])
  })

  test('happens outside of the transaction', async () => {
    register = async () => {
      await exchange.app.db.query(sql`select 1`)
      return STREAM
    }
    expect(await exchange.toNumber()).toBe(STREAM)
  })

  test.each([
    ['has no API key', async () => undefined],
    ['refuses', () => Promise.reject(new Error('quota'))],
    ['answers nothing', async () => ''],
    ['answers an empty document', async () => '<Response/>'],
    ['answers something else', async () => '{"detail":"no"}'],
    ['answers a page', async () => '<html><body>502</body></html>'],
    ['has a barred number called', async () => '<Response><Dial><Number>&#43;19005550100</Number></Dial></Response>'],
    ['writes to one', async () => '<Response><Message to="+8816123456789">Hi</Message></Response>'],
    ['answers too much', async () => `<Response><Say>${'x'.repeat(70_000)}</Say></Response>`],
  ])('gives way to SIP when the platform %s', async (_what, answer) => {
    register = answer
    const callId = await exchange.call()
    expect(await exchange.toNumber({ callId, form: { CallSid: 'CA-sip' } })).toBe(
      response(sipDial({ callId, sid: 'CA-sip' })),
    )
  })

  test('registering the call is not waited for longer than four seconds', async () => {
    register = () => new Promise(() => undefined)
    expect(await exchange.toNumber()).toContain('<Sip')
    expect(registered).toMatchObject([{ timeoutMs: 4_000 }])
  })

  test('registering the call is left out for an agent that is called by SIP, and for one that its platform does not have', async () => {
    register = async () => STREAM
    await exchange.write('connect.voiceai_agent', agent, { connect_method: 'sip' })
    expect(await exchange.toNumber()).toContain('<Sip')
    await exchange.write('connect.voiceai_agent', agent, { connect_method: 'register', agent_uid: null })
    expect(await exchange.toNumber()).toContain(sentence('agentNotConfigured'))
    await exchange.write('connect.voiceai_agent', agent, { agent_uid: 'agent_1' })
    expect(registered).toEqual([])
  })
})

describe('calling the agent over SIP', () => {
  test('the agent is asked for by its id, whether a number was called or an extension', async () => {
    const extension = await exchange.extension('700', `connect.voiceai_agent,${agent}`)
    expect(extension).toBeGreaterThan(0)
    const form = { CallSid: 'CA-sip' }
    expect(await exchange.toDomain('700', { callId: 0, form })).toBe(
      response(sipDial({ callerId: 'anonymous', sid: 'CA-sip' })),
    )
    expect(await exchange.toNumber({ callId: 0, form })).toBe(response(sipDial({ sid: 'CA-sip' })))
  })

  test('a caller that is no number is shown by the default caller id', async () => {
    await exchange.create('connect.telco.outgoing_callerid', {
      number: '+14155550160',
      friendly_name: 'Desk',
      callerid_type: 'number',
      is_default: true,
    })
    expect(await exchange.toDomain('700', { callId: 0 })).toContain('callerId="+14155550160"')
  })

  test('the call remembers its first agent', async () => {
    const callId = await exchange.call()
    await exchange.toNumber({ callId })
    const other = await exchange.agent({ name: 'Other', agent_uid: 'agent_2' })
    await exchange.extension('701', `connect.voiceai_agent,${other}`)
    await exchange.toDomain('701', { callId })
    const [call] = await exchange.app.db.query<{ voiceai_agent: number }>(
      sql`select voiceai_agent from connect_call where id = ${callId}::bigint`,
    )
    expect(call?.voiceai_agent).toBe(agent)
  })

  test('an agent that has no id is said to be not configured', async () => {
    const nameless = await exchange.agent({ name: 'Nameless' })
    await exchange.extension('702', `connect.voiceai_agent,${nameless}`)
    expect(await exchange.toDomain('702')).toBe(response(say(sentence('agentNotConfigured')), '<Hangup/>'))
    await exchange.write('connect.voiceai_agent', nameless, { fallback_message: 'Bis später.', language: 'de' })
    expect(await exchange.toDomain('702')).toBe(
      response(say('Bis später.', ' language="de-DE" voice="woman"'), '<Hangup/>'),
    )
  })
})

describe('the dial of an agent', () => {
  const fallback = { exten: null, message: null, language: undefined }
  const settings = { apiUrl: BASE, telcoEdge: 'ashburn' } as SettingsSnapshot

  function dialOf({ caller = CUSTOMER, sid = 'CA1', callId, agentUid = 'agent_7', defaultCallerId }: Handover): string {
    const parties = { caller, called: MAIN_NUMBER, dialled: MAIN_NUMBER, dialledLeg: '' }
    const agent = { id: 7, agentUid, isRegistered: false, fallback, defaultCallerId }
    const plan = aDialPlan({ agents: new Map([[7, agent]]) })
    const call = { sid, callId, isOutbound: false, fields: {}, ...parties }
    const context = contextOf(call, { plan, settings, now: new Date() })
    const decided = routeToAgent(context, 7)
    return decided?.kind === 'verbs' ? valid(renderMarkup(decided.verbs)) : ''
  }

  test('the dial of an agent names our call when it is known, and the leg when it has one', () => {
    const sip = '>sip:agent_7@sip.rtc.elevenlabs.io:5060;transport=tcp'
    expect(dialOf({ callId: 42 })).toContain(`${sip}?X-Connect-Call-Ref=42&amp;X-CALL-ID=CA1</Sip>`)
    expect(dialOf({})).toContain(`${sip}?X-CALL-ID=CA1</Sip>`)
    expect(dialOf({ sid: '' })).toContain(`${sip}</Sip>`)
    expect(dialOf({ agentUid: 'a b@c' })).toContain('>sip:a%20b%40c@sip.')
  })

  test.each([
    ['+14155550100', '+14155550199', '+14155550100'],
    ['client:alice@acme', '+14155550199', '+14155550199'],
    ['sip:100@acme', undefined, 'anonymous'],
    ['', 'client:x', 'anonymous'],
    ['+0', undefined, 'anonymous'],
  ])('the dial of an agent shows a number: %j with the default %j is %j', (caller, defaultCallerId, expected) => {
    expect(dialOf({ caller, defaultCallerId })).toContain(`callerId="${expected}"`)
  })
})

describe('after the agent was called', () => {
  test.each([
    ['they talked', { DialCallStatus: 'completed', DialBridged: 'true' }],
    ['the caller is gone', { CallStatus: 'completed', DialCallStatus: 'no-answer' }],
  ])('a call after the agent was called ends when %s', async (_what, form) => {
    expect(await exchange.agentAction(agent, { form })).toBe(HANGUP)
  })

  test("what stands in is the number's, then the agent's, then a sentence", async () => {
    const form = { DialCallStatus: 'failed' }
    expect(await exchange.agentAction(agent, { form })).toBe(SORRY)
    expect(await exchange.agentAction(0, { form })).toBe(SORRY)
    await exchange.write('connect.voiceai_agent', agent, { fallback_message: 'The agent is busy.' })
    expect(await exchange.agentAction(agent, { form })).toBe(
      response(say('The agent is busy.', ' language="en-US" voice="woman"'), '<Hangup/>'),
    )
    const person = await exchange.extension('710', `connect.user,${await exchange.user('paula')}`)
    await exchange.write('connect.voiceai_agent', agent, { fallback_exten: person })
    expect(await exchange.agentAction(agent, { form })).toContain('<Identity>paula@')
    expect(await exchange.agentAction(agent, { form, query: 'fallback=1' })).toContain('The agent is busy.')
    await exchange.write('connect.telco.number', number, { fallback_message: 'Nobody is here.' })
    expect(await exchange.agentAction(agent, { form })).toContain('Nobody is here.')
  })
})
