import type { Database, Transaction } from '../../database/database.ts'
import { type SQL, sql } from '../../database/drizzle.ts'
import type { JobKind } from '../../jobs/queue.ts'
import type { Platform } from '../../platform/access/env.ts'
import { writtenBy } from '../../platform/model/written-by.ts'
import { notifySomeChanged } from '../../platform/records/notify-changed.ts'
import { forgetVoicemailAudio } from '../voicemails/voicemail-updates.ts'
import { removeMediaSoon } from './media-removal.ts'

/** Rows one step empties, so that no statement holds the database for long. */
const ROWS_AT_ONCE = 500

/** The hourly job that removes audio and transcripts when the settings say that they are old; what else is known of a call stays. */
export function forgetMediaJob(db: Database, { settings, enqueue }: Pick<Platform, 'settings' | 'enqueue'>): JobKind {
  return {
    name: 'forget-media',
    cron: '37 * * * *',
    attemptsMax: 3,
    retryDelaySeconds: 60,
    async work() {
      const { audioKeepDays, transcriptKeepDays } = await settings.get()
      if (audioKeepDays !== undefined) {
        const steps = [forgetRecordedAudio, forgetVoicemailAudio]
        for (const forget of steps)
          await untilNone(db, (tx) => forgetAudio(tx, { forget, days: audioKeepDays, enqueue }))
      }
      if (transcriptKeepDays !== undefined) await untilNone(db, (tx) => forgetTranscripts(tx, transcriptKeepDays))
    },
  }
}

async function untilNone(db: Database, step: (tx: Transaction) => Promise<number>): Promise<void> {
  while ((await db.transaction(step)) > 0);
}

/** Older than so many days. */
function olderThan(days: number): SQL {
  return sql`create_date < (now() at time zone 'utc') - make_interval(days => ${days}::int)`
}

interface Forgetting {
  forget(tx: Transaction, old: SQL, limit: number): Promise<{ media_ref: string | null }[]>
  days: number
  enqueue: Platform['enqueue']
}

async function forgetAudio(tx: Transaction, { forget, days, enqueue }: Forgetting): Promise<number> {
  const rows = await forget(tx, olderThan(days), ROWS_AT_ONCE)
  const references = rows.flatMap(({ media_ref: reference }) => reference ?? [])
  if (references.length > 0) await removeMediaSoon(tx, enqueue, references)
  return rows.length
}

async function forgetRecordedAudio(tx: Transaction, old: SQL, limit: number): Promise<{ media_ref: string | null }[]> {
  const rows = await tx.query<{ id: number; media_ref: string | null }>(
    sql`with old as (
          select id, media_ref from connect_recording where (media_ref is not null or media_url is not null) and ${old}
          order by create_date limit ${limit}::int for update skip locked
        )
        update connect_recording r set media_ref = null, media_url = null, audio_removed_at = now() at time zone 'utc',
          ${writtenBy(null)}
        from old where old.id = r.id returning r.id, old.media_ref`,
  )
  await notifySomeChanged(
    { db: tx },
    'connect.recording',
    rows.map(({ id }) => id),
  )
  return rows
}

async function forgetTranscripts(tx: Transaction, days: number): Promise<number> {
  const rows = await tx.query<{ id: number }>(
    sql`update connect_recording set transcript = null, voiceai_transcript = null, turns = null,
          ${writtenBy(null)}
        where id in (select id from connect_recording
          where (transcript is not null or voiceai_transcript is not null or turns is not null) and ${olderThan(days)}
          order by create_date limit ${ROWS_AT_ONCE}::int for update skip locked)
        returning id`,
  )
  await notifySomeChanged(
    { db: tx },
    'connect.recording',
    rows.map(({ id }) => id),
  )
  return rows.length
}
