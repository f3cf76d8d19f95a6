import { sql } from '../../database/drizzle.ts'
import { withLease } from '../../jobs/lease.ts'
import { variablesIn } from '../agents/named-variables.ts'
import { VoiceaiError } from '../client/provider-error.ts'
import type { ToolConfig, VoiceaiClient } from '../client/voiceai-client.ts'
import { keepFailure } from '../workspace/keep-failure.ts'
import { announceAgents, listAgentsWithTools, noteAgentsBehind, pushAgents } from '../workspace/push-request.ts'
import { requireReady } from '../workspace/readiness.ts'
import { freshSettings, inServiceEnv, type SyncParts } from '../workspace/service-env.ts'
import { toolConfig, toolUrl } from './tool-payload.ts'
import { type AskedTool, findTool, type ToolRow } from './tool-rows.ts'

export interface PushOptions {
  /** Also what we believe to be in step. */
  isForced?: boolean
  /** Somebody pushes every agent afterwards: those that name a new record need no push of their own. */
  leavesAgents?: boolean
}

export type PushOutcome = 'created' | 'updated' | 'removed' | 'unchanged'

/**
 * Brings the platform's tool in step with ours, whoever else is pushing it: one after the other, each with the token of
 * its moment. Without `isForced`, a tool that is in step already is left alone. Throws a VoiceaiError, and keeps it.
 */
export async function pushTool(
  parts: SyncParts,
  id: number,
  { isForced = false, leavesAgents = false }: PushOptions = {},
): Promise<PushOutcome> {
  return withLease(parts.db, `voiceai tool ${id}`, async () => {
    const tool = await findTool(parts.db, id)
    if (tool === undefined || (tool.synced === true && !isForced)) return 'unchanged'
    try {
      return await push(parts, tool, leavesAgents)
    } catch (error) {
      await keepFailure(parts, { table: 'connect_voiceai_agent_tool', id }, error)
      throw error
    }
  })
}

async function push(parts: SyncParts, tool: ToolRow, leavesAgents: boolean): Promise<PushOutcome> {
  if (tool.tool_type === 'system') return removeOwn(parts, tool)
  const settings = requireReady(await freshSettings(parts.platform))
  const config = toolConfig(tool, settings)
  if (tool.tool_id !== null && (await update(parts.client, tool.tool_id, config))) {
    await keepPushed(parts, tool, { toolId: tool.tool_id, leavesAgents, config })
    return 'updated'
  }
  const toolId = await create(parts, tool, { config, url: toolUrl(tool, settings.apiUrl) })
  await keepPushed(parts, tool, { toolId, leavesAgents, config })
  return 'created'
}

/** False when the platform does not know the tool any more. */
async function update(client: VoiceaiClient, toolId: string, config: ToolConfig): Promise<boolean> {
  try {
    await client.updateTool(toolId, config)
    return true
  } catch (error) {
    if (error instanceof VoiceaiError && error.kind === 'missing') return false
    throw error
  }
}

/**
 * Creating is never repeated blindly: what an attempt before this one may have made, be it in this process or in one that
 * was killed, is looked for by the name and address that were asked for then, which may have changed here since.
 */
async function create(parts: SyncParts, tool: ToolRow, wanted: { config: ToolConfig; url: string }): Promise<string> {
  const { config } = wanted
  const asked: AskedTool = { name: config.name, url: config.type === 'client' ? null : wanted.url }
  if (tool.create_asked_at !== null) {
    const made = await adopt(parts, config, tool.create_asked ?? asked)
    if (made !== undefined) return made
  }
  await parts.db.query(
    sql`update connect_voiceai_agent_tool set create_asked_at = now() at time zone 'utc',
          create_asked = ${JSON.stringify(asked)}::jsonb where id = ${tool.id}::bigint`,
  )
  try {
    return await parts.client.createTool(config)
  } catch (error) {
    const mayExist = error instanceof VoiceaiError && (error.kind === 'unavailable' || error.kind === 'conflict')
    const made = mayExist ? await adopt(parts, config, asked) : undefined
    if (made === undefined) throw error
    return made
  }
}

/** The platform's tool with the name and address that were asked for, which no record of ours is; brought in step. */
async function adopt(parts: SyncParts, config: ToolConfig, asked: AskedTool): Promise<string | undefined> {
  const there = (await parts.client.listTools()).filter(({ name, address }) => {
    return name === asked.name && (asked.url === null || address?.url === asked.url)
  })
  for (const { id } of there) {
    if (await isKnown(parts, id)) continue
    // It may be an older one than the one just made, with a token of before.
    await parts.client.updateTool(id, config)
    return id
  }
  return undefined
}

async function isKnown({ db }: SyncParts, toolId: string): Promise<boolean> {
  const rows = await db.query(sql`select id from connect_voiceai_agent_tool where tool_id = ${toolId}`)
  return rows.length > 0
}

async function keepPushed(
  parts: SyncParts,
  tool: ToolRow,
  { toolId, leavesAgents, config }: { toolId: string; leavesAgents: boolean; config: ToolConfig },
): Promise<void> {
  const isKept = await inServiceEnv(parts, async (env) => {
    // What was changed while it was being pushed is pushed again by the job of that change.
    const rows = await env.db.query(
      sql`update connect_voiceai_agent_tool set tool_id = ${toolId}, sync_error = null, create_asked_at = null,
            pushed_variables = ${JSON.stringify(variablesIn(config))}::jsonb,
            synced = (write_date = ${tool.write_date}::timestamp)
          where id = ${tool.id}::bigint returning id`,
    )
    await announceAgents(env)
    const namers = toolId === tool.tool_id ? [] : await listAgentsWithTools(env, [tool.id])
    await (leavesAgents ? noteAgentsBehind(env, namers) : pushAgents(env, namers))
    await env.db.notify('connect_records', JSON.stringify({ model: 'connect.voiceai_agent_tool', ids: [tool.id] }))
    return rows.length > 0
  })
  // Removed here while it was being created there.
  if (!isKept) await parts.client.deleteTool(toolId)
}

/** A tool that has become part of its agents is no record of its own any more. */
async function removeOwn(parts: SyncParts, tool: ToolRow): Promise<PushOutcome> {
  if (tool.tool_id === null) return 'unchanged'
  await removeTool(parts, tool.tool_id)
  await parts.db.query(
    sql`update connect_voiceai_agent_tool set tool_id = null, sync_error = null where id = ${tool.id}::bigint`,
  )
  return 'removed'
}

/** Removes a tool at the platform, where it may be gone already. */
export async function removeTool({ client }: SyncParts, toolId: string): Promise<void> {
  await client.deleteTool(toolId).catch((error: unknown) => {
    if (!(error instanceof VoiceaiError) || error.kind !== 'missing') throw error
  })
}
