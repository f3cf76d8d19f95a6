// Before business hours are saved, the form says what changes: day by day, on holidays, and where they are open at all hours.
import { expect, it } from 'vitest'
import type { FieldInfo } from '../../web/data/queries.ts'
import { hoursChanges, isAlwaysOpen } from '../../web/records/hours-changes.ts'
import { isAskedAbout, lostWithParts } from '../../web/records/reach.ts'

const HOURS = 'connect.telco.business_hours'
const DAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday']
const selection = DAYS.map((name, day) => [String(day), name] as const)
const weekday = { name: 'dayofweek', widget: 'weekday', selection } as unknown as FieldInfo
const fields = { opening_ids: { name: 'opening_ids', type: 'one2many', columns: [weekday] } as unknown as FieldInfo }
const opening = (day: number, from: number | null, to: number | null) => ({
  ...{ dayofweek: String(day), hour_from: from, hour_to: to },
})
const office = {
  ...{ display_name: 'Office', tz: 'Europe/Zurich', holiday_ids: [] },
  opening_ids: [opening(0, 8.5, 18), opening(4, 13, 17), opening(4, 8, 12)],
}
const changesTo = (edited: object, before: object = office) =>
  hoursChanges({ fields, before: { ...before }, after: { ...before, ...edited } })
const christmas = { name: 'Christmas', date_from: '2026-12-25', date_to: '2026-12-26', is_yearly: true }

it.each([
  [
    'a day that is added',
    [...office.opening_ids, opening(6, 10, 12)],
    [{ says: 'hoursDay', name: 'Sunday', is: { hours: '10:00–12:00' }, was: 'hoursClosed' }],
  ],
  [
    'a day that is removed',
    office.opening_ids.slice(0, 1),
    [{ says: 'hoursDay', name: 'Friday', is: 'hoursClosed', was: { hours: '08:00–12:00, 13:00–17:00' } }],
  ],
  ['a row that is not typed to its end', [...office.opening_ids, opening(6, 10, null)], []],
  ['all hours, which are removed', [], []],
])('%s', (_what, opening_ids, expected) => {
  expect(changesTo({ opening_ids })).toEqual(expected)
})

it('the first hours of what was open at all hours close every other day', () => {
  const changes = changesTo({ opening_ids: [opening(0, 8, 17)] }, { ...office, opening_ids: [] })
  expect(changes).toHaveLength(DAYS.length)
  expect(changes.at(-1)).toEqual({ says: 'hoursDay', name: 'Sunday', is: 'hoursClosed', was: 'hoursAllDay' })
})

it('holidays and the zone are said, and a holiday of one day ends on it', () => {
  const holiday = { name: 'Outing', date_from: '2026-08-26', date_to: null, is_yearly: false }
  const before = { ...office, holiday_ids: [christmas] }
  expect(changesTo({ holiday_ids: [holiday], tz: 'Europe/Berlin' }, before)).toEqual([
    { says: 'holidayAdded', name: 'Outing', from: '2026-08-26', to: '2026-08-26', isYearly: false },
    { says: 'holidayRemoved', name: 'Christmas', from: '2026-12-25', to: '2026-12-26', isYearly: true },
    { says: 'hoursZone', is: 'Europe/Berlin', was: 'Europe/Zurich' },
  ])
})

it('open at all hours is asked about before it is saved', () => {
  expect(isAlwaysOpen(office, { ...office, opening_ids: [] })).toBe(true)
  const lost = lostWithParts({ model: HOURS, fields, before: office, edited: { opening_ids: [] } })
  expect(lost.map((each) => [each.says, each.who, isAskedAbout(each)])).toEqual([['hoursAlways', 'Office', true]])
  expect(lostWithParts({ model: HOURS, fields, before: office, edited: { name: 'Shop' } })).toEqual([])
})
