import { endErasure, failErasure, findOpenErasure, saveRemains } from '../../contacts/erasures.ts'
import { type Database, isNotItsFault } from '../../database/database.ts'
import { removeStored } from '../../deliveries/inbox/forget-stored.ts'
import type { Inbox } from '../../deliveries/inbox/inbox.ts'
import type { DeliveryLog } from '../../deliveries/log/delivery-log.ts'
import { emptyDeliveries } from '../../deliveries/log/forget-deliveries.ts'
import { removeOldAnswers } from '../../deliveries/tools/forget-answers.ts'
import { asError } from '../../errors.ts'
import { removeJobsNaming } from '../../jobs/forget-jobs.ts'
import type { JobKind } from '../../jobs/queue.ts'
import { removeMedia } from '../../ledger/recordings/media-removal.ts'
import type { Platform } from '../../platform/access/env.ts'
import type { MediaStore } from '../../platform/media/media-store.ts'
import { blotOut } from '../../platform/person/blot-out.ts'
import type { Counts } from '../../platform/person/person.ts'
import { toRegExp } from '../../platform/person/written-forms.ts'
import { removeDebugLines } from '../../telco/account/forget-debug.ts'

export const ERASURE_JOB = 'erase-person'
const ATTEMPTS_MAX = 5
const RETRY_SECONDS = 30
const EXPIRE_SECONDS = 6 * 3_600
const HEARTBEAT_SECONDS = 60
/** Answers of tools are repeated for 90 seconds; later nobody asks for them. */
const ANSWER_SECONDS = 95

/** Rows that hold what somebody said or wrote are emptied as a whole: the name is not all that is theirs in them. */
const FORGOTTEN = {
  'connect.delivery': emptyDeliveries,
  'connect.inbox': removeStored,
  'connect.debug': removeDebugLines,
}
/** Our own people and settings, other contacts under their own names, and the receipt, which holds what is looked for. */
const LEFT = [
  'connect.erasure',
  'connect.settings',
  'res.users',
  'connect.user',
  'res.groups',
  'res.country',
  'res.lang',
]

export interface ErasureParts {
  db: Database
  platform: Platform
  media: MediaStore
  inbox: Inbox
  deliveries: DeliveryLog
}

/** The job that looks through everything else for an erased person, and takes the bytes of what was removed out of the files. */
export function erasureJob(parts: ErasureParts): JobKind<{ erasureId: number }> {
  return {
    name: ERASURE_JOB,
    attemptsMax: ATTEMPTS_MAX,
    retryDelaySeconds: RETRY_SECONDS,
    waitsForPlaces: true,
    expireSeconds: EXPIRE_SECONDS,
    heartbeatSeconds: HEARTBEAT_SECONDS,
    async work({ erasureId }, { isLast }) {
      try {
        await eraseRest(parts, erasureId)
      } catch (error) {
        if (isLast && !isNotItsFault(error)) await failErasure(parts.db, erasureId, asError(error).name)
        throw error
      }
    },
  }
}

async function eraseRest({ db, platform, media, inbox, deliveries }: ErasureParts, id: number): Promise<void> {
  const open = await findOpenErasure(db, id)
  if (open === undefined) return
  const { pattern, marks } = open
  // What arrived just before is written first, or it would be written after it was looked for.
  await deliveries.drained()
  const found: Counts = await blotOut(db, pattern, { models: platform.models, forgotten: FORGOTTEN, left: LEFT })
  const finder = toRegExp(pattern)
  const isTheirs = (text: string): boolean =>
    (finder !== undefined && text.search(finder) >= 0) || marks.some((mark) => text.includes(mark))
  const spooled = await inbox.onDisk.removeFitting(isTheirs)
  await removeOldAnswers(db, ANSWER_SECONDS)
  await removeJobsNaming(db, pattern)
  await removeMedia(db, media)
  await endErasure(db, id, spooled === 0 ? found : { ...found, spool: spooled })
  await saveRemains(db, id, await db.clearRemains())
}
