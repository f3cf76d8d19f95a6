import { sql } from '../../database/drizzle.ts'
import type { Env } from '../../platform/access/env.ts'
import { char, integer, many2one, selection } from '../../platform/model/fields.ts'
import { defineModel } from '../../platform/model/model.ts'

/** Voicemail comes after every phone. */
const VOICEMAIL_PRIO = 10

/** One step of ringing somebody: a phone of theirs, or their voicemail. */
export const userCallflowModel = defineModel({
  name: 'connect.telco.user_callflow',
  label: 'Ring step',
  order: 'prio, id',
  display: { columns: ['callflow_type'], show: (row) => String(row.callflow_type ?? '') },
  fields: {
    user: many2one('Phone user', 'connect.user', {
      required: true,
      onDelete: 'cascade',
      isIndexed: false,
      offers: [['active', '!=', false]],
    }),
    prio: integer('Order'),
    callflow_type: selection('Step', {
      client: 'Web phone',
      sip: 'SIP phone',
      mobile: 'Mobile',
      voicemail: 'Voicemail',
    }),
    method: char('Created by'),
  },
  indexes: [{ columns: ['user', 'callflow_type'], isUnique: true, refusal: 'step-twice' }],
})

/** A step that was already tried in a call. */
export const userCallflowCallModel = defineModel({
  name: 'connect.telco.user_callflow_call',
  label: 'Attempted ring step',
  order: 'id',
  display: { columns: ['id'], show: (row) => `Step ${row.id}` },
  fields: {
    call: many2one('Call', 'connect.call', { required: true, onDelete: 'cascade', isIndexed: false }),
    callflow: many2one('Ring step', 'connect.telco.user_callflow', { required: true, onDelete: 'cascade' }),
  },
  indexes: [{ columns: ['call', 'callflow'], isUnique: true, refusal: 'step-tried-twice' }],
  // Usually gone when the call ends; a request that came after its end may have left some.
  retention: { since: 'create_date', age: () => '1 day' },
})

/** Gives the user one step for each phone and voicemail that is enabled. Steps that stay keep their ids: calls hold them. */
export async function saveRingSteps(env: Env, pbxUserId: number): Promise<void> {
  const wanted = sql`select s.type, s.prio from connect_user u cross join lateral (values
    ('client', u.client_priority::int, u.client_enabled),
    ('sip', u.sip_priority::int, u.sip_enabled),
    ('mobile', coalesce(u.mobile_priority, '3')::int, u.mobile_enabled),
    ('voicemail', ${VOICEMAIL_PRIO}::int, u.voicemail_enabled)) s(type, prio, enabled)
    where u.id = ${pbxUserId}::bigint and s.enabled`
  await env.db.query(
    sql`delete from connect_telco_user_callflow
        where "user" = ${pbxUserId}::bigint and callflow_type not in (select type from (${wanted}) w)`,
  )
  await env.db.query(
    sql`insert into connect_telco_user_callflow ("user", callflow_type, prio, method)
        select ${pbxUserId}::bigint, w.type, w.prio, 'render_' || w.type from (${wanted}) w
        on conflict ("user", callflow_type) do update set prio = excluded.prio, method = excluded.method`,
  )
}
