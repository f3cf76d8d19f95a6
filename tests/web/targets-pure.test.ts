// What calls lead to is chosen in one field, and written in the fields that the service has for it.
import { describe, expect, test } from 'vitest'
import type { FieldInfo } from '../../web/data/queries.ts'
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
    ] as const
    const kinds = exten?.kinds({ model: field('model', { selection: selection as never }) }, {})
    expect(kinds?.map(({ label, domain }) => [label, domain])).toEqual([
      ['Phone user', [['telco_exten', '=', false]]],
      ['Call flow', [['exten', '=', false]]],
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
