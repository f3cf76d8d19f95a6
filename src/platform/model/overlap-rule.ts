import { sql } from '../../database/drizzle.ts'
import { idList } from '../../database/ids.ts'
import { refusedTogether } from '../../errors.ts'
import { sayRefusal } from '../../refusals.ts'
import type { TogetherRule } from './model.ts'

const MINUTES_PER_HOUR = 60

interface Overlap {
  one: number
  other: number
  day: string
  one_from: number
  one_to: number
  other_from: number
  other_to: number
}

/** Hours of the same weekday (`dayofweek`, `hour_from` to `hour_to`) that belong to the same record do not overlap. */
export function overlapRule(model: string, link: string, weekdays: readonly string[]): TogetherRule {
  const table = sql.identifier(model.replaceAll('.', '_'))
  const owner = sql.identifier(link)
  return {
    link,
    fields: ['hour_from', 'hour_to'],
    says: 'Hours of a day do not overlap.',
    async require({ db }, owners) {
      const [found] = await db.query<Overlap>(
        sql`select one.id as one, other.id as other, one.dayofweek as day, one.hour_from as one_from, one.hour_to as one_to,
              other.hour_from as other_from, other.hour_to as other_to
            from ${table} one join ${table} other on other.${owner} = one.${owner} and other.dayofweek = one.dayofweek
              and other.id <> one.id and (other.hour_from, other.id) > (one.hour_from, one.id) and other.hour_from < one.hour_to
            where one.${owner} in (${idList(owners)}) order by one.id limit 1`,
      )
      if (found === undefined) return
      const said = sayRefusal('hours-overlap', {
        model,
        day: weekdays[Number(found.day)] ?? '',
        one: hoursText(found.one_from, found.one_to),
        other: hoursText(found.other_from, found.other_to),
      })
      throw refusedTogether(said, { field: 'hour_from', records: [found.one, found.other] })
    },
  }
}

/** Hours after midnight as people read them: `08:00 to 12:30`. */
export function hoursText(from: number, to: number): string {
  return `${timeOf(from)} to ${timeOf(to)}`
}

function timeOf(hour: number): string {
  const minutes = Math.round(hour * MINUTES_PER_HOUR)
  const [hours, rest] = [Math.floor(minutes / MINUTES_PER_HOUR), minutes % MINUTES_PER_HOUR]
  return [hours, rest].map((each) => String(each).padStart('00'.length, '0')).join(':')
}
