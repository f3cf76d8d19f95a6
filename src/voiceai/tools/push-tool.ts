import { sql } from '../../database/drizzle.ts'
import { withLease } from '../../jobs/lease.ts'
import { notifyChanged } from '../../platform/records/notify-changed.ts'
import { savingFailure } from '../../sync/push-failure.ts'
import { freshSettings, inServiceEnv } from '../../sync/service-env.ts'
import { announceAgents, listAgentsWithTools, markAgentsOutdated, pushAgents } from '../agents/agent-changes.ts'
import { variablesIn } from '../agents/named-variables.ts'
import { VoiceaiError } from '../client/provider-error.ts'
import type { ToolConfig } from '../client/voiceai-client.ts'
import { unlessMissing } from '../workspace/errors.ts'
import { VOICEAI } from '../workspace/push-request.ts'
import { requireReady } from '../workspace/readiness.ts'
import type { VoiceaiParts } from '../workspace/voiceai-parts.ts'
import { toolConfig, toolUrl } from './tool-payload.ts'
import { type AskedTool, findTool, type ToolRow } from './tool-rows.ts'

const MODEL = 'connect.voiceai_agent_tool'

export interface PushOptions {
  /** Also what we believe to be in sync. */
  isForced?: boolean
  /** Somebody pushes every agent afterwards: those that name a new record need no push of their own. */
  leavesAgents?: boolean
}

export type PushOutcome = 'created' | 'updated' | 'removed' | 'unchanged'

/**
 * Brings the platform's tool in sync with ours, whoever else is pushing it: one after the other, each with the token of
 * its moment. Without `isForced`, a tool that is in sync already is left alone. Throws a VoiceaiError, and saves it.
 */
export async function pushTool(
  parts: VoiceaiParts,
  id: number,
  { isForced = false, leavesAgents = false }: PushOptions = {},
): Promise<PushOutcome> {
  return withLease(parts.db, `voiceai tool ${id}`, async () => {
    const tool = await findTool(parts.db, id)
    if (tool === undefined || (tool.synced === true && !isForced)) return 'unchanged'
    return savingFailure(parts, VOICEAI, { model: MODEL, id }, () => push(parts, tool, leavesAgents))
  })
}

async function push(parts: VoiceaiParts, tool: ToolRow, leavesAgents: boolean): Promise<PushOutcome> {
  if (tool.tool_type === 'system') return removeOwn(parts, tool)
  const settings = requireReady(await freshSettings(parts.platform))
  const config = toolConfig(tool, settings)
  const { tool_id: known } = tool
  if (known !== null && (await unlessMissing(() => parts.client.updateTool(known, config)))) {
    await savePushed(parts, tool, { toolId: known, leavesAgents, config })
    return 'updated'
  }
  const toolId = await create(parts, tool, { config, url: toolUrl(tool, settings.apiUrl) })
  await savePushed(parts, tool, { toolId, leavesAgents, config })
  return 'created'
}

/**
 * Creating is never repeated blindly: what an attempt before this one may have made, be it in this process or in one that
 * was killed, is looked for by the name and address that were asked for then, which may have changed here since.
 */
async function create(
  parts: VoiceaiParts,
  tool: ToolRow,
  wanted: { config: ToolConfig; url: string },
): Promise<string> {
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

/** The platform's tool with the name and address that were asked for, which no record of ours is; brought in sync. */
async function adopt(parts: VoiceaiParts, config: ToolConfig, asked: AskedTool): Promise<string | undefined> {
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

async function isKnown({ db }: VoiceaiParts, toolId: string): Promise<boolean> {
  const rows = await db.query(sql`select id from connect_voiceai_agent_tool where tool_id = ${toolId}`)
  return rows.length > 0
}

async function savePushed(
  parts: VoiceaiParts,
  tool: ToolRow,
  { toolId, leavesAgents, config }: { toolId: string; leavesAgents: boolean; config: ToolConfig },
): Promise<void> {
  const isSaved = await inServiceEnv(parts, async (env) => {
    // What was changed while it was being pushed is pushed again by the job of that change.
    const rows = await env.db.query(
      sql`update connect_voiceai_agent_tool set tool_id = ${toolId}, sync_error = null, create_asked_at = null,
            pushed_variables = ${JSON.stringify(variablesIn(config))}::jsonb,
            synced = (write_date = ${tool.write_date}::timestamp)
          where id = ${tool.id}::bigint returning id`,
    )
    await announceAgents(env)
    const namers = toolId === tool.tool_id ? [] : await listAgentsWithTools(env, [tool.id])
    await (leavesAgents ? markAgentsOutdated(env, namers) : pushAgents(env, namers))
    await notifyChanged(env, MODEL, [tool.id])
    return rows.length > 0
  })
  // Removed here while it was being created there.
  if (!isSaved) await parts.client.deleteTool(toolId)
}

/** A tool that has become part of its agents is no record of its own any more. */
async function removeOwn(parts: VoiceaiParts, tool: ToolRow): Promise<PushOutcome> {
  if (tool.tool_id === null) return 'unchanged'
  await removeTool(parts, tool.tool_id)
  await parts.db.query(
    sql`update connect_voiceai_agent_tool set tool_id = null, sync_error = null where id = ${tool.id}::bigint`,
  )
  return 'removed'
}

/** Removes a tool at the platform, where it may be gone already. */
export async function removeTool({ client }: VoiceaiParts, toolId: string): Promise<void> {
  await unlessMissing(() => client.deleteTool(toolId))
}
