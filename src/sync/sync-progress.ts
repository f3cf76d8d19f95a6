import type { Database } from '../database/database.ts'
import { sql } from '../database/drizzle.ts'
import { notifyAdmins } from '../platform/notices/notice.ts'
import { notifyChanged } from '../platform/records/notify-changed.ts'
import { CANCELLED } from './cancel-run.ts'
import { IS_SILENT, type SyncProblem, type SyncState } from './sync-run.ts'

/** A run gives a sign of life this often while its process lives, also while it waits for the provider. */
const ALIVE_MS = 1_500

/** How far a step is; the total is null while nobody knows it. */
interface StepProgress {
  name: string
  state: 'waiting' | 'running' | 'done' | 'failed'
  done: number
  total: number | null
}

interface RunRow {
  state: SyncState
  steps: StepProgress[]
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
    if (progress.isCancelled) await progress.cancel()
    else await work(progress)
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
  readonly #row: RunRow = {
    state: 'running',
    steps: [],
    step: null,
    counts: {},
    errors: [],
    differences: [],
    summary: null,
  }
  #isCancelled = false

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

  /** Whether somebody wants the run to stop, as far as the last save knows. */
  get isCancelled(): boolean {
    return this.#isCancelled
  }

  /** Says which steps there will be. */
  plan(names: readonly string[]): void {
    this.#row.steps = names.map((name) => ({ name, state: 'waiting', done: 0, total: null }))
  }

  /** Begins a step; a run that is to stop is cancelled instead, also when that was asked for at this very moment. */
  async step(name: string, { isPointOfNoReturn = false } = {}): Promise<void> {
    if (isPointOfNoReturn) await this.#closeDoor()
    if (this.#isCancelled) return
    this.#row.step = name
    this.#row.counts[name] ??= {}
    this.#current(({ state }) => state === 'waiting', { state: 'running' })
    await this.save()
  }

  /** The step that is under way works on so many records more. */
  async expect(records: number): Promise<void> {
    if (records === 0) return
    const { total } = this.#running() ?? { total: null }
    this.#current(({ state }) => state === 'running', { total: (total ?? 0) + records })
    await this.save()
  }

  /** One of them is worked on; the next save says so. */
  countOne(): void {
    const { done } = this.#running() ?? { done: 0 }
    this.#current(({ state }) => state === 'running', { done: done + 1 })
  }

  /** Ends the step that is under way; the next save says so. */
  endStep(isDone: boolean): void {
    const failed = this.#row.errors.some(({ step }) => step === this.#row.step)
    this.#current(({ state }) => state === 'running', { state: isDone && !failed ? 'done' : 'failed' })
  }

  #running(): StepProgress | undefined {
    return this.#row.steps.find(({ state }) => state === 'running')
  }

  /** Changes the first step that is so. */
  #current(isIt: (step: StepProgress) => boolean, change: Partial<StepProgress>): void {
    const at = this.#row.steps.findIndex(isIt)
    this.#row.steps = this.#row.steps.map((step, index) => (index === at ? { ...step, ...change } : step))
  }

  /** From here on nobody cancels the run, unless somebody has. */
  async #closeDoor(): Promise<void> {
    const closed = await this.#db.query(
      sql`update connect_sync_run set can_cancel = false where id = ${this.#id}::bigint and is_cancelled is not true
          returning id`,
    )
    this.#isCancelled = closed.length === 0
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

  /** Ends a run that somebody wants to stop. */
  async cancel(): Promise<void> {
    this.#current(({ state }) => state === 'running', { state: 'failed' })
    this.#row.state = 'failed'
    this.#row.summary = CANCELLED
    await this.save()
  }

  async save(): Promise<void> {
    const { state, steps, step, counts, errors, differences, summary } = this.#row
    const isOver = state === 'done' || state === 'failed'
    await this.#db.transaction(async (tx) => {
      const [saved] = await tx.query<{ is_cancelled: boolean | null; kind: string }>(
        sql`update connect_sync_run set state = ${state}, step = ${step}, steps = ${JSON.stringify(steps)}::jsonb, counts = ${JSON.stringify(counts)}::jsonb,
              errors = ${JSON.stringify(errors)}::jsonb, differences = ${JSON.stringify(differences)}::jsonb,
              summary = ${summary}, started_at = coalesce(started_at, now() at time zone 'utc'),
              ended_at = ${isOver ? sql`now() at time zone 'utc'` : sql`null`},
              can_cancel = ${isOver ? sql`false` : sql`can_cancel`},
              alive_at = now() at time zone 'utc', write_date = now() at time zone 'utc'
            where id = ${this.#id}::bigint returning is_cancelled and can_cancel is not false as is_cancelled, kind`,
      )
      this.#isCancelled = saved?.is_cancelled === true
      await notifyChanged({ db: tx }, 'connect.sync_run', [this.#id])
      // A comparison changes nothing: anyone who asked for it reads what it found.
      if (state === 'failed' && saved?.kind !== 'check') {
        await notifyAdmins(tx, { kind: 'run_failed', ref: { model: 'connect.sync_run', id: this.#id } })
      }
    })
  }
}
