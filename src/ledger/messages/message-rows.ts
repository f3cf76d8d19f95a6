import type { Queryable, Transaction } from '../../database/database.ts'
import { sql } from '../../database/drizzle.ts'
import { limitOfRows, listed } from '../../database/listed.ts'
import { param, statement } from '../../database/statement.ts'
import type { RowOf } from '../../platform/model/model.ts'
import type { textMessageModel } from './message.ts'
import type { Thread } from './thread.ts'

type ThreadedRow = RowOf<typeof textMessageModel, 'id' | 'res_model' | 'res_id'>

/** Written down by hand and never sent: the other side knows nothing of it, so it leads none of their texts anywhere. */
const NO_DRAFT = sql`not (status = 'draft' and coalesce(attempt, 0) = 0)`

const NEWEST = statement<ThreadedRow, Parties>(
  'message_thread_newest',
  sql`select id, res_model, res_id from connect_message
      where from_number = ${param('from')} and to_number = ${param('to')} and ${NO_DRAFT} order by id desc limit 1`,
)

interface Many {
  from: readonly string[]
  to: readonly string[]
}

const WANTED = sql`(select * from unnest(${param('from')}::text[], ${param('to')}::text[]) with ordinality ${limitOfRows()})
  as wanted (from_number, to_number, at)`
const OF_WANTED = sql`m.from_number = wanted.from_number and m.to_number = wanted.to_number and ${NO_DRAFT}`

// Those with an id of the provider, and the newest from one number to another, in one round trip; each by the index, however
// many rows the planner expects.
const NAMED = statement<ThreadedRow & { sid: string | null; at: number | null }, Many & { sids: readonly string[] }>(
  'messages_named',
  sql`select known.id, known.res_model, known.res_id, known.message_sid as sid, null::int as at
      from ${listed('sids', 'text')} as named (sid)
      cross join lateral (select * from connect_message m where m.message_sid = named.sid limit 1) known
      union all
      select newest.id, newest.res_model, newest.res_id, null, wanted.at::int from ${WANTED}
      cross join lateral (select m.id, m.res_model, m.res_id from connect_message m where ${OF_WANTED}
        order by m.id desc limit 1) newest`,
)
const EARLIER_CONTACTS = statement<{ partner: number; at: number }, Many>(
  'messages_earlier_contacts',
  sql`select newest.partner, wanted.at::int as at from ${WANTED}
      cross join lateral (select m.partner from connect_message m where ${OF_WANTED} and m.partner is not null
        order by m.id desc limit 1) newest`,
)

const NUMBERS_OF_USERS = statement<{ user: string; number: string }, { users: readonly string[] }>(
  'messages_numbers_of_users',
  sql`select wanted."user", known.from_number as number from ${listed('users', 'text')} as wanted ("user")
      cross join lateral (select m.from_number from connect_message m
        where m.external_user_id = wanted."user" and m.from_number <> wanted."user" order by m.id desc limit 1) known`,
)
const IS_RCS = sql`coalesce(m.wire_address, '') ilike 'rcs:%'`
const LAST_WRITER = statement<LastWriter, WantedWriter & { ours: string | null; isRcs: boolean | null }>(
  'message_last_writer',
  sql`select m.from_number, m.to_number, m.wire_address from connect_message m
      where m.from_number in ${listed('addresses', 'text')} and m.direction = 'incoming'
        and (m.message_type = 'WhatsApp') = ${param('isWhatsApp')}
        and (${param('isRcs')}::boolean is null or ${IS_RCS} = ${param('isRcs')}::boolean)
        and (${param('ours')}::text is null or m.to_number = ${param('ours')}::text) order by m.id desc limit 1`,
)

interface WantedWriter {
  addresses: readonly string[]
  isWhatsApp: boolean
}

/** Who wrote, by the address that answers go to, and to which of ours. */
interface LastWriter {
  from_number: string
  to_number: string
  wire_address: string | null
}

/**
 * The newest message that came from any of these addresses this way. RCS is a way of its own: `isRcs` looks for it or leaves it
 * out, and `ours` is the one of our addresses that they wrote to.
 */
export async function findLastWriter(
  db: Queryable,
  wanted: WantedWriter & { ours?: string | undefined; isRcs?: boolean | undefined },
): Promise<LastWriter | undefined> {
  const { ours = null, isRcs = null, ...rest } = wanted
  const [row] = await db.run(LAST_WRITER, { ...rest, ours, isRcs })
  return row
}

/** The number that each user of a channel last showed, by the user's id there. */
export async function findNumbersOfUsers(db: Queryable, users: readonly string[]): Promise<Map<string, string>> {
  const rows = await db.run(NUMBERS_OF_USERS, { users: [...new Set(users)] })
  return new Map(rows.map(({ user, number }) => [user, number]))
}

/** One number that writes, and one that is written to. */
interface Parties {
  readonly from: string
  readonly to: string
}

/** What a stored message says of the conversation it belongs to. */
export interface StoredMessage {
  id: number
  thread: Thread | undefined
}

/** The newest message from one number to another. */
export async function findNewestMessage(db: Queryable, parties: Parties): Promise<StoredMessage | undefined> {
  const [row] = await db.run(NEWEST, parties)
  return row && toStored(row)
}

interface FoundMessages {
  bySid: Map<string, StoredMessage>
  newest: (StoredMessage | undefined)[]
}

/**
 * Messages with these ids of the provider, and those that they answer, by that id; and for each of the parties, in their order, the
 * newest message.
 */
export async function findMessages(
  db: Transaction,
  { sids, answered, parties }: { sids: readonly string[]; answered: readonly string[]; parties: readonly Parties[] },
): Promise<FoundMessages> {
  const rows = await db.run(NAMED, { sids: [...new Set([...sids, ...answered])], ...listsOf(parties) })
  const bySid = rows.flatMap(({ sid, ...row }) => (sid === null ? [] : [[sid, toStored(row)] as const]))
  const byPlace = new Map(rows.map(({ at, ...row }) => [at, toStored(row)]))
  return { bySid: new Map(bySid), newest: parties.map((_each, at) => byPlace.get(at + 1)) }
}

/** For each of the parties, in their order, the contact of the newest message from the one to the other that has one. */
export async function findEarlierContacts(db: Queryable, parties: readonly Parties[]): Promise<(number | undefined)[]> {
  if (parties.length === 0) return []
  const rows = await db.run(EARLIER_CONTACTS, listsOf(parties))
  const byPlace = new Map(rows.map(({ at, partner }) => [at, partner]))
  return parties.map((_each, at) => byPlace.get(at + 1))
}

function listsOf(parties: readonly Parties[]): Many {
  return { from: parties.map(({ from }) => from), to: parties.map(({ to }) => to) }
}

function toStored({ id, res_model: model, res_id: record }: ThreadedRow): StoredMessage {
  const hasThread = model !== null && record !== null && model !== ''
  return { id, thread: hasThread ? { model, id: record } : undefined }
}
