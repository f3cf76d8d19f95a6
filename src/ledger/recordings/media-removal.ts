import type { Database, Transaction } from '../../database/database.ts'
import { sql } from '../../database/drizzle.ts'
import { idList } from '../../database/ids.ts'
import type { JobKind } from '../../jobs/queue.ts'
import type { Logger } from '../../log.ts'
import type { Env, Platform } from '../../platform/access/env.ts'
import type { MediaStore } from '../../platform/media/media-store.ts'
import { char } from '../../platform/model/fields.ts'
import { defineModel } from '../../platform/model/model.ts'

const MEDIA_REMOVAL_JOB = 'media-removal'
/** Files that one step removes, so that a step is short whatever was deleted. */
const FILES_AT_ONCE = 200
/**
 * Age from which audio without a row is nobody's. A delivery that names it may wait on the disk of another process, which
 * may have been stopped for a while.
 */
const AGE_MIN_MS = 7 * 24 * 3_600_000
/** References that one query looks for. */
const REFERENCES_AT_ONCE = 500
const ATTEMPTS_MAX = 10
const RETRY_SECONDS = 30

/**
 * Audio, or a file of a note, that nothing shows any more and whose file is to go. The database itself writes these rows, in the transaction
 * that deletes a recording, a voicemail, an attachment or a stored delivery (decision 0011). Open to nobody over the API.
 */
export const mediaRemovalModel = defineModel({
  name: 'connect.media_removal',
  label: 'Audio to remove',
  order: 'id',
  display: { columns: ['id'], show: (row) => `Audio to remove ${row.id}` },
  fields: { media_ref: char('Stored audio', { required: true, isUnique: true }) },
})

/** Has the files go soon after the transaction commits; without this they go with the next run of the schedule. */
export function enqueueMediaRemoval(env: Env): Promise<void> {
  return env.platform.enqueue(env.db, { name: MEDIA_REMOVAL_JOB, payload: {} })
}

/** Has audio go soon after the transaction commits, unless a record names it. */
export async function removeMediaLater(env: Env, reference: string): Promise<void> {
  await env.db.query(
    sql`insert into connect_media_removal (media_ref) values (${reference}) on conflict (media_ref) do nothing`,
  )
  await enqueueMediaRemoval(env)
}

/** The same for audio that a job has just taken from its records. */
export async function removeMediaSoon(
  db: Transaction,
  enqueue: Platform['enqueue'],
  references: readonly string[],
): Promise<void> {
  await db.query(
    sql`insert into connect_media_removal (media_ref)
        select * from jsonb_array_elements_text(${JSON.stringify(references)}::jsonb) on conflict (media_ref) do nothing`,
  )
  await enqueue(db, { name: MEDIA_REMOVAL_JOB, payload: {} })
}

/** The job that removes the files; its schedule finds what somebody deleted past the models. */
export function mediaRemovalJob(db: Database, media: MediaStore): JobKind {
  return {
    name: MEDIA_REMOVAL_JOB,
    cron: '*/10 * * * *',
    attemptsMax: ATTEMPTS_MAX,
    retryDelaySeconds: RETRY_SECONDS,
    work: () => removeMedia(db, media),
  }
}

/** Removes the files of all rows, and each row only after its file: a process that dies in between does it again. */
export async function removeMedia(db: Database, media: MediaStore): Promise<void> {
  for (;;) {
    const rows = await db.query<{ id: number; media_ref: string; is_used: boolean }>(sql`
      select id, media_ref,
        exists (select from connect_recording r where r.media_ref = m.media_ref)
          or exists (select from connect_voicemail v where v.media_ref = m.media_ref)
          or exists (select from connect_attachment a where a.media_ref = m.media_ref) as is_used
      from connect_media_removal m order by id limit ${sql.raw(String(FILES_AT_ONCE))}`)
    if (rows.length === 0) return
    // A stored delivery may go while the recording that was made of it stays.
    for (const { media_ref: reference, is_used: isUsed } of rows) if (!isUsed) await media.remove(reference)
    await db.query(sql`delete from connect_media_removal where id in (${idList(rows.map(({ id }) => id))})`)
  }
}

/** The daily job that removes files which no record names, as a process leaves it that dies between file and row. */
export function mediaSweepJob({ db, media, log }: { db: Database; media: MediaStore; log: Logger }): JobKind {
  return {
    name: 'media-sweep',
    cron: '41 3 * * *',
    attemptsMax: 3,
    retryDelaySeconds: 600,
    work: async () => {
      const removed = await sweepMedia(db, media, new Date(Date.now() - AGE_MIN_MS))
      if (removed > 0) log.warn({ files: removed }, 'audio that no record names was removed')
    },
  }
}

/** Has every stored file removed that is older than `before` and that no record names; gives how many. */
async function sweepMedia(db: Database, media: MediaStore, before: Date): Promise<number> {
  let removed = 0
  for await (const references of media.list({ before, atOnce: REFERENCES_AT_ONCE })) {
    const rows = await db.query(sql`
      insert into connect_media_removal (media_ref)
      select f.media_ref from jsonb_array_elements_text(${JSON.stringify(references)}::jsonb) as f (media_ref)
      where not exists (select from connect_recording r where r.media_ref = f.media_ref)
        and not exists (select from connect_voicemail v where v.media_ref = f.media_ref)
        and not exists (select from connect_attachment a where a.media_ref = f.media_ref)
        and not exists (select from connect_inbox i where i.state in ('received', 'failed', 'dead') and i.media_ref = f.media_ref)
      on conflict (media_ref) do nothing returning id`)
    removed += rows.length
  }
  if (removed > 0) await removeMedia(db, media)
  return removed
}
