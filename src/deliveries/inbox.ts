import path from 'node:path'
import type { Database } from '../database/database.ts'
import { sql } from '../database/drizzle.ts'
import { MicroBatch } from '../database/micro-batch.ts'
import { asError } from '../errors.ts'
import type { Env, Platform } from '../platform/env.ts'
import type { Identities } from '../platform/identity/identities.ts'
import { wireTime } from '../platform/identity/sessions.ts'
import { withinDeadline } from './deadline.ts'
import { CLAIM, DUE, FAIL, FINISH, INSERT, type StoredRow } from './inbox-rows.ts'
import { Spool } from './spool.ts'

/** Attempts at one delivery before it is dead and waits for a person. */
export const ATTEMPTS_MAX = 8
/** Seconds before the second attempt, doubled for each further one: about 10 minutes in all. */
const RETRY_SECONDS = 5
const MS_PER_SECOND = 1_000
/** How often a process looks for deliveries that are due. */
const LOOK_EVERY_MS = 5_000
const ERROR_CHARS_MAX = 2_000
/** How long a commit may take before the delivery goes to the disk as well; doing it twice changes nothing. */
const COMMIT_DEADLINE_MS = 5_000

/** A delivery as it is kept until it has been worked on. */
export interface StoredDelivery {
  kind: string
  conversation: string | undefined
  payload: string
  mediaRef: string | undefined
}

type FinalState = 'done' | 'ignored'

/** How a delivery ended; `ignored` is what was knowingly left alone. The call it belongs to goes into the log. */
export type Consumed = FinalState | { state: FinalState; call: number | undefined }

/** What works on deliveries of a kind. */
export type Consumer = (env: Env, delivery: StoredDelivery) => Promise<Consumed>

interface InboxParts {
  db: Database
  platform: Platform
  identities: Identities
  spoolDir: string
  consumers: Readonly<Record<string, Consumer>>
}

/**
 * Deliveries are committed here before they are acknowledged, and worked on at once. What fails is tried again with
 * back-off; what was left over by a process that died is found by its row. When the database cannot be had, the raw
 * delivery waits on disk.
 */
export class Inbox {
  readonly #parts: InboxParts
  readonly #batch: MicroBatch<StoredDelivery, number>
  readonly #spool: Spool
  #timer: NodeJS.Timeout | undefined
  #looking: Promise<void> | undefined
  #draining: Promise<void> | undefined
  /** At its start a process cannot know whether an earlier one has left deliveries on disk. */
  #drainTimer: NodeJS.Timeout | undefined
  #mayHaveSpooled = true
  /** Work that a request no longer waits for must still end before the database is closed. */
  readonly #underway = new Set<Promise<unknown>>()
  #isStopped = false

  constructor(parts: InboxParts) {
    this.#parts = parts
    this.#spool = new Spool(path.join(parts.spoolDir, 'spool'))
    this.#batch = new MicroBatch({
      concurrency: parts.db.kind === 'embedded' ? 1 : 2,
      store: async (deliveries) => {
        const rows = await parts.db.run(INSERT, { rows: JSON.stringify(deliveries.map((each) => this.#toRow(each))) })
        return rows.map((row) => row.id)
      },
    })
  }

  /**
   * Stores the delivery; resolves with its id once it is committed, or undefined when the database could not be had
   * and the delivery waits on disk instead. Throws only when neither could keep it.
   */
  async receive(delivery: StoredDelivery): Promise<number | undefined> {
    try {
      const id = await withinDeadline(this.#batch.add(delivery), COMMIT_DEADLINE_MS)
      if (this.#mayHaveSpooled) void this.#drain()
      return id
    } catch (error) {
      this.#parts.platform.log.error({ err: asError(error) }, 'the inbox cannot be written; the delivery waits on disk')
      await this.#spool.put(JSON.stringify(delivery))
      this.#mayHaveSpooled = true
      this.#drainLater()
      return undefined
    }
  }

  /** Works on one stored delivery now and tells its call. Never throws: a failure is noted and tried again later. */
  async process(id: number): Promise<number | undefined> {
    const work = this.#work(id).finally(() => this.#underway.delete(work))
    this.#underway.add(work)
    return work
  }

  async #work(id: number): Promise<number | undefined> {
    const { db, platform, identities } = this.#parts
    try {
      const identity = await identities.webhook()
      const settings = await platform.settings.get()
      return await db.transaction(async (tx) => {
        const [row] = await tx.run(CLAIM, { id })
        if (row === undefined) return undefined
        const env: Env = { platform, settings, identity, db: tx, now: platform.clock(), context: {} }
        const consumed = await this.#consume(env, row)
        const { state, call } = typeof consumed === 'string' ? { state: consumed, call: undefined } : consumed
        tx.send(FINISH, { id, state })
        return call
      })
    } catch (error) {
      await this.#noteFailure(id, asError(error))
      return undefined
    }
  }

  /** Looks for due deliveries now and then, and takes up what an earlier process left. */
  start(): void {
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
    await this.#batch.drained()
    await Promise.all([this.#looking, this.#draining, ...this.#underway])
  }

  async #look(): Promise<void> {
    await this.#drain()
    try {
      const due = await this.#parts.db.run(DUE, { now: wireTime(this.#parts.platform.clock()) })
      for (const { id } of due) {
        if (this.#isStopped) return
        await this.process(id)
      }
    } catch (error) {
      this.#parts.platform.log.warn({ err: asError(error) }, 'the inbox cannot be read; it will be looked at again')
    }
  }

  /** Brings what waits on this machine's disk into the database; what cannot be stored yet stays there. */
  #drain(): Promise<void> {
    this.#draining ??= this.#drainNow().finally(() => {
      this.#draining = undefined
    })
    return this.#draining
  }

  async #drainNow(): Promise<void> {
    try {
      this.#mayHaveSpooled = false
      await this.#spool.drain(async (text) => {
        const delivery = parseSpooled(text)
        if (delivery === undefined) return 'unreadable'
        const id = await this.#batch.add(delivery)
        await this.process(id)
        return 'taken'
      })
    } catch (error) {
      this.#parts.platform.log.warn(
        { err: asError(error) },
        'deliveries on disk cannot be stored yet; they will be looked at again',
      )
      this.#mayHaveSpooled = true
      this.#drainLater()
    }
  }

  /** Also a process that does not work on due deliveries empties its own disk. */
  #drainLater(): void {
    // One at a time: every look that finds the database away comes here too.
    this.#drainTimer ??= setTimeout(() => {
      this.#drainTimer = undefined
      if (!this.#isStopped && this.#mayHaveSpooled) void this.#drain()
    }, LOOK_EVERY_MS).unref()
  }

  async #consume(env: Env, row: StoredRow): Promise<Consumed> {
    const consumer = this.#parts.consumers[row.kind]
    if (consumer === undefined) return 'ignored'
    return consumer(env, {
      kind: row.kind,
      conversation: row.conversation ?? undefined,
      payload: row.payload,
      mediaRef: row.media_ref ?? undefined,
    })
  }

  async #noteFailure(id: number, error: Error): Promise<void> {
    const { db, platform } = this.#parts
    platform.log.error({ err: error, inbox: id }, 'a stored delivery could not be processed')
    try {
      const rows = await db.query<{ attempts: number }>(sql`select attempts from connect_inbox where id = ${id}::int`)
      const attempts = (rows[0]?.attempts ?? 0) + 1
      const isDead = attempts >= ATTEMPTS_MAX
      const next = new Date(platform.clock().getTime() + RETRY_SECONDS * 2 ** (attempts - 1) * MS_PER_SECOND)
      await db.run(FAIL, {
        id,
        state: isDead ? 'dead' : 'failed',
        error: `${error.name}: ${error.message}`.slice(0, ERROR_CHARS_MAX).replaceAll('\0', ''),
        next: isDead ? null : wireTime(next),
      })
      if (isDead) platform.log.error({ inbox: id }, 'a stored delivery is dead and waits for a person to replay it')
    } catch (failure) {
      // The row still says `received`, so the next look finds it.
      platform.log.error({ err: asError(failure), inbox: id }, 'the failure of a delivery could not be noted')
    }
  }

  #toRow({ kind, conversation, payload, mediaRef }: StoredDelivery): object {
    const now = this.#parts.platform.clock()
    // Until then this process works on it itself; a process that dies leaves it to the next look.
    const next = new Date(now.getTime() + RETRY_SECONDS * MS_PER_SECOND)
    return {
      kind,
      conversation: conversation ?? null,
      payload,
      media_ref: mediaRef ?? null,
      received_at: wireTime(now),
      next_attempt_at: wireTime(next),
    }
  }
}

function parseSpooled(text: string): StoredDelivery | undefined {
  try {
    const { kind, conversation, payload, mediaRef } = JSON.parse(text) as Partial<StoredDelivery>
    if (typeof kind !== 'string' || typeof payload !== 'string') return undefined
    return { kind, conversation, payload, mediaRef }
  } catch {
    return undefined
  }
}
