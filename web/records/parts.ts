/** Records that are parts of another and are edited on its form: rows with their values, and an id once they are there; pure. */
import type { FieldInfo } from '../data/queries.ts'
import { plain } from '../words/formats.ts'
import { timeOfDay } from '../words/numerals.ts'
import { changesOf, draftOf, isWritable, shownFields, type Values, wire } from './record-values.ts'

type Fields = Readonly<Record<string, FieldInfo>>

/** What tells new rows from each other until they have ids. */
export const NEW_KEY = 'new'
const OWN_KEYS = ['id', NEW_KEY]
/** How the service says that a field is the place of a part. */
const ORDER = 'order'
/** On a phone 0 comes after 9. */
const ZERO_AFTER = 9.5
const WORKDAYS = 5
const DAYS = 7

/** A field of parts, with what of each part is entered. */
export type PartsField = FieldInfo & { columns: readonly FieldInfo[] }

/** What of a part is entered on the form of its whole. */
export function columnsOf({ relation_field: link }: FieldInfo, fields: Fields): FieldInfo[] {
  return shownFields(fields).filter(
    (field) =>
      field.name !== link && field.widget !== ORDER && !field.type.endsWith('2many') && isWritable(field, true),
  )
}

/** The field that says in which order the parts stand, where people choose that. */
export function orderOf(fields: Fields): string | undefined {
  return Object.values(fields).find(({ widget }) => widget === ORDER)?.name
}

/** Rows in the order that somebody chose; those without a place come after them, by what is entered first: 2 before 10, keys before * and #. */
export function inOrder({ orderedBy, columns }: Pick<PartsField, 'orderedBy' | 'columns'>, rows: Values[]): Values[] {
  if (orderedBy === undefined) return rows
  const first = columns[0]?.name ?? ''
  const placeOf = (row: Values) => (typeof row[orderedBy] === 'number' ? row[orderedBy] : Number.POSITIVE_INFINITY)
  return rows.toSorted((one, other) => {
    const [place, otherPlace] = [placeOf(one), placeOf(other)]
    return place === otherPlace ? byKeys(String(one[first]), String(other[first])) : place - otherPlace
  })
}

/** As the keys of a phone stand: 1 to 9, 0, and * and # after all numbers. */
function byKeys(one: string, other: string): number {
  const placeOf = (keys: string) => (/^\d+$/.test(keys) ? Number(keys === '0' ? ZERO_AFTER : keys) : undefined)
  const [place, otherPlace] = [placeOf(one), placeOf(other)]
  if (place !== undefined && otherPlace !== undefined) return place - otherPlace
  if (place === undefined && otherPlace === undefined) return one.localeCompare(other)
  return place === undefined ? 1 : -1
}

/** The rows with one of them so many places on, and every row with its place; undefined where it cannot be moved. */
export function movedRows(orderedBy: string, rows: readonly Values[], at: number, by: number): Values[] | undefined {
  const moved = rows[at]
  if (moved === undefined || rows[at + by] === undefined) return undefined
  const order = rows.filter((_row, nth) => nth !== at).toSpliced(at + by, 0, moved)
  return order.map((row, nth) => ({ ...row, [orderedBy]: nth + 1 }))
}

/** A new row in its place: the last, where the others have places. */
export function lastInOrder(orderedBy: string | undefined, rows: readonly Values[], row: Values): Values {
  const places = rows.map((each) => each[orderedBy ?? '']).filter((place) => typeof place === 'number')
  return orderedBy === undefined || places.length === 0 ? row : { ...row, [orderedBy]: Math.max(...places) + 1 }
}

/** Whether the field has parts that are edited here, of which these are the rows. */
export function arePartsOf(field: FieldInfo | undefined, value: unknown): field is PartsField {
  const isRow = (each: unknown): boolean => typeof each === 'object' && each !== null
  return field?.columns !== undefined && Array.isArray(value) && value.every(isRow)
}

export function rowsOf(value: unknown): Values[] {
  return Array.isArray(value) ? (value as Values[]) : []
}

/** What is sent of a change, with the row that each command of a list is about. */
export interface Sent {
  vals: Values
  rowsOf: Readonly<Record<string, readonly (string | undefined)[]>>
}

interface SentField {
  name: string
  value: unknown
  rows: (string | undefined)[]
}

/** Changes as they are written: of parts the commands that make what was there what is wanted. */
export function sentOf(fields: Fields, before: Values, changes: Values): Sent {
  const sent = Object.entries(changes).flatMap(([name, value]): SentField[] => {
    if (!arePartsOf(fields[name], value)) return [{ name, value, rows: [] }]
    const { commands, rows } = commandsOf(rowsOf(before[name]), rowsOf(value))
    // The same rows in another order are written nowhere.
    return commands.length === 0 ? [] : [{ name, value: commands, rows }]
  })
  return {
    vals: Object.fromEntries(sent.map(({ name, value }) => [name, value])),
    rowsOf: Object.fromEntries(sent.map(({ name, rows }) => [name, rows])),
  }
}

/** Commands that remove, change and make rows; a row that was removed meanwhile is made again. */
export function commandsOf(
  before: readonly Values[],
  after: readonly Values[],
): { commands: unknown[]; rows: (string | undefined)[] } {
  const were = new Map(before.map((row) => [row.id, row]))
  const stay = new Set(after.map(({ id }) => id))
  const steps: [command: unknown[], row: string | undefined][] = []
  for (const { id } of before) if (!stay.has(id)) steps.push([[2, id], undefined])
  for (const row of after) {
    const was = row.id === undefined ? undefined : were.get(row.id)
    const values = valuesOf(row)
    const changes = was === undefined ? {} : changesOf(was, values)
    if (was === undefined) steps.push([[0, 0, wired(values)], keyOfRow(row)])
    else if (Object.keys(changes).length > 0) steps.push([[1, row.id, changes], keyOfRow(row)])
  }
  return { commands: steps.map(([command]) => command), rows: steps.map(([, row]) => row) }
}

export function keyOfRow(row: Values): string {
  return String(row.id ?? row[NEW_KEY] ?? '')
}

function valuesOf(row: Values): Values {
  return Object.fromEntries(Object.entries(row).filter(([name]) => !OWN_KEYS.includes(name)))
}

/** What is nothing is left to the service, which may have a default for it. */
function wired(values: Values): Values {
  const given = Object.entries(values).filter(([, value]) => value !== null && value !== undefined)
  return Object.fromEntries(given.map(([name, value]) => [name, wire(value)]))
}

/** A key that none of the rows has; of several new rows the nth. */
function freshKey(rows: readonly Values[], nth = 0): string {
  const taken = rows.map((row) => Number(/^n(\d+)$/.exec(keyOfRow(row))?.[1] ?? 0))
  return `n${Math.max(0, ...taken) + 1 + nth}`
}

/** A new row: what a new record has, and after the row of a weekday the next day with the same hours. */
export function nextPart(columns: readonly FieldInfo[], rows: readonly Values[]): Values {
  const key = freshKey(rows)
  const fresh = draftOf(Object.fromEntries(columns.map((field) => [field.name, field])))
  const day = columns.find(({ widget }) => widget === 'weekday')
  if (day === undefined) return { ...fresh, [NEW_KEY]: key }
  const last = rows.at(-1)
  const next = last === undefined ? 0 : (Number(last[day.name]) + 1) % DAYS
  return { ...fresh, ...(last === undefined ? {} : valuesOf(last)), [day.name]: String(next), [NEW_KEY]: key }
}

/** The rows with the hours of one day on each day from Monday to Friday, in place of those that overlap them. */
export function copiedToWorkdays(columns: readonly FieldInfo[], rows: readonly Values[], at: number): Values[] {
  const day = columns.find(({ widget }) => widget === 'weekday')
  const copied = rows[at]
  if (day === undefined || copied === undefined) return [...rows]
  const isOf = (row: Values, each: string) => String(row[day.name]) === each
  const days = Array.from({ length: WORKDAYS }, (_each, nth) => String(nth)).filter((each) => !isOf(copied, each))
  const isTaken = (each: string) =>
    rows.some((row) => isOf(row, each) && hoursOf(columns, row).join() === hoursOf(columns, copied).join())
  const missing = days.filter((each) => !isTaken(each))
  const others = rows.filter((row) => !missing.some((each) => isOf(row, each) && doOverlap(columns, row, copied)))
  const made = missing.map((each, nth) => ({ ...valuesOf(copied), [day.name]: each, [NEW_KEY]: freshKey(rows, nth) }))
  const all: Values[] = [...others, ...made]
  return all.sort((one, other) => Number(one[day.name]) - Number(other[day.name]) || startOf(columns, one, other))
}

/** Whether the hours of a row of a weekday are there to be copied. */
export function hasHours(columns: readonly FieldInfo[], row: Values): boolean {
  const hours = hoursOf(columns, row)
  return columns.some(({ widget }) => widget === 'weekday') && hours.every((hour) => typeof hour === 'number')
}

function hoursOf(columns: readonly FieldInfo[], row: Values): unknown[] {
  return columns.filter(({ widget }) => widget === 'time_of_day').map(({ name }) => row[name])
}

function doOverlap(columns: readonly FieldInfo[], one: Values, other: Values): boolean {
  const [from, to] = hoursOf(columns, one).map(Number)
  const [otherFrom, otherTo] = hoursOf(columns, other).map(Number)
  return Number(from) < Number(otherTo) && Number(otherFrom) < Number(to)
}

function startOf(columns: readonly FieldInfo[], one: Values, other: Values): number {
  return Number(hoursOf(columns, one)[0] ?? 0) - Number(hoursOf(columns, other)[0] ?? 0)
}

/** A part in a line: what is entered of it, without what is empty. */
export function partLine(columns: readonly FieldInfo[], row: Values): string {
  return columns
    .map((field) => cellText(field, row[field.name]))
    .filter((text) => text !== '')
    .join(' · ')
}

function cellText({ type, widget, selection, string: label }: FieldInfo, value: unknown): string {
  if (value === null || value === undefined || value === false) return ''
  if (value === true) return label
  if (type === 'selection') return selection?.find(([choice]) => choice === value)?.[1] ?? String(value)
  if (Array.isArray(value)) return plain(String(value[1] ?? ''))
  return widget === 'time_of_day' && typeof value === 'number' ? timeOfDay(value) : plain(String(value))
}

/** What is wrong with a cell, or with the row as a whole, among what is wrong with a form. */
export function problemAt(list: string, row: string, field = ''): string {
  return `${list}/${row}/${field}`
}
