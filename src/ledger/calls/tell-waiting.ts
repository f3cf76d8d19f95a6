import { sql } from '../../database/drizzle.ts'
import { listed } from '../../database/listed.ts'
import { formsOfSubscriberSql } from '../../database/number-plans-sql.ts'
import { statement } from '../../database/statement.ts'
import type { Env } from '../../platform/access/env.ts'
import { notifyChangedSql } from '../../platform/records/notify-changed.ts'
import { TO_CALL_BACK } from './call-back.ts'
import { hasIdentitySql } from './caller-identity.ts'

/** Earlier calls of one number that are looked at, newest first: some number calls all day. */
const EARLIER_MAX = 100

const OUTSIDE = sql`(case when l.direction = 'outgoing' then l.called else l.caller end)`
const TELL = statement<never, { calls: readonly number[] }>(
  'calls_waiting_tell',
  sql`select ${notifyChangedSql('connect.call', sql`earlier.id`)}
      from connect_call l cross join lateral unnest(${formsOfSubscriberSql(OUTSIDE)}) form
        cross join lateral (select id from (select * from connect_call c where c.caller = form and c.id < l.id
          order by c.id desc limit ${sql.raw(String(EARLIER_MAX))}) c where ${sql.raw(TO_CALL_BACK)}) earlier
      where l.id in ${listed('calls', 'bigint')} and (l.direction = 'outgoing' or l.outcome in ('agent', 'person', 'agent_person')) and ${hasIdentitySql(OUTSIDE)}`,
)

/**
 * Somebody talked with a number that waited to be called back, or one of us begins to call it, or has called it in vain: the calls
 * that wait are told of. Those who see them may not read that other call, and hear nothing of it.
 */
export function tellWaiting({ db }: Env, calls: readonly number[]): void {
  if (calls.length > 0) db.send(TELL, { calls })
}
