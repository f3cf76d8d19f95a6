/** What changes when business hours are saved as they are typed, day by day; pure. */
import type { FieldInfo } from '../data/queries.ts'
import { timeOfDay } from '../words/numerals.ts'
import { arePartsOf, rowsOf } from './parts.ts'
import type { Values } from './record-values.ts'

export const HOURS = 'connect.telco.business_hours'
const OPENINGS = 'opening_ids'
const HOLIDAYS = 'holiday_ids'

/** How long it is open on a day: stretches of hours, or one of these. */
export type OpenOn = 'hoursAllDay' | 'hoursClosed' | { hours: string }

export type HoursChange =
  | { says: 'hoursDay'; name: string; is: OpenOn; was: OpenOn }
  | { says: 'holidayAdded' | 'holidayRemoved'; name: string; from: string; to: string; isYearly: boolean }
  | { says: 'hoursZone'; is: string; was: string }

interface Edited {
  fields: Readonly<Record<string, FieldInfo>>
  before: Values
  after: Values
}

/** Whether every hour was removed, with which it is open day and night. */
export function isAlwaysOpen(before: Values, after: Values): boolean {
  return openingsOf(before).length > 0 && rowsOf(after[OPENINGS]).length === 0
}

/** Whether there is any time at which callers hear that it is closed. */
export function isEverClosed(model: string, values: Values): boolean {
  return model !== HOURS || [OPENINGS, HOLIDAYS].some((field) => rowsOf(values[field]).length > 0)
}

export function hoursChanges({ fields, before, after }: Edited): HoursChange[] {
  const zones = [after.tz, before.tz].map(String)
  const [is = '', was = ''] = zones
  const [were, are] = [openingsOf(before), openingsOf(after)]
  // Open at all hours is said by itself, and of hours that are being typed nothing can be said yet.
  const isSaid = are.length === 0 && (were.length > 0 || rowsOf(after[OPENINGS]).length > 0)
  return [
    ...(isSaid ? [] : dayChanges(weekdaysOf(fields), were, are)),
    ...holidayChanges(holidaysOf(before), holidaysOf(after)),
    ...(is === was ? [] : [{ says: 'hoursZone' as const, is, was }]),
  ]
}

function weekdaysOf(fields: Edited['fields']): readonly (readonly [string, string])[] {
  const field = fields[OPENINGS]
  const columns = arePartsOf(field, []) ? field.columns : []
  return columns.find(({ widget }) => widget === 'weekday')?.selection ?? []
}

function dayChanges(
  days: readonly (readonly [string, string])[],
  before: readonly Values[],
  after: readonly Values[],
): HoursChange[] {
  return days.flatMap(([day, name]) => {
    const [is, was] = [openOn(after, day), openOn(before, day)]
    return JSON.stringify(is) === JSON.stringify(was) ? [] : [{ says: 'hoursDay' as const, name, is, was }]
  })
}

function openOn(openings: readonly Values[], day: string): OpenOn {
  if (openings.length === 0) return 'hoursAllDay'
  const stretches = openings
    .filter(({ dayofweek }) => String(dayofweek) === day)
    .map(({ hour_from: from, hour_to: to }) => [Number(from), Number(to)] as const)
    .toSorted(([one], [other]) => one - other)
  const hours = stretches.map(([from, to]) => `${timeOfDay(from)}–${timeOfDay(to)}`).join(', ')
  return hours === '' ? 'hoursClosed' : { hours }
}

function holidayChanges(before: readonly Values[], after: readonly Values[]): HoursChange[] {
  const keyOf = (row: Values) => JSON.stringify(holiday(row))
  const without = (rows: readonly Values[], others: readonly Values[]) =>
    rows.filter((row) => others.every((other) => keyOf(other) !== keyOf(row))).map(holiday)
  return [
    ...without(after, before).map((each) => ({ says: 'holidayAdded' as const, ...each })),
    ...without(before, after).map((each) => ({ says: 'holidayRemoved' as const, ...each })),
  ]
}

function holiday({ name, date_from: from, date_to: to, is_yearly: isYearly }: Values) {
  const first = String(from)
  return { name: String(name ?? ''), from: first, to: String(to || first), isYearly: isYearly === true }
}

/** Rows that are typed to their end; of the others nothing can be said yet. */
function openingsOf(row: Values): Values[] {
  return rowsOf(row[OPENINGS]).filter(
    ({ hour_from: from, hour_to: to }) => typeof from === 'number' && typeof to === 'number',
  )
}

function holidaysOf(row: Values): Values[] {
  return rowsOf(row[HOLIDAYS]).filter(({ date_from: from }) => typeof from === 'string' && from !== '')
}
