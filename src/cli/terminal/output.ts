import type { Writable } from 'node:stream'
import { csvCell } from '../../csv-cell.ts'
import { printable } from './printable.ts'

/** How a command shows what it found: for a person, or as JSON for a program. */
export interface Output {
  rows(rows: readonly object[], columns: readonly string[]): void
  value(value: unknown): void
  /** Progress, for people only. */
  say(sentence: string): void
  /** How it ended: a sentence for people, a value for programs. */
  done(sentence: string, value: object): void
}

const CELL_CHARS_MAX = 60

/** Text for a person, one JSON document, or a table that spreadsheets read. */
export type Format = 'text' | 'json' | 'csv'

/** Output to a stream, that of the terminal; with `json` every command prints exactly one JSON document. */
export function createOutput(format: Format, out: Writable): Output {
  const print = (text: string): void => {
    out.write(`${printable(text)}\n`)
  }
  if (format === 'csv') return csvOutput(out)
  if (format === 'json') {
    return {
      rows: (rows) => print(JSON.stringify(rows, null, 2)),
      value: (value) => print(JSON.stringify(value, null, 2)),
      say: () => undefined,
      done: (_sentence, value) => print(JSON.stringify(value, null, 2)),
    }
  }
  return {
    rows: (rows, columns) => print(rows.length === 0 ? 'Nothing found.' : table(rows, columns)),
    value: (value) =>
      print(typeof value === 'object' && value !== null && !isLink(value) ? record(value) : shownValue(value)),
    say: print,
    done: print,
  }
}

function csvOutput(out: Writable): Output {
  const print = (rows: readonly object[], columns: readonly string[]): void => {
    out.write(csvLine(columns))
    for (const row of rows) out.write(csvLine(columns.map((column) => (row as Record<string, unknown>)[column])))
  }
  const value = (one: unknown): void => {
    const rows = Array.isArray(one) ? one : [typeof one === 'object' && one !== null ? one : { value: one }]
    print(rows, [...new Set(rows.flatMap((row) => Object.keys(row)))])
  }
  return { rows: print, value, say: () => undefined, done: (_sentence, one) => value(one) }
}

/** One line of comma-separated values (RFC 4180, with the line ends of text files): a link by its name and id, nothing as nothing. */
export function csvLine(values: readonly unknown[]): string {
  return `${values.map(cell).join(',')}\n`
}

function cell(value: unknown): string {
  return csvCell(isEmpty(value) ? '' : printable(shownValue(value)))
}

function table(rows: readonly object[], columns: readonly string[]): string {
  // The last column may be as long as it is: nothing stands behind it.
  const cells = rows.map((row) =>
    columns.map((column, at) => {
      const text = printable(oneLine(shownValue((row as Record<string, unknown>)[column])))
      return at === columns.length - 1 ? text : cut(text)
    }),
  )
  const widths = columns.map((column, at) => Math.max(column.length, ...cells.map((row) => row[at]?.length ?? 0)))
  const line = (values: readonly string[]): string =>
    values
      .map((value, at) => value.padEnd(widths[at] ?? 0))
      .join('  ')
      .trimEnd()
  return [line(columns), line(widths.map((width) => '-'.repeat(width))), ...cells.map(line)].join('\n')
}

function record(value: object): string {
  const entries = Object.entries(value)
  const width = Math.max(...entries.map(([name]) => name.length))
  return entries.map(([name, each]) => `${name.padEnd(width)}  ${shownValue(each)}`).join('\n')
}

/** A value as a person reads it: a link by its name, nothing as a dash. */
export function shownValue(value: unknown): string {
  if (isEmpty(value)) return '-'
  if (isLink(value)) return `${value[1]} (${value[0]})`
  if (typeof value === 'object') return JSON.stringify(value)
  return String(value)
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ')
}

function cut(text: string): string {
  return text.length > CELL_CHARS_MAX ? `${text.slice(0, CELL_CHARS_MAX - 1)}…` : text
}

function isEmpty(value: unknown): boolean {
  return value === null || value === undefined || value === ''
}

/** A link to a record as it is read: its id and its name. */
function isLink(value: unknown): value is [number, string] {
  return Array.isArray(value) && value.length === 2 && typeof value[0] === 'number' && typeof value[1] === 'string'
}
