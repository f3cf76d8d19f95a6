import { contactColumn } from '../../contacts/contact-sql.ts'
import type { Queryable } from '../../database/database.ts'
import { sql } from '../../database/drizzle.ts'
import { param, statement } from '../../database/statement.ts'
import { Refusal } from '../../errors.ts'
import { nameForAgents } from '../../names.ts'
import { parseZone } from '../../time.ts'
import { DEFAULT_WORKING_HOURS, type WorkingHours } from './free-slots.ts'

/** Somebody whose calendar is asked about. */
export interface Organiser {
  id: number
  /** As an agent is told it. */
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
  company_tz: string | null
  attendances: { day: number; from: number; to: number }[] | null
}

const MINUTES_PER_HOUR = 60

const FIND = statement<OrganiserRow, { id: number }>(
  'organiser_find',
  sql`select u.id, u.name, ${contactColumn('tz', sql`u.partner_id`)} as tz, r.tz as calendar_tz,
        (select tz from connect_settings order by id limit 1) as company_tz,
        (select json_agg(json_build_object('day', a.dayofweek::int, 'from', a.hour_from, 'to', a.hour_to))
          from resource_calendar_attendance a where a.calendar_id = r.id) as attendances
      from res_users u left join resource_calendar r on r.user_id = u.id
      where u.id = ${param('id')} and u.active`,
)

/** The organiser with that login id; a refusal when there is none. */
export async function getOrganiser(db: Queryable, id: number): Promise<Organiser> {
  const [row] = await db.run(FIND, { id })
  if (row === undefined) throw new Refusal('not-found', 'no-colleague-with-id', { id })
  const known = [row.calendar_tz, row.tz, row.company_tz].map((zone) => parseZone(zone ?? ''))
  const zone = known.find((each) => each !== undefined) ?? 'UTC'
  const shifts = row.attendances?.map(({ day, from, to }) => ({
    weekday: day + 1,
    from: Math.round(from * MINUTES_PER_HOUR),
    to: Math.round(to * MINUTES_PER_HOUR),
  }))
  const workingHours = shifts ?? DEFAULT_WORKING_HOURS
  return { id: row.id, name: nameForAgents(row.name), zone, workingHours, hasUsualHours: shifts === undefined }
}
