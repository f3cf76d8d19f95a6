import { sql } from '../../database/drizzle.ts'
import { formsOfSubscriber } from '../../number-plans.ts'
import { channelUserIn, toE164 } from '../../phone.ts'
import type { Env } from '../../platform/access/env.ts'
import { readWritten } from '../../written-number.ts'
import type { Way } from './way.ts'

/** Fewer digits are in nearly every number. */
const PART_DIGITS_MIN = 4
/** E.164 has no longer numbers. */
const PART_DIGITS_MAX = 15
/** With a word before them, fewer digits may be anything: a room, a year. */
const LABELLED_DIGITS_MIN = 6
/** Numbers with one ending; anyone who means another one types another digit. */
const NUMBERS_MAX = 100
/** What stands before a number in a letter: "Tel.", "Mobil:", "Phone". */
const LABEL = /^\p{L}{1,12}(?:[.:]\s*|\s+)(?=[+(\d])/u
/** Sorts right after the digits, and after the + with which a number begins. */
const AFTER_DIGITS = ':'

/** Columns with an index over what they hold, read from its end; the migration has the same expressions. */
type NumberColumn =
  | 'connect_call.caller'
  | 'connect_call.called'
  | 'res_partner.phone_normalized'
  | 'res_partner.mobile_normalized'

/** A number in any form that people write, or the id of a WhatsApp user who shows none. */
export function byNumber({ settings }: Env, text: string, columns: readonly string[]): Way[] {
  const key = channelUserIn(text) ?? toE164(numberIn(text), settings.country)
  return key === undefined
    ? []
    : columns.map((column) => ({ matched: 'number', domain: [[column, 'in', formsOfSubscriber(key)]] }))
}

/** Numbers that end in the digits of the text, such as the last four of a telephone's display. */
export async function byEnding(env: Env, text: string, columns: readonly NumberColumn[]): Promise<Way[]> {
  for (const ending of new Set([digitsIn(text), dialledIn(text)])) {
    if (ending === '') continue
    const ways: Way[] = []
    for (const column of columns) {
      const numbers = await numbersEndingIn(env, column, ending)
      const [, field = ''] = column.split('.')
      if (numbers.length > 0) ways.push({ matched: 'number', domain: [[field, 'in', numbers]] })
    }
    if (ways.length > 0) return ways
  }
  return []
}

/** The same without the 0 that is for dialling within a country, or out of it, and in no number that is stored. */
export function dialledIn(text: string): string {
  return digitsIn(digitsIn(text).replace(/^0+/, ''))
}

/** The digits of a text that is a number or a part of one; empty for other texts, and for too few or too many. */
export function digitsIn(text: string): string {
  const digits = numberIn(text).replaceAll(/\D/g, '')
  return digits.length < PART_DIGITS_MIN || digits.length > PART_DIGITS_MAX ? '' : digits
}

/** The number in a text, without the word before it; empty when the text is something else. */
function numberIn(text: string): string {
  const number = readWritten(text).text.replace(LABEL, '')
  if (/\p{L}/u.test(number)) return ''
  const digitsMin = number === text ? 1 : LABELLED_DIGITS_MIN
  return number.replaceAll(/\D/g, '').length < digitsMin ? '' : number
}

/**
 * The different numbers in a column, each found by one step in the index: a number with a million calls takes no longer
 * than one with a single call.
 */
async function numbersEndingIn({ db }: Env, column: NumberColumn, ending: string): Promise<string[]> {
  const [table = '', name = ''] = column.split('.')
  const backwards = sql.raw(`reverse(${name}) collate "C"`)
  const from = [...ending].toReversed().join('')
  const until = `${from}${AFTER_DIGITS}`
  const next = (beyond: ReturnType<typeof sql>) => sql`
    select ${backwards} from ${sql.raw(table)} where ${backwards} ${beyond} and ${backwards} < ${until}
    order by ${backwards} limit 1`
  const rows = await db.query<{ number: string }>(sql`
    with recursive found (backwards) as (
      (${next(sql`>= ${from}`)})
      union all
      select (${next(sql`> found.backwards`)}) from found where found.backwards is not null
    )
    select reverse(backwards) as number from found where backwards is not null limit ${NUMBERS_MAX}::int`)
  return rows.map(({ number }) => number)
}
