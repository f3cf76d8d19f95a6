import { randomBytes } from 'node:crypto'
import type { Queryable } from '../../database/database.ts'
import { type SQL, sql } from '../../database/drizzle.ts'
import { idList } from '../../database/ids.ts'
import { param, statement } from '../../database/statement.ts'
import { Refusal } from '../../errors.ts'
import type { Env } from '../access/env.ts'
import { BYTES } from '../media/shown-type.ts'
import { char, integer, many2one } from '../model/fields.ts'
import { defineModel } from '../model/model.ts'
import { insert } from '../model/statements.ts'

export const NAME_CHARS_MAX = 255
/** Files of one post. */
export const ATTACHMENTS_MAX = 20
/** What one person may have sent that is on no post yet; it goes after a day. */
const PENDING_MAX = { files: 100, bytes: 250 * 1024 * 1024 }

/**
 * A file on a note or a message. Anyone who may read the record of the post may have it, so it is open to nobody by itself;
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
    post: many2one('Note', 'mail.message', { readonly: true, onDelete: 'cascade' }),
    model: char('Model', { readonly: true, widget: 'program_name', help: 'Of a record that has the file itself.' }),
    res_id: integer('Record', { readonly: true, isRecordId: true }),
    media_ref: char('Stored file', { required: true, isUnique: true, readonly: true, groups: [] }),
  },
  indexes: [
    { columns: ['create_date'], where: 'post is null' },
    { columns: ['create_uid'], where: 'post is null' },
  ],
  retention: { since: 'create_date', age: () => '1 day', where: 'post is null and model is null' },
})

/** A file as a post lists it. */
export interface Attachment {
  id: number
  name: string
  type: string
  bytes: number
  /** Where its bytes are, for everybody who may read the record. */
  url: string
}

/** Where an attachment is, as an address of this service. */
export const ATTACHMENT_PATH = '/connect/attachment/'

/** What a file that is still arriving has in place of where it is stored. */
const ARRIVING = 'arriving/'
const RANDOM_BYTES = 16

const PENDING = statement<{ files: number; bytes: number }, { person: number }>(
  'pending_attachments',
  sql`select count(*)::int as files, coalesce(sum(bytes), 0)::float8 as bytes from connect_attachment
      where post is null and model is null and create_uid = ${param('person')}`,
)

const INSERT = insert(attachmentModel, {
  name: 'attachment_insert',
  columns: ['name', 'type', 'bytes', 'media_ref', 'create_uid'],
  returning: ['id'],
})

/** A file that has arrived. */
interface OwnFile {
  name: string
  bytes: number
}

/** The row of a file that is still to arrive. */
export interface ReservedFile {
  id: number
  name: string
}

/**
 * Puts a file down before its bytes come, with as many as it may have, so that those that arrive at once are counted together.
 * Throws a refusal for everybody who has sent a lot that is on no post yet.
 */
export async function reserveAttachment(
  { db, identity }: Pick<Env, 'db' | 'identity'>,
  { name, bytes }: { name: string; bytes: number },
): Promise<ReservedFile> {
  const { userId: person } = identity
  // One after the other, also of several processes.
  await db.query(sql`select id from res_users where id = ${person}::bigint for no key update`)
  const [pending] = await db.run(PENDING, { person })
  if (pending !== undefined && (pending.files >= PENDING_MAX.files || pending.bytes + bytes > PENDING_MAX.bytes)) {
    throw new Refusal('too-many', 'attachments-pending')
  }
  const media_ref = ARRIVING + randomBytes(RANDOM_BYTES).toString('hex')
  const [row] = await db.run(INSERT, { name, type: BYTES, bytes, media_ref, create_uid: person })
  return { id: row?.id ?? 0, name }
}

/** The file has arrived and is stored; undefined when nobody waits for it any more. */
export async function finishAttachment(
  { db }: Pick<Env, 'db'>,
  { id, name }: ReservedFile,
  { type, bytes, reference }: { type: string; bytes: number; reference: string },
): Promise<Attachment | undefined> {
  const rows = await db.query(
    sql`update connect_attachment set type = ${type}, bytes = ${bytes}::int, media_ref = ${reference}
        where id = ${id}::bigint and media_ref like ${`${ARRIVING}%`} returning id`,
  )
  return rows.length === 0 ? undefined : shown({ id, name, type, bytes })
}

/** The file does not come, or is none. */
export async function dropAttachment(db: Queryable, { id }: ReservedFile): Promise<void> {
  await db.query(sql`delete from connect_attachment where id = ${id}::bigint and media_ref like ${`${ARRIVING}%`}`)
}

/** Puts files on a post; refuses those of other people, and those that are on a post already. */
export async function attachTo(env: Env, post: number, ids: readonly number[]): Promise<void> {
  const wanted = [...new Set(ids)]
  if (wanted.length === 0) return
  const rows = await env.db.query(
    sql`update connect_attachment set post = ${post}::bigint where id in (${idList(wanted)}) and post is null and model is null and media_ref not like ${`${ARRIVING}%`}
          and create_uid = ${env.identity.userId}::bigint returning id`,
  )
  if (rows.length === wanted.length) return
  throw new Refusal('refused', 'attachment-not-yours')
}

/** A file that the asker has sent and that is on nothing yet; refuses others. */
export async function findOwnFile({ db, identity }: Pick<Env, 'db' | 'identity'>, id: number): Promise<OwnFile> {
  const [file] = await db.query<OwnFile>(
    sql`select name, bytes from connect_attachment where id = ${id}::bigint and ${isFreeFor(identity.userId)}`,
  )
  if (file === undefined) throw new Refusal('refused', 'attachment-not-yours')
  return file
}

/** Puts a file on a record, whose readers may read it; refuses those of other people, and those that are on something. */
export async function attachToRecord(
  { db, identity }: Pick<Env, 'db' | 'identity'>,
  { model, id: record }: { model: string; id: number },
  id: number,
): Promise<OwnFile> {
  const [file] = await db.query<OwnFile>(
    sql`update connect_attachment set model = ${model}, res_id = ${record}::bigint
        where id = ${id}::bigint and ${isFreeFor(identity.userId)} returning name, bytes`,
  )
  if (file === undefined) throw new Refusal('refused', 'attachment-not-yours')
  return file
}

/** Removes a file of a record. */
export async function removeFile({ db }: Pick<Env, 'db'>, id: number): Promise<void> {
  await db.query(sql`delete from connect_attachment where id = ${id}::bigint and model is not null`)
}

function isFreeFor(person: number): SQL {
  return sql`post is null and model is null and media_ref not like ${`${ARRIVING}%`} and create_uid = ${person}::bigint`
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
