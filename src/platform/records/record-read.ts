import { type SQL, sql } from '../../database/drizzle.ts'
import { idList } from '../../database/ids.ts'
import { Refusal } from '../../errors.ts'
import type { Env } from '../access/env.ts'
import { isManager, isWebhook } from '../access/identity.ts'
import { type ComputedField, type Field, isColumn, type Value } from '../model/fields.ts'
import type { Model, Row } from '../model/model.ts'
import { getField } from '../model/models.ts'
import { rowsOf } from '../model/rows-of.ts'
import { MASK, secretPlace } from '../secrets/secrets.ts'
import { LISTED_LINKS_MAX, requireAnswerFits, requireFewLinks } from './answer-size.ts'
import { ruleFor } from './record-links.ts'

/**
 * Rows that are read at once: ten thousand would hold the engine, everyone who waits for it and the event loop for half a second.
 */
const ROWS_AT_ONCE = 500

/** A record as the API gives it. */
export type WireRow = Record<string, unknown> & { id: number }

/** Reads rows that the caller has already checked; unknown field names are refused. */
export async function readRows(
  env: Env,
  model: Model,
  ids: readonly number[],
  { names, isLimited = false }: { names: readonly string[] | undefined; isLimited?: boolean },
): Promise<WireRow[]> {
  const fields = fieldsToRead(env, model, names)
  if (ids.length === 0) return []
  if (isLimited) await requireAnswerFits(env, model, ids, fields)
  const answers: WireRow[] = []
  /** How many records the links to many list so far, by field. */
  const listed = new Map<string, number>()
  for (let at = 0; at < ids.length; at += ROWS_AT_ONCE) {
    const piece = await loadRows(env, model, ids.slice(at, at + ROWS_AT_ONCE), fields)
    answers.push(...(await answersOf(env, model, fields, { stored: piece, listed })))
  }
  return answers
}

async function answersOf(
  env: Env,
  model: Model,
  fields: readonly [string, Field][],
  { stored, listed }: { stored: readonly Row[]; listed: Map<string, number> },
): Promise<WireRow[]> {
  const answers = stored.map((row): WireRow => ({ id: row.id }))
  for (const [name, field] of fields) {
    const values = await fieldValues(env, model, [name, field], stored)
    if (field.kind === 'many2many' || field.kind === 'one2many') {
      requireFewLinks(env.platform.models.get(field.target), countIn(listed, name, values))
    }
    for (const [at, answer] of answers.entries()) answer[name] = values[at] ?? null
  }
  return answers
}

/** Adds what is listed here to what was listed before. */
function countIn(listed: Map<string, number>, name: string, values: readonly Value[]): number {
  const here = values.reduce<number>((sum, value) => sum + (Array.isArray(value) ? value.length : 0), 0)
  const count = (listed.get(name) ?? 0) + here
  listed.set(name, count)
  return count
}

/** Names of records by id, no matter who asks: a link that one may see shows what it points at, nothing more. */
export async function displayNames(env: Env, model: Model, ids: readonly number[]): Promise<Map<number, string>> {
  const unique = [...new Set(ids)]
  if (unique.length === 0) return new Map()
  const columns = model.display.columns.map((column) => sql.identifier(column))
  const rows = await env.db.query<Row>(
    sql`select id, ${sql.join(columns, sql`, `)} from ${rowsOf(model)} where id in (${idList(unique)})`,
  )
  return new Map(rows.map((row) => [row.id, model.display.show(row)]))
}

function fieldsToRead(env: Env, model: Model, names: readonly string[] | undefined): [string, Field][] {
  if (names === undefined || names.length === 0) {
    const usual = Object.entries(model.fields).filter(([, field]) => field.isHeavy !== true && isVisible(env, field))
    return [...usual, ['display_name', DISPLAY_NAME]]
  }
  return [...new Set(names)]
    .filter((name) => name !== 'id')
    .map((name) => {
      if (name === 'display_name') return [name, DISPLAY_NAME]
      const field = getField(model, name)
      if (!isVisible(env, field)) {
        throw new Refusal('forbidden', 'field-not-yours-read', { name, model: model.name })
      }
      return [name, field]
    })
}

const DISPLAY_NAME: ComputedField = { kind: 'computed', shows: 'char', label: 'Name', depends: [], compute: () => [] }

function isVisible(env: Env, field: Field): boolean {
  if (field.groups === undefined || env.identity.isElevated) return true
  return field.groups.some((group) => env.identity.groups.has(group))
}

async function loadRows(
  env: Env,
  model: Model,
  ids: readonly number[],
  fields: readonly [string, Field][],
): Promise<Row[]> {
  const needed = new Set(fields.flatMap(([name, field]) => columnsOf(model, name, field)))
  needed.delete('id')
  const selected = [sql`id`, ...[...needed].map((name) => columnSql(model, name))]
  const rows = await env.db.query<Row>(
    sql`select ${sql.join(selected, sql`, `)} from ${rowsOf(model)} where id in (${idList(ids)})`,
  )
  const byId = new Map(rows.map((row) => [row.id, row]))
  return ids.map((id) => byId.get(id)).filter((row) => row !== undefined)
}

/** Columns that a field is made of. */
function columnsOf(model: Model, name: string, field: Field): readonly string[] {
  if (field === DISPLAY_NAME) return model.display.columns
  if (field.kind === 'computed') return field.depends
  return isColumn(field) ? [name, ...(field.shownTo?.columns ?? [])] : []
}

function columnSql(model: Model, name: string): SQL {
  const field = model.fields[name]
  if (field?.kind === 'binary') {
    return sql`replace(encode(${sql.identifier(name)}, 'base64'), chr(10), '') as ${sql.identifier(name)}`
  }
  return sql`${sql.identifier(name)}`
}

async function fieldValues(
  env: Env,
  model: Model,
  [name, field]: [string, Field],
  rows: readonly Row[],
): Promise<readonly Value[]> {
  if (field === DISPLAY_NAME) return rows.map((row) => model.display.show(row))
  const isMasked = field.isProtected === true && !isManager(env.identity)
  if (field.kind === 'computed') {
    const values = await field.compute(env, rows)
    return isMasked ? values.map((value) => masked(env, value)) : values
  }
  if (isMasked) return rows.map((row) => masked(env, row[name]))
  if (field.kind === 'many2many' || field.kind === 'one2many') return linkedIds(env, field, rows)
  if (field.kind === 'many2one') return links(env, field.target ?? '', rows, name)
  return rows.map((row) =>
    isShown(env, field, row)
      ? toWire(env, field, { stored: row[name], place: secretPlace(model.table, name, row.id) })
      : null,
  )
}

function isShown({ identity }: Env, { shownTo }: Field, row: Row): boolean {
  return shownTo === undefined || identity.isElevated || shownTo.allows(identity, row)
}

function masked(env: Env, stored: unknown): Value {
  if (isWebhook(env.identity) || stored === null || stored === undefined || stored === '') return null
  return MASK
}

function toWire(env: Env, field: Field, { stored, place }: { stored: unknown; place: string }): Value {
  if (stored === null || stored === undefined) return field.kind === 'boolean' ? false : null
  if (field.kind === 'datetime') return timeOnWire(String(stored), field.isPrecise)
  if (field.kind === 'secret') return env.platform.cipher.decrypt(String(stored), place)
  return stored as Value
}

/** The database leaves out the zeros at the end of a fraction. */
function timeOnWire(stored: string, isPrecise = false): string {
  const whole = stored.slice(0, SECONDS)
  return isPrecise ? `${whole}.${stored.slice(SECONDS + 1, SECONDS + 4).padEnd(3, '0')}` : whole
}

const SECONDS = 'YYYY-MM-DD HH:MM:SS'.length

async function links(env: Env, target: string, rows: readonly Row[], name: string): Promise<Value[]> {
  const ids = rows.map((row) => row[name]).filter((id) => typeof id === 'number')
  const names = await displayNames(env, env.platform.models.get(target), ids)
  return rows.map((row) => {
    const id = row[name]
    return typeof id === 'number' ? ([id, names.get(id) ?? ''] as object) : null
  })
}

/** Ids at the other end of a link to many, as far as the reader may see them, oldest first. */
async function linkedIds(
  env: Env,
  field: Extract<Field, { kind: 'many2many' | 'one2many' }>,
  rows: readonly Row[],
): Promise<Value[]> {
  const target = env.platform.models.get(field.target)
  const visible = ruleFor(env, target)
  if (visible === 'none') return rows.map(() => [])
  const own = idList(rows.map((row) => row.id))
  const query =
    field.kind === 'one2many'
      ? sql`select t.${sql.identifier(field.inverse)} as here, t.id as there from ${sql.identifier(target.table)} t where t.${sql.identifier(field.inverse)} in (${own})`
      : sql`select r.${sql.identifier(field.relation.here)} as here, t.id as there from ${sql.identifier(field.relation.table)} r join ${sql.identifier(target.table)} t on t.id = r.${sql.identifier(field.relation.there)} where r.${sql.identifier(field.relation.here)} in (${own})`
  const pairs = await env.db.query<{ here: number; there: number }>(
    sql`${query} ${visible === undefined ? sql`` : sql`and (${visible})`} order by t.id limit ${LISTED_LINKS_MAX + 1}::int`,
  )
  const byOwner = new Map<number, number[]>(rows.map((row) => [row.id, []]))
  for (const { here, there } of pairs) byOwner.get(here)?.push(there)
  return rows.map((row) => byOwner.get(row.id) ?? [])
}
