import type { ElevenLabs } from '@elevenlabs/elevenlabs-js'
import type { AgentConfig } from '../client/sdk-agents.ts'
import { DYNAMIC_VARIABLES } from '../conversations/dynamic-variables.ts'
import { interruptionMode, placeholders, variablesOf } from '../tools/tool-payload.ts'
import type { ToolRow } from '../tools/tool-rows.ts'
import { knowledgeConfig } from './agent-knowledge.ts'
import type { AgentRow, TransferRule } from './agent-rows.ts'
import { presetGreeting, spokenGreeting } from './ai-announcement.ts'
import { variablesIn } from './named-variables.ts'
import type { PushedAgent } from './platform-agents.ts'
import { presetLanguages } from './preset-languages.ts'
import { TELEPHONE_AUDIO } from './provider-choices.ts'

/** Speech models beside the flash ones, by our names for them. */
const OTHER_SPEECH_MODELS: Readonly<Record<string, ElevenLabs.TtsConversationalModel>> = {
  multilingual_v2: 'eleven_multilingual_v2',
  v3_conversational: 'eleven_v3_conversational',
  v4: 'eleven_v4',
  v4_turbo: 'eleven_v4_turbo',
}

/** Read by the agent after its own prompt; the variables are those of each call. */
const CALL_BLOCKS = `# What was said in the caller's last conversation (empty: nothing is known)
{{previous_topics}}

# Extensions that calls can be transferred to, each with what it leads to (empty: none)
{{available_extensions}}`

/** System tools under the names the SDK has for them. */
const SYSTEM_TOOLS = {
  transfer_to_agent: 'transferToAgent',
  end_call: 'endCall',
  language_detection: 'languageDetection',
  skip_turn: 'skipTurn',
  play_keypad_touch_tone: 'playKeypadTouchTone',
  voicemail_detection: 'voicemailDetection',
} as const satisfies Record<string, keyof ElevenLabs.BuiltInToolsOutput>
type SystemToolName = keyof typeof SYSTEM_TOOLS

/** The platform's word for "no limit". */
const UNLIMITED = -1

/**
 * An agent as the platform is to hold it (docs/reference/domain.md#agent-payload). Tools the platform does not know yet
 * are left out, and a limit of tokens is named when there is one, or when the one that the platform holds is to end.
 */
export function agentConfig(agent: AgentRow, { endsTokenLimit = false } = {}): AgentConfig {
  return {
    name: agent.name,
    conversationConfig: {
      agent: {
        firstMessage: spokenGreeting(agent),
        language: agent.language,
        // This key is sent as it is written, not converted.
        dynamicVariables: {
          dynamic_variable_placeholders: placeholders([
            ...new Set([...DYNAMIC_VARIABLES, ...variablesOf(agent.tools), ...variablesIn(textsOf(agent))]),
          ]),
        },
        prompt: promptConfig(agent, endsTokenLimit ? UNLIMITED : null),
      },
      ...audioConfig(agent),
      ...given({ languagePresets: languagePresets(agent) }),
    },
    platformSettings: {
      overrides: {
        conversationConfigOverride: { agent: { language: true } },
        enableConversationInitiationClientDataFromWebhook: true,
      },
      callLimits: given({ agentConcurrencyLimit: agent.agent_concurrency_limit, dailyLimit: agent.daily_limit }),
    },
  }
}

/** What calls have to know of the agent once the platform holds it so. */
export function pushedAgent(agent: AgentRow, { conversationConfig: config }: AgentConfig): PushedAgent {
  const formats = [config.asr?.userInputAudioFormat, config.tts?.agentOutputAudioFormat]
  return {
    languages: Object.keys(config.languagePresets ?? {}),
    variables: variablesIn([config.agent, config.languagePresets, agent.tools]),
    transfers: agent.transfers.map(({ target_uid: uid }) => uid),
    isForTelephones: formats.every((format) => format === TELEPHONE_AUDIO),
    ...(agent.knowledge.length === 0 ? {} : { knowledge: agent.knowledge.map(({ uid }) => uid) }),
  }
}

/** Everything of an agent that may name a variable. */
function textsOf({
  prompt,
  first_message: first,
  first_message_translations: others,
  tools,
  transfers,
}: AgentRow): unknown {
  return [prompt, first, others, tools, transfers]
}

/** The prompt as it is pushed: the agent's own, and what each call adds. */
export function pushedPrompt(prompt: string): string {
  return `${prompt.trimEnd()}\n\n${CALL_BLOCKS}\n`
}

/** Ids of the agent's tools that the platform knows. */
export function pushedToolIds(tools: readonly ToolRow[]): string[] {
  return tools
    .filter(({ tool_type: type }) => type !== 'system')
    .map(({ tool_id: id }) => id)
    .filter((id) => id !== null)
}

function promptConfig(agent: AgentRow, noLimit: number | null): ElevenLabs.PromptAgentApiModelOutput {
  const { llm, temperature, max_tokens: maxTokens } = agent
  return {
    prompt: pushedPrompt(agent.prompt),
    llm,
    ...given({ temperature, maxTokens: maxTokens !== null && maxTokens > 0 ? maxTokens : noLimit }),
    toolIds: pushedToolIds(agent.tools),
    builtInTools: builtInTools(agent),
    ...knowledgeConfig(agent),
  }
}

/**
 * A registered call is a media stream of the phone provider, which carries µ-law 8 kHz and nothing else, so such an
 * agent speaks that whatever is chosen for it (the platform's page "Register Twilio calls", read 2026-11-22).
 */
function isRegistered({ connect_method: method }: AgentRow): boolean {
  return method !== 'sip'
}

function audioConfig(agent: AgentRow): Pick<ElevenLabs.ConversationalConfig, 'asr' | 'tts' | 'turn' | 'conversation'> {
  return {
    asr: given({ userInputAudioFormat: isRegistered(agent) ? TELEPHONE_AUDIO : agent.user_input_audio_format }),
    tts: {
      voiceId: agent.voice_id,
      modelId: speechModel(agent),
      ...given({
        stability: agent.stability,
        speed: agent.speed,
        similarityBoost: agent.similarity_boost,
        agentOutputAudioFormat: isRegistered(agent) ? TELEPHONE_AUDIO : agent.output_audio_format,
      }),
    },
    turn: given({ turnTimeout: agent.turn_timeout, silenceEndCallTimeout: agent.silence_end_call_timeout }),
    conversation: given({ maxDurationSeconds: agent.max_duration_seconds }),
  }
}

/**
 * A flash model unless another one was chosen: its version follows the language, as only the second one speaks anything
 * but English. The turbo models are deprecated (`TTSConversationalModel` of the platform's API description), and flash
 * is in their place.
 */
function speechModel({ use_flash: isFlash, model, language }: AgentRow): ElevenLabs.TtsConversationalModel {
  const other = isFlash === false && model !== null ? OTHER_SPEECH_MODELS[model] : undefined
  return other ?? (language === 'en' ? 'eleven_flash_v2' : 'eleven_flash_v2_5')
}

function languagePresets(agent: AgentRow): Record<string, ElevenLabs.LanguagePresetOutput> | null {
  const presets = presetLanguages(agent).map((code) => [
    code,
    { overrides: { agent: given({ firstMessage: presetGreeting(agent, code), language: code }) } },
  ])
  return presets.length === 0 ? null : Object.fromEntries(presets)
}

/** Every system tool by name: what is not attached is null, so that detaching one reaches the platform. */
function builtInTools({ tools, transfers }: AgentRow): ElevenLabs.BuiltInToolsOutput {
  const attached = new Map(tools.filter((tool) => tool.tool_type === 'system').map((tool) => [tool.name, tool]))
  const entries = Object.entries(SYSTEM_TOOLS).map(([name, key]) => {
    const tool = attached.get(name)
    const params = tool === undefined ? undefined : systemParams(name as SystemToolName, tool, transfers)
    return [key, tool === undefined || params === undefined ? null : systemTool(tool, params)]
  })
  // The SDK's type has no null for "none", its wire has.
  return Object.fromEntries(entries) as ElevenLabs.BuiltInToolsOutput
}

function systemTool(tool: ToolRow, params: ElevenLabs.SystemToolConfigOutputParams): ElevenLabs.SystemToolConfigOutput {
  const { name, description } = tool
  return { type: 'system', name, description, interruptionMode: interruptionMode(tool), params }
}

function systemParams(
  name: SystemToolName,
  tool: ToolRow,
  transfers: readonly TransferRule[],
): ElevenLabs.SystemToolConfigOutputParams | undefined {
  switch (name) {
    case 'transfer_to_agent':
      // Without anybody to transfer to, the platform refuses the tool.
      return transfers.length === 0 ? undefined : { systemToolType: name, transfers: transfers.map(toTransfer) }
    case 'voicemail_detection':
      return { systemToolType: name, ...given({ voicemailMessage: tool.voicemail_message || null }) }
    case 'play_keypad_touch_tone':
      return { systemToolType: name, useOutOfBandDtmf: tool.use_out_of_band_dtmf === true }
    default:
      return { systemToolType: name }
  }
}

function toTransfer({ target_uid: agentId, condition }: TransferRule): ElevenLabs.AgentTransferOutput {
  return { agentId, condition: condition ?? '', enableTransferredAgentFirstMessage: true }
}

/** The values that are there; what is empty here stays as the platform has it. */
function given<Values extends Record<string, unknown>>(
  values: Values,
): { [Key in keyof Values]?: NonNullable<Values[Key]> } {
  const present = Object.entries(values).filter(([, value]) => value !== null && value !== undefined)
  return Object.fromEntries(present) as { [Key in keyof Values]?: NonNullable<Values[Key]> }
}
