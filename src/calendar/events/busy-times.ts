import type { Queryable } from '../../database/database.ts'
import { sql } from '../../database/drizzle.ts'
import { param, statement } from '../../database/statement.ts'
import type { RowOf } from '../../platform/model/model.ts'
import { publishedTime, storedMs } from '../../time.ts'
import type { Interval } from '../slots/free-slots.ts'
import type { Organiser } from '../slots/organiser.ts'
import type { eventModel } from './event.ts'

type BusyRow = RowOf<typeof eventModel, 'id' | 'start' | 'stop' | 'allday'>

/** Time that an event takes. */
export interface Busy extends Interval {
  event: number
}

/** Events one look at a calendar takes; a month with more is fully booked anyway. */
const BUSY_MAX = 5_000

const BUSY = statement<BusyRow, { id: number; start: string; stop: string }>(
  'organiser_busy',
  sql`with theirs as (
        select id, start, stop, allday, active from calendar_event
        where user_id = ${param('id')} and stop >= ${param('start')}::timestamp and start <= ${param('stop')}::timestamp
        union
        select e.id, e.start, e.stop, e.allday, e.active from res_users u
        join calendar_event_res_partner_rel r on r.partner_id = u.partner_id
        join calendar_event e on e.id = r.event_id
        where u.id = ${param('id')} and e.stop >= ${param('start')}::timestamp and e.start <= ${param('stop')}::timestamp
      )
      select id, start, stop, allday from theirs where coalesce(active, true)
      order by start, id limit ${sql.raw(String(BUSY_MAX))}`,
)

/**
 * When events keep somebody busy within a span: those that they organise, and those of others that they attend. All-day events
 * take whole days of theirs.
 */
export async function listBusy(
  db: Queryable,
  organiser: Pick<Organiser, 'id' | 'zone'>,
  span: Interval,
): Promise<Busy[]> {
  // A day to both sides, because an all-day event starts and ends at midnight of the organiser, not of UTC.
  const [start, stop] = [span.start.subtract({ hours: 24 }), span.stop.add({ hours: 24 })].map(toStored)
  const rows = await db.run(BUSY, { id: organiser.id, start: start ?? '', stop: stop ?? '' })
  return rows.map((row) => ({ event: row.id, ...busyInterval(row, organiser.zone) }))
}

/** A moment as the database stores it, in whole seconds. */
export function toStored({ epochMilliseconds }: Temporal.Instant): string {
  return publishedTime(new Date(epochMilliseconds))
}

function busyInterval({ start, stop, allday }: BusyRow, zone: string): Interval {
  if (allday === true) {
    const [first, last] = [start, stop].map((text) => Temporal.PlainDate.from(text.slice(0, 10)))
    if (first !== undefined && last !== undefined) {
      return {
        start: first.toZonedDateTime(zone).toInstant(),
        stop: last.add({ days: 1 }).toZonedDateTime(zone).toInstant(),
      }
    }
  }
  return { start: toInstant(start), stop: toInstant(stop) }
}

function toInstant(stored: string): Temporal.Instant {
  return Temporal.Instant.fromEpochMilliseconds(storedMs(stored))
}
