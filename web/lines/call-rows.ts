import type { Row } from '../data/client.ts'

/** What a row of calls shows. */
export const CALL_FIELDS = [
  'create_date',
  'started_at',
  'direction',
  'status',
  'outcome',
  'strip',
  'caller',
  'called',
  'partner',
  'erased_at',
  'duration',
  'end_reason',
  'voiceai_agent',
  'answered_at',
  'answered_user',
  'answered_pbx_user',
  'voicemail_url',
  'conversation_failed',
  'conversation_end',
  'conversation_ending',
  'conversation_result',
  'nobody_spoke',
  'not_taken_over',
  'ticket',
  'callback_done_at',
  'callback_done_by',
] as const
export type CallRow = Row<'connect.call', (typeof CALL_FIELDS)[number]>

/** When a call began: by the provider's clock, else when it was written down. */
export function beganAt(call: Pick<CallRow, 'started_at' | 'create_date'>): string | null {
  return call.started_at ?? call.create_date
}
