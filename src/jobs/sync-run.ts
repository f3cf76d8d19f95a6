import type { Database } from '../database/database.ts'
import { sql } from '../database/drizzle.ts'
import { type Env, elevated } from '../platform/env.ts'
import { char, datetime, json, selection, text } from '../platform/fields.ts'
import { defineModel } from '../platform/model.ts'
import { records } from '../platform/records.ts'

export const SYNC_AREAS = ['voiceai', 'telco'] as const
export type SyncArea = (typeof SYNC_AREAS)[number]

/** What a run does: everything, a part of it, or a look that changes nothing. */
export const SYNC_KINDS = ['sync', 'tools', 'token', 'prompts', 'check'] as const
export type SyncKind = (typeof SYNC_KINDS)[number]

/** Parts that are one list of the phone provider each. */
export const LIST_KINDS = ['applications', 'domains', 'numbers', 'caller_ids', 'senders', 'templates'] as const
export type ListKind = (typeof LIST_KINDS)[number]

export const SYNC_STATES = ['queued', 'running', 'done', 'failed'] as const
export type SyncState = (typeof SYNC_STATES)[number]

/** Runs of all other kinds change the same things at the provider, so there is one of them at a time. */
const ASIDE_KINDS = "('prompts', 'check')"

/** A run that has shown no sign of life for so long was cut off, and is in nobody's way any more. */
const SILENT_MINUTES = 5

/** Something that is not in step, in one sentence, with the record it is about. */
export interface SyncProblem {
  step: string
  model?: string | undefined
  id?: number | undefined
  name?: string | undefined
  message: string
}

/** One synchronisation with a provider: how far it is, what it did, and what is not in step. Kept as history. */
export const syncRunModel = defineModel({
  name: 'connect.sync_run',
  label: 'Synchronisation',
  order: 'id desc',
  display: { columns: ['area', 'kind'], show: (row) => `${row.area} ${row.kind} ${row.id}` },
  fields: {
    area: selection('Provider', SYNC_AREAS, { readonly: true, required: true }),
    kind: selection('What', [...SYNC_KINDS, ...LIST_KINDS], { readonly: true, required: true }),
    state: selection('State', SYNC_STATES, { readonly: true, required: true, default: 'queued' }),
    step: char('Step', { readonly: true }),
    counts: json('Counts', { readonly: true, help: 'What was done in each step, such as {"tools": {"updated": 12}}.' }),
    errors: json('Not in step', { readonly: true, help: 'One entry for each record, with a sentence that says why.' }),
    differences: json('Differences', {
      readonly: true,
      help: 'What a check found the provider to hold in another way than this service does.',
    }),
    summary: text('Summary', { readonly: true }),
    started_at: datetime('Started', { readonly: true }),
    ended_at: datetime('Ended', { readonly: true }),
    alive_at: datetime('Last sign of life', { readonly: true }),
  },
  indexes: [
    {
      columns: ['area'],
      isUnique: true,
      where: `state in ('queued', 'running') and kind not in ${ASIDE_KINDS}`,
      message: 'A synchronisation with this provider is under way already: wait until it has ended.',
    },
    {
      columns: ['area', 'kind'],
      isUnique: true,
      where: "state in ('queued', 'running')",
      message: 'The same is under way already: wait until it has ended.',
    },
  ],
})

/** Starts a run in the transaction of the request; refuses it while another one of its area is under way. */
export async function createRun(
  env: Env,
  { area, kind }: { area: SyncArea; kind: SyncKind | ListKind },
): Promise<number> {
  await env.db.query(
    sql`update connect_sync_run set state = 'failed', ended_at = now() at time zone 'utc',
          summary = 'It was cut off before it had ended. Run it again.'
        where area = ${area} and state in ('queued', 'running')
          and coalesce(alive_at, create_date) < (now() at time zone 'utc') - make_interval(mins => ${SILENT_MINUTES}::int)`,
  )
  // Whoever may press the button may start the run, and nobody may write one by hand.
  const [id] = await records(elevated(env), 'connect.sync_run').create([
    { area, kind, counts: {}, errors: [], differences: [] },
  ])
  if (id === undefined) throw new Error('the run was not created')
  return id
}

/** Ends a run that cannot go on; one that has ended already stays as it is. */
export async function failRun(db: Pick<Database, 'query'>, id: number, summary: string): Promise<void> {
  await db.query(
    sql`update connect_sync_run set state = 'failed', summary = ${summary}, ended_at = now() at time zone 'utc'
        where id = ${id}::int and state in ('queued', 'running')`,
  )
}

/** Whether a run that changes what the provider of the area holds is under way. */
export async function isSyncUnderWay(db: Pick<Database, 'query'>, area: SyncArea): Promise<boolean> {
  const rows = await db.query(
    sql`select id from connect_sync_run where area = ${area} and state in ('queued', 'running')
          and kind not in ${sql.raw(ASIDE_KINDS)} limit 1`,
  )
  return rows.length > 0
}

interface RunRow {
  state: SyncState
  step: string | null
  counts: Record<string, Record<string, number>>
  errors: SyncProblem[]
  differences: object[]
  summary: string | null
}

/** Keeps the row of one run up to date, so that its progress can be read from every process while it runs. */
export class SyncProgress {
  readonly #db: Database
  readonly #id: number
  readonly #row: RunRow = { state: 'running', step: null, counts: {}, errors: [], differences: [], summary: null }

  private constructor(db: Database, id: number) {
    this.#db = db
    this.#id = id
  }

  /** Takes up the run; undefined when it has ended already. What an attempt before this one counted is counted anew. */
  static async open(db: Database, id: number): Promise<SyncProgress | undefined> {
    const [known] = await db.query<{ state: SyncState }>(
      sql`select state from connect_sync_run where id = ${id}::int and state in ('queued', 'running')`,
    )
    if (known === undefined) return undefined
    const progress = new SyncProgress(db, id)
    await progress.#store()
    return progress
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

  /** Ends the run: `failed` when anything is not in step. */
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
            where id = ${this.#id}::int`,
      )
      await tx.notify('connect_records', JSON.stringify({ model: 'connect.sync_run', ids: [this.#id] }))
    })
  }
}
