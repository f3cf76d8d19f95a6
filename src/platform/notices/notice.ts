import { Type } from 'typebox'
import type { Queryable, Transaction } from '../../database/database.ts'
import { type SQL, sql } from '../../database/drizzle.ts'
import { idList, idOf, manyIds } from '../../database/ids.ts'
import { param, statement } from '../../database/statement.ts'
import { Refusal } from '../../errors.ts'
import { storedTime } from '../../time.ts'
import type { Env } from '../access/env.ts'
import { GROUP } from '../access/identity.ts'
import { char, computed, datetime, integer, many2one, selection } from '../model/fields.ts'
import { defineModel, method, type Row } from '../model/model.ts'
import { notifyChanged, notifyChangedSql, notifyGoneSql, notifySomeChanged } from '../records/notify-changed.ts'
import { displayNames } from '../records/record-read.ts'
import { records } from '../records/records.ts'

const NOTICE_KINDS = [
  ['missed', 'Missed call'],
  ['assigned', 'Assigned to you'],
  ['mentioned', 'You were mentioned'],
  ['run_failed', 'Sync failed'],
  ['delivery_dead', 'A webhook failed for good'],
] as const
type NoticeKind = (typeof NOTICE_KINDS)[number][0]

/** How long notices stay, read or not. */
const KEPT_DAYS = 60
const RO = { readonly: true } as const

/**
 * What somebody should hear of. There is one for each person, kind and record: what happens again makes it new again, but a
 * call is missed once, however often that is reported.
 */
export const noticeModel = defineModel({
  name: 'connect.notice',
  label: 'Notice',
  order: 'id desc',
  display: { columns: ['kind', 'detail'], show: noticeName },
  fields: {
    user: many2one('Person', 'res.users', { ...RO, required: true, onDelete: 'cascade', isIndexed: false }),
    kind: selection('Kind', NOTICE_KINDS, { ...RO, required: true }),
    res_model: char('Model', { ...RO, required: true, widget: 'program_name' }),
    res_id: integer('Record', { ...RO, required: true, isRecordId: true }),
    ref: computed('About', 'char', {
      widget: 'program_name',
      depends: ['res_model', 'res_id'],
      compute: (_env, rows) => rows.map(({ res_model: model, res_id: id }) => `${model},${id}`),
    }),
    title: computed('Name of the record', 'char', {
      depends: ['res_model', 'res_id'],
      compute: titlesOf,
    }),
    detail: char('Detail', RO),
    noticed_at: datetime('When', { ...RO, required: true }),
    read_at: datetime('Read', RO),
  },
  indexes: [
    { columns: ['user', 'kind', 'res_model', 'res_id'], isUnique: true },
    { columns: ['user', 'id'], where: 'read_at is null' },
    { columns: ['res_model', 'res_id'] },
    { columns: ['noticed_at'] },
  ],
  retention: { since: 'noticed_at', age: () => `${KEPT_DAYS} days` },
  rules: [{ group: GROUP.internal, domain: ({ userId }) => [['user', '=', userId]] }],
  methods: {
    mark_read: method({
      label: 'Mark as read',
      operation: 'read',
      reply: Type.Literal(true),
      run: markRead,
    }),
    mark_unread: method({
      label: 'Mark as unread',
      operation: 'read',
      reply: Type.Literal(true),
      run: markUnread,
    }),
  },
})

/** What it says; of a missed call, whose. */
function noticeName({ kind, detail }: Row): string {
  if (kind === 'missed') return `Missed call from ${detail ?? 'a withheld number'}`
  return String(NOTICE_KINDS.find(([each]) => each === kind)?.[1] ?? kind)
}

/** A record of which somebody should hear. */
interface NoticeRef {
  model: string
  id: number
}

interface NewNotice {
  kind: NoticeKind
  ref: NoticeRef
  /** Who is notified; anyone who caused it hears nothing. */
  users: readonly number[]
  detail?: string | undefined
}

const STORED = sql`user_id, ${param('kind')}, ${param('model')}, ${param('id')}::bigint, ${param('detail')}::text`
const UNREAD_AGAIN = sql`on conflict ("user", kind, res_model, res_id) do update
  set read_at = null, detail = excluded.detail, noticed_at = excluded.noticed_at, write_date = now() at time zone 'utc'
  where excluded.kind <> 'missed'`

interface About {
  kind: string
  model: string
  id: number
  detail: string | null
}

const NOTIFY = statement<never, About & { users: string; at: string }>(
  'notice_people',
  addSql(sql`select value::bigint as user_id from jsonb_array_elements_text(${param('users')}::jsonb)`, param('at')),
)

/** Who administers Connect, by its group or by one that implies it. */
const ADMINS = sql`with recursive administering(id) as (
    select id from res_groups where external_id = ${sql.raw(`'${GROUP.connectAdmin}'`)}
    union select i.group_id from res_groups_implied_rel i join administering a on a.id = i.implied_id
  )
  select distinct u.id as user_id from res_users u join res_groups_users_rel r on r.user_id = u.id
  join administering a on a.id = r.group_id where u.active and u.share is not true`

/** Of dead deliveries of one kind there is one notice an hour: a storm of them says no more than the first. */
const NOTIFY_ADMINS = statement<never, About>(
  'notice_admins',
  addSql(
    sql`select a.user_id from (${ADMINS}) a where ${param('kind')} <> 'delivery_dead' or not exists (
          select 1 from connect_notice n where n."user" = a.user_id and n.kind = ${param('kind')}
            and n.detail is not distinct from ${param('detail')}::text
            and n.noticed_at > (now() at time zone 'utc') - interval '1 hour')`,
    sql`(now() at time zone 'utc')`,
  ),
)

function addSql(users: SQL, at: SQL): SQL {
  const isTheRow = sql`present."user" = noticed.user_id and present.kind = ${param('kind')}
    and present.res_model = ${param('model')} and present.res_id = ${param('id')}::bigint`
  return sql`insert into connect_notice (id, "user", kind, res_model, res_id, detail, noticed_at)
    select ${idOf('connect_notice', isTheRow)}, ${STORED}, ${at}::timestamp from (${users}) noticed
    ${UNREAD_AGAIN} returning ${notifyChangedSql('connect.notice', sql`id`)}`
}

/** Leaves notices for people, in the transaction of what they are about. */
export function notifyPeople(env: Env, { kind, ref: { model, id }, users, detail }: NewNotice): void {
  const others = [...new Set(users)].filter((user) => user !== env.identity.userId)
  if (others.length === 0) return
  const noticed = { kind, model, id, detail: detail ?? null }
  env.db.send(NOTIFY, { ...noticed, users: JSON.stringify(others), at: storedTime(env.now) })
}

/** Leaves a notice for the person who administers Connect; of dead deliveries with the same detail one an hour at most. */
export async function notifyAdmins(
  db: Pick<Queryable, 'run'>,
  { kind, ref: { model, id }, detail }: Omit<NewNotice, 'users'>,
): Promise<void> {
  await db.run(NOTIFY_ADMINS, { kind, model, id, detail: detail ?? null })
}

const TAKE_BACK = statement<never, { kind: string; model: string; id: number }>(
  'notice_take_back',
  sql`delete from connect_notice
      where res_model = ${param('model')} and res_id = ${param('id')}::bigint and kind = ${param('kind')}
      returning ${notifyGoneSql('connect.notice', sql`id`)}`,
)

/** Takes notices back that turned out to be wrong. */
export function takeBack(db: Pick<Transaction, 'send'>, { kind, ref }: Pick<NewNotice, 'kind' | 'ref'>): void {
  db.send(TAKE_BACK, { kind, ...ref })
}

interface Dealt {
  kind: NoticeKind
  model: string
  ids: readonly number[]
  at: string
}

/** Everybody has read the notices of these records: what they tell of is dealt with. */
export async function readForAll(env: Env, { kind, model, ids, at }: Dealt): Promise<void> {
  const rows = await env.db.query<{ id: number }>(
    sql`update connect_notice set read_at = ${at}::timestamp where res_model = ${model} and res_id in (${manyIds(ids)})
          and kind = ${kind} and read_at is null returning id`,
  )
  await notifySomeChanged(
    env,
    noticeModel.name,
    rows.map(({ id }) => id),
  )
}

/** The same as a statement of which nobody waits for the answer. */
export function readForAllSql({ kind, model, ids, at }: { kind: NoticeKind; model: string; ids: SQL; at: SQL }): SQL {
  return sql`update connect_notice set read_at = ${at}::timestamp where res_model = ${sql.raw(`'${model}'`)}
    and res_id in (${ids}) and kind = ${sql.raw(`'${kind}'`)} and read_at is null
    returning ${notifyChangedSql('connect.notice', sql`id`)}`
}

/** It is not dealt with after all: what was read with it, at that moment, is new again. */
export async function unreadForAll(env: Env, { kind, model, ids, at }: Dealt): Promise<void> {
  const rows = await env.db.query<{ id: number }>(
    sql`update connect_notice set read_at = null where res_model = ${model} and res_id in (${manyIds(ids)})
          and kind = ${kind} and read_at = ${at}::timestamp returning id`,
  )
  await notifySomeChanged(
    env,
    noticeModel.name,
    rows.map(({ id }) => id),
  )
}

async function markRead(env: Env, ids: number[]): Promise<true> {
  const at = storedTime(env.now)
  await env.db.query(
    sql`update connect_notice set read_at = ${at}::timestamp where id in (${idList(some(ids))}) and read_at is null`,
  )
  await notifyChanged(env, noticeModel.name, ids)
  return true
}

async function markUnread(env: Env, ids: number[]): Promise<true> {
  await env.db.query(sql`update connect_notice set read_at = null where id in (${idList(some(ids))})`)
  await notifyChanged(env, noticeModel.name, ids)
  return true
}

function some(ids: number[]): number[] {
  if (ids.length === 0) throw new Refusal('refused', 'api-argument-ids-names-no-notice')
  return ids
}

/** Names of the records, of those that the reader may still see. */
async function titlesOf(env: Env, rows: readonly Row[]): Promise<(string | null)[]> {
  const titles = new Map<string, string>()
  for (const name of new Set(rows.map(({ res_model: model }) => String(model)))) {
    const ids = rows.filter((row) => row.res_model === name).map((row) => Number(row.res_id))
    for (const [id, title] of await visibleNames(env, name, ids)) titles.set(`${name},${id}`, title)
  }
  return rows.map(({ res_model: model, res_id: id }) => titles.get(`${model},${id}`) ?? null)
}

async function visibleNames(env: Env, name: string, ids: readonly number[]): Promise<Map<number, string>> {
  if (!env.platform.models.has(name)) return new Map()
  try {
    const seen = await records(env, name).search([['id', 'in', [...ids]]])
    return await displayNames(env, env.platform.models.get(name), seen)
  } catch (error) {
    // Anyone who lost the right to read them is told no names.
    if (error instanceof Refusal) return new Map()
    throw error
  }
}
