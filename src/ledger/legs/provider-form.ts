import { cleanText } from '../../lenient-values.ts'
import { publishedTime } from '../../time.ts'
import { isUnseen } from '../../unseen.ts'

/** What of a verified request of the phone provider the ledger reads. */
export interface ProviderForm {
  /** The form's fields, the first value of each. */
  readonly form: Readonly<Record<string, string>>
  /** The query of the address that we gave to the provider. */
  readonly query: URLSearchParams
}

const SID_CHARS_MAX = 64
const LINE_CHARS_MAX = 1_000
const URL_CHARS_MAX = 2_000
const COUNT = /^(\d{1,9})(?:\.0{1,3})?$/
const RFC_2822 = /^(?:[A-Z][a-z]{2}, )?\d{1,2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} (?:[+-]\d{4}|GMT|UTC)$/

/** A provider's id; an empty text for what is too long to be one, because cut short it could be another's. */
export function readSid(value: string | undefined): string {
  const sid = cleanText(value ?? '').trim()
  return sid.length > SID_CHARS_MAX ? '' : sid
}

/** One line, cut to what a column takes; null when there is nothing to see. */
export function readLine(value: string | undefined, charsMax = LINE_CHARS_MAX): string | null {
  const line = cleanText((value ?? '').slice(0, 2 * charsMax))
    .replaceAll(/\s+/g, ' ')
    .trim()
  return isUnseen(line) ? null : line.slice(0, charsMax).toWellFormed()
}

/** An address with http or https; null for anything else, such as a script. */
export function readWebUrl(value: string | undefined): string | null {
  const url = (value ?? '').trim()
  if (url.length > URL_CHARS_MAX || !URL.canParse(url)) return null
  return ['https:', 'http:'].includes(new URL(url).protocol) ? cleanText(url) : null
}

/** A count such as a number of seconds; undefined for anything else. */
export function readCount(value: string | undefined): number | undefined {
  const [, count] = COUNT.exec(value ?? '') ?? []
  return count === undefined ? undefined : Number(count)
}

/** A moment as the provider writes it, `Wed, 08 Oct 2025 13:54:12 +0000`, in milliseconds; undefined for anything else. */
export function readMomentMs(value: string | undefined): number | undefined {
  const ms = value !== undefined && RFC_2822.test(value.trim()) ? Date.parse(value) : Number.NaN
  return Number.isNaN(ms) ? undefined : ms
}

/** The same as it is stored. */
export function readMoment(value: string | undefined): string | null {
  const ms = readMomentMs(value)
  return ms === undefined ? null : publishedTime(new Date(ms))
}
