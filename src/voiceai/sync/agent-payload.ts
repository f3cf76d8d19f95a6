import type { ElevenLabs } from '@elevenlabs/elevenlabs-js'
import type { AgentConfig } from '../client.ts'
import { AGENT_LANGUAGES } from '../models/provider-choices.ts'
import { DYNAMIC_VARIABLES, languageCode } from '../webhooks/dynamic-variables.ts'
import type { AgentRow, TransferRule } from './agent-rows.ts'
import { interruptionMode, placeholders, variablesOf } from './tool-payload.ts'
import type { ToolRow } from './tool-rows.ts'

/** Speech models beside the flash ones, by our names for them. */
const OTHER_SPEECH_MODELS: Readonly<Record<string, ElevenLabs.TtsConversationalModel>> = {
  multilingual_v2: 'eleven_multilingual_v2',
  v3_conversational: 'eleven_v3_conversational',
  v4: 'eleven_v4',
  v4_turbo: 'eleven_v4_turbo',
}
const SPOKEN: ReadonlySet<string> = new Set(AGENT_LANGUAGES.map(([code]) => code))

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
 * An agent as the platform is to hold it (domain reference 4.4). Tools the platform does not know yet are left out, and
 * a limit of tokens is named when there is one, or when the one that the platform holds is to end.
 */
export function agentConfig(agent: AgentRow, { endsTokenLimit = false } = {}): AgentConfig {
  return {
    name: agent.name,
    conversationConfig: {
      agent: {
        firstMessage: agent.first_message,
        language: agent.language,
        // This key is sent as it is written, not converted.
        dynamicVariables: {
          dynamic_variable_placeholders: placeholders([
            ...new Set([...DYNAMIC_VARIABLES, ...variablesOf(agent.tools)]),
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
  }
}

function audioConfig(agent: AgentRow): Pick<ElevenLabs.ConversationalConfig, 'asr' | 'tts' | 'turn' | 'conversation'> {
  return {
    asr: given({ userInputAudioFormat: agent.user_input_audio_format }),
    tts: {
      voiceId: agent.voice_id,
      modelId: speechModel(agent),
      ...given({
        stability: agent.stability,
        speed: agent.speed,
        similarityBoost: agent.similarity_boost,
        agentOutputAudioFormat: agent.output_audio_format,
      }),
    },
    turn: given({ turnTimeout: agent.turn_timeout, silenceEndCallTimeout: agent.silence_end_call_timeout }),
    conversation: given({ maxDurationSeconds: agent.max_duration_seconds }),
  }
}

/**
 * A flash model unless another one was chosen: its version follows the language, as only the second one speaks anything but
 * English. The turbo models are deprecated (`TTSConversationalModel` of the platform's API description), and flash is in their place.
 */
function speechModel({ use_flash: isFlash, model, language }: AgentRow): ElevenLabs.TtsConversationalModel {
  const other = isFlash === false && model !== null ? OTHER_SPEECH_MODELS[model] : undefined
  return other ?? (language === 'en' ? 'eleven_flash_v2' : 'eleven_flash_v2_5')
}

function languagePresets(agent: AgentRow): Record<string, ElevenLabs.LanguagePresetOutput> | null {
  const translations = agent.first_message_translations ?? {}
  const codes = agent.languages.map(agentLanguage).filter((code) => code !== undefined && code !== agent.language)
  const presets = [...new Set(codes)].map((code) => {
    const firstMessage = translations[code ?? '']
    return [code, { overrides: { agent: given({ firstMessage: firstMessage || null, language: code ?? null }) } }]
  })
  return presets.length === 0 ? null : Object.fromEntries(presets)
}

/** The platform's code; undefined for languages its agents do not speak. */
function agentLanguage(code: string): string | undefined {
  const known = languageCode(code)
  return known !== undefined && SPOKEN.has(known) ? known : undefined
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
