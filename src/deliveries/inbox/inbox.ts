import { setImmediate as nextTurn } from 'node:timers/promises'
import { MicroBatch } from '../../database/micro-batch.ts'
import { WriteRecord } from '../../disk-room.ts'
import { asError } from '../../errors.ts'
import { storedMs, storedTime } from '../../time.ts'
import { withinDeadline } from '../webhooks/deadline.ts'
import { RETRY_SECONDS } from './failed-attempt.ts'
import { DUE, INSERT, type StoredRow, WAITING } from './inbox-rows.ts'
import { ReceivedWork, type Worked } from './received-work.ts'
import { type KeyedDelivery, type StoredDelivery, waitingRow, withKey } from './stored-delivery.ts'
import { StoredWork, type WorkOutcome } from './stored-work.ts'
import { WaitingOnDisk } from './waiting-on-disk.ts'
import type { WorkParts } from './work-parts.ts'

const MS_PER_SECOND = 1_000
/** How often a process looks for deliveries that are due. */
const LOOK_EVERY_MS = 5_000
/** The same while some wait for a place: they are worked off soon after it is back. */
const LOOK_WAITING_MS = 2_500
/** Deliveries of one kind that wait for a place, one after the other, after which a look leaves the others of it. */
const WAITING_IN_A_ROW = 4
/** Due deliveries of kinds that do not gather that one process works on at once; the rest of the pool stays with the webhooks. */
const AT_ONCE = 4
/** How long a commit may take before the delivery goes to the disk as well. */
const COMMIT_DEADLINE_MS = 5_000
/** How long a delivery may be worked on before it is stored by itself: it may wait for a call that somebody else works on. */
const WORK_DEADLINE_MS = 2_000
/** A stored delivery is safe: if working on it takes longer, it is acknowledged and the work goes on. */
const PROCESS_DEADLINE_MS = 5_000
/** Characters that deliveries stored in one statement may have, so that the embedded engine is done with it soon. */
const STATEMENT_CHARS_MAX = 256 * 1024

type Due = Pick<StoredRow, 'id' | 'kind'>

interface InboxParts extends WorkParts {
  /** The data folder, below which deliveries wait while the database is unavailable. */
  spoolDir: string
}

/**
 * Deliveries are committed here before they are acknowledged, and worked on at once. What fails is tried again with
 * back-off; what was left over by a process that died is found by its row. While the database is unavailable, the
 * raw delivery waits on disk.
 */
export class Inbox {
  readonly #parts: InboxParts
  readonly #batch: MicroBatch<KeyedDelivery & { isFresh: boolean }, number | undefined>
  readonly #work: StoredWork
  readonly #received: ReceivedWork
  readonly onDisk: WaitingOnDisk
  readonly databaseWrites = new WriteRecord()
  #timer: NodeJS.Timeout | undefined
  #looking: Promise<void> | undefined
  #nextLook: NodeJS.Timeout | undefined
  #isStopped = false

  constructor(parts: InboxParts) {
    this.#parts = parts
    this.#work = new StoredWork(parts)
    this.#received = new ReceivedWork(parts)
    this.onDisk = new WaitingOnDisk(parts.spoolDir, {
      log: parts.platform.log,
      store: (delivery) => this.#batch.add({ ...delivery, isFresh: false }),
      onStored: () => this.wake(),
    })
    this.#batch = new MicroBatch({
      concurrency: parts.db.kind === 'embedded' ? 1 : 2,
      weight: { of: ({ payload }) => payload.length, max: STATEMENT_CHARS_MAX },
      store: async (deliveries) => {
        const now = parts.platform.clock()
        // Until then this process works on a fresh one itself; a process that dies leaves it to the next look.
        const later = new Date(now.getTime() + RETRY_SECONDS * MS_PER_SECOND)
        const given = deliveries.map((each) => waitingRow(each, each.isFresh ? later : now))
        const ids = new Map((await parts.db.run(INSERT, { rows: given })).map(({ key, id }) => [key, id]))
        return deliveries.map(({ key }) => ids.get(key))
      },
    })
  }

  /**
   * Stores the delivery; resolves with its id once it is committed, or undefined when the database is unavailable and
   * the delivery waits on disk instead. Throws when neither could keep it: then nobody may acknowledge it.
   */
  receive(delivery: StoredDelivery): Promise<number | undefined> {
    return this.#store(withKey(delivery, this.#parts.platform.clock()))
  }

  /**
   * The same, and works on it: in one transaction with others where its kind gathers. What cannot be worked on like that, or not
   * soon, is stored first. Undefined when it waits on disk instead.
   */
  async receiveAndProcess(delivery: StoredDelivery): Promise<Worked | undefined> {
    const keyed = withKey(delivery, this.#parts.platform.clock())
    const started = performance.now()
    if (this.#work.gathers(delivery.kind)) {
      try {
        const worked = await withinDeadline(this.#received.workOn(keyed), WORK_DEADLINE_MS)
        this.#markWritten()
        return worked
      } catch (error) {
        this.#parts.platform.log.debug({ err: asError(error) }, 'a delivery is stored before it is worked on')
      }
    }
    const id = await this.#store(keyed, COMMIT_DEADLINE_MS - (performance.now() - started))
    if (id === undefined) return undefined
    const call = await withinDeadline(this.process(id, delivery.kind), PROCESS_DEADLINE_MS).catch(() => undefined)
    return { id, call }
  }

  async #store(keyed: KeyedDelivery, deadlineMs = COMMIT_DEADLINE_MS): Promise<number | undefined> {
    try {
      const id = await withinDeadline(this.#batch.add({ ...keyed, isFresh: true }), deadlineMs)
      this.#markWritten()
      return id
    } catch (error) {
      this.databaseWrites.markFailed()
      this.#parts.platform.log.error({ err: asError(error) }, 'the inbox cannot be written; the delivery waits on disk')
      await this.onDisk.put(keyed)
      return undefined
    }
  }

  #markWritten(): void {
    this.databaseWrites.markWritten()
    this.onDisk.drainSoon()
  }

  /**
   * Works on one stored delivery now and tells its call; with others of its kind, where that is given. Never throws: a
   * failure is saved and tried again later.
   */
  async process(id: number, kind?: string): Promise<number | undefined> {
    const outcome = await this.#work.workOn(id, kind)
    return outcome.kind === 'worked' ? outcome.call : undefined
  }

  /** Looks for due deliveries now and then, and takes up what an earlier process left; without `works` only its disk. */
  start({ works }: { works: boolean }): void {
    void this.onDisk.removeLeftovers()
    if (!works) {
      void this.onDisk.drain()
      return
    }
    this.#timer = setInterval(() => this.wake(), LOOK_EVERY_MS)
    this.#timer.unref()
    this.wake()
  }

  /** Looks for due deliveries now. */
  wake(): void {
    if (this.#isStopped || this.#timer === undefined) return
    this.#looking ??= this.#look().finally(() => {
      this.#looking = undefined
    })
  }

  async stop(): Promise<void> {
    this.#isStopped = true
    clearInterval(this.#timer)
    clearTimeout(this.#nextLook)
    await Promise.all([this.#received.ended(), this.#batch.drained()])
    await Promise.all([this.#looking, this.onDisk.stop(), this.#work.ended()])
  }

  /** How many deliveries wait in the database, and since when. Throws when it does not answer. */
  async measureStored(): Promise<{ waiting: number; oldest: Date | undefined }> {
    const [row] = await this.#parts.db.run(WAITING, {})
    const { count: waiting = 0, oldest = null } = row ?? {}
    return { waiting, oldest: oldest === null ? undefined : new Date(storedMs(oldest)) }
  }

  /** On until nothing is due, several at a time, but for the kinds whose place is at fault: those are looked at again soon. */
  async #look(): Promise<void> {
    await this.onDisk.drain()
    const waiting = new WaitingKinds()
    try {
      let isGoingOn = true
      while (isGoingOn && !this.#isStopped) {
        const now = storedTime(this.#parts.platform.clock())
        const due = await this.#parts.db.run(DUE, { now, without: waiting.kinds })
        isGoingOn = due.length > 0 && (await this.#workOnAll(due, waiting))
      }
    } catch (error) {
      this.#parts.platform.log.warn({ err: asError(error) }, 'the inbox cannot be read; it will be looked at again')
    }
    if (waiting.any && !this.#isStopped) this.#lookSoon()
  }

  #lookSoon(): void {
    clearTimeout(this.#nextLook)
    this.#nextLook = setTimeout(() => this.wake(), LOOK_WAITING_MS).unref()
  }

  /** Whether looking on is worth it: not when other processes have all of them, nor while the database is unavailable. */
  async #workOnAll(due: readonly Due[], waiting: WaitingKinds): Promise<boolean> {
    const outcomes = new Set<WorkOutcome['kind']>()
    const { gathered = [], alone = [] } = Object.groupBy(due, ({ kind }) =>
      this.#work.gathers(kind) ? 'gathered' : 'alone',
    )
    const workOn = async ({ id, kind }: Due): Promise<void> => {
      const outcome = await this.#work.workOn(id, kind)
      outcomes.add(outcome.kind)
      waiting.note(kind, outcome.kind)
      // The embedded engine answers within the same turn of the event loop: anyone who calls must not wait for the backlog.
      await nextTurn()
    }
    const work = async (): Promise<void> => {
      for (let next = alone.shift(); next !== undefined; next = alone.shift()) {
        if (this.#isStopped || outcomes.has('unavailable')) return
        if (!waiting.has(next.kind)) await workOn(next)
      }
    }
    await Promise.all([...gathered.map(workOn), ...Array.from({ length: AT_ONCE }, work)])
    if (outcomes.has('unavailable')) return false
    return outcomes.has('worked') || outcomes.has('failed') || outcomes.has('waits')
  }
}

/** The kinds of deliveries whose place is at fault in one look: several waited in a row. */
class WaitingKinds {
  readonly #inARow = new Map<string, number>()
  #any = false

  /** Whether a delivery waits. */
  get any(): boolean {
    return this.#any
  }

  get kinds(): string[] {
    return [...this.#inARow.keys()].filter((kind) => this.has(kind))
  }

  has(kind: string): boolean {
    return (this.#inARow.get(kind) ?? 0) >= WAITING_IN_A_ROW
  }

  note(kind: string, outcome: WorkOutcome['kind']): void {
    if (outcome === 'waits') {
      this.#any = true
      this.#inARow.set(kind, (this.#inARow.get(kind) ?? 0) + 1)
    } else if (outcome === 'worked') this.#inARow.delete(kind)
  }
}
