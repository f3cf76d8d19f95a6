/** How a call ended, or how far it is, from what the service stores of it; pure. */
import type { Link } from '../data/models.gen.ts'

export type Outcome =
  | 'ringing'
  | 'talking'
  | 'agent'
  | 'person'
  | 'agent_person'
  | 'voicemail'
  | 'missed'
  | 'given_up'
  | 'busy'
  | 'no_answer'
  | 'failed'

export interface OutcomeCall {
  outcome: 'in_progress' | Exclude<Outcome, 'ringing' | 'talking'> | null
  answered_at: string | null
  voiceai_agent: Link | null
  answered_user: Link | null
  answered_pbx_user: Link | null
  conversation_failed?: boolean | null
  conversation_end?: string | null
  conversation_ending?: string | null
  /** The platform's own judgement: only that says that something is solved. */
  conversation_result?: string | null
  nobody_spoke?: boolean | null
  /** Whom somebody of us wanted was not dialled: only their own phone rang. */
  end_reason?: string | null
  status?: string | null
  /** The agent put the caller through to people of whom no one took the call: nothing is solved by that. */
  not_taken_over?: boolean | null
  /** Somebody has marked it as called back: it urges nobody any more. */
  callback_done_at?: string | null
}

/** What says how a call ended. */
export type EndedCall = Pick<OutcomeCall, 'outcome' | 'answered_at'>

/** The stored outcome; of a live call whether somebody has answered. Undefined where nothing is known. */
export function outcomeOf({ outcome, answered_at: answered }: EndedCall): Outcome | undefined {
  if (outcome === 'in_progress') return answered === null ? 'ringing' : 'talking'
  return outcome ?? undefined
}

/** A sign beside the word, because colour is never the only one. */
export const SIGNS: Readonly<Record<Outcome, string>> = {
  ringing: '●',
  talking: '●',
  agent: '■',
  person: '■',
  agent_person: '◧',
  voicemail: '◫',
  missed: '□',
  given_up: '□',
  busy: '□',
  no_answer: '□',
  failed: '✕',
}

const UNSAID: readonly Outcome[] = ['missed', 'given_up', 'busy', 'no_answer']

/** Whether nobody spoke, so that there is nothing to read or to hear. */
export function isUnsaid(call: EndedCall): boolean {
  const kind = outcomeOf(call)
  return kind !== undefined && (UNSAID.includes(kind) || (kind === 'failed' && call.answered_at === null))
}
