const ZONE_CHARS_MAX = 64
const MINUTES_PER_HOUR = 60
const OFFSET_MINUTES_MAX = 14 * MINUTES_PER_HOUR
// Every zone in use today keeps to quarter hours; so "5.30", most likely meant as 5:30, is refused and not guessed.
const OFFSET_STEP_MINUTES = 15

const OFFSET =
  /^(?:utc|gmt)?\s*(?<sign>[+-]?)\s*(?:(?<hours>\d{1,2}(?:\.\d{1,4})?)|(?<h>\d{1,2}):(?<m>[0-5]\d)|(?<hh>\d{2})(?<mm>[0-5]\d))$/i
const WALL_CLOCK =
  /^(?<date>(?!0000)\d{4}-\d{2}-\d{2})(?:[T ](?<time>\d{2}:\d{2}(?::[0-5]\d(?:\.\d{1,9})?)?)(?<utc>Z?))?$/
const OFFSET_ZONE = /^(?:[+-]|Etc\/|GMT|UTC$|UCT$|Zulu$|Universal$|Greenwich$)/

const WEEKDAYS = 'Monday Tuesday Wednesday Thursday Friday Saturday Sunday'.split(' ')
const MONTHS = 'January February March April May June July August September October November December'.split(' ')

/** A zone id for Temporal from a zone name or an hour offset, written in any usual way; undefined when unusable. */
export function parseZone(value: unknown): string | undefined {
  if (typeof value === 'number') return offsetZone(value * MINUTES_PER_HOUR)
  if (typeof value !== 'string' || value.length > ZONE_CHARS_MAX) return undefined
  const text = value.trim().replace('\u2212', '-')
  const offset = OFFSET.exec(text)?.groups
  if (!offset) return namedZone(text.replace(/\s+/g, '_'))
  const hours = Number(offset.hours ?? offset.h ?? offset.hh)
  const minutes = hours * MINUTES_PER_HOUR + Number(offset.m ?? offset.mm ?? 0)
  return offsetZone(offset.sign === '-' ? -minutes : minutes)
}

/** `YYYY-MM-DD HH:MM:SS` in UTC, as stored times travel. */
export function publishedTime(instant: Date): string {
  return instant.toISOString().slice(0, 19).replace('T', ' ')
}

/** A moment as the database stores it: UTC without zone, with milliseconds. */
export function storedTime(moment: Date): string {
  return moment.toISOString().slice(0, -1).replace('T', ' ')
}

/** The same of what may not be known. */
export function storedTimeOf(ms: number | undefined): string | null {
  return ms === undefined ? null : storedTime(new Date(ms))
}

/** The moment of a stored time, in milliseconds. */
export function storedMs(stored: string): number {
  return Date.parse(`${stored.replace(' ', 'T')}Z`)
}

/** Reads a UTC time as `publishedTime` writes it; also with `T`, `Z`, fractions, without seconds, or a date alone. */
export function parsePublishedTime(text: string): Date | undefined {
  const written = parseWallClock(text)
  if (!written) return undefined
  const utc = written.date.toZonedDateTime({ timeZone: 'UTC', plainTime: written.time ?? '00:00' })
  return new Date(utc.epochMilliseconds)
}

/** Reads a wall-clock time in a zone. A text that names its own zone is refused: it would contradict `zone`. */
export function parseLocal(text: string, zone: string): Temporal.ZonedDateTime | undefined {
  const written = parseWallClock(text)
  if (!written?.time || written.isUtc) return undefined
  return written.date.toPlainDateTime(written.time).toZonedDateTime(zone, { disambiguation: 'compatible' })
}

/**
 * Reads a span on the wall clock, both times on the same side of a clock change. In an hour that comes twice that is the
 * first side; a span that begins in such an hour and ends behind it is on the second, where its end is. So it always lasts
 * as long as its clock times say.
 */
export function parseLocalSpan(
  span: Readonly<Record<'start' | 'stop', string>>,
  zone: string,
): Record<'start' | 'stop', Temporal.ZonedDateTime | undefined> {
  const [start, stop] = [parseLocal(span.start, zone), parseLocal(span.stop, zone)]
  const again = start && secondTime(start)
  if (start === undefined || stop === undefined || again === undefined) return { start, stop }
  const onFirstSide = start.add(start.toPlainDateTime().until(stop.toPlainDateTime()))
  const change = start.getTimeZoneTransition('next')
  const endsBehind = change !== null && Temporal.ZonedDateTime.compare(onFirstSide, change) > 0
  return endsBehind ? { start: again, stop } : { start, stop: onFirstSide }
}

/** The same wall-clock time after the clock was turned back; undefined where it comes once. */
function secondTime(first: Temporal.ZonedDateTime): Temporal.ZonedDateTime | undefined {
  const second = first.toPlainDateTime().toZonedDateTime(first.timeZoneId, { disambiguation: 'later' })
  return second.equals(first) ? undefined : second
}

/**
 * What to say of a wall-clock time that a clock change leaves out, or that comes twice that day; undefined of any other
 * and of what is no time. `meant` is how it was read.
 */
export function clockChangeSentence(text: string, meant: Temporal.ZonedDateTime): string | undefined {
  const written = parseWallClock(text)
  if (!written?.time || written.isUtc) return undefined
  const wanted = written.date.toPlainDateTime(written.time)
  const zone = meant.timeZoneId
  const [first, second] = (['earlier', 'later'] as const).map((disambiguation) =>
    wanted.toZonedDateTime(zone, { disambiguation }),
  )
  if (first === undefined || second === undefined || first.equals(second)) return undefined
  const clock = `${wanted.toPlainTime().toString({ smallestUnit: 'minute' })} ${spokenZone(zone)}`
  const day = spokenDate(written.date)
  if (!first.toPlainDateTime().equals(wanted)) {
    return `There is no ${clock} on ${day}, because the clock is put forward then.`
  }
  return `There is ${clock} twice on ${day}; the ${meant.equals(second) ? 'second' : 'first'} one is meant.`
}

/** Reads a calendar day; a wall-clock time after it is allowed and left out. */
export function parseLocalDate(text: string): Temporal.PlainDate | undefined {
  const written = parseWallClock(text)
  return written?.isUtc ? undefined : written?.date
}

/** `YYYY-MM-DD HH:MM:SS` on the wall clock. */
export function formatLocal(time: Temporal.ZonedDateTime): string {
  return `${time.toPlainDate()} ${time.toPlainTime().toString({ smallestUnit: 'second' })}`
}

/** A time to read out: `Thursday, 27 August 2026 at 14:00 Chisinau time`. */
export function spokenTime(time: Temporal.ZonedDateTime): string {
  return `${spokenDate(time.toPlainDate())} at ${spokenClock(time)} ${spokenZone(time.timeZoneId)}`
}

/** A moment to read, in a zone that somebody wrote down; in UTC, said as such, where it is none. */
export function spokenMoment(ms: number, zone: string | null | undefined): string {
  return spokenTime(Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(parseZone(zone ?? '') ?? 'UTC'))
}

/** A day to read out: `Thursday, 27 August 2026`. */
export function spokenDate(date: Temporal.PlainDate): string {
  return `${WEEKDAYS[date.dayOfWeek - 1]}, ${date.day} ${MONTHS[date.month - 1]} ${date.year}`
}

/** The clock to read out, to the minute: `14:00`. */
export function spokenClock(time: Temporal.ZonedDateTime): string {
  return time.toPlainTime().toString({ smallestUnit: 'minute' })
}

/** A zone to read out: `Chisinau time`, `UTC`, `UTC plus 5:30`. */
export function spokenZone(zone: string): string {
  if (OFFSET_ZONE.test(zone)) return spokenOffset(zone)
  const place = zone.slice(zone.lastIndexOf('/') + 1)
  return `${place.replaceAll('_', ' ')} time`
}

// Through the offset and not the name, as the names Etc/GMT+5 and the like mean their opposite.
function spokenOffset(zone: string): string {
  const { offset } = new Temporal.ZonedDateTime(0n, zone)
  if (offset === '+00:00') return 'UTC'
  const hours = offset.slice(1).replace(/^0/, '').replace(/:00$/, '')
  return `UTC ${offset.startsWith('-') ? 'minus' : 'plus'} ${hours}`
}

function offsetZone(minutes: number): string | undefined {
  const isUsable = minutes % OFFSET_STEP_MINUTES === 0 && Math.abs(minutes) <= OFFSET_MINUTES_MAX
  if (!isUsable) return undefined
  if (minutes === 0) return 'UTC'
  const size = Math.abs(minutes)
  const hours = String(Math.trunc(size / MINUTES_PER_HOUR)).padStart(2, '0')
  return `${minutes < 0 ? '-' : '+'}${hours}:${String(size % MINUTES_PER_HOUR).padStart(2, '0')}`
}

function namedZone(name: string): string | undefined {
  return unlessOutOfRange(() => new Temporal.ZonedDateTime(0n, name).timeZoneId)
}

type WallClock = { date: Temporal.PlainDate; time: Temporal.PlainTime | undefined; isUtc: boolean }

function parseWallClock(text: string): WallClock | undefined {
  const { date, time, utc } = WALL_CLOCK.exec(text.trim())?.groups ?? {}
  if (!date) return undefined
  return unlessOutOfRange(() => ({
    date: Temporal.PlainDate.from(date),
    time: time ? Temporal.PlainTime.from(time) : undefined,
    isUtc: Boolean(utc),
  }))
}

// Temporal tells a day or zone that does not exist by a RangeError only.
function unlessOutOfRange<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}
