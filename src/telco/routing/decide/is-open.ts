import { parseZone } from '../../../time.ts'

/** When something is open, on the clocks of its own zone. */
export interface BusinessHours {
  readonly zone: string
  /** Without any, every day but the holidays is open. */
  readonly openings: readonly Opening[]
  readonly holidays: readonly Holiday[]
}

/** One stretch of an ISO weekday (Monday is 1), from a minute after midnight up to, not including, another. */
interface Opening {
  readonly weekday: number
  readonly from: number
  readonly to: number
}

/** Days, both included, written `YYYY-MM-DD`. */
interface Holiday {
  readonly from: string
  readonly to: string
  readonly isYearly: boolean
}

const MINUTES_PER_HOUR = 60

/**
 * Whether it is open at that moment. The clock on the wall decides: an hour that a clock change repeats is open twice,
 * one that it leaves out never comes.
 */
export function isOpen({ zone, openings, holidays }: BusinessHours, now: Date): boolean {
  const local = Temporal.Instant.fromEpochMilliseconds(now.getTime()).toZonedDateTimeISO(parseZone(zone) ?? 'UTC')
  const day = local.toPlainDate()
  if (holidays.some((holiday) => covers(holiday, day))) return false
  if (openings.length === 0) return true
  const minute = local.hour * MINUTES_PER_HOUR + local.minute
  return openings.some(({ weekday, from, to }) => weekday === local.dayOfWeek && from <= minute && minute < to)
}

function covers({ from, to, isYearly }: Holiday, day: Temporal.PlainDate): boolean {
  const date = day.toString()
  if (!isYearly) return from <= date && date <= to
  const [first, last, today] = [monthAndDay(from), monthAndDay(to), monthAndDay(date)]
  // A stretch that ends before it starts goes over New Year.
  return first <= last ? first <= today && today <= last : first <= today || today <= last
}

function monthAndDay(date: string): string {
  return date.slice(-'MM-DD'.length)
}
