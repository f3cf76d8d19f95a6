import { CONTACTS_OFFERED } from '../../contacts/contacts-offered.ts'
import { sql } from '../../database/drizzle.ts'
import { idList } from '../../database/ids.ts'
import type { Env } from '../../platform/access/env.ts'
import { GROUP } from '../../platform/access/identity.ts'
import { CONNECT_COLLEAGUES } from '../../platform/identity/colleagues-offered.ts'
import {
  boolean,
  char,
  computed,
  datetime,
  float,
  html,
  integer,
  json,
  many2one,
  text,
} from '../../platform/model/fields.ts'
import { defineModel, type Row } from '../../platform/model/model.ts'
import { isUnseen } from '../../unseen.ts'
import { registerSummary, stripTags } from '../calls/call-change.ts'
import { readersOfCalls } from '../calls/call-readers.ts'
import { setCallSummary } from '../calls/call-updates.ts'
import { SHOWN_DURATION } from '../calls/call-words.ts'
import { enqueueMediaRemoval } from './media-removal.ts'
import { recordingPlayer } from './players.ts'

/** What a recording says whose audio comes from the voice-agent platform. */
const AGENT_SOURCE = 'voiceai'

/** A recording without audio is none, whatever was reported of it. */
const IS_RECORDED = `coalesce(status, '') not in ('absent', 'failed', 'in-progress') or media_ref is not null`

/** Audio of a call, or the transcript of a conversation with a voice agent. */
export const recordingModel = defineModel({
  name: 'connect.recording',
  label: 'Recording',
  comesWithDeliveries: true,
  order: 'id desc',
  display: { columns: ['id'], show: (row) => `Recording ${row.id}` },
  hasChatter: true,
  isAboutPeople: true,
  fields: {
    sid: char('Recording SID', { isUnique: true, readonly: true }),
    call_sid: char('Call SID', { isIndexed: true, readonly: true }),
    call: many2one('Call', 'connect.call'),
    channel: many2one('Connection', 'connect.channel'),
    partner: many2one('Contact', 'res.partner', { offers: CONTACTS_OFFERED }),
    caller_user: many2one('Calling user', 'res.users', { offers: CONNECT_COLLEAGUES }),
    called_user: many2one('Called user', 'res.users', { offers: CONNECT_COLLEAGUES }),
    users: computed('Users', 'many2many', {
      target: 'res.users',
      depends: ['call', 'caller_user', 'called_user'],
      compute: usersOf,
    }),
    caller_number: char('Caller number'),
    called_number: char('Called number'),
    media_url: char('Audio address', {
      maxLength: 2_000,
      readonly: true,
      groups: [GROUP.connectAdmin],
      widget: 'none',
    }),
    recording_filename: char('Audio file'),
    media_ref: char('Stored audio', { readonly: true, groups: [] }),
    media_type: char('Audio type', { readonly: true }),
    audio_removed_at: datetime('Audio removed', {
      readonly: true,
      help: 'When it was deleted because of its age.',
    }),
    recording_widget: computed('Player', 'html', {
      depends: ['media_url', 'media_ref'],
      compute: (env, rows) => rows.map((row) => recordingPlayer(env, row)),
    }),
    voiceai_recording_widget: computed('Player (agent)', 'html', {
      depends: ['source', 'media_url', 'media_ref'],
      compute: (env, rows) => rows.map((row) => (row.source === AGENT_SOURCE ? recordingPlayer(env, row) : null)),
    }),
    source: char('Source', { widget: 'program_name' }),
    price: float('Price'),
    price_unit: char('Price unit'),
    status: char('Status', { widget: 'program_name' }),
    conference_sid: char('Conference SID', { readonly: true, isIndexed: 'where present' }),
    is_recorded: boolean('Has audio', {
      readonly: true,
      generatedAs: IS_RECORDED,
      help: 'Off when Twilio reports no audio.',
    }),
    duration: integer('Duration (seconds)', { default: 0 }),
    duration_human: SHOWN_DURATION.duration_human,
    start_time: datetime('Start'),
    transcript: text('Transcript', { isHeavy: true }),
    summary: html('Summary'),
    list_view_summary: computed('Short summary', 'char', {
      depends: ['summary', 'voiceai_summary'],
      compute: (_env, rows) => rows.map((row) => shortSummary(row)),
    }),
    transcription_pending: boolean('Transcription pending'),
    transcription_error: text('Transcription error'),
    transcription_price: char('Transcription price'),
    transcription_token: char('Transcription token', { groups: [] }),
    voiceai_transcript: text('Agent transcript'),
    turns: json('Turns', {
      readonly: true,
      isHeavy: true,
      help: 'The conversation with the agent, with times and the tools it used.',
    }),
    conversation_started_at: datetime('Conversation began', { readonly: true }),
    termination_reason: char('Why the conversation ended', { readonly: true }),
    voiceai_summary: text('Agent summary'),
  },
  indexes: [
    { columns: ['call', 'id'], where: 'is_recorded' },
    { columns: ['media_ref'], where: 'media_ref is not null' },
    { columns: ['create_date'], where: 'media_ref is not null or media_url is not null' },
    {
      columns: ['create_date', 'id'],
      where: 'transcript is not null or voiceai_transcript is not null or turns is not null',
    },
  ],
  rules: [
    {
      group: GROUP.connectUser,
      domain: ({ userId }) => ['|', ['caller_user', '=', userId], ['called_user', '=', userId]],
    },
    ...readersOfCalls('call.'),
  ],
  // No address and no stored audio: what those name is fetched with our credentials, or is another recording's.
  byHand: {
    always: ['partner', 'summary'],
    creating: [
      ...['call', 'channel', 'caller_user', 'called_user', 'caller_number', 'called_number'],
      ...['source', 'status', 'duration', 'start_time', 'transcript', 'voiceai_transcript', 'voiceai_summary'],
    ],
  },
  removing: enqueueMediaRemoval,
  async saved(env, { id, values }) {
    if (typeof values.summary !== 'string' || isUnseen(values.summary)) return
    const call = await setCallSummary(
      env,
      sql`(select call from connect_recording where id = ${id}::bigint)`,
      values.summary,
    )
    if (call !== undefined) await registerSummary(env, call, stripTags(values.summary))
  },
})

const SUMMARY_CHARS = 200

function shortSummary(row: Row): string {
  const text = stripTags(String(row.voiceai_summary ?? row.summary ?? ''))
  return text.length > SUMMARY_CHARS ? `${text.slice(0, SUMMARY_CHARS)}…` : text
}

async function usersOf(env: Env, rows: readonly Row[]): Promise<number[][]> {
  const calls = idList(rows.map((row) => Number(row.call ?? 0)))
  const answered = await env.db.query<{ id: number; answered_user: number | null }>(
    sql`select id, answered_user from connect_call where id in (${calls})`,
  )
  const byCall = new Map(answered.map((each) => [each.id, each.answered_user]))
  return rows.map((row) => {
    const users = [row.caller_user, row.called_user, byCall.get(Number(row.call))]
    return [...new Set(users.filter((user) => typeof user === 'number'))]
  })
}
