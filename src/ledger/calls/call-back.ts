// Who waits to be called back: people who were missed or left a message, until somebody talks with them or says it is done.

import { type Static, Type } from 'typebox'
import { contactColumn } from '../../contacts/contact-sql.ts'
import { findContactsOfNumbers } from '../../contacts/find-by-number.ts'
import { type SQL, sql } from '../../database/drizzle.ts'
import { idList } from '../../database/ids.ts'
import { listed } from '../../database/listed.ts'
import { formsOfSubscriberSql, oneFormSql } from '../../database/number-plans-sql.ts'
import { param, statement } from '../../database/statement.ts'
import { Refusal } from '../../errors.ts'
import { mayAccess } from '../../platform/access/access.ts'
import type { Env } from '../../platform/access/env.ts'
import { method, type Row } from '../../platform/model/model.ts'
import { writerOf, writtenBy } from '../../platform/model/written-by.ts'
import { readForAll, readForAllSql, unreadForAll } from '../../platform/notices/notice.ts'
import { visibleSql } from '../../platform/records/domain.ts'
import { notifyChanged } from '../../platform/records/notify-changed.ts'
import { publishedTime, storedTime } from '../../time.ts'
import { NOT_TAKEN } from './call-outcome.ts'
import { hasIdentitySql } from './caller-identity.ts'

/** Anyone who waited longer has found another way. */
const WAIT_DAYS_MAX = 14
const MS_PER_DAY = 86_400_000
const ROWS_DEFAULT = 20
const ROWS_MAX = 100
/** Earlier calls of a number whose notices are read once somebody talks with it, newest first. */
const EARLIER_MAX = 20
/** Calls that are looked at to find them, newest first. */
const LOOKED_AT_MAX = 1_000

const REASONS = NOT_TAKEN.map((reason) => `'${reason}'`).join(', ')
/** Nobody took a call in which people were rung, or were asked for and have no phone, and an agent talked, before that or after. */
const NOBODY_TOOK = `outcome = 'agent' and (end_reason in (${REASONS}) or no_phone_rang)`
/** A call that nobody took, or that could not be answered, and that nobody has dealt with; the index of the model has the same condition. */
export const TO_CALL_BACK = `(outcome in ('missed', 'given_up', 'voicemail', 'failed') or ${NOBODY_TOOK}) and direction = 'incoming' and callback_done_at is null`
/** Two calls without an identity are calls of two people, however alike their callers look. */
const IS_SOMEBODY = hasIdentitySql(sql`c.caller`)
const FORMS = formsOfSubscriberSql(sql`c.caller`)
const ANSWERED = sql`l.outcome in ('agent', 'person', 'agent_person') and not ${putThroughInVain(sql`l`)}`
/** Somebody, or an agent, talked with that number later, in whichever form, no matter who called. */
export const ANSWERED_LATER = sql`(${IS_SOMEBODY} and (exists (select 1 from connect_call l where l.caller = any(${FORMS}) and l.id > c.id
      and ${ANSWERED})
    or exists (select 1 from connect_call l where l.called = any(${FORMS}) and l.id > c.id
      and ${ANSWERED} and ${isBeyondOwnPhone(sql`l`)})))`

/** A caller who talked with an agent after the phones had rung in vain got an answer. */
const STILL_WAITS = sql`(c.outcome <> 'agent' or ${putThroughInVain(sql`c`)})`

/** The notices of a call that was missed. */
const MISSED = { kind: 'missed', model: 'connect.call' } as const

const Link = Type.Union([Type.Tuple([Type.Integer(), Type.String()]), Type.Null()])
const Waiting = Type.Object({
  ids: Type.Array(Type.Integer(), { description: 'The calls, newest first.' }),
  number: Type.String({ description: 'Empty for a caller who withheld it: each such call waits for itself.' }),
  partner: Link,
  at: Type.String({ description: 'When the newest of them came in.' }),
  since: Type.String({ description: 'When the oldest of them came in.' }),
  outcome: Type.String({ description: 'Of the newest.' }),
  agent_not_reached: Type.Boolean({
    description: 'Whether the newest failed because its voice agent was not reached.',
  }),
  voicemail_seconds: Type.Union([Type.Integer(), Type.Null()]),
  calling: Type.Union([Type.Tuple([Type.Integer(), Type.String()]), Type.Null()], {
    description: 'Who of us is calling that number just now.',
  }),
  may_settle: Type.Boolean({ description: 'Whether you may say of all of them that it is done.' }),
})
const ListArgs = Type.Object({ limit: Type.Optional(Type.Integer({ minimum: 1, maximum: ROWS_MAX })) })

/** `connect.call/to_call_back {limit}`: numbers that wait, the longest wait first. */
export const toCallBack = method({
  label: 'Call back list',
  operation: 'read',
  args: ListArgs,
  reply: Type.Array(Waiting),
  run: list,
})

/** `connect.call/callback_done {ids}`: nobody needs to call back any more. */
export const callbackDone = method({
  label: 'Mark as called back',
  operation: 'write',
  reply: Type.Integer({ description: 'How many calls are done now.' }),
  run: markDone,
})

const UndoneArgs = Type.Object({
  by_anyone: Type.Optional(
    Type.Boolean({ description: 'Also what a colleague marked; otherwise only what you marked yourself.' }),
  ),
})

/** `connect.call/callback_undone {ids, by_anyone}`: takes it back, when it was the wrong one. */
export const callbackUndone = method({
  label: 'Not called back after all',
  operation: 'write',
  args: UndoneArgs,
  reply: Type.Integer({ description: 'How many calls wait again.' }),
  run: takeDoneBack,
})

interface Waits extends Omit<Static<typeof Waiting>, 'partner' | 'calling'> {
  partner: number | null
  partner_name: string | null
  calling: number | null
  calling_name: string | null
}

async function list(env: Env, _ids: number[], { limit = ROWS_DEFAULT }: Static<typeof ListArgs>) {
  const scope = { models: env.platform.models, identity: env.identity }
  const model = env.platform.models.get('connect.call')
  const visible = visibleSql(scope, model, 'c') ?? sql`true`
  const isOwn = visibleSql(scope, model, 'c', 'write') ?? sql`true`
  const settles = mayAccess(env.identity, model, 'write') ? sql`bool_and(coalesce(${isOwn}, false))` : sql`false`
  const since = publishedTime(new Date(env.now.getTime() - WAIT_DAYS_MAX * MS_PER_DAY))
  const rows = await env.db.query<Waits>(
    sql`select waits.*, caller.id as calling, caller.name as calling_name from (
        select array_agg(c.id order by c.id desc) as ids, coalesce(max(c.caller) filter (where ${IS_SOMEBODY}), '') as number, max(c.partner) as partner,
          ${contactColumn('name', sql`max(c.partner)`)} as partner_name,
          to_char(max(coalesce(c.started_at, c.create_date)), 'YYYY-MM-DD HH24:MI:SS') as at,
          to_char(min(coalesce(c.started_at, c.create_date)), 'YYYY-MM-DD HH24:MI:SS') as since,
          (array_agg(c.outcome order by c.id desc))[1] as outcome,
          (array_agg(c.outcome = 'failed' and c.voiceai_agent is not null and c.conversation_failed is not true order by c.id desc))[1] as agent_not_reached,
          (array_agg(c.voicemail_duration order by c.id desc))[1] as voicemail_seconds, ${settles} as may_settle
        from (select c.* from connect_call c where ${sql.raw(TO_CALL_BACK)} and c.create_date >= ${since}::timestamp
                and (${visible}) order by c.create_date desc, c.id desc limit ${LOOKED_AT_MAX}::int) c
        where not ${ANSWERED_LATER} and ${STILL_WAITS}
        group by case when ${IS_SOMEBODY} then ${oneFormSql(sql`c.caller`)} else 'call ' || c.id end order by min(c.id) limit ${limit}::int
      ) waits left join lateral (select u.id, u.name from connect_call l join res_users u on u.id = l.caller_user
          where waits.number <> '' and l.called = any(${formsOfSubscriberSql(sql`waits.number`)})
            and l.outcome = 'in_progress' and l.direction = 'outgoing' order by l.id desc limit 1) caller on true
      order by waits.ids[array_length(waits.ids, 1)]`,
  )
  const unnamed = rows.filter(({ partner, number }) => partner === null && number !== '').map(({ number }) => number)
  const savedSince = await findContactsOfNumbers(env.db, unnamed, env.settings.country)
  return rows.map(({ partner_name: name, calling_name: caller, ...row }) => ({
    ...row,
    calling: row.calling === null ? null : [row.calling, caller ?? ''],
    partner: row.partner === null ? (savedSince.get(row.number) ?? null) : [row.partner, name ?? ''],
  }))
}

/** Whether each of the calls waits to be called back. */
export async function needCallback(env: Env, rows: readonly Row[]): Promise<boolean[]> {
  const ids = rows.map(({ id }) => Number(id))
  if (ids.length === 0) return []
  const waiting = await env.db.query<{ id: number }>(
    sql`select c.id from connect_call c where c.id in (${idList(ids)}) and ${sql.raw(TO_CALL_BACK)} and not ${ANSWERED_LATER} and ${STILL_WAITS}`,
  )
  const found = new Set(waiting.map(({ id }) => id))
  return ids.map((id) => found.has(id))
}

/** Whether the agent of each of the calls put the caller through to people, of whom nobody took the call. */
export async function notTakenOver(env: Env, rows: readonly Row[]): Promise<boolean[]> {
  const ids = rows.flatMap(({ id, outcome, end_reason: why, no_phone_rang: hasNoPhone }) =>
    outcome === 'agent' && (hasNoPhone === true || NOT_TAKEN.some((each) => each === why)) ? [Number(id)] : [],
  )
  if (ids.length === 0) return rows.map(() => false)
  const found = await env.db.query<{ id: number }>(
    sql`select c.id from connect_call c where c.id in (${idList(ids)}) and ${putThroughInVain(sql`c`)}`,
  )
  const inVain = new Set(found.map(({ id }) => id))
  return rows.map(({ id }) => inVain.has(Number(id)))
}

async function markDone(env: Env, ids: number[]): Promise<number> {
  if (ids.length === 0) throw new Refusal('refused', 'api-argument-ids-names-no-record')
  const at = publishedTime(env.now)
  const done = await env.db.query<{ id: number }>(
    sql`update connect_call c set callback_done_at = ${at}::timestamp,
          callback_done_by = (select u.id from res_users u where u.id = ${env.identity.userId}::bigint),
          ${writtenBy(writerOf(env))}
        where c.id in (${idList(ids)}) and ${sql.raw(TO_CALL_BACK)} returning c.id`,
  )
  await readForAll(env, { ...MISSED, ids: done.map(({ id }) => id), at })
  return tellChanged(env, done)
}

/** Calls that were marked in the same second had their notices read in it; those are new again. */
async function takeDoneBack(
  env: Env,
  ids: number[],
  { by_anyone: isAnyones = false }: Static<typeof UndoneArgs>,
): Promise<number> {
  if (ids.length === 0) throw new Refusal('refused', 'api-argument-ids-names-no-record')
  const isOwn = sql`c.callback_done_by is not distinct from (select u.id from res_users u where u.id = ${env.identity.userId}::bigint)`
  const waiting = await env.db.query<{ id: number; at: string }>(
    sql`update connect_call c set callback_done_at = null, callback_done_by = null, ${writtenBy(writerOf(env))}
        from (select c.id, c.callback_done_at as at from connect_call c where c.id in (${idList(ids)})
                and c.callback_done_at is not null and (${isAnyones} or ${isOwn}) for update) was
        where c.id = was.id returning c.id, was.at::text as at`,
  )
  for (const [at, rows] of Map.groupBy(waiting, (row) => row.at)) {
    await unreadForAll(env, { ...MISSED, ids: rows.map(({ id }) => id), at })
  }
  return tellChanged(env, waiting)
}

const OTHER = sql`(case when l.direction = 'outgoing' then l.called else l.caller end)`
const READ_MISSED = statement<never, { calls: readonly number[]; at: string }>(
  'calls_missed_read',
  readForAllSql({
    ...MISSED,
    ids: sql`select earlier.id from connect_call l cross join lateral unnest(${formsOfSubscriberSql(OTHER)}) form
        cross join lateral (select c.id from connect_call c where c.caller = form and c.id < l.id
          order by c.id desc limit ${sql.raw(String(EARLIER_MAX))}) earlier
      where l.id in ${listed('calls', 'bigint')} and ${ANSWERED} and ${isBeyondOwnPhone(sql`l`)} and ${hasIdentitySql(OTHER)}`,
    at: sql`${param('at')}`,
  }),
)

/** Once somebody has talked with a number, everybody has read that they missed it before. */
export function readMissedBefore(env: Env, calls: readonly number[]): void {
  if (calls.length > 0) env.db.send(READ_MISSED, { calls, at: storedTime(env.now) })
}

/** The agent talked with the caller, then put them through to people, of whom nobody took the call or no phone rings. */
export function putThroughInVain(call: SQL): SQL {
  return sql`(${call}.outcome = 'agent' and (${call}.no_phone_rang is true or coalesce(${call}.end_reason, '') in (${sql.raw(REASONS)})
    and exists (select 1 from connect_channel rung where rung.call = ${call}.id and rung.parent_sid is not null
      and rung.started_at > coalesce(${call}.conversation_started_at, ${call}.answered_at))))`
}

/** Not only the own phone of the person who clicked to call was answered: until the number is dialled, nobody talked with it. */
export function isBeyondOwnPhone(call: SQL): SQL {
  return sql`(${call}.answered_user is null or ${call}.answered_user is distinct from ${call}.caller_user)`
}

async function tellChanged(env: Env, rows: readonly { id: number }[]): Promise<number> {
  const changed = rows.map(({ id }) => id)
  if (changed.length > 0) await notifyChanged(env, 'connect.call', changed)
  return changed.length
}
