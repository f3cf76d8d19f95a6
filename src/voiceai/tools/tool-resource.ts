import { sql } from '../../database/drizzle.ts'
import { idList } from '../../database/ids.ts'
import { Resource } from '../../sync/resource.ts'
import { publishedTime } from '../../time.ts'
import { type AgentPartOptions, announceAgents, listAgentsWithTools, pushNamers } from '../agents/agent-changes.ts'
import { variablesIn } from '../agents/named-variables.ts'
import type { ProviderTool, ToolConfig } from '../client/sdk-workspace.ts'
import { requireReady } from '../workspace/readiness.ts'
import { VOICEAI, type VoiceaiParts } from '../workspace/voiceai.ts'
import { toolModel, toolParameterModel } from './tool.ts'
import { pushTools, TOOL_COLUMNS, toolsOfParameters } from './tool-changes.ts'
import { toolConfig } from './tool-payload.ts'
import { findDoubles, sayToolProblem, TOOL_ABSENT, toolProblem } from './tool-problems.ts'
import { type AskedTool, findTool, listOwnTools, type ToolRow } from './tool-rows.ts'

interface Tool {
  stored: ToolRow
  wanted: ToolConfig
  there: ProviderTool
  gone: { toolId: string }
  options?: AgentPartOptions
}

/**
 * Every tool that is a record of its own at the platform, each pushed with the token of its moment. System tools are part
 * of their agents.
 */
export const toolResource = new Resource<VoiceaiParts, 'tool', Tool>(VOICEAI, {
  kind: 'tool',
  model: toolModel,
  step: 'tools',
  pushedOn: TOOL_COLUMNS,
  pushedWith: [
    { model: toolParameterModel, saved: (env, { id }) => toolsOfParameters(env, [id]), removing: toolsOfParameters },
  ],
  queue: pushTools,
  async list({ db }, id) {
    if (id === undefined) return listOwnTools(db)
    const tool = await findTool(db, id)
    return tool === undefined ? [] : [tool]
  },
  nameOf: ({ name }) => name,
  uidOf: ({ tool_id: uid }) => uid,
  wanted: (_parts, stored, { settings }) => toolConfig(stored, requireReady(settings)),
  actual: ({ client }) => client.listTools(),
  match: ({ tool_id: uid }, actual) => actual.find(({ id }) => id === uid),
  isUpdatedUnseen: true,
  idThere: ({ id }) => id,
  problem: toolProblem,
  drift: { what: 'tool', say: sayToolProblem, absent: () => TOOL_ABSENT, strangers: findDoubles },
  create: async ({ client }, wanted) => ({ uid: await client.createTool(wanted) }),
  ask: noteAsked,
  findLeft: findAsked,
  findMade: findAsked,
  update: ({ client }, { uid }, wanted) => client.updateTool(uid, wanted),
  saved: (stored, { uid }, { wanted, options }) => ({
    // What was changed while it was being pushed is pushed again by the job of that change.
    set: sql`tool_id = ${uid}, create_asked_at = null, pushed_variables = ${JSON.stringify(variablesIn(wanted))}::jsonb,
      synced = (write_date = ${stored.write_date}::timestamp)`,
    isNotified: true,
    async andThen(env) {
      await announceAgents(env)
      const namers = uid === stored.tool_id ? [] : await listAgentsWithTools(env, [stored.id])
      await pushNamers(env, namers, options)
    },
  }),
  removal: {
    of: (_stored, { uid: toolId }) => ({ toolId }),
    read: ({ db }, ids) =>
      db.query(
        sql`select tool_id as "toolId" from connect_voiceai_agent_tool
            where id in (${idList(ids)}) and tool_id is not null order by id`,
      ),
    remove: ({ client }, { toolId }) => client.deleteTool(toolId),
    // A tool that has become part of its agents is no record of its own any more.
    isDue: ({ tool_type: type }) => type === 'system',
    cleared: () => sql`tool_id = null`,
  },
})

function askedOf(wanted: ToolConfig): AskedTool {
  return { name: wanted.name, url: wanted.type === 'client' ? null : wanted.apiSchema.url }
}

async function noteAsked({ db }: VoiceaiParts, wanted: ToolConfig, stored: ToolRow): Promise<ToolRow> {
  const asked = { create_asked_at: publishedTime(new Date()), create_asked: askedOf(wanted) }
  await db.query(
    sql`update connect_voiceai_agent_tool set create_asked_at = now() at time zone 'utc',
          create_asked = ${JSON.stringify(asked.create_asked)}::jsonb where id = ${stored.id}::bigint`,
  )
  return { ...stored, ...asked }
}

/**
 * The platform's tool with the name and address that were asked for, which may have changed here since, and which no record
 * of ours is.
 */
async function findAsked(
  { client, db }: VoiceaiParts,
  wanted: ToolConfig,
  { create_asked_at: askedAt, create_asked: known }: ToolRow,
): Promise<{ uid: string } | undefined> {
  if (askedAt === null) return undefined
  const asked = known ?? askedOf(wanted)
  const ours = await db.query<{ tool_id: string | null }>(sql`select tool_id from connect_voiceai_agent_tool`)
  const made = (await client.listTools()).find(
    ({ id, name, address }) =>
      name === asked.name &&
      (asked.url === null || address?.url === asked.url) &&
      !ours.some((each) => each.tool_id === id),
  )
  return made === undefined ? undefined : { uid: made.id }
}
