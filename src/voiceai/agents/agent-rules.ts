import { sql } from '../../database/drizzle.ts'
import { Refusal } from '../../errors.ts'
import type { Env } from '../../platform/access/env.ts'
import type { Check, Row, Values } from '../../platform/model/model.ts'
import { isUnseen } from '../../unseen.ts'
import { findBadAddress } from './allowed-addresses.ts'
import { AGENT_LANGUAGES, LANGUAGE_MODELS } from './provider-choices.ts'

const LANGUAGE_CODES: ReadonlySet<string> = new Set(AGENT_LANGUAGES.map(([code]) => code))

/** What a voice agent has to follow beside its fields. */
export const AGENT_CHECKS: readonly Check[] = [
  {
    fields: ['voiceai_inbound_allowed_ips'],
    says: 'IP addresses or ranges such as 192.0.2.0/24.',
    require: ({ values }) => requireAddresses(values.voiceai_inbound_allowed_ips),
  },
  {
    fields: ['first_message_translations'],
    says: 'An object of language and text, such as {"de": "Guten Tag!"}.',
    require: ({ values }) => requireTranslations(values.first_message_translations),
  },
  {
    fields: ['llm'],
    says: 'A language model of the choices, or one that the platform lists.',
    async require({ env, values, current }) {
      if (values.llm !== current?.llm) await requireLanguageModel(env, values.llm)
    },
  },
]

/** Completes what is about to be stored for a voice agent. */
export async function prepareAgent(env: Env, given: Values, current: Row | undefined): Promise<Values> {
  const values = { ...given }
  if (typeof values.agent_uid === 'string') values.agent_uid = values.agent_uid.trim() || null
  await pickTemplate(env, values, current)
  await pickVersion(env, values, current)
  // A text that is written back unchanged is no change: nothing is kept and nothing is sent to the platform.
  if (current !== undefined && values.prompt === current.prompt) delete values.prompt
  return values
}

/** Throws a refusal that names the first entry that is no address. */
function requireAddresses(written: unknown): void {
  const bad = typeof written === 'string' ? findBadAddress(written) : undefined
  if (bad === undefined) return
  throw new Refusal('refused', 'connect-voiceai-agent-voiceai-inbound-allowed', { bad })
}

/** Throws a refusal unless the value maps languages of the platform to texts. */
function requireTranslations(value: unknown): void {
  if (value === null || value === undefined || value === false) return
  const entries = typeof value === 'object' && !Array.isArray(value) ? Object.entries(value) : undefined
  if (entries?.every(([language, words]) => LANGUAGE_CODES.has(language) && typeof words === 'string')) return
  throw new Refusal('refused', 'connect-voiceai-agent-first-message-translations')
}

/** Throws a refusal unless the model is one of ours or one that the platform lists. */
async function requireLanguageModel(env: Env, name: unknown): Promise<void> {
  if (typeof name !== 'string' || LANGUAGE_MODELS.some((known) => known === name)) return
  const [settings] = await env.db.query<{ voiceai_llms: readonly { name: string }[] | null }>(
    sql`select voiceai_llms from connect_settings order by id limit 1`,
  )
  const listed = (settings?.voiceai_llms ?? []).map((each) => each.name)
  if (listed.includes(name)) return
  const choices = [...new Set([...LANGUAGE_MODELS, ...listed])].join(', ')
  throw new Refusal('refused', 'connect-voiceai-agent-llm-must-one', { choices })
}

/** Picking a template brings its tools, and its text unless a text is written with it. */
async function pickTemplate(env: Env, values: Values, current: Row | undefined): Promise<void> {
  const { template, prompt } = values
  if (typeof template !== 'number') return
  const isPicked = template !== current?.template
  // What somebody writes beside it counts, an empty list too.
  if (isPicked && !('tools' in values)) values.tools = await toolsOf(env, template)
  if ((!isPicked && !('prompt' in values)) || (typeof prompt === 'string' && !isUnseen(prompt))) return
  const rows = await env.db.query<{ system_prompt: string }>(
    sql`select system_prompt from connect_voiceai_agent_template where id = ${template}::bigint`,
  )
  if (rows[0] !== undefined) values.prompt = rows[0].system_prompt
}

/** The tools of the template as additions: tools that an agent has already stay. */
async function toolsOf(env: Env, template: number): Promise<[4, number][]> {
  const rows = await env.db.query<{ tool_id: number }>(
    sql`select tool_id from connect_voiceai_agent_template_tools_rel where template_id = ${template}::bigint order by tool_id`,
  )
  return rows.map(({ tool_id: tool }) => [4, tool])
}

/** Picking a version brings its text back, unless a text was written with it. */
async function pickVersion(env: Env, values: Values, current: Row | undefined): Promise<void> {
  const version = values.active_prompt_version
  if (typeof version !== 'number') return
  const rows = await env.db.query<{ prompt: string }>(
    sql`select prompt from connect_voiceai_agent_prompt where id = ${version}::bigint and agent = ${current?.id ?? 0}::bigint`,
  )
  if (rows[0] === undefined) {
    throw new Refusal('refused', 'connect-voiceai-agent-active-prompt-version')
  }
  if (version !== current?.active_prompt_version) values.prompt ??= rows[0].prompt
}
