import { type Env, elevated } from '../access/env.ts'
import { records } from '../records/records.ts'

const MODEL = 'connect.message'
const FIELDS = [
  ...['message_type', 'direction', 'from_number', 'to_number', 'status', 'sender_user'],
  ...['error_code', 'error_message'],
]
/** Posts that are the text itself, and not what the service noticed about it. */
const KINDS = ['sms', 'mms', 'WhatsApp']

/** The text message that a post is, with how far it has come. */
interface PostedText {
  id: number
  channel: 'sms' | 'WhatsApp'
  direction: string | null
  ours: string
  theirs: string
  status: string | null
  error_code: string | null
  error_message: string | null
  sender: [id: number, name: string] | null
}

interface Listed {
  message_type: string
  connect_message: number | null
}

/** The posts, each with the text that it is, if any. Anyone who reads the record that they are posted on reads them there. */
export async function withTexts<Post extends Listed>(
  env: Env,
  posts: readonly Post[],
): Promise<(Post & { text_message: PostedText | null })[]> {
  const ids = new Set(posts.flatMap((post) => textIn(post) ?? []))
  const rows =
    ids.size === 0 ? [] : await records(elevated(env), MODEL).searchRead([['id', 'in', [...ids]]], FIELDS, {})
  const texts = new Map(rows.map((row) => [row.id, textOf(row)]))
  return posts.map((post) => ({ ...post, text_message: texts.get(textIn(post) ?? 0) ?? null }))
}

function textIn({ message_type: type, connect_message: id }: Listed): number | undefined {
  return id !== null && KINDS.includes(type) ? id : undefined
}

function textOf(row: Readonly<Record<string, unknown>> & { id: number }): PostedText {
  const text = (name: string) => (typeof row[name] === 'string' ? row[name] : null)
  const isOurs = row.direction === 'outgoing'
  return {
    id: row.id,
    channel: row.message_type === 'WhatsApp' ? 'WhatsApp' : 'sms',
    direction: text('direction'),
    ours: text(isOurs ? 'from_number' : 'to_number') ?? '',
    theirs: text(isOurs ? 'to_number' : 'from_number') ?? '',
    status: text('status'),
    error_code: text('error_code'),
    error_message: text('error_message'),
    sender: Array.isArray(row.sender_user) ? (row.sender_user as [number, string]) : null,
  }
}
