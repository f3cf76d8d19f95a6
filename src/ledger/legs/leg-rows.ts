import type { Queryable, Transaction } from '../../database/database.ts'
import { sql } from '../../database/drizzle.ts'
import { idOf } from '../../database/ids.ts'
import { param, statement } from '../../database/statement.ts'
import type { LegFacts } from '../calls/call-state.ts'
import type { CallStatus, LegDirection } from './call-status.ts'
import type { LegState } from './leg-state.ts'

/** A leg as it is stored, with the links the ledger has made. */
export interface StoredLeg extends LegState {
  readonly id: number
  readonly callId: number | undefined
  readonly parentId: number | undefined
  readonly partnerId: number | undefined
}

interface LegRow {
  id: number
  sid: string
  parent_sid: string | null
  parent_channel: number | null
  call: number | null
  caller: string | null
  called: string | null
  to: string | null
  technical_direction: LegDirection | null
  status: CallStatus | null
  call_type: 'phone' | 'whatsapp' | null
  duration: number | null
  started_at: string | null
  answered_at: string | null
  ended_at: string | null
  error_code: string | null
  error_message: string | null
  partner: number | null
}

/** Legs one call may have; a call with more is somebody trying. */
const LEGS_MAX = 500
/** Ancestors above one leg; transfers of transfers are a handful. */
export const DEPTH_MAX = 20
const COLUMNS = sql`l.id, l.sid, l.parent_sid, l.parent_channel, l.call, l.caller, l.called, l."to", l.technical_direction,
  l.status, l.call_type, l.duration, l.started_at, l.answered_at, l.ended_at, l.error_code, l.error_message, l.partner`

// Should calls have too many legs, those that the others hang on are read first, then the newest.
const IN_ORDER = sql`order by (l.sid = any(${param('sids')}::text[])) desc, (l.parent_sid is null) desc, l.id desc
  limit ${param('most')}::int`

interface FamilyParams {
  sids: readonly string[]
  most: number
}

// The legs, what was dialled out of them, and all legs of their calls. A call that was begun by hand (click-to-call)
// already has a row for its first leg.
const FAMILY = statement<LegRow, FamilyParams>(
  'leg_family',
  sql`select ${COLUMNS} from connect_channel l
      where l.sid = any(${param('sids')}::text[]) or l.parent_sid = any(${param('sids')}::text[])
        or l.call = any(array(select c.call from connect_channel c
          where c.sid = any(${param('sids')}::text[]) or c.parent_sid = any(${param('sids')}::text[])))
      ${IN_ORDER}`,
)

// Up from the legs to the first one, then down to everything that was dialled out of it.
const TREE = statement<LegRow, FamilyParams>(
  'leg_tree',
  sql`with recursive up(sid, parent_sid, depth) as (
        select l.sid, l.parent_sid, 0 from connect_channel l where l.sid = any(${param('sids')}::text[])
        union
        select p.sid, p.parent_sid, up.depth + 1 from up join connect_channel p on p.sid = up.parent_sid
        where up.depth < ${sql.raw(String(DEPTH_MAX))}
      ),
      down(sid) as (
        select sid from (select sid from up union select unnest(${param('sids')}::text[])) seed
        union
        select c.sid from down join connect_channel c on c.parent_sid = down.sid
      )
      select ${COLUMNS} from connect_channel l where l.sid in (select sid from down) ${IN_ORDER}`,
)

const UPSERT = statement<{ id: number; call: number | null }, Record<string, unknown>>(
  'leg_upsert',
  sql`insert into connect_channel (id, sid, parent_sid, caller, called, "to", caller_number, called_number,
        technical_direction, status, duration, call_type, started_at, answered_at, ended_at, error_code, error_message,
        caller_pbx_user, called_pbx_user, caller_user, called_user, partner, recording_state, create_uid)
      select ${idOf('connect_channel', sql`present.sid = ${param('sid')}`)}, ${param('sid')}, ${param('parent_sid')}, ${param('caller')}, ${param('called')}, ${param('to')},
        ${param('caller_number')}, ${param('called_number')}, ${param('direction')}, ${param('status')},
        ${param('duration')}::int, ${param('call_type')}, ${param('started_at')}::timestamp,
        ${param('answered_at')}::timestamp, ${param('ended_at')}::timestamp, ${param('error_code')},
        ${param('error_message')}, ${param('caller_pbx')}::bigint, ${param('called_pbx')}::bigint,
        ${param('caller_login')}::bigint, ${param('called_login')}::bigint, ${param('partner')}::bigint, 'off',
        ${param('create_uid')}::bigint
      on conflict (sid) do update set parent_sid = excluded.parent_sid, caller = excluded.caller, called = excluded.called,
        "to" = excluded."to", caller_number = excluded.caller_number, called_number = excluded.called_number,
        technical_direction = excluded.technical_direction, status = excluded.status, duration = excluded.duration,
        call_type = excluded.call_type, started_at = excluded.started_at, answered_at = excluded.answered_at,
        ended_at = excluded.ended_at, error_code = excluded.error_code, error_message = excluded.error_message,
        caller_pbx_user = coalesce(excluded.caller_pbx_user, connect_channel.caller_pbx_user),
        called_pbx_user = coalesce(excluded.called_pbx_user, connect_channel.called_pbx_user),
        caller_user = coalesce(excluded.caller_user, connect_channel.caller_user),
        called_user = coalesce(excluded.called_user, connect_channel.called_user),
        partner = coalesce(connect_channel.partner, excluded.partner), write_date = now() at time zone 'utc'
      returning id, call`,
)

const LINK_LEGS = statement<never, { call: number; sids: readonly string[] }>(
  'legs_link',
  sql`update connect_channel l set call = ${param('call')}::bigint,
        parent_channel = (select p.id from connect_channel p where p.sid = l.parent_sid)
      where l.sid = any(${param('sids')}::text[])`,
)
/** All known legs of the calls that these legs belong to: the legs themselves, their parents, theirs. */
export async function loadLegs(db: Queryable, sids: readonly string[]): Promise<StoredLeg[]> {
  const params = { sids, most: LEGS_MAX * sids.length }
  const family = await db.run(FAMILY, params)
  // What was dialled out of a leg that has a call is in that call too; only what still waits for a parent needs a search.
  const isComplete = family.every((row) => row.call !== null)
  const rows = isComplete ? family : await db.run(TREE, params)
  return rows.map(toLeg)
}

/** What a leg's row has beside what the leg itself says. */
interface LegLinks {
  readonly partnerId: number | undefined
  /** The login of a phone user. */
  readonly loginOf: (pbxUserId: number | undefined) => number | null
  readonly createUid: number
}

/** Writes a leg as it is now; only the caller's lock on the call makes that right. */
export async function upsertLeg(
  db: Queryable,
  leg: LegFacts,
  { partnerId, loginOf, createUid }: LegLinks,
): Promise<{ id: number; callId: number | undefined }> {
  const [row] = await db.run(UPSERT, {
    sid: leg.sid,
    parent_sid: leg.parentSid === '' ? null : leg.parentSid,
    caller: orNull(leg.caller),
    called: orNull(leg.called),
    to: orNull(leg.to),
    caller_number: leg.callerNumber,
    called_number: leg.calledNumber,
    direction: leg.direction ?? null,
    status: leg.status,
    duration: leg.duration ?? 0,
    call_type: leg.callType,
    started_at: toStoredTime(leg.startedAtMs),
    answered_at: toStoredTime(leg.answeredAtMs),
    ended_at: toStoredTime(leg.endedAtMs),
    error_code: orNull(leg.errorCode),
    error_message: orNull(leg.errorMessage),
    caller_pbx: leg.callerUserId ?? null,
    called_pbx: leg.calledUserId ?? null,
    caller_login: loginOf(leg.callerUserId),
    called_login: loginOf(leg.calledUserId),
    partner: partnerId ?? null,
    create_uid: createUid,
  })
  if (row === undefined) throw new Error('the leg was not saved')
  return { id: row.id, callId: row.call ?? undefined }
}

/** Makes legs, and the links to their parents, part of a call. */
export function linkLegs(db: Transaction, callId: number, sids: readonly string[]): void {
  db.send(LINK_LEGS, { call: callId, sids })
}

/** Milliseconds as the database stores a moment. */
export function toStoredTime(ms: number | undefined): string | null {
  return ms === undefined ? null : new Date(ms).toISOString().slice(0, -1).replace('T', ' ')
}

function toLeg(row: LegRow): StoredLeg {
  return {
    id: row.id,
    callId: orUndefined(row.call),
    parentId: orUndefined(row.parent_channel),
    partnerId: orUndefined(row.partner),
    sid: row.sid,
    parentSid: orBlank(row.parent_sid),
    direction: orUndefined(row.technical_direction),
    status: row.status ?? 'queued',
    caller: orBlank(row.caller),
    called: orBlank(row.called),
    to: orBlank(row.to),
    callType: row.call_type ?? 'phone',
    duration: orUndefined(row.duration),
    startedAtMs: toMs(row.started_at),
    answeredAtMs: toMs(row.answered_at),
    endedAtMs: toMs(row.ended_at),
    errorCode: orBlank(row.error_code),
    errorMessage: orBlank(row.error_message),
  }
}

function orUndefined<Value>(stored: Value | null): Value | undefined {
  return stored ?? undefined
}

function orBlank(stored: string | null): string {
  return stored ?? ''
}

function toMs(stored: string | null): number | undefined {
  return stored === null ? undefined : Date.parse(`${stored.replace(' ', 'T')}Z`)
}

function orNull(text: string): string | null {
  return text === '' ? null : text
}
