import type { Database } from '../database/database.ts'
import { sql } from '../database/drizzle.ts'
import { notifyChanged } from '../platform/records/notify-changed.ts'
import { IS_SILENT, type SyncProblem, type SyncState } from './sync-run.ts'

/** A run gives a sign of life this often while its process lives, also while it waits for the provider. */
const ALIVE_MS = 1_500

interface RunRow {
  state: SyncState
  step: string | null
  counts: Record<string, Record<string, number>>
  errors: SyncProblem[]
  differences: object[]
  summary: string | null
}

/**
 * Works through the run, which shows that it is alive until the work ends. Does nothing when the run has ended, or when a
 * process that is alive works on it.
 */
export async function withProgress(
  db: Database,
  id: number,
  work: (progress: SyncProgress) => Promise<void>,
): Promise<void> {
  const progress = await SyncProgress.open(db, id)
  if (progress === undefined) return
  try {
    await work(progress)
  } finally {
    progress.leave()
  }
}

/** Updates the row of one run, so that its progress can be read from every process while it runs. */
export class SyncProgress {
  readonly #db: Database
  readonly #id: number
  readonly #row: RunRow = { state: 'running', step: null, counts: {}, errors: [], differences: [], summary: null }

  readonly #pulse: NodeJS.Timeout

  private constructor(db: Database, id: number) {
    this.#db = db
    this.#id = id
    this.#pulse = setInterval(() => void this.#showLife().catch(() => undefined), ALIVE_MS)
    this.#pulse.unref()
  }

  /**
   * Takes up the run; undefined when it has ended, or when a process that is alive works on it. What an attempt before this
   * one counted is counted anew. The run shows that it is alive until `end` or `leave`.
   */
  static async open(db: Database, id: number): Promise<SyncProgress | undefined> {
    const taken = await db.query(
      sql`update connect_sync_run set state = 'running', alive_at = now() at time zone 'utc',
            attempts = coalesce(attempts, 0) + 1
          where id = ${id}::bigint and (state = 'queued' or (state = 'running' and ${IS_SILENT})) returning id`,
    )
    if (taken.length === 0) return undefined
    const progress = new SyncProgress(db, id)
    await progress.#store()
    return progress
  }

  /** Stops showing life: somebody else may take the run up. */
  leave(): void {
    clearInterval(this.#pulse)
  }

  async #showLife(): Promise<void> {
    await this.#db.query(
      sql`update connect_sync_run set alive_at = now() at time zone 'utc' where id = ${this.#id}::bigint and state = 'running'`,
    )
  }

  get problems(): readonly SyncProblem[] {
    return this.#row.errors
  }

  get differences(): readonly object[] {
    return this.#row.differences
  }

  async step(name: string): Promise<void> {
    this.#row.step = name
    this.#row.counts[name] ??= {}
    await this.#store()
  }

  async count(what: string, by = 1): Promise<void> {
    const { step, counts } = this.#row
    if (step === null) throw new Error('a run counts inside its steps')
    const counted = counts[step] ?? {}
    counts[step] = { ...counted, [what]: (counted[what] ?? 0) + by }
    await this.#store()
  }

  async problem(problem: Omit<SyncProblem, 'step'>): Promise<void> {
    this.#row.errors.push({ step: this.#row.step ?? '', ...problem })
    await this.#store()
  }

  async difference(difference: object): Promise<void> {
    this.#row.differences.push(difference)
    await this.#store()
  }

  /** Ends the run: `failed` when anything is outdated. */
  async end(summary: string): Promise<void> {
    this.#row.state = this.#row.errors.length === 0 ? 'done' : 'failed'
    this.#row.summary = summary
    await this.#store()
  }

  async #store(): Promise<void> {
    const { state, step, counts, errors, differences, summary } = this.#row
    const isOver = state === 'done' || state === 'failed'
    await this.#db.transaction(async (tx) => {
      await tx.query(
        sql`update connect_sync_run set state = ${state}, step = ${step}, counts = ${JSON.stringify(counts)}::jsonb,
              errors = ${JSON.stringify(errors)}::jsonb, differences = ${JSON.stringify(differences)}::jsonb,
              summary = ${summary}, started_at = coalesce(started_at, now() at time zone 'utc'),
              ended_at = ${isOver ? sql`now() at time zone 'utc'` : sql`null`},
              alive_at = now() at time zone 'utc', write_date = now() at time zone 'utc'
            where id = ${this.#id}::bigint`,
      )
      await notifyChanged({ db: tx }, 'connect.sync_run', [this.#id])
    })
  }
}
