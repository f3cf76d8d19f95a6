import { Refusal } from '../../errors.ts'
import type { Env } from '../access/env.ts'
import { isManager } from '../access/identity.ts'
import { type ColumnField, type Field, isColumn } from '../model/fields.ts'
import type { Model, Row, Values } from '../model/model.ts'
import { getField } from '../model/models.ts'
import type { Problems } from '../model/problems.ts'
import { gatherMissing } from '../model/required.ts'
import { isBlank } from '../model/values.ts'
import { isMask, secretPlace } from '../secrets/secrets.ts'
import { withCleanHtml } from './clean-html.ts'
import { toColumn, toLink } from './column-values.ts'
import { gatherDuplicates, uniqueIndexes } from './duplicates.ts'
import { findNamed, withIds } from './named-link.ts'
import { readLinkSteps, refuseOne2Many, requireLinkable } from './record-links.ts'

/** Columns that are written with each record, whatever its values are. */
const WRITTEN_BY_US = ['create_date', 'write_date', 'create_uid', 'write_uid']

/** The row that values are written to. */
interface WrittenRow {
  operation: 'create' | 'write'
  /** 0 for a new record whose id is not known yet. */
  id: number
  current: Row | undefined
}

/** The values as they are to be stored, once nothing is wrong with any of them; else one refusal for all problems. */
export async function checkedValues(
  env: Env,
  model: Model,
  complete: Values,
  row: WrittenRow,
  problems: Problems,
): Promise<{ values: Values; columns: Map<string, unknown> }> {
  const { current } = row
  const prepared = await problems.gather(undefined, () => model.prepare?.(env, complete, current) ?? complete)
  const values = withCleanHtml(model, prepared ?? complete)
  const after = { ...current, ...values }
  gatherMissing(model, after, problems)
  const columns = await columnValues(env, model, values, row, problems)
  for (const { fields, require } of model.checks ?? []) {
    if (fields.some((name) => problems.has(name))) continue
    await problems.gather(fields[0], () => require({ env, values, after, current }))
  }
  // What the database, or a later step, would refuse by itself is looked for only where it would be one of several.
  if (!problems.isEmpty) await gatherLinks(env, model, values, problems)
  const mayBeSeveral = !problems.isEmpty || (!env.identity.isElevated && uniqueIndexes(model).length > 1)
  if (mayBeSeveral) await gatherDuplicates(env, model, { ...current, ...Object.fromEntries(columns) }, row.id, problems)
  problems.throwAny()
  return { values, columns }
}

/**
 * What this identity may write in a record that is there or is made, links read as ids; without masks that came back from a
 * form, and without what is wrong.
 */
export async function acceptValues(
  env: Env,
  model: Model,
  given: Values,
  { operation, problems }: { operation: WrittenRow['operation']; problems: Problems },
): Promise<Values> {
  const accepted: Values = {}
  for (const [name, value] of Object.entries(given)) {
    await problems.gather(name, async () => {
      const field = getField(model, name)
      if (field.isProtected === true && isMask(value)) return
      requireWritable(env, model, name, field)
      if (operation === 'write') requireChangeable(env, model, name, field)
      accepted[name] = await linkedValue(env, `${model.name}.${name}`, field, value)
    })
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
  if (isBlank(value)) return null
  if (typeof value !== 'string') return toLink(path, value)
  return findNamed(env, path, env.platform.models.get(target), value.trim())
}

function requireWritable(env: Env, model: Model, name: string, field: Field): void {
  if (env.identity.isElevated) return
  const isManagers = field.isProtected === true || field.managersWrite === 'all'
  if (isManagers && !isManager(env.identity)) {
    throw new Refusal('forbidden', 'field-may-written-by-managers-only', { name, model: model.name })
  }
  if (field.groups !== undefined && !field.groups.some((group) => env.identity.groups.has(group))) {
    throw new Refusal('forbidden', 'field-not-yours-write', { name, model: model.name })
  }
  const isReadonly = field.readonly === true || (field.kind === 'computed' && field.isWritable !== true)
  if (isReadonly) throw new Refusal('refused', 'set-by-service', { name, model: model.name })
}

/** Refuses to change what the service alone changes once a record is there. */
function requireChangeable({ identity }: Env, model: Model, name: string, { changedBy }: Field): void {
  if (changedBy !== 'service' || identity.isElevated) return
  throw new Refusal('refused', 'set-by-service', { name, model: model.name })
}

export async function withDefaults(env: Env, model: Model, given: Values): Promise<Values> {
  const values: Values = { ...given }
  for (const [name, field] of Object.entries(model.fields)) {
    if (name in values) continue
    if (field.defaultSetting !== undefined) values[name] = field.defaultSetting(env.settings)
    else if (typeof field.default === 'function') values[name] = await field.default(env)
    else if (field.default !== undefined) values[name] = field.default
  }
  return values
}

async function columnValues(
  env: Env,
  model: Model,
  values: Values,
  { operation, id }: WrittenRow,
  problems: Problems,
): Promise<Map<string, unknown>> {
  const columns = new Map<string, unknown>()
  for (const [name, field] of Object.entries(model.fields)) {
    if (!isColumn(field) || field.generatedAs !== undefined || problems.has(name)) continue
    // What the model completes it could not complete without the others.
    if (field.isCompleted === true && !(name in values) && !problems.isEmpty) continue
    const isOwn = WRITTEN_BY_US.includes(name)
    await problems.gather(name, async () => {
      if (name in values) columns.set(name, await columnValue(env, model, [name, field], { value: values[name], id }))
      else if (operation === 'create' && !isOwn) columns.set(name, toColumn(`${model.name}.${name}`, field, null))
    })
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

/** Adds links to many that `writeLinks` would refuse. */
async function gatherLinks(env: Env, model: Model, values: Values, problems: Problems): Promise<void> {
  for (const [name, field] of Object.entries(model.fields)) {
    if (!(name in values) || isColumn(field)) continue
    const path = `${model.name}.${name}`
    if (field.kind === 'one2many') await problems.gather(name, () => refuseOne2Many(path, field, values[name]))
    if (field.kind !== 'many2many') continue
    await problems.gather(name, async () => {
      const added = readLinkSteps(path, values[name]).flatMap(({ kind, ids }) => (kind === 'add' ? ids : []))
      await requireLinkable(env, path, env.platform.models.get(field.target), added)
    })
  }
}
