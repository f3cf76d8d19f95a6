import { sql } from '../../database/drizzle.ts'
import { idList } from '../../database/ids.ts'
import { extenNumbers, releaseExtensions } from '../../directory/extensions.ts'
import { ONE_LINE } from '../../names.ts'
import type { Env } from '../../platform/access/env.ts'
import {
  boolean,
  char,
  computed,
  datetime,
  float,
  integer,
  json,
  many2many,
  many2one,
  one2many,
  selection,
  text,
} from '../../platform/model/fields.ts'
import { defineModel, type Row } from '../../platform/model/model.ts'
import { remarksField } from '../../platform/model/remarks.ts'
import { announceAgents } from './agent-changes.ts'
import { DRAFT_METHODS } from './agent-draft.ts'
import { agentRemarks } from './agent-remarks.ts'
import { AGENT_CHECKS, prepareAgent } from './agent-rules.ts'
import { aiAnnouncement } from './ai-announcement.ts'
import { SIGNALLING_RANGES } from './allowed-addresses.ts'
import { savePromptVersion } from './prompt.ts'
import { AGENT_LANGUAGES, AUDIO_FORMATS, LANGUAGE_MODELS, SPEECH_MODELS, TELEPHONE_AUDIO } from './provider-choices.ts'

/** The platform's word for "no limit". */
const UNLIMITED = -1
const DAY_SECONDS = 86_400
const TOKENS_MAX = 1_000_000
const CALLS_MAX = 10_000_000
/** Not in the platform's API description: its page "Conversation flow" (elevenlabs.io/docs/eleven-agents/customization/conversation-flow). */
const TURN_SECONDS = { min: 1, max: 30 }
/** The conversation limit as the platform's settings of an agent take it; no page and no description states it. */
const CONVERSATION_SECONDS = { min: 60, max: 7_200 }

/** Which agents know what; the other side is a field of the knowledge. */
export const KNOWLEDGE_OF_AGENTS = {
  table: 'connect_voiceai_agent_knowledge_rel',
  here: 'agent_id',
  there: 'knowledge_id',
}

const TOOLS_OF_AGENTS = 'connect_voiceai_agent_tools_rel'

/** An automated speaker at the voice-agent platform. */
export const agentModel = defineModel({
  name: 'connect.voiceai_agent',
  label: 'Voice agent',
  order: 'name',
  fields: {
    name: char('Name', { required: true, pattern: ONE_LINE }),
    voice: many2one('Voice', 'connect.voiceai_voice', { required: true, onDelete: 'restrict' }),
    first_message: text('Greeting', {
      required: true,
      default: 'Hello! How can I help you today?',
      help: 'How the agent greets callers.',
    }),
    first_message_translations: json('Greeting in other languages', {
      widget: 'texts_by_language',
      help: 'The greeting in each additional language.',
    }),
    announces_ai: boolean('Says that it is an AI', {
      default: ({ settings }) => settings.agentsAnnounceAi,
      help: 'Before the greeting, callers hear that they talk to an AI and that the conversation is recorded.',
    }),
    announcement: computed('Said before the greeting', 'text', {
      depends: ['announces_ai', 'language'],
      help: 'In the language of the agent. Each additional language has its own sentence.',
      compute: (_env, rows) =>
        rows.map(({ announces_ai: isOn, language }) => (isOn === true ? aiAnnouncement(String(language)) : null)),
    }),
    prompt: text('Prompt', {
      required: true,
      requiredWhile: [{ is: { template: null }, says: 'while no template is picked' }],
      help: 'Tells the agent what to do. Every change is saved as a version.',
    }),
    prompt_version_ids: one2many('Prompt versions', 'connect.voiceai_agent_prompt', 'agent'),
    active_prompt_version: many2one('Prompt version', 'connect.voiceai_agent_prompt', {
      isIndexed: false,
      offers: [['agent', '=', { of: 'id' }]],
      help: 'Choose an earlier one to restore its text.',
    }),
    template: many2one('Template', 'connect.voiceai_agent_template', {
      isIndexed: false,
      help: 'Choose one to use its text. The current prompt stays among the versions.',
    }),
    language: selection('Language', AGENT_LANGUAGES, { required: true, default: 'en' }),
    additional_languages: many2many('Additional languages', 'res.lang', {
      table: 'connect_voiceai_agent_additional_languages_rel',
      here: 'agent_id',
      there: 'lang_id',
    }),
    tools: many2many('Tools', 'connect.voiceai_agent_tool', {
      table: TOOLS_OF_AGENTS,
      here: 'agent_id',
      there: 'tool_id',
    }),
    knowledge: many2many('Knowledge', 'connect.voiceai_knowledge', KNOWLEDGE_OF_AGENTS),
    llm: selection('Language model', LANGUAGE_MODELS, {
      required: true,
      default: 'gpt-5.2',
      isOpen: true,
      help: 'Models found by the last sync also work.',
    }),
    temperature: float('Temperature', {
      default: 0,
      min: 0,
      max: 1,
      help: '0 always answers the same way; 1 varies most.',
    }),
    max_tokens: integer('Longest answer (tokens)', {
      default: UNLIMITED,
      min: UNLIMITED,
      max: TOKENS_MAX,
      help: 'Enter -1 for no limit.',
    }),
    stability: float('Stability of the voice', { default: 0.5, min: 0, max: 1 }),
    similarity_boost: float('Similarity to the voice', { default: 0.8, min: 0, max: 1 }),
    speed: float('Speed of the voice', { default: 1, min: 0.7, max: 1.2 }),
    model: selection('Speech model', SPEECH_MODELS, { default: 'flash_v2_5' }),
    use_flash: boolean('Fast speech', {
      default: true,
      help: 'Uses the fastest speech model.',
    }),
    output_audio_format: selection('Audio to the caller', AUDIO_FORMATS, {
      default: TELEPHONE_AUDIO,
      help: 'Only for calls over SIP.',
    }),
    user_input_audio_format: selection('Audio from the caller', AUDIO_FORMATS, {
      default: TELEPHONE_AUDIO,
      help: 'Only for calls over SIP.',
    }),
    max_duration_seconds: integer('Longest conversation (seconds)', { default: 600, ...CONVERSATION_SECONDS }),
    agent_concurrency_limit: integer('Conversations at once', {
      default: UNLIMITED,
      min: UNLIMITED,
      max: CALLS_MAX,
      help: 'Enter -1 for no limit.',
    }),
    daily_limit: integer('Conversations per day', { default: 100_000, min: 0, max: CALLS_MAX }),
    turn_timeout: float('Wait for the caller (seconds)', {
      default: 7,
      ...TURN_SECONDS,
      help: 'The agent speaks again after this silence.',
    }),
    silence_end_call_timeout: integer('Hang up after silence (seconds)', {
      default: 10,
      min: UNLIMITED,
      max: DAY_SECONDS,
      help: 'Enter -1 to never hang up.',
    }),
    transfer_to_agent: one2many('Transfers to agents', 'connect.voiceai_agent_transfer', 'agent', { hasParts: true }),
    has_transfer_tool: computed('Can transfer to agents', 'boolean', { depends: [], compute: haveTransferTool }),
    agent_uid: char('Agent id', { isUnique: true, help: 'The ID of the agent at ElevenLabs.' }),
    connect_method: selection(
      'Calls are connected',
      { register: 'By registration (needs the API key)', sip: 'By SIP' },
      { default: 'register', help: "Calls that can't be registered use SIP." },
    ),
    fallback_exten: many2one('If unanswered, ring', 'connect.telco.exten', {
      isIndexed: false,
      offers: [['id', '!=', { of: 'exten' }]],
      help: "Rings when the agent can't be reached.",
    }),
    fallback_message: text('If unanswered, say', {
      maxLength: 4_000,
      help: "Spoken when the agent can't be reached and nothing rings.",
    }),
    exten: many2one('Extension', 'connect.telco.exten', { readonly: true }),
    exten_number: computed('Short number', 'char', {
      depends: ['exten'],
      compute: (env, rows) => extenNumbers(env, rows, 'exten'),
    }),
    remarks: remarksField(agentRemarks),
    synced: boolean('In sync', { readonly: true }),
    sync_error: text('Sync error', { readonly: true, widget: 'finding' }),
    create_asked_at: datetime('Creation requested', {
      readonly: true,
      help: "Set until ElevenLabs confirms it, so that it isn't created twice.",
    }),
    create_asked_name: char('Requested name', {
      readonly: true,
      help: 'Used to find the agent at ElevenLabs.',
    }),
    pushed: json('Stored at ElevenLabs', {
      readonly: true,
      help: 'Languages, variables and audio of the last sync.',
    }),
    voiceai_virtual_number_uid: char('Virtual number id', { readonly: true, isProtected: true }),
    voiceai_inbound_allowed_ips: text('Callers may come from', {
      default: SIGNALLING_RANGES.join('\n'),
      maxLength: 10_000,
      help: 'IP addresses and ranges, separated by commas or lines. Leave empty to allow all.',
    }),
  },
  methods: DRAFT_METHODS,
  checks: AGENT_CHECKS,
  prepare: prepareAgent,
  async saved(env, change) {
    if ('prompt' in change.values) await savePromptVersion(env, change.id)
    // Its id at the platform and its languages count for calls whether anything is pushed or not.
    await announceAgents(env)
  },
  async removing(env, ids) {
    await releaseExtensions(env, 'connect.voiceai_agent', ids)
    await announceAgents(env)
  },
})

async function haveTransferTool(env: Env, rows: readonly Row[]): Promise<boolean[]> {
  const found = await env.db.query<{ agent_id: number }>(
    sql`select r.agent_id from ${sql.identifier(TOOLS_OF_AGENTS)} r join connect_voiceai_agent_tool t on t.id = r.tool_id
        where t.tool_type = 'system' and t.name = 'transfer_to_agent' and r.agent_id in (${idList(rows.map((row) => row.id))})`,
  )
  const agents = new Set(found.map((each) => each.agent_id))
  return rows.map((row) => agents.has(row.id))
}
