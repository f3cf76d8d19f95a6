import type { Queryable } from '../database/database.ts'
import { sql } from '../database/drizzle.ts'

/** Nothing is put off for longer, repeats included. */
const DELAY_HOURS_MAX = 24

/**
 * Undoes what was scheduled while the database's clock was ahead, and would wait until that time comes: jobs are due now,
 * those under way count as left behind, and the queue looks after itself again. To be called when the queue is open.
 */
export async function pullInJobs(db: Queryable): Promise<void> {
  await db.query(
    sql`update jobs.job set start_after = now() where state in ('created', 'retry') and start_after > now()
          and (created_on > now() or start_after > now() + make_interval(hours => ${DELAY_HOURS_MAX}::int))`,
  )
  await db.query(
    sql`update jobs.job set started_on = least(started_on, now()), heartbeat_on = least(heartbeat_on, now())
        where state = 'active' and (started_on > now() or heartbeat_on > now())`,
  )
  await db.query(
    sql`update jobs.queue set monitor_on = least(monitor_on, now()), monitor_claim_on = least(monitor_claim_on, now()),
          maintain_on = least(maintain_on, now())
        where monitor_on > now() or monitor_claim_on > now() or maintain_on > now()`,
  )
  await db.query(
    sql`update jobs.version set cron_on = least(cron_on, now()), flow_on = least(flow_on, now()), bam_on = least(bam_on, now())
        where cron_on > now() or flow_on > now() or bam_on > now()`,
  )
}
