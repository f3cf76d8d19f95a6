/** Rows of a list as a file that a spreadsheet opens; pure but for handing it to the browser. */
import type { FieldInfo } from '../data/queries.ts'
import { plain, wallTime } from '../words/formats.ts'

type Row = Readonly<Record<string, unknown>>

/** A spreadsheet takes what begins so for a formula. */
const FORMULA = /^[=+\-@\t\r]/

/** How values are said. */
export interface Manner {
  zone: string
  yes: string
  no: string
}

/** A column of the file: its label, and what it says of a row. */
export interface FileColumn<Item> {
  label: string
  /** Whether what it says is a number of a phone, whose plus begins no formula. */
  isPhone?: boolean
  text: (row: Item) => string
}

/** Fields as columns; times in the reader's zone, which their label names, and numbers of phones with their plus. */
export function columnsOf(fields: readonly FieldInfo[], manner: Manner): FileColumn<Row>[] {
  return fields.map((field) => ({
    label: field.type === 'datetime' ? labelWithZone(field.string, manner) : field.string,
    isPhone: field.widget === 'phone',
    text: (row) => textOf(field, row[field.name], manner),
  }))
}

/** A column of times says in which zone they are. */
export function labelWithZone(label: string, { zone }: Pick<Manner, 'zone'>): string {
  return `${label} (${zone})`
}

/** A table of rows as their list shows them, its first line the labels. */
export function csvOf<Item>(columns: readonly FileColumn<Item>[], rows: readonly Item[]): string {
  const lines = [
    columns.map(({ label }) => cell(label)),
    ...rows.map((row) => columns.map(({ text, isPhone = false }) => cellOf(text(row), isPhone))),
  ]
  return `${lines.map((line) => line.join(',')).join('\r\n')}\r\n`
}

function cellOf(text: string, isPhone: boolean): string {
  const isNumber = isPhone && /^\+\d+$/.test(text)
  return cell(FORMULA.test(text) && !isNumber && Number.isNaN(Number(text)) ? `'${text}` : text)
}

function textOf({ type, selection }: FieldInfo, value: unknown, { zone, yes, no }: Manner): string {
  if (value === null || value === undefined) return ''
  if (type === 'many2one') return Array.isArray(value) ? plain(String(value[1])) : ''
  if (type === 'datetime') return wallTime(String(value), zone)
  if (type === 'boolean') return value === true ? yes : no
  if (type === 'selection') return selection?.find(([choice]) => choice === value)?.[1] ?? String(value)
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

function cell(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** Hands a text to the browser as a file; the mark in front tells spreadsheets that it is UTF-8. */
export function saveFile(name: string, text: string): void {
  const url = URL.createObjectURL(new Blob([`\uFEFF${text}`], { type: 'text/csv;charset=utf-8' }))
  const link = Object.assign(document.createElement('a'), { href: url, download: name })
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), 0)
}
