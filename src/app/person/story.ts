import { type Static, Type } from 'typebox'
import { type SQL, sql } from '../../database/drizzle.ts'
import { Refusal } from '../../errors.ts'
import { SUMMARY_HEAD } from '../../ledger/calls/call-change.ts'
import { mayAccess } from '../../platform/access/access.ts'
import { type Env, elevated } from '../../platform/access/env.ts'
import { method } from '../../platform/model/model.ts'
import { ruleFor } from '../../platform/records/record-links.ts'
import { records } from '../../platform/records/records.ts'
import { callsOf, messagesOf, type Whose, whoseStory } from './story-rows.ts'

const LIMIT_DEFAULT = 30
const LIMIT_MAX = 200
/** People of one company whose story is told with it. */
const PEOPLE_MAX = 200

interface Chapter {
  model: string
  /** The field that names the contact. */
  link: string
  isMany?: boolean
  fields: readonly string[]
}

const CALL = 'connect.call'
const MESSAGE = 'connect.message'
const CALL_FIELDS = [
  ...['create_date', 'direction', 'status', 'outcome', 'strip', 'duration', 'caller', 'called', 'answered_user'],
  ...['started_at', 'answered_at', 'answered_pbx_user', 'voicemail_url', 'partner', 'ticket'],
  ...['summary', 'voiceai_summary', 'voiceai_agent', 'conversation_failed', 'conversation_end', 'conversation_ending'],
  ...['conversation_result', 'nobody_spoke', 'not_taken_over'],
]
const CHAPTERS: readonly Chapter[] = [
  { model: CALL, link: 'partner', fields: CALL_FIELDS },
  {
    model: MESSAGE,
    link: 'partner',
    fields: [
      ...['create_date', 'body', 'message_type', 'direction', 'status', 'from_number', 'to_number'],
      ...['sender_user', 'error_code', 'error_message'],
    ],
  },
  { model: 'helpdesk.ticket', link: 'partner_id', fields: ['create_date', 'name', 'stage_id', 'priority', 'user_id'] },
  {
    model: 'calendar.event',
    link: 'partner_ids',
    isMany: true,
    fields: ['create_date', 'name', 'start', 'stop', 'user_id'],
  },
]
const NOTES = 'mail.message'
const NOTE_FIELDS = ['date', 'body', 'author_id', 'message_type', 'subtype']

const Before = Type.Record(Type.String(), Type.Integer())
const Args = Type.Object({
  before: Type.Optional(Type.Union([Before, Type.Null()])),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: LIMIT_MAX })),
  models: Type.Optional(Type.Array(Type.String(), { description: 'Only these kinds.' })),
})
const Reply = Type.Object({
  entries: Type.Array(
    Type.Object({
      model: Type.String(),
      id: Type.Integer(),
      at: Type.String(),
      values: Type.Record(Type.String(), Type.Unknown()),
    }),
  ),
  before: Type.Union([Before, Type.Null()]),
})
type Entry = Static<typeof Reply>['entries'][number]

/**
 * What there was between us and a contact, newest first: calls, messages, tickets, meetings and notes, each as far as the person who asks
 * may see it; also calls and messages of their numbers that belong to nobody. `before` of one answer continues it: the last record of each kind that was given.
 */
export const story = method({
  label: 'Contact activity',
  operation: 'read',
  args: Args,
  reply: Reply,
  run: tell,
})

async function tell(env: Env, ids: readonly number[], args: Static<typeof Args>): Promise<Static<typeof Reply>> {
  if (ids.length === 0) throw new Refusal('refused', 'api-argument-ids-names-no-record')
  const { limit = LIMIT_DEFAULT, models } = args
  const before = args.before ?? {}
  const people = await records(env, 'res.partner').search([['parent_id', 'in', ids]], { limit: PEOPLE_MAX })
  const contacts = [...new Set([...ids, ...people])]
  const whose = await whoseStory(env.db, contacts)
  const found: Entry[] = []
  for (const chapter of CHAPTERS) {
    const isAsked = models === undefined || models.includes(chapter.model)
    if (!isAsked || !mayAccess(env.identity, env.platform.models.get(chapter.model), 'read')) continue
    const part = { whose, below: before[chapter.model], limit }
    found.push(...(await read(env, chapter, part)))
  }
  if (models === undefined || models.includes(NOTES)) {
    found.push(...(await readNotes(env, contacts, { below: before[NOTES], limit })))
  }
  // Within a second each kind keeps the order in which it was read, which `before` continues.
  found.sort((a, b) => b.at.localeCompare(a.at) || b.model.localeCompare(a.model))
  const entries = found.slice(0, limit)
  const next = { ...before }
  for (const { model, id } of entries) next[model] = id
  return { entries, before: found.length < limit ? null : next }
}

interface Part {
  below: number | undefined
  limit: number
}

interface PartOfPeople extends Part {
  whose: Whose
}

async function read(env: Env, { model, link, isMany, fields }: Chapter, part: PartOfPeople): Promise<Entry[]> {
  if (model === CALL) return readCalls(env, part)
  const { whose, below, limit } = part
  const older = below === undefined ? [] : [['id', '<', below]]
  const domain =
    model === MESSAGE ? [['id', 'in', await newestMessages(env, part)]] : [[link, 'in', whose.contacts], ...older]
  const rows = await records(env, model).searchRead(domain, fields, { limit, order: 'id desc' })
  return rows.map((row) => ({
    model,
    id: row.id,
    at: String(row.create_date),
    values: isMany === true ? { ...row } : row,
  }))
}

async function newestMessages(env: Env, { whose, below, limit }: PartOfPeople): Promise<number[]> {
  const rule = ruleFor(env, env.platform.models.get(MESSAGE))
  if (rule === 'none') return []
  const older = below === undefined ? undefined : sql`t.id < ${below}::bigint`
  const found = await env.db.query<{ id: number }>(
    sql`select t.id from connect_message t where ${all([sql`t.id in (${messagesOf(whose)})`, rule, older])}
        order by t.id desc limit ${limit}::int`,
  )
  return found.map(({ id }) => id)
}

const BEGAN = sql`coalesce(t.started_at, t.create_date)`

/** Calls stand at the time they began, as in every other list, however late they were written down. */
async function readCalls(env: Env, { whose, below, limit }: PartOfPeople): Promise<Entry[]> {
  const rule = ruleFor(env, env.platform.models.get(CALL))
  if (rule === 'none') return []
  const isOne = all([sql`t.id in (${callsOf(whose)})`, rule, await beganBefore(env, below)])
  const found = await env.db.query<{ id: number }>(
    sql`select t.id from connect_call t where ${isOne}
        order by ${BEGAN} desc, t.id desc limit ${limit}::int`,
  )
  const ids = found.map(({ id }) => id)
  const rows = await records(env, CALL).searchRead([['id', 'in', ids]], CALL_FIELDS, { limit })
  const places = new Map(ids.map((id, place) => [id, place]))
  const placeOf = ({ id }: { id: number }): number => places.get(id) ?? 0
  return rows
    .toSorted((one, other) => placeOf(one) - placeOf(other))
    .map((row) => ({ model: CALL, id: row.id, at: String(row.started_at ?? row.create_date), values: row }))
}

/** Every one of the conditions that are there. */
function all(conditions: readonly (SQL | undefined)[]): SQL {
  const present = conditions.filter((condition) => condition !== undefined).map((condition) => sql`(${condition})`)
  return sql.join(present, sql` and `)
}

/** The calls after the one that was told last; of one that was deleted since, only its id is known. */
async function beganBefore(env: Env, below: number | undefined): Promise<SQL | undefined> {
  if (below === undefined) return undefined
  const [last] = await env.db.query<{ began: string }>(
    sql`select ${BEGAN}::text as began from connect_call t where t.id = ${below}::bigint`,
  )
  if (last === undefined) return sql`t.id < ${below}::bigint`
  return sql`(${BEGAN}, t.id) < (${last.began}::timestamp, ${below}::bigint)`
}

/**
 * Notes are read through the contact, which the person who asks may see. What only repeats a call or a message of the story, as the
 * service writes it into the chatter, is told once.
 */
async function readNotes(env: Env, contacts: readonly number[], { below, limit }: Part): Promise<Entry[]> {
  const domain = [
    ['model', '=', 'res.partner'],
    ['res_id', 'in', contacts],
    ['message_type', '=', 'comment'],
    ['body', 'not like', SUMMARY_HEAD],
    ...(below === undefined ? [] : [['id', '<', below]]),
  ]
  const rows = await records(elevated(env), NOTES).searchRead(domain, NOTE_FIELDS, { limit, order: 'id desc' })
  return rows.map((row) => ({ model: NOTES, id: row.id, at: String(row.date), values: row }))
}
