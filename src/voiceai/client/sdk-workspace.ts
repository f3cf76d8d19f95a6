import type { ElevenLabs } from '@elevenlabs/elevenlabs-js'
import type { Ask } from './ask.ts'
import { VoiceaiError } from './provider-error.ts'

/** The most the platform gives at once, and how often it is asked for more. */
const PAGE_SIZE = 100
const PAGES_MAX = 100
const AUDIO_BYTES_MAX = 10 * 1024 * 1024
/** Speaks whatever language the text is in. */
const SPEECH_MODEL = 'eleven_multilingual_v2'

/** A tool as it is pushed; system tools are part of their agents and never pushed alone. */
export type ToolConfig = ElevenLabs.ToolRequestModelToolConfig.Webhook | ElevenLabs.ToolRequestModelToolConfig.Client

/** An address that the platform asks or reports to, with the headers it sends. Secret references show as undefined. */
export interface ProviderAddress {
  url: string
  headers: Readonly<Record<string, string | undefined>>
}

/** What the platform delivers after a conversation, by its own names. */
export type PostCallEvent = 'transcript' | 'audio' | 'call_initiation_failure'

export type ProviderVoice = ReturnType<typeof toVoice>
export type ProviderWebhook = ReturnType<typeof toWebhook>
export type ProviderTool = ReturnType<typeof toTool>

interface NewWebhook {
  name: string
  url: string
}

type KnownWebhook = Pick<ProviderWebhook, 'id' | 'name'>

/** Voices, speech and what is set for the whole workspace. */
export function workspaceRequests(ask: Ask) {
  return {
    async listVoices() {
      const { voices } = await ask.repeatable((sdk, options) => sdk.voices.getAll({}, options))
      return voices.map(toVoice)
    },
    /** MP3 of the text. */
    speak: ({ voiceId, text }: { voiceId: string; text: string }) =>
      ask.repeatable(async (sdk, options) =>
        readAudio(await sdk.textToSpeech.convert(voiceId, { text, modelId: SPEECH_MODEL }, options)),
      ),
    async getSettings() {
      const settings = await ask.repeatable((sdk, options) => sdk.conversationalAi.settings.get(options))
      const initiation = settings.conversationInitiationClientDataWebhook
      return {
        initiation:
          initiation === undefined
            ? undefined
            : { url: initiation.url, headers: plainHeaders(initiation.requestHeaders) },
        postCallWebhookId: settings.webhooks?.postCallWebhookId,
        postCallEvents: settings.webhooks?.events ?? [],
      }
    },
    async setInitiationWebhook({ url, headers }: { url: string; headers: Record<string, string> }) {
      const webhook = { url, requestHeaders: headers }
      await ask.change((sdk, options) =>
        sdk.conversationalAi.settings.update({ conversationInitiationClientDataWebhook: webhook }, options),
      )
    },
    /** Has these events delivered to the webhook, and no others. */
    async selectPostCallWebhook(postCallWebhookId: string, events: readonly PostCallEvent[]) {
      // `send_audio` is deprecated: the list of events is all that counts (ConvAIWebhooks of the platform's API description).
      const webhooks: ElevenLabs.ConvAiWebhooks = { postCallWebhookId, events: [...events], transcriptFormat: 'json' }
      await ask.change((sdk, options) => sdk.conversationalAi.settings.update({ webhooks }, options))
    },
  }
}

export function webhookRequests(ask: Ask) {
  return {
    async listWebhooks() {
      const { webhooks } = await ask.repeatable((sdk, options) => sdk.webhooks.list({}, options))
      return webhooks.map(toWebhook)
    },
    /** The secret is told this once; the address of a webhook can never be changed. */
    async createWebhook({ name, url }: NewWebhook): Promise<{ id: string; secret: string | undefined }> {
      const settings = { authType: 'hmac', name, webhookUrl: url } as const
      const created = await ask.once((sdk, options) => sdk.webhooks.create({ settings }, options))
      return { id: created.webhookId, secret: created.webhookSecret }
    },
    /** Lets a webhook that was disabled deliver again. */
    async enableWebhook({ id, name }: KnownWebhook) {
      await ask.change((sdk, options) => sdk.webhooks.update(id, { name, isDisabled: false }, options))
    },
    /** Has failed deliveries to the webhook repeated. */
    async repeatFailedDeliveries({ id, name }: KnownWebhook) {
      const change = { name, isDisabled: false, retryEnabled: true }
      await ask.change((sdk, options) => sdk.webhooks.update(id, change, options))
    },
    async deleteWebhook(id: string) {
      await ask.change((sdk, options) => sdk.webhooks.delete(id, options))
    },
  }
}

export function toolRequests(ask: Ask) {
  return {
    async listTools() {
      const tools = await listAll(async (cursor) => {
        const page = await ask.repeatable((sdk, options) =>
          sdk.conversationalAi.tools.list({ pageSize: PAGE_SIZE, ...cursor }, options),
        )
        return { found: page.tools, hasMore: page.hasMore, nextCursor: page.nextCursor }
      })
      return tools.map(toTool)
    },
    async createTool(toolConfig: ToolConfig) {
      const { id } = await ask.once((sdk, options) => sdk.conversationalAi.tools.create({ toolConfig }, options))
      return id
    },
    async updateTool(id: string, toolConfig: ToolConfig) {
      await ask.change((sdk, options) => sdk.conversationalAi.tools.update(id, { toolConfig }, options))
    },
    async deleteTool(id: string) {
      await ask.change((sdk, options) => sdk.conversationalAi.tools.delete(id, { force: true }, options))
    },
  }
}

interface Page<Found> {
  found: readonly Found[]
  hasMore: boolean
  nextCursor: string | undefined
}

/** Follows the pages to their end. */
export async function listAll<Found>(ask: (cursor: { cursor?: string }) => Promise<Page<Found>>): Promise<Found[]> {
  const all: Found[] = []
  let cursor: { cursor?: string } = {}
  for (let page = 0; page < PAGES_MAX; page += 1) {
    const { found, hasMore, nextCursor } = await ask(cursor)
    all.push(...found)
    if (!hasMore || nextCursor === undefined) return all
    cursor = { cursor: nextCursor }
  }
  return all
}

function toVoice({ voiceId, name, labels = {}, description, previewUrl, verifiedLanguages }: ElevenLabs.Voice) {
  return {
    voiceId,
    name,
    language: labels.language ?? verifiedLanguages?.[0]?.language,
    accent: labels.accent,
    age: labels.age,
    gender: labels.gender,
    description: labels.description ?? description,
    previewUrl,
  }
}

function toWebhook(webhook: ElevenLabs.WorkspaceWebhookResponseModel) {
  return {
    id: webhook.webhookId,
    name: webhook.name,
    url: webhook.webhookUrl,
    // By a person, or by the platform after deliveries that failed.
    isDisabled: webhook.isDisabled || webhook.isAutoDisabled,
    // The status that the last failed delivery was answered with.
    lastFailure: webhook.mostRecentFailureErrorCode,
  }
}

/** Tools that are no web requests have no address. */
function toTool({ id, toolConfig }: ElevenLabs.ToolResponseModel): {
  id: string
  name: string
  address: ProviderAddress | undefined
} {
  // A kind of tool that this SDK does not know has no name either.
  const name = 'name' in toolConfig ? toolConfig.name : ''
  if (toolConfig.type !== 'webhook') return { id, name, address: undefined }
  const { url, requestHeaders = {} } = toolConfig.apiSchema
  return { id, name, address: { url, headers: plainHeaders(requestHeaders) } }
}

function plainHeaders(headers: Record<string, unknown>): ProviderAddress['headers'] {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toLowerCase(), typeof value === 'string' ? value : undefined]),
  )
}

async function readAudio(stream: ReadableStream<Uint8Array>): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of stream) {
    bytes += chunk.length
    if (bytes > AUDIO_BYTES_MAX) throw new VoiceaiError('refused', 'The generated speech is too long to be kept.')
    chunks.push(chunk)
  }
  if (bytes === 0) throw new VoiceaiError('unavailable', 'ElevenLabs answered without any audio.')
  return Buffer.concat(chunks, bytes)
}
