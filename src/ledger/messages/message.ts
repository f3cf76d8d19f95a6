import { CONTACTS_OFFERED } from '../../contacts/contacts-offered.ts'
import { sql } from '../../database/drizzle.ts'
import { isOwnAddress } from '../../directory/own-addresses.ts'
import { Refusal } from '../../errors.ts'
import type { Env } from '../../platform/access/env.ts'
import { isWebhook } from '../../platform/access/identity.ts'
import {
  boolean,
  char,
  computed,
  float,
  integer,
  json,
  many2one,
  selection,
  text,
} from '../../platform/model/fields.ts'
import { type Checked, defineModel, type Row, type Values } from '../../platform/model/model.ts'
import { quotaCheck } from '../../platform/model/quota-check.ts'
import { isBlank } from '../../platform/model/values.ts'
import { countIn, removeEmptied } from './conversation-rows.ts'
import { countConversations, listConversations } from './list-conversations.ts'
import { READERS_OF_MESSAGES } from './message-readers.ts'
import { MESSAGE_STATUSES } from './message-status.ts'
import { locationWidget, mediaUrls, mediaWidgets, withoutChannel } from './message-words.ts'
import { requirePostable } from './thread.ts'

/** Messages that one person has written down and has not sent. */
const DRAFTS_MAX = 200
const RO = { readonly: true } as const
/** What tells which conversation a message is in, and with whom that is. */
const IN_CONVERSATION = ['from_number', 'to_number', 'direction', 'partner']

/** One SMS, MMS or WhatsApp message. */
export const textMessageModel = defineModel({
  name: 'connect.message',
  label: 'Text message',
  comesWithDeliveries: true,
  isAboutPeople: true,
  order: 'id desc',
  display: { columns: ['message_type', 'from_number', 'create_date'], show: nameOf },
  fields: {
    message_sid: char('Message SID', { isUnique: true }),
    from_number: char('From', { required: true }),
    to_number: char('To', { required: true, isIndexed: true }),
    body: text('Text'),
    num_media: integer('Media', { default: 0 }),
    message_type: selection('Type', { sms: 'SMS', mms: 'MMS', WhatsApp: 'WhatsApp' }, { ...RO, default: 'sms' }),
    status: selection('Status', MESSAGE_STATUSES, { ...RO, default: 'draft' }),
    status_rank: integer('Status rank', { ...RO, default: 0 }),
    direction: selection('Direction', ['incoming', 'outgoing'], RO),
    sender_user: many2one('Sent by', 'res.users', { ...RO, isIndexed: 'where present' }),
    partner: many2one('Contact', 'res.partner', { offers: CONTACTS_OFFERED }),
    from_city: char('City'),
    from_state: char('State'),
    from_zip: char('ZIP'),
    from_country: char('Country'),
    res_model: char('Thread type', { widget: 'program_name' }),
    res_id: integer('Thread entry', { isRecordId: true }),
    ref: computed('Thread', 'char', {
      widget: 'program_name',
      depends: ['res_model', 'res_id'],
      compute: (_env, rows) => rows.map((row) => (row.res_id === null ? null : `${row.res_model},${row.res_id}`)),
    }),
    conversation: many2one('Conversation', 'connect.conversation', { ...RO, isIndexed: false, isUnchecked: true }),
    parent_message: many2one('In reply to', 'connect.message', { ...RO, isIndexed: 'where present' }),
    media_url: char('Media address', { maxLength: 2_000, widget: 'none' }),
    media_content_type: char('Media type'),
    media: json('All media', { ...RO, widget: 'none' }),
    media_urls: computed('Addresses of all media', 'json', {
      depends: ['media', 'direction', 'content_sid'],
      widget: 'none',
      help: 'What came with the message, what its template shows, or what was sent with it.',
      compute: (_env, rows) => rows.map(mediaUrls),
    }),
    media_widget: computed('Media (shown)', 'html', {
      depends: ['media', 'direction', 'content_sid', 'media_url', 'media_content_type'],
      compute: (_env, rows) => rows.map(mediaWidgets),
    }),
    latitude: float('Latitude', RO),
    longitude: float('Longitude', RO),
    location_label: char('Location', RO),
    location_address: char('Location address', RO),
    location_widget: computed('Location (map)', 'html', {
      depends: ['latitude', 'longitude'],
      compute: (_env, rows) => rows.map((row) => locationWidget(row.latitude, row.longitude)),
    }),
    reply_id: char('Chosen option (ID)', {
      ...RO,
      help: 'The tapped button or list row, as the template names it.',
    }),
    reply_title: char('Chosen option', RO),
    content_sid: char('Template SID', RO),
    content_variables: json('Template variables', RO),
    attempt: integer('Sending attempt', {
      ...RO,
      default: 0,
      help: 'How often someone tried to send it.',
    }),
    has_error: boolean('Has an error', RO),
    error_code: char('Error code', { ...RO, widget: 'provider_error' }),
    error_message: text('Error', RO),
    waits_for: computed('Waiting for', 'char', {
      depends: ['status', 'direction', 'attempt', 'error_message'],
      compute: (_env, rows) => rows.map(whyItWaits),
    }),
    account_sid: char('Account SID'),
    wire_address: char('Address at Twilio', {
      ...RO,
      help: 'Answers go to this address.',
    }),
    external_user_id: char('User id of the channel', { ...RO, isIndexed: 'where present' }),
    messaging_service_sid: char('Messaging service SID'),
    name: computed('Name', 'char', {
      depends: ['message_type', 'from_number', 'create_date'],
      compute: (_env, rows) => rows.map(nameOf),
    }),
  },
  indexes: [
    { columns: ['res_model', 'res_id'] },
    { columns: ['from_number', 'to_number', 'id'] },
    { columns: ['conversation', 'id'] },
    { columns: ['conversation'], where: "status in ('failed', 'undelivered')" },
  ],
  rules: READERS_OF_MESSAGES,
  byHand: {
    always: ['partner', 'res_model', 'res_id'],
    // Once it is to be sent (its attempt is counted), a change would get past the checks of sending.
    drafting: {
      fields: ['from_number', 'to_number', 'body', 'num_media', 'media_url', 'media_content_type'],
      isOwnDraft: ({ status, attempt, sender_user: sender }, { userId }) =>
        status === 'draft' && (attempt ?? 0) === 0 && sender === userId,
    },
  },
  checks: [
    {
      fields: ['res_model', 'res_id'],
      says: 'A thread is named by both "res_model" and "res_id": a record on which its writer may post.',
      require: requireThread,
    },
    quotaCheck({
      table: 'connect_message',
      owner: 'sender_user',
      shownAt: 'body',
      max: DRAFTS_MAX,
      code: 'drafts-full',
      where: sql`status = 'draft' and coalesce(attempt, 0) = 0`,
    }),
  ],
  methods: { conversations: listConversations, conversation_counts: countConversations },
  prepare: prepareMessage,
  async saved(env, { id, values }) {
    if (IN_CONVERSATION.some((name) => name in values)) countIn(env, id)
  },
  removing: removeEmptied,
})

/** Of a message that is not with the provider yet: a draft that somebody only wrote, and one that is being sent, say so. */
function whyItWaits({ status, direction, attempt, error_message: reason }: Row): string | null {
  if (status !== 'draft' || direction !== 'outgoing') return null
  if (Number(attempt ?? 0) === 0) return 'It is a draft: nobody has asked for it to be sent.'
  return typeof reason === 'string' ? reason : 'The service, or a worker, has not come to it yet.'
}

function nameOf({ message_type: type, from_number: from, create_date: at }: Row): string {
  return `${type ?? 'Message'} from ${from ?? ''} on ${String(at).slice(0, 10)}`
}

/** Completes a message that somebody writes down through the API: who sends it, and which way it goes. */
async function prepareMessage(env: Env, given: Values, current: Row | undefined): Promise<Values> {
  const values = { ...given }
  for (const name of ['from_number', 'to_number']) {
    const address = values[name]
    if (typeof address === 'string') values[name] = withoutChannel(address)
  }
  const isPerson = env.identity.userId > 0 && !isWebhook(env.identity)
  if (current === undefined && isPerson && values.status !== 'received') values.sender_user ??= env.identity.userId
  if (current === undefined || 'from_number' in values)
    values.direction = await directionOf(env, { ...current, ...values })
  return values
}

async function directionOf(env: Env, message: Values): Promise<'incoming' | 'outgoing'> {
  if (typeof message.sender_user === 'number') return 'outgoing'
  if (message.status === 'received') return 'incoming'
  const { from_number: from } = message
  // What is no text is refused with the other problems of the record.
  return typeof from === 'string' && (await isOwnAddress(env.db, from)) ? 'outgoing' : 'incoming'
}

/** The record a message is put on must be one on which its writer may post; answers of the customer go there too. */
async function requireThread({ env, values, current }: Checked): Promise<void> {
  if (!('res_model' in values || 'res_id' in values)) return
  const { res_model: model, res_id: id } = { res_model: null, res_id: null, ...current, ...values }
  if (isBlank(model) && isBlank(id)) return
  if (typeof model !== 'string' || typeof id !== 'number' || isBlank(model)) {
    throw new Refusal('refused', 'api-thread-named-by-both-res-model')
  }
  await requirePostable(env, { model, id })
}
