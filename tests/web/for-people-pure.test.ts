// What the service writes for programs, as people read it.
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { sectionsOf } from '../../web/contacts/person-sections.ts'
import { readError, wordRefusals } from '../../web/data/errors.ts'
import { columnsOf, csvOf } from '../../web/records/export-rows.ts'
import { helpForPeople, lineOf, momentsForPeople, nameForPeople, namesForPeople } from '../../web/words/for-people.ts'
import { wordLabels } from '../../web/words/labels.ts'
import { PLAIN_REFUSALS } from '../../web/words/plain-refusals.ts'
import { wordRefusal } from '../../web/words/refusal-words.ts'

const MANNER = { zone: 'Europe/Zurich', language: 'en', yes: 'Yes', no: 'No' }

test.each([
  ['In UTC, written YYYY-MM-DD HH:MM:SS.', ''],
  ['In UTC, geschrieben JJJJ-MM-TT HH:MM:SS. Der Beginn zählt.', 'Der Beginn zählt.'],
  ['By {"at", "by"}, the login of the person who wrote it. It is kept.', 'It is kept.'],
  ['The user whose time it takes; `user_id` of the tools is the same id.', ''],
  ['From 0 to 24. "hour_to" must be after "hour_from".', 'From 0 to 24.'],
  ['Must be a code such as de_DE.', 'Must be a code such as de_DE.'],
  [
    'Spoken before the tone. {{user.name}} stands for the name.',
    'Spoken before the tone. {{user.name}} stands for the name.',
  ],
])('the help %s is for people: %s', (help, left) => {
  expect(helpForPeople(help)).toBe(left)
})

test.each([
  ['phone_number', 'Phone number'],
  ['endedAt', 'Ended at'],
  ['no-answer', 'No answer'],
  ['what', 'What'],
  ['SMS', 'SMS'],
  ['+41 31', '+41 31'],
])('the name %s is read as %s', (name, words) => expect(nameForPeople(name)).toBe(words))

test('moments in a text of the service are those of the reader', () => {
  const timeOf = (moment: string) => `<${moment}>`
  expect(momentsForPeople('Missed incoming call at 2026-11-22 09:22:38', timeOf)).toBe(
    'Missed incoming call at <2026-11-22 09:22:38>',
  )
  expect(momentsForPeople('until 2026-11-22T09:22:38Z or 2026-11-22 09:22:38 UTC', timeOf)).toBe(
    'until <2026-11-22T09:22:38Z> or <2026-11-22 09:22:38>',
  )
  expect(momentsForPeople('on 2026-11-22', timeOf)).toBe('on 2026-11-22')
})

test('a value of lists and named parts is one line', () => {
  const value = { state: 'done', names: ['Ann', 'Ben'], empty: null, ended_at: 7, is_new: true }
  expect(lineOf(value, String)).toBe('State: done; Names: Ann, Ben; Ended at: 7; Is new: true')
})

test('a refusal names fields and models by their labels', () => {
  const labels: Readonly<Record<string, string>> = { 'res.partner.name': 'Name', 'connect.call': 'Call', stop: 'Stop' }
  const labelOf = (name: string) => labels[name]
  expect(namesForPeople('"res.partner.name" is required.', labelOf)).toBe('"Name" is required.')
  expect(namesForPeople('You are not allowed to read records of connect.call.', labelOf)).toBe(
    'You are not allowed to read records of Call.',
  )
  expect(namesForPeople('„stop“ muss nach „other“ sein.', labelOf)).toBe('„Stop“ muss nach „other“ sein.')
})

test('a refusal that the service answers is said by its labels, and a moment without the way that programs write it', () => {
  wordRefusals((message, code, said) => wordRefusal(message, code, { ...said, words: PLAIN_REFUSALS }))
  const message = '"calendar.event.start" must be a date and time in UTC written YYYY-MM-DD HH:MM:SS.'
  const problems = [
    { field: 'start', code: 'not-date-time', params: { path: 'calendar.event.start' }, message },
    { field: 'name', message: '"calendar.event.name" is required.' },
  ]
  const labels = { 'calendar.event.start': 'Start', 'calendar.event.name': 'Subject' }
  const error = readError(422, { message, context: { model: 'calendar.event', labels, problems } })
  expect(error.problems.map((problem) => problem.message)).toEqual([
    'This must be a date and time, such as 2026-11-23 09:00.',
    '"Subject" is required.',
  ])
  expect(error.message).not.toContain('calendar.event')
})

test('a refusal that says why a provider did not do it says that in the words of the reader', () => {
  const german: Readonly<Record<string, string>> = { 'ElevenLabs did not answer in time.': 'Keine Antwort.' }
  const said = wordRefusal('ElevenLabs did not answer in time.', 'provider-failed', {
    params: { sentence: 'ElevenLabs did not answer in time.' },
    ...{ labels: {}, model: '', words: { 'provider-failed': '{{sentence}}' } },
    why: (sentence) => german[sentence] ?? sentence,
  })
  expect(said).toBe('Keine Antwort.')
})

test('a refusal calls what has an extension by what its kind is called in the language of the reader', () => {
  wordLabels({ 'Phone user': 'Telefonbenutzer' })
  const params = { number: '101', label: 'Phone user', name: 'Pia Frei' }
  const said = wordRefusal('', 'extension-already-exists', { params, labels: {}, model: '', words: GERMAN })
  wordLabels({})
  expect(said).toBe('Die Nebenstelle 101 gibt es schon: Telefonbenutzer „Pia Frei“.')
})

test('fields that a refusal lists have their labels in the language of the reader', () => {
  wordLabels({ Prompt: 'Anweisung', Greeting: 'Begrüßung' })
  const params = { name: 'Ann', fields: 'Prompt, Greeting' }
  const said = wordRefusal('', 'agent-changed-under-draft', { params, labels: {}, model: '', words: GERMAN })
  wordLabels({})
  expect(said).toContain('(Anweisung, Begrüßung)')
})

test('the shape that a value must have is said in the language of the reader', () => {
  const said = wordRefusal('', 'wrong-shape', {
    ...{ params: { path: 'res.users.login', says: 'without blanks' }, labels: {}, model: '', words: GERMAN },
    help: (sentence) => HELP[sentence] ?? sentence,
  })
  expect(said).toBe('Muss ohne Leerzeichen sein.')
})

test('a field that a refusal only names beside another has its label too', () => {
  const params = { model: 'connect.telco.opening', to: 'hour_to', from: 'hour_from' }
  const labels = { 'connect.telco.opening.hour_to': 'Bis', hour_from: 'Von' }
  const said = { params, labels, model: 'connect.telco.business_hours', words: GERMAN }
  expect(wordRefusal('', 'must-after', said)).toBe('„Bis“ muss nach „Von“ liegen.')
})

test('the file of a person says what is stored by labels, of each kind, and notes with them', () => {
  const field = (name: string, type: string, string: string) => ({ name, type, string })
  const fields: Readonly<Record<string, object>> = {
    'res.partner': { name: field('name', 'char', 'Name'), is_company: field('is_company', 'boolean', 'Company') },
    'mail.message': { date: field('date', 'datetime', 'Date'), res_id: field('res_id', 'integer', 'Record') },
  }
  const all = {
    contact: [{ id: 7, name: 'Zoe', is_company: false }],
    calls: [],
    notes: { contact: [{ date: '2026-11-22 09:22:38' }], calls: [] },
  }
  const sections = sectionsOf(all, {
    manner: MANNER,
    fieldsOf: (model) => fields[model] as never,
    titleOf: (model) => model.toUpperCase(),
  })
  expect(sections).toEqual([
    {
      title: 'RES.PARTNER',
      records: [
        [
          ['Name', 'Zoe'],
          ['ID', '7'],
        ],
      ],
    },
    { title: 'MAIL.MESSAGE', records: [[['Date', '2026-11-22 10:22:38']]] },
  ])
})

test('a file for a spreadsheet has names with times of the zone, and no JSON', () => {
  const field = (name: string, type: string) => ({ name, type, string: name }) as never
  const columns = columnsOf([field('call', 'many2one'), field('counts', 'json')], MANNER)
  const row = { call: [7, 'Missed call at 2026-11-22 09:22:38'], counts: { tools: { updated: 12 } } }
  expect(csvOf(columns, [row])).toBe('call,counts\r\nMissed call at 2026-11-22 10:22:38,Tools: Updated: 12\r\n')
})

test('a number in a file has no noise of programs behind its last digit', () => {
  const cost = { name: 'cost', type: 'float', string: 'Cost' } as never
  expect(csvOf(columnsOf([cost], MANNER), [{ cost: 0.0138 * 1.0000000000000002 }])).toBe('Cost\r\n0.0138\r\n')
})

test('what is stored of a person is in words also for a reader to whom its fields are not described', () => {
  const all = { tickets: [{ id: 1, team_id: [2, 'Helpdesk'], priority: 'high' }], calls: [], contact: [] }
  const sections = sectionsOf(all, { manner: MANNER, fieldsOf: () => ({}), titleOf: () => 'Ticket' })
  const [[, team] = []] = sections.flatMap(({ records }) => records)
  expect(team).toEqual(['Team', 'Helpdesk'])
})

const HELP = JSON.parse(readFileSync('web/words/de/help.json', 'utf8')) as Record<string, string>
const GERMAN = JSON.parse(readFileSync('web/words/de/refusals.json', 'utf8')) as Record<string, string>
const IN_FORMS = {
  name: 'partner',
  value: 'Hugo',
  model: 'connect.call',
  user: 'connect.call',
  path: 'connect.call.partner',
}

test.each([
  [
    'with-these-values-record-would-not',
    'Nothing was saved: after this change you could not see the entry any more.',
    'Nichts wurde gespeichert: Nach dieser Änderung könnten Sie den Eintrag nicht mehr sehen.',
  ],
  ['changed-meanwhile', 'Hugo has changed this entry in the meantime.', 'Hugo hat diesen Eintrag inzwischen geändert.'],
  ['set-by-service', 'Connect fills in “Contact” itself.', '„Contact“ füllt Connect selbst aus.'],
  [
    'field-of-reported-record',
    '“Contact” is filled in automatically and cannot be changed.',
    '„Contact“ füllt Connect aus; ändern lässt es sich nicht.',
  ],
  ['field-not-yours-write', 'You are not allowed to change “Contact”.', '„Contact“ dürfen Sie nicht ändern.'],
  [
    'you-may-name-nobody-but-yourself',
    'As “Contact” you can choose only yourself.',
    'Bei „Contact“ können Sie nur sich selbst wählen.',
  ],
  [
    'you-not-allowed-link',
    'You are not allowed to choose this entry here.',
    'Diesen Eintrag dürfen Sie hier nicht wählen.',
  ],
  [
    'still-used',
    'This is still used, so it cannot be deleted: “Call”.',
    'Das wird noch verwendet und kann nicht gelöscht werden: „Call“.',
  ],
])('the refusal %s of a form does not name the kind of record', (code, english, german) => {
  const said = { params: IN_FORMS, labels: { partner: 'Contact', 'connect.call': 'Call' }, model: 'connect.call' }
  expect(wordRefusal('', code, { ...said, words: PLAIN_REFUSALS })).toBe(english)
  expect(wordRefusal('', code, { ...said, words: GERMAN })).toBe(german)
})
