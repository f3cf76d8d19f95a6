import type { Queryable, Transaction } from '../../database/database.ts'
import { type SQL, sql } from '../../database/drizzle.ts'
import { idList } from '../../database/ids.ts'
import { param, statement } from '../../database/statement.ts'
import type { Env } from '../../platform/access/env.ts'
import { writtenBy } from '../../platform/model/written-by.ts'
import { notifySomeChanged } from '../../platform/records/notify-changed.ts'
import { clearVoicemailOfCalls, emptyVoicemailOfCalls, showVoicemailsSql } from '../calls/call-updates.ts'
import { RELATED_LEGS } from '../legs/related-legs.ts'
import { enqueueMediaRemoval } from '../recordings/media-removal.ts'
import type { StoredAudio } from '../recordings/recording-updates.ts'

/** A voicemail that has another call, and whether the person of that call was erased. */
interface LinkedVoicemail {
  id: number
  call: number | null
  is_erased: boolean
}

const LINK = statement<LinkedVoicemail, { sids: readonly string[] }>(
  'voicemails_link',
  sql`${RELATED_LEGS} update connect_voicemail v set call = l.call, ${writtenBy(null)}
      from connect_channel l where l.sid = v.call_sid and v.call_sid in (select sid from legs)
        and v.call is distinct from l.call
      returning v.id, v.call, (select c.erased_at is not null from connect_call c where c.id = l.call) as is_erased`,
)
// A call shows its newest voicemail.
const SHOW = statement<{ id: number }, { sids: readonly string[] }>(
  'voicemails_show',
  sql`${RELATED_LEGS}, newest as (
        select distinct on (l.call) l.call, v.url, v.duration, v.start_time from connect_voicemail v
        join connect_channel l on l.sid = v.call_sid
        where v.call_sid in (select sid from legs) and l.call is not null
        order by l.call, v.start_time desc nulls last, v.id desc
      )
      ${showVoicemailsSql(sql`select call, url, duration, start_time from newest`)}`,
)
const AUDIO = statement<{ id: number }, Omit<StoredAudio, 'filename'>>(
  'voicemail_audio_save',
  sql`update connect_voicemail set media_ref = ${param('reference')}, media_type = ${param('type')},
        ${writtenBy(null)} where id = ${param('id')} and media_ref is null returning id`,
)

/** Links voicemails of these legs to their calls, which show the newest; answers which of both changed. */
export async function linkVoicemails(
  db: Queryable,
  legSids: readonly string[],
): Promise<{ voicemails: LinkedVoicemail[]; calls: { id: number }[] }> {
  const voicemails = await db.run(LINK, { sids: legSids })
  return { voicemails, calls: await db.run(SHOW, { sids: legSids }) }
}

/** Links a voicemail to its stored audio; false when it has some already. */
export async function saveVoicemailAudio(db: Queryable, audio: StoredAudio): Promise<boolean> {
  return (await db.run(AUDIO, audio)).length > 0
}

/** Takes the audio from old voicemails, which stay themselves: that somebody left one is what came of the call. */
export async function forgetVoicemailAudio(
  tx: Transaction,
  old: SQL,
  limit: number,
): Promise<{ media_ref: string | null }[]> {
  const rows = await tx.query<{ id: number; media_ref: string | null }>(
    sql`with old as (
          select id, media_ref from connect_voicemail where (media_ref is not null or url <> '') and ${old}
          order by create_date limit ${limit}::int for update skip locked
        )
        update connect_voicemail v set media_ref = null, url = '', ${writtenBy(null)}
        from old where old.id = v.id returning v.id, old.media_ref`,
  )
  const ids = rows.map(({ id }) => id)
  if (ids.length > 0) await emptyVoicemailOfCalls(tx, ids)
  await notifySomeChanged({ db: tx }, 'connect.voicemail', ids)
  return rows
}

/** Deletes the voicemails of calls, their audio with them, once the transaction commits; answers how many there were. */
export async function deleteVoicemails(env: Env, calls: readonly number[]): Promise<number> {
  if (calls.length === 0) return 0
  const deleted = await env.db.query(
    sql`delete from connect_voicemail v using connect_channel l
        where l.sid = v.call_sid and l.call in (${idList(calls)}) returning v.id`,
  )
  if (deleted.length > 0) await enqueueMediaRemoval(env)
  return deleted.length
}

/** Deletes the voicemails of calls that stay themselves. */
export async function clearVoicemails(env: Env, calls: readonly number[]): Promise<number> {
  const deleted = await deleteVoicemails(env, calls)
  if (calls.length === 0) return deleted
  await clearVoicemailOfCalls(env.db, calls)
  return deleted
}
