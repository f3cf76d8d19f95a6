import { NamedBatches } from '../../database/micro-batch.ts'
import type { Env } from '../../platform/access/env.ts'
import { notifySomeChanged } from '../../platform/records/notify-changed.ts'
import { consumeDeliveries } from './consume.ts'
import { inboxModel } from './inbox-model.ts'
import { FINISH_STORED, INSERT } from './inbox-rows.ts'
import { endedRow, type KeyedDelivery } from './stored-delivery.ts'
import { asWebhook, type WorkParts } from './work-parts.ts'

/** Deliveries in one transaction, so that the embedded engine is done with it soon. */
const TOGETHER_MAX = 32
/** Characters that the deliveries of one transaction may have together. */
const TRANSACTION_CHARS_MAX = 256 * 1024
const CHARS_MIN = TRANSACTION_CHARS_MAX / TOGETHER_MAX

/** A delivery that is committed with what it made: its row, unless it was stored before, and the call it belongs to. */
export interface Worked {
  readonly id: number | undefined
  readonly call: number | undefined
}

/**
 * Works on deliveries that have just come, and stores them as done in the same transaction: anyone who is answered after its commit
 * has both. While one batch is on its way others of the same kind gather; one that fails is worked on in halves. Nothing is kept
 * of one that fails by itself: it is to be stored first, and worked on from there.
 */
export class ReceivedWork {
  readonly #parts: WorkParts
  readonly #batches: NamedBatches<KeyedDelivery, Worked>

  constructor(parts: WorkParts) {
    this.#parts = parts
    this.#batches = new NamedBatches(parts.db.kind, (deliveries) => this.#workOnAll(deliveries), {
      of: ({ payload }) => Math.max(payload.length, CHARS_MIN),
      max: TRANSACTION_CHARS_MAX,
    })
  }

  /** Throws what the database, or the work, threw. */
  workOn(delivery: KeyedDelivery): Promise<Worked> {
    return this.#batches.add(delivery.kind, delivery)
  }

  /** Resolves when everything that was begun has ended. */
  async ended(): Promise<void> {
    await this.#batches.drained()
  }

  #workOnAll(deliveries: readonly KeyedDelivery[]): Promise<Worked[]> {
    return asWebhook(this.#parts, async (env) => {
      const ends = await consumeDeliveries(this.#parts.consumers, env, deliveries)
      const ended = deliveries.map((delivery, at) => ({ delivery, state: ends[at]?.state ?? 'ignored' }))
      const ids = await store(env, ended)
      await notifySomeChanged(env, inboxModel.name, [...ids.values()])
      return deliveries.map(({ key }, at) => ({ id: ids.get(key), call: ends[at]?.call }))
    })
  }
}

interface Ended {
  readonly delivery: KeyedDelivery
  readonly state: string
}

/** Stores deliveries as what became of them; answers their ids by their keys. */
async function store({ db }: Env, ended: readonly Ended[]): Promise<Map<string, number>> {
  const rows = ended.map(({ delivery, state }) => endedRow(delivery, state))
  const stored = await db.run(INSERT, { rows })
  const ids = new Map(stored.map(({ key, id }) => [key ?? '', id]))
  // The process that had to wait for this has stored them meanwhile.
  const waiting = ended.filter(({ delivery }) => !ids.has(delivery.key))
  if (waiting.length === 0) return ids
  const finished = await db.run(FINISH_STORED, {
    keys: waiting.map(({ delivery }) => delivery.key),
    states: waiting.map(({ state }) => state),
  })
  return new Map([...ids, ...finished.map(({ key, id }) => [key, id] as const)])
}
