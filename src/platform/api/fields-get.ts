import type { Env } from '../access/env.ts'
import { writtenWhen } from '../model/by-hand.ts'
import type { Field } from '../model/fields.ts'
import type { Model } from '../model/model.ts'
import { getField } from '../model/models.ts'
import { requiredWhen } from '../model/required.ts'

/** Descriptions of a model's fields, as screens and clients need them; fields of other groups are left out. */
export function fieldsGet(
  env: Env,
  model: Model,
  { attributes, names }: { attributes: string[] | undefined; names: string[] | undefined },
): Record<string, Record<string, unknown>> {
  const asked = names ?? Object.keys(model.fields)
  const described = asked
    .map((name) => [name, getField(model, name)] as const)
    .filter(([, field]) => field.groups === undefined || field.groups.some((group) => env.identity.groups.has(group)))
    .map(([name, field]) => [name, pick(describe(model, name, field), attributes)] as const)
  const id = { name: 'id', type: 'integer', string: 'ID', required: false, readonly: true, store: true }
  return Object.fromEntries(names === undefined ? [['id', pick(id, attributes)], ...described] : described)
}

function describe(model: Model, name: string, field: Field): Record<string, unknown> {
  const isComputed = field.kind === 'computed'
  const when = writtenWhen(model, name)
  const needed = requiredWhen(field)
  return {
    name,
    type: wireType(field),
    string: field.label,
    help: field.help ?? null,
    required: field.required === true,
    readonly: field.readonly === true || when === 'never' || (isComputed && field.isWritable !== true),
    ...(when === 'creating' || when === 'drafting' ? { written_when: when } : {}),
    ...(needed === undefined ? {} : { required_when: needed }),
    store: !isComputed,
    protected: field.isProtected === true,
    secret: field.kind === 'secret',
    ...('target' in field && field.target !== undefined ? { relation: field.target } : {}),
    ...(field.kind === 'one2many' ? { relation_field: field.inverse } : {}),
    ...('choices' in field ? { selection: field.choices } : {}),
  }
}

function wireType(field: Field): string {
  if (field.kind === 'computed') return field.shows
  return field.kind === 'secret' ? 'char' : field.kind
}

function pick(description: Record<string, unknown>, attributes: string[] | undefined): Record<string, unknown> {
  if (attributes === undefined || attributes.length === 0) return description
  return Object.fromEntries(Object.entries(description).filter(([key]) => attributes.includes(key)))
}
