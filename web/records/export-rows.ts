/** Rows of a list as a file that a spreadsheet opens. */

import { csvCell } from '../../src/csv-cell.ts'
import type { FieldInfo } from '../data/queries.ts'
import { lineOf, momentsForPeople } from '../words/for-people.ts'
import { plain, wallTime } from '../words/formats.ts'
import { labelOf, stageName } from '../words/labels.ts'
import { languageName } from '../words/languages.ts'
import { decimal, timeOfDay } from '../words/numerals.ts'
import { partName, programWords } from '../words/program-words.ts'
import { zoneName } from '../words/zones.ts'
import { textOf as linesOf } from './html-text.ts'
import { contentLine } from './template-content.ts'

type Row = Readonly<Record<string, unknown>>

/** A language with the mark that programs read. */
const DECIMALS_OF_PROGRAMS = 'en'

/** How values are said. */
export interface Manner {
  zone: string
  language: string
  yes: string
  no: string
}

/** A column of the file: its label, and what it says of a row. */
export interface FileColumn<Item> {
  label: string
  text: (row: Item) => string
}

/** Fields as columns; times in the reader's zone, which their label names. */
export function columnsOf(fields: readonly FieldInfo[], manner: Manner): FileColumn<Row>[] {
  return fields.map((field) => ({
    label: field.type === 'datetime' ? labelWithZone(field.string, manner) : field.string,
    text: (row) => textOf(field, row[field.name], manner),
  }))
}

/** A column of times says in which zone they are. */
export function labelWithZone(label: string, { zone, language }: Pick<Manner, 'zone' | 'language'>): string {
  return `${label} (${zoneName(zone, language)})`
}

/** A table of rows as their list shows them, its first line the labels. */
export function csvOf<Item>(columns: readonly FileColumn<Item>[], rows: readonly Item[]): string {
  const lines = [
    columns.map(({ label }) => csvCell(label)),
    ...rows.map((row) => columns.map(({ text }) => csvCell(text(row)))),
  ]
  return `${lines.map((line) => line.join(',')).join('\r\n')}\r\n`
}

/** What a cell says. */
export function textOf(field: FieldInfo, value: unknown, { zone, language, yes, no }: Manner): string {
  if (value === null || value === undefined) return ''
  const { type, selection } = field
  if (type === 'many2one') return Array.isArray(value) ? inZone(plain(linkName(field, String(value[1]))), zone) : ''
  if (type === 'datetime') return wallTime(String(value), zone)
  if (type === 'boolean') return value === true ? yes : no
  if (type === 'selection') return selection?.find(([choice]) => choice === value)?.[1] ?? String(value)
  return field.name === 'display_name' ? inZone(plain(String(value)), zone) : otherText(field, value, language)
}

function linkName({ relation }: FieldInfo, name: string): string {
  return relation === 'helpdesk.stage' ? stageName(name) : name
}

/** Names of calls have the time in them. */
function inZone(name: string, zone: string): string {
  return momentsForPeople(name, (moment) => wallTime(moment, zone))
}

/** Paragraphs as lines, hours as times of day; decimals as the programs read them that open the file. */
function otherText({ type, widget }: FieldInfo, value: unknown, language: string): string {
  if (type === 'html') return linesOf(String(value))
  if (widget === 'time_of_day') return timeOfDay(Number(value))
  if (widget === 'time_zone') return zoneName(String(value), language)
  if (widget === 'language') return languageName(String(value), language)
  if (widget === 'word') return plain(labelOf(String(value)))
  if (widget === 'program_name') return programWords(String(value))
  if (widget === 'template_content') return contentLine(value)
  if (typeof value === 'number' && !Number.isInteger(value)) return decimal(value, DECIMALS_OF_PROGRAMS)
  return typeof value === 'object' ? lineOf(value, String, partName) : String(value)
}
