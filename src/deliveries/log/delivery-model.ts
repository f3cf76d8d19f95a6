import { char, datetime, integer, json, selection, text } from '../../platform/model/fields.ts'
import { defineModel } from '../../platform/model/model.ts'
import { deliveryStats } from './delivery-stats.ts'

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
  comesWithDeliveries: true,
  isReadonly: true,
  order: 'id desc',
  display: { columns: ['route'], show: (row) => `${row.route} ${row.id}` },
  fields: {
    area: char('Area', { required: true }),
    route: char('Route', { required: true, isIndexed: true }),
    tool: char('Tool', { help: 'The tool of a voice agent that was called, as the platform knows it.' }),
    verdict: selection('Verdict', VERDICTS, {
      required: true,
      help: 'handled, refused (the answer says why), rejected (authentication failed), failed (an internal error)',
    }),
    reason: text('Reason'),
    status: integer('Status'),
    ms: integer('Milliseconds'),
    budget_ms: integer('Time-out (milliseconds)', { help: 'How long the platform waits for this tool.' }),
    received_at: datetime('Received', { required: true, isIndexed: true, isPrecise: true }),
    call_ref: integer('Call', { isRecordId: true }),
    conversation: char('Conversation', { isIndexed: 'where present' }),
    inbox: integer('Stored delivery', { isRecordId: true, help: 'The row of the inbox in which it is stored.' }),
    call_sid: char('Call SID', { isIndexed: 'where present' }),
    host: char('Host', { help: 'As a trusted proxy says, else as the request itself does.' }),
    target: text('Address'),
    headers: json('Headers'),
    body: text('Body', { isHeavy: true }),
    body_bytes: integer('Body (bytes)'),
    reply: text('Reply', { isHeavy: true }),
  },
  methods: { stats: deliveryStats },
  indexes: [
    { columns: ['call_ref', 'id'], where: 'call_ref is not null' },
    { columns: ['tool', 'received_at'], where: 'tool is not null' },
  ],
  retention: { since: 'received_at', age: ({ deliveryKeepDays }) => `${deliveryKeepDays} days` },
})
