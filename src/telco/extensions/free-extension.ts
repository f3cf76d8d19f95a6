import { sql } from '../../database/drizzle.ts'
import { Refusal } from '../../errors.ts'
import type { Env } from '../../platform/access/env.ts'
import { nextNumber } from './extension-number.ts'

/** Digits of an ordinary extension. */
const EXTEN_DIGITS_MAX = 4

/** The number after the last one. Of two who ask at once the second waits for the first, so that they get two. */
export async function freeExtension(env: Env): Promise<string> {
  await env.db.query(sql`select pg_advisory_xact_lock(hashtext('connect.free_extension'))`)
  const taken = await env.db.query<{ number: string }>(
    sql`select number from connect_telco_exten where length(number) <= ${EXTEN_DIGITS_MAX}::int`,
  )
  const number = nextNumber(
    taken.map((row) => row.number),
    { digitsMax: EXTEN_DIGITS_MAX, country: env.settings.country },
  )
  if (number === undefined) {
    throw new Refusal('conflict', 'no-free-number-digits-after-last', { exten_digits: EXTEN_DIGITS_MAX })
  }
  return number
}
