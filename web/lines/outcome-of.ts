/** How a call ended, or how far it is, from what the service says of it; pure. */
import type { Link } from '../data/models.gen.ts'

export type Outcome =
  | 'in_progress'
  | 'ringing'
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
  status: string | null
  direction: string | null
  voiceai_agent: Link | null
  answered_user: Link | null
  answered_pbx_user: Link | null
  voicemail_url: string | null
  has_error: boolean
}

const RINGING = ['queued', 'initiated', 'ringing']

export function outcomeOf(call: OutcomeCall): Outcome {
  if (call.status !== null && RINGING.includes(call.status)) return 'ringing'
  if (call.status === 'in-progress') return 'in_progress'
  return answeredBy(call) ?? unanswered(call)
}

function answeredBy(call: OutcomeCall): Outcome | undefined {
  const hasPerson = call.answered_user !== null || call.answered_pbx_user !== null
  if (typeof call.voicemail_url === 'string') return 'voicemail'
  if (call.voiceai_agent !== null && !call.has_error) return hasPerson ? 'agent_person' : 'agent'
  return hasPerson ? 'person' : undefined
}

function unanswered({ status, direction, has_error: hasError }: OutcomeCall): Outcome {
  if (status === 'busy') return 'busy'
  if (status === 'failed' || hasError) return 'failed'
  if (direction === 'incoming') return status === 'canceled' ? 'given_up' : 'missed'
  return status === 'completed' ? 'person' : 'no_answer'
}

/** A sign beside the word, because colour is never the only one. */
export const SIGNS: Readonly<Record<Outcome, string>> = {
  in_progress: '●',
  ringing: '●',
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
