import type { ElevenLabs } from '@elevenlabs/elevenlabs-js'
import type { Ask } from './ask.ts'
import { listAll } from './sdk-workspace.ts'
import type { AgentConfig, ProviderNumber, VoiceaiClient } from './voiceai-client.ts'

const PAGE_SIZE = 100

export function agentRequests(ask: Ask) {
  return {
    async listLanguageModels() {
      const { llms } = await ask.repeatable((sdk, options) => sdk.conversationalAi.llm.list(options))
      return llms.map(({ llm: name, deprecationInfo }) => ({
        name,
        isDeprecated: deprecationInfo?.isDeprecated === true,
        replacement: deprecationInfo?.replacementModel,
      }))
    },
    async listAgents() {
      const agents = await listAll(async (cursor) => {
        const page = await ask.repeatable((sdk, options) =>
          sdk.conversationalAi.agents.list({ pageSize: PAGE_SIZE, ...cursor }, options),
        )
        return { found: page.agents, hasMore: page.hasMore, nextCursor: page.nextCursor }
      })
      return agents.map(({ agentId: id, name, createdAtUnixSecs: createdSeconds }) => ({ id, name, createdSeconds }))
    },
    async getAgent(id) {
      const agent = await ask.repeatable((sdk, options) => sdk.conversationalAi.agents.get(id, {}, options))
      const speaker = agent.conversationConfig.agent
      return {
        name: agent.name,
        prompt: speaker?.prompt?.prompt,
        firstMessage: speaker?.firstMessage,
        language: speaker?.language,
        toolIds: speaker?.prompt?.toolIds ?? [],
        asksForClientData:
          agent.platformSettings?.overrides?.enableConversationInitiationClientDataFromWebhook === true,
      }
    },
    async createAgent(config) {
      const { body, inBody } = await agentBody(config)
      const { agentId } = await ask.once((sdk, options) =>
        sdk.conversationalAi.agents.create(body, { ...options, ...inBody }),
      )
      return agentId
    },
    async updateAgent(id, config) {
      const { body, inBody } = await agentBody(config)
      await ask.tell((sdk, options) => sdk.conversationalAi.agents.update(id, body, { ...options, ...inBody }))
    },
    async deleteAgent(id) {
      await ask.tell((sdk, options) => sdk.conversationalAi.agents.delete(id, options))
    },
  } satisfies Partial<VoiceaiClient>
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
    async createNumber({ number, label, agentUid, allowedAddresses }) {
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
    async updateNumber(id, { label, agentUid, allowedAddresses }) {
      const change = { label, agentId: agentUid, inboundTrunkConfig: trunk(allowedAddresses) }
      await ask.tell((sdk, options) => sdk.conversationalAi.phoneNumbers.update(id, change, options))
    },
    async deleteNumber(id) {
      await ask.tell((sdk, options) => sdk.conversationalAi.phoneNumbers.delete(id, options))
    },
  } satisfies Partial<VoiceaiClient>
}

function trunk(allowedAddresses: readonly string[]): ElevenLabs.InboundSipTrunkConfigRequestModel {
  return { allowedAddresses: [...allowedAddresses] }
}

function toNumber(number: ElevenLabs.conversationalAi.PhoneNumbersListResponseItem): ProviderNumber {
  return { id: number.phoneNumberId, number: number.phoneNumber, agentUid: number.assignedAgent?.agentId }
}
