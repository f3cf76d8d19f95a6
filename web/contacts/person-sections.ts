/** Everything that is stored of a person, in the order and by the labels in which people read it; pure. */
import type { FieldInfo } from '../data/queries.ts'
import { type Manner, textOf } from '../records/export-rows.ts'
import { lineOf } from '../words/for-people.ts'
import { partName } from '../words/program-words.ts'
import { cameAsWords, partText } from './came-as-words.ts'

export type Row = Readonly<Record<string, unknown>>
export type Fields = Readonly<Record<string, FieldInfo>>

/** What the parts of the export hold; notes stand below the kind of record that they are on. */
export const PARTS: readonly (readonly [part: string, model: string])[] = [
  ['contact', 'res.partner'],
  ['calls', 'connect.call'],
  ['legs', 'connect.channel'],
  ['recordings', 'connect.recording'],
  ['voicemails', 'connect.voicemail'],
  ['messages', 'connect.message'],
  ['tickets', 'helpdesk.ticket'],
  ['meetings', 'calendar.event'],
  ['notes', 'mail.message'],
  ['files', 'connect.attachment'],
  ['deliveries', 'connect.delivery'],
]

/** What programs sent each other, stored as it came. */
const AS_IT_CAME: Readonly<Record<string, readonly string[]>> = { 'connect.delivery': ['target', 'body', 'reply'] }

const ID = 'ID'
/** What is linked is said by its name. */
const LINK = /_ids?$/

export interface Section {
  title: string
  /** Of each record, what it is called and what it says. */
  records: [label: string, text: string][][]
}

/** What stands on the page: of each record what it has, by the labels of its fields. */
export function sectionsOf(
  all: Row,
  {
    fieldsOf,
    titleOf,
    manner,
  }: { fieldsOf: (model: string) => Fields; titleOf: (model: string) => string; manner: Manner },
): Section[] {
  return PARTS.flatMap(([part, model]) => {
    const rows = rowsOf(all[part])
    if (rows.length === 0) return []
    const records = rows.map((row) => linesOf(row, { model, fields: fieldsOf(model), manner }))
    return [{ title: titleOf(model), records }]
  })
}

/** All that a record has: first by the labels of its fields, in their order, then what no field describes. */
function linesOf(
  row: Row,
  { model, fields, manner }: { model: string; fields: Fields; manner: Manner },
): [string, string][] {
  const described = Object.keys(fields).filter((name) => name in row)
  const others = Object.keys(row).filter((name) => !(name in fields))
  return [...described, ...others].flatMap((name): [string, string][] => {
    const [field, value] = [fields[name], row[name]]
    const text = field === undefined ? saidOf(value, manner) : fieldText(field, value, manner)
    if (text === '') return []
    const label = field?.string ?? (name === 'id' ? ID : partName(name.replace(LINK, '')))
    return [[label, AS_IT_CAME[model]?.includes(name) === true ? cameAsWords(text, manner) : text]]
  })
}

function fieldText(field: FieldInfo, value: unknown, manner: Manner): string {
  return value === false ? '' : textOf(field, value, manner)
}

/** What no field describes: a link by its name, and all else by what it is. */
function saidOf(value: unknown, manner: Manner): string {
  if (value === false) return ''
  const isLink =
    Array.isArray(value) && value.length === 2 && typeof value[0] === 'number' && typeof value[1] === 'string'
  return lineOf(isLink ? value[1] : value, (part) => partText(part, manner), partName)
}

/** Notes come by the kind of record that they are on. */
export function rowsOf(part: unknown): Row[] {
  if (Array.isArray(part)) return part as Row[]
  return typeof part === 'object' && part !== null ? Object.values(part).flatMap(rowsOf) : []
}
