import path from 'node:path'
import type { Database } from '../database/database.ts'
import { sql } from '../database/drizzle.ts'
import { MicroBatch } from '../database/micro-batch.ts'
import { param, statement } from '../database/statement.ts'
import { asError } from '../errors.ts'
import type { Env, Platform } from '../platform/env.ts'
import type { Identities } from '../platform/identity/identities.ts'
import { wireTime } from '../platform/identity/sessions.ts'
import { Spool } from './spool.ts'

/** Attempts at one delivery before it is dead and waits for a person. */
export const ATTEMPTS_MAX = 8
/** Seconds before the second attempt, doubled for each further one: about 10 minutes in all. */
const RETRY_SECONDS = 5
const MS_PER_SECOND = 1_000
/** How often a process looks for deliveries that are due. */
const LOOK_EVERY_MS = 5_000
/** Deliveries one look takes. */
const DUE_MAX = 100
const ERROR_CHARS_MAX = 2_000

/** A delivery as it is kept until it has been worked on. */
export interface StoredDelivery {
  kind: string
  conversation: string | undefined
  payload: string
  mediaRef: string | undefined
}

/** What works on deliveries of a kind; answers `ignored` for what it knowingly leaves alone. */
export type Consumer = (env: Env, delivery: StoredDelivery) => Promise<'done' | 'ignored'>

interface InboxParts {
  db: Database
  platform: Platform
  identities: Identities
  spoolDir: string
  consumers: Readonly<Record<string, Consumer>>
}

const INSERT = statement<{ id: number }, { rows: string }>(
  'inbox_insert',
  sql`insert into connect_inbox (kind, state, conversation, payload, media_ref, received_at, attempts, next_attempt_at)
      select kind, 'received', conversation, payload, media_ref, received_at, 0, next_attempt_at
      from jsonb_to_recordset(${param('rows')}::jsonb) as r (kind text, conversation text, payload text, media_ref text,
        received_at timestamp, next_attempt_at timestamp)
      returning id`,
)
const CLAIM = statement<StoredRow, { id: number }>(
  'inbox_claim',
  sql`select id, kind, conversation, payload, media_ref, attempts from connect_inbox
      where id = ${param('id')} and state in ('received', 'failed') for update skip locked`,
)
const FINISH = statement<never, { id: number; state: string }>(
  'inbox_finish',
  sql`update connect_inbox set state = ${param('state')}, attempts = attempts + 1, error = null, next_attempt_at = null
      where id = ${param('id')}`,
)
const FAIL = statement<never, { id: number; state: string; error: string; next: string | null }>(
  'inbox_fail',
  sql`update connect_inbox set state = ${param('state')}, attempts = attempts + 1, error = ${param('error')},
        next_attempt_at = ${param('next')}::timestamp where id = ${param('id')} and state in ('received', 'failed')`,
)
const DUE = statement<{ id: number }, { now: string }>(
  'inbox_due',
  sql`select id from connect_inbox where state in ('received', 'failed') and next_attempt_at <= ${param('now')}::timestamp
      order by next_attempt_at, id limit ${sql.raw(String(DUE_MAX))}`,
)

interface StoredRow {
  id: number
  kind: string
  conversation: string | null
  payload: string
  media_ref: string | null
  attempts: number
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
      return await this.#batch.add(delivery)
    } catch (error) {
      this.#parts.platform.log.error({ err: asError(error) }, 'the inbox cannot be written; the delivery waits on disk')
      await this.#spool.put(JSON.stringify(delivery))
      return undefined
    }
  }

  /** Works on one stored delivery now. Never throws: a failure is noted in its row and tried again later. */
  async process(id: number): Promise<void> {
    const { db, platform, identities } = this.#parts
    try {
      const identity = await identities.webhook()
      const settings = await platform.settings.get()
      await db.transaction(async (tx) => {
        const [row] = await tx.run(CLAIM, { id })
        if (row === undefined) return
        const env: Env = { platform, settings, identity, db: tx, now: platform.clock(), context: {} }
        const state = await this.#consume(env, row)
        await tx.run(FINISH, { id, state })
      })
    } catch (error) {
      await this.#noteFailure(id, asError(error))
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
    await this.#looking
  }

  async #look(): Promise<void> {
    try {
      await this.#spool.drain(async (text) => {
        await this.#batch.add(JSON.parse(text) as StoredDelivery)
      })
      const due = await this.#parts.db.run(DUE, { now: wireTime(this.#parts.platform.clock()) })
      for (const { id } of due) {
        if (this.#isStopped) return
        await this.process(id)
      }
    } catch (error) {
      this.#parts.platform.log.warn({ err: asError(error) }, 'the inbox cannot be read; it will be looked at again')
    }
  }

  async #consume(env: Env, row: StoredRow): Promise<'done' | 'ignored'> {
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
