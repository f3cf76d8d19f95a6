import type { Database } from '../database/database.ts'
import type { JobKind } from '../jobs/queue.ts'
import type { Logger } from '../log.ts'
import type { Platform } from '../platform/access/env.ts'
import type { Identities } from '../platform/identity/identities.ts'
import type { MediaStore } from '../platform/media/media-store.ts'
import { endStaleLegsJob } from './legs/end-stale-legs.ts'
import { forgetMediaJob } from './recordings/forget-media.ts'
import { mediaRemovalJob, mediaSweepJob } from './recordings/media-removal.ts'

/** What the queue does for the ledger by the clock. */
export function ledgerJobs({
  db,
  platform,
  identities,
  media,
  log,
}: {
  db: Database
  platform: Platform
  identities: Identities
  media: MediaStore
  log: Logger
}): JobKind[] {
  return [
    endStaleLegsJob(db, platform, identities),
    forgetMediaJob(db, platform),
    mediaRemovalJob(db, media),
    mediaSweepJob({ db, media, log }),
  ]
}
