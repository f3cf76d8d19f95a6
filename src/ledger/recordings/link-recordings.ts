import type { Queryable } from '../../database/database.ts'
import { sql } from '../../database/drizzle.ts'
import { param, statement } from '../../database/statement.ts'
import type { Env } from '../../platform/access/env.ts'
import { writerOf, writtenBy } from '../../platform/model/written-by.ts'
import { notifyChanged } from '../../platform/records/notify-changed.ts'
import { forgetLate } from '../calls/erased-calls.ts'
import { RELATED_LEGS } from '../legs/related-legs.ts'
import { removeVoicemails } from '../voicemails/forget-voicemails.ts'
import { linkVoicemails } from '../voicemails/voicemail-updates.ts'
import { removeRecordings } from './forget-recordings.ts'
import { enqueueMediaRemoval } from './media-removal.ts'

/** Of several that were called: who answered, else who was rung first; never by the order of the reports. */
const CALLED_USER = sql`(select x.called_user from connect_channel x
  where (x.sid = l.sid or x.parent_sid = l.sid) and x.called_user is not null
  order by x.answered_at nulls last, (x.sid <> l.sid), x.started_at nulls last, x.sid limit 1)`

/** A recording that has another call, or says more of it, and whether the person of that call was erased. */
interface Linked {
  id: number
  call: number | null
  is_erased: boolean
}

// Most calls have neither, and this is asked at each of their events.
const HAS_AUDIO = statement<{ has_audio: boolean }, { sids: readonly string[] }>(
  'recordings_any',
  sql`select exists (select 1 from connect_recording r where call_sid = any(${param('sids')}::text[]))
        or exists (select 1 from connect_voicemail where call_sid = any(${param('sids')}::text[])) as has_audio`,
)

const LINK = statement<Linked, { sids: readonly string[]; writer: number | null }>(
  'recordings_link',
  sql`${RELATED_LEGS}, wanted as (
        select r.id, l.id as channel, l.call, c.erased_at is not null as is_erased, coalesce(l.partner, c.partner, r.partner) as partner,
          coalesce(c.caller_user, l.caller_user, r.caller_user) as caller_user,
          coalesce(${CALLED_USER}, r.called_user) as called_user,
          coalesce(nullif(l.caller_number, ''), r.caller_number) as caller_number,
          coalesce(nullif(l.called_number, ''), r.called_number) as called_number
        from connect_recording r join connect_channel l on l.sid = r.call_sid left join connect_call c on c.id = l.call
        where r.call_sid in (select sid from legs) and r.source is distinct from 'voiceai'
      )
      update connect_recording r set channel = w.channel, call = w.call, partner = w.partner, caller_user = w.caller_user,
        called_user = w.called_user, caller_number = w.caller_number, called_number = w.called_number,
        ${writtenBy(param('writer'))}
      from wanted w where r.id = w.id
        and (r.channel, r.call, r.partner, r.caller_user, r.called_user, r.caller_number, r.called_number)
          is distinct from (w.channel, w.call, w.partner, w.caller_user, w.called_user, w.caller_number, w.called_number)
      returning r.id, r.call, w.is_erased`,
)

/**
 * Gives recordings and voicemail of these legs, and of the calls they belong to, their links. Each is made from the
 * ledger as it is now, so it does not matter which of recording and leg was reported first.
 */
export async function linkRecordings(env: Env, legSids: readonly string[]): Promise<void> {
  if (legSids.length === 0) return
  const recordings = await env.db.run(LINK, { sids: legSids, writer: writerOf(env) })
  await notify(env, 'connect.recording', recordings)
  const { voicemails, calls } = await linkVoicemails(env.db, legSids)
  await notify(env, 'connect.voicemail', voicemails)
  await dropWords(env, { recordings, voicemails })
  await notify(env, 'connect.call', calls)
}

// The first participant that is known stands for all: the smallest sid, whatever was reported first.
const LINK_CONFERENCES = statement<Linked, { conferences: readonly string[]; writer: number | null }>(
  'recordings_link_conferences',
  sql`with wanted as (
        select distinct on (r.id) r.id, l.id as channel, l.call, c.erased_at is not null as is_erased, c.partner, c.caller_user, c.answered_user as called_user,
          c.caller as caller_number, c.called as called_number
        from connect_recording r join connect_channel l on l.conference_sid = r.conference_sid
        join connect_call c on c.id = l.call
        where r.conference_sid = any(${param('conferences')}::text[]) and r.call_sid is null
        order by r.id, l.sid
      )
      update connect_recording r set channel = w.channel, call = w.call, partner = w.partner, caller_user = w.caller_user,
        called_user = w.called_user, caller_number = w.caller_number, called_number = w.called_number,
        ${writtenBy(param('writer'))}
      from wanted w where r.id = w.id and (r.channel, r.call) is distinct from (w.channel, w.call)
      returning r.id, r.call, w.is_erased`,
)

/** Gives recordings of conferences the call of a participant, where one is known. */
export async function linkConferences(env: Env, conferences: readonly string[]): Promise<void> {
  if (conferences.length === 0) return
  const recordings = await env.db.run(LINK_CONFERENCES, { conferences, writer: writerOf(env) })
  await notify(env, 'connect.recording', recordings)
  await dropWords(env, { recordings, voicemails: [] })
}

/** What is heard of somebody who was erased does not stay: of a call without a person only the facts do. */
async function dropWords(env: Env, linked: { recordings: Linked[]; voicemails: Linked[] }): Promise<void> {
  const [recordings, voicemails] = [linked.recordings, linked.voicemails].map((rows) =>
    rows.filter(({ is_erased: isErased }) => isErased),
  )
  if (recordings === undefined || voicemails === undefined) return
  const idsOf = (rows: readonly Linked[]): number[] => rows.map(({ id }) => id)
  if (recordings.length > 0) await removeRecordings(env.db, idsOf(recordings))
  if (voicemails.length > 0) await removeVoicemails(env.db, idsOf(voicemails))
  if (recordings.length + voicemails.length > 0) await enqueueMediaRemoval(env)
  await forgetLate(
    env,
    [...recordings, ...voicemails].map(({ call }) => call),
  )
}

/** Whether some legs have a recording or voicemail. */
export interface AskedAudio {
  readonly sids: readonly string[]
  readonly hasAudio: boolean
}

/** Asks that; of legs whose calls are locked it stays as it is, so it can be asked together with other questions. */
export async function askForAudio(db: Queryable, sids: readonly string[]): Promise<AskedAudio> {
  const [found] = await db.run(HAS_AUDIO, { sids })
  return { sids, hasAudio: found?.has_audio === true }
}

/**
 * Links those of calls of which all legs are named, if one of them has a recording or voicemail; of legs that are not locked, and
 * were not asked about, that is asked now.
 */
export async function linkRecordingsOfCalls(env: Env, legSids: readonly string[], asked: AskedAudio): Promise<void> {
  if (legSids.length === 0) return
  const known = new Set(asked.sids)
  const others = legSids.filter((sid) => !known.has(sid))
  const hasAudio = asked.hasAudio || (others.length > 0 && (await askForAudio(env.db, others)).hasAudio)
  if (hasAudio) await linkRecordings(env, legSids)
}

async function notify(env: Env, model: string, rows: readonly { id: number }[]): Promise<void> {
  if (rows.length === 0) return
  await notifyChanged(
    env,
    model,
    rows.map((row) => row.id),
  )
}
