/** How the ledger knows a conversation, and the call it belongs to. */
export interface NamedConversation {
  /** The conversation's id, or the call's where there is none. */
  key: string
  callSid: string | undefined
  /** Ids of our call that came back with the conversation, the surest first. */
  callIds: readonly number[]
  /** When the conversation began, in milliseconds; undefined where the platform did not say. */
  startedAtMs?: number | undefined
}

/** A goal that the platform judged a conversation by: `success`, `failure` or `unknown`, and why. */
export interface Criterion {
  readonly id: string
  readonly result: string
  readonly rationale: string | null
  readonly score?: number
  readonly max_score?: number
}

/** Something that the platform read out of a conversation. */
export interface DataField {
  readonly id: string
  readonly name?: string
  readonly value: string | number | boolean | null
  readonly rationale: string | null
}

/** What the platform found out about a conversation, and what it asks for it. */
export interface ConversationAnalysis {
  readonly criteria?: readonly Criterion[] | undefined
  readonly collected?: readonly DataField[] | undefined
  readonly costCredits?: number | undefined
  readonly costDollars?: number | undefined
  readonly charging?: Readonly<Record<string, string | number | boolean>> | undefined
  readonly language?: string | undefined
  readonly tags?: readonly string[] | undefined
}

/** What a voice agent's platform says of a conversation, whichever of its deliveries said it. */
export interface ConversationFacts extends NamedConversation {
  conversationId: string | undefined
  agentId: number | undefined
  partnerId: number | undefined
  caller: string | undefined
  called: string | undefined
  direction: 'incoming' | 'outgoing'
  status: 'completed' | 'failed'
  callType: 'phone' | 'whatsapp'
  durationSeconds: number
  terminationReason?: string | undefined
  /** What the platform says went wrong, such as `1002: This request exceeds your quota limit`. */
  error?: string | undefined
  /** The platform's own judgement: `success`, `failure` or `unknown`. */
  result?: string | undefined
  /** The platform ended it for an error. */
  hasFailed?: boolean | undefined
  /** Whether the agent's first words said that it is an AI; undefined where its words are not known. */
  announcement?: 'played' | 'not_played' | undefined
  /** Nobody but the agent said anything; undefined where the words are not known. */
  isSilent?: boolean | undefined
  analysis?: ConversationAnalysis | undefined
  /** What was said and when, and with which tools. */
  turns?: readonly object[] | undefined
  transcript: string | undefined
  summary: string | undefined
  /** Why the call did not come about. */
  failure?: { reason: string; detail: string | undefined }
}
