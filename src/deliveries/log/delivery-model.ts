import { char, datetime, integer, json, selection, text } from '../../platform/model/fields.ts'
import { defineModel } from '../../platform/model/model.ts'

/** What became of a delivery. */
const VERDICTS = [
  ['handled', 'Handled'],
  ['refused', 'Refused'],
  ['rejected', 'Rejected'],
  ['failed', 'Failed'],
] as const
export type Verdict = (typeof VERDICTS)[number][0]

/** One attempt of a provider to hand us something, and what it was told. Written by the service, read by administrators. */
export const deliveryModel = defineModel({
  name: 'connect.delivery',
  label: 'Delivery',
  order: 'id desc',
  display: { columns: ['route'], show: (row) => `${row.route} ${row.id}` },
  fields: {
    area: char('Area', { readonly: true, required: true }),
    route: char('Route', { readonly: true, required: true, isIndexed: true }),
    tool: char('Tool', {
      readonly: true,
      help: 'The tool of a voice agent that was called, as the platform knows it.',
    }),
    verdict: selection('Verdict', VERDICTS, {
      readonly: true,
      required: true,
      help: 'handled, refused (the answer says why), rejected (authentication failed), failed (an internal error)',
    }),
    reason: text('Reason', { readonly: true }),
    status: integer('Status', { readonly: true }),
    ms: integer('Milliseconds', { readonly: true }),
    budget_ms: integer('Time-out (milliseconds)', {
      readonly: true,
      help: 'How long the platform waits for this tool.',
    }),
    received_at: datetime('Received', { readonly: true, required: true, isIndexed: true, isPrecise: true }),
    call_ref: integer('Call', { readonly: true, isRecordId: true }),
    conversation: char('Conversation', { readonly: true, isIndexed: true }),
    inbox: integer('Stored delivery', {
      readonly: true,
      isRecordId: true,
      help: 'The row of the inbox in which it is stored.',
    }),
    call_sid: char('Call SID', { readonly: true, isIndexed: true }),
    host: char('Host', { readonly: true, help: 'As a trusted proxy says, else as the request itself does.' }),
    target: text('Address', { readonly: true }),
    headers: json('Headers', { readonly: true }),
    body: text('Body', { readonly: true, isHeavy: true }),
    body_bytes: integer('Body (bytes)', { readonly: true }),
    reply: text('Reply', { readonly: true, isHeavy: true }),
  },
  indexes: [{ columns: ['call_ref', 'id'] }],
  retention: { since: 'received_at', age: ({ deliveryKeepDays }) => `${deliveryKeepDays} days` },
})
