// Whatever a form holds, the caller hears something that the provider can carry out.
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { parseCallEvent } from '../../../src/ledger/legs/leg-event.ts'
import { userCallAction } from '../../../src/telco/routing/decide/call-actions.ts'
import { routeApplication, routeDomain, routeNumber } from '../../../src/telco/routing/decide/destination.ts'
import { gatherResult } from '../../../src/telco/routing/decide/gather-result.ts'
import { anyCharacter } from '../../support/any-text.ts'
import { type CallOptions, Exchange, HOST, MAIN_NUMBER, valid } from './exchange.ts'

const RUNS = 60

let exchange: Exchange
let ids: { user: number; flow: number; agent: number; application: number }

beforeAll(async () => {
  exchange = await Exchange.start()
  const user = await exchange.user('alice', { sip_enabled: true, voicemail_enabled: true, greeting_message: 'Hi!' })
  const flow = await exchange.flow({ prompt_message: 'Choose.', gather_input: true, gather_input_type: 'dtmf speech' })
  const exten = await exchange.extension('101', `connect.user,${user}`)
  await exchange.create('connect.telco.callflow_choice', { callflow: flow, choice_digits: '1', exten, speech: 'alice' })
  const agent = await exchange.agent({ agent_uid: 'agent_1' })
  const application = await exchange.create('connect.telco.markup', {
    name: 'Echo',
    markup: `<Response><Say>{{ Caller }}{{ To }}{{ SpeechResult }}</Say><Dial callerId="{{ From | default: 'anonymous' }}">{{ To }}</Dial></Response>`,
  })
  ids = { user, flow, agent, application }
  await exchange.extension('102', `connect.telco.callflow,${flow}`)
  await exchange.extension('103', `connect.voiceai_agent,${agent}`)
  await exchange.extension('104', `connect.telco.markup,${application}`)
  await exchange.extension('2\\d+', `connect.telco.callflow,${await exchange.flow({ name: 'Pattern' })}`)
  await exchange.number(MAIN_NUMBER, { destination: 'user', user, fallback_exten: exten, fallback_message: 'Bye.' })
})

afterAll(() => exchange.stop())

const party = fc.oneof(
  fc.string({ unit: anyCharacter, maxLength: 300 }),
  fc.constantFrom(
    '',
    MAIN_NUMBER,
    '+380501234567',
    '101',
    '102',
    '103',
    '104',
    '215',
    'anonymous',
    'whatsapp:+1',
    'null',
  ),
  fc.constantFrom(`sip:alice@${HOST}`, `client:alice@${HOST}`, 'sip:', '<Hangup/>', "'; drop table connect_call; --"),
  fc.constantFrom('whatsapp:+380501234567', `sip:+380501234567@${HOST}`, '\u0000', '{{ Caller }}', 'x'.repeat(10_000)),
)
const word = fc.oneof(
  party,
  fc.constantFrom('completed', 'no-answer', 'busy', 'in-progress', 'ringing', 'true', 'false', '1', '9', 'alice'),
)
const form = fc.record(
  {
    From: party,
    To: party,
    Caller: party,
    Called: party,
    forward_to: party,
    Direction: word,
    CallStatus: word,
    DialCallStatus: word,
    DialBridged: word,
    Digits: word,
    SpeechResult: word,
  },
  { requiredKeys: [] },
)
const query = fc.oneof(
  fc.constantFrom('', 'fallback=1', 'invalid=2', 'done_callflows=1,2,3', 'forward_to=102', 'invalid=9999999999'),
  fc.string({ unit: anyCharacter, maxLength: 50 }),
)

type Ask = (options: CallOptions) => Promise<string>

const ways: [string, Ask][] = [
  ['a number', (options) => exchange.toNumber(options)],
  ['the domain', async (options) => valid(await exchange.route(routeDomain, await exchange.request(options)))],
  ['a user', (options) => exchange.userAction(ids.user, options)],
  ['a flow', (options) => exchange.flowAction(ids.flow, options)],
  ['an agent', (options) => exchange.agentAction(ids.agent, options)],
  ['a menu', (options) => exchange.gather(ids.flow, options)],
]

test.each(ways)('%s', async (_what, ask) => {
  const callId = await exchange.call()
  await fc.assert(
    fc.asyncProperty(form, query, fc.boolean(), async (fields, search, isKnown) => {
      const options = { form: fields, query: search, callId: isKnown ? callId : 0 }
      expect(await ask(options)).toMatch(/^<Response>.*<\/Response>$/s)
    }),
    { numRuns: RUNS },
  )
})

test('an application, whose template may be strange but never harmful', async () => {
  await fc.assert(
    fc.asyncProperty(form, async (fields) => {
      const request = await exchange.request({ form: fields, callId: 0, record: ids.application })
      const markup = await exchange.route(routeApplication, request)
      expect(markup.match(/<Dial|<Say/g)?.length).toBe(2)
      expect(markup).not.toContain('<Hangup')
    }),
    { numRuns: RUNS },
  )
})

test('a request that names no call is answered too', async () => {
  const request = (record: number) => ({
    form: {},
    query: new URLSearchParams(),
    event: parseCallEvent({}),
    params: { record: String(record) },
    callId: undefined,
  })
  for (const answer of [
    exchange.route(routeNumber, request(0)),
    exchange.route(routeDomain, request(0)),
    exchange.route(gatherResult, request(ids.flow)),
    exchange.route(userCallAction, request(ids.user)),
  ]) {
    valid(await answer)
  }
})
