import type { ElevenLabs } from '@elevenlabs/elevenlabs-js'

/** A tool as it is pushed; system tools are part of their agents and never pushed alone. */
export type ToolConfig = ElevenLabs.ToolRequestModelToolConfig.Webhook | ElevenLabs.ToolRequestModelToolConfig.Client

/** An agent as it is pushed. */
export interface AgentConfig {
  name: string
  conversationConfig: ElevenLabs.ConversationalConfig
  platformSettings: ElevenLabs.AgentPlatformSettingsRequestModel
}

export interface ProviderVoice {
  voiceId: string
  name: string | undefined
  language: string | undefined
  accent: string | undefined
  age: string | undefined
  gender: string | undefined
  description: string | undefined
  previewUrl: string | undefined
}

/** A model that agents can think with. */
interface ProviderLanguageModel {
  name: string
  isDeprecated: boolean
  /** The one that takes its place. */
  replacement: string | undefined
}

/** An address that the platform asks or tells, with the headers it sends. Secret references show as undefined. */
export interface ProviderAddress {
  url: string
  headers: Readonly<Record<string, string | undefined>>
}

interface ProviderSettings {
  initiation: ProviderAddress | undefined
  postCallWebhookId: string | undefined
  postCallEvents: readonly string[]
}

export interface ProviderWebhook {
  id: string
  name: string
  url: string
  /** By a person, or by the platform after deliveries that failed. */
  isDisabled: boolean
  /** The status that the last failed delivery was answered with. */
  lastFailure: number | undefined
}

/** What the platform delivers after a conversation, by its own names. */
export type PostCallEvent = 'transcript' | 'audio' | 'call_initiation_failure'

export interface ProviderTool {
  id: string
  name: string
  /** Undefined for tools that are no web requests. */
  address: ProviderAddress | undefined
}

interface ProviderAgent {
  id: string
  name: string
  /** Unix time, by the platform's clock. */
  createdSeconds: number
}

/** What of an agent can be compared with ours. */
interface ProviderAgentState {
  name: string
  prompt: string | undefined
  firstMessage: string | undefined
  language: string | undefined
  toolIds: readonly string[]
  asksForClientData: boolean
}

/** The entity under which calls over SIP reach an agent. */
export interface NumberConfig {
  number: string
  label: string
  agentUid: string
  /** Empty lets everybody in. */
  allowedAddresses: readonly string[]
}

export interface ProviderNumber {
  id: string
  number: string
  agentUid: string | undefined
}

/**
 * What the service asks of the voice-agent platform. Every method throws a VoiceaiError that says in one sentence what is
 * wrong, and never waits for ever. Call none of them inside a database transaction.
 */
export interface VoiceaiClient {
  listVoices(): Promise<ProviderVoice[]>
  listLanguageModels(): Promise<ProviderLanguageModel[]>
  getSettings(): Promise<ProviderSettings>
  setInitiationWebhook(webhook: { url: string; headers: Record<string, string> }): Promise<void>
  /** Has these events delivered to the webhook, and no others. */
  selectPostCallWebhook(webhookId: string, events: readonly PostCallEvent[]): Promise<void>
  listWebhooks(): Promise<ProviderWebhook[]>
  /** The secret is told this once; the address of a webhook can never be changed. */
  createWebhook(webhook: { name: string; url: string }): Promise<{ id: string; secret: string | undefined }>
  /** Lets a webhook that was disabled deliver again. */
  enableWebhook(webhook: { id: string; name: string }): Promise<void>
  /** Has failed deliveries to the webhook repeated. */
  repeatFailedDeliveries(webhook: { id: string; name: string }): Promise<void>
  deleteWebhook(webhookId: string): Promise<void>
  listTools(): Promise<ProviderTool[]>
  createTool(config: ToolConfig): Promise<string>
  updateTool(toolId: string, config: ToolConfig): Promise<void>
  deleteTool(toolId: string): Promise<void>
  listAgents(): Promise<ProviderAgent[]>
  getAgent(agentUid: string): Promise<ProviderAgentState>
  createAgent(config: AgentConfig): Promise<string>
  updateAgent(agentUid: string, config: AgentConfig): Promise<void>
  deleteAgent(agentUid: string): Promise<void>
  listNumbers(): Promise<ProviderNumber[]>
  createNumber(config: NumberConfig): Promise<string>
  updateNumber(numberId: string, config: Omit<NumberConfig, 'number'>): Promise<void>
  deleteNumber(numberId: string): Promise<void>
  /** MP3 of the text. */
  speak(speech: { voiceId: string; text: string }): Promise<Buffer>
}
