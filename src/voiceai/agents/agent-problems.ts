import { type Difference, differing } from '../../sync/provider.ts'
import type { ProviderAgent, ProviderNumber } from '../client/sdk-agents.ts'
import { knowledgeProblem } from './agent-knowledge.ts'
import { pushedPrompt, pushedToolIds } from './agent-payload.ts'
import type { AgentRow } from './agent-rows.ts'
import { spokenGreeting } from './ai-announcement.ts'
import { listAddresses } from './allowed-addresses.ts'

/** An agent as the platform holds it. */
export type HeldAgent = ProviderAgent & { uid: string }

type NumberedAgent = Pick<
  AgentRow,
  'id' | 'name' | 'agent_uid' | 'voiceai_virtual_number_uid' | 'voiceai_inbound_allowed_ips'
>

export function agentAbsence({ agent_uid: uid }: AgentRow): string {
  return uid === null ? 'ElevenLabs does not have it.' : 'ElevenLabs does not have it any more.'
}

/** How what the platform shows of an agent differs from what it is to hold. */
export function agentProblem(agent: AgentRow, there: HeldAgent): string | undefined {
  if (there.name !== agent.name) return `ElevenLabs calls it "${there.name}".`
  if (there.prompt?.trim() !== pushedPrompt(agent.prompt).trim()) return 'ElevenLabs has another prompt.'
  if (there.firstMessage?.trim() !== spokenGreeting(agent).trim()) return 'ElevenLabs has another greeting.'
  if (there.language !== agent.language) return 'ElevenLabs has another language.'
  if (!haveSame(there.toolIds, pushedToolIds(agent.tools))) return 'ElevenLabs has other tools for it.'
  const knowledge = knowledgeProblem(agent, there.knowledge)
  if (knowledge !== undefined) return knowledge
  return there.asksForClientData ? undefined : 'ElevenLabs does not ask who is calling.'
}

/** How the numbers by which calls over SIP reach agents differ from what they are to be. */
export function numberDifferences(agents: readonly NumberedAgent[], numbers: readonly ProviderNumber[]): Difference[] {
  return agents.flatMap((agent) =>
    differing({ what: 'virtual number', id: agent.id, name: agent.name }, numberProblem(agent, numbers)),
  )
}

function numberProblem(agent: NumberedAgent, numbers: readonly ProviderNumber[]): string | undefined {
  if (agent.agent_uid === null) return undefined
  const number = numbers.find((each) => each.id === agent.voiceai_virtual_number_uid)
  if (number === undefined) return 'ElevenLabs does not have it: calls over SIP do not reach the agent.'
  if (number.agentUid !== agent.agent_uid) return 'It leads to another agent.'
  const wanted = listAddresses(agent.voiceai_inbound_allowed_ips ?? '')
  // Without any of ours the platform may have put its own there.
  const isOther = wanted.length > 0 && !haveSame(number.allowedAddresses ?? wanted, wanted)
  return isOther ? 'ElevenLabs takes its calls from other addresses.' : undefined
}

function haveSame(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((each) => b.includes(each))
}
