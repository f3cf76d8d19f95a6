/** One turn of a transcript, as the API and the post-call delivery show it. */
export interface TurnRecord {
  readonly role: 'user' | 'agent'
  readonly message: string | null
  readonly tool_calls: readonly ToolCallRecord[] | null
  readonly tool_results: readonly ToolResultRecord[] | null
  readonly feedback: null
  readonly time_in_call_secs: number
  readonly conversation_turn_metrics: null
  readonly llm_override: null
  readonly rag_retrieval_info: null
  readonly original_message: null
  readonly source_medium: null
  readonly interrupted: boolean
}

export interface ToolCallRecord {
  readonly type: string
  readonly request_id: string
  readonly tool_name: string
  readonly params_as_json: string
  readonly tool_has_been_called: boolean
  readonly tool_details: null
}

export interface ToolResultRecord {
  readonly type: string
  readonly request_id: string
  readonly tool_name: string
  readonly result_value: string
  readonly is_error: boolean
  readonly tool_has_been_called: boolean
  readonly tool_latency_secs: number
  readonly error_type: string
  readonly raw_error_message: null
  readonly dynamic_variable_updates: readonly []
}

/** The telephone side of a conversation. */
export type PhoneCallRecord =
  | {
      readonly type: 'sip_trunking'
      readonly direction: 'inbound' | 'outbound'
      readonly phone_number_id: string
      readonly agent_number: string
      readonly external_number: string
      readonly call_sid: string
      readonly call_id: string
      readonly sip_header_dynamic_variables: Readonly<Record<string, string>>
    }
  | {
      readonly type: 'twilio'
      readonly direction: 'inbound' | 'outbound'
      readonly phone_number_id: string
      readonly agent_number: string
      readonly external_number: string
      readonly call_sid: string
      readonly stream_sid: string
    }

/** A conversation that is over, as the API description of 2026-08-22 has it (`GetConversationResponseModel`). */
export interface ConversationRecord {
  readonly agent_id: string
  readonly agent_name: string
  readonly conversation_id: string
  readonly status: 'done' | 'failed'
  readonly user_id: string | null
  readonly branch_id: null
  readonly version_id: null
  readonly environment: string
  readonly tag_ids: readonly string[]
  readonly has_audio: boolean
  readonly has_user_audio: boolean
  readonly has_response_audio: boolean
  readonly has_auxiliary_audio: boolean
  readonly transcript: readonly TurnRecord[]
  readonly metadata: {
    readonly start_time_unix_secs: number
    readonly accepted_time_unix_secs: number | null
    readonly call_duration_secs: number
    readonly cost: number
    readonly cost_fiat: number
    readonly deletion_settings: Readonly<Record<string, unknown>>
    readonly rag_usage: null
    readonly timezone: null
    readonly whatsapp: null
    readonly sms: null
    readonly termination_reason: string
    readonly error: { readonly code: number; readonly reason: string } | null
    readonly main_language: string
    readonly authorization_method: string
    readonly conversation_initiation_source: string
    readonly phone_call: PhoneCallRecord | null
    readonly batch_call: null
    readonly text_only: boolean
    readonly warnings: readonly string[]
    readonly feedback: Readonly<Record<string, unknown>>
    readonly charging: Readonly<Record<string, unknown>>
    readonly features_usage: Readonly<Record<string, unknown>>
  }
  readonly analysis: {
    readonly evaluation_criteria_results: Readonly<Record<string, unknown>>
    readonly evaluation_criteria_results_list: readonly object[]
    readonly data_collection_results_list: readonly object[]
    readonly data_collection_results: Readonly<Record<string, unknown>>
    readonly call_successful: 'success' | 'failure' | 'unknown'
    readonly transcript_summary: string
    readonly call_summary_title: string
  } | null
  readonly conversation_initiation_client_data: {
    readonly conversation_config_override: Readonly<Record<string, unknown>>
    readonly custom_llm_extra_body: Readonly<Record<string, unknown>>
    readonly dynamic_variables: Readonly<Record<string, unknown>>
    readonly user_id: string | null
    readonly source_info: { readonly source: string; readonly version: null }
    readonly branch_id: null
    readonly environment: null
  }
}

/** What the analysis finds: goals by their ids, data fields, and tags. */
export interface Found {
  readonly criteria?: Readonly<Record<string, { result: 'success' | 'failure' | 'unknown'; rationale: string }>>
  readonly collected?: Readonly<Record<string, { value: unknown; rationale: string }>>
  readonly tags?: readonly string[]
}

/** What of a conversation decides about its record. */
export interface ConversationFacts {
  readonly id: string
  readonly agent: { readonly id: string; readonly name: string }
  readonly turns: readonly TurnRecord[]
  readonly startSeconds: number
  readonly durationSeconds: number
  readonly language: string
  readonly terminationReason: string
  /** Why it never really began. */
  readonly failure: string | undefined
  readonly isSuccessful: boolean
  readonly found?: Found | undefined
  readonly summary: string
  /** Null for a conversation that no telephone is part of. */
  readonly phoneCall: PhoneCallRecord | null
  /** Without it, one with sound. */
  readonly browser?: { readonly isTextOnly: boolean; readonly keepsSound: boolean; readonly source: string }
  readonly variables: ReadonlyMap<string, unknown>
  readonly override: Readonly<Record<string, unknown>>
}

const CREDITS_PER_SECOND = 6
const DOLLARS_PER_CREDIT = 0.0001
const ENVIRONMENT = 'production'

export function conversationRecord(facts: ConversationFacts): ConversationRecord {
  const { failure, durationSeconds, turns } = facts
  const isHeard = facts.browser === undefined || (!facts.browser.isTextOnly && facts.browser.keepsSound)
  const hasAudio = failure === undefined && durationSeconds > 0 && isHeard
  return {
    agent_id: facts.agent.id,
    agent_name: facts.agent.name,
    conversation_id: facts.id,
    status: failure === undefined ? 'done' : 'failed',
    user_id: null,
    branch_id: null,
    version_id: null,
    environment: ENVIRONMENT,
    tag_ids: facts.found?.tags ?? [],
    has_audio: hasAudio,
    has_user_audio: hasAudio,
    has_response_audio: hasAudio,
    has_auxiliary_audio: false,
    transcript: turns,
    metadata: metadataOf(facts),
    analysis:
      failure === undefined
        ? {
            ...foundIn(facts),
            call_successful: judgementOf(facts),
            transcript_summary: facts.summary,
            call_summary_title: facts.summary.split(/[.!?]/, 1)[0] ?? '',
          }
        : null,
    conversation_initiation_client_data: {
      conversation_config_override: facts.override,
      custom_llm_extra_body: {},
      dynamic_variables: Object.fromEntries([...facts.variables].map(redacted)),
      user_id: null,
      source_info: { source: sourceOf(facts), version: null },
      branch_id: null,
      environment: null,
    },
  }
}

/** Nothing can be judged of a call in which nobody spoke. */
function judgementOf({ isSuccessful, turns }: ConversationFacts): 'success' | 'failure' | 'unknown' {
  if (!turns.some(({ role }) => role === 'user')) return 'unknown'
  return isSuccessful ? 'success' : 'failure'
}

/** Goals and data fields by their ids, and the same as lists. */
function foundIn({ found }: ConversationFacts) {
  const criteria = Object.entries(found?.criteria ?? {}).map(([id, { result, rationale }]) => ({
    criteria_id: id,
    result,
    rationale,
  }))
  const collected = Object.entries(found?.collected ?? {}).map(([id, { value, rationale }]) => ({
    data_collection_id: id,
    value,
    json_schema: null,
    rationale,
  }))
  return {
    evaluation_criteria_results: Object.fromEntries(criteria.map((each) => [each.criteria_id, each])),
    evaluation_criteria_results_list: criteria,
    data_collection_results: Object.fromEntries(collected.map((each) => [each.data_collection_id, each])),
    data_collection_results_list: collected,
  }
}

function sourceOf({ phoneCall, browser }: ConversationFacts): string {
  if (phoneCall === null) return browser?.source ?? 'unknown'
  return phoneCall.type === 'twilio' ? 'twilio' : 'sip_trunk'
}

function metadataOf(facts: ConversationFacts): ConversationRecord['metadata'] {
  const { startSeconds, durationSeconds, failure, phoneCall } = facts
  return {
    start_time_unix_secs: startSeconds,
    accepted_time_unix_secs: startSeconds,
    call_duration_secs: durationSeconds,
    cost: durationSeconds * CREDITS_PER_SECOND,
    cost_fiat: durationSeconds * CREDITS_PER_SECOND * DOLLARS_PER_CREDIT,
    deletion_settings: {},
    rag_usage: null,
    timezone: null,
    whatsapp: null,
    sms: null,
    termination_reason: facts.terminationReason,
    error: failure === undefined ? null : { code: 1008, reason: failure },
    main_language: facts.language,
    // SIP has no word of its own in the description's list.
    authorization_method: phoneCall?.type === 'sip_trunking' ? 'public' : 'signed_url',
    conversation_initiation_source: sourceOf(facts),
    phone_call: phoneCall,
    batch_call: null,
    text_only: facts.browser?.isTextOnly === true,
    warnings: [],
    feedback: { overall_score: null, likes: 0, dislikes: 0 },
    charging: {
      ...{ dev_discount: false, is_burst: false, tier: 'creator' },
      ...{ call_charge: durationSeconds * CREDITS_PER_SECOND, llm_charge: 0, llm_price: 0 },
      ...{ free_minutes_consumed: 0, free_llm_dollars_consumed: 0 },
    },
    features_usage: {},
  }
}

/** Variables that only headers may hold are never told again. */
function redacted([name, value]: [string, unknown]): [string, unknown] {
  return [name, name.startsWith('secret__') ? '<REDACTED>' : value]
}
