import { sql } from '../../database/drizzle.ts'
import { Refusal } from '../../errors.ts'
import type { OpenEnv } from '../../platform/access/env.ts'

const TIMEOUT_MS = 8_000
/** Somebody whom no contact is. */
const CALLER = '+14155550199'

/** Has the emulator call a number of ours; the call comes in as every other does, signed, and is recorded as one. */
export async function playCallFromOutside(
  open: OpenEnv,
  { number, emulator }: { number: string; emulator: string | undefined },
): Promise<{ since: number }> {
  if (emulator === undefined) {
    throw new Refusal('refused', 'only-played-by-emulator')
  }
  const { isOurs, since } = await open(async ({ db }) => {
    const own = await db.query(sql`select 1 from connect_telco_number where phone_number = ${number}`)
    const [newest] = await db.query<{ id: number }>(sql`select coalesce(max(id), 0)::bigint as id from connect_call`)
    return { isOurs: own.length > 0, since: newest?.id ?? 0 }
  })
  if (!isOurs) throw new Refusal('not-found', 'no-such-number', { number })
  const body = JSON.stringify({ from: CALLER, to: number })
  const reply = await fetch(`${emulator}/emulator/calls`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
    signal: AbortSignal.timeout(TIMEOUT_MS),
  }).catch(() => undefined)
  if (reply?.ok !== true) throw new Refusal('unavailable', 'emulator-silent')
  return { since }
}
