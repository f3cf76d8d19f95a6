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
  // What an attempt before this one counted is counted anew.
  const begun = await db.query(
    sql`update connect_sync_run set state = 'running', alive_at = now() at time zone 'utc',
          attempts = coalesce(attempts, 0) + 1
        where id = ${id}::bigint and (state = 'queued' or (state = 'running' and ${IS_SILENT})) returning id`,
  )
  if (begun.length === 0) return
  const pulse = setInterval(() => void showLife(db, id).catch(() => undefined), ALIVE_MS)
  pulse.unref()
  try {
    const progress = new SyncProgress(db, id)
    await progress.save()
    await work(progress)
  } finally {
    clearInterval(pulse)
  }
}

async function showLife(db: Database, id: number): Promise<void> {
  await db.query(
    sql`update connect_sync_run set alive_at = now() at time zone 'utc' where id = ${id}::bigint and state = 'running'`,
  )
}

/** Updates the row of one run, so that its progress can be read from every process while it runs. */
export class SyncProgress {
  readonly #db: Database
  readonly #id: number
  readonly #row: RunRow = { state: 'running', step: null, counts: {}, errors: [], differences: [], summary: null }

  constructor(db: Database, id: number) {
    this.#db = db
    this.#id = id
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
    await this.save()
  }

  async count(what: string, by = 1): Promise<void> {
    const { step, counts } = this.#row
    if (step === null) throw new Error('a run counts inside its steps')
    const counted = counts[step] ?? {}
    counts[step] = { ...counted, [what]: (counted[what] ?? 0) + by }
    await this.save()
  }

  async problem(problem: Omit<SyncProblem, 'step'>): Promise<void> {
    this.#row.errors.push({ step: this.#row.step ?? '', ...problem })
    await this.save()
  }

  async difference(difference: object): Promise<void> {
    this.#row.differences.push(difference)
    await this.save()
  }

  /** Ends the run: `failed` when anything is outdated. */
  async end(summary: string): Promise<void> {
    this.#row.state = this.#row.errors.length === 0 ? 'done' : 'failed'
    this.#row.summary = summary
    await this.save()
  }

  async save(): Promise<void> {
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
