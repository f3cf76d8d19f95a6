import { boolean, char, computed, integer, json, many2one, selection, text } from '../../platform/fields.ts'
import { GROUP } from '../../platform/identity.ts'
import { defineModel } from '../../platform/model.ts'

export const MESSAGE_STATUSES = [
  'draft',
  'queued',
  'sending',
  'sent',
  'delivered',
  'read',
  'received',
  'failed',
  'undelivered',
] as const

/** One SMS, MMS or WhatsApp message. */
export const textMessageModel = defineModel({
  name: 'connect.message',
  label: 'Text message',
  order: 'id desc',
  display: {
    columns: ['message_type', 'from_number', 'create_date'],
    show: (row) =>
      `${row.message_type ?? 'Message'} from ${row.from_number ?? ''} on ${String(row.create_date).slice(0, 10)}`,
  },
  fields: {
    message_sid: char('Message SID', { isUnique: true }),
    from_number: char('From', { required: true, isIndexed: true }),
    to_number: char('To', { required: true, isIndexed: true }),
    body: text('Text'),
    num_media: integer('Media', { default: 0 }),
    message_type: selection('Type', ['sms', 'mms', 'WhatsApp'], { default: 'sms' }),
    status: selection('Status', MESSAGE_STATUSES, { default: 'draft' }),
    status_rank: integer('Status rank', { readonly: true, default: 0 }),
    direction: selection('Direction', ['incoming', 'outgoing']),
    sender_user: many2one('Sent by', 'res.users'),
    partner: many2one('Contact', 'res.partner'),
    from_city: char('City'),
    from_state: char('State'),
    from_zip: char('ZIP'),
    from_country: char('Country'),
    res_model: char('Thread model'),
    res_id: integer('Thread record'),
    ref: computed('Thread', 'char', {
      depends: ['res_model', 'res_id'],
      compute: (_env, rows) => rows.map((row) => (row.res_id === null ? null : `${row.res_model},${row.res_id}`)),
    }),
    parent_message: many2one('In reply to', 'connect.message', { isIndexed: false }),
    media_url: char('Media address', { maxLength: 2_000 }),
    media_content_type: char('Media type'),
    media: json('All media', { readonly: true }),
    has_error: boolean('Has an error'),
    error_code: char('Error code'),
    error_message: text('Error'),
    account_sid: char('Account SID'),
    messaging_service_sid: char('Messaging service SID'),
    name: computed('Name', 'char', {
      depends: ['message_type', 'from_number', 'create_date'],
      compute: (_env, rows) =>
        rows.map(
          (row) =>
            `${row.message_type ?? 'Message'} from ${row.from_number} on ${String(row.create_date).slice(0, 10)}`,
        ),
    }),
  },
  indexes: [{ columns: ['res_model', 'res_id'] }],
  rules: [
    {
      group: GROUP.connectUser,
      domain: ({ userId }) => ['|', ['sender_user', '=', userId], ['sender_user', '=', null]],
    },
  ],
})
