import { sql } from '../../database/drizzle.ts'
import { param, statement } from '../../database/statement.ts'
import { phoneUsersWithIds } from '../../directory/phone-users.ts'
import type { Env } from '../../platform/access/env.ts'
import { deletePosts, movePosts } from '../../platform/chatter/chatter.ts'
import type { RowOf } from '../../platform/model/model.ts'
import { columnsOf, insert, type ParamsOf } from '../../platform/model/statements.ts'
import { notifyChanged, notifyGone } from '../../platform/records/notify-changed.ts'
import { storedTime } from '../../time.ts'
import { moveRecordings } from '../recordings/recording-updates.ts'
import { callModel } from './call.ts'
import type { CallFacts } from './call-state.ts'

const RETURNED = ['id', 'partner', 'register_note', 'missed_note'] as const
/** What of a saved call the ledger goes on with. */
export type SavedCall = RowOf<typeof callModel, (typeof RETURNED)[number]>

const FROM_LEGS = [
  ...(['caller', 'called', 'direction', 'call_type', 'status', 'duration', 'partner', 'caller_pbx_user'] as const),
  ...(['caller_user', 'answered_pbx_user', 'answered_user', 'has_error', 'error_code', 'error_message'] as const),
  ...(['legs_outcome', 'legs_strip', 'started_at', 'answered_at', 'ended_at', 'end_reason'] as const),
] as const
/** The columns of a call that its legs say. */
type CallColumns = ParamsOf<typeof callModel, (typeof FROM_LEGS)[number]>

// The contact is that of the leg whose outside number speaks for the call, unless somebody gave the call another one.
const UPDATE = statement<SavedCall, CallColumns & { id: number; leg_partners: readonly number[] }>(
  'call_update',
  sql`update connect_call set caller = ${param('caller')}, called = ${param('called')}, direction = ${param('direction')},
        call_type = ${param('call_type')}, status = ${param('status')}, duration = ${param('duration')}::int,
        partner = case when partner is null or partner = any(${param('leg_partners')}::bigint[])
          then coalesce(${param('partner')}::bigint, partner) else partner end,
        caller_pbx_user = coalesce(${param('caller_pbx_user')}::bigint, caller_pbx_user),
        caller_user = coalesce(${param('caller_user')}::bigint, caller_user),
        answered_pbx_user = ${param('answered_pbx_user')}::bigint, answered_user = ${param('answered_user')}::bigint,
        has_error = ${param('has_error')}::bool or coalesce(has_error, false),
        error_code = coalesce(${param('error_code')}, error_code),
        error_message = coalesce(${param('error_message')}, error_message),
        legs_outcome = ${param('legs_outcome')}, legs_strip = ${param('legs_strip')}::jsonb,
        started_at = ${param('started_at')}::timestamp, ended_at = ${param('ended_at')}::timestamp,
        answered_at = least(${param('answered_at')}::timestamp, conversation_started_at),
        end_reason = ${param('end_reason')}, write_date = now() at time zone 'utc'
      where id = ${param('id')} returning ${columnsOf(callModel, RETURNED)}`,
)
// A conversation that was reported before telephony said anything of its call has a call already: then no row comes back.
const INSERT = insert(callModel, {
  name: 'call_insert',
  columns: [...FROM_LEGS, 'call_sid', 'create_uid'],
  when: sql`not exists (select 1 from connect_call where call_sid = ${param('call_sid')}::text)`,
  returning: RETURNED,
})
const FIND_BY_SID = statement<{ id: number }, { sid: string }>(
  'call_by_sid',
  sql`select id from connect_call where call_sid = ${param('sid')} order by id limit 1`,
)
const ADD_CALLED = statement<never, { call: number; users: readonly number[] }>(
  'call_add_called',
  sql`with users as (${phoneUsersWithIds(param('users'))}), pbx as (
        insert into connect_call_called_pbx_users_rel (call_id, pbx_user_id)
        select ${param('call')}::bigint, id from users on conflict do nothing
      )
      insert into connect_call_called_users_rel (call_id, user_id)
      select ${param('call')}::bigint, login from users on conflict do nothing`,
)

/** The call was removed, or became part of another one, after it was read: the transaction has to begin again. */
class CallGoneError extends Error {
  /** What the database itself says when it asks for that. */
  readonly code = '40001'
  override readonly name = 'CallGoneError'

  constructor() {
    super('the call is not there any more')
  }
}

/** What a call is saved with beside the facts of its legs. */
interface CallLinks {
  /** The call that the legs have. */
  readonly id: number | undefined
  readonly partnerId: number | undefined
  /** Contacts of all legs. */
  readonly ofLegs: readonly number[]
  readonly loginOf: (pbxUserId: number | undefined) => number | null
}

/** Writes a call as its legs say it is now. */
export async function saveCall(env: Env, facts: CallFacts, links: CallLinks): Promise<SavedCall> {
  const values: CallColumns = {
    caller: facts.caller,
    called: facts.called,
    direction: facts.direction,
    call_type: facts.callType,
    status: facts.status,
    duration: facts.duration,
    partner: links.partnerId ?? null,
    caller_pbx_user: facts.callerUserId ?? null,
    caller_user: links.loginOf(facts.callerUserId),
    answered_pbx_user: facts.answeredUserId ?? null,
    answered_user: links.loginOf(facts.answeredUserId),
    has_error: facts.hasError,
    error_code: facts.hasError ? facts.errorCode : null,
    error_message: facts.hasError ? facts.errorMessage || null : null,
    legs_outcome: facts.legsOutcome,
    legs_strip: JSON.stringify(facts.strip),
    started_at: timeOf(facts.startedAtMs),
    answered_at: timeOf(facts.answeredAtMs),
    ended_at: timeOf(facts.endedAtMs),
    end_reason: facts.endReason ?? null,
  }
  const begin = { ...values, call_sid: facts.rootSid, create_uid: env.identity.userId }
  const [begun] = links.id === undefined ? await env.db.run(INSERT, begin) : []
  const call = begun ?? (await update(env, values, { ...links, rootSid: facts.rootSid }))
  if (facts.calledUserIds.length > 0) env.db.send(ADD_CALLED, { call: call.id, users: facts.calledUserIds })
  return call
}

function timeOf(ms: number | undefined): string | null {
  return ms === undefined ? null : storedTime(new Date(ms))
}

async function update(
  { db }: Env,
  values: CallColumns,
  { id, rootSid, ofLegs }: CallLinks & { rootSid: string },
): Promise<SavedCall> {
  const [known] = id === undefined ? await db.run(FIND_BY_SID, { sid: rootSid }) : [{ id }]
  const [call] = known === undefined ? [] : await db.run(UPDATE, { ...values, leg_partners: ofLegs, id: known.id })
  if (call === undefined) throw new CallGoneError()
  return call
}

/** Makes one call of two that turned out to be one: everything of `from`, but for its legs, belongs to `into` then. */
export async function mergeCalls(env: Env, from: number, into: number): Promise<void> {
  await moveRecordings(env.db, { from, into })
  await movePosts(env, 'connect.call', { from, into })
  // What was posted about both is posted once.
  const posts = await env.db.query<{ id: number | null }>(
    sql`select unnest(array[case when i.register_note is not null then f.register_note end,
          case when i.missed_note is not null then f.missed_note end]) as id
        from connect_call f, connect_call i where f.id = ${from}::bigint and i.id = ${into}::bigint`,
  )
  await deletePosts(
    env,
    posts.map(({ id }) => id).filter((id) => id !== null),
  )
  const saved = ['partner', 'ticket', 'voiceai_agent', 'voiceai_conversation_id', 'voiceai_summary', 'summary']
  const more = [
    'voicemail_url',
    'voicemail_duration',
    'register_note',
    'missed_note',
    'conversation_started_at',
    'conversation_seconds',
  ]
  const fields = [...saved, ...more].map((name) => {
    const column = sql.identifier(name)
    return sql`${column} = coalesce(c.${column}, gone.${column})`
  })
  await env.db.query(
    sql`with gone as (delete from connect_call where id = ${from}::bigint returning *)
        update connect_call c set ${sql.join(fields, sql`, `)} from gone where c.id = ${into}::bigint`,
  )
  await notifyGone(env, 'connect.call', [from])
  await notifyChanged(env, 'connect.call', [into])
}
