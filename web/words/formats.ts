/** Dates, times, durations and counts as a person reads them; all of it pure, with zone and language handed in. */
import { WITHHELD } from './withheld.gen.ts'

const SECONDS_PER_MINUTE = 60
const MINUTES_PER_HOUR = 60
const DAY_MS = 86_400_000
const BYTES_PER_MEGABYTE = 1_000_000
const COUNT_SHOWN_MAX = 10_000

export interface Reader {
  /** Such as `en` or `de-CH`. */
  language: string
  /** Such as `Europe/Zurich`. */
  zone: string
  /** Whether their clock counts to 24 or to 12; without it, as the language does. */
  hourCycle?: Intl.DateTimeFormatOptions['hourCycle']
}

/**
 * Who reads a page in a language with a browser that speaks others: the clock counts as it does where they are (21:00 on an English page
 * too where the browser is Swiss), and numbers and dates are those of the language: of the country's own, such as de-CH, where they speak it.
 */
export function readerOf(language: string, { spoken, zone }: { spoken: readonly string[]; zone: string }): Reader {
  const region = spoken.map(regionOf).find((each) => each !== undefined)
  const there = new Intl.DateTimeFormat(region === undefined ? language : `${language}-${region}`, { hour: 'numeric' })
  const own = spoken.find((tag) => tag.startsWith(`${language}-`) && regionOf(tag) !== undefined)
  return { language: own ?? language, zone, hourCycle: there.resolvedOptions().hourCycle }
}

function regionOf(tag: string): string | undefined {
  try {
    return new Intl.Locale(tag).region
  } catch {
    return undefined
  }
}

/** The service says `YYYY-MM-DD HH:MM:SS`, in UTC. */
export function readInstant(text: string): Date {
  return new Date(`${text.replace(' ', 'T')}${/[zZ]|[+-]\d\d:?\d\d$/.test(text) ? '' : 'Z'}`)
}

/** `09:22` today, `21 Nov, 09:22` before. */
export function shortTime(at: Date, now: Date, reader: Reader): string {
  const { language, zone, hourCycle } = reader
  const day = (when: Date) => when.toLocaleDateString('en-CA', { timeZone: zone })
  if (day(at) === day(now)) return clock(at, reader)
  return at.toLocaleString(language, {
    timeZone: zone,
    hourCycle,
    day: 'numeric',
    month: 'short',
    hour: '2-digit',
    minute: '2-digit',
    ...(day(at).slice(0, 4) === day(now).slice(0, 4) ? {} : { year: 'numeric' }),
  })
}

/** `09:22`. */
export function clock(at: Date, { language, zone, hourCycle }: Reader): string {
  return at.toLocaleTimeString(language, { timeZone: zone, hourCycle, hour: '2-digit', minute: '2-digit' })
}

/** `09:22:38`, of today. */
export function exactClock(at: Date, { language, zone, hourCycle }: Reader): string {
  const parts = { hour: '2-digit', minute: '2-digit', second: '2-digit' } as const
  return at.toLocaleTimeString(language, { timeZone: zone, hourCycle, ...parts })
}

/** Midnight of today in the zone, as the service writes moments; also on the day of a clock change. */
export function startOfToday(now: Date, zone: string): string {
  const atMidnight = new Date(Math.floor(wallMs(now, zone) / DAY_MS) * DAY_MS)
  const guess = new Date(atMidnight.getTime() - (wallMs(now, zone) - now.getTime()))
  // The clock may have changed since midnight: what it was then counts.
  return wireInstant(new Date(atMidnight.getTime() - (wallMs(guess, zone) - guess.getTime())))
}

/** `2026-11-22 09:22:38`, as the clock on the wall of the zone shows a moment that the service wrote. */
export function wallTime(instant: string, zone: string): string {
  return wireInstant(new Date(wallMs(readInstant(instant), zone)))
}

const WALL_TIME = /^(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d)(:\d\d)?$/

const DAY_WITH_DOTS = /^(\d{1,2})\.(\d{1,2})\.(\d{4})(?:,? | um )(\d{1,2}):(\d\d(?::\d\d)?)$/

/** The same back, as the service reads moments; also `30.11.2026 10:00`. Undefined for what is no time. */
export function instantOfWall(text: string, zone: string): string | undefined {
  const [, day, minutes, seconds = ':00'] = WALL_TIME.exec(withoutDots(text.trim())) ?? []
  if (day === undefined) return undefined
  const wall = new Date(`${day}T${minutes}${seconds}Z`).getTime()
  if (Number.isNaN(wall)) return undefined
  const guess = wall - (wallMs(new Date(wall), zone) - wall)
  // Around a clock change the distance is that of the moment found.
  return wireInstant(new Date(wall - (wallMs(new Date(guess), zone) - guess)))
}

/** `2026-11-30 10:00` as German writes it, `30.11.2026 10:00`; the end of it stays as it is. */
export function withDots(written: string): string {
  return written.replace(/^(\d{4})-(\d\d)-(\d\d)/, '$3.$2.$1')
}

function withoutDots(text: string): string {
  const [, day = '', month = '', year, hour = '', minute] = DAY_WITH_DOTS.exec(text) ?? []
  if (year === undefined) return text
  const [twoOfMonth, twoOfDay, twoOfHour] = [month, day, hour].map((part) => part.padStart(2, '0'))
  return `${year}-${twoOfMonth}-${twoOfDay} ${twoOfHour}:${minute}`
}

/** What the clock on the wall shows, as if it were UTC; whole seconds. */
function wallMs(at: Date, zone: string): number {
  const format = new Intl.DateTimeFormat('en-GB', {
    timeZone: zone,
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
    hourCycle: 'h23',
  })
  const part = Object.fromEntries(format.formatToParts(at).map(({ type, value }) => [type, Number(value)] as const))
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = part
  // What is below a second is the same everywhere.
  return Date.UTC(year, month - 1, day, hour, minute, second) + (((at.getTime() % 1_000) + 1_000) % 1_000)
}

/** The same of so many days before; a day of a clock change is as long as it was. */
export function startOfDay(now: Date, zone: string, daysBack: number): string {
  const midnight = (at: Date) => readInstant(startOfToday(at, zone))
  let start = midnight(now)
  for (let day = 0; day < daysBack; day += 1) start = midnight(new Date(start.getTime() - 1))
  return wireInstant(start)
}

/** `96 kB`, `2.4 MB`. */
export function bytes(total: number, language: string): string {
  const [value, unit] =
    total < BYTES_PER_MEGABYTE ? [Math.ceil(total / 1_000), 'kilobyte'] : [total / BYTES_PER_MEGABYTE, 'megabyte']
  return value.toLocaleString(language, { style: 'unit', unit, maximumFractionDigits: 1 })
}

/** As the service reads moments. */
export function wireInstant(at: Date): string {
  return at.toISOString().slice(0, 19).replace('T', ' ')
}

/** `0:23`, `1:02:03`. */
export function duration(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds))
  const pad = (part: number) => String(part).padStart(2, '0')
  const minutes = Math.floor(whole / SECONDS_PER_MINUTE)
  const hours = Math.floor(minutes / MINUTES_PER_HOUR)
  const rest = pad(whole % SECONDS_PER_MINUTE)
  return hours === 0 ? `${minutes}:${rest}` : `${hours}:${pad(minutes % MINUTES_PER_HOUR)}:${rest}`
}

/** `98%`, and `98 %` in German. */
export function share(part: number, language: string): string {
  return part.toLocaleString(language, { style: 'percent', maximumFractionDigits: 0 })
}

/** `412`, and `10,000+` for what was not counted to its end. */
export function count(total: number, language: string): string {
  if (total <= COUNT_SHOWN_MAX) return total.toLocaleString(language)
  return `${COUNT_SHOWN_MAX.toLocaleString(language)}+`
}

// What turns the direction of writing would show another number than is dialled.
const BIDI = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g

/** Numbers and ids with turned directions made visible. */
export function plain(text: string): string {
  return text.replaceAll(BIDI, '\u2423')
}

const IS_WITHHELD = new RegExp(WITHHELD, 'i')
const IS_DIGITS = /^(?:(?:whatsapp|tel):)?\+?[\d\s().\-/]+$/i
const BETWEEN_DIGITS = /[\s().\-/]/g

/** Whether somebody withheld their number, or the network could not tell it: nobody can be called or written to there. */
export function isWithheld(address: string | null): boolean {
  const text = address?.trim() ?? ''
  return text === '' || IS_WITHHELD.test(IS_DIGITS.test(text) ? text.replaceAll(BETWEEN_DIGITS, '') : text)
}

let wordForWithheld = (): string | undefined => undefined

/** Says how a withheld number is shown, in the reader's language. */
export function nameWithheldBy(word: () => string): void {
  wordForWithheld = word
}

/** A party of a call or of messages: the number, or a word where it is withheld. */
export function party(address: string | null): string {
  return (isWithheld(address) ? wordForWithheld() : undefined) ?? phone(address ?? '?')
}

type Grouping = (number: string) => string | undefined
let grouped: Grouping = () => undefined

/** Numbers are grouped as their country does it once the library that knows this is there. */
export function groupNumbersBy(grouping: Grouping): void {
  grouped = grouping
}

/** A line of parts, such as `+41313808316 · zoe@example.com`, with its numbers as people write them. */
export function phonesIn(line: string): string {
  const parts = line.split(' · ')
  return parts.map((part) => (/^\+\d+$/.test(part) ? phone(part) : part)).join(' · ')
}

/** What a record is called; a sign that its name is on its way, and its id where it has none. */
export function nameOrId(name: string | null | undefined, id: unknown, isComing: boolean): string {
  return name || (isComing ? '…' : `#${String(id)}`)
}

/** `+41 31 380 83 16`; until the groups are known, and for what is no number, as it is. What only looks like a number is said in words. */
export function phone(number: string): string {
  const shown = plain(number)
  if (IS_DIGITS.test(shown) && isWithheld(shown)) return wordForWithheld() ?? shown
  return (/^\+\d{7,15}$/.test(shown) ? grouped(shown)?.replaceAll(' ', '\u00a0') : undefined) ?? shown
}
