import { Type } from 'typebox'
import { sql } from '../database/drizzle.ts'
import { idList } from '../database/ids.ts'
import { Refusal } from '../errors.ts'
import { GROUP } from '../platform/access/identity.ts'
import { method } from '../platform/model/model.ts'
import { notifyChanged } from '../platform/records/notify-changed.ts'

/** What a run says that somebody ended. */
export const CANCELLED = 'It was cancelled. What had been done until then stays; run it again for the rest.'

/**
 * Has runs stop before their next record. Refused once the token has changed: tools that still have the old one would be
 * refused in calls.
 */
export const cancelRun = method({
  label: 'Cancel',
  operation: 'read',
  groups: [GROUP.connectAdmin],
  reply: Type.Object({ cancelled: Type.Integer() }),
  async run(env, ids) {
    if (ids.length === 0) return { cancelled: 0 }
    const cancelled = await env.db.query<{ id: number }>(
      sql`update connect_sync_run set is_cancelled = true,
            summary = case when state = 'queued' then ${CANCELLED} else summary end,
            ended_at = case when state = 'queued' then now() at time zone 'utc' else ended_at end,
            can_cancel = state <> 'queued', state = case when state = 'queued' then 'failed' else state end, write_date = now() at time zone 'utc'
          where id in (${idList(ids)}) and state in ('queued', 'running') and can_cancel is not false returning id`,
    )
    if (cancelled.length === 0) throw new Refusal('conflict', 'run-not-cancellable')
    await notifyChanged(
      env,
      'connect.sync_run',
      cancelled.map(({ id }) => id),
    )
    return { cancelled: cancelled.length }
  },
})
