import { Type } from 'typebox'
import { CONTACTS_OFFERED } from '../../contacts/contacts-offered.ts'
import type { Env } from '../../platform/access/env.ts'
import { GROUP } from '../../platform/access/identity.ts'
import { CONNECT_COLLEAGUES } from '../../platform/identity/colleagues-offered.ts'
import { fact } from '../../platform/model/fact.ts'
import {
  boolean,
  char,
  computed,
  datetime,
  float,
  html,
  integer,
  json,
  many2many,
  many2one,
  one2many,
  selection,
  text,
  type Value,
} from '../../platform/model/fields.ts'
import { defineModel, method, type Row } from '../../platform/model/model.ts'
import { endingOfConversation } from '../conversations/conversation-ending.ts'
import { CALL_STATUSES } from '../legs/call-status.ts'
import { icon, recordingPlayer, voicemailPlayer } from '../recordings/players.ts'
import {
  agentRecordings,
  isRecorded,
  newestRecordings,
  type RecordingOfCall,
} from '../recordings/recordings-of-calls.ts'
import { timelineMethod } from '../timeline/call-timeline.ts'
import { clearVoicemails, deleteVoicemails } from '../voicemails/voicemail-updates.ts'
import { callbackDone, callbackUndone, needCallback, notTakenOver, TO_CALL_BACK, toCallBack } from './call-back.ts'
import { afterCallChange } from './call-change.ts'
import { END_REASONS, LEGS_OUTCOMES, OUTCOMES } from './call-outcome.ts'
import { OUTCOME_OF_ROW, WAIT_OF_ROW } from './call-outcome-sql.ts'
import { ONLY_AGENT_OF_ROW, readersOfCalls } from './call-readers.ts'
import { callStats } from './call-stats.ts'
import { callName, SHOWN_DURATION, verificationWords } from './call-words.ts'
import { STRIP_COLUMNS, shownStrip } from './shown-strip.ts'

/** Whether callers were told that they talk to an AI. */
const AI_ANNOUNCEMENTS = [
  ['played', 'Played'],
  ['not_played', 'Not played'],
] as const

export const callModel = defineModel({
  name: 'connect.call',
  label: 'Call',
  comesWithDeliveries: true,
  order: 'id desc',
  display: {
    columns: ['status', 'direction', 'started_at', 'create_date'],
    show: (row) => callName(row),
  },
  hasChatter: true,
  isAboutPeople: true,
  fields: {
    // The page says it in its title, in the reader's words.
    name: computed('Name', 'char', {
      depends: ['status', 'direction', 'started_at', 'create_date'],
      compute: namesOf,
      widget: 'none',
    }),
    channels: one2many('Connections', 'connect.channel', 'call'),
    recordings: one2many('Recordings', 'connect.recording', 'call'),
    caller: char('Caller', { isIndexed: false }),
    called: char('Called'),
    direction: selection('Direction', ['incoming', 'outgoing', 'internal'], { isIndexed: true }),
    call_type: selection('Type', ['phone', 'whatsapp'], { default: 'phone' }),
    status: selection('Status', CALL_STATUSES),
    duration: integer('Duration (seconds)', { default: 0 }),
    ...SHOWN_DURATION,
    partner: many2one('Contact', 'res.partner', { offers: CONTACTS_OFFERED }),
    caller_pbx_user: many2one('Calling phone user', 'connect.user', { isIndexed: false }),
    answered_pbx_user: many2one('Answering phone user', 'connect.user', { isIndexed: false }),
    called_pbx_users: many2many(
      'Called phone users',
      'connect.user',
      pairs('connect_call_called_pbx_users_rel', 'pbx_user_id'),
    ),
    caller_user: many2one('Calling user', 'res.users', { isIndexed: false, offers: CONNECT_COLLEAGUES }),
    answered_user: many2one('Answering user', 'res.users', { isIndexed: false, offers: CONNECT_COLLEAGUES }),
    called_users: many2many('Called users', 'res.users', pairs('connect_call_called_users_rel', 'user_id'), {
      offers: CONNECT_COLLEAGUES,
    }),
    started_at: datetime('Started', { readonly: true }),
    answered_at: datetime('Answered', { readonly: true, help: 'When a person or a voice agent first answered.' }),
    ended_at: datetime('Ended', { readonly: true }),
    end_reason: selection('Why it ended', END_REASONS, { readonly: true }),
    strip: computed('Timeline', 'json', {
      depends: [...STRIP_COLUMNS],
      compute: (_env, rows) => rows.map(shownStrip),
    }),
    legs_outcome: selection('Outcome of the legs', LEGS_OUTCOMES, { readonly: true, groups: [] }),
    legs_strip: json('Strip of the legs', { readonly: true, groups: [] }),
    // Reports that come later add facts to such a call, and no words, names or numbers.
    // A page says so in place of the number.
    erased_at: datetime('Person erased', { readonly: true, widget: 'none' }),
    talked_until: datetime('Talked until', { readonly: true, groups: [] }),
    voicemail_at: datetime('Voicemail began', { readonly: true, groups: [] }),
    conversation_started_at: datetime('Conversation began', { readonly: true }),
    conversation_seconds: integer('Conversation (seconds)', { readonly: true }),
    conversation_end: char('Reason given by ElevenLabs', {
      readonly: true,
      help: 'In the words of ElevenLabs.',
    }),
    conversation_ending: computed('Conversation ending', 'char', {
      depends: ['conversation_end', 'conversation_seconds'],
      help: 'How the conversation ended, in one word.',
      compute: (_env, rows) =>
        rows.map(({ conversation_end: end, conversation_seconds: seconds }) =>
          seconds === null ? null : endingOfConversation(end),
        ),
    }),
    conversation_error: char('Conversation error', { readonly: true, maxLength: 2_000 }),
    conversation_result: char('ElevenLabs rating', {
      widget: 'program_name',
      readonly: true,
      help: 'Did the conversation reach its goal, as ElevenLabs sees it?',
    }),
    conversation_failed: boolean('Conversation failed', { readonly: true }),
    ai_announcement: selection('AI announcement', AI_ANNOUNCEMENTS, {
      readonly: true,
      help: 'Did the agent say that it is an AI? Read from its first words in the conversation.',
    }),
    nobody_spoke: boolean('Caller said nothing', {
      readonly: true,
      help: 'Only the voice agent said anything.',
    }),
    // The page of a call shows these, each in its own way.
    conversation_criteria: json('Goals of the conversation', {
      readonly: true,
      widget: 'none',
      help: 'Each with its result and why, as ElevenLabs sees it.',
    }),
    conversation_data: json('Data from the conversation', {
      readonly: true,
      widget: 'none',
      help: 'What ElevenLabs read out of the conversation.',
    }),
    conversation_cost: integer('Cost of the conversation (credits)', { readonly: true, min: 0 }),
    conversation_cost_usd: float('Cost of the conversation (USD)', { readonly: true, min: 0 }),
    conversation_charging: json('Charges of the conversation', { readonly: true, widget: 'none' }),
    conversation_language: char('Language of the conversation', { readonly: true, widget: 'language' }),
    conversation_tags: json('Tags of the conversation', {
      readonly: true,
      widget: 'none',
      help: 'Their ids at ElevenLabs.',
    }),
    caller_name: char('Caller name', { readonly: true, help: 'The name the network shows for the caller.' }),
    stir_verstat: char('Caller verification', {
      readonly: true,
      help: 'Does the network vouch for the number (STIR/SHAKEN)?',
    }),
    caller_verification: computed('Caller verification', 'char', {
      widget: 'word',
      depends: ['stir_verstat'],
      compute: (_env, rows) => rows.map(({ stir_verstat: said }) => verificationWords(said)),
    }),
    forwarded_from: char('Forwarded from', { readonly: true }),
    outcome: selection('Outcome', OUTCOMES, {
      readonly: true,
      generatedAs: OUTCOME_OF_ROW,
      help: 'Who took the call, or why no one did.',
    }),
    wait_seconds: integer('Waited (seconds)', { readonly: true, generatedAs: WAIT_OF_ROW }),
    only_agent: boolean('Answered only by an agent', {
      readonly: true,
      generatedAs: ONLY_AGENT_OF_ROW,
      help: 'No person took part. Only people with the right "Calls of agents" see it.',
    }),
    callback_done_at: datetime('Called back', {
      readonly: true,
      help: 'When someone marked it as called back.',
    }),
    callback_done_by: many2one('Called back by', 'res.users', { readonly: true, isIndexed: false }),
    needs_callback: computed('Needs a call back', 'boolean', {
      help: 'A missed call or voicemail, and no one has talked with that number since.',
      isHeavy: true,
      depends: [],
      compute: needCallback,
    }),
    no_phone_rang: boolean('No phone rang', {
      readonly: true,
      help: 'The agent wanted to put the caller through to people of whom no phone rings.',
    }),
    not_taken_over: computed('No one took over', 'boolean', {
      help: 'The agent put the caller through, and no one took the call.',
      depends: ['outcome', 'end_reason', 'no_phone_rang'],
      compute: notTakenOver,
    }),
    dial_ends: json('Ends of dialled connections', {
      readonly: true,
      help: 'What came after each dialled connection.',
    }),
    parent_call: many2one('Parent call', 'connect.call', { onDelete: 'cascade', isIndexed: 'where present' }),
    voicemail_url: char('Voicemail', { maxLength: 2_000, widget: 'none' }),
    voicemail_duration: integer('Voicemail (seconds)'),
    voicemail_icon: computed('Has a voicemail', 'html', {
      depends: ['voicemail_url'],
      compute: (_env, rows) => rows.map((row) => icon(typeof row.voicemail_url === 'string', '✉', 'Voicemail')),
    }),
    voicemail_widget: computed('Voicemail (player)', 'html', {
      depends: ['voicemail_url'],
      compute: (env, rows) => rows.map((row) => voicemailPlayer(env, row)),
    }),
    recording: computed('Recording', 'many2one', {
      target: 'connect.recording',
      depends: [],
      compute: (env, rows) => eachNewest(env, rows, ({ id }) => [id, `Recording ${id}`]),
    }),
    is_recorded: fact('Recorded', isRecorded, { help: 'It has a recording with audio or a transcript.' }),
    recording_icon: computed('Has a recording', 'html', {
      depends: [],
      isHeavy: true,
      compute: (env, rows) => eachNewest(env, rows, () => icon(true, '🎙', 'Recording')),
    }),
    recording_widget: computed('Recording (player)', 'html', {
      depends: [],
      isHeavy: true,
      compute: (env, rows) => eachNewest(env, rows, (recording) => recordingPlayer(env, recording)),
    }),
    transcript: computed('Transcript', 'text', {
      depends: [],
      isHeavy: true,
      compute: (env, rows) => eachNewest(env, rows, ({ transcript }) => transcript),
    }),
    summary: html('Summary'),
    has_error: boolean('Has an error', {
      help: 'Twilio reported an error code for a connection.',
    }),
    error_code: char('Error code', { widget: 'provider_error' }),
    error_message: text('Error'),
    call_sid: char('Call SID', { isIndexed: true }),
    price: float('Price'),
    price_unit: char('Price unit'),
    price_currency: char('Currency'),
    is_price_fetched: boolean('Price fetched'),
    register_note: integer('Note on the contact', { readonly: true, isRecordId: true }),
    missed_note: integer('Missed-call comment', { readonly: true, isRecordId: true }),
    voiceai_agent: many2one('Voice agent', 'connect.voiceai_agent', { isIndexed: 'where present' }),
    voiceai_conversation_id: char('Conversation', { isUnique: true }),
    voiceai_summary: text('Agent summary'),
    voiceai_transcript: computed('Agent transcript', 'text', {
      depends: [],
      isHeavy: true,
      compute: (env, rows) => eachAgents(env, rows, ({ voiceai_transcript: said }) => said),
    }),
    voiceai_recording_widget: computed('Agent recording (player)', 'html', {
      depends: [],
      isHeavy: true,
      compute: (env, rows) => eachAgents(env, rows, (recording) => recordingPlayer(env, recording)),
    }),
    ticket: many2one('Ticket', 'helpdesk.ticket', { isIndexed: 'where present' }),
    ref: computed('About', 'char', {
      widget: 'program_name',
      depends: ['partner', 'ticket'],
      compute: (_env, rows) => rows.map(referenceOf),
    }),
  },
  indexes: [
    { columns: ['outcome', 'id'] },
    { columns: ['create_date'] },
    { columns: ['started_at'] },
    { columns: ['caller', 'id'] },
    { columns: ['called', 'id'] },
    // One's own calls are found in the index alone (platform/records/search/own-rows.ts).
    { columns: ['caller_user', 'id'], where: 'caller_user is not null' },
    { columns: ['answered_user', 'id'], where: 'answered_user is not null' },
    { columns: ['id'], where: "outcome = 'in_progress'" },
    { columns: ['only_agent', 'id'], where: 'coalesce(only_agent, false)' },
    { columns: ['create_date', 'id'], where: TO_CALL_BACK },
    { columns: ['caller', 'called', 'id'], where: 'voiceai_conversation_id is not null' },
  ],
  rules: readersOfCalls(''),
  // Everything else is what providers reported. A call that no provider knows of can be written down by hand.
  byHand: {
    always: ['partner', 'summary', 'ticket'],
    creating: ['caller', 'called', 'direction', 'call_type', 'status', 'duration'],
    creatingForOneself: { fields: ['caller_user', 'answered_user', 'called_users'], unless: [GROUP.connectAdmin] },
  },
  methods: {
    timeline: timelineMethod,
    stats: callStats,
    to_call_back: toCallBack,
    callback_done: callbackDone,
    callback_undone: callbackUndone,
    delete_voicemail: method({
      label: 'Delete voicemail',
      reply: Type.Integer({ description: 'How many recordings were deleted.' }),
      operation: 'write',
      groups: [GROUP.connectAdmin],
      confirm: 'Delete the voicemail for good?',
      danger: true,
      run: clearVoicemails,
    }),
  },
  saved: afterCallChange,
  goesWith: ['parent_call'],
  removing: async (env, ids) => void (await deleteVoicemails(env, ids)),
})

type Shown = (recording: RecordingOfCall) => Value

async function eachNewest(env: Env, rows: readonly Row[], show: Shown): Promise<Value[]> {
  return (await newestRecordings(env, rows)).map((each) => (each === undefined ? null : show(each)))
}

async function eachAgents(env: Env, rows: readonly Row[], show: Shown): Promise<Value[]> {
  return (await agentRecordings(env, rows)).map((each) => (each === undefined ? null : show(each)))
}

/** The record that the call is about: its ticket, else its contact. */
function referenceOf({ partner, ticket }: Row): string | null {
  if (typeof ticket === 'number') return `helpdesk.ticket,${ticket}`
  return typeof partner === 'number' ? `res.partner,${partner}` : null
}

function pairs(table: string, there: string) {
  return { table, here: 'call_id', there }
}

function namesOf(env: Env, rows: readonly Row[]): string[] {
  const zone = typeof env.context.tz === 'string' ? env.context.tz : undefined
  return rows.map((row) => callName(row, zone))
}
