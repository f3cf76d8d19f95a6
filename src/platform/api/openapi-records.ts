import type { Identity } from '../access/identity.ts'
import { writtenWhen } from '../model/by-hand.ts'
import { type Field, isColumn } from '../model/fields.ts'
import type { Model } from '../model/model.ts'
import { requiredWhen } from '../model/required.ts'
import { helpOf } from './field-help.ts'

/** What every model's schemas refer to. */
export const SHARED_SCHEMAS: Readonly<Record<string, object>> = {
  Link: {
    description: 'A link as it is read: the id and the name of the record.',
    type: 'array',
    prefixItems: [{ type: 'integer' }, { type: 'string' }],
    minItems: 2,
    maxItems: 2,
  },
  WrittenLink: {
    description: 'A link as it is written: the id, the pair that was read, or a code or name that only one record has.',
    anyOf: [{ type: 'integer' }, { type: 'string' }, { $ref: '#/components/schemas/Link' }, { type: 'null' }],
  },
  Command: {
    description:
      '[6,0,ids] replaces, [5] clears, [4,id] links, [3,id] unlinks, [0,0,{...}] creates and links; links back take [0,0,{...}], [1,id,{...}] and [2,id], which create, change and remove.',
    type: 'array',
    prefixItems: [{ type: 'integer' }],
    minItems: 1,
    maxItems: 3,
  },
  WrittenLinks: {
    description: 'Many links as they are written: all ids, or commands.',
    anyOf: [
      { type: 'array', items: { type: 'integer' } },
      { type: 'array', items: { $ref: '#/components/schemas/Command' } },
    ],
  },
  Domain: {
    description: 'Conditions [field, operator, value]; "&", "|" and "!" stand before their terms.',
    type: 'array',
    items: {
      anyOf: [
        { type: 'string', enum: ['&', '|', '!'] },
        {
          type: 'array',
          prefixItems: [{ type: 'string' }, { type: 'string' }, {}],
          minItems: 3,
          maxItems: 3,
        },
      ],
    },
  },
}

/** A reference to a schema of the document. */
export function ref(name: string): { $ref: string } {
  return { $ref: `#/components/schemas/${name}` }
}

/** Names of a model's schemas in the document. */
export function schemaNames({ name }: Pick<Model, 'name'>) {
  return { read: name, create: `${name}.create`, write: `${name}.write`, field: `${name}.field` }
}

/** The schemas of a model: as it is read, created and changed, and the names of its fields. Somebody signed in sees their own. */
export function recordSchemas(model: Model, identity: Identity | undefined): Record<string, object> {
  const fields = visibleFields(model, identity)
  const names = schemaNames(model)
  const read = fields.map(([name, field]) => [name, { ...readSchema(field), ...wordsOf(model, name, field) }])
  return {
    [names.read]: {
      type: 'object',
      description: model.label,
      'x-record-name': model.display.columns,
      properties: { id: { type: 'integer' }, display_name: { type: 'string' }, ...Object.fromEntries(read) },
      required: ['id'],
    },
    [names.field]: { type: 'string', enum: ['id', 'display_name', ...fields.map(([name]) => name)] },
    [names.create]: writtenSchema(model, fields, 'creating'),
    [names.write]: writtenSchema(model, fields, 'changing'),
  }
}

function visibleFields(model: Model, identity: Identity | undefined): [string, Field][] {
  return Object.entries(model.fields).filter(([, { groups }]) => {
    if (groups?.length === 0) return false
    return identity === undefined || groups === undefined || groups.some((group) => identity.groups.has(group))
  })
}

function writtenSchema(model: Model, fields: [string, Field][], when: 'creating' | 'changing'): object {
  const written = fields.filter(([name, field]) => isWritable(model, name, field, when))
  const required = written.filter(([, field]) => requiredWhen(field) === 'creating')
  return {
    type: 'object',
    additionalProperties: false,
    properties: Object.fromEntries(written.map(([name, field]) => [name, writeSchema(field)])),
    ...(when === 'creating' && required.length > 0 ? { required: required.map(([name]) => name) } : {}),
  }
}

function isWritable(model: Model, name: string, field: Field, when: 'creating' | 'changing'): boolean {
  if (field.readonly === true || (field.kind === 'computed' && field.isWritable !== true)) return false
  const byHand = writtenWhen(model, name)
  return byHand !== 'never' && !(when === 'changing' && byHand === 'creating')
}

function wordsOf(model: Model, name: string, field: Field): object {
  const help = helpOf(model, name, field)
  return { title: field.label, ...(help === undefined ? {} : { description: help }) }
}

function writeSchema(field: Field): object {
  const kind = kindOf(field)
  if (kind === 'many2one') return ref('WrittenLink')
  if (kind === 'many2many' || kind === 'one2many') return ref('WrittenLinks')
  return plainSchema(field)
}

function readSchema(field: Field): object {
  const kind = kindOf(field)
  if (kind === 'many2one') return { anyOf: [ref('Link'), { type: 'null' }] }
  if (kind === 'many2many' || kind === 'one2many') return { type: 'array', items: { type: 'integer' } }
  return plainSchema(field)
}

function plainSchema(field: Field): object {
  switch (kindOf(field)) {
    case 'integer':
      return { type: ['integer', 'null'] }
    case 'float':
      return { type: ['number', 'null'] }
    case 'boolean':
      return { type: 'boolean' }
    case 'json':
      return {}
    case 'selection':
      if (!isColumn(field) || field.isOpen === true) return { type: ['string', 'null'] }
      return {
        type: ['string', 'null'],
        enum: [...(field.choices ?? []).map(([value]) => value), null],
        'x-labels': Object.fromEntries(field.choices ?? []),
      }
    default:
      return { type: ['string', 'null'] }
  }
}

function kindOf(field: Field): string {
  return field.kind === 'computed' ? field.shows : field.kind
}
