// What other rooms save on a call. Those that end in `Sql` are parts of a statement, so that it stays one round trip.

import type { Queryable, Transaction } from '../../database/database.ts'
import { type SQL, sql } from '../../database/drizzle.ts'
import { idList, manyIds } from '../../database/ids.ts'
import { limitOfRows, listed } from '../../database/listed.ts'
import { param, statement } from '../../database/statement.ts'
import { phoneUserLogin } from '../../directory/phone-users.ts'
import type { Env, ReadEnv } from '../../platform/access/env.ts'
import { type Writing, writerOf, writtenBy } from '../../platform/model/written-by.ts'
import type { Person } from '../../platform/person/person.ts'
import { notifyChanged, notifyChangedSql, notifySomeChanged } from '../../platform/records/notify-changed.ts'
import { storedTime } from '../../time.ts'

/** Who changes what a statement changes. */
interface Written {
  writer: number | null
}

export interface Claim extends Written {
  phone: number
  partner: number | null
}

/** For a statement on a call or a leg: anyone who began it by hand is its caller, and the contact they chose its contact. */
export const CLAIMED = sql`partner = coalesce(${param('partner')}::bigint, partner),
  caller_pbx_user = coalesce(caller_pbx_user, ${param('phone')}::bigint),
  caller_user = coalesce(caller_user, ${phoneUserLogin(sql`${param('phone')}::bigint`)}), ${writtenBy(param('writer'))}`

const CLAIM = statement<never, Claim & { call: number; number: string }>(
  'call_claim_caller',
  sql`update connect_call set called = case when exists (select 1 from connect_channel l
        where l.call = ${param('call')} and l.parent_sid is not null) then called else ${param('number')}::text end,
        ${CLAIMED} where id = ${param('call')}`,
)
/** Of a call whose person was erased it is said that there was one. */
const SHOWN_URL = sql`case when c.erased_at is null then n.url else '' end`
const SHOW_VOICEMAIL_CHANGED = sql`(c.voicemail_url, c.voicemail_duration, c.voicemail_at)
  is distinct from (${SHOWN_URL}, n.duration, n.start_time)`

/**
 * Calls remember the first agent that they were handed to: `tags` selects `call`, `agent` and `connected_at`, when our answer
 * connected them. Returns the ids of those that do now, written by the parameter `writer`. They are locked in one order, so that
 * nobody waits in a circle.
 */
export function tagAgentsSql(tags: SQL): SQL {
  return sql`update connect_call c set voiceai_agent = untagged.agent, answered_at = coalesce(c.answered_at, untagged.connected_at),
      ${writtenBy(param('writer'))}
    from (select l.id, tag.agent, tag.connected_at from (${tags} ${limitOfRows()}) tag join connect_call l on l.id = tag.call and l.voiceai_agent is null
      order by l.id for no key update of l) untagged
    where c.id = untagged.id returning c.id`
}

const TAG_AGENTS = statement<
  never,
  Written & { calls: readonly number[]; agents: readonly number[]; connected: readonly (string | null)[] }
>(
  'calls_tag_agents',
  tagAgentsSql(
    sql`select call, agent, connected_at from unnest(${param('calls')}::bigint[], ${param('agents')}::bigint[],
          ${param('connected')}::timestamp[]) as given (call, agent, connected_at)`,
  ),
)

/**
 * Each call remembers the agent that it is handed to, unless it remembers an earlier one. One that our answer connects is
 * answered from now on, while it goes on: nobody reports that of a call without a leg to the agent.
 */
export function tagAgents(env: Env, tags: readonly { call: number; agent: number; connects: boolean }[]): void {
  env.db.send(TAG_AGENTS, {
    writer: writerOf(env),
    calls: tags.map(({ call }) => call),
    agents: tags.map(({ agent }) => agent),
    connected: tags.map(({ connects }) => (connects ? storedTime(env.now) : null)),
  })
}

const MARK_NO_PHONE = statement<never, Written & { calls: readonly number[] }>(
  'calls_mark_no_phone',
  sql`update connect_call c set no_phone_rang = true, ${writtenBy(param('writer'))}
      from (select l.id from connect_call l where l.id in ${listed('calls', 'bigint')} and l.no_phone_rang is not true
        order by l.id for no key update of l) marked
      where c.id = marked.id`,
)

/** The agent of each call put the caller through to people of whom no phone rings. */
export function markNoPhone(env: Env, calls: readonly number[]): void {
  env.db.send(MARK_NO_PHONE, { writer: writerOf(env), calls })
}

/** Shows voicemails on their calls: `newest` selects `call`, `url`, `duration` and `start_time`. Returns the ids of calls that changed. */
export function showVoicemailsSql(newest: SQL): SQL {
  return sql`update connect_call c set voicemail_url = ${SHOWN_URL}, voicemail_duration = n.duration, voicemail_at = n.start_time,
      ${writtenBy(null)}
    from (${newest}) n where c.id = n.call and ${SHOW_VOICEMAIL_CHANGED} returning c.id`
}

/**
 * Anyone who began the call by hand is its caller, and the contact they chose its contact. The number that they chose is the
 * one called, until it is dialled and its leg says so.
 */
export function claimCaller(db: Transaction, claim: Claim & { call: number; number: string }): void {
  db.send(CLAIM, claim)
}

/** Saves what the call has cost; both null where the provider charged nothing. */
export async function setCallPrice(
  db: Queryable,
  id: number,
  { amount, unit }: { amount: number | null; unit: string | null },
): Promise<void> {
  await db.query(
    sql`update connect_call set price = ${amount}::float8, price_unit = ${unit}, price_currency = ${unit},
          is_price_fetched = true, ${writtenBy(null)} where id = ${id}::bigint
        returning ${notifyChangedSql('connect.call', sql`id`)}`,
  )
}

/** Saves the summary of a call; answers its id, or undefined when there is no such call. */
export async function setCallSummary(
  env: Pick<ReadEnv, 'db'> & Writing,
  call: SQL,
  summary: string,
): Promise<number | undefined> {
  const rows = await env.db.query<{ id: number }>(
    sql`update connect_call set summary = ${summary}, ${writtenBy(writerOf(env))} where id = ${call}
        returning id, ${notifyChangedSql('connect.call', sql`id`)}`,
  )
  return rows[0]?.id
}

/** Shows no voicemail on these calls any more. */
export async function clearVoicemailOfCalls(db: Transaction, calls: readonly number[]): Promise<void> {
  await db.query(
    sql`update connect_call set voicemail_url = null, voicemail_duration = null, voicemail_at = null, ${writtenBy(null)}
        where id in (${idList(calls)})`,
  )
  await notifyChanged({ db }, 'connect.call', calls)
}

/** Calls whose voicemails have no audio any more still say that there was one. */
export async function emptyVoicemailOfCalls(db: Transaction, voicemails: readonly number[]): Promise<void> {
  const calls = await db.query<{ id: number }>(
    sql`update connect_call set voicemail_url = '', ${writtenBy(null)} where voicemail_url is not null
          and id in (select call from connect_voicemail where id in (${idList(voicemails)})) returning id`,
  )
  await notifySomeChanged(
    { db },
    'connect.call',
    calls.map(({ id }) => id),
  )
}

/** Says of calls that they are over because nobody reported their end; a report that comes after all says otherwise. */
export async function markUnreported(db: Transaction, calls: readonly number[]): Promise<void> {
  if (calls.length === 0) return
  await db.query(
    sql`update connect_call set end_reason = 'not_reported', ${writtenBy(null)}
        where id in (${idList(calls)})`,
  )
  await notifyChanged({ db }, 'connect.call', calls)
}

/** The end of a leg that was dialled in a call. */
interface DialEnd {
  readonly call: number
  readonly leg: string
}

// Locked, so that the same report twice at a time is answered one after the other; in one order, so that nobody waits in a circle.
const FIND_DIAL_ENDS = statement<
  { at: number; step: number | null; called: string | null },
  { calls: readonly number[]; legs: readonly string[] }
>(
  'dial_ends_find',
  sql`select given.at::int as at, (c.dial_ends ->> given.leg)::bigint as step,
        (select called from connect_channel where sid = given.leg) as called
      from (select * from unnest(${param('calls')}::bigint[], ${param('legs')}::text[]) with ordinality as each (call, leg, at)
        ${limitOfRows()}) as given
      join connect_call c on c.id = given.call order by c.id for no key update of c`,
)
const SAVE_DIAL_ENDS = statement<
  never,
  Written & { calls: readonly number[]; legs: readonly string[]; steps: readonly number[] }
>(
  'dial_ends_save',
  sql`update connect_call c
      set dial_ends = coalesce(c.dial_ends, '{}'::jsonb) || jsonb_build_object(given.leg, given.step),
        ${writtenBy(param('writer'))}
      from (select * from unnest(${param('calls')}::bigint[], ${param('legs')}::text[], ${param('steps')}::bigint[])
        as each (call, leg, step) ${limitOfRows()}) as given
      where c.id = given.call`,
)

/** What is known of the end of a dialled leg. */
interface KnownDialEnd {
  /** What followed when it was reported first. */
  step: number | undefined
  /** The party that was dialled. */
  called: string | undefined
}

/** What is known of the end of each leg; the calls are locked until the transaction ends. */
export async function findDialEnds(db: Queryable, ends: readonly DialEnd[]): Promise<KnownDialEnd[]> {
  if (ends.length === 0) return []
  const rows = await db.run(FIND_DIAL_ENDS, { calls: ends.map(({ call }) => call), legs: ends.map(({ leg }) => leg) })
  const known = new Map(
    rows.map(({ at, step, called }) => [at, { step: step ?? undefined, called: called ?? undefined }]),
  )
  return ends.map((_end, at) => known.get(at + 1) ?? { step: undefined, called: undefined })
}

/** Saves what follows the end of a dialled leg, of one in each call. */
export function saveDialEndSteps(env: Env, ends: readonly (DialEnd & { step: number })[]): void {
  env.db.send(SAVE_DIAL_ENDS, {
    writer: writerOf(env),
    calls: ends.map(({ call }) => call),
    legs: ends.map(({ leg }) => leg),
    steps: ends.map(({ step }) => step),
  })
}

interface CallTrace {
  id: number
  call_sid: string | null
  conversation: string | null
  ticket: number | null
}

/** Every call of a person: those of their contacts, and those that nobody is named in with a number of theirs. */
export function findCallsOf(db: Queryable, { contacts, numbers }: Person): Promise<CallTrace[]> {
  const columns = sql`id, call_sid, voiceai_conversation_id as conversation, ticket`
  const given = sql`(select jsonb_array_elements_text(${JSON.stringify(numbers)}::jsonb))`
  return db.query<CallTrace>(sql`select ${columns} from connect_call where partner in (${idList(contacts)})
    union select ${columns} from connect_call where partner is null and caller in ${given}
    union select ${columns} from connect_call where partner is null and called in ${given}
    order by id desc`)
}

/** Of calls that say nothing of a person any more those that do again, such as by a late summary. */
export async function findRefilledCalls(db: Queryable, ids: readonly number[]): Promise<number[]> {
  const rows = await db.query<{
    id: number
  }>(sql`select id from connect_call where id in (${manyIds(ids)}) and partner is null
      and (coalesce(caller_name, forwarded_from, summary, voiceai_summary) is not null or conversation_data is not null
        or conversation_criteria is not null) order by id desc`)
  return rows.map(({ id }) => id)
}

/** The parts of a call's legs, without who was in them. */
export function withoutNames(strip: SQL): SQL {
  return sql`case when jsonb_typeof(${strip}) = 'array' then (
    select jsonb_agg(case when jsonb_typeof(part -> 'who') = 'string' then part || '{"who": null}' else part end order by place)
    from jsonb_array_elements(${strip}) with ordinality as parts (part, place)) end`
}

/**
 * Takes from calls what says whose they were. What came of them, when, and how long they took stays, for figures; so does the
 * name that the providers gave them, by which a report that comes again is known.
 */
export async function makeCallsAnonymous(
  db: Transaction,
  ids: readonly number[],
  { numbers }: Pick<Person, 'numbers'>,
): Promise<void> {
  const theirs = sql`(select jsonb_array_elements_text(${JSON.stringify(numbers)}::jsonb))`
  await db.query(sql`update connect_call set partner = null,
      caller = case when direction = 'incoming' or caller in ${theirs} then null else caller end,
      called = case when direction = 'outgoing' or called in ${theirs} then null else called end,
      legs_strip = ${withoutNames(sql`legs_strip`)},
      caller_name = null, forwarded_from = null, summary = null, voiceai_summary = null,
      conversation_criteria = null, conversation_data = null, conversation_tags = null, register_note = null, missed_note = null,
      voicemail_url = case when voicemail_url is not null then '' end,
      erased_at = coalesce(erased_at, now() at time zone 'utc'), ${writtenBy(null)}
    where id in (${idList(ids)})`)
  await notifyChanged({ db }, 'connect.call', ids)
}
