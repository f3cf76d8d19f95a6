import { sql } from '../../database/drizzle.ts'
import type { Env } from '../../platform/access/env.ts'
import {
  boolean,
  char,
  computed,
  datetime,
  integer,
  json,
  many2one,
  one2many,
  selection,
  text,
} from '../../platform/model/fields.ts'
import { defineModel, type Row } from '../../platform/model/model.ts'
import { joinUrl } from '../../platform/settings/settings-model.ts'
import { PARAMETER_CHECKS, TOOL_CHECKS } from './tool-rules.ts'
import { toolStats } from './tool-stats.ts'

const TIMEOUT_SECONDS_DEFAULT = 20
const PARAMETER_NAME_CHARS_MAX = 64
const URL_CHARS_MAX = 2_000

/** Something an agent may ask for during a conversation. */
export const toolModel = defineModel({
  name: 'connect.voiceai_agent_tool',
  label: 'Agent tool',
  order: 'name',
  fields: {
    name: char('Name', {
      required: true,
      isUnique: true,
      pattern: { matches: /^[a-zA-Z0-9_-]{1,64}$/, says: 'up to 64 letters, digits, underscores and hyphens' },
    }),
    description: text('Description', { required: true, help: 'Tells the agent when to use the tool.' }),
    tool_type: selection(
      'Type',
      { system: 'System', webhook: 'Webhook', client: 'Client' },
      { required: true, default: 'webhook' },
    ),
    path: char('Path', {
      requiredWhile: [{ is: { tool_type: 'webhook', url: null }, says: 'for a webhook tool without "url"' }],
      maxLength: URL_CHARS_MAX,
      help: 'A path after the public address. {name} is replaced by a parameter.',
    }),
    url: char('External address', {
      maxLength: URL_CHARS_MAX,
      help: 'For tools outside Connect. {name} is replaced by a parameter.',
    }),
    callback_url: computed('Callback URL', 'char', { depends: ['path', 'url'], compute: callbackUrls }),
    method: selection('Method', ['GET', 'POST', 'PATCH', 'PUT', 'DELETE'], { default: 'POST' }),
    param_type: selection('Parameters in', { body: 'JSON body' }, { default: 'body' }),
    params: one2many('Parameters', 'connect.agent_tool_params', 'tool', { hasParts: true }),
    body_params_description: text('Description of the parameters'),
    response_timeout_secs: integer('Wait for the answer (seconds)', {
      required: true,
      default: TIMEOUT_SECONDS_DEFAULT,
      help: 'A webhook: from 5 to 300; other types: from 1 to 120.',
    }),
    client_expects_response: boolean('Waits for the client'),
    disable_interruptions: boolean('The caller cannot interrupt'),
    use_out_of_band_dtmf: boolean('Key tones outside the audio'),
    voicemail_message: text('Voicemail message', { help: 'Left when the agent reaches a voicemail.' }),
    tool_id: char('Tool id', { readonly: true, help: 'The ID of the tool at ElevenLabs.' }),
    synced: boolean('In sync', { readonly: true }),
    sync_error: text('Sync error', { readonly: true, widget: 'finding' }),
    create_asked_at: datetime('Creation requested', {
      readonly: true,
      help: "Set until ElevenLabs confirms it, so that it isn't created twice.",
    }),
    create_asked: json('Request', {
      readonly: true,
      help: 'Used to find the tool at ElevenLabs.',
    }),
    pushed_variables: json('Variables at the platform', {
      readonly: true,
      help: 'The variables at the last sync.',
    }),
  },
  checks: TOOL_CHECKS,
  methods: { stats: toolStats },
})

/** A value that the agent sends to a tool. */
export const toolParameterModel = defineModel({
  name: 'connect.agent_tool_params',
  label: 'Tool parameter',
  order: 'id',
  fields: {
    tool: many2one('Tool', 'connect.voiceai_agent_tool', { required: true, onDelete: 'cascade', isIndexed: false }),
    name: char('Name', {
      required: true,
      maxLength: PARAMETER_NAME_CHARS_MAX,
      pattern: { matches: /^[\w.-]+$/, says: 'letters, digits, underscores, dots and hyphens' },
      help: 'Sent in the body, or in the query of GET and DELETE.',
    }),
    data_type: selection('Type', ['string', 'boolean', 'integer'], { required: true, default: 'string' }),
    required: boolean('Required'),
    value_type: selection(
      'Source',
      { description: 'Agent', dynamic_variable: 'Dynamic variable', constant_value: 'Constant' },
      { required: true, default: 'description' },
    ),
    description: text('Description', { help: 'Tells the agent how to fill it.' }),
    dynamic_variable: char('Dynamic variable', { help: "Leave empty to use the parameter's name." }),
    constant_value: char('Constant', {
      requiredWhile: [{ is: { value_type: 'constant_value' }, says: 'for a constant' }],
    }),
  },
  indexes: [{ columns: ['tool', 'name'], isUnique: true, refusal: 'tool-parameter-twice' }],
  checks: PARAMETER_CHECKS,
  prepare(_env, values, current) {
    const after = { ...current, ...values }
    const isNamed = after.value_type !== 'dynamic_variable' || after.dynamic_variable
    return isNamed ? values : { ...values, dynamic_variable: after.name }
  },
})

/** Where the platform sends what the agent asks: a path of ours below the API URL, or an external address. */
async function callbackUrls(env: Env, rows: readonly Row[]): Promise<(string | null)[]> {
  const [settings] = await env.db.query<{ api_url: string | null }>(
    sql`select api_url from connect_settings order by id limit 1`,
  )
  const base = settings?.api_url
  return rows.map(({ path, url }) => {
    if (!path) return url ? String(url) : null
    return base ? joinUrl(base, String(path)) : null
  })
}
