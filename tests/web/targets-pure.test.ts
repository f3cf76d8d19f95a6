// What calls lead to is chosen in one field, and written in the fields that the service has for it.
import { describe, expect, test } from 'vitest'
import type { FieldInfo } from '../../web/data/queries.ts'
import { columnsOf, numberIn, readFor, targetIn } from '../../web/records/list-columns.ts'
import { draftOf, proposedOf } from '../../web/records/record-values.ts'
import { TARGETED, type Target, withTarget } from '../../web/records/targets.ts'

const EXTEN = 'connect.telco.exten'
const NUMBERS = 'connect.telco.number'
const field = (name: string, more: Partial<FieldInfo> = {}) =>
  ({ name, type: 'char', string: name, help: null, required: false, readonly: false, ...more }) as FieldInfo
const HUGO: Target = { kind: 'connect.user', id: 4, name: 'Hugo' }
const exten = TARGETED[EXTEN]
const number = TARGETED[NUMBERS]

describe('the target of an extension', () => {
  test('the target has its name where it is the stored one, else its id alone', () => {
    const stored = { dst: 'connect.user,4', dst_name: 'Hugo' }
    expect(exten?.targetOf(stored, stored)).toEqual(HUGO)
    expect(exten?.targetOf({ dst: 'connect.user,5' }, stored)).toEqual({ kind: 'connect.user', id: 5, name: undefined })
    expect(exten?.targetOf({ dst: null }, stored)).toBeUndefined()
  })

  test('the target is written as one reference, and nothing as none', () => {
    expect(exten?.valuesOf(HUGO)).toEqual({ dst: 'connect.user,4' })
    expect(exten?.valuesOf(undefined)).toEqual({ dst: null })
  })

  test('records that have an extension are not offered for another', () => {
    const selection = [
      ['connect.user', 'Phone user'],
      ['connect.telco.callflow', 'Call flow'],
      ['connect.telco.markup', 'TwiML application'],
    ] as const
    const kinds = exten?.kinds({ model: field('model', { selection: selection as never }) }, {})
    expect(kinds?.map(({ label, domain }) => [label, domain])).toEqual([
      ['Phone user', [['telco_exten', '=', false]]],
      ['Call flow', [['exten', '=', false]]],
      // The route of calls leads back to the extension.
      [
        'TwiML application',
        [
          ['exten', '=', false],
          ['code_type', '=', 'markup'],
        ],
      ],
    ])
  })

  test('the target stands after the number, and fields that say the same stand nowhere', () => {
    const shown = ['number', 'model', 'is_published'].map((name) => field(name))
    const fields = { dst: field('dst') }
    const namesOf = (all: readonly FieldInfo[]) => all.map(({ name }) => name)
    expect(namesOf(withTarget({ model: EXTEN, fields, shown, isFirst: true }))).toEqual([
      'number',
      'dst',
      'is_published',
    ])
    expect(namesOf(withTarget({ model: EXTEN, fields, shown: [field('dst_name')], isFirst: false }))).toEqual([])
    expect(withTarget({ model: 'res.partner', fields, shown, isFirst: true })).toBe(shown)
  })
})

describe('what answers a number', () => {
  test('what answers is read by its kind', () => {
    const row = { destination: 'callflow', callflow: [7, 'Menu'], user: null }
    expect(number?.targetOf(row, row)).toEqual({ kind: 'callflow', id: 7, name: 'Menu' })
    expect(number?.targetOf({ destination: 'callflow', callflow: null }, row)).toBeUndefined()
  })

  test('what answers is written with its kind, and what answered before no longer is', () => {
    const others = { user: null, callflow: null, markup: null, voiceai_agent: null }
    expect(number?.valuesOf({ kind: 'user', id: 4, name: 'Hugo' })).toEqual({
      ...others,
      destination: 'user',
      user: [4, 'Hugo'],
    })
    expect(number?.valuesOf(undefined)).toEqual({ ...others, destination: null })
  })
})

describe('the columns of a list', () => {
  const stored = (name: string, more: Partial<FieldInfo> = {}) => field(name, { store: true, ...more })
  const fields = Object.fromEntries(
    [
      ...[stored('phone_number'), stored('friendly_name'), stored('sid'), stored('is_ignored', { type: 'boolean' })],
      ...[stored('destination', { type: 'selection' }), stored('voiceai_agent', { type: 'many2one' })],
      ...[stored('language', { type: 'selection' }), stored('agent_uid'), stored('parent_sid')],
    ].map((each) => [each.name, each]),
  )

  test('numbers show what answers them by its name, nothing twice, and no id of a provider', () => {
    const columns = columnsOf(NUMBERS, fields)
    expect(columns.map(({ name }) => name)).toEqual(['destination', 'is_ignored', 'language'])
    expect(readFor(NUMBERS, columns)).toEqual(expect.arrayContaining(['destination', 'voiceai_agent', 'callflow']))
    const [answeredBy = field('none'), other = field('none')] = columns
    const row = { destination: 'voiceai_agent', voiceai_agent: [3, 'Helpdesk'], is_ignored: false }
    expect(targetIn(NUMBERS, answeredBy, row)).toBe('Helpdesk')
    expect(targetIn(NUMBERS, answeredBy, { destination: null })).toBeNull()
    expect(targetIn(NUMBERS, other, row)).toBeUndefined()
  })

  test('contacts show a number once, in the form in which calls have it, or as typed where that is none', () => {
    const names = ['phone', 'mobile', 'phone_normalized', 'mobile_normalized', 'email']
    const columns = columnsOf('res.partner', Object.fromEntries(names.map((name) => [name, stored(name)])))
    expect(columns.map(({ name }) => name)).toEqual(['phone', 'mobile', 'email'])
    expect(readFor('res.partner', columns).toSorted()).toEqual(names.toSorted())
    const row = { phone: '031 380 83 16', phone_normalized: '+41313808316', mobile: '117', mobile_normalized: null }
    expect(columns.map((each) => numberIn('res.partner', each, row))).toEqual(['+41313808316', '117', undefined])
  })

  test('extensions show whom they lead to by the name, and their number once', () => {
    const columns = columnsOf(
      'connect.telco.exten',
      Object.fromEntries(
        [stored('number'), field('dst', { widget: 'none' }), field('dst_name'), stored('mobile_name')].map((each) => [
          each.name,
          each,
        ]),
      ),
    )
    expect(columns.map(({ name }) => name)).toEqual(['dst', 'mobile_name'])
    const row = { dst: 'connect.user,4', dst_name: 'Ann Baker' }
    expect(columns.map((each) => targetIn('connect.telco.exten', each, row))).toEqual(['Ann Baker', undefined])
  })

  test('other lists have their fields in order, without ids of a provider', () => {
    expect(columnsOf('connect.channel', fields).map(({ name }) => name)).not.toContain('parent_sid')
  })
})

test('what the page proposes for a new record is sent with it, though nobody has touched it', () => {
  const fields = {
    tz: field('tz', { required: true }),
    name: field('name', { required: true }),
    hours: field('hours', { type: 'one2many' }),
    language: field('language', { default: 'en' }),
  }
  expect(proposedOf(fields, draftOf(fields, { zone: 'Europe/Zurich' }))).toEqual({ tz: 'Europe/Zurich' })
  const speaks = {
    language: field('language', {
      default: 'en-US',
      selection: [
        ['en-US', ''],
        ['de-DE', ''],
      ],
    }),
  }
  expect(proposedOf(speaks, draftOf(speaks, { spoken: 'de-DE' }))).toEqual({ language: 'de-DE' })
  expect(proposedOf(fields, draftOf(fields, { spoken: 'de-DE' }))).toEqual({})
  expect(proposedOf(fields, draftOf(fields))).toEqual({})
})
