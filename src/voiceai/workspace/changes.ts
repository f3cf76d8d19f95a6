import { type SQL, sql } from '../../database/drizzle.ts'
import type { Env } from '../../platform/access/env.ts'
import type { Change, Values } from '../../platform/model/model.ts'
import { idList } from '../../platform/records/records.ts'
import {
  announceAgents,
  listAgentsTransferringTo,
  listAgentsWithTools,
  pushAgents,
  pushTools,
  requestPush,
} from './push-request.ts'

/** Fields that are part of what the platform holds of an agent; a change of any other is nobody's business there. */
const AGENT_CONTENT = [
  'name',
  'voice',
  'first_message',
  'first_message_translations',
  'prompt',
  'language',
  'additional_languages',
  'tools',
  'llm',
  'temperature',
  'max_tokens',
  'stability',
  'similarity_boost',
  'speed',
  'use_flash',
  'model',
  'output_audio_format',
  'user_input_audio_format',
  'max_duration_seconds',
  'agent_concurrency_limit',
  'daily_limit',
  'turn_timeout',
  'silence_end_call_timeout',
  // Decides about the audio.
  'connect_method',
] as const

const TOOL_CONTENT = [
  'name',
  'description',
  'tool_type',
  'path',
  'url',
  'method',
  'body_params_description',
  'response_timeout_secs',
  'client_expects_response',
  'disable_interruptions',
  'use_out_of_band_dtmf',
  'voicemail_message',
] as const

type Changed = Pick<Change, 'id' | 'values' | 'isNew'>

/** Has the platform follow a new or changed agent; its address list concerns its virtual number only. */
export async function followAgent(env: Env, { id, values, isNew, previous }: Change): Promise<void> {
  // Its id at the platform and its languages count for calls whether anything is pushed or not.
  await announceAgents(env)
  const endsTokenLimit = isLimit(previous?.max_tokens) && 'max_tokens' in values && !isLimit(values.max_tokens)
  if (isNew || touches(values, AGENT_CONTENT)) await pushAgents(env, [id], endsTokenLimit ? { endsTokenLimit } : {})
  else if ('voiceai_inbound_allowed_ips' in values) await requestPush(env, { kind: 'number', id })
}

/** Has the platform forget agents that are about to be removed, and the others forget to transfer to them. */
export async function forgetAgents(env: Env, ids: readonly number[]): Promise<void> {
  await announceAgents(env)
  const agents = await env.db.query<{ agent_uid: string | null; voiceai_virtual_number_uid: string | null }>(
    sql`select agent_uid, voiceai_virtual_number_uid from connect_voiceai_agent where id in (${idList(ids)}) order by id`,
  )
  for (const { agent_uid: agentUid, voiceai_virtual_number_uid: numberUid } of agents) {
    if (agentUid !== null || numberUid !== null) await requestPush(env, { kind: 'remove-agent', agentUid, numberUid })
  }
  const others = await listAgentsTransferringTo(env, ids)
  await pushAgents(
    env,
    others.filter((id) => !ids.includes(id)),
  )
}

/** Has the platform follow a new or changed tool. Agents carry their system tools, and know which tools are which. */
export async function followTool(env: Env, { id, values, isNew }: Changed): Promise<void> {
  if (!isNew && !touches(values, TOOL_CONTENT)) return
  await pushTools(env, [id])
  const [tool] = await env.db.query<{ tool_type: string }>(
    sql`select tool_type from connect_voiceai_agent_tool where id = ${id}::bigint`,
  )
  if (tool?.tool_type === 'system' || 'tool_type' in values) await pushAgents(env, await listAgentsWithTools(env, [id]))
}

/** Has the platform forget tools that are about to be removed. */
export async function forgetTools(env: Env, ids: readonly number[]): Promise<void> {
  await pushAgents(env, await listAgentsWithTools(env, ids))
  const tools = await env.db.query<{ tool_id: string }>(
    sql`select tool_id from connect_voiceai_agent_tool where id in (${idList(ids)}) and tool_id is not null order by id`,
  )
  for (const { tool_id: toolId } of tools) await requestPush(env, { kind: 'remove-tool', toolId })
}

/** A tool's parameters changed: the tool does, and so do the placeholders of the agents that have it. */
export async function followParameters(env: Env, ids: readonly number[]): Promise<void> {
  const tools = await listOwners(
    env,
    sql`select distinct tool as id from connect_agent_tool_params where id in (${idList(ids)}) order by 1`,
  )
  await pushTools(env, tools)
  await pushAgents(env, await listAgentsWithTools(env, tools))
}

/** The rules by which an agent hands over changed. */
export async function followTransfers(env: Env, ids: readonly number[]): Promise<void> {
  const agents = await listOwners(
    env,
    sql`select distinct agent as id from connect_voiceai_agent_transfer where id in (${idList(ids)}) order by 1`,
  )
  await pushAgents(env, agents)
}

async function listOwners({ db }: Pick<Env, 'db'>, query: SQL): Promise<number[]> {
  return (await db.query<{ id: number }>(query)).map((row) => row.id)
}

function isLimit(tokens: unknown): boolean {
  return typeof tokens === 'number' && tokens > 0
}

function touches(values: Values, fields: readonly string[]): boolean {
  return fields.some((field) => field in values)
}
