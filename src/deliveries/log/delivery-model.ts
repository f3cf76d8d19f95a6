import { char, datetime, integer, json, text } from '../../platform/model/fields.ts'
import { defineModel } from '../../platform/model/model.ts'

/** What became of a delivery. */
const VERDICTS = ['handled', 'refused', 'rejected', 'failed'] as const
export type Verdict = (typeof VERDICTS)[number]

/** One attempt of a provider to hand us something, and what it was told. Written by the service, read by administrators. */
export const deliveryModel = defineModel({
  name: 'connect.delivery',
  label: 'Delivery',
  order: 'id desc',
  display: { columns: ['route'], show: (row) => `${row.route} ${row.id}` },
  fields: {
    area: char('Area', { readonly: true, required: true }),
    route: char('Route', { readonly: true, required: true, isIndexed: true }),
    verdict: char('Verdict', {
      readonly: true,
      required: true,
      help: 'handled, refused (the answer says why), rejected (authentication failed), failed (an internal error)',
    }),
    reason: text('Reason', { readonly: true }),
    status: integer('Status', { readonly: true }),
    ms: integer('Milliseconds', { readonly: true }),
    received_at: datetime('Received', { readonly: true, required: true, isIndexed: true }),
    call_ref: integer('Call', { readonly: true, isIndexed: true, isRecordId: true }),
    conversation: char('Conversation', { readonly: true, isIndexed: true }),
    call_sid: char('Call SID', { readonly: true, isIndexed: true }),
    host: char('Host', { readonly: true, help: 'As a trusted proxy says, else as the request itself does.' }),
    target: text('Address', { readonly: true }),
    headers: json('Headers', { readonly: true }),
    body: text('Body', { readonly: true, isHeavy: true }),
    body_bytes: integer('Body (bytes)', { readonly: true }),
    reply: text('Reply', { readonly: true, isHeavy: true }),
  },
  retention: { since: 'received_at', age: ({ deliveryKeepDays }) => `${deliveryKeepDays} days` },
})
