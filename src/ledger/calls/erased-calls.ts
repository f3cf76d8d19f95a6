import type { Queryable } from '../../database/database.ts'
import { sql } from '../../database/drizzle.ts'
import { idList, manyIds } from '../../database/ids.ts'
import { listed } from '../../database/listed.ts'
import { statement } from '../../database/statement.ts'
import type { Env } from '../../platform/access/env.ts'
import type { Traces } from '../../platform/person/person.ts'

/** The job that forgets what late reports of calls brought whose person was erased before. */
export const FORGET_LATE_JOB = 'forget-late'
/** By then every process has written the delivery into the log, which is done after its answer. */
const LOGGED_AFTER_SECONDS = 10

/**
 * Has what is kept of a late report go soon after the transaction commits: the delivery as it came, and what hangs on the calls.
 * What came of the calls is in the ledger then, without words, names and numbers (docs/privacy.md#erasing-a-person).
 */
export async function forgetLate({ platform, db }: Env, calls: readonly (number | null)[]): Promise<void> {
  const erased = [...new Set(calls)].filter((id) => id !== null)
  if (erased.length === 0) return
  await platform.enqueue(db, { name: FORGET_LATE_JOB, payload: { calls: erased }, delaySeconds: LOGGED_AFTER_SECONDS })
}

/** Of these calls those whose person was erased. */
export async function erasedOf({ db }: Env, calls: readonly number[]): Promise<number[]> {
  const rows = await db.query<{ id: number }>(
    sql`select id from connect_call where id in (${idList(calls)}) and erased_at is not null`,
  )
  return rows.map(({ id }) => id)
}

// Each conversation is looked up by itself: of calls with a mark the planner expects next to none, and reads the table for them.
const ERASED_OF = statement<{ id: number }, { conversations: readonly string[] }>(
  'calls_erased_of_conversations',
  sql`select c.id from ${listed('conversations', 'text')} given (key)
    cross join lateral (
      select id, erased_at from connect_call where voiceai_conversation_id = given.key limit 1
    ) c where c.erased_at is not null`,
)

/** The calls of these conversations whose person was erased. */
export async function erasedCallsOf({ db }: Env, conversations: readonly string[]): Promise<number[]> {
  const rows = await db.run(ERASED_OF, { conversations })
  return rows.map(({ id }) => id)
}

/** Of these calls those whose person was erased, with the names that the providers gave them. */
export async function tracesOfErased(
  db: Queryable,
  calls: readonly number[],
): Promise<Pick<Traces, 'calls' | 'conversations' | 'sids'>> {
  const rows = await db.query<{ id: number; conversation: string | null; sids: string[] | null }>(
    sql`select c.id, c.voiceai_conversation_id as conversation,
          (select array_agg(l.sid) from connect_channel l where l.call = c.id) as sids
        from connect_call c where c.id in (${manyIds(calls)}) and c.erased_at is not null order by c.id`,
  )
  return {
    calls: rows.map(({ id }) => id),
    conversations: rows.flatMap(({ conversation }) => conversation ?? []),
    sids: rows.flatMap(({ sids }) => sids ?? []),
  }
}
