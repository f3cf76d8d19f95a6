import { sql } from '../../../database/drizzle.ts'
import { param, statement } from '../../../database/statement.ts'
import type { Env } from '../../../platform/access/env.ts'
import type { RowOf } from '../../../platform/model/model.ts'
import type { numberModel } from '../../numbers/number.ts'
import type { BusinessHours } from '../decide/business-hours.ts'
import type { Fallback, OurNumber } from '../decide/loaded.ts'

interface NumberRow extends Omit<OurNumber, 'hours'> {
  tz: string | null
  openings: { weekday: number; from: number; to: number }[] | null
  holidays: { from: string; to: string | null; yearly: boolean | null }[] | null
}

/** Far beyond what a week and a year hold. */
const ROWS_MAX = sql.raw('500')

const FIND = statement<NumberRow, { number: string }>(
  'routing_number',
  sql`select n.destination, n."user", n.callflow, n.markup, n.voiceai_agent, n.language, n.closed_exten, n.closed_message,
        h.tz,
        (select json_agg(o) from (
          select dayofweek::int + 1 as weekday, hour_from as "from", hour_to as "to" from connect_telco_opening
          where business_hours = h.id order by id limit ${ROWS_MAX}) o) as openings,
        (select json_agg(d) from (
          select date_from as "from", date_to as "to", is_yearly as yearly from connect_telco_holiday
          where business_hours = h.id order by id limit ${ROWS_MAX}) d) as holidays
      from connect_telco_number n left join connect_telco_business_hours h on h.id = n.business_hours
      where n.phone_number = ${param('number')}`,
)

type FallbackRow = RowOf<typeof numberModel, 'fallback_exten' | 'fallback_message' | 'language'>

const FIND_FALLBACK = statement<FallbackRow, { number: string }>(
  'routing_number_fallback',
  sql`select fallback_exten, fallback_message, language from connect_telco_number where phone_number = ${param('number')}`,
)

const MINUTES_PER_HOUR = 60

/** The number of ours that was called; undefined when it is none. */
export async function findOurNumber({ db }: Pick<Env, 'db'>, number: string): Promise<OurNumber | undefined> {
  const [row] = await db.run(FIND, { number })
  if (row === undefined) return undefined
  const { tz, openings, holidays, ...rest } = row
  return { ...rest, hours: tz === null ? undefined : toBusinessHours({ tz, openings, holidays }) }
}

/** What stands in for the destination of the called number. */
export async function findNumberFallback({ db }: Pick<Env, 'db'>, number: string): Promise<Fallback | undefined> {
  const [row] = await db.run(FIND_FALLBACK, { number })
  if (row === undefined) return undefined
  return { exten: row.fallback_exten, message: row.fallback_message, language: row.language ?? undefined }
}

function toBusinessHours({
  tz,
  openings,
  holidays,
}: Pick<NumberRow, 'openings' | 'holidays'> & { tz: string }): BusinessHours {
  const minutes = (hour: number): number => Math.round(hour * MINUTES_PER_HOUR)
  return {
    zone: tz,
    openings: (openings ?? []).map(({ weekday, from, to }) => ({ weekday, from: minutes(from), to: minutes(to) })),
    holidays: (holidays ?? []).map(({ from, to, yearly }) => ({ from, to: to ?? from, isYearly: yearly === true })),
  }
}
