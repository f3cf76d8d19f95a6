import { Refusal } from '../../../errors.ts'
import { parseLocal } from '../../../time.ts'

/** In the languages of the page. */
const WEEKDAYS = [
  ['monday', 'montag'],
  ['tuesday', 'dienstag'],
  ['wednesday', 'mittwoch'],
  ['thursday', 'donnerstag'],
  ['friday', 'freitag'],
  ['saturday', 'samstag'],
  ['sunday', 'sonntag'],
]
const WEEKDAY_AT = /^(?<day>[a-z]+) +(?<time>\d{1,2}:\d{2})$/i
const DAYS_PER_WEEK = 7

/**
 * The moment that somebody means: `2026-11-22 10:00` or the next `sunday 10:00`, both on the clocks of the zone, or with a
 * zone of its own (`2026-11-22T10:00:00Z`). Throws a refusal for anything else.
 */
export function readAskedMoment(text: string, { zone, now }: { zone: string; now: Date }): Temporal.ZonedDateTime {
  const found = nextWeekday(text.trim(), { zone, now }) ?? parseLocal(text, zone) ?? withOwnZone(text, zone)
  if (found !== undefined) return found
  throw new Refusal('refused', 'no-time-should-written-t-z', { text })
}

function nextWeekday(text: string, { zone, now }: { zone: string; now: Date }): Temporal.ZonedDateTime | undefined {
  const { day = '', time = '' } = WEEKDAY_AT.exec(text)?.groups ?? {}
  const weekday = WEEKDAYS.findIndex((names) => names.includes(day.toLowerCase())) + 1
  if (weekday === 0) return undefined
  const today = Temporal.Instant.fromEpochMilliseconds(now.getTime()).toZonedDateTimeISO(zone)
  const days = (weekday - today.dayOfWeek + DAYS_PER_WEEK) % DAYS_PER_WEEK
  const meant = (ahead: number): Temporal.ZonedDateTime | undefined =>
    parseLocal(`${today.toPlainDate().add({ days: ahead })} ${time.padStart('HH:MM'.length, '0')}`, zone)
  const soonest = meant(days)
  if (soonest === undefined || Temporal.ZonedDateTime.compare(soonest, today) >= 0) return soonest
  return meant(days + DAYS_PER_WEEK)
}

function withOwnZone(text: string, zone: string): Temporal.ZonedDateTime | undefined {
  try {
    return Temporal.Instant.from(text.trim()).toZonedDateTimeISO(zone)
  } catch (error) {
    // Temporal tells what is no time by a RangeError only.
    if (error instanceof RangeError) return undefined
    throw error
  }
}
