import type { Transaction } from '../../database/database.ts'
import { sql } from '../../database/drizzle.ts'
import { param, statement } from '../../database/statement.ts'

// One after another in the order of the list, as a scan of it goes.
const LOCK = statement<never, { keys: readonly string[] }>(
  'ledger_lock',
  sql`select pg_advisory_xact_lock(hashtextextended(key, 0)) from unnest(${param('keys')}::text[]) key`,
)

/**
 * Events of one call happen one after another in every process until the transaction ends. Locks the legs in the order in
 * which they are given; whatever is read after that is read with the locks held.
 */
export function lockCalls(db: Transaction, sids: readonly string[]): void {
  if (sids.length > 0) db.send(LOCK, { keys: sids.map((sid) => `call:${sid}`) })
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

/** What is done about one number, such as making its contact, happens once. */
export function lockNumber(db: Transaction, number: string): void {
  db.send(LOCK, { keys: [`number:${number}`] })
}
