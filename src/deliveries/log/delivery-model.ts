import { char, datetime, integer, json, text } from '../../platform/model/fields.ts'
import { defineModel } from '../../platform/model/model.ts'
import { replayMethod } from '../inbox/replay.ts'

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
})

/** Deliveries that are stored before they are worked on. */
export const inboxModel = defineModel({
  name: 'connect.inbox',
  label: 'Inbox',
  order: 'id desc',
  display: { columns: ['kind'], show: (row) => `${row.kind} ${row.id}` },
  fields: {
    key: char('Key', { readonly: true, help: 'Stored twice, as after a commit that was given up, it is stored once.' }),
    kind: char('Kind', { readonly: true, required: true }),
    state: char('State', {
      readonly: true,
      required: true,
      help: 'received, done, ignored, failed (will be tried again), dead',
    }),
    conversation: char('Conversation', { readonly: true, isIndexed: true }),
    payload: text('Delivery', { readonly: true, isHeavy: true }),
    media_ref: char('Stored audio', { readonly: true }),
    received_at: datetime('Received', { readonly: true, required: true }),
    attempts: integer('Attempts', { readonly: true, required: true, default: 0 }),
    next_attempt_at: datetime('Next attempt', { readonly: true }),
    error: text('Last error', { readonly: true }),
  },
  indexes: [
    { columns: ['next_attempt_at'], where: "state in ('received', 'failed')" },
    { columns: ['state'] },
    { columns: ['received_at'], where: "state in ('done', 'ignored')" },
    { columns: ['key'], isUnique: true },
  ],
  methods: { replay: replayMethod },
})
