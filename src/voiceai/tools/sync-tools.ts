import type { StepContext } from '../../sync/provider.ts'
import { workOnEach } from '../../sync/run-steps.ts'
import type { Push } from '../workspace/push-request.ts'
import type { VoiceaiParts } from '../workspace/voiceai-parts.ts'
import { type PushOptions, pushTool } from './push-tool.ts'
import { listOwnTools } from './tool-rows.ts'

/** Pushes every tool; the agents that name new ones are pushed in the step after this one. */
export function syncTools(parts: VoiceaiParts, context: StepContext): Promise<void> {
  return pushAllTools(parts, context, { leavesAgents: true })
}

/** Pushes every tool, and has the agents pushed that name new ones. */
export function syncToolsOnly(parts: VoiceaiParts, context: StepContext): Promise<void> {
  return pushAllTools(parts, context, {})
}

async function pushAllTools(parts: VoiceaiParts, context: StepContext, options: PushOptions): Promise<void> {
  const tools = await listOwnTools(parts.db)
  await context.progress.count('total', tools.length)
  await workOnEach(context, {
    model: 'connect.voiceai_agent_tool',
    targets: tools,
    work: ({ id }) => pushTool(parts, id, { isForced: true, ...options }),
    retry: ({ id }): Push => ({ kind: 'tool', id }),
  })
}
