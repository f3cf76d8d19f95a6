import type { Queryable } from '../../database/database.ts'
import { sql } from '../../database/drizzle.ts'
import { param, statement } from '../../database/statement.ts'
import { Refusal } from '../../errors.ts'
import type { Env } from '../../platform/access/env.ts'
import type { RowOf } from '../../platform/model/model.ts'
import { records } from '../../platform/records/records.ts'
import { spokenTime } from '../../time.ts'
import { type Interval, isWorkingTime } from '../slots/free-slots.ts'
import type { Organiser } from '../slots/organiser.ts'
import { listBusy, toStored } from './busy-times.ts'
import type { eventModel } from './event.ts'

/** Meetings one answer lists (docs/reference/domain.md#meetings). */
const MEETINGS_MAX = 20

type MeetingRow = RowOf<
  typeof eventModel,
  'id' | 'name' | 'start' | 'stop' | 'user_id' | 'location' | 'description' | 'tz'
>
export type Meeting = MeetingRow & { user_name: string | null }

interface Booking {
  organiser: Organiser
  name: string
  start: Temporal.ZonedDateTime
  stop: Temporal.ZonedDateTime
  /** The zone that the caller named; undefined when none was. */
  namedZone: string | undefined
  attendeeId: number | undefined
  /** The call it is booked in. */
  call: number | undefined
}

const LOCK = statement<never, { id: number }>(
  'calendar_lock',
  sql`select pg_advisory_xact_lock(7236003, hashint8(${param('id')}::bigint))`,
)
interface Same {
  id: number
  /** Somebody else than the organiser and the asked contact attends it: it is their meeting. */
  is_others: boolean
}

const SAME = statement<Same, { user_id: number; start: string; stop: string; partner_id: number | null }>(
  'meeting_same',
  sql`select e.id, not coalesce(bool_or(r.partner_id = ${param('partner_id')}::bigint), true)
          and coalesce(bool_or(r.partner_id is distinct from u.partner_id), false) as is_others
      from calendar_event e join res_users u on u.id = e.user_id
      left join calendar_event_res_partner_rel r on r.event_id = e.id
      where e.user_id = ${param('user_id')} and e.start = ${param('start')}::timestamp
        and e.stop = ${param('stop')}::timestamp and coalesce(e.active, true)
      group by e.id order by is_others, e.id limit 1`,
)
const ATTEND = statement<never, { event_id: number; partner_id: number }>(
  'meeting_attend',
  sql`insert into calendar_event_res_partner_rel (event_id, partner_id) values (${param('event_id')}, ${param('partner_id')})
      on conflict do nothing`,
)
const BOOKED = statement<never, { id: number; call: number | null; tz: string | null }>(
  'meeting_booked',
  sql`update calendar_event set made_in_call = ${param('call')}, tz = ${param('tz')} where id = ${param('id')}`,
)
const LIST = statement<Meeting, { partner_id: number }>(
  'meeting_list',
  sql`select e.id, e.name, to_char(e.start, 'YYYY-MM-DD HH24:MI:SS') as start, to_char(e.stop, 'YYYY-MM-DD HH24:MI:SS') as stop,
        e.user_id, u.name as user_name, e.location, e.description, e.tz
      from calendar_event_res_partner_rel r join calendar_event e on e.id = r.event_id
      left join res_users u on u.id = e.user_id
      where r.partner_id = ${param('partner_id')} and coalesce(e.active, true)
      order by e.start desc, e.id desc limit ${sql.raw(String(MEETINGS_MAX))}`,
)

/**
 * Books a meeting unless the very same one is booked already. Bookings of one organiser wait for each other in the
 * database, so two callers never get the same hour. An overlap is refused, so is the meeting of another contact, and,
 * unless the settings allow it, one outside the working hours that were entered for the organiser.
 */
export async function book(env: Env, booking: Booking): Promise<{ id: number; isNew: boolean }> {
  const { organiser, name, attendeeId } = booking
  await env.db.run(LOCK, { id: organiser.id })
  const span: Interval = { start: booking.start.toInstant(), stop: booking.stop.toInstant() }
  const [start, stop] = [toStored(span.start), toStored(span.stop)]
  const [same] = await env.db.run(SAME, { user_id: organiser.id, start, stop, partner_id: attendeeId ?? null })
  if (same?.is_others === false) {
    if (attendeeId !== undefined) await env.db.run(ATTEND, { event_id: same.id, partner_id: attendeeId })
    return { id: same.id, isNew: false }
  }
  requireWorkingTime(env, booking, span)
  const busy = await listBusy(env.db, organiser, span)
  if (busy.some((each) => overlaps(each, span))) {
    throw new Refusal('conflict', `${organiser.name} is not free on ${spokenTime(booking.start)}.`)
  }
  const attendees = attendeeId === undefined ? [] : [attendeeId]
  const values = { name, start, stop, user_id: organiser.id, partner_ids: attendees }
  // The organiser owns the meeting and counts as its creator (docs/reference/domain.md#meetings).
  const asOrganiser: Env = { ...env, identity: { ...env.identity, userId: organiser.id } }
  const [id] = await records(asOrganiser, 'calendar.event').create([values])
  if (id === undefined) throw new Error('the meeting was not created')
  const { call, namedZone } = booking
  if (call !== undefined || namedZone !== undefined) {
    await env.db.run(BOOKED, { id, call: call ?? null, tz: namedZone ?? null })
  }
  return { id, isNew: true }
}

/** The contact's meetings, newest start first. */
export function listMeetingsOf(db: Queryable, partnerId: number): Promise<Meeting[]> {
  return db.run(LIST, { partner_id: partnerId })
}

function requireWorkingTime({ settings }: Env, { organiser, start, stop }: Booking, span: Interval): void {
  if (settings.booksOutsideHours || organiser.hasUsualHours) return
  if (isWorkingTime(span, { organiserZone: organiser.zone, workingHours: organiser.workingHours })) return
  const length = `${Math.ceil(start.until(stop).total('minutes'))} minutes`
  throw new Refusal(
    'conflict',
    `That is outside the working hours of ${organiser.name}: ${spokenTime(start)}, for ${length}.`,
  )
}

function overlaps(a: Interval, b: Interval): boolean {
  return Temporal.Instant.compare(a.start, b.stop) < 0 && Temporal.Instant.compare(b.start, a.stop) < 0
}
