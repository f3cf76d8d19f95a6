import { Type } from 'typebox'
import type { Queryable } from '../../database/database.ts'
import { sql } from '../../database/drizzle.ts'
import { GROUP } from '../../platform/access/identity.ts'
import { method } from '../../platform/model/model.ts'

/** One thing that happened in a call. */
export interface Moment {
  /** UTC, with milliseconds. */
  at: string
  what: string
  /** The record that says so, such as `leg 7`. */
  record: string
  detail: string
}

const MILLISECONDS = sql`'YYYY-MM-DD HH24:MI:SS.MS'`

/** `connect.call/timeline {ids}`: what happened in calls, in order. */
export const timelineMethod = method({
  label: 'What happened, in order',
  operation: 'read',
  groups: [GROUP.connectAdmin],
  args: Type.Object({}),
  async run(env, ids) {
    const moments: Moment[] = []
    for (const id of ids) moments.push(...(await callTimeline(env.db, id)))
    return moments
  },
})

/**
 * Legs, deliveries, recordings, the voicemail and notes of a call. What has the same time comes in the order in which it can
 * have happened: a report before what it says of the leg, the end of a leg after everything else.
 */
function callTimeline(db: Queryable, call: number): Promise<Moment[]> {
  return db.query<Moment>(sql`
    with leg as (select * from connect_channel where call = ${call}::bigint),
    parties as (
      select id, sid, status, started_at, answered_at, ended_at, create_date,
        concat(coalesce(caller_number, '?'), ' to ', coalesce(called_number, '?')) as detail from leg),
    delivered as (
      select id from connect_delivery where call_ref = ${call}::bigint
      union select d.id from leg l join connect_delivery d on d.call_sid = l.sid
      union select d.id from connect_call c join connect_delivery d on d.conversation = c.voiceai_conversation_id
        where c.id = ${call}::bigint),
    moments as (
      select received_at as at, 1 as rank, 'delivery' as what, 'delivery' as kind, d.id,
        concat(route, ' ', verdict, ' (', status, ', ', ms, ' ms)', ': ' || d.reason) as detail
        from connect_delivery d join delivered using (id)
      union all select coalesce(started_at, create_date), 2, 'leg begins', 'leg', id, detail from parties
      union all select answered_at, 3, 'answered', 'leg', id, detail from parties where answered_at is not null
      union all select coalesce(start_time, create_date), 4, 'recording', 'recording', id,
        concat(coalesce(status, '-'), ', ', coalesce(duration, 0), ' s')
        from connect_recording where call = ${call}::bigint
      union all select coalesce(v.start_time, v.create_date), 4, 'voicemail', 'voicemail', v.id, concat(v.duration, ' s')
        from connect_voicemail v join leg l on l.sid = v.call_sid
      union all select date, 5, 'note', 'note', id, left(regexp_replace(coalesce(body, ''), '<[^>]*>', ' ', 'g'), 200)
        from mail_message where model = 'connect.call' and res_id = ${call}::bigint
      union all select ended_at, 6, coalesce(status, 'ended'), 'leg', id, detail from parties where ended_at is not null)
    select to_char(at, ${MILLISECONDS}) as at, what, concat(kind, ' ', id) as record, detail
      from moments order by moments.at, rank, id`)
}
