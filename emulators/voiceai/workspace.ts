import { randomBytes } from 'node:crypto'
import type { VirtualClock } from '../virtual-clock.ts'
import type { Json } from './rest/schemas.ts'

/** The value of a header: a text, or where the text comes from. */
export type HeaderValue = string | { readonly secret_id: string } | { readonly variable_name: string }

export interface PropertySchema {
  readonly type?: string
  readonly description?: string
  readonly dynamic_variable?: string
  readonly constant_value?: string | number | boolean
  readonly is_omitted?: boolean
  readonly is_system_provided?: boolean
}

export interface ObjectSchema {
  readonly properties?: Readonly<Record<string, PropertySchema>>
  readonly required?: readonly string[]
}

export interface ToolConfig {
  readonly type: string
  readonly name: string
  readonly description: string
  readonly response_timeout_secs?: number
  readonly tool_error_handling_mode?: string
  readonly dynamic_variables?: { readonly dynamic_variable_placeholders?: Readonly<Record<string, unknown>> }
  readonly assignments?: readonly { readonly dynamic_variable: string; readonly value_path: string }[]
  readonly api_schema?: {
    readonly url: string
    readonly method?: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'
    readonly request_headers?: Readonly<Record<string, HeaderValue>>
    readonly request_body_schema?: ObjectSchema | null
    readonly query_params_schema?: ObjectSchema | null
    readonly path_params_schema?: Readonly<Record<string, PropertySchema>>
  }
}

export interface Tool {
  readonly id: string
  config: ToolConfig
}

export interface AgentConfig {
  readonly conversation_config?: {
    readonly agent?: {
      readonly first_message?: string
      readonly language?: string
      readonly dynamic_variables?: { readonly dynamic_variable_placeholders?: Readonly<Record<string, unknown>> }
      readonly prompt?: {
        readonly prompt?: string
        readonly tool_ids?: readonly string[]
        readonly knowledge_base?: readonly { readonly type: string; readonly name: string; readonly id: string }[]
        readonly built_in_tools?: Readonly<Record<string, { readonly params?: Json } | null>>
      }
    }
    readonly asr?: { readonly user_input_audio_format?: string }
    readonly tts?: {
      readonly voice_id?: string
      readonly model_id?: string
      readonly agent_output_audio_format?: string
    }
    readonly turn?: { readonly turn_timeout?: number }
    readonly conversation?: {
      readonly max_duration_seconds?: number
      readonly text_only?: boolean
      readonly client_events?: readonly string[]
    }
    readonly language_presets?: Readonly<
      Record<string, { readonly overrides?: { readonly agent?: { readonly first_message?: string } } }>
    >
  }
  readonly platform_settings?: {
    readonly auth?: { readonly enable_auth?: boolean }
    readonly privacy?: { readonly record_voice?: boolean }
    readonly overrides?: {
      readonly enable_conversation_initiation_client_data_from_webhook?: boolean
      readonly conversation_config_override?: Json
    }
    readonly workspace_overrides?: {
      readonly conversation_initiation_client_data_webhook?: AddressWithHeaders
    }
  }
}

export interface Agent {
  readonly id: string
  readonly createdSeconds: number
  updatedSeconds: number
  name: string
  tags: readonly string[]
  config: AgentConfig
}

export interface AddressWithHeaders {
  readonly url: string
  readonly request_headers: Readonly<Record<string, HeaderValue>>
}

export interface WorkspaceWebhook {
  readonly id: string
  readonly url: string
  readonly secret: string
  readonly createdSeconds: number
  name: string
  isDisabled: boolean
  isAutoDisabled: boolean
  isRetryEnabled: boolean
  requestHeaders: Readonly<Record<string, string>>
  failuresInARow: number
  lastSuccessSeconds?: number
  lastFailure: { readonly code: number; readonly atSeconds: number } | undefined
}

export interface WorkspaceSettings {
  conversation_initiation_client_data_webhook?: AddressWithHeaders | null
  webhooks?: {
    post_call_webhook_id?: string | null
    events?: readonly string[]
    transcript_format?: string
    exclude_transcript?: boolean
  }
}

export interface Voice {
  readonly voice_id: string
  readonly name: string
  readonly labels: Readonly<Record<string, string>>
  readonly description: string
  readonly preview_url: string
}

export interface PhoneNumber {
  readonly id: string
  readonly provider: string
  readonly phoneNumber: string
  label: string
  agentId: string | undefined
  inboundTrunk: { readonly allowed_addresses?: readonly string[] } & Json
}

/** What agents may know; the pages of a site are in a folder. */
export interface KnowledgeDocument {
  readonly id: string
  readonly type: 'text' | 'file' | 'url' | 'folder'
  readonly createdSeconds: number
  updatedSeconds: number
  name: string
  content: string
  readonly url?: string
  readonly filename?: string
}

/** The reading of a site. */
export interface Crawl {
  readonly id: string
  readonly url: string
  readonly most: number
  readonly folderId: string
  readonly createdSeconds: number
  /** How often somebody looked how far it is. */
  looks: number
}

/** Everything of a workspace that outlasts a restart; conversations do not. */
export interface WorkspaceSnapshot {
  readonly apiKey: string
  readonly settings: WorkspaceSettings
  readonly webhooks: readonly WorkspaceWebhook[]
  readonly secrets: readonly (readonly [string, { name: string; value: string }])[]
  readonly tools: readonly Tool[]
  readonly agents: readonly Agent[]
  readonly numbers: readonly PhoneNumber[]
  /** Not there in what was kept by an emulator of before. */
  readonly documents?: readonly KnowledgeDocument[]
  readonly crawls?: readonly Crawl[]
}

/** Everything that the workspace's owner holds at the platform. */
export class Workspace {
  readonly apiKey: string
  readonly clock: VirtualClock
  settings: WorkspaceSettings = {}
  readonly webhooks = new Map<string, WorkspaceWebhook>()
  readonly secrets = new Map<string, { name: string; value: string }>()
  readonly tools = new Map<string, Tool>()
  readonly agents = new Map<string, Agent>()
  readonly voices = new Map<string, Voice>()
  readonly numbers = new Map<string, PhoneNumber>()
  readonly documents = new Map<string, KnowledgeDocument>()
  readonly crawls = new Map<string, Crawl>()
  /** Conversations as the API shows them. */
  readonly conversations = new Map<string, Json>()

  constructor({ apiKey, clock }: { apiKey: string; clock: VirtualClock }) {
    this.apiKey = apiKey
    this.clock = clock
    for (const voice of VOICES) this.voices.set(voice.voice_id, voice)
  }

  snapshot(): WorkspaceSnapshot {
    return {
      apiKey: this.apiKey,
      settings: this.settings,
      webhooks: [...this.webhooks.values()],
      secrets: [...this.secrets],
      tools: [...this.tools.values()],
      agents: [...this.agents.values()],
      numbers: [...this.numbers.values()],
      documents: [...this.documents.values()],
      crawls: [...this.crawls.values()],
    }
  }

  restore(snapshot: WorkspaceSnapshot): void {
    this.settings = snapshot.settings
    for (const webhook of snapshot.webhooks) this.webhooks.set(webhook.id, webhook)
    for (const [id, secret] of snapshot.secrets) this.secrets.set(id, secret)
    for (const tool of snapshot.tools) this.tools.set(tool.id, tool)
    for (const agent of snapshot.agents) this.agents.set(agent.id, agent)
    for (const number of snapshot.numbers) this.numbers.set(number.id, number)
    for (const document of snapshot.documents ?? []) this.documents.set(document.id, document)
    for (const crawl of snapshot.crawls ?? []) this.crawls.set(crawl.id, crawl)
  }

  /** The text of a header; undefined when its secret or variable is not known. */
  headerText(value: HeaderValue, variables: ReadonlyMap<string, unknown>): string | undefined {
    if (typeof value === 'string') return value
    if ('secret_id' in value) return this.secrets.get(value.secret_id)?.value
    const variable = variables.get(value.variable_name)
    return variable === undefined ? undefined : String(variable)
  }

  findAgentByName(name: string): Agent | undefined {
    return [...this.agents.values()].find((agent) => agent.name === name)
  }

  /** The number that a call was sent to, as it was imported; a `+` makes no difference. */
  findNumber(called: string): PhoneNumber | undefined {
    const plain = (text: string): string => text.replace(/^\+/, '')
    return [...this.numbers.values()].find((number) => plain(number.phoneNumber) === plain(called))
  }

  /** What the agent knows; the pages of a site are not read here. */
  documentsOf(agent: Agent): KnowledgeDocument[] {
    const located = agent.config.conversation_config?.agent?.prompt?.knowledge_base ?? []
    return located.flatMap(({ id }) => this.documents.get(id) ?? [])
  }

  toolsOf(agent: Agent): Tool[] {
    const ids = agent.config.conversation_config?.agent?.prompt?.tool_ids ?? []
    return ids.flatMap((id) => this.tools.get(id) ?? [])
  }
}

/** A fresh id with the platform's own beginning, `agent_…`. */
export function newId(kind: 'agent' | 'tool' | 'conv' | 'phnum' | 'secret' | 'wbhk' | 'req' | 'SCL'): string {
  return `${kind}_${randomBytes(12).toString('hex')}`
}

/** Ids of documents have no beginning of their own (the examples of the API description). */
export function newDocumentId(): string {
  const BYTES = 10
  return randomBytes(BYTES).toString('hex')
}

const VOICES: readonly Voice[] = [
  {
    voice_id: 'EmulatedVoiceAlice0001',
    name: 'Alice',
    labels: { accent: 'british', age: 'middle_aged', gender: 'female', description: 'confident' },
    description: 'A clear and friendly voice.',
    preview_url: 'https://storage.example.com/alice.mp3',
  },
  {
    voice_id: 'EmulatedVoiceBrian0002',
    name: 'Brian',
    labels: { accent: 'american', gender: 'male' },
    description: 'A deep and calm voice.',
    preview_url: 'https://storage.example.com/brian.mp3',
  },
]
