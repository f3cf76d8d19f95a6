import type { Model } from '../model/model.ts'
import { ref, schemaNames } from './openapi-records.ts'

/** The records a call is about, which every method takes. */
export const IDS = { type: 'array', items: { type: 'integer' }, description: 'The records it is about.' }
/** Hints such as `tz`, which every method takes. */
export const CONTEXT = { type: 'object', additionalProperties: true }

interface Shape {
  /** Arguments that the document shows more exactly than they are checked at first. */
  args?: Record<string, object>
  reply: object
}

const INTEGERS = { type: 'array', items: { type: 'integer' } }
const DONE = { type: 'boolean', const: true }
const DOMAIN = { domain: ref('Domain') }

/** Properties of one type. */
function typed(type: string | readonly string[], ...names: readonly string[]): Record<string, object> {
  return Object.fromEntries(names.map((name) => [name, { type }]))
}

const TEXT_OR_NULL = ['string', 'null'] as const

/** A field as `fields_get` describes it. */
const DESCRIBED_FIELD = {
  type: 'object',
  properties: {
    ...typed('string', 'name', 'type', 'string', 'pattern', 'pattern_says', 'section', 'widget'),
    ...typed(TEXT_OR_NULL, 'help', 'hint'),
    ...typed('boolean', 'required', 'readonly', 'writable', 'searchable', 'sortable', 'indexed', 'heavy'),
    ...typed('number', 'min', 'max'),
    ...typed('integer', 'max_length'),
    domain: {
      type: 'array',
      items: {},
      description:
        'What a picker offers for a link: `{"of": "team_id"}` stands for the value of that field of the record.',
    },
    required_when: { anyOf: [{ type: 'string', const: 'creating' }, ref('Domain')] },
  },
  additionalProperties: true,
}
/** A group as `read_group` gives it: beside the count, what was asked for by its name. */
const GROUP = {
  type: 'object',
  properties: { __count: { type: 'integer' } },
  required: ['__count'],
  additionalProperties: true,
}
/** A post as `message_list` gives it. */
const POST = {
  type: 'object',
  properties: {
    ...typed('integer', 'id', 'res_id'),
    ...typed('string', 'message_type', 'date'),
    ...typed(TEXT_OR_NULL, 'body', 'subtype', 'author', 'edited_at'),
    author_id: { type: ['integer', 'null'] },
    connect_message: { type: ['integer', 'null'] },
    is_mine: { type: 'boolean', description: 'A note of one’s own, which may be changed and deleted.' },
    kind: { type: 'string', enum: ['change', 'note', 'event', 'message'] },
    text: { type: 'string', description: 'The body without its marks.' },
    attachments: {
      type: 'array',
      items: {
        type: 'object',
        properties: { ...typed('integer', 'id', 'bytes'), ...typed('string', 'name', 'type', 'url') },
        required: ['id', 'name', 'type', 'bytes', 'url'],
      },
    },
    text_message: {
      type: ['object', 'null'],
      description: 'The text message that the post is, and how far it has come.',
      properties: {
        ...typed('integer', 'id'),
        ...typed('string', 'channel', 'ours', 'theirs'),
        ...typed(TEXT_OR_NULL, 'direction', 'status', 'error_code', 'error_message'),
        sender: { anyOf: [ref('Link'), { type: 'null' }] },
      },
      required: ['id', 'channel', 'ours', 'theirs', 'direction', 'status', 'error_code', 'error_message', 'sender'],
    },
    changes: {
      type: ['array', 'null'],
      items: {
        type: 'object',
        properties: { ...typed('string', 'field'), ...typed(TEXT_OR_NULL, 'from', 'to') },
        required: ['field', 'from', 'to'],
      },
    },
  },
  required: [
    'id',
    'res_id',
    'body',
    'message_type',
    'subtype',
    'author',
    'date',
    'is_mine',
    'kind',
    'text',
    'text_message',
    'attachments',
  ],
}
/** A method as `methods_get` describes it. */
const DESCRIBED_METHOD = {
  type: 'object',
  properties: {
    ...typed('string', 'label', 'takes', 'confirm'),
    ...typed('object', 'arguments'),
    ...typed('boolean', 'allowed', 'danger'),
  },
  required: ['label', 'arguments', 'takes', 'allowed'],
}
/** What a deletion does to the records that are linked to those that go. */
const CONSEQUENCE = {
  type: 'object',
  properties: {
    ...typed('string', 'model', 'label'),
    what: { type: 'string', enum: ['deleted', 'kept', 'refused'] },
    ...typed('integer', 'count'),
  },
  required: ['model', 'label', 'what', 'count'],
}

/** What the methods that every model has take and answer, in the terms of a model; undefined for a method of its own. */
export function genericShape(model: Model, method: string): Shape | undefined {
  if (Object.hasOwn(model.methods ?? {}, method)) return undefined
  const names = schemaNames(model)
  const rows = { type: 'array', items: ref(names.read) }
  const fields = { type: ['array', 'null'], items: ref(names.field) }
  const created = ref(names.create)
  const shapes: Readonly<Record<string, Shape>> = {
    search: { args: DOMAIN, reply: INTEGERS },
    search_count: { args: DOMAIN, reply: { type: 'integer' } },
    search_read: { args: { ...DOMAIN, fields }, reply: rows },
    read_group: { args: DOMAIN, reply: { type: 'array', items: GROUP } },
    read: { args: { fields }, reply: rows },
    create: {
      args: { vals_list: { anyOf: [created, { type: 'array', items: created }] } },
      reply: { anyOf: [{ type: 'integer' }, INTEGERS] },
    },
    write: { args: { vals: ref(names.write) }, reply: DONE },
    unlink: { reply: DONE },
    fields_get: { args: { allfields: fields }, reply: { type: 'object', additionalProperties: DESCRIBED_FIELD } },
    name_search: { args: DOMAIN, reply: { type: 'array', items: ref('Link') } },
    methods_get: { reply: { type: 'object', additionalProperties: DESCRIBED_METHOD } },
    consequences: { reply: { type: 'array', items: CONSEQUENCE } },
    message_edit: { reply: DONE },
    message_delete: { reply: DONE },
    message_post: { reply: { type: 'integer' } },
    message_list: { reply: { type: 'array', items: POST } },
  }
  return shapes[method]
}
