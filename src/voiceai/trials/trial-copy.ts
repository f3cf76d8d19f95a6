import type { SettingsSnapshot } from '../../platform/settings/settings.ts'
import type { AgentConfig } from '../client/sdk-agents.ts'

/** Events that a page needs to show a conversation (`ClientEvent` of the platform's API description). */
const CLIENT_EVENTS = [
  ...(['conversation_initiation_metadata', 'ping', 'audio', 'interruption', 'user_transcript'] as const),
  ...(['agent_response', 'agent_response_correction', 'agent_tool_response', 'client_error'] as const),
]
const BROWSER_AUDIO = 'pcm_16000'
/** What was said in a trial stays at the platform so long, whatever its workspace keeps otherwise (`PrivacyConfig.retention_days`). */
const KEPT_DAYS = 1

/** As much of an installation's id as tells it from others on the same account. */
const INSTANCE_CHARS = 8

/** What the copy of a trial is called at the platform: by it, one that was lost is found again, by the installation that made it. */
export function copyName(trial: number, { instanceUid = '' }: Pick<SettingsSnapshot, 'instanceUid'>): string {
  return `Connect trial ${trial} (${instanceUid.slice(0, INSTANCE_CHARS)})`
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
  { name, isText, token }: { name: string; isText: boolean; token: string },
): AgentConfig {
  const { dynamicVariables, ...agent } = config.agent ?? {}
  return {
    name,
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
      privacy: { recordVoice: false, retentionDays: KEPT_DAYS, deleteTranscriptAndPii: true, deleteAudio: true },
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
