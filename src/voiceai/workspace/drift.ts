import { type Difference, differing } from '../../sync/provider.ts'
import { ifPresent } from '../../sync/push.ts'
import { requestPush } from '../../sync/requests.ts'
import { freshSettings, inServiceEnv } from '../../sync/service-env.ts'
import { knowledgeProblem } from '../agents/agent-knowledge.ts'
import { pushedPrompt, pushedToolIds } from '../agents/agent-payload.ts'
import { type AgentRow, findAgent, listAgentNames } from '../agents/agent-rows.ts'
import { spokenGreeting } from '../agents/ai-announcement.ts'
import type { ProviderNumber } from '../client/sdk-agents.ts'
import type { ProviderWebhook } from '../client/sdk-workspace.ts'
import { findMisfit } from '../conversations/misfit.ts'
import { addressProblem } from './address-problem.ts'
import { requireReady } from './readiness.ts'
import { VOICEAI, type VoiceaiParts } from './voiceai.ts'
import { initiationWebhook, postCallEvents, postCallUrl, savePostCallWarning } from './workspace.ts'

const SYNC = 'Sync now.'
const ENABLE = 'Fix what failed, then press "Turn on the post-call webhook".'
const OTHER_SECRET = 'It signs with a secret that is not stored here. Another webhook is being made.'

/** Changes the warning that the settings show, and has a secret healed that is missing or that deliveries do not fit; else nothing. Compares nothing while voice agents are off. */
export async function compareWorkspace(parts: VoiceaiParts): Promise<Difference[]> {
  const stored = await freshSettings(parts.platform)
  if (!stored.voiceaiEnabled) return []
  const settings = requireReady(stored)
  const provider = await parts.client.getSettings()
  const webhooks = await parts.client.listWebhooks()
  const wanted = initiationWebhook(settings.apiUrl, settings.token)
  const initiation = addressProblem(provider.initiation, wanted)
  const ours = webhooks.find((each) => each.id === stored.postCallWebhookId)
  const hasOtherSecret =
    (ours !== undefined && stored.postCallSecret === undefined) ||
    (await findMisfit(parts.db, stored.postCallMisfit)) !== undefined
  const postCall = postCallProblem()
  await savePostCallWarning(parts, postCall === undefined ? undefined : `Conversations are not delivered. ${postCall}`)
  // It heals by itself, and no oftener than is compared.
  if (hasOtherSecret) await inServiceEnv(parts, (env) => requestPush(env, VOICEAI, { kind: 'post-call' }))
  return [
    ...differing({ what: 'initiation webhook' }, initiation),
    ...(postCall === undefined ? [] : [{ what: 'post-call webhook', message: postCall }]),
  ]

  function postCallProblem(): string | undefined {
    if (ours === undefined) return `ElevenLabs does not have it. ${SYNC}`
    if (ours.isDisabled) return `ElevenLabs has disabled it${failureOf(ours)}. ${ENABLE}`
    if (ours.url !== postCallUrl(settings.apiUrl)) return `It delivers to ${ours.url}. ${SYNC}`
    if (provider.postCallWebhookId !== ours.id) return `ElevenLabs delivers to another webhook. ${SYNC}`
    if (hasOtherSecret) return OTHER_SECRET
    const missing = postCallEvents(stored).filter((event) => !provider.postCallEvents.includes(event))
    return missing.length === 0 ? undefined : `These are not delivered to it: ${missing.join(', ')}. ${SYNC}`
  }
}

function failureOf({ lastFailure }: ProviderWebhook): string {
  return lastFailure === undefined ? '' : ` (the last failed webhook was answered with status ${lastFailure})`
}

export async function compareAgents(parts: VoiceaiParts): Promise<Difference[]> {
  const agents = await listAgentNames(parts.db)
  const numbers = agents.some((agent) => agent.voiceai_virtual_number_uid !== null)
    ? await parts.client.listNumbers()
    : []
  const differences: Difference[] = []
  for (const { id, name } of agents) {
    const agent = await findAgent(parts.db, id)
    if (agent === undefined) continue
    const problem = await agentProblem(parts, agent)
    differences.push(...differing({ what: 'agent', id, name }, problem))
    differences.push(...differing({ what: 'virtual number', id, name }, numberProblem(agent, numbers)))
  }
  return differences
}

async function agentProblem({ client }: VoiceaiParts, agent: AgentRow): Promise<string | undefined> {
  const { agent_uid: uid } = agent
  if (uid === null) return 'ElevenLabs does not have it.'
  const there = await ifPresent(VOICEAI, () => client.getAgent(uid))
  if (there === undefined) return 'ElevenLabs does not have it any more.'
  if (agent.synced !== true) return agent.sync_error ?? 'It was changed here and has not been pushed.'
  if (there.name !== agent.name) return `ElevenLabs calls it "${there.name}".`
  if (there.prompt?.trim() !== pushedPrompt(agent.prompt).trim()) return 'ElevenLabs has another prompt.'
  if (there.firstMessage?.trim() !== spokenGreeting(agent).trim()) return 'ElevenLabs has another greeting.'
  if (there.language !== agent.language) return 'ElevenLabs has another language.'
  if (!haveSame(there.toolIds, pushedToolIds(agent.tools))) return 'ElevenLabs has other tools for it.'
  const knowledge = knowledgeProblem(agent, there.knowledge)
  if (knowledge !== undefined) return knowledge
  return there.asksForClientData ? undefined : 'ElevenLabs does not ask who is calling.'
}

function numberProblem(agent: AgentRow, numbers: readonly ProviderNumber[]): string | undefined {
  if (agent.agent_uid === null) return undefined
  const number = numbers.find((each) => each.id === agent.voiceai_virtual_number_uid)
  if (number === undefined) return 'ElevenLabs does not have it: calls over SIP do not reach the agent.'
  return number.agentUid === agent.agent_uid ? undefined : 'It leads to another agent.'
}

function haveSame(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((each) => b.includes(each))
}
