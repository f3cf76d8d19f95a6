import type { Queryable } from '../../database/database.ts'
import { sql } from '../../database/drizzle.ts'

/**
 * How many callers talk to a voice agent at this moment: calls under way that were handed to one, and in which no person has
 * answered since.
 */
export async function countCallsWithAgents(db: Queryable): Promise<number> {
  const [row] = await db.query<{ calls: number }>(
    sql`select count(*)::int as calls from connect_call c where c.outcome = 'in_progress'
          and (c.voiceai_agent is not null or exists (select 1 from connect_channel l where l.call = c.id
            and l.status = 'in-progress' and coalesce(l."to", l.called) ~* '^sips?:[^@]+@sip[.]rtc[.]'))
          and not exists (select 1 from connect_channel l where l.call = c.id and l.status = 'in-progress'
            and l.technical_direction <> 'inbound' and coalesce(l."to", l.called) !~* '^sips?:[^@]+@sip[.]rtc[.]')`,
  )
  return row?.calls ?? 0
}
