// Where moments stand on the line of a call whose provider has a clock of its own.
import { expect, test } from 'vitest'
import { onLine } from '../../../src/ledger/timeline/call-line.ts'
import { legMoments } from '../../../src/ledger/timeline/ledger-moments.ts'
import type { Draft } from '../../../src/ledger/timeline/moment.ts'

const BEGAN_MS = Date.parse('2026-03-02T09:00:00Z')
const LEG = {
  id: 1,
  sid: 'CA1',
  status: 'completed',
  from: 'a',
  to: 'b',
  caller_name: null,
  ...{ parent_sid: null, unbridged_dials: null, bridged_dials: null, is_own_phone: false },
  called_name: null,
  error: null,
}

function delivered(title: string, writtenMs: number, happenedMs?: number): Draft {
  const base = { kind: 'request', lane: 'routing', params: {}, clock: 'ours', rank: 1, delivery: writtenMs } as const
  return { ...base, title, writtenMs: BEGAN_MS + writtenMs, happenedMs: happenedMs && BEGAN_MS + happenedMs }
}

function lineOf(drafts: readonly Draft[]): [title: string, ms: number][] {
  return onLine(drafts, BEGAN_MS, true).map(({ title, ms }) => [title, ms])
}

test.each([-900, 0, 400, 1_900])(
  'a request that arrives %i ms after the begin of the call stays there, whatever a later report leaps to',
  (ms) => {
    const drafts = [delivered('call_arrives', ms), delivered('report', ms + 90, 23_000)]
    expect(lineOf(drafts)).toEqual([
      ['call_arrives', Math.max(0, ms)],
      ['report', 23_000],
    ])
  },
)

test.each([
  ['our clock agrees', 100, 7_400, 7_400],
  ['our clock agrees, and the turn is late', 100, 6_700, 7_000],
  ['our clock is apart, and by chance near the turn', 6_400, 6_600, 7_000],
  ['our clock is apart', 60_000, 67_300, 7_300],
])('a tool stands with its turn, to the millisecond where that can be said: %s', (_what, arrivesMs, usedMs, at) => {
  const arrives = delivered('call_arrives', arrivesMs, arrivesMs > 2_000 ? 1 : undefined)
  const tool = { ...delivered('tool', usedMs), spokenMs: BEGAN_MS + 7_000 }
  expect(lineOf([arrives, tool]).at(-1)).toEqual(['tool', at + (arrivesMs === 60_000 ? 1 : 0)])
})

test('a report before which nothing agreed puts what came before it onto its clock', () => {
  const drafts = [delivered('asked', 60_000), delivered('report', 61_000, 5_000)]
  expect(lineOf(drafts)).toEqual([
    ['asked', 4_000],
    ['report', 5_000],
  ])
})

test('a call within one second ends after the last delivery about it, and a leg it dialled begins with the first', () => {
  const at = '2026-03-02 09:00:00'
  const leg = { ...LEG, started_at: at, answered_at: at, ended_at: at, create_date: at }
  const row = (id: number, sid: string, ms: number, body: string) => {
    const rest = { area: 'telco', route: '/r', tool: null, verdict: 'handled', reason: null, ms: 1, budget_ms: null }
    return { id, sid, at: `${at}.${ms}`, body, reply: null, ...rest }
  }
  const rows = [
    row(1, 'CA1', 200, 'CallStatus=ringing'),
    row(2, 'CA2', 300, 'CallStatus=initiated'),
    row(3, 'CA2', 400, 'CallStatus=in-progress'),
    row(4, 'CA2', 500, 'CallStatus=completed'),
    row(5, 'CA1', 600, 'CallStatus=completed'),
  ]
  const moments = lineOf(legMoments([leg, { ...leg, id: 2, sid: 'CA2' }], rows, new Map()))
  expect(moments).toEqual([
    ['leg_begins', 0],
    ['leg_answered', 0],
    ['leg_begins', 300],
    ['leg_answered', 400],
    ['leg_ended', 500],
    ['leg_ended', 600],
  ])
})

test('a leg whose first report comes a second later begins after the answer that dialled it, and not before', () => {
  const at = '2026-03-02 09:00:00'
  const leg = { ...LEG, started_at: at, answered_at: null, ended_at: null, create_date: at, status: 'ringing' }
  const row = (id: number, sid: string, ms: number, body: string) => {
    const rest = { area: 'telco', route: '/r', tool: null, verdict: 'handled', reason: null, ms: 1, budget_ms: null }
    return { id, sid, at: new Date(Date.parse(`${at}Z`) + ms).toISOString().slice(0, -1), body, reply: null, ...rest }
  }
  const rows = [
    row(1, 'CA1', 200, 'CallStatus=ringing'),
    row(2, 'CA1', 700, 'CallStatus=in-progress&Digits=1'),
    row(3, 'CA2', 1_050, 'CallStatus=initiated'),
  ]
  const moments = lineOf(legMoments([leg, { ...leg, id: 2, sid: 'CA2', parent_sid: 'CA1' }], rows, new Map()))
  expect(moments).toEqual([
    ['leg_begins', 0],
    ['leg_begins', 700],
  ])
})

test("the caller's own phone is called before anything is reported of it", () => {
  const at = '2026-03-02 09:00:00'
  const own = { ...LEG, is_own_phone: true, status: 'failed', create_date: at, started_at: at, answered_at: null }
  const legs = legMoments([{ ...own, ended_at: at }], [], new Map())
  expect(lineOf([delivered('report', 0), ...legs]).map(([title]) => title)).toEqual([
    'own_phone_first',
    'report',
    'leg_ended',
  ])
})
