import { contactColumn } from '../../contacts/contact-sql.ts'
import { type SQL, sql } from '../../database/drizzle.ts'
import { listed } from '../../database/listed.ts'
import { param, statement } from '../../database/statement.ts'
import { phoneUsersWithIds } from '../../directory/phone-users.ts'
import type { Env } from '../../platform/access/env.ts'
import { deletePosts, movePosts } from '../../platform/chatter/chatter.ts'
import { type GivenRows, givenRows } from '../../platform/model/given-rows.ts'
import type { RowOf } from '../../platform/model/model.ts'
import { columnsOf, type ParamsOf } from '../../platform/model/statements.ts'
import { writerOf, writtenBy } from '../../platform/model/written-by.ts'
import { notifyChanged, notifyGone } from '../../platform/records/notify-changed.ts'
import { storedTimeOf } from '../../time.ts'
import { moveRecordings } from '../recordings/recording-updates.ts'
import { callModel } from './call.ts'
import type { CallFacts } from './call-state.ts'
import { withoutNames } from './call-updates.ts'
import { erasedOf, forgetLate } from './erased-calls.ts'

const RETURNED = ['id', 'partner', 'register_note', 'missed_note', 'erased_at'] as const
/** What of a saved call the ledger goes on with. */
export interface SavedCall extends RowOf<typeof callModel, (typeof RETURNED)[number]> {
  /** The name of its contact. */
  contact: string | null
}

const FROM_LEGS = [
  ...(['caller', 'called', 'direction', 'call_type', 'status', 'duration', 'partner', 'caller_pbx_user'] as const),
  ...(['caller_user', 'answered_pbx_user', 'answered_user', 'has_error', 'error_code', 'error_message'] as const),
  ...(['legs_outcome', 'legs_strip', 'started_at', 'answered_at', 'ended_at', 'end_reason'] as const),
  ...(['talked_until', 'caller_name', 'stir_verstat', 'forwarded_from'] as const),
] as const
const BEGUN = [...FROM_LEGS, 'call_sid', 'create_uid'] as const
/** The columns of a call that its legs say. */
type CallColumns = ParamsOf<typeof callModel, (typeof FROM_LEGS)[number]>

// Anyone who was erased is not named again by a late report; legs that name nobody any more say less of a call that was over.
const SAYS_WHO = sql`c.erased_at is null`
const SAYS_HOW = sql`(c.erased_at is null or c.ended_at is null)`

const PARTNER = sql`case when not ${SAYS_WHO} then null when c.partner is null or c.partner = any(r.leg_partners)
  then coalesce(r.partner, c.partner) else c.partner end`

// Who is to be called is known from the person who clicked to call, until a leg says it.
const CALLED = sql`case when ${SAYS_WHO} and not (r.is_before_dial and c.called is not null) then r.called else c.called end`

// When our own answer connected an agent, of a call that goes on: afterwards its conversation says when it was answered.
const HANDED_OVER = sql`case when r.legs_outcome = 'in_progress' and not r.has_agent_leg and c.voiceai_agent is not null
  then c.answered_at end`

const CONTACT = sql`${contactColumn('name', sql`c.partner`)} as contact`

// The contact is that of the leg whose outside number speaks for the call, unless somebody gave the call another one.
const UPDATE = statement<SavedCall, GivenRows>(
  'calls_update',
  sql`update connect_call c set caller = ${given('caller', SAYS_WHO)}, called = ${CALLED},
        direction = ${given('direction', SAYS_WHO)}, call_type = r.call_type,
        status = r.status, duration = r.duration,
        partner = ${PARTNER},
        caller_pbx_user = coalesce(r.caller_pbx_user, c.caller_pbx_user),
        caller_user = coalesce(r.caller_user, c.caller_user),
        answered_pbx_user = ${given('answered_pbx_user', SAYS_HOW)}, answered_user = ${given('answered_user', SAYS_HOW)},
        has_error = r.has_error or coalesce(c.has_error, false),
        error_code = coalesce(r.error_code, c.error_code), error_message = coalesce(r.error_message, c.error_message),
        legs_outcome = ${given('legs_outcome', SAYS_HOW)},
        legs_strip = case when ${SAYS_WHO} then r.legs_strip when ${SAYS_HOW} then ${withoutNames(sql`r.legs_strip`)}
          else c.legs_strip end, started_at = r.started_at, ended_at = r.ended_at,
        answered_at = least(r.answered_at, c.conversation_started_at, ${HANDED_OVER}), end_reason = ${given('end_reason', SAYS_HOW)},
        talked_until = ${given('talked_until', SAYS_HOW)},
        caller_name = case when ${SAYS_WHO} then coalesce(r.caller_name, c.caller_name) end,
        stir_verstat = coalesce(r.stir_verstat, c.stir_verstat),
        forwarded_from = case when ${SAYS_WHO} then coalesce(r.forwarded_from, c.forwarded_from) end,
        ${writtenBy(sql`r.create_uid`)}
      from ${givenRows(callModel, [...FROM_LEGS, 'create_uid'], { id: 'bigint', leg_partners: 'bigint[]', has_agent_leg: 'bool', is_before_dial: 'bool' })}
      where c.id = r.id returning ${columnsOf(callModel, RETURNED, 'c')}, ${CONTACT}`,
)
// A conversation that was reported before telephony said anything of its call has a call already: then no row comes back.
// Whether it is known is asked of each row by the index, however many rows the planner expects.
const INSERT = statement<SavedCall & { call_sid: string }, GivenRows>(
  'calls_insert',
  sql`insert into connect_call as c (${columnsOf(callModel, BEGUN)}, write_uid)
      select ${columnsOf(callModel, BEGUN, 'r')}, r.create_uid
      from ${givenRows(callModel, BEGUN)}
      where (select known.id from connect_call known where known.call_sid = r.call_sid limit 1) is null
      returning ${columnsOf(callModel, [...RETURNED, 'call_sid'], 'c')}, ${CONTACT}`,
)
const FIND_BY_SID = statement<{ id: number; call_sid: string }, { sids: readonly string[] }>(
  'calls_by_sid',
  sql`select min(id) as id, call_sid from connect_call c where call_sid in ${listed('sids', 'text')}
      group by call_sid`,
)
const ADD_CALLED = statement<never, { calls: readonly number[]; users: readonly number[] }>(
  'calls_add_called',
  sql`with called as (
        select w.call, u.id, u.login from unnest(${param('calls')}::bigint[], ${param('users')}::bigint[]) as w (call, "user")
        join (${phoneUsersWithIds(param('users'))}) u on u.id = w."user"
      ), pbx as (
        insert into connect_call_called_pbx_users_rel (call_id, pbx_user_id) select call, id from called on conflict do nothing
      )
      insert into connect_call_called_users_rel (call_id, user_id) select call, login from called on conflict do nothing`,
)

/** What the legs say now where that counts, else what the call says. */
function given(column: (typeof FROM_LEGS)[number], when: SQL): SQL {
  const name = sql.identifier(column)
  return sql`case when ${when} then r.${name} else c.${name} end`
}

/** The call was removed, or became part of another one, after it was read: the transaction has to begin again. */
class CallGoneError extends Error {
  /** That of a serialization failure. */
  readonly code = '40001'
  override readonly name = 'CallGoneError'

  constructor() {
    super('the call is not there any more')
  }
}

/** What a call is saved with beside the facts of its legs. */
interface CallToSave {
  readonly facts: CallFacts
  /** The call that the legs have. */
  readonly id: number | undefined
  readonly partnerId: number | undefined
  /** Contacts of all legs. */
  readonly ofLegs: readonly number[]
}

type LoginOf = (pbxUserId: number | undefined) => number | null

/** Writes calls as their legs say they are now, each of which has another first leg; answers in the same order. */
export async function saveCalls(env: Env, calls: readonly CallToSave[], loginOf: LoginOf): Promise<SavedCall[]> {
  const begun = await begin(
    env,
    calls.filter(({ id }) => id === undefined),
    loginOf,
  )
  const known = calls.filter(({ facts }) => !begun.has(facts.rootSid))
  const saved = new Map([...begun, ...(await update(env, known, loginOf))])
  const result = calls.map(({ facts }) => {
    const call = saved.get(facts.rootSid)
    if (call === undefined) throw new CallGoneError()
    return call
  })
  const called = calls.flatMap(({ facts }, at) =>
    facts.calledUserIds.map((user) => ({ call: result[at]?.id ?? 0, user })),
  )
  if (called.length > 0) addCalled(env, called)
  return result
}

/** These phone users were called in these calls, whether or not a phone of theirs rang. */
export function addCalled({ db }: Pick<Env, 'db'>, called: readonly { call: number; user: number }[]): void {
  db.send(ADD_CALLED, { calls: called.map(({ call }) => call), users: called.map(({ user }) => user) })
}

/** In a list of rows the strip is a value, not its text. */
type RowOfCall = Omit<CallColumns, 'legs_strip'> & { legs_strip: CallFacts['strip'] }

function columnsOfCall({ facts, partnerId }: CallToSave, loginOf: LoginOf): RowOfCall {
  return {
    caller: facts.caller,
    called: facts.called,
    direction: facts.direction,
    call_type: facts.callType,
    status: facts.status,
    duration: facts.duration,
    partner: partnerId ?? null,
    caller_pbx_user: facts.callerUserId ?? null,
    caller_user: loginOf(facts.callerUserId),
    answered_pbx_user: facts.answeredUserId ?? null,
    answered_user: loginOf(facts.answeredUserId),
    has_error: facts.hasError,
    error_code: facts.hasError ? facts.errorCode : null,
    error_message: facts.hasError ? facts.errorMessage || null : null,
    legs_outcome: facts.legsOutcome,
    started_at: storedTimeOf(facts.startedAtMs),
    answered_at: storedTimeOf(facts.answeredAtMs),
    ended_at: storedTimeOf(facts.endedAtMs),
    end_reason: facts.endReason ?? null,
    talked_until: storedTimeOf(facts.talkedUntilMs),
    caller_name: facts.callerName || null,
    stir_verstat: facts.stirVerstat || null,
    forwarded_from: facts.forwardedFrom || null,
    legs_strip: facts.strip,
  }
}

/** Calls that are new, by the sid of their first leg. */
async function begin(
  { db, identity }: Env,
  calls: readonly CallToSave[],
  loginOf: LoginOf,
): Promise<Map<string, SavedCall>> {
  if (calls.length === 0) return new Map()
  const rows = calls.map((call) => ({
    ...columnsOfCall(call, loginOf),
    call_sid: call.facts.rootSid,
    create_uid: identity.userId,
  }))
  const begun = await db.run(INSERT, { rows })
  return new Map(begun.map(({ call_sid: sid, ...call }) => [sid, call]))
}

/** Calls that are there, by the sid of their first leg. */
async function update(
  { db, identity }: Env,
  calls: readonly CallToSave[],
  loginOf: LoginOf,
): Promise<Map<string, SavedCall>> {
  if (calls.length === 0) return new Map()
  const sids = calls.filter(({ id }) => id === undefined).map(({ facts }) => facts.rootSid)
  const found = sids.length === 0 ? [] : await db.run(FIND_BY_SID, { sids })
  const idOfSid = new Map(found.map(({ id, call_sid: sid }) => [sid, id]))
  const sidOf = new Map<number, string>()
  const rows = calls.flatMap((call) => {
    const id = call.id ?? idOfSid.get(call.facts.rootSid)
    if (id === undefined) return []
    sidOf.set(id, call.facts.rootSid)
    const { hasAgentLeg, isBeforeDial } = call.facts
    const row = { ...columnsOfCall(call, loginOf), id, leg_partners: call.ofLegs, has_agent_leg: hasAgentLeg }
    return [{ ...row, is_before_dial: isBeforeDial, create_uid: identity.userId }]
  })
  // In the order of their ids, as others write several calls too.
  const inOrder = rows.toSorted((a, b) => a.id - b.id)
  const updated = rows.length === 0 ? [] : await db.run(UPDATE, { rows: inOrder })
  return new Map(updated.map((call) => [sidOf.get(call.id) ?? '', call]))
}

/** Whom the routing named, and no leg, would go with their call. */
async function moveCalled({ db }: Env, { from, into }: { from: number; into: number }): Promise<void> {
  await db.query(sql`insert into connect_call_called_users_rel (call_id, user_id)
    select ${into}::bigint, user_id from connect_call_called_users_rel where call_id = ${from}::bigint on conflict do nothing`)
  await db.query(sql`insert into connect_call_called_pbx_users_rel (call_id, pbx_user_id)
    select ${into}::bigint, pbx_user_id from connect_call_called_pbx_users_rel where call_id = ${from}::bigint
    on conflict do nothing`)
}

/** Makes one call of two that turned out to be one: everything of `from`, but for its legs, belongs to `into` then. */
export async function mergeCalls(env: Env, from: number, into: number): Promise<void> {
  await moveRecordings(env, { from, into })
  await movePosts(env, 'connect.call', { from, into })
  await moveCalled(env, { from, into })
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
    'voicemail_at',
    'register_note',
    'missed_note',
    'conversation_started_at',
    'conversation_seconds',
    'conversation_end',
    'conversation_error',
    'conversation_result',
    'conversation_failed',
    'ai_announcement',
    'erased_at',
    'nobody_spoke',
    'no_phone_rang',
    'conversation_criteria',
    'conversation_data',
    'conversation_cost',
    'conversation_cost_usd',
    'conversation_charging',
    'conversation_language',
    'conversation_tags',
  ]
  const fields = [...saved, ...more].map((name) => {
    const column = sql.identifier(name)
    return sql`${column} = coalesce(c.${column}, gone.${column})`
  })
  await env.db.query(
    sql`with gone as (delete from connect_call where id = ${from}::bigint returning *)
        update connect_call c set ${sql.join(fields, sql`, `)}, ${writtenBy(writerOf(env))}
        from gone where c.id = ${into}::bigint`,
  )
  await forgetLate(env, await erasedOf(env, [into]))
  await notifyGone(env, 'connect.call', [from])
  await notifyChanged(env, 'connect.call', [into])
}
