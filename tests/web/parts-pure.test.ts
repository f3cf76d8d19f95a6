// What a form makes of records that are parts of another: the commands that are sent of them, copies of hours, and ring steps.
import { describe, expect, it } from 'vitest'
import type { FieldInfo } from '../../web/data/queries.ts'
import { withFollowing } from '../../web/records/follows.ts'
import {
  commandsOf,
  copiedToWorkdays,
  inOrder,
  lastInOrder,
  movedRows,
  nextPart,
  partLine,
  sentOf,
} from '../../web/records/parts.ts'
import { lostWithParts } from '../../web/records/reach.ts'
import { movedSteps, stepsOf } from '../../web/records/ring-order.ts'

const field = (name: string, more: Partial<FieldInfo> = {}) =>
  ({ name, type: 'char', string: name, help: null, required: false, readonly: false, ...more }) as FieldInfo
const DAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday']
const COLUMNS = [
  field('day', { type: 'selection', widget: 'weekday', selection: DAYS.map((day, at) => [String(at), day]) }),
  field('from', { type: 'float', widget: 'time_of_day' }),
  field('to', { type: 'float', widget: 'time_of_day' }),
]
const hours = (day: string, from: number, to: number, more: object = {}) => ({ day, from, to, ...more })

describe('parts of a record', () => {
  it('rows become commands that remove, change and make what differs, each with its row', () => {
    const before = [hours('0', 8, 12, { id: 1 }), hours('1', 8, 12, { id: 2 }), hours('2', 8, 12, { id: 3 })]
    const after = [hours('0', 8, 12, { id: 1 }), hours('2', 9, 12, { id: 3 }), hours('4', 8, 12, { new: 'n1' })]
    expect(commandsOf(before, after)).toEqual({
      commands: [
        [2, 2],
        [1, 3, { from: 9 }],
        [0, 0, { day: '4', from: 8, to: 12 }],
      ],
      rows: [undefined, '3', 'n1'],
    })
    expect(commandsOf(before, before)).toEqual({ commands: [], rows: [] })
    // Put back: what was removed is made again, what was made is removed, and a link is sent as its id.
    expect(commandsOf([{ id: 9, exten: [4, '101'] }], [{ id: 1, exten: [5, '102'], speech: null }]).commands).toEqual([
      [2, 9],
      [0, 0, { exten: 5 }],
    ])
  })

  it('only lists of parts are sent as commands', () => {
    const fields = { hours: field('hours', { type: 'one2many', columns: COLUMNS }), links: field('links') }
    const sent = sentOf(
      fields,
      { hours: [] },
      { hours: [hours('0', 8, 12, { new: 'n1' })], links: [1, 2], name: 'Office' },
    )
    expect(sent.vals).toEqual({ hours: [[0, 0, hours('0', 8, 12)]], links: [1, 2], name: 'Office' })
    expect(sent.rowsOf.hours).toEqual(['n1'])
    const [one, other] = [hours('0', 8, 12, { id: 1 }), hours('1', 8, 12, { id: 2 })]
    expect(sentOf(fields, { hours: [one, other] }, { hours: [other, one] }).vals).toEqual({})
  })

  it('hours of a day are copied to Monday to Friday in place of those that overlap, and nothing is doubled', () => {
    const rows = [
      hours('0', 8, 17, { id: 1 }),
      hours('1', 10, 18, { id: 2 }),
      hours('2', 18, 20, { id: 3 }),
      hours('5', 9, 12, { id: 4 }),
    ]
    const copied = copiedToWorkdays(COLUMNS, rows, 0)
    expect(copied.map((row) => partLine(COLUMNS, row))).toEqual([
      'Monday · 08:00 · 17:00',
      'Tuesday · 08:00 · 17:00',
      'Wednesday · 08:00 · 17:00',
      'Wednesday · 18:00 · 20:00',
      'Thursday · 08:00 · 17:00',
      'Friday · 08:00 · 17:00',
      'Saturday · 09:00 · 12:00',
    ])
    expect(copiedToWorkdays(COLUMNS, copied, 0)).toEqual(copied)
    expect(new Set(copied.map(({ id, new: key }) => id ?? key)).size).toBe(copied.length)
  })

  it('a row that is added is of the next day with the hours of the last', () => {
    expect(nextPart(COLUMNS, [])).toEqual({ day: '0', from: null, to: null, new: 'n1' })
    expect(nextPart(COLUMNS, [hours('6', 9, 12, { id: 4 })])).toEqual({ day: '0', from: 9, to: 12, new: 'n1' })
    expect(nextPart([field('digits', { default: '1' })], [{ new: 'n4' }])).toEqual({ digits: '1', new: 'n5' })
  })

  it('a choice that is removed or led elsewhere says who is no longer reached', () => {
    const columns = [field('choice_digits'), field('exten', { type: 'many2one' })]
    const fields = {
      choices: field('choices', { type: 'one2many', relation: 'connect.telco.callflow_choice', columns }),
    }
    const before = { choices: [1, 2].map((id) => ({ id, choice_digits: String(id), exten: [id, `10${id}`] })) }
    const edited = { choices: [{ id: 2, choice_digits: '2', exten: [3, '103'] }] }
    const lost = lostWithParts({ model: 'connect.telco.callflow', fields, before, edited })
    expect(lost.map(({ who, from, to, extension }) => [who, from, to, extension])).toEqual([
      ['1', '101', '', 1],
      ['2', '102', '103', 2],
    ])
  })
})

describe('ring steps', () => {
  const phones = {
    client_enabled: true,
    client_priority: '1',
    sip_enabled: true,
    sip_priority: '2',
    voicemail_enabled: true,
  }
  const names = (values: object) => stepsOf({ ...values }).map(({ enabled }) => enabled)

  it('phones ring in the order of their priorities, and the voicemail comes last', () => {
    expect(names(phones)).toEqual(['client_enabled', 'sip_enabled', 'voicemail_enabled'])
    expect(names({ ...phones, client_priority: '2', sip_priority: '1' })[0]).toBe('sip_enabled')
    expect(names({ ...phones, sip_enabled: false })).toEqual(['client_enabled', 'voicemail_enabled'])
  })

  it('a mobile rings among the phones, and the voicemail comes last', () => {
    const mobile = { mobile_enabled: true, mobile_priority: '3' }
    expect(names({ ...phones, ...mobile }).at(2)).toBe('mobile_enabled')
    const steps = stepsOf({ ...phones, ...mobile })
    const order = { client_priority: '1', mobile_priority: '2', sip_priority: '3' }
    expect(movedSteps(steps, 2, -1)).toEqual(order)
    expect(movedSteps(steps, 3, -1)).toBeUndefined()
  })

  it('a phone that is moved takes the place of the other, and the voicemail is not moved', () => {
    const steps = stepsOf(phones)
    expect(movedSteps(steps, 0, 1)).toEqual({ sip_priority: '1', client_priority: '2' })
    expect(movedSteps(steps, 1, -1)).toEqual({ sip_priority: '1', client_priority: '2' })
    expect([movedSteps(steps, 1, 1), movedSteps(steps, 0, -1), movedSteps(steps, 2, -1)]).toEqual([
      undefined,
      undefined,
      undefined,
    ])
  })
})

describe('the order of parts', () => {
  const CHOICES = { orderedBy: 'sequence', columns: [field('choice_digits')] }
  const choices = (...keys: string[]) => keys.map((choice_digits, id) => ({ id, choice_digits, sequence: null }))
  const keysOf = (rows: readonly object[]) =>
    rows.map((row) => ('choice_digits' in row ? row.choice_digits : undefined))

  it('choices without a place stand as the keys of a phone do', () => {
    const rows = choices('10', '#', '2', '0', '1', '*', '9')
    expect(keysOf(inOrder(CHOICES, rows))).toEqual(['1', '2', '9', '0', '10', '*', '#'])
  })

  it('choices with a place stand there, before those without one', () => {
    const placed = [
      { id: 8, choice_digits: '8', sequence: 2 },
      { id: 9, choice_digits: '9', sequence: 1 },
    ]
    const rows = [...choices('1', '2'), ...placed]
    expect(keysOf(inOrder(CHOICES, rows))).toEqual(['9', '8', '1', '2'])
    expect(inOrder({ ...CHOICES, orderedBy: undefined }, rows)).toBe(rows)
  })

  it('a row that is moved gives every row its place, which is written, and a new one comes last', () => {
    const rows = choices('1', '2', '3')
    const moved = movedRows('sequence', rows, 2, -1) ?? []
    expect(moved.map(({ choice_digits: keys, sequence }) => [keys, sequence])).toEqual([
      ['1', 1],
      ['3', 2],
      ['2', 3],
    ])
    expect(commandsOf(rows, moved).commands).toEqual([
      [1, 0, { sequence: 1 }],
      [1, 2, { sequence: 2 }],
      [1, 1, { sequence: 3 }],
    ])
    expect(movedRows('sequence', rows, 0, -1)).toBeUndefined()
    expect(movedRows('sequence', rows, 2, 1)).toBeUndefined()
    expect(lastInOrder('sequence', moved, { choice_digits: '4' })).toEqual({ choice_digits: '4', sequence: 4 })
    expect(lastInOrder('sequence', rows, { choice_digits: '4' })).toEqual({ choice_digits: '4' })
  })
})

describe('what follows from parts', () => {
  const FLOW = 'connect.telco.callflow'
  const followed = (shown: object, choices: unknown, stored: object = {}) =>
    withFollowing(FLOW, { stored: { ...stored }, shown: { ...stored, ...shown }, change: { choices } })
  it('callers are asked to choose from the first choice on, and as before without any', () => {
    expect(followed({ choices: [] }, [{ new: 'n1' }])).toEqual({ choices: [{ new: 'n1' }], gather_input: true })
    expect(followed({ choices: [{ new: 'n1' }] }, [])).toEqual({ choices: [], gather_input: false })
    expect(followed({ choices: [{ id: 1 }] }, [], { gather_input: true })).toEqual({ choices: [], gather_input: true })
  })

  it('a switch that somebody turned off stays off where there are choices already', () => {
    const [one, two] = [{ id: 1 }, { new: 'n2' }]
    expect(followed({ choices: [one] }, [one, two])).toEqual({ choices: [one, two] })
  })
})
