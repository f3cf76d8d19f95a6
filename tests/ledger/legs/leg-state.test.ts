import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { CALL_STATUSES, isTerminal, LEG_DIRECTIONS } from '../../../src/ledger/legs/call-status.ts'
import { type CallEvent, parseCallEvent } from '../../../src/ledger/legs/leg-event.ts'
import { type LegState, mergeLeg } from '../../../src/ledger/legs/leg-state.ts'

const maybe = <T>(values: fc.Arbitrary<T>) => fc.option(values, { nil: undefined })
const party = fc.constantFrom('', 'anonymous', 'client:a@x', 'sip:b@x', '+101', '101', '102', '+14155550100', '+4179')

const anyEvent: fc.Arbitrary<CallEvent> = fc.record({
  sid: fc.constant('CA1'),
  parentSid: fc.constantFrom('', 'CA0', 'CA9'),
  direction: maybe(fc.constantFrom(...LEG_DIRECTIONS)),
  status: maybe(fc.constantFrom(...CALL_STATUSES)),
  caller: party,
  called: party,
  to: party,
  callType: fc.constantFrom('phone', 'whatsapp'),
  duration: maybe(fc.nat(100)),
  timestampMs: maybe(fc.nat(1000)),
  errorCode: fc.constantFrom('', '0', '32009', '13224', '13214'),
  errorMessage: fc.constantFrom('', 'no', 'number not supported'),
  callerName: fc.constantFrom('', 'ACME', 'Zoe'),
  stirVerstat: fc.constantFrom('', 'TN-Validation-Passed-A'),
  forwardedFrom: fc.constantFrom('', '+41315550101'),
  unbridgedDial: fc.constantFrom('', 'CA2', 'CA3'),
  bridgedDial: fc.constantFrom('', 'CA2', 'CA4'),
  conferenceSid: fc.constantFrom('', 'CF1', 'CF2'),
})

const merged = (events: readonly CallEvent[]): LegState | undefined => {
  let state: LegState | undefined
  for (const event of events) state = mergeLeg(state, event)
  return state
}

describe('any events of a leg, even contradictory ones', () => {
  const events = fc.array(anyEvent, { minLength: 1, maxLength: 6 })

  test('end the same in any order and with any repeats', () => {
    const shuffled = events.chain((all) =>
      fc.tuple(fc.constant(all), fc.shuffledSubarray([...all, ...all], { minLength: all.length * 2 })),
    )
    fc.assert(
      fc.property(shuffled, ([all, other]) => {
        expect(merged(other)).toEqual(merged(all))
      }),
      { numRuns: 1000 },
    )
  })

  test('form a semilattice: groups of them are joined in any order, and once more changes nothing', () => {
    fc.assert(
      fc.property(events, events, events, (a, b, c) => {
        expect(merged([...a, ...b])).toEqual(merged([...b, ...a]))
        expect(merged([...a, ...b, ...c])).toEqual(merged([...b, ...c, ...a]))
        expect(merged([...a, ...a])).toEqual(merged(a))
      }),
      { numRuns: 1000 },
    )
  })

  test('events of a leg, even contradictory ones, never take back an end, a duration, an answer or a number', () => {
    fc.assert(
      fc.property(events, anyEvent, (before, event) => {
        const was = merged(before)
        if (was !== undefined) expectNothingLost(was, mergeLeg(was, event))
      }),
      { numRuns: 1000 },
    )
  })
})

function expectNothingLost(was: LegState, is: LegState): void {
  expect(isTerminal(is.status) || !isTerminal(was.status)).toBe(true)
  expect(is.duration ?? -1).toBeGreaterThanOrEqual(was.duration ?? -1)
  expect(is.answeredAtMs ?? Infinity).toBeLessThanOrEqual(was.answeredAtMs ?? Infinity)
  expect(isNumber(is.called) || !isNumber(was.called)).toBe(true)
  expect(is.errorCode !== '' || was.errorCode === '').toBe(true)
}

function isNumber(party: string): boolean {
  return /^\+?\d+$/.test(party)
}

const event = (fields: Record<string, string>): CallEvent => {
  const parsed = parseCallEvent({ CallSid: 'CA1', From: '+1', To: '+2', ...fields })
  if (parsed === undefined) throw new Error('no event')
  return parsed
}
const leg = (...all: Record<string, string>[]) => merged(all.map(event))

test('a late ringing does not reopen a completed leg', () => {
  expect(leg({ CallStatus: 'completed', CallDuration: '9' }, { CallStatus: 'ringing' })).toMatchObject({
    status: 'completed',
    duration: 9,
  })
})

test.each([
  ['completed', 'busy', 'completed'],
  ['busy', 'no-answer', 'busy'],
  ['no-answer', 'canceled', 'no-answer'],
  ['canceled', 'failed', 'canceled'],
])('a leg reported with the ends %s and %s is %s', (a, b, expected) => {
  expect(leg({ CallStatus: a }, { CallStatus: b })?.status).toBe(expected)
  expect(leg({ CallStatus: b }, { CallStatus: a })?.status).toBe(expected)
})

test('the earliest answer counts', () => {
  const late = { CallStatus: 'in-progress', Timestamp: 'Wed, 08 Oct 2025 13:54:20 +0000' }
  const early = { CallStatus: 'in-progress', Timestamp: 'Wed, 08 Oct 2025 13:54:12 +0000' }
  expect(leg(late, early)?.answeredAtMs).toBe(Date.UTC(2025, 9, 8, 13, 54, 12))
})

test('a terminal status never gets a smaller duration, and others get none', () => {
  expect(leg({ CallStatus: 'completed', CallDuration: '9' }, { CallStatus: 'completed', CallDuration: '0' })).toEqual(
    leg({ CallStatus: 'completed', CallDuration: '9' }),
  )
  expect(leg({ CallStatus: 'in-progress', CallDuration: '9' })?.duration).toBeUndefined()
})

test('a parent that appears later is kept, blanks take nothing away, WhatsApp stays', () => {
  expect(
    leg(
      { Caller: 'whatsapp:+380501234567' },
      { ParentCallSid: 'CA0', From: '', To: '', CallStatus: 'ringing' },
      { Called: 'client:alice@x', To: 'client:alice@x' },
    ),
  ).toMatchObject({ parentSid: 'CA0', caller: '+380501234567', called: '+2', to: '+2', callType: 'whatsapp' })
})

test('an unregistered device is no error, any other code is one and stays', () => {
  expect(leg({ ErrorCode: '32009', ErrorMessage: 'x' })).toMatchObject({ errorCode: '', errorMessage: '' })
  expect(leg({ ErrorCode: '0' })?.errorCode).toBe('')
  expect(leg({ ErrorCode: '13224', ErrorMessage: 'x' }, { CallStatus: 'completed' })).toMatchObject({
    errorCode: '13224',
    errorMessage: 'x',
  })
})

test('events of two legs are not mixed', () => {
  expect(() => mergeLeg(leg({}), { ...event({}), sid: 'CA2' })).toThrow('two legs')
})
