/** Everything that is stored of a person, in the order and by the labels in which people read it; pure. */
import type { FieldInfo } from '../data/queries.ts'
import { type Manner, textOf } from '../records/export-rows.ts'

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
    const fields = Object.values(fieldsOf(model))
    const records = rows.map((row) =>
      fields.flatMap((field): [string, string][] => {
        const text = row[field.name] === false ? '' : textOf(field, row[field.name], manner)
        return text === '' ? [] : [[field.string, text]]
      }),
    )
    return [{ title: titleOf(model), records }]
  })
}

/** Notes come by the kind of record that they are on. */
export function rowsOf(part: unknown): Row[] {
  if (Array.isArray(part)) return part as Row[]
  return typeof part === 'object' && part !== null ? Object.values(part).flatMap(rowsOf) : []
}
