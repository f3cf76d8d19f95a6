import type { Problems } from '../../problems.ts'
import type { ServiceLink } from '../../service-link.ts'
import type { Json } from '../rest/schemas.ts'
import type { AddressWithHeaders, Agent, Workspace } from '../workspace.ts'
import { valueAt } from './tool-call.ts'
import { mentionsOf, placeholdersOf, type Variables } from './variables.ts'

/** A call that is about to be answered by an agent. */
export interface IncomingCall {
  readonly conversationId: string
  readonly callerId: string
  readonly calledNumber: string
  readonly callSid: string
  /** Custom headers of a SIP call. */
  readonly sipHeaders: Readonly<Record<string, string>>
}

/** What a conversation opens with. */
export interface OpeningData {
  readonly variables: Variables
  readonly override: Json
  readonly language: string
  readonly firstMessage: string
}

/** The conversation cannot open; the reason is the platform's own. */
export class InitiationFailed extends Error {
  override readonly name = 'InitiationFailed'
}

export interface InitiationParts {
  readonly workspace: Workspace
  readonly link: ServiceLink
  readonly problems: Problems
}

const TIMEOUT_MS = 5_000
const TYPE = 'conversation_initiation_client_data'

/** Asks the service about the call, at the address and with the headers that were pushed (D1). */
export async function askForClientData(
  { workspace, link }: InitiationParts,
  agent: Agent,
  call: IncomingCall,
): Promise<Json> {
  const address = addressFor(workspace, agent)
  if (address === undefined) return {}
  const headers: Record<string, string> = { 'content-type': 'application/json' }
  for (const [name, value] of Object.entries(address.request_headers)) {
    const text = workspace.headerText(value, new Map())
    if (text === undefined) throw new InitiationFailed(`The secret of the header ${name} is not known.`)
    headers[name] = text
  }
  const hasHeaders = Object.keys(call.sipHeaders).length > 0
  const body = JSON.stringify({
    caller_id: call.callerId,
    agent_id: agent.id,
    called_number: call.calledNumber,
    call_sid: call.callSid,
    conversation_id: call.conversationId,
    ...(hasHeaders ? { sip_headers: call.sipHeaders } : {}),
  })
  const outcome = await workspace.clock.during(() =>
    link.send({ method: 'POST', url: address.url, headers, body, timeoutMs: TIMEOUT_MS }),
  )
  if (outcome.kind === 'failed') throw new InitiationFailed(`The webhook could not be asked: ${outcome.message}`)
  if (outcome.status !== 200) throw new InitiationFailed(`The webhook answered HTTP ${outcome.status}`)
  return readAnswer(outcome.body.toString('utf8'))
}

/** The agent's own address, or that of the workspace; undefined when the agent does not ask. */
function addressFor({ settings }: Workspace, { config }: Agent): AddressWithHeaders | undefined {
  const { overrides, workspace_overrides: own } = config.platform_settings ?? {}
  if (overrides?.enable_conversation_initiation_client_data_from_webhook !== true) return undefined
  return (
    own?.conversation_initiation_client_data_webhook ??
    settings.conversation_initiation_client_data_webhook ??
    undefined
  )
}

function readAnswer(text: string): Json {
  let answer: unknown
  try {
    answer = JSON.parse(text)
  } catch {
    throw new InitiationFailed('The webhook answered no JSON')
  }
  if (typeof answer !== 'object' || answer === null) throw new InitiationFailed('The webhook answered no object')
  const read = answer as Json
  if (read.type !== TYPE) throw new InitiationFailed(`The type of the answer is ${String(read.type)}, not ${TYPE}`)
  return read
}

/** What the conversation opens with; throws what makes the platform drop the call. */
export function openWith(parts: InitiationParts, agent: Agent, call: IncomingCall, clientData: Json): OpeningData {
  const { workspace, problems } = parts
  const override = (clientData.conversation_config_override ?? {}) as Json
  checkOverride(agent, override)
  const given = readVariables(clientData.dynamic_variables)
  const speaker = agent.config.conversation_config?.agent
  const asked = (override.agent ?? {}) as { language?: string; first_message?: string }
  const language = asked.language ?? speaker?.language ?? 'en'
  const preset = agent.config.conversation_config?.language_presets?.[language]?.overrides?.agent?.first_message
  const firstMessage = asked.first_message ?? preset ?? speaker?.first_message ?? ''
  const variables: Variables = new Map([...given, ...systemVariables(workspace, agent, call)])
  const tools = workspace.toolsOf(agent)
  const placeholders = placeholdersOf(agent, tools)
  for (const { place, names } of mentionsOf(agent, tools, firstMessage)) {
    const missing = names.filter((name) => !variables.has(name))
    const unknown = missing.filter((name) => !placeholders.has(name))
    if (unknown.length > 0) {
      const list = unknown.map((name) => `'${name}'`).join(', ')
      throw new InitiationFailed(`Missing required dynamic variables in ${place}: {${list}}`)
    }
    for (const name of missing) {
      problems.add({ where: 'voiceai', message: `${name} of the ${place} was not given; its placeholder was used` })
      variables.set(name, placeholders.get(name))
    }
  }
  return { variables, override, language, firstMessage }
}

function readVariables(given: unknown): [string, unknown][] {
  if (given === undefined) return []
  if (typeof given !== 'object' || given === null) throw new InitiationFailed('dynamic_variables is no object')
  const entries = Object.entries(given)
  for (const [name, value] of entries) {
    if (!['string', 'number', 'boolean'].includes(typeof value)) {
      throw new InitiationFailed(`The dynamic variable ${name} must be a string, a number or a boolean`)
    }
    if (name.startsWith('system__')) throw new InitiationFailed(`The name ${name} is reserved`)
  }
  return entries
}

/** Each field that is replaced must be one that the agent's security settings let through. */
function checkOverride({ config }: Agent, override: Json): void {
  const allowed = config.platform_settings?.overrides?.conversation_config_override ?? {}
  const refused = fieldsIn(override).find((path) => valueAt(allowed, path) !== true)
  if (refused !== undefined) throw new InitiationFailed(`Override for field '${refused}' is not allowed by config.`)
}

/** The paths of everything in an object that is no object itself. */
function fieldsIn(value: Json, place = ''): string[] {
  return Object.entries(value).flatMap(([name, inner]) =>
    typeof inner === 'object' && inner !== null ? fieldsIn(inner as Json, `${place}${name}.`) : [`${place}${name}`],
  )
}

/** What the platform itself knows of a call. */
function systemVariables({ clock }: Workspace, agent: Agent, call: IncomingCall): [string, unknown][] {
  const now = clock.now()
  const ofHeaders = Object.entries(call.sipHeaders).map(([name, value]): [string, unknown] => {
    const plain = name.toLowerCase().replace(/^x-/, '').replaceAll('-', '_')
    return [`sip_${plain}`, value]
  })
  return [
    ['system__agent_id', agent.id],
    ['system__current_agent_id', agent.id],
    ['system__conversation_id', call.conversationId],
    ['system__caller_id', call.callerId],
    ['system__called_number', call.calledNumber],
    ['system__call_sid', call.callSid],
    ['system__call_duration_secs', 0],
    ['system__agent_turns', 0],
    ['system__time', now.toUTCString()],
    ['system__time_utc', now.toISOString()],
    ['system__timezone', 'UTC'],
    ...ofHeaders,
  ]
}
