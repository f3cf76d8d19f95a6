import type { Queryable } from '../../database/database.ts'
import { sql } from '../../database/drizzle.ts'
import { param, statement } from '../../database/statement.ts'
import { Refusal } from '../../errors.ts'
import { parseWire, parseZone } from '../../time.ts'
import { DEFAULT_WORKING_HOURS, type Interval, type WorkingHours } from './free-slots.ts'

/** Somebody whose calendar is asked about. */
export interface Organiser {
  id: number
  name: string
  zone: string
  workingHours: WorkingHours
  /** Nobody entered working hours: the usual ones are only what callers are offered, and any other time may be booked. */
  hasUsualHours: boolean
}

interface OrganiserRow {
  id: number
  name: string
  tz: string | null
  calendar_tz: string | null
  attendances: { day: number; from: number; to: number }[] | null
}

interface BusyRow {
  start: string
  stop: string
  allday: boolean | null
}

const MINUTES_PER_HOUR = 60
/** Events one look at a calendar takes; a month with more is fully booked anyway. */
const BUSY_MAX = 5_000

const FIND = statement<OrganiserRow, { id: number }>(
  'organiser_find',
  sql`select u.id, u.name, p.tz, r.tz as calendar_tz,
        (select json_agg(json_build_object('day', a.dayofweek::int, 'from', a.hour_from, 'to', a.hour_to))
          from resource_calendar_attendance a where a.calendar_id = r.id) as attendances
      from res_users u left join res_partner p on p.id = u.partner_id left join resource_calendar r on r.user_id = u.id
      where u.id = ${param('id')} and u.active`,
)

const BUSY = statement<BusyRow, { id: number; start: string; stop: string }>(
  'organiser_busy',
  sql`select start, stop, allday from calendar_event
      where user_id = ${param('id')} and stop >= ${param('start')}::timestamp and start <= ${param('stop')}::timestamp
        and coalesce(active, true) order by start, id limit ${sql.raw(String(BUSY_MAX))}`,
)

/** The organiser with that login id; a refusal when there is none. */
export async function getOrganiser(db: Queryable, id: number): Promise<Organiser> {
  const [row] = await db.run(FIND, { id })
  if (row === undefined) throw new Refusal('not-found', `There is no colleague with the id ${id}.`)
  const zone = parseZone(row.calendar_tz ?? '') ?? parseZone(row.tz ?? '') ?? 'UTC'
  const shifts = row.attendances?.map(({ day, from, to }) => ({
    weekday: day + 1,
    from: Math.round(from * MINUTES_PER_HOUR),
    to: Math.round(to * MINUTES_PER_HOUR),
  }))
  const workingHours = shifts ?? DEFAULT_WORKING_HOURS
  return { id: row.id, name: row.name, zone, workingHours, hasUsualHours: shifts === undefined }
}

/** When the organiser's own events keep them busy within a span; all-day events take the organiser's whole days. */
export async function listBusy(db: Queryable, organiser: Organiser, span: Interval): Promise<Interval[]> {
  // A day to both sides, because an all-day event starts and ends at midnight of the organiser, not of UTC.
  const [start, stop] = [span.start.subtract({ hours: 24 }), span.stop.add({ hours: 24 })].map(toStored)
  const rows = await db.run(BUSY, { id: organiser.id, start: start ?? '', stop: stop ?? '' })
  return rows.map((row) => busyInterval(row, organiser.zone))
}

/** A moment as the database stores it. */
export function toStored(instant: Temporal.Instant): string {
  return instant.toString({ smallestUnit: 'second' }).replace('T', ' ').replace('Z', '')
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
  const moment = parseWire(stored)
  if (moment === undefined) throw new Error(`the database holds no moment: ${stored}`)
  return Temporal.Instant.fromEpochMilliseconds(moment.getTime())
}
