import type { Problems } from '../../problems.ts'
import type { ServiceLink } from '../../service-link.ts'
import type { Json } from '../rest/schemas.ts'
import type { AddressWithHeaders, Agent, Workspace } from '../workspace.ts'
import { headerVariables, type SipHeaderForm, toSipHeaders } from './sip-headers.ts'
import { valueAt } from './tool-call.ts'
import { mentionsOf, type Variables } from './variables.ts'

/** A call that is about to be answered by an agent. */
export interface IncomingCall {
  readonly conversationId: string
  /** Over SIP often without the `+`. */
  readonly callerId: string
  /** Over SIP the number that was dialled: the one under which the agent was imported. */
  readonly calledNumber: string
  /** The telephony provider's on a media stream; over SIP an id of the platform's own. */
  readonly callSid: string
  /** Undefined for a call over a media stream. */
  readonly sip: SipCall | undefined
}

/** What came with the INVITE of a SIP call. */
export interface SipCall {
  /** Custom headers as they were sent. */
  readonly headers: Readonly<Record<string, string>>
  /** The form in which the service is told of them. */
  readonly form: SipHeaderForm
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
  const body = JSON.stringify({
    caller_id: call.callerId,
    agent_id: agent.id,
    called_number: call.calledNumber,
    // The call id that the caller's side gave in X-CALL-ID goes before the platform's own (the platform's page
    // "SIP trunking", read 2026-11-22).
    call_sid: call.sip?.headers['X-CALL-ID'] ?? call.callSid,
    conversation_id: call.conversationId,
    ...(call.sip === undefined ? {} : toSipHeaders(call.sip.headers, call.sip.form)),
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
  const { workspace } = parts
  const override = (clientData.conversation_config_override ?? {}) as Json
  checkOverride(agent, override)
  checkLanguage(parts, agent, override)
  const given = readVariables(clientData.dynamic_variables)
  const asked = (override.agent ?? {}) as { language?: string; first_message?: string }
  const language = asked.language ?? languageOf(agent)
  const firstMessage = asked.first_message ?? firstMessageOf(agent, language)
  const variables: Variables = new Map([...given, ...systemVariables(workspace, agent, call)])
  requireVariables(workspace, agent, { variables, firstMessage })
  for (const target of transferTargets(workspace, agent)) {
    requireVariables(workspace, target, { variables, firstMessage: firstMessageOf(target, language) })
  }
  return { variables, override, language, firstMessage }
}

/**
 * Every variable that is named must be given with the call, or the conversation ends (the platform's pages "Dynamic
 * variables" and "Twilio personalization", github.com/elevenlabs/packages/pull/360; read 2026-11-22). The placeholders of
 * an agent are values for the platform's own test page, and stand in for nothing here.
 */
function requireVariables(
  workspace: Workspace,
  agent: Agent,
  { variables, firstMessage }: { variables: Variables; firstMessage: string },
): void {
  for (const { place, names } of mentionsOf(agent, workspace.toolsOf(agent), firstMessage)) {
    const missing = names.filter((name) => !variables.has(name)).map((name) => `'${name}'`)
    if (missing.length === 0) continue
    throw new InitiationFailed(`Missing required dynamic variables in ${place}: {${missing.join(', ')}}`)
  }
}

/** The agents that this one may hand the conversation over to, and those that they may: no variable comes later. */
function transferTargets({ agents }: Workspace, first: Agent): Agent[] {
  const found = new Set([first])
  for (const { config } of found) {
    const { params } = config.conversation_config?.agent?.prompt?.built_in_tools?.transfer_to_agent ?? {}
    for (const { agent_id: id } of (params?.transfers ?? []) as { agent_id: string }[]) {
      const target = agents.get(id)
      if (target !== undefined) found.add(target)
    }
  }
  return [...found].slice(1)
}

/** What the agent says first in a language: its preset's words, else its own. */
function firstMessageOf({ config }: Agent, language: string): string {
  const { agent, language_presets: presets } = config.conversation_config ?? {}
  return presets?.[language]?.overrides?.agent?.first_message ?? agent?.first_message ?? ''
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

/**
 * A language that the agent has no preset for closes the conversation without a word
 * (github.com/elevenlabs/packages/issues/241 and 293, read 2026-11-22). Asking for its own is a mistake of the service.
 */
function checkLanguage({ problems }: InitiationParts, agent: Agent, override: Json): void {
  const { language } = (override.agent ?? {}) as { language?: string }
  if (language === undefined) return
  if (language === languageOf(agent)) {
    problems.add({ where: 'voiceai', message: `${agent.name} speaks ${language} of its own: that is no override` })
  } else if (agent.config.conversation_config?.language_presets?.[language] === undefined) {
    throw new InitiationFailed(`The agent has no additional language ${language}`)
  }
}

function languageOf({ config }: Agent): string {
  return config.conversation_config?.agent?.language ?? 'en'
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
  return [
    ['system__agent_id', agent.id],
    ['system__current_agent_id', agent.id],
    ['system__conversation_id', call.conversationId],
    ['system__caller_id', call.callerId],
    ['system__called_number', call.calledNumber],
    ['system__call_duration_secs', 0],
    ['system__agent_turns', 0],
    ['system__time', now.toUTCString()],
    ['system__time_utc', now.toISOString()],
    ['system__timezone', 'UTC'],
    // Of a call id the platform has one or the other name (its page "Dynamic variables", read 2026-11-22).
    ...(call.sip === undefined
      ? [['system__call_sid', call.callSid] as [string, unknown]]
      : [['system__call_id', call.callSid] as [string, unknown], ...Object.entries(headerVariables(call.sip.headers))]),
  ]
}
