import type { Queryable } from '../database/database.ts'
import { sql } from '../database/drizzle.ts'
import { param, statement } from '../database/statement.ts'
import type { Env } from '../platform/env.ts'
import type { CallFacts } from './call-state.ts'

/** What of a kept call the ledger goes on with. */
export interface KeptCall {
  id: number
  partner: number | null
  register_note: number | null
  missed_note: number | null
  isNew: boolean
}

const FIELDS = sql`caller = ${param('caller')}, called = ${param('called')}, direction = ${param('direction')},
  call_type = ${param('call_type')}, status = ${param('status')}, duration = ${param('duration')}::int,
  partner = coalesce(partner, ${param('partner')}::int),
  caller_pbx_user = coalesce(${param('caller_pbx')}::int, caller_pbx_user),
  caller_user = coalesce((select "user" from connect_user where id = ${param('caller_pbx')}::int), caller_user),
  answered_pbx_user = ${param('answered_pbx')}::int,
  answered_user = (select "user" from connect_user where id = ${param('answered_pbx')}::int),
  has_error = ${param('has_error')}::bool or coalesce(has_error, false),
  error_code = coalesce(${param('error_code')}, error_code), error_message = coalesce(${param('error_message')}, error_message),
  write_date = now() at time zone 'utc'`

const UPDATE = statement<Omit<KeptCall, 'isNew'>, Record<string, unknown>>(
  'call_keep',
  sql`update connect_call set ${FIELDS} where id = ${param('id')} returning id, partner, register_note, missed_note`,
)
const INSERT = statement<Omit<KeptCall, 'isNew'>, Record<string, unknown>>(
  'call_begin',
  sql`insert into connect_call (caller, called, direction, call_type, status, duration, partner, caller_pbx_user,
        caller_user, answered_pbx_user, answered_user, has_error, error_code, error_message, call_sid, create_uid)
      values (${param('caller')}, ${param('called')}, ${param('direction')}, ${param('call_type')}, ${param('status')},
        ${param('duration')}::int, ${param('partner')}::int, ${param('caller_pbx')}::int,
        (select "user" from connect_user where id = ${param('caller_pbx')}::int), ${param('answered_pbx')}::int,
        (select "user" from connect_user where id = ${param('answered_pbx')}::int), ${param('has_error')}::bool,
        ${param('error_code')}, ${param('error_message')}, ${param('root_sid')}, ${param('create_uid')}::int)
      returning id, partner, register_note, missed_note`,
)
// A conversation that was reported before telephony said anything of its call has a call already.
const FIND_BY_SID = statement<{ id: number }, { sid: string }>(
  'call_by_sid',
  sql`select id from connect_call where call_sid = ${param('sid')} order by id limit 1`,
)
const LINK_LEGS = statement<never, { call: number; sids: readonly string[] }>(
  'legs_link',
  sql`update connect_channel l set call = ${param('call')}::int,
        parent_channel = (select p.id from connect_channel p where p.sid = l.parent_sid)
      where l.sid = any(${param('sids')}::text[])`,
)
const ADD_CALLED = statement<never, { call: number; users: readonly number[] }>(
  'call_add_called',
  sql`with pbx as (
        insert into connect_call_called_pbx_users_rel (call_id, pbx_user_id)
        select ${param('call')}::int, id from connect_user where id = any(${param('users')}::int[]) on conflict do nothing
      )
      insert into connect_call_called_users_rel (call_id, user_id)
      select ${param('call')}::int, "user" from connect_user where id = any(${param('users')}::int[]) on conflict do nothing`,
)

/** Writes a call as its legs say it is now; `id` is the call they already have. */
export async function keepCall(
  env: Env,
  facts: CallFacts,
  { id, partnerId }: { id: number | undefined; partnerId: number | undefined },
): Promise<KeptCall> {
  const values = {
    caller: facts.caller,
    called: facts.called,
    direction: facts.direction,
    call_type: facts.callType,
    status: facts.status,
    duration: facts.duration,
    partner: partnerId ?? null,
    caller_pbx: facts.callerUserId ?? null,
    answered_pbx: facts.answeredUserId ?? null,
    has_error: facts.hasError,
    error_code: facts.hasError ? facts.errorCode : null,
    error_message: facts.hasError ? facts.errorMessage : null,
  }
  const known = id ?? (await findBySid(env.db, facts.rootSid))
  const [call] =
    known === undefined
      ? await env.db.run(INSERT, { ...values, root_sid: facts.rootSid, create_uid: env.identity.userId })
      : await env.db.run(UPDATE, { ...values, id: known })
  if (call === undefined) throw new Error('the call was not kept')
  if (facts.calledUserIds.length > 0) await env.db.run(ADD_CALLED, { call: call.id, users: facts.calledUserIds })
  return { ...call, isNew: known === undefined }
}

/** Makes legs, and the links to their parents, part of a call. */
export async function linkLegs(db: Queryable, callId: number, sids: readonly string[]): Promise<void> {
  await db.run(LINK_LEGS, { call: callId, sids })
}

/** Makes one call of two that turned out to be one: everything of `from` belongs to `into` then. */
export async function mergeCalls(db: Queryable, from: number, into: number): Promise<void> {
  await db.query(sql`update connect_recording set call = ${into}::int where call = ${from}::int`)
  await db.query(
    sql`with gone as (delete from connect_call where id = ${from}::int returning *)
        update connect_call c set ticket = coalesce(c.ticket, gone.ticket), partner = coalesce(c.partner, gone.partner),
          voiceai_agent = coalesce(c.voiceai_agent, gone.voiceai_agent),
          voicemail_url = coalesce(c.voicemail_url, gone.voicemail_url),
          voicemail_duration = coalesce(c.voicemail_duration, gone.voicemail_duration)
        from gone where c.id = ${into}::int`,
  )
}

async function findBySid(db: Queryable, sid: string): Promise<number | undefined> {
  const [call] = await db.run(FIND_BY_SID, { sid })
  return call?.id
}
