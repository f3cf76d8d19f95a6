import { Type } from 'typebox'
import { sql } from '../../database/drizzle.ts'
import { GROUP } from '../../platform/access/identity.ts'
import { wireTime } from '../../platform/identity/sessions.ts'
import { method } from '../../platform/model/model.ts'

/** `connect.inbox/replay {ids}`: a person asks for stored deliveries to be worked on again, whatever became of them. */
export const replayMethod = method({
  label: 'Process again',
  operation: 'read',
  groups: [GROUP.connectAdmin],
  args: Type.Object({}),
  async run(env, ids) {
    const list = sql.join(
      ids.map((id) => sql`${id}::bigint`),
      sql`, `,
    )
    if (ids.length === 0) return { replayed: 0 }
    const rows = await env.db.query(
      sql`update connect_inbox set state = 'received', attempts = 0, error = null,
            next_attempt_at = ${wireTime(env.now)}::timestamp where id in (${list}) returning id`,
    )
    await env.db.notify('connect_inbox', '')
    return { replayed: rows.length }
  },
})
