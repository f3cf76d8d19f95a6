import type { StepContext } from '../../sync/provider.ts'
import { workOnEach } from '../../sync/run-steps.ts'
import type { Push } from '../workspace/push-request.ts'
import type { VoiceaiParts } from '../workspace/voiceai-parts.ts'
import { listAgentNames } from './agent-rows.ts'
import { pushAgent } from './push-agent.ts'

/** Pushes every agent; new ones first, so that the rules by which agents hand over can name them. */
export async function syncAgents(parts: VoiceaiParts, context: StepContext): Promise<void> {
  const agents = await listAgentNames(parts.db)
  await context.progress.count('total', agents.length)
  const each = { model: 'connect.voiceai_agent', retry: ({ id }: { id: number }): Push => ({ kind: 'agent', id }) }
  const failed = await workOnEach(context, {
    ...each,
    targets: agents.filter((agent) => agent.agent_uid === null),
    work: ({ id }) => pushAgent(parts, id, { isForced: true, leavesAgents: true }),
  })
  await workOnEach(context, {
    ...each,
    targets: agents.filter((agent) => !failed.has(agent)),
    work: ({ id, agent_uid: uid }) => pushAgent(parts, id, { isForced: true, pushesNumber: uid !== null }),
  })
}
