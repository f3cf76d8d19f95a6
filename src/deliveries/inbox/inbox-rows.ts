import { sql } from '../../database/drizzle.ts'
import { limitOfRows, listed } from '../../database/listed.ts'
import { param, statement } from '../../database/statement.ts'
import type { RowOf } from '../../platform/model/model.ts'
import { insertMany } from '../../platform/model/statements.ts'
import { notifyAllChangedSql, notifyChangedSql } from '../../platform/records/notify-changed.ts'
import { inboxModel } from './inbox-model.ts'

/** Open pages see what became of a stored delivery. */
const NOTIFIED = sql`returning ${notifyChangedSql(inboxModel.name, sql`id`)}`
/** Deliveries one look takes. */
const DUE_MAX = 100

export type StoredRow = RowOf<typeof inboxModel, 'id' | 'kind' | 'conversation' | 'payload' | 'media_ref'>

/** Rows whose key is there already are left out: they are the same deliveries, stored before. */
export const INSERT = insertMany(inboxModel, {
  name: 'inbox_insert',
  columns: [
    ...(['key', 'kind', 'state', 'conversation', 'payload', 'media_ref'] as const),
    ...(['received_at', 'attempts', 'next_attempt_at'] as const),
  ],
  once: 'key',
  returning: ['id', 'key'],
})
/** Those of them that wait and that nobody else works on. */
export const CLAIM = statement<StoredRow, { ids: readonly number[] }>(
  'inbox_claim',
  sql`select id, kind, conversation, payload, media_ref from connect_inbox
      where id in ${listed('ids', 'bigint')} and state in ('received', 'failed') order by id for update skip locked`,
)
export const FINISH = statement<never, { ids: readonly number[]; states: readonly string[] }>(
  'inbox_finish',
  sql`with finished as (
      update connect_inbox i set state = ended.state, attempts = attempts + 1, error = null, next_attempt_at = null
      from (select * from unnest(${param('ids')}::bigint[], ${param('states')}::text[]) as each (id, state)
        ${limitOfRows()}) as ended where i.id = ended.id
      returning i.id, null::bigint as call)
    ${notifyAllChangedSql(inboxModel.name, sql`finished`)}`,
)
/** The same for deliveries that were stored before, by their keys, unless somebody works on them. */
export const FINISH_STORED = statement<
  Pick<StoredRow, 'id'> & { key: string },
  { keys: readonly string[]; states: readonly string[] }
>(
  'inbox_finish_stored',
  sql`with waiting as (
      select i.id, ended.state from unnest(${param('keys')}::text[], ${param('states')}::text[]) as ended (key, state)
      join connect_inbox i on i.key = ended.key
      where i.state in ('received', 'failed') order by i.id for update of i skip locked)
    update connect_inbox i set state = waiting.state, attempts = attempts + 1, error = null, next_attempt_at = null
    from waiting where i.id = waiting.id returning i.id, i.key`,
)
export const ATTEMPTS = statement<{ attempts: number; kind: string }, { id: number }>(
  'inbox_attempts',
  sql`select attempts, kind from connect_inbox where id = ${param('id')}`,
)
export const FAIL = statement<never, { id: number; state: string; error: string; next: string | null }>(
  'inbox_fail',
  sql`update connect_inbox set state = ${param('state')}, attempts = attempts + 1, error = ${param('error')},
        next_attempt_at = ${param('next')}::timestamp where id = ${param('id')} and state in ('received', 'failed') ${NOTIFIED}`,
)
/** The attempt was no attempt: a place was at fault. */
export const PUT_OFF = statement<never, { id: number; error: string; next: string }>(
  'inbox_put_off',
  sql`update connect_inbox set error = ${param('error')}, next_attempt_at = ${param('next')}::timestamp
      where id = ${param('id')} and state in ('received', 'failed') ${NOTIFIED}`,
)
/** Without the kinds that wait for a place: they may be many, and stand before all others. */
export const DUE = statement<Pick<StoredRow, 'id' | 'kind'>, { now: string; without: readonly string[] }>(
  'inbox_due',
  sql`select id, kind from connect_inbox where state in ('received', 'failed') and next_attempt_at <= ${param('now')}::timestamp
        and kind not in ${listed('without', 'text')}
      order by next_attempt_at, id limit ${sql.raw(String(DUE_MAX))}`,
)
export const WAITING = statement<{ count: number; oldest: string | null }>(
  'inbox_waiting',
  sql`select count(*)::int as count, min(received_at) as oldest from connect_inbox where state in ('received', 'failed')`,
)
