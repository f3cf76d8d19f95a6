/** Rows of a list as a file that a spreadsheet opens; pure but for handing it to the browser. */
import type { FieldInfo } from '../data/queries.ts'

type Row = Readonly<Record<string, unknown>>

/** A spreadsheet takes what begins so for a formula. */
const FORMULA = /^[=+\-@\t\r]/

/** A table of what is loaded, its first line the labels; numbers of phones keep their plus. */
export function csvOf(fields: readonly FieldInfo[], rows: readonly Row[]): string {
  const lines = [
    fields.map(({ string: label }) => cell(label)),
    ...rows.map((row) => fields.map((field) => cellOf(field, row))),
  ]
  return `${lines.map((line) => line.join(',')).join('\r\n')}\r\n`
}

function cellOf(field: FieldInfo, row: Row): string {
  const text = textOf(field, row[field.name])
  const isPhone = field.widget === 'phone' && /^\+\d+$/.test(text)
  return cell(FORMULA.test(text) && !isPhone && Number.isNaN(Number(text)) ? `'${text}` : text)
}

function textOf({ type, selection }: FieldInfo, value: unknown): string {
  if (value === null || value === undefined) return ''
  if (type === 'many2one') return Array.isArray(value) ? String(value[1]) : ''
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
