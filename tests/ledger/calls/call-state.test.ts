import { describe, expect, test } from 'vitest'
import type { LegFacts } from '../../../src/ledger/calls/call-legs.ts'
import { foldCall } from '../../../src/ledger/calls/call-state.ts'
import { compareStatuses, isTerminal, parseCallStatus, strongerStatus } from '../../../src/ledger/legs/call-status.ts'

function aLeg(fields: Partial<LegFacts> = {}): LegFacts {
  return {
    sid: 'CA0',
    parentSid: '',
    direction: 'inbound',
    status: 'completed',
    caller: '',
    called: '',
    to: '',
    callType: 'phone',
    duration: undefined,
    startedAtMs: undefined,
    answeredAtMs: undefined,
    endedAtMs: undefined,
    errorCode: '',
    errorMessage: '',
    callerName: '',
    stirVerstat: '',
    forwardedFrom: '',
    unbridgedDials: '',
    bridgedDials: '',
    conferenceSid: '',
    callerNumber: '+14155550100',
    calledNumber: '+14155550199',
    callerUserId: undefined,
    calledUserId: undefined,
    ...fields,
  }
}
const aChild = (sid: string, fields: Partial<LegFacts> = {}) =>
  aLeg({ sid, parentSid: 'CA0', direction: 'outbound-dial', ...fields })

test('there is no call without the leg that began it', () => {
  expect(foldCall([])).toBeUndefined()
  expect(foldCall([aChild('CA1')])).toBeUndefined()
})

test('legs of other calls and orphans play no part', () => {
  const facts = foldCall([aLeg()])
  expect(foldCall([aLeg(), aChild('CA2', { parentSid: 'CA8', calledUserId: 4 })])).toEqual(facts)
})

describe('the direction', () => {
  test.each([
    ['outbound-api', undefined, 'outgoing'],
    ['inbound', 7, 'outgoing'],
    ['inbound', undefined, 'incoming'],
    ['outbound-dial', undefined, 'outgoing'],
    [undefined, undefined, 'outgoing'],
  ] as const)('the direction of a first leg %s by user %s is %s', (direction, callerUserId, expected) => {
    expect(foldCall([aLeg({ direction, callerUserId })])?.direction).toBe(expected)
  })

  test('the direction is internal when a leg and its parent join two users', () => {
    expect(foldCall([aLeg({ callerUserId: 1 }), aChild('CA1', { calledUserId: 2 })])?.direction).toBe('internal')
    expect(foldCall([aLeg({ calledUserId: 2 }), aChild('CA1', { callerUserId: 1 })])?.direction).toBe('internal')
  })

  test('the direction is not internal for one user on both sides, or users of legs that are not parent and child', () => {
    const rung = aLeg({ direction: 'outbound-api', calledUserId: 1 })
    expect(foldCall([rung, aChild('CA1', { callerUserId: 1 })])?.direction).toBe('outgoing')
    expect(foldCall([aLeg(), aChild('CA1', { callerUserId: 1 }), aChild('CA2', { calledUserId: 2 })])?.direction).toBe(
      'incoming',
    )
  })
})

describe('the status of a live call', () => {
  test.each([
    ['what is being waited for', 'in-progress', ['ringing'], 'ringing'],
    ['the furthest leg', 'in-progress', ['ringing', 'in-progress', 'canceled'], 'in-progress'],
    ['the first leg between two dials', 'in-progress', ['no-answer'], 'in-progress'],
    ['that of the dialled leg when nothing more was said of the first leg', 'ringing', ['completed'], 'completed'],
    ['that of the newest dialled leg when nothing more was said of the first', 'ringing', ['no-answer'], 'no-answer'],
    ['a live leg when the first has ended', 'completed', ['ringing'], 'ringing'],
    ['the only leg', 'ringing', [], 'ringing'],
  ] as const)('the status of a live call is %s', (_what, root, children, expected) => {
    const legs = [aLeg({ status: root }), ...children.map((status, place) => aChild(`CA${place + 1}`, { status }))]
    expect(foldCall(legs)).toMatchObject({ status: expected, isFinished: false, wasMissed: false })
  })
})

describe('the status of a finished call', () => {
  test.each([
    ['completed when any dialled leg was', 'completed', ['completed', 'canceled'], 'completed'],
    ['completed when any dialled leg was, whatever the first leg says', 'no-answer', ['completed'], 'completed'],
    ['that of the newest dialled leg when no leg was', 'no-answer', ['busy', 'no-answer'], 'no-answer'],
    ['that of the only leg', 'completed', [], 'completed'],
    ['missed when the only leg was not answered', 'no-answer', [], 'no-answer'],
    ['canceled when the caller gave up', 'no-answer', ['canceled'], 'canceled'],
  ] as const)('the status of a finished call is %s', (_what, root, children, expected) => {
    const legs = [aLeg({ status: root }), ...children.map((status, place) => aChild(`CA${place + 1}`, { status }))]
    expect(foldCall(legs)).toMatchObject({ status: expected, isFinished: true, wasMissed: expected !== 'completed' })
  })

  test('the status of a finished call is completed when our markup answered, and yet the call was missed when nobody picked up', () => {
    const legs = [aLeg({ status: 'completed' }), aChild('CA1', { status: 'no-answer' })]
    expect(foldCall(legs)).toMatchObject({ status: 'completed', isFinished: true, wasMissed: true })
  })

  test('the status of a finished call is the plainest refusal of devices that rang at once, and the later of those that rang in turn', () => {
    const root = aLeg({ status: 'no-answer' })
    const rang = (sid: string, status: LegFacts['status'], startedAtMs: number) => aChild(sid, { status, startedAtMs })
    expect(foldCall([root, rang('CA1', 'busy', 5), rang('CA2', 'failed', 5)])?.status).toBe('busy')
    expect(foldCall([root, rang('CA1', 'busy', 5), rang('CA2', 'failed', 9)])?.status).toBe('failed')
  })

  test('the status of a finished call is missed for incoming calls only', () => {
    expect(foldCall([aLeg({ status: 'busy', callerUserId: 1 })])).toMatchObject({ status: 'busy', wasMissed: false })
  })
})

describe('who answered', () => {
  test('the answering user is who a dial connected, where another dial connected nobody and names no leg', () => {
    const root = aLeg({ unbridgedDials: '*', bridgedDials: 'CA2' })
    const legs = [root, aChild('CA1', { status: 'no-answer' }), aChild('CA2', { calledUserId: 2, isMobile: true })]
    expect(foldCall(legs)).toMatchObject({ legsOutcome: 'person', endReason: 'ended', answeredUserId: 2 })
  })

  test('the answering user is the user of the newest leg that was answered, not of the newest leg', () => {
    const legs = [
      aLeg(),
      aChild('CA1', { calledUserId: 1, status: 'completed', startedAtMs: 1 }),
      aChild('CA2', { calledUserId: 2, status: 'completed', startedAtMs: 2 }),
      aChild('CA3', { calledUserId: 3, status: 'no-answer', startedAtMs: 3 }),
    ]
    expect(foldCall(legs)).toMatchObject({ answeredUserId: 2, calledUserIds: [1, 2, 3] })
  })

  test('the answering user is known while the call is still going on, and after the answered leg failed', () => {
    const child = aChild('CA1', { calledUserId: 1, status: 'in-progress' })
    expect(foldCall([aLeg(), child])?.answeredUserId).toBe(1)
    expect(foldCall([aLeg(), { ...child, status: 'failed', answeredAtMs: 5 }])?.answeredUserId).toBe(1)
  })

  test('the answering user is the user of a single answered leg', () => {
    expect(foldCall([aLeg({ calledUserId: 1 })])).toMatchObject({ answeredUserId: 1, calledUserIds: [1] })
  })

  test('nobody answered when our own markup answered the first leg', () => {
    const rung = aLeg({ calledUserId: 1 })
    expect(foldCall([rung, aChild('CA1', { status: 'no-answer' })])?.answeredUserId).toBeUndefined()
  })
})

describe('a click-to-call', () => {
  const rung = aLeg({ direction: 'outbound-api', calledUserId: 1, calledNumber: '101', callerNumber: '+14155550199' })

  test('calls the number of the leg dialled out of it, for the user rung first', () => {
    const dialled = aChild('CA1', { calledNumber: '+14155550100', callerNumber: '+14155550199' })
    expect(foldCall([rung, dialled])).toMatchObject({
      called: '+14155550100',
      callerUserId: 1,
      calledUserIds: [],
      answeredUserId: undefined,
      externalNumbers: ['+14155550100', '+14155550199'],
    })
  })

  test('a click-to-call to a colleague is internal', () => {
    expect(foldCall([rung, aChild('CA1', { calledUserId: 2, calledNumber: '102' })])).toMatchObject({
      direction: 'internal',
      called: '102',
      calledUserIds: [2],
    })
  })

  test('keeps the user and number it was asked for', () => {
    const asked = aLeg({ direction: 'outbound-api', callerUserId: 1, calledNumber: '+14155550100' })
    expect(foldCall([asked])).toMatchObject({ callerUserId: 1, called: '+14155550100', calledUserIds: [] })
  })
})

test('times, errors and duration come from the legs that tell them', () => {
  const legs = [
    aLeg({ startedAtMs: 5, answeredAtMs: 6, endedAtMs: 90, duration: 84 }),
    aChild('CA1', { startedAtMs: 7, answeredAtMs: 20, endedAtMs: 80, duration: 60, errorCode: '13224' }),
    aChild('CA2', { startedAtMs: 3, endedAtMs: 95, status: 'failed' }),
  ]
  expect(foldCall(legs)).toMatchObject({
    startedAtMs: 3,
    endedAtMs: 95,
    duration: 84,
    hasError: true,
    errorCode: '13224',
  })
  expect(foldCall([aLeg({ status: 'ringing', endedAtMs: 9 })])).toMatchObject({ endedAtMs: undefined, duration: 0 })
})

test('statuses are known by name and ordered', () => {
  expect(parseCallStatus('no-answer')).toBe('no-answer')
  expect(parseCallStatus(' Completed')).toBe('completed')
  expect(parseCallStatus('ended')).toBeUndefined()
  expect(isTerminal('in-progress')).toBe(false)
  expect(strongerStatus('ringing', 'completed')).toBe('completed')
  expect(compareStatuses('initiated', 'ringing')).toBeLessThan(0)
})

describe('an agent that puts the caller through', () => {
  const agent = aChild('CA1', {
    to: 'sip:+14155550199@sip.rtc.elevenlabs.io',
    startedAtMs: 1_000,
    answeredAtMs: 2_000,
    endedAtMs: 9_000,
  })
  const rung = (fields: Partial<LegFacts>) => aChild('CA2', { startedAtMs: 10_000, endedAtMs: 20_000, ...fields })

  test.each([
    ['no-answer', 'nobody_answered'],
    ['busy', 'refused'],
    ['failed', 'not_reached'],
    ['canceled', 'caller_gave_up'],
    ['completed', 'ended'],
  ] as const)('a transfer of an agent to a phone that is %s in the end says %s', (status, endReason) => {
    expect(foldCall([aLeg(), agent, rung({ status })])).toMatchObject({ endReason })
  })

  test('an agent after phones that rang in vain is how the caller got an answer', () => {
    const facts = foldCall([aLeg(), rung({ status: 'no-answer', startedAtMs: 500, endedAtMs: 900 }), agent])
    expect(facts).toMatchObject({ legsOutcome: 'agent', endReason: 'ended' })
  })
})
