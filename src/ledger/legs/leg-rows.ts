import type { Queryable, Transaction } from '../../database/database.ts'
import { sql } from '../../database/drizzle.ts'
import { limitOfRows, listed } from '../../database/listed.ts'
import { param, statement } from '../../database/statement.ts'
import type { Env } from '../../platform/access/env.ts'
import type { RowOf } from '../../platform/model/model.ts'
import { columnsOf, type ParamsOf, saveMany } from '../../platform/model/statements.ts'
import { writerOf, writtenBy } from '../../platform/model/written-by.ts'
import { storedMs, storedTimeOf } from '../../time.ts'
import type { LegFacts } from '../calls/call-legs.ts'
import { CLAIMED, type Claim } from '../calls/call-updates.ts'
import { channelModel } from './leg.ts'
import { type LegState, secondsOf } from './leg-state.ts'

/** A leg as it is stored, with the links the ledger has made. */
export interface StoredLeg extends LegState {
  readonly id: number
  readonly callId: number | undefined
  readonly parentId: number | undefined
  readonly partnerId: number | undefined
}

const READ = [
  ...(['id', 'sid', 'parent_sid', 'parent_channel', 'call', 'caller', 'called', 'to'] as const),
  ...(['technical_direction', 'status', 'call_type', 'duration', 'started_at', 'answered_at', 'ended_at'] as const),
  ...(['error_code', 'error_message', 'partner'] as const),
  ...(['caller_name', 'stir_verstat', 'forwarded_from', 'unbridged_dials', 'bridged_dials'] as const),
  ...(['conference_sid', 'is_duration_reported'] as const),
] as const
type LegRow = RowOf<typeof channelModel, (typeof READ)[number]>

/** Legs one call may have; a call with more is somebody trying. */
const LEGS_MAX = 500
/** Ancestors above one leg; transfers of transfers are a handful. */
export const DEPTH_MAX = 20
const COLUMNS = columnsOf(channelModel, READ, 'l')

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
  sql`with named as materialized (
        select l.id, l.call from ${listed('sids', 'text')} as named (sid)
        cross join lateral (
          select id, call from connect_channel l where (l.sid = named.sid or l.parent_sid = named.sid)) l
      )
      select ${COLUMNS} from connect_channel l where l.id in (
        select id from named
        union select other.id from named
          cross join lateral (select id from connect_channel c where c.call = named.call) other) ${IN_ORDER}`,
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

const WRITTEN = [
  ...([
    'sid',
    'parent_sid',
    'caller',
    'called',
    'to',
    'caller_number',
    'called_number',
    'technical_direction',
  ] as const),
  ...([
    'status',
    'duration',
    'call_type',
    'started_at',
    'answered_at',
    'ended_at',
    'error_code',
    'error_message',
  ] as const),
  ...([
    'caller_pbx_user',
    'called_pbx_user',
    'caller_user',
    'called_user',
    'partner',
    'call',
    'parent_channel',
  ] as const),
  ...(['caller_name', 'stir_verstat', 'forwarded_from', 'unbridged_dials', 'bridged_dials'] as const),
  ...(['conference_sid', 'is_duration_reported'] as const),
  ...(['recording_state', 'create_uid'] as const),
] as const
// With the call that each leg is part of: a leg that is linked afterwards is written twice, with all that finds it.
const SAVE = saveMany(channelModel, {
  name: 'legs_save',
  columns: WRITTEN,
  merge: {
    sid: 'never',
    caller_pbx_user: 'last',
    called_pbx_user: 'last',
    caller_user: 'last',
    called_user: 'last',
    partner: 'first',
    call: 'last',
    parent_channel: 'last',
    recording_state: 'never',
    create_uid: 'never',
  },
})
const LINK_LEGS = statement<never, { calls: readonly number[]; sids: readonly string[]; writer: number | null }>(
  'legs_link',
  sql`update connect_channel l set call = linked.call,
        parent_channel = (select p.id from connect_channel p where p.sid = l.parent_sid),
        ${writtenBy(param('writer'))}
      from (select * from unnest(${param('calls')}::bigint[], ${param('sids')}::text[]) as each (call, sid)
        ${limitOfRows()}) as linked where l.sid = linked.sid`,
)
const CLAIM = statement<never, Claim & { sid: string }>(
  'leg_claim_caller',
  sql`update connect_channel set ${CLAIMED} where sid = ${param('sid')}`,
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

/** A leg as it is to be stored, with the links that the ledger makes. */
export interface LegToSave extends LegFacts, Pick<StoredLeg, 'callId' | 'parentId' | 'partnerId'> {
  /** Undefined of a leg that is not stored yet. */
  readonly id: number | undefined
}

interface SavingLegs {
  /** The login of a phone user. */
  readonly loginOf: (pbxUserId: number | undefined) => number | null
  readonly createUid: number
}

/** Writes legs as they are now, each once; only the caller's locks on their calls make that right. */
export function writeLegs(db: Transaction, legs: readonly LegToSave[], saving: SavingLegs): void {
  db.send(SAVE, { rows: legs.map((leg) => rowOf(leg, saving)) })
}

function rowOf(
  leg: LegToSave,
  { loginOf, createUid }: SavingLegs,
): ParamsOf<typeof channelModel, (typeof WRITTEN)[number]> & Pick<LegToSave, 'id'> {
  return {
    id: leg.id,
    sid: leg.sid,
    parent_sid: orNull(leg.parentSid),
    caller: orNull(leg.caller),
    called: orNull(leg.called),
    to: orNull(leg.to),
    caller_number: leg.callerNumber,
    called_number: leg.calledNumber,
    technical_direction: leg.direction ?? null,
    status: leg.status,
    duration: secondsOf(leg),
    is_duration_reported: leg.duration !== undefined,
    call_type: leg.callType,
    started_at: storedTimeOf(leg.startedAtMs),
    answered_at: storedTimeOf(leg.answeredAtMs),
    ended_at: storedTimeOf(leg.endedAtMs),
    error_code: orNull(leg.errorCode),
    error_message: orNull(leg.errorMessage),
    caller_name: orNull(leg.callerName),
    stir_verstat: orNull(leg.stirVerstat),
    forwarded_from: orNull(leg.forwardedFrom),
    unbridged_dials: orNull(leg.unbridgedDials),
    bridged_dials: orNull(leg.bridgedDials),
    conference_sid: orNull(leg.conferenceSid),
    caller_pbx_user: leg.callerUserId ?? null,
    called_pbx_user: leg.calledUserId ?? null,
    caller_user: loginOf(leg.callerUserId),
    called_user: loginOf(leg.calledUserId),
    partner: leg.partnerId ?? null,
    call: leg.callId ?? null,
    parent_channel: leg.parentId ?? null,
    recording_state: 'off',
    create_uid: createUid,
  }
}

/** Makes each leg, and the link to its parent, part of a call. */
export function linkLegs(env: Env, legs: readonly { sid: string; callId: number }[]): void {
  if (legs.length === 0) return
  const [calls, sids] = [legs.map(({ callId }) => callId), legs.map(({ sid }) => sid)]
  env.db.send(LINK_LEGS, { calls, sids, writer: writerOf(env) })
}

/** Anyone who began the call by hand is the caller of its first leg too. */
export function claimLeg(db: Transaction, claim: Claim & { sid: string }): void {
  db.send(CLAIM, claim)
}

function toLeg(row: LegRow): StoredLeg {
  return {
    id: row.id,
    callId: orUndefined(row.call),
    parentId: orUndefined(row.parent_channel),
    partnerId: orUndefined(row.partner),
    sid: row.sid,
    parentSid: row.parent_sid ?? '',
    direction: orUndefined(row.technical_direction),
    status: row.status ?? 'queued',
    caller: row.caller ?? '',
    called: row.called ?? '',
    to: row.to ?? '',
    callType: row.call_type ?? 'phone',
    // One that we computed is computed again, with the times that are known then.
    duration: row.is_duration_reported === false ? undefined : orUndefined(row.duration),
    startedAtMs: toMs(row.started_at),
    answeredAtMs: toMs(row.answered_at),
    endedAtMs: toMs(row.ended_at),
    errorCode: row.error_code ?? '',
    errorMessage: row.error_message ?? '',
    ...toldIn(row),
  }
}

/** What its requests say beside how it goes. */
function toldIn(row: LegRow) {
  return {
    callerName: row.caller_name ?? '',
    stirVerstat: row.stir_verstat ?? '',
    forwardedFrom: row.forwarded_from ?? '',
    unbridgedDials: row.unbridged_dials ?? '',
    bridgedDials: row.bridged_dials ?? '',
    conferenceSid: row.conference_sid ?? '',
  }
}

function toMs(stored: string | null): number | undefined {
  return stored === null ? undefined : storedMs(stored)
}

function orUndefined<Value>(stored: Value | null): Value | undefined {
  return stored ?? undefined
}

function orNull(text: string): string | null {
  return text === '' ? null : text
}
