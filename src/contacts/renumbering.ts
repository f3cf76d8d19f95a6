import { Type } from 'typebox'
import { type Database, isNotItsFault, type Transaction } from '../database/database.ts'
import { type SQL, sql } from '../database/drizzle.ts'
import { asError } from '../errors.ts'
import type { JobKind } from '../jobs/queue.ts'
import { NUMBER_READER, toContactKey } from '../phone.ts'
import { type Env, elevated } from '../platform/access/env.ts'
import { GROUP } from '../platform/access/identity.ts'
import type { Extension } from '../platform/model/extend.ts'
import { char, datetime, integer, json, many2one, selection, text } from '../platform/model/fields.ts'
import { defineModel, method } from '../platform/model/model.ts'
import { writtenBy } from '../platform/model/written-by.ts'
import { notifyChanged } from '../platform/records/notify-changed.ts'
import { records } from '../platform/records/records.ts'

export const RENUMBERING_JOB = 'renumbering'
const ATTEMPTS_MAX = 5
const RETRY_SECONDS = 30
const HEARTBEAT_SECONDS = 60
/** Long enough for millions of numbers; one takes some twenty microseconds to read. */
const EXPIRE_SECONDS = 6 * 3_600
/** Rows of one transaction: few enough that nobody waits for them. */
export const ROWS_AT_ONCE = 500
const PROBLEMS_MAX = 100

/** A number that could not be written, in one sentence, with its record. */
export interface RenumberingProblem {
  model: string
  id: number
  message: string
}

interface RenumberedRows {
  /** The last row that was looked at; undefined when there are no more. */
  lastId: number | undefined
  read: number
  changed: number[]
  problems?: RenumberingProblem[]
}

/** Rows of one table whose E.164 numbers depend on the country that national numbers are read in. */
export interface NumberedTable {
  model: string
  count(db: Pick<Database, 'query'>): Promise<number>
  /** Reads the numbers of the next rows anew, and writes those that are others now. */
  renumber(tx: Transaction, next: { afterId: number; country: string | undefined }): Promise<RenumberedRows>
}

interface NormalizedTable {
  model: string
  /** Columns of numbers as they were written, each with the one beside it that has the number in E.164. */
  numbers: Readonly<Record<string, string>>
  /** The country code of a row `t` itself, which goes before the one of the settings. */
  ownCountry: SQL
}

/** A table that has the E.164 numbers beside those that were written. */
export function normalizedTable({ model, numbers, ownCountry }: NormalizedTable): NumberedTable {
  const table = sql.identifier(model.replaceAll('.', '_'))
  const pairs = Object.entries(numbers)
  const each = (part: (written: SQL, normalized: SQL) => SQL, between: SQL): SQL =>
    sql.join(
      pairs.map(([written, normalized]) => part(sql`${sql.identifier(written)}`, sql`${sql.identifier(normalized)}`)),
      between,
    )
  const hasNumber = sql`(${each((written) => sql`t.${written} is not null`, sql` or `)})`
  return {
    model,
    async count(db) {
      const [row] = await db.query<{ count: number }>(
        sql`select count(*)::int as count from ${table} t where ${hasNumber}`,
      )
      return row?.count ?? 0
    },
    async renumber(tx, { afterId, country }) {
      const rows = await tx.query<Record<string, string | null> & { id: number }>(
        sql`select t.id, ${each((written, normalized) => sql`t.${written}, t.${normalized}`, sql`, `)}, ${ownCountry} as own_country
            from ${table} t where t.id > ${afterId}::bigint and ${hasNumber}
            order by t.id limit ${sql.raw(String(ROWS_AT_ONCE))} for update of t`,
      )
      const changed = rows.flatMap((row) => {
        const region = row.own_country ?? country
        const read = pairs.map(([written, name]) => [name, toContactKey(row[written], region) ?? null] as const)
        return read.every(([name, number]) => row[name] === number) ? [] : { ...Object.fromEntries(read), id: row.id }
      })
      if (changed.length > 0) {
        await tx.query(
          sql`update ${table} t set ${each((_written, name) => sql`${name} = v.${name}`, sql`, `)}, ${writtenBy(null)}
              from jsonb_to_recordset(${JSON.stringify(changed)}::jsonb)
                as v (id bigint, ${each((_written, name) => sql`${name} text`, sql`, `)}) where t.id = v.id`,
        )
      }
      return { lastId: rows.at(-1)?.id, read: rows.length, changed: changed.map(({ id }) => id) }
    },
  }
}

/** One reading anew of all national numbers: how far it is, and what it changed. Kept as history. */
export const renumberingModel = defineModel({
  name: 'connect.renumbering',
  label: 'Renumbering',
  isReadonly: true,
  order: 'id desc',
  display: { columns: ['id'], show: (row) => `Renumbering ${row.id}` },
  fields: {
    country_id: many2one('Country', 'res.country', { isIndexed: false }),
    state: selection('State', ['queued', 'running', 'done', 'failed'], { required: true, default: 'queued' }),
    step: char('Step'),
    total: integer('Entries', { default: 0 }),
    done: integer('Entries done', { default: 0 }),
    changed: integer('Entries changed', { default: 0 }),
    problems: json('Not changed', { help: 'Numbers that could not be changed, and why.' }),
    summary: text('Summary'),
    started_at: datetime('Started'),
    ended_at: datetime('Ended'),
    reader: integer('Reader version', { help: 'The version that read the numbers.' }),
  },
})

/** Has every stored number read anew when the country of the settings changes, and on demand. */
export const renumberingSettings: Extension = {
  methods: {
    renumber: method({
      label: 'Reread all national numbers',
      reply: Type.Integer({ description: 'The run, a record of connect.renumbering.' }),
      operation: 'write',
      groups: [GROUP.connectAdmin],
      async run(env) {
        const [settings] = await env.db.query(sql`select country_id from connect_settings order by id limit 1`)
        return requestRenumbering(env, settings?.country_id)
      },
    }),
  },
  async onSave(env, { values, previous }) {
    if (previous === undefined || !('country_id' in values)) return
    const country = values.country_id ?? null
    if (country !== (previous.country_id ?? null)) await requestRenumbering(env, country)
  },
}

/** Queues a run, exactly when the transaction commits; its id. */
async function requestRenumbering(env: Env, country: unknown): Promise<number> {
  // Whoever may change the country may start the run, and nobody may write one by hand.
  const [id] = await records(elevated(env), 'connect.renumbering').create([
    { country_id: country, problems: [], reader: NUMBER_READER },
  ])
  if (id === undefined) throw new Error('the run was not created')
  await env.platform.enqueue(env.db, { name: RENUMBERING_JOB, payload: { runId: id } })
  return id
}

export function renumberingJob(db: Database, tables: readonly NumberedTable[]): JobKind<{ runId: number }> {
  return {
    name: RENUMBERING_JOB,
    attemptsMax: ATTEMPTS_MAX,
    retryDelaySeconds: RETRY_SECONDS,
    waitsForPlaces: true,
    expireSeconds: EXPIRE_SECONDS,
    heartbeatSeconds: HEARTBEAT_SECONDS,
    async work({ runId }, { isLast }) {
      try {
        await renumberAll(db, { runId, tables })
      } catch (error) {
        if (isLast && !isNotItsFault(error))
          await endRun(db, runId, { state: 'failed', summary: asError(error).message })
        throw error
      }
    },
  }
}

/** Reads all numbers anew. A second run for the same id begins again and finds most of them as they should be. */
async function renumberAll(db: Database, { runId, tables }: { runId: number; tables: readonly NumberedTable[] }) {
  const counts = await Promise.all(tables.map((table) => table.count(db)))
  const total = counts.reduce((sum, count) => sum + count, 0)
  const [open] = await db.query(
    sql`update connect_renumbering set state = 'running', total = ${total}::bigint, done = 0, changed = 0, problems = '[]',
          started_at = coalesce(started_at, now() at time zone 'utc')
        where id = ${runId}::bigint and state in ('queued', 'running') returning id`,
  )
  if (open === undefined) return
  for (const table of tables) await renumberTable(db, runId, table)
  const [{ changed } = { changed: 0 }] = await db.query<{ changed: number }>(
    sql`select changed from connect_renumbering where id = ${runId}::bigint`,
  )
  await endRun(db, runId, { state: 'done', summary: `${total} records were read anew, ${changed} changed.` })
}

async function renumberTable(db: Database, runId: number, table: NumberedTable): Promise<void> {
  let afterId: number | undefined = 0
  while (afterId !== undefined) {
    const next: number = afterId
    afterId = await db.transaction(async (tx) => {
      const rows = await table.renumber(tx, { afterId: next, country: await countryNow(tx) })
      await saveProgress(tx, { runId, model: table.model, rows })
      return rows.lastId
    })
  }
}

/** Shared with other runs, but not with whoever changes the country: the last change is what all numbers end with. */
async function countryNow(tx: Transaction): Promise<string | undefined> {
  await tx.query(sql`select id from connect_settings order by id limit 1 for share`)
  const [row] = await tx.query<{ code: string | null }>(
    sql`select c.code from connect_settings s left join res_country c on c.id = s.country_id order by s.id limit 1`,
  )
  return row?.code ?? undefined
}

async function saveProgress(
  tx: Transaction,
  { runId, model, rows }: { runId: number; model: string; rows: RenumberedRows },
): Promise<void> {
  const problems = (rows.problems ?? []).slice(0, PROBLEMS_MAX)
  await tx.query(
    sql`update connect_renumbering set step = ${model}, done = done + ${rows.read}::bigint,
          changed = changed + ${rows.changed.length}::bigint, problems = problems || ${JSON.stringify(problems)}::jsonb,
          ${writtenBy(null)} where id = ${runId}::bigint`,
  )
  await notifyChanged({ db: tx }, 'connect.renumbering', [runId])
  if (rows.changed.length > 0) await notifyChanged({ db: tx }, model, rows.changed)
}

async function endRun(db: Database, runId: number, { state, summary }: { state: 'done' | 'failed'; summary: string }) {
  await db.transaction(async (tx) => {
    await tx.query(
      sql`update connect_renumbering set state = ${state}, summary = ${summary}, ended_at = now() at time zone 'utc',
            ${writtenBy(null)} where id = ${runId}::bigint and state in ('queued', 'running')`,
    )
    await notifyChanged({ db: tx }, 'connect.renumbering', [runId])
  })
}
