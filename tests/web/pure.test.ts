// What the pages decide without a browser: cases in tables.
import { readFileSync } from 'node:fs'
import { describe, expect, test, vi } from 'vitest'
import { sentenceOf } from '../../src/ledger/timeline/sentences.ts'
import { WHY_SENTENCES } from '../../src/ledger/timeline/why-sentences.ts'
import { domainOf, readCallSearch, readCallsSearch } from '../../web/calls/calls-search.ts'
import { neighbour, sinceBegin } from '../../web/calls/moments.ts'
import { prettyJson, prettyMarkup, readForm } from '../../web/calls/raw-text.ts'
import { domainOf as contactsDomain } from '../../web/contacts/contacts-search.ts'
import { fetched } from '../../web/data/code.ts'
import { fieldsChangedSince, unlessChanged } from '../../web/data/drafts.ts'
import { kindOf, readError } from '../../web/data/errors.ts'
import { GROUP, type Group, type Me } from '../../web/data/session.ts'
import { readDeliveriesSearch } from '../../web/deliveries/deliveries-search.ts'
import { pressed } from '../../web/design/keys.ts'
import { outcomeOf } from '../../web/lines/outcome-signs.ts'
import { momentWords, whyWords } from '../../web/lines/story-words.ts'
import { readStrip } from '../../web/lines/strip-parts.ts'
import { waitOf } from '../../web/now/figures.ts'
import { columnsOf, csvOf } from '../../web/records/export-rows.ts'
import { argumentFields, filledIn } from '../../web/records/method-arguments.ts'
import { extensionName, toolsFound } from '../../web/records/names.ts'
import { offered } from '../../web/records/offered.ts'
import { outOfUse } from '../../web/records/out-of-use.ts'
import { answerOf, lostOf, takenBack } from '../../web/records/reach.ts'
import { changesOf, withoutSecrets } from '../../web/records/record-values.ts'
import {
  between,
  type Chosen,
  chosenDomain,
  countChosen,
  isChosen,
  toggled,
  withAll,
} from '../../web/records/selection.ts'
import { changesOf as auditChanges, byModel, linksOf, titleOf } from '../../web/settings/audit-changes.ts'
import { byName } from '../../web/settings/people.ts'
import { entriesFor, partsOf } from '../../web/shell/nav.ts'
import { wayBack } from '../../web/sign-in/way-back.ts'
import { withMoved } from '../../web/tickets/board-data.ts'
import { firstWords } from '../../web/tickets/first-words.ts'
import { contactOf, type TicketRow } from '../../web/tickets/ticket-rows.ts'
import { readTicketsSearch } from '../../web/tickets/tickets-search.ts'
import {
  bytes,
  count,
  duration,
  groupNumbersBy,
  instantOfWall,
  phonesIn,
  plain,
  readerOf,
  readInstant,
  shortTime,
  startOfToday,
  wallTime,
} from '../../web/words/formats.ts'
import { recordName, wordLabels } from '../../web/words/labels.ts'
import { decimal, readDecimal, readTimeOfDay, timeOfDay } from '../../web/words/numerals.ts'

const NOW = new Date('2026-11-22T21:00:00Z')
const ZURICH = { language: 'en-GB', zone: 'Europe/Zurich' }

test.each([
  ['8.5', 8.5],
  ['8,5', 8.5],
  ['0.', 0],
  ['.5', 0.5],
  ['-3', -3],
  ['1.2.3', undefined],
  ['8 h', undefined],
  ['', undefined],
])('the number %s', (text, value) => {
  expect(readDecimal(text)).toBe(value)
})

describe('where callers are led', () => {
  const NUMBERS = 'connect.telco.number'
  const before = {
    phone_number: '+15550100001',
    destination: 'voiceai_agent',
    voiceai_agent: [3, 'Helpdesk'],
    business_hours: [1, 'Office'],
    closed_exten: [9, '109'],
  }
  const lost = { says: 'lost', who: '+15550100001', from: 'Helpdesk', to: '', isNowhere: true }

  test.each([
    ['nothing', {}, []],
    ['what is chosen already', { voiceai_agent: [3, 'Helpdesk'] }, []],
    ['a link that does not answer', { callflow: [2, 'Menu'] }, []],
    ['another kind, and not which', { destination: 'callflow' }, [lost]],
    ['no kind', { destination: null }, [lost]],
    ['no agent', { voiceai_agent: null }, [lost]],
    [
      'another kind with its link',
      { destination: 'callflow', callflow: [2, 'Menu'] },
      [{ ...lost, to: 'Menu', isNowhere: false }],
    ],
    [
      'no extension when closed',
      { closed_exten: null },
      [{ ...lost, says: 'lostWhenClosed', from: '109', isNowhere: false }],
    ],
    [
      'other hours',
      { business_hours: [2, 'Shop'] },
      [{ ...lost, says: 'hoursChanged', from: 'Office', to: 'Shop', isNowhere: false }],
    ],
    ['no hours', { business_hours: null }, [{ ...lost, says: 'hoursEnd', from: 'Office', isNowhere: false }]],
  ])('a number that gets %s', (_what, edited, expected) => {
    expect(lostOf(NUMBERS, before, edited)).toEqual(expected)
  })

  test('an extension that leads elsewhere, and one that leads nowhere', () => {
    const exten = { number: '101', model: 'connect.user', res_id: 4, dst: 'connect.user,4', dst_name: 'Hugo' }
    const hugo = { says: 'lost', who: '101', from: 'Hugo', to: '', isNowhere: false }
    expect(lostOf('connect.telco.exten', exten, { res_id: 5 })).toEqual([hugo])
    expect(lostOf('connect.telco.exten', exten, { dst: null })).toEqual([{ ...hugo, isNowhere: true }])
    expect(lostOf('connect.telco.exten', exten, { number: '102' })).toEqual([])
  })

  test('what answers is put back as a whole, and a secret never', () => {
    expect(answerOf(before)).toEqual({ kind: 'voiceai_agent', id: 3, name: 'Helpdesk' })
    expect(takenBack(NUMBERS, before, { destination: 'callflow', callflow: 2 })).toEqual({
      ...{ destination: 'voiceai_agent', voiceai_agent: 3 },
      ...{ user: null, callflow: null, markup: null },
    })
    expect(takenBack('res.partner', { name: 'Zoe' }, { name: 'Zoë' })).toEqual({ name: 'Zoe' })
    expect(takenBack('connect.settings', {}, { display_auth_token: 'x' })).toBeUndefined()
  })
})

test('a decimal has the mark of the language', () => {
  expect([decimal(8.5, 'en'), decimal(8.5, 'de'), decimal(-0.25, 'de-CH'), decimal(5, 'de')]).toEqual([
    '8.5',
    '8,5',
    '-0.25',
    '5',
  ])
})

test.each([
  ['18:00', 18],
  ['18.30', 18.5],
  ['8', 8],
  ['0830', 8.5],
  ['8.5', 8.5],
  ['8,5', 8.5],
  ['18,30', 18.5],
  ['6 pm', 18],
  ['12 a.m.', 0],
  ['18 Uhr', 18],
  ['24:00', 24],
  ['24:30', undefined],
  ['18:60', undefined],
  ['13 pm', undefined],
  ['noon', undefined],
])('the time of day %s', (text, hours) => {
  expect(readTimeOfDay(text)).toBe(hours)
})

test('a time of day is read as a clock shows it', () => {
  expect([8.5, 18, 24, 0, 8 + 1 / 3].map(timeOfDay)).toEqual(['08:30', '18:00', '24:00', '00:00', '08:20'])
})

describe('the code of a page', () => {
  const gone = new TypeError('Failed to fetch dynamically imported module: /assets/tickets-page-1.js')
  /** A browser in which the service answers as told, one time after the other, and the last answer from then on. */
  const around = (answers: boolean[], isReloaded = true) => {
    const seen = { pauses: [] as number[], reloads: 0 }
    return {
      seen,
      pause: async (ms: number) => void seen.pauses.push(ms),
      isThere: async () => (answers.length > 1 ? answers.shift() : answers[0]) === true,
      reload: () => {
        seen.reloads += 1
        return isReloaded
      },
    }
  }

  test('the code of a page is waited for while the service is away, and comes once it is back', async () => {
    const away = around([false])
    let tries = 0
    const load = async () => {
      tries += 1
      if (tries < 7) throw gone
      return 'the page'
    }
    expect(await fetched(load, away)).toBe('the page')
    expect(away.seen).toEqual({ pauses: [500, 1000, 2000, 4000, 5000, 5000], reloads: 0 })
  })

  test('the code of a page is gone after an upgrade: the whole page is loaded anew, once', async () => {
    const upgraded = around([false, true])
    void fetched(() => Promise.reject(gone), upgraded)
    await vi.waitFor(() => expect(upgraded.seen.reloads).toBe(1))
    await expect(fetched(() => Promise.reject(gone), around([true], false))).rejects.toBe(gone)
  })

  test('what is wrong with the code of a page in another way is said at once', async () => {
    const wrong = new Error('a is not a function')
    const there = around([true])
    await expect(fetched(() => Promise.reject(wrong), there)).rejects.toBe(wrong)
    expect(there.seen).toEqual({ pauses: [], reloads: 0 })
  })
})

describe('what is stored of a draft', () => {
  test('what is stored has no secret', () => {
    const typed = { name: 'Ann', password: 'x', display_auth_token: 'x', telco_api_secret: 'x', max_tokens: 5 }
    expect(withoutSecrets(typed)).toEqual({ name: 'Ann', max_tokens: 5 })
    expect(withoutSecrets({ password: 'x' })).toBeUndefined()
  })

  test('what was sent goes, and what was typed meanwhile stays', () => {
    expect(unlessChanged('sent')('sent')).toBeUndefined()
    expect(unlessChanged('sent')('sent and more')).toBe('sent and more')
    expect(unlessChanged({ kind: 'note', text: 'a' })({ kind: 'note', text: 'a' })).toBeUndefined()
    expect(fieldsChangedSince({ name: 'Ann' })({ name: 'Ann' })).toBeUndefined()
    expect(fieldsChangedSince<Record<string, string>>({ name: 'Ann' })({ name: 'Ann', city: 'Bern' })).toEqual({
      city: 'Bern',
    })
    expect(fieldsChangedSince<Record<string, unknown>>({ name: 'Ann' })({ name: 'Anna', city: null })).toEqual({
      name: 'Anna',
      city: null,
    })
    expect(fieldsChangedSince({ name: 'Ann' })(undefined)).toBeUndefined()
  })
})

describe('a list as a file', () => {
  const field = { help: null, required: false, readonly: false, store: true, secret: false, protected: false }
  test('says what the list shows, and the zone of its times', () => {
    const fields = [
      { ...field, name: 'display_name', type: 'char', string: 'Contact' },
      { ...field, name: 'at', type: 'datetime', string: 'Begin' },
      { ...field, name: 'user', type: 'many2one', string: 'Person' },
      { ...field, name: 'kind', type: 'selection', string: 'Art', selection: [['call', 'Anruf'] as [string, string]] },
      { ...field, name: 'on', type: 'boolean', string: 'An' },
    ]
    const rows = [{ display_name: 'Zoe', at: '2026-07-01 22:30:00', user: [7, 'Ann Lee'], kind: 'call', on: true }]
    const manner = { zone: 'Europe/Zurich', yes: 'Ja', no: 'Nein' }
    expect(csvOf(columnsOf(fields, manner), rows)).toBe(
      'Contact,Begin (Europe/Zurich),Person,Art,An\r\nZoe,2026-07-02 00:30:00,Ann Lee,Anruf,Ja\r\n',
    )
  })
})

describe('what is typed as a time', () => {
  test.each([
    ['2026-07-02 00:30', 'Europe/Zurich', '2026-07-01 22:30:00'],
    ['2026-12-02T09:00:05', 'America/New_York', '2026-12-02 14:00:05'],
    ['2026-03-29 03:30', 'Europe/Zurich', '2026-03-29 01:30:00'],
  ])('%s in %s is %s', (text, zone, instant) => {
    expect(instantOfWall(text, zone)).toBe(instant)
    expect(wallTime(instant, zone).startsWith(text.replace('T', ' '))).toBe(true)
  })
  test('a word that is no time is nothing', () => expect(instantOfWall('tomorrow', 'Europe/Zurich')).toBeUndefined())
})

describe('formats', () => {
  test.each([
    [0, '0:00'],
    [23, '0:23'],
    [61.6, '1:02'],
    [3_723, '1:02:03'],
    [-5, '0:00'],
  ])('%d seconds are %s', (seconds, shown) => expect(duration(seconds)).toBe(shown))

  test.each([
    ['2026-11-22 20:45:06', '21:45'],
    ['2026-11-21 08:22:00', '21 Nov, 09:22'],
    ['2025-11-21 08:22:00', '21 Nov 2025, 09:22'],
  ])('%s is %s to a reader in Zurich', (at, shown) => expect(shortTime(readInstant(at), NOW, ZURICH)).toBe(shown))

  test.each([
    ['2026-11-22T21:00:00Z', 'Europe/Zurich', '2026-11-21 23:00:00'],
    ['2026-11-22T23:30:00Z', 'Europe/Zurich', '2026-11-22 23:00:00'],
    ['2026-11-22T03:30:00Z', 'America/New_York', '2026-11-21 05:00:00'],
    ['2026-10-25T22:59:59Z', 'Europe/Zurich', '2026-10-24 22:00:00'],
    ['2026-03-29T12:00:00Z', 'Europe/Zurich', '2026-03-28 23:00:00'],
  ])('the day of %s in %s began at %s', (now, zone, start) => expect(startOfToday(new Date(now), zone)).toBe(start))

  test.each([
    ['en', ['de-CH', 'de', 'en-US', 'en'], '21:45', 'Nov 21, 09:22'],
    ['en', ['en', 'de-DE'], '21:45', 'Nov 21, 09:22'],
    ['en', ['en-US', 'en', 'de-CH'], '09:45 PM', 'Nov 21, 09:22 AM'],
    ['de', ['en-US'], '21:45', '21. Nov., 09:22'],
    ['de', ['de'], '21:45', '21. Nov., 09:22'],
    ['en', ['C', 'en'], '09:45 PM', 'Nov 21, 09:22 AM'],
  ])('a page in %s in a browser of %j has the clock of its country: %s', (page, spoken, time, day) => {
    const reader = readerOf(page, { spoken, zone: 'Europe/Zurich' })
    const shown = (at: string) => shortTime(readInstant(at), NOW, reader).replace('\u202f', ' ')
    expect([shown('2026-11-22 20:45:06'), shown('2026-11-21 08:22:00')]).toEqual([time, day])
  })

  test('numbers are those of the language, whatever the country of the browser', () => {
    const numbersOf = (page: string, spoken: string[]) => {
      const { language } = readerOf(page, { spoken, zone: 'Europe/Zurich' })
      return [decimal(8.5, language), count(1_234, language), bytes(2_400_000, language)]
    }
    expect(numbersOf('en', ['de-DE', 'en'])).toEqual(['8.5', '1,234', '2.4 MB'])
    expect(numbersOf('de', ['en-US'])).toEqual(['8,5', '1.234', '2,4 MB'])
  })

  test('the numbers of a line are grouped, and nothing else in it', () => {
    groupNumbersBy((number) => `${number.slice(0, 3)} ${number.slice(3)}`)
    expect(phonesIn('+41313808316 · zoe@example.com').replaceAll('\u00a0', ' ')).toBe('+41 313808316 · zoe@example.com')
    groupNumbersBy(() => undefined)
  })

  test('what was not counted to its end says so', () => {
    expect([count(412, 'en'), count(10_001, 'en')]).toEqual(['412', '10,000+'])
  })

  test('a turned direction of writing is seen', () => expect(plain('+41\u202e31')).toBe('+41␣31'))
})

describe('the strip of a call', () => {
  const stored = [
    { kind: 'ringing', who: null, from_ms: 0, to_ms: 2_000 },
    { kind: 'agent', who: ['connect.voiceai_agent', 2], from_ms: 2_000, to_ms: null },
    { kind: 'broke', who: null, from_ms: 2_000, to_ms: 2_000 },
  ]

  test('the strip is drawn as it is stored, and what goes on reaches to now', () => {
    expect(readStrip(stored, 9_000)).toEqual({
      parts: [
        { kind: 'ringing', fromMs: 0, toMs: 2_000 },
        { kind: 'agent', fromMs: 2_000, toMs: 9_000 },
      ],
      breaks: [2_000],
      lengthMs: 9_000,
    })
  })

  test.each([[null], ['agent'], [[null, 7, { kind: 'agent' }, { kind: 'odd', from_ms: 0, to_ms: 5 }]]])(
    'is empty where %j is stored',
    (value) => expect(readStrip(value, 0).parts).toEqual([]),
  )
})

test.each([
  [{ outcome: 'in_progress' }, 'ringing'],
  [{ outcome: 'in_progress', answered_at: '2026-11-22 09:00:00' }, 'talking'],
  [{ outcome: 'agent_person' }, 'agent_person'],
  [{ outcome: null }, undefined],
])('a call with %j is shown as %s', (call, shown) => {
  const rest = { answered_at: null, voiceai_agent: null, answered_user: null, answered_pbx_user: null }
  expect(outcomeOf({ ...rest, ...call } as never)).toBe(shown)
})

describe('an address', () => {
  test('says a filter, and nothing that is none', () => {
    const search = {
      outcome: 'missed,none,voicemail',
      direction: 'sideways',
      day: 'today',
      number: 41,
      contact: '3',
      evil: 1,
    }
    expect(readCallsSearch(search)).toEqual({ outcome: 'voicemail,missed', day: 'today', number: '41' })
    expect(readTicketsSearch({ as: 'list', team: 'x', mine: 'true' })).toEqual({ as: 'list' })
    expect(readDeliveriesSearch({ verdict: 'rejected', open: 5 })).toEqual({ verdict: 'rejected', open: 5 })
  })

  test('an address of the calls is a search', () => {
    expect(domainOf({ number: '0041 31', direction: 'incoming', contact: 3 }, NOW, 'UTC')).toEqual([
      ['direction', '=', 'incoming'],
      '|',
      ['caller', 'ilike', '+4131'],
      ['called', 'ilike', '+4131'],
      ['partner', '=', 3],
    ])
    // A whole number is looked up by its index.
    expect(domainOf({ outcome: 'missed', line: '+1 415 555 0110' }, NOW, 'UTC')).toEqual([
      ['outcome', 'in', ['missed']],
      '|',
      ['caller', '=', '+1 415 555 0110'],
      ['called', '=', '+1 415 555 0110'],
    ])
    expect(domainOf({ number: 'Tel. 079 555 01 75 ext. 5' }, NOW, 'UTC')).toContainEqual([
      'caller',
      'ilike',
      'Tel. 079 555 01 75 ext. 5',
    ])
    // Days before a clock change are counted by the calendar.
    expect(domainOf({ day: 'week' }, new Date('2026-10-27T12:00:00Z'), 'Europe/Zurich')).toEqual([
      ...['|', ['started_at', '>=', '2026-10-20 22:00:00']],
      ...['&', ['started_at', '=', false], ['create_date', '>=', '2026-10-20 22:00:00']],
    ])
    expect(domainOf({ day: 'today' }, NOW, 'Europe/Zurich')).toContainEqual(['started_at', '>=', '2026-11-21 23:00:00'])
    expect(domainOf({ day: 'yesterday' }, NOW, 'Europe/Zurich')).toContainEqual([
      'started_at',
      '<',
      '2026-11-21 23:00:00',
    ])
  })

  test('how long callers waited is said of as many calls as there are', () => {
    const wait = { wait_p50: 4, wait_p90: 9 }
    expect(waitOf({ total: 0, wait_p50: null, wait_p90: null })).toBeUndefined()
    expect(waitOf({ total: 1, ...wait })).toEqual({ words: 'waitOne', half: 4, most: 9 })
    expect(waitOf({ total: 9, ...wait })).toEqual({ words: 'waitFew', half: 4, most: 9 })
    expect(waitOf({ total: 10, ...wait })).toEqual({ words: 'wait', half: 4, most: 9 })
  })

  test('hours of a day are named in the language of the page, where it has a word for the day', () => {
    expect(recordName('Monday 08:00 to 12:30')).toBe('Monday 08:00 to 12:30')
    wordLabels({ Monday: 'Montag' })
    expect(recordName('Monday 08:00 to 12:30')).toBe('Montag 08:00–12:30')
    expect(recordName('Monday & Sons')).toBe('Monday & Sons')
    expect(recordName('Connect Webhook')).toBe('Connect')
    wordLabels({})
  })

  test('the contacts are those with a name, and those of whom only a number is known', () => {
    const unnamed = ['name', '=like', '+%']
    const [outside, staff] = [false, true].map((isStaff) => ['is_staff', '=', isStaff])
    const named = ['|', ['name', 'ilike', 'Zoe'], ['email', 'ilike', 'Zoe']]
    expect(contactsDomain({})).toEqual([outside, ['active', '=', true], '!', unnamed])
    expect(contactsDomain({ only: 'numbers' })).toEqual([outside, unnamed])
    expect(contactsDomain({ text: 'Zoe' })).toEqual([outside, ...named])
    expect(contactsDomain({ only: 'staff' })).toEqual([staff])
    expect(contactsDomain({ only: 'staff', text: 'Zoe' })).toEqual([staff, ...named])
  })

  test.each(['0041 31 380', '+41 (31) 380', '41/31-380'])('finds a contact by a number written as %s', (text) => {
    expect(contactsDomain({ text })).toEqual([
      ['is_staff', '=', false],
      '|',
      ['phone_normalized', 'like', '4131380'],
      ['mobile_normalized', 'like', '4131380'],
    ])
  })

  test.each(['Tel. 079 555 01 75', '(+41) 79 555 01 75 ext. 5', '+41 79 555 01 75 (mobile)'])(
    'leaves it to the service to read %s',
    (text) => {
      const [, , , ...conditions] = contactsDomain({ text })
      if (/\p{L}/u.test(text)) expect(conditions).toContainEqual(['phone', 'ilike', text])
    },
  )

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

test('a moved ticket stands where it was put, and its stages count it', () => {
  const ticket = (id: number) => ({ id, stage_id: [1, 'A'] }) as TicketRow
  const stages = [
    { id: 1, name: 'A', fold: false, count: 3, rows: [ticket(3), ticket(2), ticket(1)] },
    { id: 2, name: 'B', fold: false, count: 1, rows: [ticket(9)] },
  ]
  const shown = (after: number | null, stage: number) =>
    withMoved(stages, { ticket: ticket(3), stage, after }).map(({ count, rows }) => [
      count,
      ...rows.map(({ id }) => id),
    ])
  expect(shown(9, 2)).toEqual([
    [2, 2, 1],
    [2, 9, 3],
  ])
  expect(shown(null, 2)[1]).toEqual([2, 3, 9])
  expect(shown(2, 1)[0]).toEqual([3, 2, 3, 1])
})

test('a ticket shows its contact as it is called today, and whom it was written for where there is none', () => {
  expect(contactOf({ partner_id: [3, 'Zoe Miller'], partner_name: 'Zoë M.' })).toBe('Zoe Miller')
  expect(contactOf({ partner_id: null, partner_name: 'Zoë M.' })).toBe('Zoë M.')
  expect(contactOf({ partner_id: null, partner_name: null })).toBe('')
})

test.each([
  ['res.partner', { active: false }, 'archived'],
  ['res.users', { active: false }, 'deactivated'],
  ['connect.user', { active: false }, 'deactivated'],
  ['res.partner', { active: true }, undefined],
  ['connect.call', {}, undefined],
])('a record of %s with %j is marked as %s', (model, row, mark) => {
  expect(outOfUse(model, row, (word) => word)).toBe(mark)
})

test('the audit tells a changed secret once, and not also when it was changed', () => {
  const times = [{}, { auth_token: { at: '2026-11-27 13:00:00', by: 'ada' } }]
  expect(auditChanges({ auth_token: 'changed', secrets_set: times })).toEqual([{ field: 'auth_token' }])
})

test('the first words of a caller are those of a person, with their second of the call', () => {
  const turns = [
    { role: 'agent', text: 'Hello.', at_ms: 0 },
    { role: 'user', text: ' ', at_ms: 1_000 },
    { role: 'user', text: 'My boiler leaks.', at_ms: 2_000 },
  ]
  expect(firstWords({ turns, conversation_started_at: '2026-11-22 09:00:05' }, '2026-11-22 09:00:00')).toEqual({
    text: 'My boiler leaks.',
    second: 7,
  })
  expect(firstWords({ turns: null, conversation_started_at: null }, null)).toBeUndefined()
})

test('moments are told in minutes and seconds since the call began', () => {
  expect([{ ms: 0 }, { ms: 40 }, { ms: 61_500 }].map(sinceBegin)).toEqual(['0:00', '0:00', '1:01'])
})

describe('the words of a story', () => {
  const english = JSON.parse(readFileSync('web/words/en/story.json', 'utf8')) as Record<string, string>
  const values = {
    who: 'Zoe',
    text: 'Hi',
    to: 'Ann',
    from: 'Bob',
    status: 'busy',
    agent: 'Desk',
    number: '+1',
    digits: '1',
    speech: 'Sales',
    error: '',
  }

  /** The service calls tools by their names for programs; the page says what they do. */
  const OF_TOOLS = ['tool_failed', 'why_tool_failed', 'why_tool_late']

  test.each(Object.keys(english).filter((key) => !/^(?:did|state)_/.test(key) && !OF_TOOLS.includes(key)))(
    '%s is said as the service says it',
    (key) => {
      const say = (each: string) => english[each] ?? ''
      if (key.startsWith('why_')) {
        const code = key.slice('why_'.length)
        const words = whyWords(say as never, { code, params: values, sentence: '' }, (name) => name)
        expect(words).toBe(sentenceOf(code, values, WHY_SENTENCES))
      } else {
        const words = momentWords(say as never, { title: key, params: values, sentence: '' }, (name) => name)
        expect(words).toBe(sentenceOf(key, values))
      }
    },
  )

  test.each([
    {
      language: 'en',
      words: 'Open a ticket',
      told: 'Failed: Open a ticket: No such team',
      why: 'The tool “Open a ticket” failed: No such team.',
    },
    {
      language: 'de',
      words: 'Ticket anlegen',
      told: 'Fehlgeschlagen: Ticket anlegen: No such team',
      why: 'Das Werkzeug „Ticket anlegen“ ist fehlgeschlagen: No such team.',
    },
  ])('a tool that failed is called $words in $language', ({ language, words, told, why }) => {
    const all = JSON.parse(readFileSync(`web/words/${language}/story.json`, 'utf8')) as Record<string, string>
    const say = ((key: string) => all[key] ?? '') as never
    const tools = (name: string) => (name === 'helpdesk_create_ticket' ? words : name)
    const params = { name: 'helpdesk_create_ticket', say: 'No such team', took: 21, budget: 20 }
    expect(momentWords(say, { title: 'tool_failed', params, sentence: '' }, tools)).toBe(told)
    expect(whyWords(say, { code: 'tool_failed', params, sentence: '' }, tools)).toBe(why)
    expect(whyWords(say, { code: 'tool_late', params, sentence: '' }, tools)).toContain(words)
  })

  test('what is done only without input says so once', () => {
    const say = (each: string) => english[each] ?? ''
    const [asks, leaves] = [
      { verb: 'Gather', text: '' },
      { verb: 'Record', text: '', isWithoutInput: true },
    ]
    const params = { steps: [asks, leaves, { verb: 'Hangup', text: '' }] }
    expect(momentWords(say as never, { title: 'call_arrives', params, sentence: '' }, (name) => name)).toBe(
      'Call received → waits for input → no input → recording → hangs up',
    )
  })

  test('what has no words yet is said in the English of the service', () => {
    expect(
      momentWords(
        ((key: string) => key) as never,
        { title: 'new', params: {}, sentence: 'It is new.' },
        (name) => name,
      ),
    ).toBe('It is new.')
  })
})

test('markup has a line for each verb, and what is none stays as it is', () => {
  expect(prettyMarkup('<Response><Dial a="1"><Sip>sip:x</Sip></Dial><Hangup/></Response>')?.split('\n')).toEqual([
    '<Response>',
    '  <Dial a="1">',
    '    <Sip>sip:x</Sip>',
    '  </Dial>',
    '  <Hangup/>',
    '</Response>',
  ])
  expect(prettyMarkup('no markup')).toBe('no markup')
  expect(prettyJson('{"a":1')).toBe('{"a":1')
  expect(readForm('CallSid=CA1&A=%2B41')).toEqual([
    ['A', '+41'],
    ['CallSid', 'CA1'],
  ])
})

test('the next moment is after the open one, and after the cursor where none is open', () => {
  const shown = [0, 7_000, 8_000].map((ms, place) => ({ moment: { ms }, place })) as never
  expect(neighbour(shown, { open: 1, atMs: 0, step: 1 })?.place).toBe(2)
  expect(neighbour(shown, { open: undefined, atMs: 7_500, step: -1 })?.place).toBe(1)
  expect(neighbour(shown, { open: 2, atMs: 0, step: 1 })).toBeUndefined()
})

test('the address of a call says a second, a tab and a moment, and nothing that is none', () => {
  expect(readCallSearch({ at: 7, show: 'tools', open: 3, tab: 'about' })).toEqual({
    at: 7,
    show: 'tools',
    open: 3,
    tab: 'about',
  })
  expect(readCallSearch({ at: -1, show: 'all', open: 1.5, tab: 'x' })).toEqual({})
})

describe('chosen rows', () => {
  const some = (...ids: number[]): Chosen => ({ isAll: false, ids: new Set(ids) })
  const allBut = (...ids: number[]): Chosen => ({ isAll: true, ids: new Set(ids) })

  test.each([
    ['some', some(2, 3), 2, [['id', 'in', [2, 3]]]],
    ['none, which stands for everything that fits', some(), 0, [['outcome', '=', 'missed']]],
    ['all', allBut(), 10, [['outcome', '=', 'missed']]],
    [
      'all but one',
      allBut(7),
      9,
      [
        ['outcome', '=', 'missed'],
        ['id', 'not in', [7]],
      ],
    ],
  ] as const)('%s', (_what, chosen, count, domain) => {
    expect(countChosen(chosen, 10)).toBe(count)
    expect(chosenDomain(chosen, [['outcome', '=', 'missed']])).toEqual(domain)
  })

  test('a row is chosen and left out again, whether some are chosen or all', () => {
    expect(isChosen(toggled(some(), 5), 5)).toBe(true)
    expect(isChosen(toggled(some(5), 5), 5)).toBe(false)
    expect(isChosen(toggled(allBut(), 5), 5)).toBe(false)
    expect(isChosen(withAll(allBut(5, 6), [5]), 5)).toBe(true)
  })

  test('a range reaches from the last one to this, in either direction', () => {
    expect(between([9, 8, 7, 6], 8, 6)).toEqual([8, 7, 6])
    expect(between([9, 8, 7, 6], 6, 8)).toEqual([8, 7, 6])
    expect(between([9, 8], 1, 8)).toEqual([8])
  })
})

test('arguments of a method are fields of a form, by what they may be', () => {
  const method = {
    label: 'Figures',
    allowed: true,
    arguments: {
      required: ['from'],
      properties: {
        from: { type: 'string', description: 'From when.' },
        limit: { type: 'integer' },
        by: { anyOf: [{ const: 'hour' }, { const: 'day' }] },
        tz: { anyOf: [{ type: 'string' }, { type: 'null' }] },
        body: { type: 'string', maxLength: 10_000 },
        domain: { type: 'array' },
        inputs: {
          type: 'array',
          items: {
            anyOf: [
              { type: 'object', properties: { press: {} } },
              { type: 'object', properties: { say: {} } },
            ],
          },
        },
      },
    },
  }
  expect(argumentFields(method, String).map(({ name, type, required }) => [name, type, required])).toEqual([
    ['from', 'char', true],
    ['limit', 'integer', false],
    ['by', 'selection', false],
    ['tz', 'char', false],
    ['body', 'text', false],
    ['domain', 'json', false],
    ['inputs', 'char', false],
  ])
  expect(argumentFields(method, String)[0]?.help).toBe('From when.')
  expect(filledIn({ from: 'now', limit: null, by: undefined }, method)).toEqual({ from: 'now' })
  // What a caller presses and says is written as people write it.
  expect(filledIn({ inputs: '1, support; 12#,' }, method)).toEqual({
    inputs: [{ press: '1' }, { say: 'support' }, { press: '12#' }],
  })
})

test('a short number is called by who answers it, too', () => {
  expect([extensionName('201', 'Ann Baker'), extensionName('209', null)]).toEqual(['201 · Ann Baker', '209'])
})

test.each([
  ['termin', [1, 2]],
  ['calendar_create', [1]],
  ['Büch', [1]],
  ['lookup', [3]],
  ['ticket', []],
])('%j finds the tools %j by their words and their names', (text, ids) => {
  const tools: [number, string][] = [
    [1, 'calendar_create_event'],
    [2, 'calendar_remove_meeting'],
    [3, 'lookup_order'],
  ]
  const words = new Map([
    ['calendar_create_event', 'Termin buchen'],
    ['calendar_remove_meeting', 'Termin absagen'],
  ])
  expect(toolsFound(tools, text, (name) => words.get(name) ?? name).map(([id]) => id)).toEqual(ids)
})

test('a heading of the rail without an entry is not drawn', () => {
  const partsFor = (group: Group) => partsOf(entriesFor({ groups: [group] } as Partial<Me> as Me))
  expect([partsFor(GROUP.helpdeskUser), partsFor(GROUP.connectUser)]).toEqual([['live'], ['live', 'steer']])
})

test('people stand in the order of the alphabet, whatever accents they have', () => {
  const people = ['Zoe', 'Łukasz', 'Örs', 'Max', 'Lea'].map((name, id) => ({
    ...{ id, login: name, name, active: true, group_ids: [] },
  }))
  expect(byName(people).map(({ name }) => name)).toEqual(['Lea', 'Łukasz', 'Max', 'Örs', 'Zoe'])
})

test('the audit tells records by kind and name, and knows what a change links to', () => {
  const changes = auditChanges({ stage_id: [1, 2], user_id: [null, 7], body: 'changed' })
  expect(changes).toEqual([
    { field: 'stage_id', values: [1, 2] },
    { field: 'user_id', values: [null, 7] },
    { field: 'body' },
  ])
  const relations: Record<string, string> = { stage_id: 'helpdesk.stage', user_id: 'res.users' }
  expect(byModel(linksOf(changes, (field) => relations[field]))).toEqual(
    new Map([
      ['helpdesk.stage', [1, 2]],
      ['res.users', [7]],
    ]),
  )
  expect(
    [undefined, 'Zoe', 'Recording 5'].map((name) => titleOf('Aufnahme', { english: 'Recording', name, id: 5 })),
  ).toEqual(['Aufnahme #5', 'Aufnahme Zoe', 'Aufnahme 5'])
})

test('a picker offers what belongs to the record, and none of others while that is not known', () => {
  const versions = [['agent', '=', { of: 'id' }]] as const
  expect(offered(versions, { id: 7 })).toEqual([['agent', '=', 7]])
  expect(offered(versions, {})).toEqual([['agent', '=', false]])
  const stages = ['|', ['team_ids', '=', false], ['team_ids', '=', { of: 'team_id' }]] as const
  expect(offered(stages, { team_id: [3, 'Second line'] })).toEqual([
    '|',
    ['team_ids', '=', false],
    ['team_ids', '=', 3],
  ])
  expect(offered(undefined, { id: 7 })).toBeUndefined()
})
