import { sql } from '../../database/drizzle.ts'
import { idList } from '../../database/ids.ts'
import { param, statement } from '../../database/statement.ts'
import { Refusal } from '../../errors.ts'
import type { Env } from '../access/env.ts'
import { char, integer, many2one } from '../model/fields.ts'
import { defineModel } from '../model/model.ts'
import { insert } from '../model/statements.ts'

export const NAME_CHARS_MAX = 255
/** Files of one post. */
export const ATTACHMENTS_MAX = 20
/** What one person may have sent that is on no post yet; it goes after a day. */
const PENDING_MAX = { files: 100, bytes: 250 * 1024 * 1024 }

/**
 * A file on a note or a message. Whoever may read the record of the post may have it, so it is open to nobody by itself;
 * its bytes go with its row (decision 0011).
 */
export const attachmentModel = defineModel({
  name: 'connect.attachment',
  label: 'Attachment',
  isAboutPeople: true,
  order: 'id',
  display: { columns: ['name'], show: ({ name }) => String(name) },
  fields: {
    name: char('File name', { required: true, readonly: true, maxLength: NAME_CHARS_MAX }),
    type: char('Type', { required: true, readonly: true, maxLength: NAME_CHARS_MAX }),
    bytes: integer('Bytes', { required: true, readonly: true }),
    post: many2one('Post', 'mail.message', { readonly: true, onDelete: 'cascade' }),
    media_ref: char('Stored file', { required: true, isUnique: true, readonly: true, groups: [] }),
  },
  indexes: [
    { columns: ['create_date'], where: 'post is null' },
    { columns: ['create_uid'], where: 'post is null' },
  ],
  retention: { since: 'create_date', age: () => '1 day', where: 'post is null' },
})

/** A file as a post lists it. */
interface Attachment {
  id: number
  name: string
  type: string
  bytes: number
  /** Where its bytes are, for whoever may read the record. */
  url: string
}

/** Where an attachment is, as an address of this service. */
export const ATTACHMENT_PATH = '/connect/attachment/'

const PENDING = statement<{ files: number; bytes: number }, { person: number }>(
  'pending_attachments',
  sql`select count(*)::int as files, coalesce(sum(bytes), 0)::float8 as bytes from connect_attachment
      where post is null and create_uid = ${param('person')}`,
)

/** Throws a refusal for whoever has sent a lot that is on no post yet. */
export async function requireFewPending({ db, identity }: Pick<Env, 'db' | 'identity'>): Promise<void> {
  const [pending] = await db.run(PENDING, { person: identity.userId })
  if (pending === undefined || (pending.files < PENDING_MAX.files && pending.bytes < PENDING_MAX.bytes)) return
  throw new Refusal(
    'too-many',
    'You have sent many files that are on no note yet: post a note with them, or wait a day.',
  )
}

const INSERT = insert(attachmentModel, {
  name: 'attachment_insert',
  columns: ['name', 'type', 'bytes', 'media_ref', 'create_uid'],
  returning: ['id'],
})

/** A file that was just stored, of the person who acts. */
export async function insertAttachment(
  env: Env,
  { name, type, bytes, reference }: { name: string; type: string; bytes: number; reference: string },
): Promise<Attachment> {
  const values = { name, type, bytes, media_ref: reference, create_uid: env.identity.userId }
  const [row] = await env.db.run(INSERT, values)
  const id = row?.id ?? 0
  return { id, name, type, bytes, url: ATTACHMENT_PATH + id }
}

/** Puts files on a post; refuses those of other people, and those that are on a post already. */
export async function attachTo(env: Env, post: number, ids: readonly number[]): Promise<void> {
  const wanted = [...new Set(ids)]
  if (wanted.length === 0) return
  const rows = await env.db.query(
    sql`update connect_attachment set post = ${post}::bigint where id in (${idList(wanted)}) and post is null
          and create_uid = ${env.identity.userId}::bigint returning id`,
  )
  if (rows.length === wanted.length) return
  throw new Refusal('refused', 'One of the attachments is not there, is on another note, or somebody else sent it.')
}

/** The files of each post. */
export async function attachmentsOf(
  { db }: Pick<Env, 'db'>,
  posts: readonly number[],
): Promise<Map<number, Attachment[]>> {
  if (posts.length === 0) return new Map()
  const rows = await db.query<Omit<Attachment, 'url'> & { post: number }>(
    sql`select id, name, type, bytes, post from connect_attachment where post in (${idList(posts)}) order by id`,
  )
  const byPost = Map.groupBy(rows, ({ post }) => post)
  const listed = [...byPost].map(([post, each]) => [post, each.map(shown)] as const)
  return new Map(listed)
}

function shown({ id, name, type, bytes }: Omit<Attachment, 'url'>): Attachment {
  return { id, name, type, bytes, url: ATTACHMENT_PATH + id }
}
