import { sql } from '../../database/drizzle.ts'
import { writtenBy } from '../../platform/model/written-by.ts'
import { notifyChanged } from '../../platform/records/notify-changed.ts'
import type { StepContext } from '../../sync/provider.ts'
import { freshSettings, inServiceEnv } from '../../sync/service-env.ts'
import type { SyncProgress } from '../../sync/sync-progress.ts'
import { listAgentsWithTools, markAgentsOutdated } from '../agents/agent-changes.ts'
import { VoiceaiError } from '../client/provider-error.ts'
import { requireReady } from '../workspace/readiness.ts'
import { VOICEAI, type VoiceaiParts } from '../workspace/voiceai.ts'
import { toolUrl } from './tool-payload.ts'
import { toolResource } from './tool-resource.ts'
import { listOwnTools, type ToolRow } from './tool-rows.ts'

const MODEL = 'connect.voiceai_agent_tool'

/**
 * Removes every tool of ours at the platform, also forgotten ones that have the address of one of ours. The agents lose them
 * there; here tools and agents stay, and the next push makes the tools anew. Tools that ask anybody else stay.
 */
export async function removeAllTools(parts: VoiceaiParts, { progress }: StepContext): Promise<void> {
  const { apiUrl } = requireReady(await freshSettings(parts.platform))
  const tools = await listOwnTools(parts.db)
  for (const tool of tools.filter(({ tool_id: toolId }) => toolId !== null)) {
    await attempt(progress, tool, () => removeOne(parts, tool))
  }
  const urls = new Set(tools.map((tool) => toolUrl(tool, apiUrl)))
  const forgotten = (await parts.client.listTools()).filter(({ address }) => urls.has(address?.url ?? ''))
  for (const { id: toolId, name } of forgotten)
    await attempt(progress, { name }, () => toolResource.remove(parts, { toolId }))
}

async function removeOne(parts: VoiceaiParts, { id, tool_id: toolId }: ToolRow): Promise<void> {
  if (toolId !== null) await toolResource.remove(parts, { toolId })
  await inServiceEnv(parts, async (env) => {
    await env.db.query(
      sql`update connect_voiceai_agent_tool set tool_id = null, synced = false, sync_error = null,
            ${writtenBy(null)}
          where id = ${id}::bigint and tool_id = ${toolId}`,
    )
    await markAgentsOutdated(env, await listAgentsWithTools(env, [id]))
    await notifyChanged(env, MODEL, [id])
  })
}

/** A tool that cannot be removed keeps no other one there; a key that is not accepted ends it all. */
async function attempt(
  progress: SyncProgress,
  { id, name }: { id?: number; name: string },
  remove: () => Promise<unknown>,
): Promise<void> {
  try {
    await remove()
    await progress.count('removed')
  } catch (error) {
    if (!(error instanceof VoiceaiError) || error.kind === 'credentials') throw error
    await progress.problem({ model: MODEL, id, name, message: VOICEAI.errors.sentenceOf(error) })
  }
}
