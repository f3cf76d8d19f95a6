import { type SQL, sql } from '../../database/drizzle.ts'
import { idList } from '../../database/ids.ts'
import type { Env } from '../../platform/access/env.ts'
import type { Change } from '../../platform/model/model.ts'
import { writerOf, writtenBy } from '../../platform/model/written-by.ts'
import { notifySomeChanged } from '../../platform/records/notify-changed.ts'
import { requestPush, touches } from '../../sync/requests.ts'
import { VOICEAI } from '../workspace/voiceai.ts'

const MODEL = 'connect.voiceai_agent'

/** Columns that are part of what the platform holds of an agent. */
export const AGENT_COLUMNS = [
  'name',
  'first_message',
  'first_message_translations',
  'announces_ai',
  'prompt',
  'language',
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
const AGENT_CONTENT = [...AGENT_COLUMNS, 'voice', 'additional_languages', 'tools', 'knowledge']
const NUMBER_CONTENT = 'voiceai_inbound_allowed_ips'
/** A change of any other field is nobody's business there. */
export const PUSHED_FIELDS = [...AGENT_CONTENT, NUMBER_CONTENT]

/** How something is pushed that agents name. */
export interface AgentPartOptions {
  /** Every agent is pushed afterwards: those that name a new record need no push of their own. */
  leavesAgents?: boolean
}

/** Pushes agents; a changed address list concerns the virtual number only (docs/reference/domain.md). */
export async function pushChangedAgents(env: Env, ids: readonly number[], change: Change | undefined): Promise<void> {
  if (change === undefined) return pushAgents(env, ids)
  const { id, values, isNew, previous } = change
  const endsTokenLimit = isLimit(previous?.max_tokens) && 'max_tokens' in values && !isLimit(values.max_tokens)
  if (isNew || touches(values, AGENT_CONTENT)) await pushAgents(env, [id], endsTokenLimit ? { endsTokenLimit } : {})
  if (!isNew && NUMBER_CONTENT in values) await requestPush(env, VOICEAI, { kind: 'number', id })
}

/** Marks agents as outdated at the platform, and has them pushed. */
export async function pushAgents(
  env: Env,
  ids: readonly number[],
  options: { endsTokenLimit?: boolean } = {},
): Promise<void> {
  await markAgentsOutdated(env, ids)
  for (const id of ids) await requestPush(env, VOICEAI, { kind: 'agent', id, ...options })
}

/** Marks agents as outdated at the platform, for callers that push them all anyway. */
export async function markAgentsOutdated(env: Env, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return
  await env.db.query(
    sql`update connect_voiceai_agent set synced = false, ${writtenBy(writerOf(env))}
        where id in (${idList(ids)})`,
  )
  await announceAgents(env)
}

/** Has agents pushed that name something new. */
export async function pushNamers(env: Env, ids: readonly number[], options: AgentPartOptions = {}): Promise<void> {
  await (options.leavesAgents === true ? markAgentsOutdated(env, ids) : pushAgents(env, ids))
}

/** Clears what the platform calls our agents and their numbers; how many there were. What is there stays as it is. */
export async function unbindAgents(env: Env): Promise<number> {
  const agents = await listIds(
    env,
    sql`update connect_voiceai_agent set agent_uid = null, voiceai_virtual_number_uid = null, pushed = null,
          synced = false, sync_error = null, create_asked_at = null, ${writtenBy(writerOf(env))}
        where agent_uid is not null or voiceai_virtual_number_uid is not null or synced returning id`,
  )
  await announceAgents(env)
  await notifySomeChanged(env, MODEL, agents)
  return agents.length
}

/** Has every process look again at what calls have to know of agents, once the transaction has committed. */
export async function announceAgents({ db }: Pick<Env, 'db'>): Promise<void> {
  await db.notify('connect_agents', '')
}

/** Agents that have one of these tools. */
export async function listAgentsWithTools(env: Pick<Env, 'db'>, toolIds: readonly number[]): Promise<number[]> {
  if (toolIds.length === 0) return []
  return listIds(
    env,
    sql`select distinct agent_id as id from connect_voiceai_agent_tools_rel where tool_id in (${idList(toolIds)}) order by 1`,
  )
}

/** Agents that have these rules of handing over. */
export function agentsOfTransfers(env: Env, ids: readonly number[]): Promise<number[]> {
  return listIds(
    env,
    sql`select distinct agent as id from connect_voiceai_agent_transfer where id in (${idList(ids)}) order by 1`,
  )
}

/** Agents that hand conversations over to one of these. */
export async function listAgentsTransferringTo(env: Pick<Env, 'db'>, agentIds: readonly number[]): Promise<number[]> {
  if (agentIds.length === 0) return []
  return listIds(
    env,
    sql`select distinct agent as id from connect_voiceai_agent_transfer where transfer_to_agent in (${idList(agentIds)}) order by 1`,
  )
}

async function listIds({ db }: Pick<Env, 'db'>, query: SQL): Promise<number[]> {
  const rows = await db.query<{ id: number }>(query)
  return rows.map((row) => row.id)
}

function isLimit(tokens: unknown): boolean {
  return typeof tokens === 'number' && tokens > 0
}
