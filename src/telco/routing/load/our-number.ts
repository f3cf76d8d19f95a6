import { sql } from '../../../database/drizzle.ts'
import { listed } from '../../../database/listed.ts'
import { statement } from '../../../database/statement.ts'
import type { Env } from '../../../platform/access/env.ts'
import type { RowOf } from '../../../platform/model/model.ts'
import type { numberModel } from '../../numbers/number.ts'
import { byNumber, withoutPlusToo } from '../../numbers/without-plus.ts'
import type { BusinessHours } from '../decide/business-hours.ts'
import type { Fallback, OurNumber } from '../decide/loaded.ts'

interface NumberRow extends Omit<OurNumber, 'hours'> {
  phone_number: string
  tz: string | null
  openings: { weekday: number; from: number; to: number }[] | null
  holidays: { from: string; to: string | null; yearly: boolean | null }[] | null
}

/** Far beyond what a week and a year hold. */
const ROWS_MAX = sql.raw('500')

const FIND = statement<NumberRow, { numbers: readonly string[] }>(
  'routing_numbers',
  sql`select n.phone_number, n.destination, n."user", n.callflow, n.markup, n.voiceai_agent, n.language, n.closed_exten, n.closed_message,
        h.tz,
        (select json_agg(o) from (
          select dayofweek::int + 1 as weekday, hour_from as "from", hour_to as "to" from connect_telco_opening
          where business_hours = h.id order by id limit ${ROWS_MAX}) o) as openings,
        (select json_agg(d) from (
          select date_from as "from", date_to as "to", is_yearly as yearly from connect_telco_holiday
          where business_hours = h.id order by id limit ${ROWS_MAX}) d) as holidays
      from connect_telco_number n left join connect_telco_business_hours h on h.id = n.business_hours
      where n.phone_number in ${listed('numbers', 'text')}`,
)

type FallbackRow = RowOf<typeof numberModel, 'phone_number' | 'fallback_exten' | 'fallback_message' | 'language'>

const FIND_FALLBACK = statement<FallbackRow, { numbers: readonly string[] }>(
  'routing_number_fallbacks',
  sql`select phone_number, fallback_exten, fallback_message, language from connect_telco_number
      where phone_number in ${listed('numbers', 'text')}`,
)

const MINUTES_PER_HOUR = 60

/** The numbers that are ours, by the number. */
export async function findOurNumbers(
  { db }: Pick<Env, 'db'>,
  numbers: readonly string[],
): Promise<Map<string, OurNumber>> {
  const rows = await db.run(FIND, { numbers: withoutPlusToo(numbers) })
  return byNumber(rows, ({ phone_number: _number, tz, openings, holidays, ...rest }) => ({
    ...rest,
    hours: tz === null ? undefined : toBusinessHours({ tz, openings, holidays }),
  }))
}

/** What stands in for the destinations of called numbers, by the number. */
export async function findNumberFallbacks(
  { db }: Pick<Env, 'db'>,
  numbers: readonly string[],
): Promise<Map<string, Fallback>> {
  const rows = await db.run(FIND_FALLBACK, { numbers: withoutPlusToo(numbers) })
  return byNumber(rows, ({ fallback_exten: exten, fallback_message: message, language }) => ({
    exten,
    message,
    language: language ?? undefined,
  }))
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
