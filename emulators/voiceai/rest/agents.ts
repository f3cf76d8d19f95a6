import { type HttpReply, type HttpRequest, type HttpRoute, jsonReply } from '../../http-server.ts'
import type { Problems } from '../../problems.ts'
import { type Agent, type AgentConfig, newId, type Workspace } from '../workspace.ts'
import { badValue, notFound, refuse } from './api-error.ts'
import { merge } from './merge.ts'
import { cursorPage } from './pages.ts'
import { type Json, readBody } from './schemas.ts'

const ACCESS = { is_creator: true, creator_name: 'Owner', creator_email: 'owner@example.com', role: 'admin' }
/**
 * Not in the API description; the platform's page on conversation flow has it (elevenlabs.io/docs/eleven-agents/customization/conversation-flow:
 * "between 1 and 30 seconds"; read in 2026).
 */
const TURN_SECONDS = { min: 1, max: 30 }
/** Neither in the API description nor on that page: the range that the platform's settings of an agent take for its conversation limit. */
const CONVERSATION_SECONDS = { min: 60, max: 7_200 }
const ENGLISH_MODELS = ['eleven_turbo_v2', 'eleven_flash_v2']

/** Voice agents. */
export function agentRoutes(workspace: Workspace, problems: Problems): HttpRoute[] {
  const find = ({ params }: HttpRequest): Agent => {
    const agent = workspace.agents.get(params.id ?? '')
    if (agent === undefined) throw notFound('agent', params.id ?? '')
    return agent
  }
  const path = '/v1/convai/agents'
  return [
    { method: 'GET', path, handle: (request) => list(workspace, request) },
    {
      method: 'POST',
      path: `${path}/create`,
      handle(request) {
        const { name, tags, ...config } = readBody(request, problems) as Json & AgentConfig
        checkAgent(workspace, config)
        const now = workspace.clock.unixSeconds
        const id = newId('agent')
        const agent = { id, name: String(name ?? 'New agent'), tags: (tags ?? []) as string[], config }
        workspace.agents.set(id, { ...agent, createdSeconds: now, updatedSeconds: now })
        return jsonReply(200, { agent_id: id })
      },
    },
    { method: 'GET', path: `${path}/:id`, handle: (request) => jsonReply(200, toWire(find(request))) },
    {
      method: 'PATCH',
      path: `${path}/:id`,
      handle(request) {
        const agent = find(request)
        const { name, tags, ...changes } = readBody(request, problems) as Json & AgentConfig
        const config = merge(agent.config as Json, changes) as AgentConfig
        checkAgent(workspace, config)
        agent.config = config
        agent.name = typeof name === 'string' ? name : agent.name
        agent.tags = Array.isArray(tags) ? tags : agent.tags
        agent.updatedSeconds = workspace.clock.unixSeconds
        return jsonReply(200, toWire(agent))
      },
    },
    {
      method: 'DELETE',
      path: `${path}/:id`,
      handle(request) {
        const { id } = find(request)
        workspace.agents.delete(id)
        for (const number of workspace.numbers.values()) if (number.agentId === id) number.agentId = undefined
        return { status: 204 }
      },
    },
  ]
}

function list({ agents }: Workspace, request: HttpRequest): HttpReply {
  const search = request.query.get('search')?.toLowerCase() ?? ''
  const found = [...agents.values()]
    .filter(({ name }) => name.toLowerCase().includes(search))
    .map(({ id, name, tags, createdSeconds, config }) => ({
      agent_id: id,
      name,
      tags,
      // Required by the SDK, also for an agent without one.
      voice_id: config.conversation_config?.tts?.voice_id ?? '',
      created_at_unix_secs: createdSeconds,
      access_info: ACCESS,
    }))
  return cursorPage(request, found, { key: 'agents' })
}

function toWire({ id, name, tags, config, createdSeconds, updatedSeconds }: Agent): unknown {
  return {
    conversation_config: {},
    ...config,
    agent_id: id,
    name,
    tags,
    metadata: { created_at_unix_secs: createdSeconds, updated_at_unix_secs: updatedSeconds },
    access_info: ACCESS,
  }
}

/** What the platform refuses beyond the shape. */
function checkAgent(workspace: Workspace, config: AgentConfig): void {
  const { agent, tts, turn, conversation } = config.conversation_config ?? {}
  requireBetween(TURN_SECONDS, turn?.turn_timeout, ['turn', 'turn_timeout'])
  requireBetween(CONVERSATION_SECONDS, conversation?.max_duration_seconds, ['conversation', 'max_duration_seconds'])
  for (const id of agent?.prompt?.tool_ids ?? []) if (!workspace.tools.has(id)) throw notFound('tool', id)
  for (const located of agent?.prompt?.knowledge_base ?? []) checkDocument(workspace, located)
  if (tts?.voice_id !== undefined && !workspace.voices.has(tts.voice_id)) throw notFound('voice', tts.voice_id)
  checkModel(agent?.language ?? 'en', tts?.model_id)
  checkTransfers(workspace, agent?.prompt?.built_in_tools?.transfer_to_agent?.params)
}

/** A document of that id and type; its name is what people read. */
function checkDocument({ documents }: Workspace, { id, type }: { id: string; type: string }): void {
  const document = documents.get(id)
  if (document === undefined) throw notFound('document', id)
  if (document.type === type) return
  throw refuse(400, 'invalid_document', `The document ${id} is of the type ${document.type}.`)
}

function requireBetween(
  { min, max }: { min: number; max: number },
  value: number | undefined,
  place: readonly string[],
): void {
  if (value === undefined || (value >= min && value <= max)) return
  throw badValue(['conversation_config', ...place], `Input should be from ${min} to ${max}`)
}

function checkModel(language: string, model: string | undefined): void {
  if (model === undefined || !/^eleven_(?:turbo|flash)_/.test(model)) return
  const isEnglishModel = ENGLISH_MODELS.includes(model)
  if (language === 'en' && !isEnglishModel) {
    throw refuse(400, 'input_invalid', 'English Agents must use turbo or flash v2.')
  }
  if (language !== 'en' && isEnglishModel) {
    throw refuse(400, 'input_invalid', 'Non-english Agents must use turbo or flash v2_5.')
  }
}

function checkTransfers({ agents }: Workspace, params: Json | undefined): void {
  if (params === undefined) return
  const transfers = (params.transfers ?? []) as { agent_id: string }[]
  const place = ['conversation_config', 'agent', 'prompt', 'built_in_tools', 'transfer_to_agent', 'params', 'transfers']
  if (transfers.length === 0) throw badValue(place, 'List should have at least 1 item')
  for (const { agent_id: id } of transfers) if (!agents.has(id)) throw notFound('agent', id)
}
