// A company as it is after years: many calls, few of some kinds, customers who call every day and others who called once.
import type { Database } from '../../src/database/database.ts'
import { sql } from '../../src/database/drizzle.ts'
import { GROUP } from '../../src/platform/access/identity.ts'
import { startSession } from '../../src/platform/identity/sessions.ts'
import { FIRST_LOADED_ID } from '../route.ts'

/** Calls that one statement writes. */
const SLICE = 50_000
const CONTACTS = 20_000
/** Calls of `load-data.ts`, which the measured webhooks are about, have the ids before these. */
const FIRST_CALL = FIRST_LOADED_ID + 100_000
const YEARS = 2

/** Somebody who looks at calls. */
export interface Person {
  login: string
  userId: number
  /** Of a session, for a browser. */
  cookie: string
}

/** Numbers that questions are asked about. */
export const NUMBERS = {
  /** Calls twice an hour. */
  many: '+41311000000',
  /** Called three times, long ago. */
  few: '+41790000003',
  never: '+41790000009',
} as const
/** Contacts by how much they call, as `PARTY` hands them out. */
export const CONTACT = { many: FIRST_LOADED_ID, some: FIRST_LOADED_ID + 300, few: FIRST_LOADED_ID + 19_999 } as const

const PEOPLE = [
  { login: 'boss', groups: [GROUP.internal, GROUP.connectUser, GROUP.connectAdmin, GROUP.manager] },
  // Was rung by every third call.
  { login: 'front', groups: [GROUP.internal, GROUP.connectUser] },
  // Has taken one call of a hundred.
  { login: 'clerk', groups: [GROUP.internal, GROUP.connectUser] },
  // Took a few calls when the company began.
  { login: 'former', groups: [GROUP.internal, GROUP.connectUser] },
] as const
const FIRST_PERSON = FIRST_LOADED_ID + 10
/** People who may see their own calls and have a page open, each another one. */
const AUDIENCE = 200
const FIRST_OF_AUDIENCE = FIRST_LOADED_ID + 1_000

/** Adds `calls` calls to a database that `load-data.ts` has filled. */
export async function loadCompany(db: Database, calls: number, say: (text: string) => void): Promise<void> {
  await db.script(people())
  for (let from = 0; from < calls; from += SLICE) {
    await db.script(slice(from, Math.min(calls, from + SLICE), calls))
    say(`${Math.min(calls, from + SLICE)} calls`)
  }
}

/** What the planner has to know of the rows, those of an earlier run included. */
export async function countAnew(db: Database): Promise<void> {
  for (const table of TABLES) await db.script(`vacuum analyze ${table}`)
}

const TABLES = ['res_users', 'connect_call', 'connect_call_called_users_rel', 'connect_channel', 'connect_recording']

/** The people of the company, each signed in anew. */
export async function signIn(db: Database): Promise<Person[]> {
  const now = new Date()
  const people: Person[] = []
  for (const [at, { login }] of PEOPLE.entries()) {
    const userId = FIRST_PERSON + at
    people.push({ login, userId, cookie: `connect_session=${await startSession(db, { userId, now })}` })
  }
  return people
}

/** Everybody else who has a page open, each signed in anew. */
export async function signInAudience(db: Database): Promise<Person[]> {
  await db.query(sql`insert into res_users (id, login, name, active)
    select ${FIRST_OF_AUDIENCE}::bigint + n, 'listener' || n, 'listener' || n, true
    from generate_series(0, ${AUDIENCE - 1}::int) n on conflict do nothing`)
  await db.query(sql`insert into res_groups_users_rel (group_id, user_id)
    select g.id, ${FIRST_OF_AUDIENCE}::bigint + n from res_groups g, generate_series(0, ${AUDIENCE - 1}::int) n
    where g.external_id in (${GROUP.internal}, ${GROUP.connectUser}) on conflict do nothing`)
  const now = new Date()
  const people: Person[] = []
  for (let at = 0; at < AUDIENCE; at += 1) {
    const userId = FIRST_OF_AUDIENCE + at
    const cookie = `connect_session=${await startSession(db, { userId, now })}`
    people.push({ login: `listener${at}`, userId, cookie })
  }
  return people
}

/** How many calls there are, so that a database that was kept is not loaded twice. */
export async function countCalls(db: Database): Promise<number> {
  const [row] = await db.query<{ count: number }>(
    sql`select count(*)::int as count from connect_call where id >= ${FIRST_CALL}::bigint`,
  )
  return row?.count ?? 0
}

function people(): string {
  const rows = PEOPLE.map(({ login, groups }, at) => {
    const id = FIRST_PERSON + at
    const names = groups.map((group) => `'${group}'`).join(', ')
    return `
      insert into res_partner (id, name, active, is_company, lang, tz)
      values (${id + 90_000}, '${login}', true, false, 'en_GB', 'Europe/Zurich');
      insert into res_users (id, login, name, active, partner_id) values (${id}, '${login}', '${login}', true, ${id + 90_000});
      insert into res_groups_users_rel (group_id, user_id) select id, ${id} from res_groups where external_id in (${names});`
  })
  return rows.join('')
}

/** A number from 0 to below 1 that looks as if by chance and is the same each time. */
const chance = (salt: string) => `((hashint8(n + ${salt})::bigint + 2147483648) / 4294967296.0)`

const OUTCOME = `case when n > last - 4 then 'in_progress' when u < 0.0005 then 'failed' when u < 0.6 then 'agent'
  when u < 0.8 then 'person' when u < 0.86 then 'missed' when u < 0.9 then 'given_up' when u < 0.93 then 'voicemail'
  when u < 0.95 then 'busy' when u < 0.98 then 'no_answer' else 'agent_person' end`
/** Few contacts call often: the cube of a chance. A third of the callers is nobody's contact. */
const PARTY = `case when v < 0.03 then 0 when v < 0.67 then floor(${CONTACTS} * w * w * w)::int end`

function slice(from: number, to: number, all: number): string {
  const [front, clerk, former] = [FIRST_PERSON + 1, FIRST_PERSON + 2, FIRST_PERSON + 3]
  return `
  create temporary table made as
    select n, u, v, ${OUTCOME} as outcome, ${PARTY} as party,
      now() at time zone 'utc' - (last - n) * (interval '${YEARS} years' / ${all}) as at,
      u > 0.93 and u < 0.98 or v > 0.92 as is_outgoing
    from (select n, ${all} - 1 as last, ${chance('1')} as u, ${chance('77777777')} as v, ${chance('5555555')} as w
          from generate_series(${from}::bigint, ${to - 1}::bigint) n) drawn;

  insert into connect_call (id, caller, called, direction, call_type, status, duration, partner, call_sid, create_date,
    started_at, answered_at, ended_at, end_reason, legs_outcome, legs_strip, answered_user, caller_user, voiceai_agent,
    voiceai_conversation_id, voiceai_summary, conversation_started_at, conversation_seconds, voicemail_url, voicemail_duration,
    callback_done_at)
  select ${FIRST_CALL} + n, case when is_outgoing then ours else theirs end, case when is_outgoing then theirs else ours end,
    case when is_outgoing then 'outgoing' else 'incoming' end, 'phone',
    case when outcome = 'in_progress' then 'in-progress' when outcome in ('missed', 'no_answer') then 'no-answer'
      when outcome = 'busy' then 'busy' when outcome = 'failed' then 'failed' else 'completed' end,
    20 + n % 300, ${FIRST_LOADED_ID} + party, 'CA' || md5(n::text), at, at,
    case when outcome in ('agent', 'person', 'agent_person') then at + interval '4 seconds' end,
    case when outcome <> 'in_progress' then at + (20 + n % 300) * interval '1 second' end,
    case when outcome in ('agent', 'person', 'agent_person') then 'ended' when outcome <> 'in_progress' then 'nobody_answered' end,
    case outcome when 'voicemail' then 'missed' else outcome end,
    '[{"from":0,"to":4,"kind":"ring"},{"from":4,"to":120,"kind":"talk"}]',
    case when n in (11, 12, 13) then ${former} when outcome in ('person', 'agent_person') and n % 20 = 1 then ${clerk}
      when outcome in ('person', 'agent_person') then ${front} end,
    case when is_outgoing and n % 10 = 3 then ${clerk} end,
    case when outcome in ('agent', 'agent_person') then agent end,
    case when outcome in ('agent', 'agent_person') then 'conv_company_' || n end,
    case when outcome in ('agent', 'agent_person') then 'The caller asked when somebody comes to look at the heating.' end,
    case when outcome in ('agent', 'agent_person') then at + interval '4 seconds' end,
    case when outcome in ('agent', 'agent_person') then 16 + n % 300 end,
    case when outcome = 'voicemail' then 'https://api.twilio.com/recordings/RE' || n end,
    case when outcome = 'voicemail' then 12 end,
    case when outcome in ('missed', 'given_up', 'voicemail') and last_days > 14 then at + interval '1 hour' end
  from (select m.*, extract(epoch from now() at time zone 'utc' - at) / 86400 as last_days,
      '+4144000000' || (n % 10) as ours,
      case when n in (21, 22, 23) then '${NUMBERS.few}' when party = 0 then '${NUMBERS.many}'
        when party is not null then '+4131' || lpad(party::text, 7, '0')
        else '+4176' || lpad((abs(hashint8(n)::bigint) % 10000000)::text, 7, '0') end as theirs
    from made m) m
  cross join (select id as agent from connect_voiceai_agent order by id limit 1) a order by n;

  insert into connect_call_called_users_rel (call_id, user_id)
  select ${FIRST_CALL} + n, ${front} from made where n % 3 = 0 and not is_outgoing
  union all select ${FIRST_CALL} + n, ${clerk} from made where n % 200 = 7 and not is_outgoing;

  insert into connect_channel (sid, call, caller, called, "to", caller_number, called_number, technical_direction, status,
    duration, call_type, partner, create_date, started_at, ended_at)
  select call_sid, id, caller, called, called, caller, called, case direction when 'incoming' then 'inbound' else 'outbound-api' end,
    status, duration, 'phone', partner, create_date, started_at, ended_at
  from connect_call where id >= ${FIRST_CALL + from} and id < ${FIRST_CALL + to} order by id;

  insert into connect_recording (sid, call_sid, call, partner, caller_number, called_number, status, duration, start_time,
    voiceai_transcript, voiceai_summary, transcription_pending, source)
  select voiceai_conversation_id, call_sid, id, partner, caller, called, 'completed', duration, create_date,
    repeat('user: When does somebody come to look at it?' || chr(10), 20), voiceai_summary, false, 'voiceai'
  from connect_call where id >= ${FIRST_CALL + from} and id < ${FIRST_CALL + to} and voiceai_conversation_id is not null
    and id % 2 = 0 order by id;

  drop table made;`
}
