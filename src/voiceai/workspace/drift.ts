import { AGENT_TOKEN_HEADER } from '../../deliveries/tools/agent-token.ts'
import { CALL_HEADER } from '../../deliveries/tools/named-call.ts'
import { equalInConstantTime } from '../../platform/secrets/secrets.ts'
import { type Difference, differing } from '../../sync/provider.ts'
import { ifPresent } from '../../sync/push.ts'
import { requestPush } from '../../sync/requests.ts'
import { freshSettings, inServiceEnv } from '../../sync/service-env.ts'
import { knowledgeProblem } from '../agents/agent-knowledge.ts'
import { pushedPrompt, pushedToolIds } from '../agents/agent-payload.ts'
import { type AgentRow, findAgent, listAgentNames } from '../agents/agent-rows.ts'
import { spokenGreeting } from '../agents/ai-announcement.ts'
import type { ProviderNumber } from '../client/sdk-agents.ts'
import type { ProviderAddress, ProviderTool, ProviderWebhook } from '../client/sdk-workspace.ts'
import { findMisfit } from '../conversations/misfit.ts'
import { requestHeaders, toolUrl } from '../tools/tool-payload.ts'
import { listOwnTools, type ToolRow } from '../tools/tool-rows.ts'
import { type ReadySettings, requireReady } from './readiness.ts'
import { VOICEAI, type VoiceaiParts } from './voiceai.ts'
import { initiationWebhook, postCallEvents, postCallUrl, savePostCallWarning } from './workspace.ts'

const SYNC = 'Sync now.'
const ENABLE = 'Fix what failed, then press "Turn on the post-call webhook".'
const OTHER_SECRET = 'It signs with a secret that is not stored here. Another webhook is being made.'
const SYNC_TOOLS = 'Sync the tools.'

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

export async function compareTools(parts: VoiceaiParts): Promise<Difference[]> {
  const settings = requireReady(await freshSettings(parts.platform))
  const [ours, theirs] = [await listOwnTools(parts.db), await parts.client.listTools()]
  const byId = new Map(theirs.map((tool) => [tool.id, tool]))
  const differing = ours.flatMap((tool): Difference[] => {
    const problem = toolProblem(tool, byId.get(tool.tool_id ?? ''), settings)
    return problem === undefined
      ? []
      : [{ what: 'tool', id: tool.id, name: tool.name, message: `${problem} ${SYNC_TOOLS}` }]
  })
  return [...differing, ...findDoubles(ours, theirs, settings)]
}

function toolProblem(tool: ToolRow, there: ProviderTool | undefined, settings: ReadySettings): string | undefined {
  if (there === undefined) return 'ElevenLabs does not have it.'
  if (tool.synced !== true) return tool.sync_error ?? 'It was changed here and has not been pushed.'
  if (there.name !== tool.name) return `ElevenLabs calls it "${there.name}".`
  if (tool.tool_type !== 'webhook') return undefined
  const wanted = { url: toolUrl(tool, settings.apiUrl), headers: requestHeaders(tool, settings) }
  return addressProblem(there.address, wanted)
}

/** Tools that ask this service and that we know nothing of: left by a synchronisation that was cut off, or made by hand. */
function findDoubles(
  ours: readonly ToolRow[],
  theirs: readonly ProviderTool[],
  { apiUrl }: ReadySettings,
): Difference[] {
  const known = new Set(ours.map((tool) => tool.tool_id))
  const urls = new Set(ours.map((tool) => toolUrl(tool, apiUrl)))
  const doubles = theirs.filter((tool) => !known.has(tool.id) && urls.has(tool.address?.url ?? ''))
  return doubles.map(({ id, name }) => ({
    what: 'tool',
    name,
    message: `ElevenLabs has another tool with the address of one of ours (${id}). Remove it there.`,
  }))
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

function addressProblem(
  there: ProviderAddress | undefined,
  wanted: { url: string; headers: Readonly<Record<string, unknown>> },
): string | undefined {
  if (there === undefined) return 'ElevenLabs has no address for it.'
  if (there.url !== wanted.url) return `ElevenLabs has the address ${there.url}.`
  const token = wanted.headers[AGENT_TOKEN_HEADER]
  if (typeof token !== 'string') return undefined
  const shown = there.headers[AGENT_TOKEN_HEADER]
  if (shown === undefined) return 'ElevenLabs sends no agent token.'
  if (!equalInConstantTime(shown, token)) return 'ElevenLabs sends another agent token.'
  const isBound = !(CALL_HEADER in wanted.headers) || CALL_HEADER in there.headers
  return isBound ? undefined : 'ElevenLabs does not say which call the tool is used in.'
}

function haveSame(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((each) => b.includes(each))
}
