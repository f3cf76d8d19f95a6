import { Refusal } from '../../errors.ts'
import type { Env } from '../access/env.ts'
import { type Identity, isManager } from '../access/identity.ts'
import { writtenWhen } from '../model/by-hand.ts'
import { type ColumnField, type Field, isColumn } from '../model/fields.ts'
import type { Model } from '../model/model.ts'
import { getField } from '../model/models.ts'
import { requiredWhen } from '../model/required.ts'
import { requireSearchable } from '../records/domain.ts'
import { helpOf } from './field-help.ts'
import { sectionOf, widgetOf } from './field-places.ts'

/** Descriptions of a model's fields, as screens and clients need them; fields of other groups are left out. */
export function fieldsGet(
  env: Env,
  model: Model,
  { attributes, names }: { attributes: string[] | undefined; names: string[] | undefined },
): Record<string, Record<string, unknown>> {
  // Whatever is named twice is described once.
  const asked = new Set(names ?? Object.keys(model.fields))
  const wanted = attributes && new Set(attributes)
  const described = [...asked]
    .map((name) => [name, getField(model, name)] as const)
    .filter(([, field]) => field.groups === undefined || field.groups.some((group) => env.identity.groups.has(group)))
    .map(([name, field]) => [name, pick(describe(env, model, name, field), wanted)] as const)
  const id = {
    name: 'id',
    type: 'integer',
    string: 'ID',
    help: null,
    hint: null,
    required: false,
    readonly: true,
    store: true,
  }
  return Object.fromEntries(names === undefined ? [['id', pick(id, wanted)], ...described] : described)
}

function describe(env: Env, model: Model, name: string, field: Field): Record<string, unknown> {
  const isComputed = field.kind === 'computed'
  const needed = requiredWhen(field)
  return {
    name,
    type: wireType(field),
    string: field.label,
    help: helpOf(model, name, field) ?? null,
    hint: field.help ?? null,
    required: field.required === true,
    ...usesOf(env.identity, model, name, field),
    section: sectionOf(model, name, field),
    ...widgetOf(name, field),
    ...(needed === undefined ? {} : { required_when: needed }),
    store: !isComputed,
    protected: field.isProtected === true,
    secret: field.kind === 'secret',
    ...('target' in field && field.target !== undefined ? { relation: field.target } : {}),
    ...(field.offers === undefined ? {} : { domain: field.offers }),
    ...(field.kind === 'one2many' ? { relation_field: field.inverse, parts: field.hasParts === true } : {}),
    ...('choices' in field ? { selection: field.choices } : {}),
    ...(isColumn(field) ? limitsOf(field) : {}),
    ...defaultOf(env, field),
  }
}

/** Who writes the field, and what else can be done with it. */
function usesOf(identity: Identity, model: Model, name: string, field: Field): Record<string, unknown> {
  const isComputed = field.kind === 'computed'
  const when = mayWriteStored(identity, field) ? writtenWhen(model, name) : 'creating'
  const isReadonly = field.readonly === true || when === 'never' || (isComputed && field.isWritable !== true)
  const isManagers = field.isProtected === true || ['all', 'changes'].includes(field.managersWrite ?? '')
  const canSearch = isSearchable(identity, model, name, field)
  return {
    readonly: isReadonly,
    writable: !isReadonly && (!isManagers || isManager(identity)),
    ...(when === 'creating' || when === 'drafting' ? { written_when: when } : {}),
    searchable: canSearch && isCondition(field),
    sortable: canSearch && isColumn(field),
    indexed: isColumn(field) && hasIndex(model, name, field),
    heavy: field.isHeavy === true,
  }
}

/** What is worked out is searched by where it is a condition on the row. */
function isCondition(field: Field): boolean {
  return field.kind !== 'computed' || field.isSo !== undefined
}

/** Whether it is written of a record that is there, and not of a new one only. */
function mayWriteStored(identity: Identity, { managersWrite }: Field): boolean {
  return managersWrite !== 'once stored' || isManager(identity)
}

/** Whether a list can be sorted by it, however long it is. */
function hasIndex({ indexes = [] }: Model, name: string, { isIndexed, isUnique }: ColumnField): boolean {
  return (
    isIndexed === true ||
    isIndexed === 'folded' ||
    isUnique === true ||
    indexes.some(({ columns, where }) => columns[0] === name && !where)
  )
}

/** What a value may be, so that a form can say it while somebody types. */
function limitsOf({ min, max, maxLength, pattern }: ColumnField): Record<string, unknown> {
  return {
    ...(min === undefined ? {} : { min }),
    ...(max === undefined ? {} : { max }),
    ...(maxLength === undefined ? {} : { max_length: maxLength }),
    ...(pattern === undefined ? {} : { pattern: pattern.matches.source, pattern_says: pattern.says }),
  }
}

/** What a new record has when nothing is said; nothing where that is worked out when it is made. */
function defaultOf({ settings }: Env, { default: value, defaultSetting, isProtected, kind }: Field) {
  if (defaultSetting !== undefined) return { default: defaultSetting(settings) }
  const isKnown = value !== undefined && typeof value !== 'function' && isProtected !== true && kind !== 'binary'
  return isKnown ? { default: value } : {}
}

/** Asked of the one place that refuses, so that both agree. */
function isSearchable(identity: Identity, model: Model, name: string, field: Field): boolean {
  try {
    requireSearchable(identity, model, name, field)
    return true
  } catch (error) {
    if (error instanceof Refusal) return false
    throw error
  }
}

function wireType(field: Field): string {
  if (field.kind === 'computed') return field.shows
  return field.kind === 'secret' ? 'char' : field.kind
}

function pick(description: Record<string, unknown>, wanted: ReadonlySet<string> | undefined): Record<string, unknown> {
  if (wanted === undefined || wanted.size === 0) return description
  return Object.fromEntries(Object.entries(description).filter(([key]) => wanted.has(key)))
}
