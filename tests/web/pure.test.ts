// What the pages decide without a browser: cases in tables.
import { describe, expect, test, vi } from 'vitest'
import { readCallSearch } from '../../web/calls/calls-search.ts'
import { neighbour, sinceBegin } from '../../web/calls/moments.ts'
import { prettyJson, prettyMarkup, readForm } from '../../web/calls/raw-text.ts'
import { fetched } from '../../web/data/code.ts'
import { fieldsChangedSince, unlessChanged } from '../../web/data/drafts.ts'
import { kindOf, readError } from '../../web/data/errors.ts'
import { GROUP, type Group, type Me } from '../../web/data/session.ts'
import { pressed } from '../../web/design/keys.ts'
import { outcomeOf } from '../../web/lines/outcome-signs.ts'
import { readStrip } from '../../web/lines/strip-parts.ts'
import { changesOf as auditChanges, byModel, linksOf, titleOf } from '../../web/records/audit-changes.ts'
import { columnsOf, csvOf } from '../../web/records/export-rows.ts'
import { argumentFields, filledIn } from '../../web/records/method-arguments.ts'
import { extensionName, toolsFound } from '../../web/records/names.ts'
import { offered } from '../../web/records/offered.ts'
import { outOfUse } from '../../web/records/out-of-use.ts'
import { answerOf, isAskedAbout, lostOf, takenBack } from '../../web/records/reach.ts'
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
import { byName } from '../../web/settings/people.ts'
import { setWords } from '../../web/settings/secret-words.ts'
import { shortenedBy } from '../../web/settings/shortened.ts'
import { entriesFor, partsOf } from '../../web/shell/nav.ts'
import { withMoved } from '../../web/tickets/board-data.ts'
import { firstWords } from '../../web/tickets/first-words.ts'
import { contactOf, type TicketRow } from '../../web/tickets/ticket-rows.ts'
import { decimal, readDecimal, readTimeOfDay, readWhole, timeOfDay } from '../../web/words/numerals.ts'

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

test.each([
  ['100.000', 100_000],
  ['100,000', 100_000],
  ["1'000", 1_000],
  ['1’000’000', 1_000_000],
  ['1 000', 1_000],
  ['-2.000', -2_000],
  ['12', 12],
  ['8.5', 8.5],
  ['1.000,000', undefined],
  ['10.00', 10],
])('the whole number %s', (text, value) => {
  expect(readWhole(text)).toBe(value)
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
      [{ ...lost, says: 'lostWhenClosed', from: '109', extension: 9, isNowhere: false }],
    ],
    [
      'other hours',
      { business_hours: [2, 'Shop'] },
      [{ ...lost, says: 'hoursChanged', from: 'Office', to: 'Shop', isNowhere: false }],
    ],
    ['no hours', { business_hours: null }, [{ ...lost, says: 'hoursEnd', from: 'Office', isNowhere: false }]],
  ])('a number that gets %s', (_what, edited, expected) => {
    const lost = lostOf(NUMBERS, before, edited)
    expect(lost).toEqual(expected)
    const isCritical = expected.some(({ says, isNowhere }) => isNowhere || says === 'hoursEnd')
    expect(lost.some(isAskedAbout)).toBe(isCritical)
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
  expect(decimal(0.013800000000000002, 'de')).toBe('0,0138')
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
    const manner = { zone: 'Europe/Zurich', language: 'en', yes: 'Ja', no: 'Nein' }
    expect(csvOf(columnsOf(fields, manner), rows)).toBe(
      'Contact,Begin (Europe/Zurich),Person,Art,An\r\nZoe,2026-07-02 00:30:00,Ann Lee,Anruf,Ja\r\n',
    )
  })
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
  expect(readError(500, 'a page').message).toBe('The service answered 500.')
  // What stands before the service says so of it in a page of its own.
  expect(readError(502, 'a page').message).toBe('The service cannot be reached at the moment.')
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

test('a secret says by whose name it was set, and what was set on the command line says so', () => {
  const say = (key: string, values = {}) => [key, ...Object.values(values)].join(' ')
  const words = (by: string | null) =>
    setWords({ at: '2026-11-27 13:00:00', by }, { say, who: 'Ada Keller', at: (stored) => stored.slice(11, 16) })
  expect(words('ada')).toBe('setBy 13:00 Ada Keller')
  expect(words('local-admin')).toBe('setByCommand 13:00')
  expect(words(null)).toBe('setAt 13:00')
  expect(setWords(null, { say, who: '', at: String })).toBe('isSet')
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
  expect(titleOf('Abgleich', { english: 'Sync', name: 'Twilio-Abgleich 20', id: 20 })).toBe('Twilio-Abgleich 20')
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

test('what is kept for fewer days than before is asked about, also where it was kept forever', () => {
  const before = { audio_keep_days: null, transcript_keep_days: 30, delivery_keep_days: 30 }
  const changes = { audio_keep_days: 90, transcript_keep_days: 7, delivery_keep_days: 60 }
  expect(shortenedBy(before, changes)).toEqual([
    { name: 'audio_keep_days', days: 90 },
    { name: 'transcript_keep_days', days: 7 },
  ])
  expect(shortenedBy(before, { transcript_keep_days: null })).toEqual([])
  // Refused, and nothing is deleted.
  expect(shortenedBy(before, { audio_keep_days: -3, delivery_keep_days: 0, transcript_keep_days: 1.5 })).toEqual([])
})
