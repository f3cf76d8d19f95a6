import { sql } from '../../database/drizzle.ts'
import { idList } from '../../database/ids.ts'
import type { Env } from '../../platform/access/env.ts'
import type { Change } from '../../platform/model/model.ts'
import { writerOf, writtenBy } from '../../platform/model/written-by.ts'
import { notifySomeChanged } from '../../platform/records/notify-changed.ts'
import { requestPush, touches } from '../../sync/requests.ts'
import { announceAgents, listAgentsWithTools } from '../agents/agent-changes.ts'
import { VOICEAI } from '../workspace/voiceai.ts'

const MODEL = 'connect.voiceai_agent_tool'

/** Columns that are part of what the platform holds of a tool. */
export const TOOL_COLUMNS = [
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

/** Agents to which a change of a tool is one: they carry their system tools, and know which tools are which. */
export async function agentsOfTool(env: Env, { id, values, isNew }: Change): Promise<number[]> {
  if (!isNew && !touches(values, TOOL_COLUMNS)) return []
  const [tool] = await env.db.query<{ tool_type: string }>(
    sql`select tool_type from connect_voiceai_agent_tool where id = ${id}::bigint`,
  )
  return tool?.tool_type === 'system' || 'tool_type' in values ? listAgentsWithTools(env, [id]) : []
}

/** The tools that have these parameters. */
export async function toolsOfParameters({ db }: Env, ids: readonly number[]): Promise<number[]> {
  const rows = await db.query<{ tool: number }>(
    sql`select distinct tool from connect_agent_tool_params where id in (${idList(ids)}) order by 1`,
  )
  return rows.map((row) => row.tool)
}

/** Marks tools as outdated at the platform, and has them pushed. System tools are part of their agents. */
export async function pushTools(env: Env, ids: readonly number[]): Promise<void> {
  const tools = await env.db.query<{ id: number; tool_type: string; tool_id: string | null }>(
    sql`update connect_voiceai_agent_tool set synced = false, ${writtenBy(writerOf(env))}
        where id in (${idList(ids)}) returning id, tool_type, tool_id`,
  )
  await announceAgents(env)
  const own = tools.filter((tool) => tool.tool_type !== 'system' || tool.tool_id !== null)
  for (const { id } of own) await requestPush(env, VOICEAI, { kind: 'tool', id })
}

/**
 * Marks every tool as outdated: the platform still has the address and the token of before, and its tools are refused
 * until they are pushed. Also those that are being pushed at this moment.
 */
export async function markToolsOutdated(env: Env): Promise<void> {
  const tools = await env.db.query<{ id: number }>(
    sql`update connect_voiceai_agent_tool set synced = false, ${writtenBy(writerOf(env))}
        where tool_type <> 'system' returning id`,
  )
  await notifySomeChanged(
    env,
    MODEL,
    tools.map(({ id }) => id),
  )
}

/** Clears what the platform calls our tools; how many there were. What is there stays as it is. */
export async function unbindTools(env: Env): Promise<number> {
  const tools = await env.db.query<{ id: number }>(
    sql`update connect_voiceai_agent_tool set tool_id = null, pushed_variables = null, synced = false,
          sync_error = null, create_asked_at = null,
          ${writtenBy(writerOf(env))} where tool_id is not null or synced returning id`,
  )
  await notifySomeChanged(
    env,
    MODEL,
    tools.map(({ id }) => id),
  )
  return tools.length
}
