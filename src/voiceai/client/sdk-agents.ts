import type { ElevenLabs } from '@elevenlabs/elevenlabs-js'
import type { Ask } from './ask.ts'
import { listAll } from './sdk-workspace.ts'

const PAGE_SIZE = 100

/** An agent as it is pushed. */
export interface AgentConfig {
  name: string
  conversationConfig: ElevenLabs.ConversationalConfig
  platformSettings: ElevenLabs.AgentPlatformSettingsRequestModel
}

/** The entity under which calls over SIP reach an agent, as it is pushed. */
export interface NumberConfig {
  number: string
  label: string
  agentUid: string
  /** Empty lets everybody in. */
  allowedAddresses: readonly string[]
}

export type ProviderAgent = Awaited<ReturnType<ReturnType<typeof agentRequests>['getAgent']>>
export type ProviderNumber = ReturnType<typeof toNumber>

export function agentRequests(ask: Ask) {
  return {
    /** Models that agents can think with, and the one that takes the place of a deprecated one. */
    async listLanguageModels() {
      const { llms } = await ask.repeatable((sdk, options) => sdk.conversationalAi.llm.list(options))
      return llms.map(({ llm: name, deprecationInfo }) => ({
        name,
        isDeprecated: deprecationInfo?.isDeprecated === true,
        replacement: deprecationInfo?.replacementModel,
      }))
    },
    /** `createdSeconds` is Unix time, by the platform's clock. */
    async listAgents() {
      const agents = await listAll(async (cursor) => {
        const page = await ask.repeatable((sdk, options) =>
          sdk.conversationalAi.agents.list({ pageSize: PAGE_SIZE, ...cursor }, options),
        )
        return { found: page.agents, hasMore: page.hasMore, nextCursor: page.nextCursor }
      })
      return agents.map(({ agentId: id, name, createdAtUnixSecs: createdSeconds }) => ({ id, name, createdSeconds }))
    },
    /** What of an agent can be compared with ours. */
    async getAgent(id: string) {
      const agent = await ask.repeatable((sdk, options) => sdk.conversationalAi.agents.get(id, {}, options))
      const speaker = agent.conversationConfig.agent
      return {
        name: agent.name,
        prompt: speaker?.prompt?.prompt,
        firstMessage: speaker?.firstMessage,
        language: speaker?.language,
        toolIds: speaker?.prompt?.toolIds ?? [],
        knowledge: (speaker?.prompt?.knowledgeBase ?? []).map(({ id, name }) => ({ uid: id, name })),
        asksForClientData:
          agent.platformSettings?.overrides?.enableConversationInitiationClientDataFromWebhook === true,
      }
    },
    async createAgent(config: AgentConfig) {
      const { body, inBody } = await agentBody(config)
      const { agentId } = await ask.once((sdk, options) =>
        sdk.conversationalAi.agents.create(body, { ...options, ...inBody }),
      )
      return agentId
    },
    async updateAgent(id: string, config: AgentConfig) {
      const { body, inBody } = await agentBody(config)
      await ask.change((sdk, options) => sdk.conversationalAi.agents.update(id, body, { ...options, ...inBody }))
    },
    /**
     * An address at which a browser talks with the agent, once: with the id of a conversation it counts for that one only
     * (`include_conversation_id` of `get-signed-url` in the platform's API description).
     */
    async signConversation(agentId: string) {
      const { signedUrl } = await ask.repeatable((sdk, options) =>
        sdk.conversationalAi.conversations.getSignedUrl({ agentId, includeConversationId: true }, options),
      )
      return signedUrl
    },
    async deleteAgent(id: string) {
      await ask.change((sdk, options) => sdk.conversationalAi.agents.delete(id, options))
    },
  }
}

/**
 * The SDK refuses to send a language model that is newer than itself, which the platform lists and takes: the part with the
 * model is converted beside it, by the SDK's own converter, without that check.
 */
async function agentBody({ conversationConfig, ...rest }: AgentConfig): Promise<{
  body: AgentConfig
  inBody: { additionalBodyParameters: Record<string, unknown> }
}> {
  const { default: converters } = await import('@elevenlabs/elevenlabs-js/serialization/index.js')
  const converted = converters.ConversationalConfig.jsonOrThrow(conversationConfig, {
    unrecognizedObjectKeys: 'strip',
    allowUnrecognizedEnumValues: true,
  })
  return {
    body: { ...rest, conversationConfig: {} },
    inBody: { additionalBodyParameters: { conversation_config: converted } },
  }
}

export function numberRequests(ask: Ask) {
  return {
    async listNumbers() {
      const numbers = await ask.repeatable((sdk, options) => sdk.conversationalAi.phoneNumbers.list({}, options))
      return numbers.map(toNumber)
    },
    async createNumber({ number, label, agentUid, allowedAddresses }: NumberConfig) {
      const body: ElevenLabs.conversationalAi.PhoneNumbersCreateRequestBody = {
        provider: 'sip_trunk',
        phoneNumber: number,
        label,
        agentId: agentUid,
        inboundTrunkConfig: trunk(allowedAddresses),
      }
      const created = await ask.once((sdk, options) => sdk.conversationalAi.phoneNumbers.create(body, options))
      return created.phoneNumberId
    },
    async updateNumber(id: string, { label, agentUid, allowedAddresses }: Omit<NumberConfig, 'number'>) {
      const change = { label, agentId: agentUid, inboundTrunkConfig: trunk(allowedAddresses) }
      await ask.change((sdk, options) => sdk.conversationalAi.phoneNumbers.update(id, change, options))
    },
    async deleteNumber(id: string) {
      await ask.change((sdk, options) => sdk.conversationalAi.phoneNumbers.delete(id, options))
    },
  }
}

function trunk(allowedAddresses: readonly string[]): ElevenLabs.InboundSipTrunkConfigRequestModel {
  return { allowedAddresses: [...allowedAddresses] }
}

function toNumber(number: ElevenLabs.conversationalAi.PhoneNumbersListResponseItem) {
  const trunk = 'inboundTrunk' in number ? number.inboundTrunk : undefined
  return {
    id: number.phoneNumberId,
    number: number.phoneNumber,
    agentUid: number.assignedAgent?.agentId,
    /** Undefined where it says nothing of them. */
    allowedAddresses: trunk?.allowedAddresses,
  }
}
