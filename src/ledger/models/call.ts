import type { Env } from '../../platform/env.ts'
import {
  boolean,
  char,
  computed,
  float,
  html,
  integer,
  many2many,
  many2one,
  one2many,
  selection,
  text,
} from '../../platform/fields.ts'
import { GROUP } from '../../platform/identity.ts'
import { defineModel, type Row } from '../../platform/model.ts'
import { afterCallChange } from '../call-change.ts'
import { CALL_STATUSES } from '../call-status.ts'
import { callName, humanDuration, minutes } from '../call-words.ts'
import { newestRecordings } from '../recordings-of-calls.ts'

export const callModel = defineModel({
  name: 'connect.call',
  label: 'Call',
  order: 'id desc',
  display: {
    columns: ['status', 'direction', 'create_date'],
    show: (row) => callName({ status: row.status, direction: row.direction, at: row.create_date }),
  },
  hasChatter: true,
  fields: {
    name: computed('Name', 'char', { depends: ['status', 'direction', 'create_date'], compute: namesOf }),
    channels: one2many('Legs', 'connect.channel', 'call'),
    recordings: one2many('Recordings', 'connect.recording', 'call'),
    caller: char('Caller', { isIndexed: false }),
    called: char('Called'),
    direction: selection('Direction', ['incoming', 'outgoing', 'internal'], { isIndexed: true }),
    call_type: selection('Type', ['phone', 'whatsapp'], { default: 'phone' }),
    status: selection('Status', CALL_STATUSES),
    duration: integer('Duration (seconds)', { default: 0 }),
    duration_minutes: computed('Duration (minutes)', 'float', {
      depends: ['duration'],
      compute: (_env, rows) => rows.map((row) => minutes(row.duration)),
    }),
    duration_human: computed('Duration', 'char', {
      depends: ['duration'],
      compute: (_env, rows) => rows.map((row) => humanDuration(row.duration)),
    }),
    partner: many2one('Contact', 'res.partner'),
    caller_pbx_user: many2one('Calling phone user', 'connect.user', { isIndexed: false }),
    answered_pbx_user: many2one('Answering phone user', 'connect.user', { isIndexed: false }),
    called_pbx_users: many2many('Called phone users', 'connect.user', pairs('called_pbx_users', 'pbx_user_id')),
    caller_user: many2one('Calling user', 'res.users'),
    answered_user: many2one('Answering user', 'res.users'),
    called_users: many2many('Called users', 'res.users', pairs('called_users', 'user_id')),
    parent_call: many2one('Parent call', 'connect.call', { onDelete: 'cascade' }),
    voicemail_url: char('Voicemail', { maxLength: 2_000 }),
    voicemail_duration: integer('Voicemail (seconds)'),
    recording: computed('Recording', 'many2one', {
      target: 'connect.recording',
      depends: [],
      compute: async (env, rows) => (await newestRecordings(env, rows)).map((each) => each?.link ?? null),
    }),
    transcript: computed('Transcript', 'text', {
      depends: [],
      isHeavy: true,
      compute: async (env, rows) => (await newestRecordings(env, rows)).map((each) => each?.transcript ?? null),
    }),
    summary: html('Summary'),
    has_error: boolean('Has an error'),
    error_code: char('Error code'),
    error_message: text('Error'),
    call_sid: char('Call SID', { isIndexed: true }),
    price: float('Price'),
    price_unit: char('Price unit'),
    price_currency: char('Currency'),
    is_price_fetched: boolean('Price fetched'),
    register_note: integer('Note on the contact', { readonly: true }),
    missed_note: integer('Missed-call comment', { readonly: true }),
    voiceai_agent: many2one('Voice agent', 'connect.voiceai_agent'),
    voiceai_conversation_id: char('Conversation', { isUnique: true }),
    voiceai_summary: text('Agent summary'),
    voiceai_transcript: computed('Agent transcript', 'text', {
      depends: [],
      isHeavy: true,
      compute: async (env, rows) => (await newestRecordings(env, rows)).map((each) => each?.voiceai_transcript ?? null),
    }),
    ticket: many2one('Ticket', 'helpdesk.ticket'),
  },
  indexes: [{ columns: ['caller', 'called', 'id'], where: 'voiceai_conversation_id is not null' }],
  rules: [
    {
      group: GROUP.connectUser,
      domain: ({ userId }) => [
        '|',
        '|',
        ['caller_user', '=', userId],
        ['answered_user', '=', userId],
        ['called_users', 'in', [userId]],
      ],
    },
  ],
  saved: afterCallChange,
})

function pairs(field: string, there: string) {
  return { table: `connect_call_${field}_rel`, here: 'call_id', there }
}

function namesOf(env: Env, rows: readonly Row[]): string[] {
  const zone = typeof env.context.tz === 'string' ? env.context.tz : undefined
  return rows.map((row) => callName({ status: row.status, direction: row.direction, at: row.create_date, zone }))
}
