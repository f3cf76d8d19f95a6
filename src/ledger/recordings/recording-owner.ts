import { sql } from '../../database/drizzle.ts'
import { idList } from '../../database/ids.ts'
import type { Env } from '../../platform/access/env.ts'
import { writerOf, writtenBy } from '../../platform/model/written-by.ts'

/** Recordings of calls belong to whom the calls belong to, where they belong to nobody yet. */
export async function giveRecordingsOfCalls(env: Env, calls: readonly number[]): Promise<void> {
  await env.db.query(
    sql`update connect_recording r set partner = c.partner, ${writtenBy(writerOf(env))}
        from connect_call c where c.id in (${idList(calls)}) and r.call = c.id and r.partner is null
          and c.partner is not null`,
  )
}
