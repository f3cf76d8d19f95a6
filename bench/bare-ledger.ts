// What the ledger does with a callback, by hand: one leg and its call, or nothing when the leg says nothing new.
import type { BareQueries } from './bare-database.ts'

const LOCK = {
  name: 'lock_calls',
  text: 'select pg_advisory_xact_lock(hashtextextended(key, 0)) from unnest($1::text[]) key',
}
const FAMILY = {
  name: 'family',
  text: `select l.id, l.sid, l.parent_sid, l.parent_channel, l.call, l.caller, l.called, l."to", l.technical_direction, l.status,
      l.call_type, l.duration, l.started_at, l.answered_at, l.ended_at, l.error_code, l.error_message, l.partner
    from connect_channel l
    where l.sid in ($1::text, $2::text) or l.parent_sid in ($1::text, $2::text)
      or l.call = any(array(select c.call from connect_channel c
        where c.sid in ($1::text, $2::text) or c.parent_sid in ($1::text, $2::text)))
    order by (l.sid = $1::text) desc, (l.sid = $2::text) desc, (l.parent_sid is null) desc, l.id desc limit 500`,
}
const CONTACT = {
  name: 'contact_by_number',
  text: `select id, name, phone, email, lang, tz, parent_id from (
      select id, name, phone, email, lang, tz, parent_id, active from res_partner where phone_normalized = $1
      union
      select id, name, phone, email, lang, tz, parent_id, active from res_partner where mobile_normalized = $1
    ) matches where active order by id limit 50`,
}
const KEEP_LEG = {
  name: 'keep_leg',
  text: `insert into connect_channel (id, sid, parent_sid, caller, called, "to", caller_number, called_number,
      technical_direction, status, duration, call_type, started_at, answered_at, ended_at, error_code, error_message,
      caller_pbx_user, called_pbx_user, caller_user, called_user, partner, recording_state, create_uid)
    select coalesce((select id from connect_channel where sid = $1), nextval('connect_channel_id_seq')), $1, null, $2, $3, $3, $2, $3, $4, $5, $6::bigint, 'phone', $7::timestamp, null, $8::timestamp, null, null, null, null,
      null, null, $9::bigint, 'off', null
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
}
const BEGIN_CALL = {
  name: 'begin_call',
  text: `insert into connect_call (caller, called, direction, call_type, status, duration, partner, has_error, call_sid)
    select $1, $2, 'incoming', 'phone', $3, $4::bigint, $5::bigint, false, $6::text
    where not exists (select 1 from connect_call where call_sid = $6::text)
    returning id, partner, register_note, missed_note`,
}
const LINK = {
  name: 'link_legs',
  text: `update connect_channel l set call = $1::bigint,
      parent_channel = (select p.id from connect_channel p where p.sid = l.parent_sid)
    where l.sid = any($2::text[])`,
}
const NAMES = {
  name: 'call_names',
  text: `select p.name as contact, a.name as answered,
      (select array_agg(u.name order by u.name, u.id) from connect_call_called_users_rel r
        join res_users u on u.id = r.user_id where r.call_id = c.id) as dialled,
      (select array_agg(u.name order by u.name, u.id) from connect_call_called_pbx_users_rel r
        join connect_user x on x.id = r.pbx_user_id and x.missed_calls_notify
        join res_users u on u.id = x."user" where r.call_id = c.id) as notified
    from connect_call c left join res_partner p on p.id = c.partner left join res_users a on a.id = c.answered_user
    where c.id = $1`,
}
const NOTE = {
  name: 'note',
  text: `insert into mail_message (model, res_id, body, message_type, subtype, author_id, date, connect_message, create_uid)
    values ($1, $2, $3, $4, $5, $6, $7, $8, null) returning id`,
}
const KEEP_NOTE = {
  name: 'keep_note',
  text: `with post as (${NOTE.text}) update connect_call c set register_note = post.id from post where c.id = $9::bigint`,
}
const NOTIFY = { name: 'notify', text: 'select pg_notify($1, $2)' }
const HAS_AUDIO = {
  name: 'has_audio',
  text: `select exists (select 1 from connect_recording where call_sid = any($1::text[]))
      or exists (select 1 from connect_voicemail where call_sid = any($1::text[])) as has_audio`,
}
const FORGET_WALK = { name: 'forget_walk', text: 'delete from connect_telco_user_callflow_call where call = $1' }

const MS_PER_SECOND = 1_000

/** Keeps what a callback says of the first leg of a call, and answers its call. */
export async function recordLeg(tx: BareQueries, fields: Record<string, string>): Promise<number> {
  const { CallSid: sid = '', CallStatus: status } = fields
  await tx.query(LOCK, [[`call:${sid}`]])
  const [known] = await tx.query<{ call: number }>(FAMILY, [sid, ''])
  // A call that is over already: the loaded ones are.
  if (known !== undefined) return known.call
  const contact = await findContact(tx, fields.From)
  const call = await beginCall(tx, fields, contact?.id)
  if (status === 'completed') await note(tx, call, { fields, contact })
  await notify(tx, 'connect.call', call)
  await tx.query(HAS_AUDIO, [[sid]])
  if (status === 'completed') await tx.query(FORGET_WALK, [call])
  return call
}

interface Contact {
  id: number
  name: string
}

/** The contact with that number. */
export async function findContact(tx: BareQueries, number: string | undefined): Promise<Contact | undefined> {
  const [contact] = await tx.query<Contact>(CONTACT, [number])
  return contact
}

/** Tells all processes of a changed record. */
export async function notify(tx: BareQueries, model: string, id: number): Promise<void> {
  await tx.query(NOTIFY, ['connect_records', JSON.stringify({ model, ids: [id] })])
}

interface Post {
  contact: number | undefined
  body: string
  type: string
  subtype: string
  authorId: number | null
  message: number | null
}

/** Posts on a contact. */
export async function post(tx: BareQueries, note: Post): Promise<number> {
  const [row] = await tx.query<{ id: number }>(NOTE, postValues(note))
  return row?.id ?? 0
}

function postValues({ contact, body, type, subtype, authorId, message }: Post): unknown[] {
  const escaped = body.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('\n', '<br>')
  return ['res.partner', contact, `<p>${escaped}</p>`, type, subtype, authorId, stored(Date.now()), message]
}

async function beginCall(
  tx: BareQueries,
  fields: Record<string, string>,
  contact: number | undefined,
): Promise<number> {
  const { CallSid: sid, From: caller, To: called, CallStatus: status, Direction: direction } = fields
  const seconds = Number(fields.CallDuration ?? 0)
  const endedAt = fields.Timestamp === undefined ? undefined : Date.parse(fields.Timestamp)
  const times = [endedAt === undefined ? null : stored(endedAt - seconds * MS_PER_SECOND), endedAt && stored(endedAt)]
  await tx.query(KEEP_LEG, [sid, caller, called, direction, status, seconds, ...times, contact])
  const [call] = await tx.query<{ id: number }>(BEGIN_CALL, [caller, called, status, seconds, contact, sid])
  if (call === undefined) throw new Error('the call was known already')
  await tx.query(LINK, [call.id, [sid]])
  return call.id
}

async function note(
  tx: BareQueries,
  call: number,
  { fields, contact }: { fields: Record<string, string>; contact: Contact | undefined },
): Promise<void> {
  const [names] = await tx.query<{ contact: string }>(NAMES, [call])
  const { From: caller, To: called, CallStatus: status, CallDuration: seconds, Timestamp: time } = fields
  const about = [`Time: ${time}`, `Contact: ${names?.contact}`, `Caller: ${caller}`, `Called: ${called}`]
  const body = [`Incoming call ${call}: ${status}`, ...about, `Duration: ${seconds} s`].join('\n')
  const note = { contact: contact?.id, body, type: 'notification', subtype: 'note', authorId: null, message: null }
  await tx.query(KEEP_NOTE, [...postValues(note), call])
}

function stored(ms: number): string {
  return new Date(ms).toISOString().slice(0, -1).replace('T', ' ')
}
