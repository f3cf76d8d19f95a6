// Who is answering, and what is found by its words, without a browser.
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { foldText } from '../../src/folded-text.ts'
import { readCallsSearch } from '../../web/calls/calls-search.ts'
import { domainOf as contactsOf, readContactsSearch } from '../../web/contacts/contacts-search.ts'
import { forget, notePresent, presentAt } from '../../web/data/present.ts'
import { domainOf } from '../../web/records/records-search.ts'
import { isUnfiltered, kept, viewOf } from '../../web/records/views.ts'
import { readTicketsSearch } from '../../web/tickets/tickets-search.ts'
import { folded, holds } from '../../web/words/folded.ts'
import { stagesShown, wordLabels } from '../../web/words/labels.ts'

const TALK = 'connect.conversation'
const eve = { model: TALK, id: 7, user: 2, name: 'Eve', for_ms: 8_000 }

test('somebody is answering until they are done, or are heard of no more', () => {
  notePresent([eve, { ...eve, user: 3, name: 'Ben' }], 1_000)
  expect(presentAt(TALK, 7)).toEqual(['Eve', 'Ben'])
  expect([presentAt(TALK, 8), presentAt(TALK, undefined)]).toEqual([[], []])
  notePresent([{ ...eve, for_ms: 0 }], 2_000)
  expect(presentAt(TALK, 7)).toEqual(['Ben'])
  forget(8_999)
  expect(presentAt(TALK, 7)).toEqual(['Ben'])
  forget(9_000)
  expect(presentAt(TALK, 7)).toEqual([])
})

test('names are the same until somebody comes or goes, so that nothing is drawn anew', () => {
  notePresent([eve], 10_000)
  expect(presentAt(TALK, 7)).toBe(presentAt(TALK, 7))
  forget(100_000)
  expect(presentAt(TALK, 7)).toBe(presentAt(TALK, 9))
})

test.each(['Müller', 'Łódź', 'Straße', 'Þórr', 'Bjørn', 'ΣΊΣΥΦΟΣ', 'O’Brien', 'İzmir', 'Đorđe'])(
  'the page reads %s as the service does',
  (name) => expect(folded(name)).toBe(foldText(name)),
)

test('what is offered is found in any case and accent', () => {
  expect([holds('Anna Müller', 'mueller'), holds('Anna Mueller', 'müller'), holds('Jolanda', 'joel')]).toEqual([
    ...[true, true, false],
  ])
  expect([holds('Zürich', 'zurich'), holds('Zurich', 'ZÜRICH'), holds('Łódź', ' lodz '), holds('Bern', 'x')]).toEqual([
    true,
    true,
    true,
    false,
  ])
})

test('a filter that narrows nothing is no filter of the address, and so is not drawn', () => {
  expect(readCallsSearch({ number: '()', line: ' ', outcome: 'nonsense', contact: -1 })).toEqual({})
  expect(readCallsSearch({ number: '0213' })).toEqual({ number: '0213' })
  expect(readContactsSearch({ text: 'Zoe', only: 'numbers' })).toEqual({ text: 'Zoe' })
  expect(contactsOf({ text: 'Zoe' })).not.toContainEqual(['name', '=like', '+%'])
  expect(readTicketsSearch({ text: '  ', team: 'x', mine: 'yes' })).toEqual({})
  expect(readTicketsSearch({ text: 42 })).toEqual({ text: '42' })
})

test('a list finds what it shows: the stored name, and the one that is shown in its place', () => {
  const named = (shown: string) => (shown === 'bearbeitung' ? ['In Progress'] : [])
  const found = (name: string) =>
    domainOf(
      { name },
      () => true,
      () => true,
      named,
    )
  expect(found('bearbeitung')).toEqual(['|', ['name', 'ilike', 'bearbeitung'], ['name', 'in', ['In Progress']]])
  expect(found('progress')).toEqual([['name', 'ilike', 'progress']])
})

test('the stages that come with the product are found by the words that the reader sees', () => {
  wordLabels(JSON.parse(readFileSync('web/words/de/fields.json', 'utf8')) as Record<string, string>)
  expect(stagesShown((shown) => holds(shown, 'bearbeitung'))).toEqual(['In Progress'])
  wordLabels({})
  expect(stagesShown((shown) => holds(shown, 'bearbeitung'))).toEqual([])
})

test('a list is not filtered by what is not drawn as a filter', () => {
  const search = { name: 'Zoe', where: { email: 'zoe@example.com', lang: 1 } }
  const drawn = (field: string) => field === 'lang'
  expect(domainOf(search, () => true, drawn)).toEqual([
    ['name', 'ilike', 'Zoe'],
    ['lang', '=', 1],
  ])
})

test('how a list is drawn, and which row is looked at, is no filter; a view keeps the first and not the second', () => {
  expect([{}, { as: 'list' }, { peek: 7 }, { as: 'list', mine: true }].map(isUnfiltered)).toEqual([
    true,
    true,
    true,
    false,
  ])
  expect(kept({ as: 'list', mine: true, peek: 7 })).toEqual({ as: 'list', mine: true })
  const view = { id: 1, name: 'Mine', query: { mine: true }, user: 2, isDefault: false }
  expect([viewOf([view], { mine: true, peek: 7 }), viewOf([view], {})]).toEqual([view, undefined])
})
