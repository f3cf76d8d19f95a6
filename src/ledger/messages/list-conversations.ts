import { type Static, Type } from 'typebox'
import { contactColumn } from '../../contacts/contact-sql.ts'
import { findContactsOfNumbers } from '../../contacts/find-by-number.ts'
import { type SQL, sql } from '../../database/drizzle.ts'
import { ID_MAX } from '../../lenient-values.ts'
import { channelUserIn } from '../../phone.ts'
import { requireAccess } from '../../platform/access/access.ts'
import type { Env } from '../../platform/access/env.ts'
import { method } from '../../platform/model/model.ts'
import { domainSql, visibleSql } from '../../platform/records/domain.ts'
import type { Condition, Domain } from '../../platform/records/domain-syntax.ts'
import { publishedTime, storedMs } from '../../time.ts'
import { readWritten } from '../../written-number.ts'

const ROWS_MAX = 100
const ROWS_DEFAULT = 50
const SEARCH_CHARS_MAX = 100
/** Fewer digits are in too many numbers. */
const DIGITS_MIN = 3
const PHONE_LIKE = /^[\d\s+()./-]+$/
/** What is unread or failed is counted up to here. */
const COUNT_MAX = 99
/** Conversations that counting looks through, newest first; what waits longer than so many is counted no more. */
const LOOKED_THROUGH_MAX = 2_000
const MS_PER_HOUR = 3_600_000
/** How long after somebody's last message they may be written to freely; WhatsApp's own rule. */
const WINDOW_HOURS = 24

const FILTERS = ['all', 'open', 'unread', 'failed', 'mine'] as const
type Filter = (typeof FILTERS)[number]
/** Those that no closed conversation passes. */
const OF_OPEN: readonly Filter[] = ['open', 'unread', 'mine']

const Link = Type.Union([Type.Tuple([Type.Integer(), Type.String()]), Type.Null()])
const Text = Type.Union([Type.String(), Type.Null()])
const ListArgs = Type.Object({
  filter: Type.Optional(Type.Union(FILTERS.map((each) => Type.Literal(each)))),
  search: Type.Optional(Type.String({ maxLength: SEARCH_CHARS_MAX, description: 'Part of a name or of a number.' })),
  before: Type.Optional(Type.Integer({ minimum: 1, description: 'The position of the last conversation loaded.' })),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: ROWS_MAX })),
  party: Type.Optional(
    Type.Object(
      { channel: Type.String(), ours: Type.String(), theirs: Type.String() },
      { description: 'Just this one.' },
    ),
  ),
})
const Last = Type.Object({
  id: Type.Integer(),
  body: Text,
  direction: Text,
  status: Text,
  num_media: Type.Integer(),
  create_date: Type.String(),
})
const Listed = Type.Object({
  id: Type.Integer(),
  channel: Type.String(),
  ours: Type.String(),
  theirs: Type.String(),
  partner: Link,
  last: Last,
  unread: Type.Integer({ description: `Counted up to ${COUNT_MAX}.` }),
  failed: Type.Integer({ description: `Counted up to ${COUNT_MAX}.` }),
  window_until: Type.Union([Type.String(), Type.Null()], {
    description: 'Until when free text may be sent on WhatsApp; null where nobody has written yet, and for SMS.',
  }),
  assigned: Link,
  closed_at: Text,
  position: Type.Integer(),
})
const Counts = Type.Object({
  open: Type.Integer(),
  unread: Type.Integer(),
  failed: Type.Integer(),
  mine: Type.Integer(),
})

type ListedRow = Omit<Static<typeof Listed>, 'partner' | 'assigned' | 'window_until'> & {
  partner: number | null
  partner_name: string | null
  assigned: number | null
  assigned_name: string | null
  last_incoming_at: string | null
}

/** Conversations by their newest message that one may read, newest first. */
export const listConversations = method({
  label: 'Conversations',
  operation: 'read',
  args: ListArgs,
  reply: Type.Array(Listed),
  run: list,
})

/** How many conversations wait, for the filters and the rail; counted up to 99. */
export const countConversations = method({
  label: 'Count the conversations',
  operation: 'read',
  reply: Counts,
  run: count,
})

async function list(env: Env, _ids: number[], args: Static<typeof ListArgs>): Promise<Static<typeof Listed>[]> {
  requireAccess(env.identity, env.platform.models.get('connect.conversation'), 'read')
  const { filter = 'all', before = ID_MAX, limit = ROWS_DEFAULT } = args
  const fitting = sql.join([filterSql(env, filter), searchSql(env, args.search), partySql(args.party)], sql` and `)
  const only = OF_OPEN.includes(filter) ? 'open' : undefined
  const rows = await env.db.query<ListedRow>(
    sql`select c.id, c.channel, c.ours, c.theirs, c.partner, ${contactColumn('name', sql`c.partner`)} as partner_name, c.assigned, u.name as assigned_name,
          c.closed_at, c.last_incoming_at, found.position, to_json(last) as last,
          (select count(*)::int from (select 1 from connect_message m where m.conversation = c.id
            and m.direction = 'incoming' and m.id > ${readUpTo(env)} and m.create_date >= ${cameAt(env)} limit ${COUNT_MAX}::int) few) as unread,
          (select count(*)::int from (select 1 from connect_message m where m.conversation = c.id
            and m.status in ('failed', 'undelivered') and m.id > coalesce(c.settled_up_to, 0) limit ${COUNT_MAX}::int) few) as failed
        from (${candidates(env, { fitting, before, limit, only })}) found
        join connect_conversation c on c.id = found.id
        left join res_users u on u.id = c.assigned
        cross join lateral (
          select m.id, m.body, m.direction, m.status, coalesce(m.num_media, 0) as num_media,
            to_char(m.create_date, 'YYYY-MM-DD HH24:MI:SS') as create_date
          from connect_message m where m.conversation = c.id order by m.id desc limit 1) last
        order by found.position desc`,
  )
  const unnamed = rows.filter(({ partner }) => partner === null).map(({ theirs }) => theirs)
  const savedSince = await findContactsOfNumbers(env.db, unnamed, env.settings.country)
  return rows.map((row) => toListed(row, savedSince))
}

interface Wanted {
  fitting: SQL
  before: number
  limit: number
  /** What is known of all that are fitting. */
  only?: 'open' | undefined
}

/** Ids of those that one may see with the id of their newest message, which is where they stand in the list. */
function candidates(env: Env, { fitting, before, limit, only }: Wanted): SQL {
  const top = sql`${limit}::int`
  const edge = sql`${before}::bigint`
  const seesAll = visibleSql(scopeOf(env), env.platform.models.get('connect.conversation'), 'c') === undefined
  const seen = seesAll ? sql`true` : sql`c.last_open is not null`
  // The open and the closed are in an index each.
  const among = (closing: SQL) => sql`(select c.id, c.last_message as position from connect_conversation c
    where c.last_message < ${edge} and ${closing} and ${seen} and ${fitting} order by c.last_message desc limit ${top})`
  const parts = [among(sql`c.closed_at is null`)]
  if (only !== 'open') parts.push(among(sql`c.closed_at is not null`))
  if (!seesAll) parts.push(ownCandidates(env, { fitting, edge, top }))
  const all = sql.join(parts, sql` union all `)
  return parts.length === 1 ? all : sql`${all} order by 2 desc limit ${top}`
}

/** Of those in which nobody has written to us: one sees them for having written there, or for having been given them. */
function ownCandidates({ identity }: Env, { fitting, edge, top }: { fitting: SQL; edge: SQL; top: SQL }): SQL {
  return sql`(select c.id, c.last_message as position
    from connect_conversation_reader r join connect_conversation c on c.id = r.conversation
    where r."user" = ${identity.userId}::bigint and c.last_open is null and c.last_message < ${edge} and ${fitting}
    order by c.last_message desc limit ${top})`
}

/** Up to where somebody has read: what they marked, and what was closed. */
function readUpTo({ identity }: Env): SQL {
  return sql`greatest(coalesce(c.settled_up_to, 0), coalesce((select r.read_up_to from connect_conversation_reader r
    where r.conversation = c.id and r."user" = ${identity.userId}::bigint), 0))`
}

/** What came before somebody was here is not theirs to read up on. */
function cameAt({ identity }: Env): SQL {
  return sql`(select u.create_date from res_users u where u.id = ${identity.userId}::bigint)`
}

function filterSql(env: Env, filter: Filter): SQL {
  switch (filter) {
    case 'all':
      return sql`true`
    case 'open':
      return sql`c.closed_at is null`
    case 'unread':
      return sql`c.closed_at is null and c.last_incoming > ${readUpTo(env)} and c.last_incoming_at >= ${cameAt(env)}`
    case 'failed':
      return sql`exists (select 1 from connect_message m where m.conversation = c.id
        and m.status in ('failed', 'undelivered') and m.id > coalesce(c.settled_up_to, 0))`
    case 'mine':
      return sql`c.closed_at is null and c.assigned = ${env.identity.userId}::bigint`
  }
}

function searchSql(env: Env, search: string | undefined): SQL {
  const written = readWritten(search ?? '').text
  if (written === '') return sql`true`
  const digits = written.replaceAll(/\D/g, '').replace(/^0+/, '')
  const byName: Condition = ['partner', 'ilike', written]
  const isNumber = PHONE_LIKE.test(written) && digits.length >= DIGITS_MIN
  const user = channelUserIn(search)
  const ofUser: Domain = user === undefined ? [byName] : ['|', byName, ['theirs', '=', user]]
  // The digits alone find a part of a number that is too short to be read as one.
  const ofNumber: Domain = ['|', '|', byName, ['theirs', 'ilike', written], ['theirs', 'like', digits]]
  const domain = isNumber ? ofNumber : ofUser
  return domainSql(scopeOf(env), env.platform.models.get('connect.conversation'), domain, 'c') ?? sql`true`
}

function partySql(party: Static<typeof ListArgs>['party']): SQL {
  if (party === undefined) return sql`true`
  return sql`c.channel = ${party.channel} and c.ours = ${party.ours} and c.theirs = ${party.theirs}`
}

async function count(env: Env): Promise<Static<typeof Counts>> {
  requireAccess(env.identity, env.platform.models.get('connect.conversation'), 'read')
  const counted = (filter: Filter) =>
    sql`(select least(count(*), ${COUNT_MAX})::int from found c where ${filterSql(env, filter)})`
  const fitting = sql`(c.closed_at is null or ${filterSql(env, 'failed')})`
  const [row] = await env.db.query<Static<typeof Counts>>(
    sql`with found as (
          select c.* from (${candidates(env, { fitting, before: ID_MAX, limit: LOOKED_THROUGH_MAX })}) few
          join connect_conversation c on c.id = few.id)
        select ${counted('open')} as open, ${counted('unread')} as unread, ${counted('failed')} as failed,
          ${counted('mine')} as mine`,
  )
  return row ?? { open: 0, unread: 0, failed: 0, mine: 0 }
}

function toListed(row: ListedRow, savedSince: ReadonlyMap<string, [number, string]>): Static<typeof Listed> {
  const { partner, partner_name: name, assigned, assigned_name: assignee, last_incoming_at: at, ...rest } = row
  const isWhatsApp = row.channel === 'WhatsApp' && at !== null
  return {
    ...rest,
    partner: partner === null ? (savedSince.get(row.theirs) ?? null) : [partner, name ?? ''],
    assigned: assigned === null ? null : [assigned, assignee ?? ''],
    closed_at: row.closed_at === null ? null : publishedTime(new Date(storedMs(row.closed_at))),
    window_until: isWhatsApp ? publishedTime(new Date(storedMs(at) + WINDOW_HOURS * MS_PER_HOUR)) : null,
  }
}

function scopeOf({ platform, identity, settings }: Env) {
  return { models: platform.models, identity, country: settings.country }
}
