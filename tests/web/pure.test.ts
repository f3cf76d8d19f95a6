// What the pages decide without a browser: cases in tables.
import { describe, expect, test } from 'vitest'
import { domainOf, readCallsSearch } from '../../web/calls/calls-search.ts'
import { sinceBegin } from '../../web/calls/moments.ts'
import { domainOf as contactsDomain } from '../../web/contacts/contacts-search.ts'
import { kindOf, readError } from '../../web/data/errors.ts'
import { readDeliveriesSearch } from '../../web/deliveries/deliveries-search.ts'
import { pressed } from '../../web/design/keys.ts'
import { outcomeOf } from '../../web/lines/outcome-of.ts'
import { type StripCall, type StripLeg, stripOf } from '../../web/lines/strip-geometry.ts'
import { changesOf } from '../../web/records/record-values.ts'
import { wayBack } from '../../web/sign-in/way-back.ts'
import { stagesOf } from '../../web/tickets/stages.ts'
import { readTicketsSearch } from '../../web/tickets/tickets-search.ts'
import { count, duration, plain, readInstant, shortTime, startOfToday } from '../../web/words/formats.ts'

const NOW = new Date('2026-11-22T21:00:00Z')
const ZURICH = { language: 'en-GB', zone: 'Europe/Zurich' }

describe('formats', () => {
  test.each([
    [0, '0:00'],
    [23, '0:23'],
    [61.6, '1:02'],
    [3_723, '1:02:03'],
    [-5, '0:00'],
  ])('%d seconds are %s', (seconds, shown) => expect(duration(seconds)).toBe(shown))

  test.each([
    ['2026-11-22 20:45:06', '21:45:06'],
    ['2026-11-21 08:22:00', '21 Nov, 09:22'],
    ['2025-11-21 08:22:00', '21 Nov 2025, 09:22'],
  ])('%s is %s to a reader in Zurich', (at, shown) => expect(shortTime(readInstant(at), NOW, ZURICH)).toBe(shown))

  test.each([
    ['2026-11-22T21:00:00Z', 'Europe/Zurich', '2026-11-21 23:00:00'],
    ['2026-11-22T23:30:00Z', 'Europe/Zurich', '2026-11-22 23:00:00'],
    ['2026-11-22T03:30:00Z', 'America/New_York', '2026-11-21 05:00:00'],
  ])('the day of %s in %s began at %s', (now, zone, start) => expect(startOfToday(new Date(now), zone)).toBe(start))

  test('what was not counted to its end says so', () => {
    expect([count(412, 'en'), count(10_001, 'en')]).toEqual(['412', '10,000+'])
  })

  test('a turned direction of writing is seen', () => expect(plain('+41\u202e31')).toBe('+41␣31'))
})

describe('the strip of a call', () => {
  const nobody: StripCall = {
    direction: 'incoming',
    voiceai_agent: null,
    answered_user: null,
    answered_pbx_user: null,
    voicemail_duration: null,
    has_error: false,
  }
  const leg = (from: number, answered: number | undefined, to: number | undefined, isChild = false): StripLeg => ({
    startedMs: from,
    answeredMs: answered,
    endedMs: to,
    isChild,
    hasPerson: isChild,
  })
  const drawn = (call: Partial<StripCall>, legs: StripLeg[], now = 60_000) =>
    stripOf({ ...nobody, ...call }, legs, now).segments.map(({ kind, fromMs, toMs }) => [kind, fromMs, toMs])

  test.each<[string, Partial<StripCall>, StripLeg[], unknown[]]>([
    ['of a call that nobody answered rings to its end', {}, [leg(0, undefined, 7_000)], [['ringing', 0, 7_000]]],
    [
      'of a colleague rings until they answer',
      { answered_user: [1, 'Eve'] },
      [leg(0, 0, 20_000), leg(1_000, 5_000, 20_000, true)],
      [
        ['ringing', 0, 5_000],
        ['person', 5_000, 20_000],
      ],
    ],
    ['of an agent is the agent', { voiceai_agent: [1, 'A'] }, [leg(0, undefined, 23_000)], [['agent', 0, 23_000]]],
    [
      'of an agent who hands over is both',
      { voiceai_agent: [1, 'A'], answered_user: [1, 'Eve'] },
      [leg(0, 1_000, 30_000), leg(10_000, 15_000, 30_000, true)],
      [
        ['ringing', 0, 1_000],
        ['agent', 1_000, 15_000],
        ['person', 15_000, 30_000],
      ],
    ],
    [
      'of a voicemail ends with it',
      { voicemail_duration: 4 },
      [leg(0, 0, 12_000)],
      [
        ['ringing', 0, 8_000],
        ['voicemail', 8_000, 12_000],
      ],
    ],
    ['without legs is empty', {}, [], []],
  ])('%s', (_what, call, legs, segments) => expect(drawn(call, legs)).toEqual(segments))

  test('grows while the call goes on, and breaks where nobody talked', () => {
    expect(stripOf(nobody, [leg(0, undefined, undefined)], 9_000)).toMatchObject({ lengthMs: 9_000, isBroken: false })
    expect(stripOf(nobody, [leg(0, undefined, 7_000)], 9_000)).toMatchObject({ lengthMs: 7_000, isBroken: true })
  })
})

test.each([
  [{ status: 'ringing' }, 'ringing'],
  [{ status: 'in-progress' }, 'in_progress'],
  [{ status: 'completed', direction: 'incoming' }, 'missed'],
  [{ status: 'canceled', direction: 'incoming' }, 'given_up'],
  [{ status: 'completed', answered_user: [1, 'Eve'] }, 'person'],
  [{ status: 'completed', voiceai_agent: [1, 'A'] }, 'agent'],
  [{ status: 'completed', voiceai_agent: [1, 'A'], answered_pbx_user: [1, 'Eve'] }, 'agent_person'],
  [{ status: 'completed', voiceai_agent: [1, 'A'], has_error: true }, 'failed'],
  [{ status: 'completed', voicemail_url: 'https://x' }, 'voicemail'],
  [{ status: 'busy', direction: 'outgoing' }, 'busy'],
  [{ status: 'no-answer', direction: 'outgoing' }, 'no_answer'],
])('a call with %j is %s', (call, outcome) => {
  const rest = { status: null, direction: null, voiceai_agent: null, answered_user: null }
  expect(outcomeOf({ ...rest, answered_pbx_user: null, voicemail_url: null, has_error: false, ...call } as never)).toBe(
    outcome,
  )
})

describe('an address', () => {
  test('says a filter, and nothing that is none', () => {
    const search = { show: 'missed', direction: 'sideways', day: 'today', number: 41, contact: '3', evil: 1 }
    expect(readCallsSearch(search)).toEqual({ show: 'missed', day: 'today', number: '41' })
    expect(readTicketsSearch({ as: 'list', team: 'x', mine: 'true' })).toEqual({ as: 'list' })
    expect(readDeliveriesSearch({ verdict: 'rejected', open: 5 })).toEqual({ verdict: 'rejected', open: 5 })
  })

  test('an address of the calls is a search', () => {
    expect(domainOf({ number: '0041 31', direction: 'incoming', contact: 3 }, NOW, 'UTC')).toEqual([
      ['direction', '=', 'incoming'],
      '|',
      ['caller', 'like', '4131'],
      ['called', 'like', '4131'],
      ['partner', '=', 3],
    ])
    expect(domainOf({ day: 'today' }, NOW, 'Europe/Zurich')).toEqual([['create_date', '>=', '2026-11-21 23:00:00']])
  })

  test.each(['0041 31 380', '+41 (31) 380', '41/31-380'])('finds a contact by a number written as %s', (text) => {
    expect(contactsDomain({ text })).toEqual([
      '|',
      ['phone_normalized', 'like', '4131380'],
      ['mobile_normalized', 'like', '4131380'],
    ])
  })

  test.each([
    ['/calls/7?tab=about', '/calls/7?tab=about'],
    ['//evil.example', '/'],
    ['/\\evil.example', '/'],
    ['https://evil.example', '/'],
    ['javascript:alert(1)', '/'],
    [undefined, '/'],
  ])('%s leads back to %s', (next, path) => expect(wayBack(next)).toBe(path))
})

test.each([
  [{ '?': 1, 'g n': 1 }, undefined, '?', '?'],
  [{ 'g n': 1, n: 1 }, 'g', 'n', 'g n'],
  [{ 'g n': 1, n: 1 }, undefined, 'n', 'n'],
  [{ 'g n': 1 }, undefined, 'n', undefined],
])('keys %j: after %s a pressed %s is %s', (keys, first, key, found) => {
  const keymap = Object.fromEntries(Object.keys(keys).map((each) => [each, () => undefined]))
  expect(pressed(keymap, first, key)).toBe(found)
})

test.each([
  [0, 'unavailable'],
  [401, 'signed-out'],
  [409, 'taken'],
  [422, 'refused'],
  [500, 'broken'],
  [503, 'unavailable'],
])('an answer %d is %s', (status, kind) => expect(kindOf(status)).toBe(kind))

test('a refusal names its fields, whatever else is in the body', () => {
  const problems = [{ field: 'name', message: 'Too long.' }, 7, null]
  expect(readError(422, { message: 'No.', context: { problems } })).toMatchObject({
    message: 'No.',
    problems: [problems[0]],
  })
  expect(readError(502, 'a page').message).toBe('The service answered 502.')
})

test('a form sends what was changed, and links as their ids', () => {
  const before = { name: 'Zoe', team: [1, 'Care'], tags: [1, 2], note: null }
  expect(changesOf(before, { name: 'Zoe', team: [1, 'Care'] })).toEqual({})
  expect(changesOf(before, { name: 'Zoë', team: [2, 'Sales'], tags: [2], note: '' })).toEqual({
    name: 'Zoë',
    team: 2,
    tags: [2],
    note: '',
  })
})

test('a board has the stages of its team, and those of every team', () => {
  const stages = [
    { id: 1, name: 'A', isFolded: false, teams: [] },
    { id: 2, name: 'B', isFolded: false, teams: [7] },
    { id: 3, name: 'C', isFolded: false, teams: [8] },
  ]
  expect(stagesOf(stages, 7).map(({ id }) => id)).toEqual([1, 2])
  expect(stagesOf(stages, undefined)).toHaveLength(3)
})

test('moments are told in seconds since the call began', () => {
  expect([{ ms: 0 }, { ms: 40 }, { ms: 61_500 }].map(sinceBegin)).toEqual(['+0.000', '+0.040', '+61.500'])
})
