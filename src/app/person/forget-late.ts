import type { Database } from '../../database/database.ts'
import { findEndedOf, removeStored } from '../../deliveries/inbox/forget-stored.ts'
import type { DeliveryLog } from '../../deliveries/log/delivery-log.ts'
import { emptyDeliveries, findDeliveriesOf } from '../../deliveries/log/forget-deliveries.ts'
import type { JobKind } from '../../jobs/queue.ts'
import { findRefilledCalls, makeCallsAnonymous } from '../../ledger/calls/call-updates.ts'
import { FORGET_LATE_JOB, tracesOfErased } from '../../ledger/calls/erased-calls.ts'
import { findRefilledLegs, makeLegsAnonymous } from '../../ledger/legs/forget-legs.ts'
import { removeMedia } from '../../ledger/recordings/media-removal.ts'
import type { MediaStore } from '../../platform/media/media-store.ts'

const ATTEMPTS_MAX = 5
const RETRY_SECONDS = 30

/**
 * Forgets what late reports of calls brought whose person was erased before: the deliveries as they came, and what a merge with
 * another call put back.
 */
export function forgetLateJob({
  db,
  deliveries,
  media,
}: {
  db: Database
  deliveries: DeliveryLog
  media: MediaStore
}): JobKind<{ calls: number[] }> {
  return {
    name: FORGET_LATE_JOB,
    attemptsMax: ATTEMPTS_MAX,
    retryDelaySeconds: RETRY_SECONDS,
    waitsForPlaces: true,
    async work({ calls }) {
      // What has just been answered is written first, or it would be written after it was looked for.
      await deliveries.drained()
      await db.transaction(async (tx) => {
        const traces = await tracesOfErased(tx, calls)
        const refilled = await findRefilledCalls(tx, traces.calls)
        if (refilled.length > 0) await makeCallsAnonymous(tx, refilled, { numbers: [] })
        const legs = await findRefilledLegs(tx, traces.calls)
        if (legs.length > 0) await makeLegsAnonymous(tx, legs)
        const logged = await findDeliveriesOf(tx, traces)
        if (logged.length > 0) await emptyDeliveries(tx, logged)
        const stored = await findEndedOf(tx, traces.conversations)
        if (stored.length > 0) await removeStored(tx, stored)
      })
      // The audio of what was stored.
      await removeMedia(db, media)
    },
  }
}
