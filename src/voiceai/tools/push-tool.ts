import { sql } from '../../database/drizzle.ts'
import type { StepContext } from '../../sync/provider.ts'
import { createOrFind, pushRecord, savePushed, unlessMissing } from '../../sync/push.ts'
import { workOnEach } from '../../sync/work-on-each.ts'
import { announceAgents, listAgentsWithTools, markAgentsOutdated, pushAgents } from '../agents/agent-changes.ts'
import { variablesIn } from '../agents/named-variables.ts'
import type { ToolConfig } from '../client/sdk-workspace.ts'
import { type ReadySettings, requireReady } from '../workspace/readiness.ts'
import { type Push, type PushOutcome, VOICEAI, type VoiceaiParts } from '../workspace/voiceai.ts'
import { toolModel } from './tool.ts'
import { toolConfig, toolUrl } from './tool-payload.ts'
import { type AskedTool, findTool, listOwnTools, type ToolRow } from './tool-rows.ts'

const MODEL = toolModel.name

export interface PushOptions {
  /** Also what we believe to be in sync. */
  isForced?: boolean
  /** Somebody pushes every agent afterwards: those that name a new record need no push of their own. */
  leavesAgents?: boolean
}

/** Pushes every tool, and has the agents pushed that name new ones unless somebody pushes every agent afterwards. */
export async function syncTools(
  parts: VoiceaiParts,
  context: StepContext,
  options: Pick<PushOptions, 'leavesAgents'> = {},
): Promise<void> {
  const tools = await listOwnTools(parts.db)
  await context.progress.count('total', tools.length)
  await workOnEach(context, {
    model: MODEL,
    targets: tools,
    work: ({ id }) => pushTool(parts, id, { isForced: true, ...options }),
    retry: ({ id }): Push => ({ kind: 'tool', id }),
  })
}

/**
 * Brings the platform's tool in sync with ours, each push with the token of its moment. Without `isForced`, a tool that is
 * in sync already is left alone. Throws a VoiceaiError, and saves it.
 */
export function pushTool(
  parts: VoiceaiParts,
  id: number,
  { isForced = false, leavesAgents = false }: PushOptions = {},
): Promise<PushOutcome> {
  return pushRecord(parts, VOICEAI, {
    model: MODEL,
    what: 'tool',
    id,
    async find() {
      const tool = await findTool(parts.db, id)
      return tool?.synced === true && !isForced ? undefined : tool
    },
    push: (tool, settings) => push(parts, tool, { ...requireReady(settings), leavesAgents }),
  })
}

async function push(
  parts: VoiceaiParts,
  tool: ToolRow,
  { leavesAgents, ...settings }: ReadySettings & { leavesAgents: boolean },
): Promise<PushOutcome> {
  if (tool.tool_type === 'system') return removeOwn(parts, tool)
  const config = toolConfig(tool, settings)
  const { tool_id: known } = tool
  if (known !== null && (await unlessMissing(VOICEAI, () => parts.client.updateTool(known, config)))) {
    await save(parts, tool, { toolId: known, leavesAgents, config })
    return 'updated'
  }
  const toolId = await create(parts, tool, { config, url: toolUrl(tool, settings.apiUrl) })
  await save(parts, tool, { toolId, leavesAgents, config })
  return 'created'
}

/**
 * Creating is never repeated blindly: what an attempt before this one may have made, be it in this process or in one that
 * was killed, is looked for by the name and address that were asked for then, which may have changed here since.
 */
async function create(parts: VoiceaiParts, tool: ToolRow, wanted: { config: ToolConfig; url: string }) {
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
  return createOrFind(
    VOICEAI,
    () => parts.client.createTool(config),
    () => adopt(parts, config, asked),
  )
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

async function save(
  parts: VoiceaiParts,
  tool: ToolRow,
  { toolId, leavesAgents, config }: { toolId: string; leavesAgents: boolean; config: ToolConfig },
): Promise<void> {
  await savePushed(parts, {
    model: MODEL,
    id: tool.id,
    // What was changed while it was being pushed is pushed again by the job of that change.
    set: sql`tool_id = ${toolId}, create_asked_at = null,
      pushed_variables = ${JSON.stringify(variablesIn(config))}::jsonb, synced = (write_date = ${tool.write_date}::timestamp)`,
    isNotified: true,
    async andThen(env) {
      await announceAgents(env)
      const namers = toolId === tool.tool_id ? [] : await listAgentsWithTools(env, [tool.id])
      await (leavesAgents ? markAgentsOutdated(env, namers) : pushAgents(env, namers))
    },
    remove: () => parts.client.deleteTool(toolId),
  })
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
  await unlessMissing(VOICEAI, () => client.deleteTool(toolId))
}
