import type { AgentConfig } from '../client/sdk-agents.ts'

/** Events that a page needs to show a conversation (`ClientEvent` of the platform's API description). */
const CLIENT_EVENTS = [
  ...(['conversation_initiation_metadata', 'ping', 'audio', 'interruption', 'user_transcript'] as const),
  ...(['agent_response', 'agent_response_correction', 'agent_tool_response', 'client_error'] as const),
]
const BROWSER_AUDIO = 'pcm_16000'

/** What the copy of a trial is called at the platform: by it, one that was lost is found again. */
export function copyName(trial: number): string {
  return `Connect trial ${trial}`
}

/**
 * The agent as it is tried: a copy of its own at the platform, so that neither a draft nor a written conversation changes the
 * agent of calls. The other ways would: what a conversation overrides must be allowed by the agent's own settings
 * (`conversation_config_override` of `platform_settings.overrides`), for everybody who knows its id, and a branch or a draft
 * of the platform switches versions on for good (`enable_versioning_if_not_enabled`). Only who holds a signed address talks
 * with the copy (`AuthSettings.enable_auth`), and the platform keeps no sound of it (`PrivacyConfig.record_voice`).
 */
export function trialCopy(
  { conversationConfig: config, platformSettings: { overrides } }: AgentConfig,
  { id, isText }: { id: number; isText: boolean },
): AgentConfig {
  return {
    name: copyName(id),
    conversationConfig: {
      ...config,
      asr: { ...config.asr, userInputAudioFormat: BROWSER_AUDIO },
      tts: { ...config.tts, agentOutputAudioFormat: BROWSER_AUDIO },
      conversation: { ...config.conversation, textOnly: isText, clientEvents: [...CLIENT_EVENTS] },
    },
    platformSettings: {
      // The browser brings what calls are asked for.
      overrides: { ...overrides, enableConversationInitiationClientDataFromWebhook: false },
      auth: { enableAuth: true },
      privacy: { recordVoice: false },
    },
  }
}
