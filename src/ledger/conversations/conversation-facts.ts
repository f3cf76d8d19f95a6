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
  /** What was said and when, and with which tools. */
  turns?: readonly object[] | undefined
  transcript: string | undefined
  summary: string | undefined
  /** Why the call did not come about. */
  failure?: { reason: string; detail: string | undefined }
}
