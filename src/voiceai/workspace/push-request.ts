import { type SQL, sql } from '../../database/drizzle.ts'
import type { Env } from '../../platform/access/env.ts'
import { idList } from '../../platform/records/records.ts'
import { findObstacle } from './readiness.ts'

export const PUSH_JOB = 'voiceai-push'

/** One thing that the platform is to hold as we do. Ids, not records: what is pushed is what is stored by then. */
export type Push =
  | { kind: 'tool'; id: number }
  | { kind: 'agent'; id: number; endsTokenLimit?: boolean }
  | { kind: 'number'; id: number }
  | { kind: 'initiation' }
  | { kind: 'post-call' }
  | { kind: 'speech'; fileId: number }
  | { kind: 'remove-tool'; toolId: string }
  | { kind: 'remove-agent'; agentUid: string | null; numberUid: string | null }

/** Has something pushed once the transaction has committed; nothing while voice agents are off or not set up. */
export async function requestPush(
  env: Env,
  push: Push,
  { delaySeconds }: { delaySeconds?: number } = {},
): Promise<void> {
  if (findObstacle(env.settings) !== undefined) return
  await env.platform.enqueue(env.db, {
    name: PUSH_JOB,
    payload: push,
    ...(delaySeconds === undefined ? {} : { delaySeconds }),
  })
}

/** Notes that the platform's tools are behind ours, and has them pushed. System tools are part of their agents. */
export async function pushTools(env: Env, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return
  const tools = await env.db.query<{ id: number; tool_type: string; tool_id: string | null }>(
    sql`update connect_voiceai_agent_tool set synced = false, write_date = now() at time zone 'utc'
        where id in (${idList(ids)}) returning id, tool_type, tool_id`,
  )
  await announceAgents(env)
  const own = tools.filter((tool) => tool.tool_type !== 'system' || tool.tool_id !== null)
  for (const { id } of own) await requestPush(env, { kind: 'tool', id })
}

/** Notes that the platform's agents are behind ours, and has them pushed. */
export async function pushAgents(
  env: Env,
  ids: readonly number[],
  options: { endsTokenLimit?: boolean } = {},
): Promise<void> {
  await noteAgentsBehind(env, ids)
  for (const id of ids) await requestPush(env, { kind: 'agent', id, ...options })
}

/** Notes that the platform's agents are behind ours, for whoever pushes them all anyway. */
export async function noteAgentsBehind(env: Env, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return
  await env.db.query(
    sql`update connect_voiceai_agent set synced = false, write_date = now() at time zone 'utc'
        where id in (${idList(ids)})`,
  )
  await announceAgents(env)
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
