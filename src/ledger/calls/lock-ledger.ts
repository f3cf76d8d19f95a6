import type { Transaction } from '../../database/database.ts'
import { sql } from '../../database/drizzle.ts'
import { param, statement } from '../../database/statement.ts'

// One after another in the order of the list, as a scan of it goes.
const LOCK = statement<never, { keys: readonly string[] }>(
  'ledger_lock',
  sql`select pg_advisory_xact_lock(hashtextextended(key, 0)) from unnest(${param('keys')}::text[]) key`,
)

const TRY = statement<{ is_locked: boolean | null }, { keys: readonly string[] }>(
  'ledger_try_lock',
  sql`select bool_and(pg_try_advisory_xact_lock(hashtextextended(key, 0))) as is_locked from unnest(${param('keys')}::text[]) key`,
)

/** Somebody else holds what was found out to be needed as well: the transaction begins again, and then knows of it. */
class HeldError extends Error {
  /** What the database itself says when it asks for that. */
  readonly code = '40001'
  override readonly name = 'HeldError'
}

/**
 * Events of one call happen one after another in every process until the transaction ends. All locks are taken in one order,
 * so that those who want several never wait for each other in a circle; whatever is read after that is read with the locks
 * held.
 */
export function lockCalls(db: Transaction, sids: Iterable<string>): void {
  const keys = keysOf(sids)
  if (keys.length > 0) db.send(LOCK, { keys })
}

/** Locks more of them, out of that order and so without waiting; throws what makes the transaction begin again. */
export async function lockCallsToo(db: Transaction, sids: Iterable<string>): Promise<void> {
  const [taken] = await db.run(TRY, { keys: keysOf(sids) })
  if (taken?.is_locked === false) throw new HeldError('a leg above is being worked on')
}

function keysOf(sids: Iterable<string>): string[] {
  return [...new Set(sids)].sort().map((sid) => `call:${sid}`)
}

/** The same for conversations and the calls they belong to, as far as these are known: conversations first. */
export function lockConversations(
  db: Transaction,
  conversations: readonly { key: string; callSid?: string | undefined }[],
): void {
  const calls = conversations.map(({ callSid }) => callSid).filter((sid) => sid !== undefined)
  const keys = conversations.map(({ key }) => `conversation:${key}`).sort()
  db.send(LOCK, { keys: [...keys, ...calls.map((sid) => `call:${sid}`).sort()] })
}

/** The same for recordings and the calls they are of, whose sids are empty where a report did not say them: recordings first. */
export function lockRecordings(db: Transaction, recordings: readonly { sid: string; callSid: string }[]): void {
  const keys = [...new Set(recordings.map(({ sid }) => `recording:${sid}`))].sort()
  db.send(LOCK, { keys: [...keys, ...keysOf(recordings.map(({ callSid }) => callSid).filter((sid) => sid !== ''))] })
}

/** What is done about one number, such as making its contact, happens once: one after another until the transaction ends. */
export function lockNumbers(db: Transaction, numbers: Iterable<string>): void {
  const keys = [...new Set(numbers)].sort().map((number) => `number:${number}`)
  if (keys.length > 0) db.send(LOCK, { keys })
}
