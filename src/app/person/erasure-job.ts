import {
  type ErasureMarks,
  endErasure,
  failErasure,
  findIdleErasures,
  findOpenErasure,
  saveErasureProgress,
  saveRemains,
} from '../../contacts/erasures.ts'
import { type Database, isAboutValues, isNotItsFault } from '../../database/database.ts'
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
import {
  findMentions,
  type Mention,
  type RunQuery,
  redactMention,
  type Search,
} from '../../platform/person/find-mentions.ts'
import type { RowsForgotten } from '../../platform/person/person.ts'
import { removeDebugLines } from '../../telco/account/forget-debug.ts'
import { forgetInPieces, readPlan, searchedBy } from './forget-in-pieces.ts'
import { type EMPTIED, searchOf } from './search.ts'

export const ERASURE_JOB = 'erase-person'
const ATTEMPTS_MAX = 5
const RETRY_SECONDS = 30
const EXPIRE_SECONDS = 6 * 3_600
/** After a process is killed another one goes on within a minute. */
const HEARTBEAT_SECONDS = 20
/** Answers of tools are repeated for 90 seconds; later nobody asks for them. */
const ANSWER_SECONDS = 95

/** Pages without a mention after which the search saves how far it has come. */
const PAGES_BETWEEN_SAVES = 50

const FORGET: Record<(typeof EMPTIED)[number], RowsForgotten> = {
  'connect.delivery': emptyDeliveries,
  'connect.inbox': removeStored,
  'connect.debug': removeDebugLines,
}

export interface ErasureParts {
  db: Database
  platform: Platform
  media: MediaStore
  inbox: Inbox
  deliveries: DeliveryLog
}

/** The job that forgets a person, looks through everything else for them, and takes the bytes of what was removed out of the files. */
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

/** Goes on with erasures whose job is gone, such as after it was interrupted too often. */
export function idleErasuresJob({ db, platform }: Pick<ErasureParts, 'db' | 'platform'>): JobKind {
  return {
    name: 'erasures-go-on',
    cron: '*/10 * * * *',
    attemptsMax: 1,
    retryDelaySeconds: RETRY_SECONDS,
    work: () =>
      db.transaction(async (tx) => {
        for (const erasureId of await findIdleErasures(tx, ERASURE_JOB)) {
          await platform.enqueue(tx, { name: ERASURE_JOB, payload: { erasureId } })
        }
      }),
  }
}

async function eraseRest(parts: ErasureParts, id: number): Promise<void> {
  if ((await findOpenErasure(parts.db, id)) === undefined) return
  await forgetInPieces(parts, id)
  await eraseElsewhere(parts, id)
}

/** Looks for the person in everything that is not theirs. */
async function eraseElsewhere(parts: ErasureParts, id: number): Promise<void> {
  const { db, platform, media, inbox, deliveries } = parts
  const open = await findOpenErasure(db, id)
  if (open === undefined) return
  const search = searchOf(platform, searchedBy(readPlan(open.pattern)))
  const { mentions, sought } = search
  // What arrived just before is written first, or it would be written after it was looked for.
  await deliveries.drained()
  await redactAll(parts, { id, search, marks: open.marks })
  const isTheirs = (text: string): boolean =>
    mentions.isIn(text) || open.marks.texts.some((mark) => text.includes(mark))
  const spooled = await inbox.onDisk.removeFitting(isTheirs)
  await removeOldAnswers(db, ANSWER_SECONDS)
  await removeJobsNaming(db, { sought, mentions })
  await removeMedia(db, media)
  await endErasure(db, id, spooled === 0 ? {} : { spool: spooled })
  await saveRemains(db, id, await db.clearRemains())
}

/** Some rows at a time, each change by itself: nobody waits for it, and it goes on where it was after a restart. */
async function redactAll(
  { db, platform }: ErasureParts,
  { id, search, marks }: { id: number; search: Search; marks: ErasureMarks },
): Promise<void> {
  const run: RunQuery = (query) => db.query(query)
  let unsaved = 0
  for await (const { model, last, found } of findMentions(run, search, marks.at)) {
    const changed: number[] = []
    for (const mention of found) if (await change({ db, platform }, search, mention)) changed.push(mention.id)
    // The person's own rows are counted already.
    const others = changed.filter((each) => search.linked[model]?.includes(each) !== true).length
    unsaved += 1
    if (others === 0 && unsaved < PAGES_BETWEEN_SAVES) continue
    unsaved = 0
    const progress = { ...marks, at: { model, last } }
    const counted = others === 0 ? {} : { [model]: others }
    await db.transaction((tx) => saveErasureProgress(tx, id, { marks: progress, found: counted }))
  }
}

/** False for a row that cannot be written: one that its model does not allow must not keep the others from being changed. */
async function change(
  { db, platform }: Pick<ErasureParts, 'db' | 'platform'>,
  search: Search,
  mention: Mention,
): Promise<boolean> {
  const { name } = mention.model
  try {
    if (isEmptied(name)) await FORGET[name](db, [mention.id])
    else await redactMention((query) => db.query(query), search, mention)
    return true
  } catch (error) {
    if (!isAboutValues(error)) throw error
    platform.log.error(
      { err: asError(error), model: name, id: mention.id },
      'a record that mentions an erased person stays',
    )
    return false
  }
}

function isEmptied(model: string): model is keyof typeof FORGET {
  return model in FORGET
}
