// Realistic calls as the provider reports them, each callback a form; and the PBX they reach.

import { type LegFacts, legFacts } from '../../src/ledger/calls/call-legs.ts'
import { type CallFacts, foldCall } from '../../src/ledger/calls/call-state.ts'
import { parseCallEvent } from '../../src/ledger/legs/leg-event.ts'
import { type LegState, mergeLeg } from '../../src/ledger/legs/leg-state.ts'
import { groupRelated } from '../../src/ledger/legs/leg-tree.ts'
import { type FindUser, withBareExtensions } from '../../src/ledger/legs/party.ts'

export type Form = Record<string, string>

export const CUSTOMER = '+14155550100'
export const OUR_NUMBER = '+14155550199'
export const ALICE = 1
export const BOB = 2

const USERS = new Map([
  ['alice', { id: ALICE, extension: '101' }],
  ['bob', { id: BOB, extension: '102' }],
])
export const findUser: FindUser = (username) => USERS.get(username)

export const sipOf = (username: string): string => `sip:${username}@acme.sip.telco.com`
export const clientOf = (username: string): string => `client:${username}@acme.sip.telco.com`

const START_MS = Date.UTC(2025, 9, 8, 13, 54, 0)

/** The provider's notation for that many seconds after the call began. */
export const at = (seconds: number): string => new Date(START_MS + seconds * 1000).toUTCString().replace('GMT', '+0000')

interface Party {
  readonly sid: string
  readonly parentSid?: string
  readonly direction: string
  readonly from: string
  readonly to: string
}

/** A voice request: the leg asks for markup. It says nothing of time or order. */
export function voice(leg: Party, status: string): Form {
  return {
    CallSid: leg.sid,
    ...(leg.parentSid === undefined ? {} : { ParentCallSid: leg.parentSid }),
    AccountSid: 'AC1',
    Direction: leg.direction,
    CallStatus: status,
    From: leg.from,
    Caller: leg.from,
    To: leg.to,
    Called: leg.to,
  }
}

/** A status callback of a leg. */
export function status(leg: Party, sequence: number, seconds: number, fields: Form): Form {
  return {
    ...voice(leg, ''),
    CallbackSource: 'call-progress-events',
    SequenceNumber: String(sequence),
    Timestamp: at(seconds),
    ...fields,
  }
}

/** The life of a dialled leg: initiated, answered and completed, as the service subscribes to them. */
export function answeredLeg(leg: Party, [began, answered, ended]: readonly [number, number, number]): Form[] {
  return [
    status(leg, 0, began, { CallStatus: 'initiated' }),
    status(leg, 1, answered, { CallStatus: 'in-progress' }),
    status(leg, 2, ended, { CallStatus: 'completed', CallDuration: String(ended - answered), Duration: '1' }),
  ]
}

const ended = (callStatus: string, duration = 0): Form => ({ CallStatus: callStatus, CallDuration: String(duration) })

const root = (from: string, to: string, direction = 'inbound'): Party => ({ sid: 'CA00', direction, from, to })
const child = (sid: string, from: string, to: string): Party => ({
  sid,
  parentSid: 'CA00',
  direction: 'outbound-dial',
  from,
  to,
})

export interface Scenario {
  readonly name: string
  readonly callbacks: readonly Form[]
  readonly expected: Partial<CallFacts>
}

const inbound = root(CUSTOMER, OUR_NUMBER)
const whatsAppRoot = root(`whatsapp:${CUSTOMER}`, `whatsapp:${OUR_NUMBER}`)
const internal = root(sipOf('alice'), sipOf('102'))
const outbound = root(sipOf('alice'), sipOf(CUSTOMER))
const clickToCall = root(OUR_NUMBER, clientOf('alice'), 'outbound-api')

export const SCENARIOS: readonly Scenario[] = [
  {
    name: 'an answered call to a number',
    callbacks: [
      voice(inbound, 'ringing'),
      ...answeredLeg(child('CA01', CUSTOMER, clientOf('alice')), [1, 6, 43]),
      voice(inbound, 'in-progress'),
      status(inbound, 0, 44, ended('completed', 44)),
    ],
    expected: {
      direction: 'incoming',
      status: 'completed',
      caller: CUSTOMER,
      called: OUR_NUMBER,
      duration: 44,
      answeredUserId: ALICE,
      calledUserIds: [ALICE],
      externalNumbers: [CUSTOMER],
      isFinished: true,
      wasMissed: false,
      legsOutcome: 'person',
      endReason: 'ended',
      strip: [
        { kind: 'menu', from_ms: 0, to_ms: 1_000, who: null },
        { kind: 'ringing', from_ms: 1_000, to_ms: 6_000, who: ['connect.user', ALICE] },
        { kind: 'person', from_ms: 6_000, to_ms: 43_000, who: ['connect.user', ALICE] },
        { kind: 'menu', from_ms: 43_000, to_ms: 44_000, who: null },
      ],
    },
  },
  {
    name: 'two telephones ringing at once, one answering',
    callbacks: [
      voice(inbound, 'ringing'),
      status(child('CA01', CUSTOMER, sipOf('alice')), 0, 9, ended('canceled')),
      ...answeredLeg(child('CA02', CUSTOMER, clientOf('bob')), [1, 9, 40]),
      status(inbound, 0, 41, ended('completed', 41)),
    ],
    expected: {
      status: 'completed',
      answeredUserId: BOB,
      calledUserIds: [ALICE, BOB],
      wasMissed: false,
      legsOutcome: 'person',
    },
  },
  {
    name: 'a missed ring group with a voicemail',
    callbacks: [
      voice(inbound, 'ringing'),
      status(child('CA01', CUSTOMER, sipOf('alice')), 0, 2, {
        ...ended('failed'),
        ErrorCode: '32009',
        ErrorMessage: 'not registered',
      }),
      status(child('CA02', CUSTOMER, clientOf('alice')), 0, 31, ended('no-answer')),
      status(child('CA03', CUSTOMER, clientOf('bob')), 0, 31, ended('no-answer')),
      voice(inbound, 'in-progress'),
      status(inbound, 0, 75, ended('completed', 75)),
    ],
    expected: {
      direction: 'incoming',
      status: 'completed',
      duration: 75,
      answeredUserId: undefined,
      calledUserIds: [ALICE, BOB],
      hasError: false,
      isFinished: true,
      wasMissed: true,
      legsOutcome: 'missed',
      endReason: 'nobody_answered',
    },
  },
  {
    name: 'one user calling another',
    callbacks: [
      voice(internal, 'ringing'),
      ...answeredLeg(child('CA01', '+101', sipOf('bob')), [1, 4, 20]),
      status(internal, 0, 21, ended('completed', 21)),
    ],
    expected: {
      direction: 'internal',
      status: 'completed',
      caller: '101',
      called: '102',
      callerUserId: ALICE,
      answeredUserId: BOB,
      calledUserIds: [BOB],
    },
  },
  {
    name: 'a call out from a SIP telephone',
    callbacks: [
      voice(outbound, 'ringing'),
      ...answeredLeg(child('CA01', OUR_NUMBER, CUSTOMER), [1, 8, 68]),
      status(outbound, 0, 69, ended('completed', 69)),
    ],
    expected: {
      direction: 'outgoing',
      status: 'completed',
      caller: '101',
      called: CUSTOMER,
      callerUserId: ALICE,
      answeredUserId: undefined,
      externalNumbers: [CUSTOMER],
    },
  },
  {
    name: 'a call to a voice agent, transferred to a user',
    callbacks: [
      voice(inbound, 'ringing'),
      ...answeredLeg(child('CA01', CUSTOMER, 'sip:agent_7@sip.rtc.voiceai.io:5060;transport=tcp'), [1, 2, 60]),
      ...answeredLeg(child('CA02', CUSTOMER, clientOf('bob')), [61, 65, 125]),
      status(inbound, 0, 126, ended('completed', 126)),
    ],
    expected: {
      direction: 'incoming',
      status: 'completed',
      duration: 126,
      answeredUserId: BOB,
      calledUserIds: [BOB],
      legsOutcome: 'agent_person',
      strip: [
        { kind: 'menu', from_ms: 0, to_ms: 1_000, who: null },
        { kind: 'ringing', from_ms: 1_000, to_ms: 2_000, who: null },
        { kind: 'agent', from_ms: 2_000, to_ms: 60_000, who: null },
        { kind: 'menu', from_ms: 60_000, to_ms: 61_000, who: null },
        { kind: 'ringing', from_ms: 61_000, to_ms: 65_000, who: ['connect.user', BOB] },
        { kind: 'person', from_ms: 65_000, to_ms: 125_000, who: ['connect.user', BOB] },
        { kind: 'menu', from_ms: 125_000, to_ms: 126_000, who: null },
      ],
    },
  },
  {
    name: 'a WhatsApp call nobody answers',
    callbacks: [
      voice(whatsAppRoot, 'ringing'),
      status(child('CA01', CUSTOMER, clientOf('alice')), 0, 1, { CallStatus: 'initiated' }),
      status(child('CA01', CUSTOMER, clientOf('alice')), 1, 31, ended('busy')),
      status(child('CA02', CUSTOMER, clientOf('bob')), 0, 1, { CallStatus: 'initiated' }),
      status(child('CA02', CUSTOMER, clientOf('bob')), 1, 31, ended('no-answer')),
      status(whatsAppRoot, 0, 32, ended('completed', 32)),
    ],
    expected: {
      callType: 'whatsapp',
      caller: CUSTOMER,
      called: OUR_NUMBER,
      status: 'completed',
      wasMissed: true,
      legsOutcome: 'missed',
    },
  },
  {
    name: 'a click-to-call',
    callbacks: [
      ...answeredLeg(clickToCall, [0, 3, 64]),
      voice(clickToCall, 'in-progress'),
      ...answeredLeg(child('CA01', clientOf('alice'), CUSTOMER), [3, 10, 63]),
    ],
    expected: {
      direction: 'outgoing',
      status: 'completed',
      caller: OUR_NUMBER,
      called: CUSTOMER,
      callerUserId: ALICE,
      answeredUserId: undefined,
      calledUserIds: [],
      duration: 61,
      wasMissed: false,
      legsOutcome: 'person',
    },
  },
  {
    name: 'a call out that fails at the provider',
    callbacks: [
      voice(outbound, 'ringing'),
      status(child('CA01', OUR_NUMBER, CUSTOMER), 0, 1, { CallStatus: 'initiated' }),
      status(child('CA01', OUR_NUMBER, CUSTOMER), 1, 2, {
        ...ended('failed'),
        ErrorCode: '13224',
        ErrorMessage: 'Dial: number not supported',
      }),
      status(outbound, 0, 5, ended('completed', 5)),
    ],
    expected: {
      direction: 'outgoing',
      status: 'completed',
      hasError: true,
      errorCode: '13224',
      wasMissed: false,
      legsOutcome: 'failed',
      endReason: 'not_reached',
    },
  },
]

export interface Ledger {
  readonly legs: readonly LegState[]
  readonly calls: readonly CallFacts[]
}

/** What the ledger holds after these callbacks, taken one by one as they come. */
export function ledgerAfter(callbacks: Iterable<Form>): Ledger {
  const legs = new Map<string, LegState>()
  for (const form of callbacks) {
    const parsed = parseCallEvent(form)
    if (parsed === undefined) continue
    const event = withBareExtensions(parsed, (number) => number === '101' || number === '102')
    legs.set(event.sid, mergeLeg(legs.get(event.sid), event))
  }
  const facts: LegFacts[] = [...legs.values()].map((leg) => legFacts(leg, findUser))
  const calls = groupRelated(facts)
    .map((call) => foldCall(call))
    .filter((call) => call !== undefined)
  return { legs: [...legs.values()].sort((a, b) => (a.sid < b.sid ? -1 : 1)), calls }
}
