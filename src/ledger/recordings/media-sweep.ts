import type { Database } from '../../database/database.ts'
import { sql } from '../../database/drizzle.ts'
import type { JobKind } from '../../jobs/queue.ts'
import type { Logger } from '../../log.ts'
import { removeMedia } from './media-removal.ts'
import type { MediaStore } from './media-store.ts'

/**
 * Age from which audio without a row is nobody's. A delivery that names it may wait on the disk of another process, which
 * may have been stopped for a while.
 */
const AGE_MIN_MS = 7 * 24 * 3_600_000
/** References that one query looks for. */
const AT_ONCE = 500

/** The daily job that removes audio which no record names, as a process leaves it that dies between file and row. */
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
  for await (const references of media.list({ before, atOnce: AT_ONCE })) {
    const rows = await db.query(sql`
      insert into connect_media_removal (media_ref)
      select f.media_ref from jsonb_array_elements_text(${JSON.stringify(references)}::jsonb) as f (media_ref)
      where not exists (select from connect_recording r where r.media_ref = f.media_ref)
        and not exists (select from connect_voicemail v where v.media_ref = f.media_ref)
        and not exists (select from connect_inbox i where i.state in ('received', 'failed', 'dead') and i.media_ref = f.media_ref)
      on conflict (media_ref) do nothing returning id`)
    removed += rows.length
  }
  if (removed > 0) await removeMedia(db, media)
  return removed
}
