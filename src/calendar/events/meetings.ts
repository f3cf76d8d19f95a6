import type { Queryable } from '../../database/database.ts'
import { sql } from '../../database/drizzle.ts'
import { listed } from '../../database/listed.ts'
import { param, statement } from '../../database/statement.ts'
import { claimAnswer, storeAnswer } from '../../deliveries/tools/tool-answers.ts'
import { Refusal } from '../../errors.ts'
import { type Env, elevated } from '../../platform/access/env.ts'
import type { RowOf, Values } from '../../platform/model/model.ts'
import { records } from '../../platform/records/records.ts'
import { publishedTime, spokenTime } from '../../time.ts'
import { type Interval, isWorkingTime } from '../slots/free-slots.ts'
import type { Organiser } from '../slots/organiser.ts'
import { type Busy, listBusy, toStored } from './busy-times.ts'
import type { eventModel } from './event.ts'

/** What a meeting is called when the agent gave no name (docs/reference/domain.md#meetings). */
const NAME_DEFAULT = 'Unknowns'
/** Meetings one answer lists (docs/reference/domain.md#meetings). */
const MEETINGS_MAX = 20

type MeetingRow = RowOf<
  typeof eventModel,
  'id' | 'name' | 'start' | 'stop' | 'allday' | 'user_id' | 'location' | 'description' | 'tz'
>
export type Meeting = MeetingRow & { user_name: string | null }

interface Booking {
  organiser: Organiser
  /** What it is called; undefined where nobody said. */
  name: string | undefined
  start: Temporal.ZonedDateTime
  stop: Temporal.ZonedDateTime
  /** The zone that the caller named; undefined when none was. */
  namedZone: string | undefined
  attendeeId: number | undefined
  /** The call it is booked in. */
  call: number | undefined
}

// The organiser, and the attendee where that is a colleague: a meeting keeps both busy. In one order, no matter who asks.
const LOCK = statement<never, { id: number; partner_id: number | null }>(
  'calendar_lock',
  sql`with busy as materialized (
        select hashint8(id) as person from (
          select ${param('id')}::bigint as id
          union select id from res_users where partner_id = ${param('partner_id')}::bigint
        ) people order by 1
      )
      select pg_advisory_xact_lock(7236003, person) from busy`,
)
interface Same {
  id: number
  /** The asked contact attends it. */
  is_theirs: boolean
  /** Somebody else than the organiser attends it, or it was booked in a call: it is the meeting of somebody. */
  is_somebodys: boolean
  made_in_call: number | null
}

const SAME = statement<
  Same,
  { user_id: number; start: string; stop: string; partner_id: number | null; call: number | null }
>(
  'meeting_same',
  sql`select e.id, e.made_in_call, coalesce(bool_or(r.partner_id = ${param('partner_id')}::bigint), false) as is_theirs,
          e.made_in_call is not null
            or coalesce(bool_or(r.partner_id is distinct from u.partner_id), false) as is_somebodys
      from calendar_event e join res_users u on u.id = e.user_id
      left join calendar_event_res_partner_rel r on r.event_id = e.id
      where e.user_id = ${param('user_id')} and e.start = ${param('start')}::timestamp
        and e.stop = ${param('stop')}::timestamp and coalesce(e.active, true)
      group by e.id order by is_theirs desc, (e.made_in_call = ${param('call')}::bigint) is true desc, e.id limit 1`,
)
/** Meetings that nobody else attends than their organiser and one contact, or that were booked in one call by nobody known. */
const OWN = statement<
  { id: number },
  { ids: readonly number[]; user_id: number; partner_id: number | null; call: number | null }
>(
  'meetings_own',
  sql`select e.id from calendar_event e join res_users u on u.id = e.user_id
      where e.id in ${listed('ids', 'bigint')} and e.user_id = ${param('user_id')} and not coalesce(e.allday, false)
        and not exists (select from calendar_event_res_partner_rel r where r.event_id = e.id
          and r.partner_id is distinct from u.partner_id and r.partner_id is distinct from ${param('partner_id')}::bigint)
        and (e.made_in_call = ${param('call')}::bigint
          or exists (select from calendar_event_res_partner_rel r where r.event_id = e.id
            and r.partner_id = ${param('partner_id')}::bigint and r.partner_id is distinct from u.partner_id))`,
)
// An all-day meeting is over with its last day.
const IS_OVER = sql`case when e.allday then e.stop::date < ${param('today')}::date else e.stop <= ${param('now')}::timestamp end`
const LIST = statement<Meeting, { partner_id: number; now: string; today: string }>(
  'meeting_list',
  sql`select e.id, e.name, to_char(e.start, 'YYYY-MM-DD HH24:MI:SS') as start, to_char(e.stop, 'YYYY-MM-DD HH24:MI:SS') as stop,
        e.allday, e.user_id, u.name as user_name, e.location, e.description, e.tz
      from calendar_event_res_partner_rel r join calendar_event e on e.id = r.event_id
      left join res_users u on u.id = e.user_id
      where r.partner_id = ${param('partner_id')} and coalesce(e.active, true)
      order by (${IS_OVER}), case when not (${IS_OVER}) then e.start end, e.start desc, e.id limit ${sql.raw(String(MEETINGS_MAX))}`,
)

/** What became of a booking. */
interface Booked {
  id: number
  /** It is there anew, it was there already, or it is a meeting of the same caller that was moved. */
  what: 'new' | 'known' | 'moved'
}

/**
 * Books a meeting unless this caller has booked the very same one already. Bookings of one organiser, or with a colleague
 * who has meetings too, wait for each other in the database, so nobody gets the same hour twice. An overlap is refused, also with the same hour of somebody else, and,
 * unless the settings allow it, a time outside the working hours that were entered for the organiser. A time that overlaps nothing
 * but one meeting of the same caller with the same organiser moves that one: it is how callers extend a meeting.
 */
export async function book(env: Env, booking: Booking): Promise<Booked> {
  const { organiser, attendeeId } = booking
  await env.db.run(LOCK, { id: organiser.id, partner_id: attendeeId ?? null })
  const span: Interval = { start: booking.start.toInstant(), stop: booking.stop.toInstant() }
  const [start, stop] = [toStored(span.start), toStored(span.stop)]
  // A request that names no call has only its own words to be known by, for as long as a repeat takes.
  const claim =
    booking.call === undefined ? await claimAnswer(env, ['create_event', organiser.id, start, stop]) : undefined
  const own = await findOwn(env, { booking, start, stop, claim })
  if (own !== undefined) {
    if (attendeeId !== undefined) await write(env, own, { partner_ids: [[4, attendeeId]] })
    return { id: own, what: 'known' }
  }
  requireWorkingTime(env, booking, span)
  const busy = (await listBusy(env.db, organiser, span)).filter((each) => overlaps(each, span))
  const moved = await findMoved(env, booking, busy)
  if (moved !== undefined) {
    const name = booking.name === undefined ? {} : { name: booking.name }
    await write(env, moved, { start, stop, ...name })
    return { id: moved, what: 'moved' }
  }
  if (busy.length > 0) {
    throw new Refusal('conflict', 'not-free-on', { name: organiser.name, start: spokenTime(booking.start) })
  }
  const id = await create(env, booking, { start, stop })
  if (claim?.kind === 'ours') await storeAnswer(env, claim.id, { event_id: id })
  return { id, what: 'new' }
}

interface Asked {
  booking: Booking
  start: string
  stop: string
  claim: Awaited<ReturnType<typeof claimAnswer>> | undefined
}

/**
 * The same meeting, when this caller has booked it: their contact attends it, it was booked in this call, or the same request
 * without a call booked it just now. Any other is somebody else's, or private.
 */
async function findOwn(env: Env, { booking, start, stop, claim }: Asked): Promise<number | undefined> {
  const { organiser, attendeeId, call } = booking
  const asked = { user_id: organiser.id, start, stop, partner_id: attendeeId ?? null, call: call ?? null }
  const [same] = await env.db.run(SAME, asked)
  if (same === undefined) return undefined
  const isOfCall = call !== undefined && same.made_in_call === call
  const isRepeat =
    claim?.kind === 'known' && 'event_id' in claim.answer && claim.answer.event_id === same.id && !same.is_somebodys
  return same.is_theirs || isOfCall || isRepeat ? same.id : undefined
}

/** The one meeting of the same caller that alone is in the way. */
async function findMoved(env: Env, booking: Booking, busy: readonly Busy[]): Promise<number | undefined> {
  const { organiser, attendeeId, call } = booking
  const ids = [...new Set(busy.map(({ event }) => event))]
  if (ids.length !== 1) return undefined
  const who = { user_id: organiser.id, partner_id: attendeeId ?? null, call: call ?? null }
  const [own] = await env.db.run(OWN, { ids, ...who })
  return own?.id
}

async function create(env: Env, booking: Booking, times: { start: string; stop: string }): Promise<number> {
  const { organiser, name = NAME_DEFAULT, attendeeId, call, namedZone } = booking
  const attendees = attendeeId === undefined ? [] : [attendeeId]
  const values = { name, ...times, user_id: organiser.id, partner_ids: attendees }
  // The organiser owns the meeting and counts as its creator (docs/reference/domain.md#meetings).
  const asOrganiser: Env = { ...env, identity: { ...env.identity, userId: organiser.id } }
  // Elevated, because people set neither the call nor the zone.
  const given = { ...values, made_in_call: call ?? null, tz: namedZone ?? null }
  const [id] = await records(elevated(asOrganiser), 'calendar.event').create([given])
  if (id === undefined) throw new Error('the meeting was not created')
  return id
}

/** Elevated, because people do not see the meetings of others; whose it is was looked up. */
function write(env: Env, id: number, values: Values): Promise<void> {
  return records(elevated(env), 'calendar.event').write([id], values)
}

/** The contact's meetings: those that are not over, the next one first, then those that are over, the last one first. `zone` says which day it is. */
export function listMeetingsOf(db: Queryable, partnerId: number, at: { now: Date; zone: string }): Promise<Meeting[]> {
  return db.run(LIST, { partner_id: partnerId, now: publishedTime(at.now), today: dayIn(at.zone, at.now).toString() })
}

/** Which day it is in a zone. */
export function dayIn(zone: string, now: Date): Temporal.PlainDate {
  return Temporal.Instant.fromEpochMilliseconds(now.getTime()).toZonedDateTimeISO(zone).toPlainDate()
}

function requireWorkingTime({ settings }: Env, { organiser, start, stop }: Booking, span: Interval): void {
  if (settings.booksOutsideHours || organiser.hasUsualHours) return
  if (isWorkingTime(span, { organiserZone: organiser.zone, workingHours: organiser.workingHours })) return
  const length = `${Math.ceil(start.until(stop).total('minutes'))} minutes`
  throw new Refusal('conflict', 'outside-working-hours-for', { name: organiser.name, start: spokenTime(start), length })
}

function overlaps(a: Interval, b: Interval): boolean {
  return Temporal.Instant.compare(a.start, b.stop) < 0 && Temporal.Instant.compare(b.start, a.stop) < 0
}
