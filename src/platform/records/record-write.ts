import { sqlState, violated } from '../../database/database.ts'
import { type SQL, sql } from '../../database/drizzle.ts'
import { Refusal } from '../../errors.ts'
import { type Env, elevated } from '../access/env.ts'
import { isManager } from '../access/identity.ts'
import { requireByHand } from '../model/by-hand.ts'
import { type ColumnField, type Field, isColumn } from '../model/fields.ts'
import type { Model, Row, Values } from '../model/model.ts'
import { getField } from '../model/models.ts'
import { requireCases } from '../model/required.ts'
import { uniqueIndexName } from '../model/tables.ts'
import { isMask, secretPlace } from '../secrets/secrets.ts'
import { withCleanHtml } from './clean-html.ts'
import { toColumn, toLink } from './column-values.ts'
import { findNamed, withIds } from './named-link.ts'
import { refuseOne2Many, requireLinkable, writeLinks } from './record-links.ts'

const UNIQUE_VIOLATION = '23505'
const FOREIGN_KEY_VIOLATION = '23503'
/** What PostgreSQL 18 says instead when the record that is still used is being removed. */
const RESTRICT_VIOLATION = '23001'
const NOT_NULL_VIOLATION = '23502'
const DATA_EXCEPTIONS = '22'

/** Creates one record from what somebody wrote; the caller has checked the access to the model. */
export async function createRecord(env: Env, model: Model, given: Values): Promise<number> {
  const accepted = await acceptValues(env, model, given)
  requireByHand(env, model, accepted, undefined)
  const complete = await withDefaults(env, model, accepted)
  const values = withCleanHtml(model, (await model.prepare?.(env, complete, undefined)) ?? complete)
  requireCases(model, values)
  const reserved = await reserveId(env, model)
  const columns = await columnValues(env, model, values, { operation: 'create', id: reserved ?? 0 })
  if (reserved !== undefined) columns.set('id', reserved)
  columns.set('create_uid', env.identity.userId > 0 ? env.identity.userId : null)
  const id = await insertRow(env, model, columns)
  await writeAllLinks(env, model, id, values)
  await model.saved?.(env, { id, values, isNew: true, previous: undefined })
  await announce(env, model, [id])
  return id
}

/** Changes records; the caller has checked access and locked the rows. */
export async function writeRecords(env: Env, model: Model, ids: readonly number[], given: Values): Promise<void> {
  const accepted = await acceptValues(env, model, given)
  for (const id of ids) await writeRecord(env, model, id, accepted)
  await announce(env, model, ids)
}

/** Removes records; the caller has checked access and locked the rows. */
export async function removeRecords(env: Env, model: Model, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return
  const list = sql.join(
    ids.map((id) => sql`${id}::bigint`),
    sql`, `,
  )
  await removeCompanions(env, model, list)
  await model.removing?.(env, ids)
  await guarded(env, model, () => env.db.query(sql`delete from ${sql.identifier(model.table)} where id in (${list})`))
  await announce(env, model, ids)
}

/** The database would remove them too, but not what hangs on them at a provider. */
async function removeCompanions(env: Env, gone: Model, list: SQL): Promise<void> {
  for (const model of env.platform.models) {
    for (const name of model.goesWith ?? []) {
      if (model.fields[name]?.target !== gone.name) continue
      const rows = await env.db.query<{ id: number }>(
        sql`select id from ${sql.identifier(model.table)} where ${sql.identifier(name)} in (${list}) order by id`,
      )
      // Whoever may remove a record removes what cannot be without it.
      await removeRecords(
        elevated(env),
        model,
        rows.map(({ id }) => id),
      )
    }
  }
}

async function writeRecord(env: Env, model: Model, id: number, accepted: Values): Promise<void> {
  const current = await loadStored(env, model, id)
  requireByHand(env, model, accepted, current)
  const values = withCleanHtml(model, (await model.prepare?.(env, { ...accepted }, current)) ?? accepted)
  requireCases(model, { ...current, ...values })
  const columns = await columnValues(env, model, values, { operation: 'write', id })
  columns.set('write_date', sql`(now() at time zone 'utc')`)
  const assignments = [...columns].map(([name, value]) => sql`${sql.identifier(name)} = ${asSql(value)}`)
  await guarded(env, model, () =>
    env.db.query(
      sql`update ${sql.identifier(model.table)} set ${sql.join(assignments, sql`, `)} where id = ${id}::bigint`,
    ),
  )
  await writeAllLinks(env, model, id, values)
  await model.saved?.(env, { id, values, isNew: false, previous: current })
}

/** Refuses what this identity may not write, by name; leaves out masks that came back from a form; reads links as ids. */
async function acceptValues(env: Env, model: Model, given: Values): Promise<Values> {
  const accepted: Values = {}
  for (const [name, value] of Object.entries(given)) {
    const field = getField(model, name)
    if (field.isProtected === true && isMask(value)) continue
    requireWritable(env, model, name, field)
    accepted[name] = await linkedValue(env, `${model.name}.${name}`, field, value)
  }
  return accepted
}

async function linkedValue(env: Env, path: string, field: Field, value: unknown): Promise<unknown> {
  if (field.kind === 'many2one') return linkedId(env, path, field, value)
  if (field.kind === 'many2many') return withIds(env, path, env.platform.models.get(field.target), value)
  return value
}

/** The id that a link to one record was written as: an id, the pair that was read, or what names one record only. */
async function linkedId(env: Env, path: string, { target = '' }: ColumnField, value: unknown): Promise<number | null> {
  if (value === null || value === undefined || value === false || value === '') return null
  if (typeof value !== 'string') return toLink(path, value)
  return findNamed(env, path, env.platform.models.get(target), value.trim())
}

function requireWritable(env: Env, model: Model, name: string, field: Field): void {
  if (env.identity.isElevated) return
  const isManagers = field.isProtected === true || field.isWrittenByManagers === true
  if (isManagers && !isManager(env.identity)) {
    throw new Refusal('forbidden', `The field "${name}" of ${model.name} may be written by managers only.`)
  }
  if (field.groups !== undefined && !field.groups.some((group) => env.identity.groups.has(group))) {
    throw new Refusal('forbidden', `The field "${name}" of ${model.name} is not yours to write.`)
  }
  const isReadonly = field.readonly === true || (field.kind === 'computed' && field.isWritable !== true)
  if (isReadonly) throw new Refusal('refused', `The field "${name}" of ${model.name} is set by the service.`)
}

async function withDefaults(env: Env, model: Model, given: Values): Promise<Values> {
  const values: Values = { ...given }
  for (const [name, field] of Object.entries(model.fields)) {
    if (name in values || field.default === undefined) continue
    values[name] = typeof field.default === 'function' ? await field.default(env) : field.default
  }
  return values
}

async function columnValues(
  env: Env,
  model: Model,
  values: Values,
  { operation, id }: { operation: 'create' | 'write'; id: number },
): Promise<Map<string, unknown>> {
  const columns = new Map<string, unknown>()
  for (const [name, field] of Object.entries(model.fields)) {
    if (!isColumn(field)) continue
    const isKept = name === 'create_date' || name === 'write_date' || name === 'create_uid'
    if (name in values) columns.set(name, await columnValue(env, model, [name, field], { value: values[name], id }))
    else if (operation === 'create' && !isKept) columns.set(name, toColumn(`${model.name}.${name}`, field, null))
  }
  return columns
}

async function columnValue(
  env: Env,
  model: Model,
  [name, field]: [string, ColumnField],
  { value, id }: { value: unknown; id: number },
): Promise<unknown> {
  const path = `${model.name}.${name}`
  const stored = toColumn(path, field, value)
  if (stored === null) return null
  if (field.kind === 'many2one')
    await requireLinkable(env, path, env.platform.models.get(field.target ?? ''), [stored as number])
  if (field.kind === 'secret') return env.platform.cipher.encrypt(String(stored), secretPlace(model.table, name, id))
  return stored
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

async function loadStored(env: Env, model: Model, id: number): Promise<Row> {
  const rows = await env.db.query<Row>(sql`select * from ${sql.identifier(model.table)} where id = ${id}::bigint`)
  const row = rows[0]
  if (row === undefined) throw new Refusal('not-found', `There is no record ${id} in ${model.name}.`)
  return row
}

function asSql(value: unknown): SQL {
  return typeof value === 'object' && value !== null && 'queryChunks' in value ? (value as SQL) : sql`${value}`
}

/** Tells every open page that records changed. */
async function announce(env: Env, model: Model, ids: readonly number[]): Promise<void> {
  const IDS_TOLD_MAX = 100
  await env.db.notify('connect_records', JSON.stringify({ model: model.name, ids: ids.slice(0, IDS_TOLD_MAX) }))
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
      return new Refusal('conflict', takenMessage(model, constraint), { cause: error })
    case FOREIGN_KEY_VIOLATION:
    case RESTRICT_VIOLATION:
      return new Refusal('conflict', usedMessage(env, model, table), { cause: error })
    case NOT_NULL_VIOLATION:
      return new Refusal('refused', `"${model.name}.${column ?? 'a field'}" is required.`, { cause: error })
    default:
      if (!state.startsWith(DATA_EXCEPTIONS)) return undefined
      return new Refusal('refused', `A value for ${model.name} cannot be stored.`, { cause: error })
  }
}

function usedMessage(env: Env, model: Model, table: string | undefined): string {
  const user = [...env.platform.models].find((each) => each.table === table && each !== model)
  if (user !== undefined) return `The record of ${model.name} is still used by a record of ${user.name}.`
  return `The record of ${model.name} is still used, or names one that does not exist.`
}

/** The sentence that the model itself has for the index goes before our own. */
function takenMessage(model: Model, constraint: string | undefined): string {
  const index = model.indexes?.find((each) => constraint === uniqueIndexName(model.table, each.columns))
  if (index?.message !== undefined) return index.message
  const field = Object.keys(model.fields).find((name) => constraint === uniqueIndexName(model.table, [name]))
  const columns = index?.columns ?? (field === undefined ? ['values'] : [field])
  return `Another record of ${model.name} has the same ${columns.map((each) => `"${each}"`).join(' and ')}.`
}
