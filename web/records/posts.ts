import { keyOf } from '../data/keys.ts'
import type { Attachment } from '../files/send-file.ts'
import { plain } from '../words/formats.ts'
import { labelOf, stageName } from '../words/labels.ts'

/** A text message, as far as one line says it. */
export interface TextLineOf {
  channel: 'sms' | 'WhatsApp'
  direction: string | null
  theirs: string
  status: string | null
  error_message?: string | null
  error_code?: string | null
}

/** A note, a message or a change on a record, as the service lists it. */
export interface Post {
  id: number
  body: string | null
  text: string
  author: string | null
  date: string
  is_mine: boolean
  kind: 'change' | 'note' | 'event' | 'message'
  edited_at: string | null
  attachments: Attachment[]
  /** The text message that it is. */
  text_message: TextLineOf | null
  changes: { field: string; from: string | null; to: string | null }[] | null
}

/** A note as the service takes it: a text, files, or both. */
export function noteOf(id: number, text: string, files: readonly number[]): object {
  return { ids: [id], ...(text.trim() === '' ? {} : { body: text }), attachment_ids: files }
}

export const POSTS_PAGE = 50

export function postsKey(model: string, id: number) {
  return keyOf(model, 'posts', id)
}

const CHOICES = ['selection', 'boolean']

/** What a change says of each field, by its label: "Stage: Inbox → In Progress". Choices have words; names and texts stand as they are stored. */
export function changeLines(
  model: string,
  fields: Readonly<Record<string, { string: string; type: string; relation?: string | undefined }>>,
  changes: NonNullable<Post['changes']>,
): { field: string; line: string }[] {
  const said = (field: string, value: string | null): string => {
    if (fields[field]?.relation === 'helpdesk.stage') return plain(stageName(value ?? '–'))
    const isChoice = CHOICES.includes(fields[field]?.type ?? '')
    return plain(isChoice ? labelOf(value ?? '–', `${model}.${field}.value`) : (value ?? '–'))
  }
  return changes.map(({ field, from, to }) => ({
    field,
    line: `${plain(fields[field]?.string ?? field)}: ${said(field, from)} → ${said(field, to)}`,
  }))
}
