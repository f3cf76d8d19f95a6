import { char, datetime, integer, json, selection, text } from '../../platform/model/fields.ts'
import { defineModel } from '../../platform/model/model.ts'
import { deliveryStats } from './delivery-stats.ts'

/** What became of a delivery. */
const VERDICTS = [
  ['handled', 'OK'],
  ['refused', 'Declined'],
  ['rejected', 'Unverified'],
  ['failed', 'Error'],
] as const
export type Verdict = (typeof VERDICTS)[number][0]

/** One attempt of a provider to hand us something, and what it was told. Written by the service, read by administrators. */
export const deliveryModel = defineModel({
  name: 'connect.delivery',
  label: 'Webhook',
  comesWithDeliveries: true,
  isReadonly: true,
  order: 'id desc',
  display: { columns: ['route'], show: (row) => `${row.route} ${row.id}` },
  fields: {
    area: char('Area', { required: true }),
    route: char('Route', { required: true, isIndexed: true, widget: 'program_name' }),
    tool: char('Tool', { widget: 'program_name', help: 'The tool that the voice agent called.' }),
    verdict: selection('Result', VERDICTS, {
      required: true,
      help: 'OK, declined (see our answer), unverified (see the reason), or an error in Connect.',
    }),
    reason: text('Reason'),
    status: integer('Status'),
    ms: integer('Milliseconds'),
    budget_ms: integer('Time-out (milliseconds)', { help: 'How long ElevenLabs waits for this tool.' }),
    received_at: datetime('Received', { required: true, isIndexed: true, isPrecise: true }),
    call_ref: integer('Call', { isRecordId: true }),
    conversation: char('Conversation', { isIndexed: 'where present' }),
    replayed_at: datetime('Replayed', { help: 'When it was last processed again without an error.' }),
    inbox: integer('Inbox entry', { isRecordId: true, help: 'Where it is stored in the inbox.' }),
    call_sid: char('Call SID', { isIndexed: 'where present' }),
    host: char('Host', { help: 'As the trusted proxy says, otherwise as the request says.' }),
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
