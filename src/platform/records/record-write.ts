import { sqlState, violated } from '../../database/database.ts'
import { type SQL, sql } from '../../database/drizzle.ts'
import { idList } from '../../database/ids.ts'
import { Refusal } from '../../errors.ts'
import { type Said, sayRefusal } from '../../refusals.ts'
import { type Env, elevated } from '../access/env.ts'
import { changesOf } from '../audit/changes.ts'
import { writeAudit } from '../audit/write-audit.ts'
import { clearTrackedLinks } from '../chatter/lost-links.ts'
import { postChanges } from '../chatter/tracked.ts'
import { requireByHand } from '../model/by-hand.ts'
import type { Model, Row, Values } from '../model/model.ts'
import { Problems } from '../model/problems.ts'
import { writerOf } from '../model/written-by.ts'
import { sayDuplicate } from './duplicates.ts'
import { notifyChanged, notifyGone } from './notify-changed.ts'
import { refuseOne2Many, writeLinks } from './record-links.ts'
import { displayNames } from './record-read.ts'
import { acceptValues, checkedValues, withDefaults } from './record-values.ts'
import { isPart, lookLater, noteParts } from './together.ts'

const UNIQUE_VIOLATION = '23505'
const FOREIGN_KEY_VIOLATION = '23503'
/** What PostgreSQL 18 says instead when the record that is still used is being removed. */
const RESTRICT_VIOLATION = '23001'
const NOT_NULL_VIOLATION = '23502'
const DATA_EXCEPTIONS = '22'

/** Creates one record from what somebody wrote; the caller has checked the access to the model. */
export async function createRecord(env: Env, model: Model, given: Values): Promise<number> {
  const problems = new Problems()
  const accepted = await acceptValues(env, model, given, { operation: 'create', problems })
  await problems.gather(undefined, () => requireByHand(env, model, accepted, undefined))
  const complete = await withDefaults(env, model, accepted)
  const reserved = await reserveId(env, model)
  const row = { operation: 'create', id: reserved ?? 0, current: undefined } as const
  const { values, columns } = await checkedValues(env, model, complete, row, problems)
  if (!env.identity.isElevated && Object.keys(given).length === 0) {
    throw new Refusal('refused', 'api-empty-record', { model: model.name })
  }
  if (reserved !== undefined) columns.set('id', reserved)
  columns.set('create_uid', writerOf(env))
  columns.set('write_uid', writerOf(env))
  const id = await insertRow(env, model, columns)
  await writeAllLinks(env, model, id, values)
  await model.saved?.(env, { id, values, isNew: true, previous: undefined })
  lookLater(env, model, values, undefined)
  noteParts(env, model, [values])
  writeAudit(env, [{ model: model.name, id, what: 'create', changes: changesOf(model, {}, columns) }])
  await notifyChanged(env, model.name, [id])
  return id
}

/** Changes records; the caller has checked access and locked the rows. */
export async function writeRecords(env: Env, model: Model, ids: readonly number[], given: Values): Promise<void> {
  const problems = new Problems()
  const accepted = await acceptValues(env, model, given, { operation: 'write', problems })
  for (const id of ids) await writeRecord(env, model, id, accepted, problems)
  await notifyChanged(env, model.name, ids)
}

/** Removes records; the caller has checked access and locked the rows. */
export async function removeRecords(env: Env, model: Model, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return
  const names = model.isAboutPeople === true ? undefined : await displayNames(env, model, ids)
  await removeCompanions(env, model, ids)
  await model.removing?.(env, ids)
  await clearTrackedLinks(env, model, ids)
  if (isPart(env.platform, model)) noteParts(env, model, await listStored(env, model, ids))
  await guarded(env, model, () =>
    env.db.query(sql`delete from ${sql.identifier(model.table)} where id in (${idList(ids)})`),
  )
  const gone = (id: number): object => ({ display_name: [names?.get(id) ?? null, null] })
  writeAudit(
    env,
    ids.map((id) => ({ model: model.name, id, what: 'unlink', changes: names && gone(id) })),
  )
  await notifyGone(env, model.name, ids)
}

/** The database would remove them too, but not what hangs on them at a provider. */
async function removeCompanions(env: Env, gone: Model, ids: readonly number[]): Promise<void> {
  for (const model of env.platform.models) {
    for (const name of model.goesWith ?? []) {
      if (model.fields[name]?.target !== gone.name) continue
      const rows = await env.db.query<{ id: number }>(
        sql`select id from ${sql.identifier(model.table)} where ${sql.identifier(name)} in (${idList(ids)}) order by id`,
      )
      // Anyone who may remove a record removes what cannot be without it.
      await removeRecords(
        elevated(env),
        model,
        rows.map(({ id }) => id),
      )
    }
  }
}

async function writeRecord(env: Env, model: Model, id: number, accepted: Values, earlier: Problems): Promise<void> {
  const current = await loadStored(env, model, id)
  const problems = earlier.copy()
  await problems.gather(undefined, () => requireByHand(env, model, accepted, current))
  const row = { operation: 'write', id, current } as const
  const { values, columns } = await checkedValues(env, model, { ...accepted }, row, problems)
  columns.set('write_date', sql`(now() at time zone 'utc')`)
  columns.set('write_uid', writerOf(env))
  const assignments = [...columns].map(([name, value]) => sql`${sql.identifier(name)} = ${asSql(value)}`)
  await guarded(env, model, () =>
    env.db.query(
      sql`update ${sql.identifier(model.table)} set ${sql.join(assignments, sql`, `)} where id = ${id}::bigint`,
    ),
  )
  await writeAllLinks(env, model, id, values)
  writeAudit(env, [
    {
      model: model.name,
      id,
      what: 'write',
      changes: changesOf(model, current, columnsAndLinks(model, columns, values)),
    },
  ])
  await postChanges(env, model, current, columns)
  await model.saved?.(env, { id, values, isNew: false, previous: current })
  lookLater(env, model, values, current)
  noteParts(env, model, [current, values])
}

/** Columns as they are stored, and links to many as they were given. */
function columnsAndLinks(model: Model, columns: ReadonlyMap<string, unknown>, values: Values): [string, unknown][] {
  const links = Object.entries(values).filter(([name]) => model.fields[name]?.kind === 'many2many')
  return [...columns, ...links]
}

async function writeAllLinks(env: Env, model: Model, id: number, values: Values): Promise<void> {
  for (const [name, field] of Object.entries(model.fields)) {
    if (!(name in values)) continue
    const path = `${model.name}.${name}`
    if (field.kind === 'one2many') refuseOne2Many(path, field, values[name])
    if (field.kind === 'many2many') await writeLinks(env, { path, id, field }, values[name])
  }
}

/** The id before the row is there, where a secret has to carry it; undefined for models without one. */
async function reserveId(env: Env, { table, fields }: Model): Promise<number | undefined> {
  if (!Object.values(fields).some(({ kind }) => kind === 'secret')) return undefined
  const [row] = await env.db.query<{ id: number }>(sql`select nextval(${`${table}_id_seq`}::regclass)::bigint as id`)
  if (row === undefined) throw new Error(`${table} gives no ids`)
  return row.id
}

async function insertRow(env: Env, model: Model, columns: Map<string, unknown>): Promise<number> {
  const names = [...columns.keys()].map((name) => sql.identifier(name))
  const values = [...columns.values()].map(asSql)
  const rows = await guarded(env, model, () =>
    env.db.query<{ id: number }>(
      sql`insert into ${sql.identifier(model.table)} (${sql.join(names, sql`, `)}) values (${sql.join(values, sql`, `)}) returning id`,
    ),
  )
  const id = rows[0]?.id
  if (id === undefined) throw new Error(`${model.name}: the insert gave no id`)
  return id
}

async function listStored(env: Env, model: Model, ids: readonly number[]): Promise<Row[]> {
  return env.db.query<Row>(sql`select * from ${sql.identifier(model.table)} where id in (${idList(ids)})`)
}

async function loadStored(env: Env, model: Model, id: number): Promise<Row> {
  const rows = await env.db.query<Row>(sql`select * from ${sql.identifier(model.table)} where id = ${id}::bigint`)
  const row = rows[0]
  if (row === undefined) throw new Refusal('not-found', 'no-record', { id, model: model.name })
  return row
}

function asSql(value: unknown): SQL {
  return typeof value === 'object' && value !== null && 'queryChunks' in value ? (value as SQL) : sql`${value}`
}

/** Turns what the database refuses into a sentence that names the field. */
async function guarded<Result>(env: Env, model: Model, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    throw refusalOf(env, model, error) ?? error
  }
}

function refusalOf(env: Env, model: Model, error: unknown): Refusal | undefined {
  const { constraint, column, table } = violated(error)
  const state = sqlState(error) ?? ''
  switch (state) {
    case UNIQUE_VIOLATION:
      return Refusal.saying('conflict', sayDuplicate(model, constraint), { cause: error })
    case FOREIGN_KEY_VIOLATION:
    case RESTRICT_VIOLATION:
      return Refusal.saying('conflict', sayUsed(env, model, table), { cause: error })
    case NOT_NULL_VIOLATION:
      return new Refusal('refused', 'required', { path: `${model.name}.${column ?? 'a field'}` }, { cause: error })
    default:
      if (!state.startsWith(DATA_EXCEPTIONS)) return undefined
      return new Refusal('refused', 'value-for-cannot-stored', { model: model.name }, { cause: error })
  }
}

function sayUsed(env: Env, model: Model, table: string | undefined): Said {
  const user = [...env.platform.models].find((each) => each.table === table && each !== model)
  if (user !== undefined) return sayRefusal('still-used', { model: model.name, user: user.name })
  return sayRefusal('still-used-somewhere', { model: model.name })
}
