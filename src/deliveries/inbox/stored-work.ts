import { setTimeout as delay } from 'node:timers/promises'
import { isNotItsFault, isTimeout, isUnavailable } from '../../database/database.ts'
import { NamedBatches } from '../../database/micro-batch.ts'
import { asError } from '../../errors.ts'
import { consume } from './consume.ts'
import { recordFailedAttempt } from './failed-attempt.ts'
import { CLAIM, FINISH } from './inbox-rows.ts'
import { asWebhook, type WorkParts } from './work-parts.ts'

/** Deliveries in one transaction, so that the embedded engine is done with it soon. */
const TOGETHER_MAX = 32
/** Attempts at saving that a statement took too long: the embedded engine was ended with it, and starts again. */
const SAVES_MAX = 10
const SAVE_AGAIN_MS = 1_000

/** What came of one look at a delivery: another process may have it, its place may be at fault, and the database may have gone. */
export type WorkOutcome =
  | { kind: 'worked'; call: number | undefined }
  | { kind: 'taken' | 'failed' | 'waits' | 'unavailable' }

/**
 * Works on stored deliveries. Those of a kind that gathers, which arrive while others of it are worked on, are worked on in
 * one transaction; when it fails each is worked on alone, so that one bad delivery harms nobody.
 */
export class StoredWork {
  readonly #parts: WorkParts
  readonly #batches: NamedBatches<number, WorkOutcome>
  /** Work that a request no longer waits for must still end before the database is closed. */
  readonly #underway = new Set<Promise<unknown>>()

  constructor(parts: WorkParts) {
    this.#parts = parts
    const weight = { of: () => 1, max: TOGETHER_MAX }
    this.#batches = new NamedBatches(parts.db.kind, (ids) => this.#workOnAll(ids), weight)
  }

  gathers(kind: string): boolean {
    return this.#parts.consumers[kind]?.gathers === true
  }

  /** Works on a delivery now, with others of its kind where that is given. Never throws: a failure is saved and tried again later. */
  workOn(id: number, kind?: string): Promise<WorkOutcome> {
    const begun = kind !== undefined && this.gathers(kind) ? this.#batches.add(kind, id) : this.#alone(id)
    const work = begun.finally(() => this.#underway.delete(work))
    this.#underway.add(work)
    return work
  }

  /** Resolves when everything that was begun has ended. */
  async ended(): Promise<void> {
    await Promise.all(this.#underway)
  }

  async #alone(id: number): Promise<WorkOutcome> {
    const [outcome = { kind: 'failed' }] = await this.#workOnAll([id])
    return outcome
  }

  async #workOnAll(ids: readonly number[]): Promise<WorkOutcome[]> {
    try {
      return await this.#attempt(ids)
    } catch (thrown) {
      const error = asError(thrown)
      // Only what fails by itself has failed, or takes too long: whatever was with it is done at once.
      if (ids.length > 1 && (isTimeout(error) || !isUnavailable(error))) return this.#oneByOne(ids)
      return Promise.all(ids.map((id) => this.#fail(id, error)))
    }
  }

  async #oneByOne(ids: readonly number[]): Promise<WorkOutcome[]> {
    const outcomes: WorkOutcome[] = []
    for (const id of ids) outcomes.push(await this.#alone(id))
    return outcomes
  }

  async #attempt(ids: readonly number[]): Promise<WorkOutcome[]> {
    return asWebhook(this.#parts, async (env) => {
      const rows = await env.db.run(CLAIM, { ids })
      if (rows.length === 0) return ids.map(() => ({ kind: 'taken' }))
      const ends = await consume(this.#parts.consumers, env, rows)
      env.db.send(FINISH, { ids: rows.map(({ id }) => id), states: ends.map(({ state }) => state) })
      const calls = new Map(rows.map(({ id }, at) => [id, ends[at]?.call]))
      return ids.map((id) => (calls.has(id) ? { kind: 'worked', call: calls.get(id) } : { kind: 'taken' }))
    })
  }

  async #fail(id: number, error: Error): Promise<WorkOutcome> {
    const { log } = this.#parts.platform
    try {
      const kind = await this.#save(id, error)
      if (kind === 'waits') log.warn({ err: error, inbox: id }, 'a stored delivery waits for a place that is at fault')
      else log.error({ err: error, inbox: id }, 'a stored delivery could not be processed')
      return { kind }
    } catch (failure) {
      // The row still says `received`, so the next look finds it.
      log.error({ err: asError(failure), inbox: id }, 'the failure of a delivery could not be saved')
      return { kind: 'unavailable' }
    }
  }
  /** What ends the database each time must count, or it would be tried for ever. */
  async #save(id: number, error: Error): Promise<'waits' | 'failed'> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await recordFailedAttempt(this.#parts, { id, error })
      } catch (failure) {
        if (!isTimeout(error) || !isNotItsFault(failure) || attempt === SAVES_MAX) throw failure
        await delay(SAVE_AGAIN_MS)
      }
    }
  }
}
