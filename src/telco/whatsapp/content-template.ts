import { isDeepStrictEqual } from 'node:util'
import { Refusal } from '../../errors.ts'
import { parseJson } from '../../json.ts'
import { boolean, char, datetime, json, many2one, selection, text } from '../../platform/model/fields.ts'
import { defineModel, type Row, type Values } from '../../platform/model/model.ts'
import { runButton } from '../../sync/requests.ts'
import { TELCO } from '../sync/telco.ts'

/** The provider's names of content types; those without a slash are its own. */
export const CONTENT_TYPES = [
  ['text', 'Text'],
  ['media', 'Media'],
  ['location', 'Location'],
  ['list-picker', 'List picker'],
  ['call-to-action', 'Call to action'],
  ['quick-reply', 'Quick reply'],
  ['card', 'Card'],
  ['carousel', 'Carousel'],
  ['catalog', 'Catalogue'],
  ['pay', 'Payment'],
  ['flows', 'Flow'],
  ['whatsapp/authentication', 'WhatsApp authentication'],
  ['whatsapp/card', 'WhatsApp card'],
] as const

export const TEMPLATE_STATUSES = [
  ['missing', 'Missing at Twilio'],
  ['unsubmitted', 'Not submitted'],
  ['received', 'Received'],
  ['pending', 'Pending'],
  ['approved', 'Approved'],
  ['rejected', 'Rejected'],
  ['paused', 'Paused'],
  ['disabled', 'Disabled'],
] as const

/** What somebody approved: it cannot be changed under the approval. */
const CONTENT = ['friendly_name', 'language', 'content_type', 'variables', 'actions', 'media', 'body'] as const
const EDITABLE_STATUSES = ['unsubmitted', 'rejected']

const BODY_CHARS_MAX = 20_000
/** A template is taken over with what the provider says of it. */
const REPORTED = { changedBy: 'service' } as const

/** A message that may be sent on WhatsApp at any time, once it was approved. */
export const contentTemplateModel = defineModel({
  name: 'connect.message_content_template',
  label: 'WhatsApp template',
  order: 'id desc',
  display: { columns: ['friendly_name'], show: (row) => String(row.friendly_name) },
  fields: {
    friendly_name: char('Name', { required: true }),
    language: many2one('Language', 'res.lang', { required: true, onDelete: 'restrict', isIndexed: false }),
    sender_id: many2one('Sender', 'connect.whatsapp_sender', { isIndexed: false }),
    model_id: char('For', {
      help: 'Where the template is offered, such as contacts.',
    }),
    content_type: selection('Content', CONTENT_TYPES, { required: true, default: 'text' }),
    category: selection(
      'Category',
      { UTILITY: 'Utility', AUTHENTICATION: 'Authentication', MARKETING: 'Marketing' },
      { default: 'UTILITY' },
    ),
    variables: json('Variables', {
      widget: 'texts_by_name',
      help: 'A sample text for each placeholder, such as Zoe for 1.',
    }),
    actions: json('Actions', { widget: 'template_content', help: 'The buttons, as a JSON list.' }),
    media: json('Media of the card', {
      widget: 'texts',
      help: 'Addresses that everyone can open, with or without placeholders. Those of other kinds are among the actions.',
    }),
    body: text('Text', { maxLength: BODY_CHARS_MAX }),
    sid: char('Template SID', { ...REPORTED, isIndexed: true }),
    approval_create_url: char('Submit URL', { ...REPORTED, maxLength: 2_000 }),
    approval_fetch_url: char('Approval URL', { ...REPORTED, maxLength: 2_000 }),
    date_created: datetime('Created at Twilio', REPORTED),
    date_updated: datetime('Updated at Twilio', REPORTED),
    status: selection('Status', TEMPLATE_STATUSES, {
      ...REPORTED,
      required: true,
      default: 'unsubmitted',
    }),
    rejection_reason: text('Why it was rejected', REPORTED),
    allow_category_change: boolean('The category may be changed', {
      ...REPORTED,
      default: true,
      help: 'Set by WhatsApp when the template is submitted.',
    }),
  },
  methods: { sync: runButton(TELCO, 'templates', 'Sync templates') },
  checks: [
    {
      fields: [...CONTENT, 'category'],
      says: `Can be changed while the template is ${EDITABLE_STATUSES.join(' or ')}.`,
      require({ env, values, current }) {
        if (current !== undefined && !env.identity.isElevated) requireEditable(values, current)
      },
    },
    {
      fields: ['model_id'],
      says: 'Must be the name of a model.',
      require({ env, values: { model_id: model } }) {
        if (typeof model === 'string' && model !== '') env.platform.models.get(model)
      },
    },
  ],
  prepare(_env, given) {
    const values = { ...given }
    for (const name of ['variables', 'actions', 'media'])
      if (name in values) values[name] = readJson(name, values[name])
    return values
  },
})

/** Throws a refusal when the change touches what the approval is about. */
function requireEditable(values: Values, current: Row): void {
  const status = String(current.status)
  if (EDITABLE_STATUSES.includes(status)) return
  const isCategoryFree = status === 'approved' && current.allow_category_change === true
  for (const name of [...CONTENT, ...(isCategoryFree ? [] : ['category'])]) {
    if (!(name in values) || isSame(values[name], current[name])) continue
    throw new Refusal('refused', 'connect-message-content-template-cannot-changed', { name, status })
  }
}

function isSame(given: unknown, stored: unknown): boolean {
  return isDeepStrictEqual(given || null, stored || null)
}

/** JSON as a value or written out; throws a refusal when its shape is wrong. */
function readJson(name: string, given: unknown): unknown {
  const value = typeof given === 'string' && given !== '' ? parseJson(given, given) : given
  if (value === null || value === undefined || value === false || value === '') return null
  const isList = Array.isArray(value)
  if (name === 'media' && isList && !value.every((each) => typeof each === 'string'))
    throw notShaped(name, 'list of texts')
  const isRight = name === 'variables' ? typeof value === 'object' && !isList : isList
  if (isRight) return value
  throw notShaped(name, name === 'variables' ? 'object' : 'list')
}

function notShaped(name: string, shape: string): Refusal {
  return new Refusal('refused', 'connect-message-content-template-must-json', { name, shape })
}
