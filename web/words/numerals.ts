/** Decimals and times of day as a person types and reads them; all of it pure, with the language handed in. */

const MINUTES_PER_HOUR = 60
const HOURS_PER_HALF_DAY = 12

const DECIMAL = /^[+-]?(?:\d+(?:[.,]\d*)?|[.,]\d+)$/

/** `8.5`, and `8,5` as well; undefined for what is no number. */
export function readDecimal(text: string): number | undefined {
  const written = text.trim()
  return DECIMAL.test(written) ? Number(written.replace(',', '.')) : undefined
}

/** Thousands as people set them apart: `100.000`, `100,000`, `100'000` and `100 000`. */
const IN_THOUSANDS = /^[+-]?\d{1,3}(?:([.,'’\s])\d{3})(?:\1\d{3})*$/

/** The same of a number that has no decimals, in which a mark before three digits sets thousands apart. */
export function readWhole(text: string): number | undefined {
  const written = text.trim()
  return IN_THOUSANDS.test(written) ? Number(written.replaceAll(/[^\d+-]/g, '')) : readDecimal(written)
}

/** Of the digits that programs count with the last are noise: 0.0138 is 0.013800000000000002. */
const DIGITS_MAX = 12

/** `8.5`, with the mark of the language. */
export function decimal(value: number, language: string): string {
  const mark = (1.5).toLocaleString(language).replaceAll(/\d/g, '')
  return String(Number(value.toPrecision(DIGITS_MAX))).replace('.', mark)
}

const TIME = /^(\d{1,2})(?:[:.,h]?(\d\d))?\s*(?:h|uhr|(?:o'clock))?\s*(am|pm)?$/i

/** Hours after midnight: 18 for `18:00`, `18.00`, `1800`, `18` and `6 pm`; undefined for what is no time of day. */
export function readTimeOfDay(text: string): number | undefined {
  const [, hourText, minuteText = '0', half] = TIME.exec(text.trim().replaceAll(/\.(?=m)|(?<=m)\.$/gi, '')) ?? []
  if (hourText === undefined) return fractionOfDay(text)
  const [given, minutes] = [Number(hourText), Number(minuteText)]
  if (half !== undefined && (given < 1 || given > HOURS_PER_HALF_DAY)) return undefined
  const isLate = half?.toLowerCase() === 'pm'
  const hour = half === undefined ? given : (given % HOURS_PER_HALF_DAY) + (isLate ? HOURS_PER_HALF_DAY : 0)
  if (hour > 2 * HOURS_PER_HALF_DAY || minutes >= MINUTES_PER_HOUR) return undefined
  const hours = hour + minutes / MINUTES_PER_HOUR
  return hours > 2 * HOURS_PER_HALF_DAY ? undefined : hours
}

/** `8.5` is how programs write half past eight. */
function fractionOfDay(text: string): number | undefined {
  const hours = readDecimal(text)
  return hours === undefined || hours < 0 || hours > 2 * HOURS_PER_HALF_DAY ? undefined : hours
}

/** `18:00`; the end of a day is `24:00`. */
export function timeOfDay(hours: number): string {
  const minutes = Math.round(hours * MINUTES_PER_HOUR)
  const pad = (part: number) => String(part).padStart(2, '0')
  return `${pad(Math.floor(minutes / MINUTES_PER_HOUR))}:${pad(minutes % MINUTES_PER_HOUR)}`
}
