import { sql } from '../../database/drizzle.ts'
import { bareAddress, ownToE164, withoutTrunkZero } from '../../phone.ts'
import type { Env } from '../../platform/access/env.ts'
import { readWritten } from '../../written-number.ts'

const SEPARATORS = /[\s().\-/]/g
/** A number with its country, of which the + may have been left away. */
const PLUSLESS = /^\d{7,15}$/

/**
 * A number of ours in the form in which the provider names it when somebody calls; what is no number stays, for the pattern of the field to
 * refuse. A + stays with its digits even where the library knows no such number: the provider's list is the better one, and a number of it
 * whose + was left away is that one, also where the digits would be a number at home.
 */
export async function ownNumber({ db, settings }: Env, written: string): Promise<string> {
  const text = withoutTrunkZero(bareAddress(readWritten(written).text)).replaceAll(SEPARATORS, '')
  if (/^\+\d{3,15}$/.test(text)) return text
  const read = ownToE164(written, settings.country) ?? text
  const plusless = `+${text}`
  if (read === plusless || !PLUSLESS.test(text)) return read
  const reported = await db.query(
    sql`select 1 from connect_telco_number where phone_number = ${plusless} and sid is not null`,
  )
  return reported.length > 0 ? plusless : read
}

/** Whether a number that somebody entered is one of the provider's whose + they left away, so that it was read as one at home. */
export function isMisread(entered: string, reported: string, country: string | undefined): boolean {
  const plusless = reported.replace(/^\+/, '')
  return entered === plusless || entered === ownToE164(plusless, country)
}
