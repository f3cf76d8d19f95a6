import { Type } from 'typebox'
import type { Database, Queryable, Transaction } from '../database/database.ts'
import { type SQL, sql } from '../database/drizzle.ts'
import type { JobKind } from '../jobs/queue.ts'
import type { Logger } from '../log.ts'
import { NUMBER_READER, toContactKey } from '../phone.ts'
import type { Env } from '../platform/access/env.ts'
import { GROUP } from '../platform/access/identity.ts'
import type { Extension } from '../platform/model/extend.ts'
import { integer } from '../platform/model/fields.ts'
import { method } from '../platform/model/model.ts'
import { writtenBy } from '../platform/model/written-by.ts'
import { notifyChanged } from '../platform/records/notify-changed.ts'
import { areNumbersRead, saveNumberReader } from '../platform/settings/number-reader.ts'

const RENUMBERING_JOB = 'renumbering'
const ATTEMPTS_MAX = 5
const RETRY_SECONDS = 30
const HEARTBEAT_SECONDS = 60
/** Long enough for millions of numbers; one takes some twenty microseconds to read. */
const EXPIRE_SECONDS = 6 * 3_600
/** Rows of one transaction: few enough that nobody waits for them. */
export const ROWS_AT_ONCE = 500

interface RenumberedRows {
  /** The last row that was read; undefined when there are no more. */
  lastId: number | undefined
  read: number
  changed: number[]
  /** Rows whose number could not be written, and the reason without the number: the log holds none. */
  problems?: { id: number; reason: string }[]
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

/** Reads every stored number anew when the country of the settings changes, and on demand. */
export const renumberingSettings: Extension = {
  fields: {
    number_reader: integer('Number reader', {
      readonly: true,
      help: 'The version that read all stored numbers; empty while they are read again.',
    }),
  },
  methods: {
    renumber: method({
      label: 'Reread all national numbers',
      reply: Type.Literal(true),
      operation: 'write',
      groups: [GROUP.connectAdmin],
      async run(env) {
        await requestRenumbering(env)
        return true
      },
    }),
  },
  async onSave(env, { values, previous }) {
    if (previous === undefined || !('country_id' in values)) return
    if ((values.country_id ?? null) !== (previous.country_id ?? null)) await requestRenumbering(env)
  },
}

/** Queues the job, exactly when the transaction commits. */
async function requestRenumbering({ db, platform }: Pick<Env, 'db' | 'platform'>): Promise<void> {
  await saveNumberReader(db, null)
  await platform.enqueue(db, { name: RENUMBERING_JOB, payload: {} })
}

/**
 * Reads every stored number anew where another version of the reader read them, or where a job that was to do so came to nothing. Each
 * start asks until it is done: a job that runs twice changes nothing the second time.
 */
export async function renumberAfterUpgrade(
  { db, platform }: Pick<Env, 'platform'> & { db: Database },
  tables: readonly NumberedTable[],
): Promise<void> {
  if (await areNumbersRead(db, NUMBER_READER)) return
  await db.transaction(async (tx) => {
    if (await hasNumbers(tx, tables)) await platform.enqueue(tx, { name: RENUMBERING_JOB, payload: {} })
    else await saveNumberReader(tx, NUMBER_READER)
  })
}

async function hasNumbers(db: Queryable, tables: readonly NumberedTable[]): Promise<boolean> {
  for (const table of tables) if ((await table.count(db)) > 0) return true
  return false
}

/** A job that runs twice finds most numbers as they should be. */
export function renumberingJob(
  { db, log }: { db: Database; log: Logger },
  tables: readonly NumberedTable[],
): JobKind<Record<string, never>> {
  return {
    name: RENUMBERING_JOB,
    attemptsMax: ATTEMPTS_MAX,
    retryDelaySeconds: RETRY_SECONDS,
    waitsForPlaces: true,
    expireSeconds: EXPIRE_SECONDS,
    heartbeatSeconds: HEARTBEAT_SECONDS,
    async work() {
      for (const table of tables) await renumberTable(db, { table, log })
      await saveNumberReader(db, NUMBER_READER)
    },
  }
}

async function renumberTable(db: Database, { table, log }: { table: NumberedTable; log: Logger }): Promise<void> {
  const { model } = table
  let [read, changed] = [0, 0]
  let afterId: number | undefined = 0
  while (afterId !== undefined) {
    const next: number = afterId
    const rows = await db.transaction(async (tx) => {
      const renumbered = await table.renumber(tx, { afterId: next, country: await countryNow(tx) })
      if (renumbered.changed.length > 0) await notifyChanged({ db: tx }, model, renumbered.changed)
      return renumbered
    })
    for (const problem of rows.problems ?? []) log.warn({ model, ...problem }, 'a number was not read anew')
    read += rows.read
    changed += rows.changed.length
    afterId = rows.lastId
  }
  log.info({ model, read, changed }, 'numbers were read anew')
}

/** Shared with other runs, but not with a change of the country: all numbers end with the last one. */
async function countryNow(tx: Transaction): Promise<string | undefined> {
  await tx.query(sql`select id from connect_settings order by id limit 1 for share`)
  const [row] = await tx.query<{ code: string | null }>(
    sql`select c.code from connect_settings s left join res_country c on c.id = s.country_id order by s.id limit 1`,
  )
  return row?.code ?? undefined
}
