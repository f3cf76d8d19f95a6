import { Type } from 'typebox'
import { sql } from '../../database/drizzle.ts'
import { idList } from '../../database/ids.ts'
import type { Env } from '../../platform/access/env.ts'
import { GROUP } from '../../platform/access/identity.ts'
import { char, datetime, integer, text } from '../../platform/model/fields.ts'
import { defineModel, method } from '../../platform/model/model.ts'
import { notifyChanged } from '../../platform/records/notify-changed.ts'
import { limitedRecords } from '../../platform/records/records.ts'
import { storedTime } from '../../time.ts'

/** `connect.inbox/replay {ids}`: a person asks for stored deliveries to be worked on again, whatever became of them. */
const replay = method({
  label: 'Try again',
  reply: Type.Object({ replayed: Type.Integer() }),
  operation: 'read',
  isAudited: true,
  groups: [GROUP.connectAdmin],
  async run(env, ids) {
    return { replayed: await queueAgain(env, ids) }
  },
})

/** `connect.inbox/replay_matching {domain}`: the same for all that fit, oldest first, so many at a time. */
const replayMatching = method({
  label: 'Try all again',
  operation: 'read',
  groups: [GROUP.connectAdmin],
  isAudited: true,
  args: Type.Object({ domain: Type.Array(Type.Unknown()) }),
  reply: Type.Object({ replayed: Type.Integer() }),
  async run(env, _ids, { domain }) {
    const ids = await limitedRecords(env, 'connect.inbox').search(domain, { order: 'id', limit: REPLAYED_MAX })
    return { replayed: await queueAgain(env, ids) }
  },
})

/** Stored deliveries that one call has worked on again. */
const REPLAYED_MAX = 1_000

/** Has stored deliveries worked on again, whatever became of them; how many there are. */
export async function queueAgain(env: Env, ids: readonly number[]): Promise<number> {
  if (ids.length === 0) return 0
  const rows = await env.db.query(
    sql`update connect_inbox set state = 'received', attempts = 0, error = null,
          next_attempt_at = ${storedTime(env.now)}::timestamp where id in (${idList(ids)}) returning id`,
  )
  await env.db.notify('connect_inbox', '')
  await notifyChanged(env, 'connect.inbox', ids)
  return rows.length
}

/** Deliveries that are stored before they are worked on. */
export const inboxModel = defineModel({
  name: 'connect.inbox',
  label: 'Inbox',
  comesWithDeliveries: true,
  isReadonly: true,
  order: 'id desc',
  display: { columns: ['id'], show: (row) => `Stored webhook ${row.id}` },
  fields: {
    key: char('Key', { help: 'Stored once, even when it arrives twice.' }),
    kind: char('Kind', { required: true, widget: 'program_name' }),
    state: char('State', {
      required: true,
      widget: 'program_name',
      help: 'Waiting, done, ignored, failed (retrying) or failed for good.',
    }),
    conversation: char('Conversation', { isIndexed: true }),
    payload: text('Webhook', { isHeavy: true }),
    media_ref: char('Stored audio'),
    received_at: datetime('Received', { required: true }),
    attempts: integer('Attempts', { required: true, default: 0 }),
    next_attempt_at: datetime('Next attempt'),
    error: text('Last error'),
  },
  indexes: [
    { columns: ['next_attempt_at'], where: "state in ('received', 'failed')" },
    { columns: ['state'] },
    { columns: ['received_at'], where: "state in ('done', 'ignored')" },
    { columns: ['key'], isUnique: true },
  ],
  retention: {
    since: 'received_at',
    age: ({ deliveryKeepDays }) => `${deliveryKeepDays} days`,
    where: "state in ('done', 'ignored')",
  },
  methods: { replay, replay_matching: replayMatching },
})
