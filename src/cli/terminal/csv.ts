import { isLink } from '../link.ts'
import { printable } from './printable.ts'

/** What a spreadsheet would take for a formula (OWASP, "CSV Injection"); a plain number, of a phone or another, is none. */
const FORMULA = /^[=+\-@\t\r]/
const PLAIN_NUMBER = /^[+-]?[\d\s().-]+$/

/** One line of comma-separated values (RFC 4180, with the line ends of text files): a link by its name and id, nothing as nothing. */
export function csvLine(values: readonly unknown[]): string {
  return `${values.map(cell).join(',')}\n`
}

function cell(value: unknown): string {
  const text = printable(textOf(value))
  const safe = typeof value !== 'number' && FORMULA.test(text) && !PLAIN_NUMBER.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (isLink(value)) return `${value[1]} (${value[0]})`
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}
