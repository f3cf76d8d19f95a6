import { type Database, isNotItsFault } from '../../database/database.ts'
import type { Platform } from '../../platform/access/env.ts'
import { notifyAdmins } from '../../platform/notices/notice.ts'
import { storedTime } from '../../time.ts'
import { ATTEMPTS, FAIL, PUT_OFF } from './inbox-rows.ts'

/** Attempts at one delivery before it is dead and waits for a person. */
const ATTEMPTS_MAX = 8
/** Seconds before another look at what waits for a place, however long that has been away. */
const WAIT_SECONDS = 2
/** Seconds before the second attempt, doubled for each further one: about 10 minutes in all. */
export const RETRY_SECONDS = 5
const MS_PER_SECOND = 1_000
const ERROR_CHARS_MAX = 2_000

/**
 * Saves that an attempt at a stored delivery failed, and when the next one comes. An attempt counts when it says
 * something of the delivery: not while a place is at fault, such as the database, a disk, or a provider that is away; such a
 * delivery waits, without growing pauses. Throws when it cannot be saved.
 */
export async function recordFailedAttempt(
  { db, platform }: { db: Database; platform: Platform },
  { id, error }: { id: number; error: Error },
): Promise<'waits' | 'failed'> {
  const sentence = `${error.name}: ${error.message}`.slice(0, ERROR_CHARS_MAX).replaceAll('\0', '')
  const inSeconds = (seconds: number): string =>
    storedTime(new Date(platform.clock().getTime() + seconds * MS_PER_SECOND))
  if (isNotItsFault(error)) {
    await db.run(PUT_OFF, { id, error: sentence, next: inSeconds(WAIT_SECONDS) })
    return 'waits'
  }
  const [row] = await db.run(ATTEMPTS, { id })
  const attempts = (row?.attempts ?? 0) + 1
  const isDead = attempts >= ATTEMPTS_MAX
  const next = isDead ? null : inSeconds(RETRY_SECONDS * 2 ** (attempts - 1))
  await db.run(FAIL, { id, state: isDead ? 'dead' : 'failed', error: sentence, next })
  if (!isDead) return 'failed'
  await notifyAdmins(db, { kind: 'delivery_dead', ref: { model: 'connect.inbox', id }, detail: row?.kind })
  platform.log.error({ inbox: id }, 'a stored delivery is dead and waits for a person to replay it')
  return 'failed'
}
