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
  { id, isText, token }: { id: number; isText: boolean; token: string },
): AgentConfig {
  const { dynamicVariables, ...agent } = config.agent ?? {}
  return {
    name: copyName(id),
    conversationConfig: {
      ...config,
      agent: { ...agent, dynamicVariables: withToken(dynamicVariables, token) },
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

/**
 * The copy itself names the trial where its tools name the call. Who opens a conversation with it and says nothing has none
 * (the platform ends it for want of `call_id`), or, should the platform put the copy's own values in, a trial.
 */
function withToken(
  variables: NonNullable<AgentConfig['conversationConfig']['agent']>['dynamicVariables'],
  token: string,
): typeof variables {
  const { dynamic_variable_placeholders: placeholders } = (variables ?? {}) as Placeholders
  // This key is sent as it is written, as that of the agent.
  return { dynamic_variable_placeholders: { ...placeholders, call_id: token } } as typeof variables
}

interface Placeholders {
  dynamic_variable_placeholders?: Record<string, unknown>
}
