import { randomUUID } from 'node:crypto'
import { sql } from '../../database/drizzle.ts'
import { Refusal } from '../../errors.ts'
import type { Env } from '../access/env.ts'
import {
  boolean,
  char,
  computed,
  type Field,
  integer,
  json,
  many2one,
  secret,
  selection,
  text,
} from '../model/fields.ts'
import { defineModel, type Row, type Values } from '../model/model.ts'
import { isMask, MASK } from '../secrets/secrets.ts'

/** Secrets of the settings: each is entered through itself or through its `display_` twin, which only ever shows a mask. */
const SECRETS = ['voiceai_api_key', 'auth_token', 'telco_api_secret'] as const

/** Values that people paste, with blanks around them that no header and no address has. */
const PASTED = [...SECRETS, 'voiceai_agent_token', 'account_sid', 'telco_api_key', 'api_url'] as const

const EDGES = ['ashburn', 'umatilla', 'dublin', 'frankfurt', 'sydney', 'sao-paulo', 'tokyo', 'singapore'] as const
const EDGE_OF_REGION: Record<string, string> = { us1: 'ashburn', ie1: 'dublin', au1: 'sydney' }

/** Said in the settings and at start: with the check off, anybody who knows the address can send events. */
export const NOT_VERIFIED =
  'Telephony requests are NOT verified: anybody can send call events. Switch "telco_verify_requests" on.'

const DELIVERY_DAYS_DEFAULT = 30
const DELIVERY_DAYS_MAX = 3650
const CALL_SECONDS_DEFAULT = 7_200
const CALL_SECONDS_MAX = 86_400

/** The singleton of what administrators decide while the service runs. */
export const settingsModel = defineModel({
  name: 'connect.settings',
  label: 'Settings',
  order: 'id',
  display: { columns: ['id'], show: () => 'General Settings' },
  fields: {
    name: computed('Name', 'char', { depends: [], compute: (_env, rows) => rows.map(() => 'General Settings') }),
    // SYNC sends the agent token to where this points, and only when that is https on a public host.
    api_url: char('API URL', {
      isWrittenByManagers: true,
      help: 'The public HTTPS address of this service, from which every webhook URL is built.',
    }),
    api_fallback_url: char('Fallback URL', { help: 'Base of the voice fallback URLs; empty means that none is set.' }),
    country_id: many2one('Country', 'res.country', {
      help: 'National phone numbers are read as numbers of this country.',
    }),
    instance_uid: char('Instance', { readonly: true, required: true, default: () => randomUUID() }),
    was_set_up: boolean('Somebody could sign in', {
      readonly: true,
      help: 'Once a person has had a password, the link that makes the first administrator is worth nothing for ever.',
    }),
    debug_mode: boolean('Debug mode'),
    delivery_keep_days: integer('Keep deliveries (days)', {
      required: true,
      default: DELIVERY_DAYS_DEFAULT,
      min: 1,
      max: DELIVERY_DAYS_MAX,
    }),
    number_search_operation: selection('Number search', ['=', 'like'], {
      default: '=',
      help: 'How people look up contacts by number: the whole number, or any part of it. Calls always go by the whole.',
    }),
    proxy_recordings: boolean('Serve recordings from here', { default: true }),
    store_recordings: boolean('Keep a copy of recordings', {
      help: "Audio is copied to this service's own storage, so that it stays when the provider deletes it.",
    }),
    announce_recordings: boolean('Announce recordings', {
      help:
        'Callers hear, in the language of whoever they call, that the call may be recorded, before a phone rings that ' +
        'records its calls. Off: such calls are recorded without a word.',
    }),
    call_duration_limit: integer('Longest outgoing call (seconds)', {
      default: CALL_SECONDS_DEFAULT,
      min: 1,
      max: CALL_SECONDS_MAX,
    }),
    transcript_calls: boolean('Transcribe calls'),
    transcript_provider: selection('Transcription by', ['core', 'voiceai'], { default: 'core' }),
    summary_prompt: text('Summary prompt', { required: true, default: 'Summarise the call in a few sentences.' }),
    register_summary: boolean('Post summaries to contacts', { default: true }),
    voiceai_enabled: boolean('Voice agents enabled'),
    voiceai_tools_open: boolean('Agents reach every record', {
      help:
        'Off: in a call, agents reach tickets, meetings and contacts of its contact and company, and what was made in it. ' +
        'On: every ticket and meeting whose number a caller names.',
    }),
    calendar_outside_hours: boolean('Book outside working hours', {
      help: 'On: agents book meetings at any time. Off: only inside the working hours of a colleague who has some.',
    }),
    voiceai_api_key: secret('Voice-agent API key'),
    voiceai_agent_token: secret('Agent token', { required: true, default: () => randomUUID() }),
    voiceai_voice: many2one('Default voice', 'connect.voiceai_voice'),
    voiceai_llms: json('Language models', {
      readonly: true,
      help: 'What the platform lists: {"name", "is_deprecated", "replacement"} of each.',
    }),
    voiceai_conversation_initiation_webhook_url: urlBelow('/connect_voiceai/conversation_initiation'),
    voiceai_post_call_webhook_url: urlBelow('/connect_voiceai/post_call'),
    voiceai_post_call_webhook_id: char('Post-call webhook', { isProtected: true }),
    voiceai_post_call_webhook_secret: secret('Post-call webhook secret'),
    voiceai_post_call_warning: char('Post-call warning', {
      readonly: true,
      help: 'Why conversations are not delivered at present, and what to do about it.',
    }),
    voiceai_send_audio: boolean('Keep the audio of agent conversations', {
      help: 'The platform delivers it after each conversation, beside the transcript.',
    }),
    voiceai_post_call_webhook_previous_secret: secret('Post-call webhook secret before the last rotation', {
      help: 'Still accepted until the old webhook is deleted, so that no delivery is lost while the secret rotates.',
    }),
    account_sid: char('Account SID'),
    auth_token: secret('Auth Token'),
    telco_api_key: char('API key SID'),
    telco_api_secret: secret('API Secret'),
    telco_balance: char('Balance', { readonly: true }),
    telco_region: selection('Region', ['us1', 'ie1', 'au1'], { default: 'us1' }),
    telco_edge: selection('Edge', EDGES, { default: 'ashburn' }),
    telco_auto_sync: boolean('Push changes on save', { default: true }),
    telco_verify_requests: boolean('Verify telephony requests', {
      default: true,
      help: 'Switch off for development only: anybody who knows the address could then send events.',
    }),
    telco_verification_warning: computed('Warning', 'char', {
      depends: ['telco_verify_requests'],
      compute: (_env, rows) => rows.map((row) => (row.telco_verify_requests === false ? NOT_VERIFIED : null)),
    }),
    fetch_call_prices: boolean('Fetch call prices'),
    ...Object.fromEntries(SECRETS.map((name) => [`display_${name}`, twinOf(name)])),
  },
  async prepare(env, given, current) {
    const values = withoutTwins(given)
    requireAddress(values, 'api_url')
    requireAddress(values, 'api_fallback_url')
    if (current === undefined) {
      await requireFirst(env)
      return values
    }
    if ('voiceai_agent_token' in values && isBlank(values.voiceai_agent_token)) {
      throw new Refusal('refused', 'The "voiceai_agent_token" cannot be empty.')
    }
    return withEdgeOfRegion(values, current)
  },
  saved: (env) => env.platform.settings.announce(env.db),
})

/** The service reads one row; another one would look like settings and change nothing. */
async function requireFirst(env: Env): Promise<void> {
  const rows = await env.db.query(sql`select 1 from connect_settings limit 1`)
  if (rows.length > 0)
    throw new Refusal('conflict', 'There is one record of connect.settings already: change that one.')
}

/** Paths are put behind it, so it ends before any query; whoever can see the settings would see a password in it. */
function requireAddress(values: Values, name: string): void {
  const value = values[name]
  if (typeof value !== 'string' || isBlank(value)) return
  const url = URL.canParse(value) ? new URL(value) : undefined
  const isPlain = url?.username === '' && url.password === '' && url.search === '' && url.hash === ''
  if (isPlain && /^https?:\/\/[^/]/i.test(value)) return
  throw new Refusal('refused', `"${name}" must be an address such as https://connect.example.com, without a query.`)
}

/** A twin that shows a mask when the secret is set and takes a new secret. */
function twinOf(name: string): Field {
  return computed(`${name} (entry)`, 'char', {
    depends: [name],
    isProtected: true,
    isWritable: true,
    compute: (_env, rows) => rows.map((row) => (isBlank(row[name]) ? null : MASK)),
  })
}

function urlBelow(path: string): Field {
  return computed(`Address of ${path}`, 'char', {
    depends: ['api_url'],
    compute: (_env, rows) => rows.map((row) => (isBlank(row.api_url) ? null : joinUrl(String(row.api_url), path))),
  })
}

/** Joins with exactly one slash and keeps a path that the base has. */
export function joinUrl(base: string, path: string): string {
  return `${base.replace(/\/+$/, '')}/${path.replace(/^\/+/, '')}`
}

function withoutTwins(given: Values): Values {
  const values: Values = { ...given }
  for (const name of SECRETS) {
    const twin = `display_${name}`
    if (!(twin in values)) continue
    const entered = values[twin]
    delete values[twin]
    if (!isMask(entered)) values[name] = entered
  }
  for (const name of PASTED) {
    if (typeof values[name] === 'string') values[name] = values[name].trim()
  }
  return values
}

function withEdgeOfRegion(values: Values, current: Row): Values {
  const region = values.telco_region
  if (typeof region !== 'string' || region === current.telco_region || 'telco_edge' in values) return values
  return { ...values, telco_edge: EDGE_OF_REGION[region] }
}

function isBlank(value: unknown): boolean {
  return value === null || value === undefined || value === false || value === ''
}
