import type { Queryable } from '../../database/database.ts'
import { sql } from '../../database/drizzle.ts'

/** Characters of a delivery and of its reply that are looked at. */
const READ_CHARS_MAX = 8_000
/** Deliveries and notes of one call that are told; a call with more is somebody trying. */
const ROWS_MAX = 2_000
const NOTE_CHARS_MAX = 200
const MILLISECONDS = sql`'YYYY-MM-DD HH24:MI:SS.MS'`

export interface LegRow {
  id: number
  sid: string
  parent_sid: string | null
  /** Legs that it dialled and that were connected with nobody, with commas between them. */
  unbridged_dials: string | null
  /** Those that two people talked on. */
  bridged_dials: string | null
  status: string | null
  /** The phone of the caller themselves, which rings first in a call by a click. */
  is_own_phone: boolean
  from: string
  to: string
  caller_name: string | null
  called_name: string | null
  started_at: string | null
  answered_at: string | null
  ended_at: string | null
  create_date: string
  error: string | null
}

export interface DeliveryRow {
  id: number
  at: string
  area: string
  route: string
  tool: string | null
  verdict: string
  reason: string | null
  ms: number
  budget_ms: number | null
  sid: string | null
  body: string | null
  reply: string | null
}

export interface RecordingRow {
  id: number
  sid: string | null
  at: string | null
  create_date: string
  status: string | null
  duration: number
  source: string | null
  turns: unknown
  conversation_started_at: string | null
  /** Whether there is audio: our own copy, or an address at the provider. */
  has_audio: boolean
  is_kept: boolean
}

interface VoicemailRow {
  id: number
  at: string | null
  create_date: string
  duration: number
  has_audio: boolean
}

/** Everything that is known of what happened in a call. */
export interface Known {
  legs: LegRow[]
  deliveries: DeliveryRow[]
  recordings: RecordingRow[]
  voicemails: VoicemailRow[]
  notes: { id: number; at: string; text: string }[]
}

/** Legs, deliveries, recordings, voicemails and notes of a call; for people who have been checked on the call. */
export async function findKnown(db: Queryable, call: number): Promise<Known> {
  return {
    legs: await findLegs(db, call),
    deliveries: await findDeliveries(db, call),
    recordings: await findRecordings(db, call),
    voicemails: await findVoicemails(db, call),
    notes: await findNotes(db, call),
  }
}

function findLegs(db: Queryable, call: number): Promise<LegRow[]> {
  return db.query(sql`
    select l.id, l.sid, l.parent_sid, l.unbridged_dials, l.bridged_dials, l.status,
      coalesce(l.parent_sid is null and l.technical_direction = 'outbound-api' and l.caller_user = l.called_user, false) as is_own_phone,
      coalesce(l.caller_number, l.caller, '?') as from,
      coalesce(l.called_number, l.called, '?') as to, caller.name as caller_name, called.name as called_name,
      to_char(l.started_at, ${MILLISECONDS}) as started_at, to_char(l.answered_at, ${MILLISECONDS}) as answered_at,
      to_char(l.ended_at, ${MILLISECONDS}) as ended_at, to_char(l.create_date, ${MILLISECONDS}) as create_date,
      nullif(concat_ws(' ', nullif(l.error_code, ''), l.error_message), '') as error
    from connect_channel l
      left join res_users caller on caller.id = l.caller_user left join res_users called on called.id = l.called_user
    where l.call = ${call}::bigint order by l.id limit ${ROWS_MAX}::int`)
}

function findDeliveries(db: Queryable, call: number): Promise<DeliveryRow[]> {
  return db.query(sql`
    with delivered as (
      select id from connect_delivery where call_ref = ${call}::bigint
      union select d.id from connect_channel l join connect_delivery d on d.call_sid = l.sid where l.call = ${call}::bigint
      union select d.id from connect_call c join connect_delivery d on d.conversation = c.voiceai_conversation_id
        where c.id = ${call}::bigint)
    select d.id, to_char(received_at, ${MILLISECONDS}) as at, area, route, tool, verdict, reason, coalesce(ms, 0) as ms,
      budget_ms, call_sid as sid, left(body, ${READ_CHARS_MAX}::int) as body, left(reply, ${READ_CHARS_MAX}::int) as reply
    from connect_delivery d join delivered using (id) order by received_at, d.id limit ${ROWS_MAX}::int`)
}

function findRecordings(db: Queryable, call: number): Promise<RecordingRow[]> {
  return db.query(sql`
    select id, sid, to_char(start_time, ${MILLISECONDS}) as at, to_char(create_date, ${MILLISECONDS}) as create_date, status,
      coalesce(duration, 0) as duration, source, turns, to_char(conversation_started_at, ${MILLISECONDS}) as conversation_started_at,
      media_ref is not null or media_url is not null as has_audio, media_ref is not null as is_kept
    from connect_recording where call = ${call}::bigint and is_recorded order by id limit ${ROWS_MAX}::int`)
}

function findVoicemails(db: Queryable, call: number): Promise<VoicemailRow[]> {
  return db.query(sql`
    select v.id, to_char(v.start_time, ${MILLISECONDS}) as at, to_char(v.create_date, ${MILLISECONDS}) as create_date,
      coalesce(v.duration, 0) as duration, v.media_ref is not null or v.url is not null as has_audio
    from connect_channel l join connect_voicemail v on v.call_sid = l.sid
    where l.call = ${call}::bigint order by v.id limit ${ROWS_MAX}::int`)
}

function findNotes(db: Queryable, call: number): Promise<Known['notes']> {
  return db.query(sql`
    select id, to_char(date, ${MILLISECONDS}) as at,
      left(trim(regexp_replace(coalesce(body, ''), '<[^>]*>', ' ', 'g')), ${NOTE_CHARS_MAX}::int) as text
    from mail_message where model = 'connect.call' and res_id = ${call}::bigint order by id limit ${ROWS_MAX}::int`)
}
