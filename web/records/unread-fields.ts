import type { Values } from './record-values.ts'

/**
 * Fields that the API has and nothing obeys: recordings are not transcribed, and there is no web phone on this page. A switch that
 * does nothing is not drawn, nor is what only programs read.
 */
const UNREAD: Readonly<Record<string, readonly string[]>> = {
  'connect.settings': [
    ...['transcript_calls', 'transcript_provider', 'summary_prompt'],
    ...['telco_api_key', 'telco_api_secret', 'display_telco_api_secret'],
  ],
  'connect.user': ['client_enabled', 'client_priority', 'client_ring_timeout', 'application', 'summary_prompt'],
  'connect.recording': ['transcription_pending', 'transcription_error', 'transcription_price'],
  // What the page of a call says in words: its strip, how it was verified and ended, and what it is about.
  'connect.call': [
    ...['strip', 'dial_ends', 'ref', 'stir_verstat', 'conversation_ending'],
    ...['register_note', 'missed_note'],
  ],
  // Its page counts those that the reader may see.
  'res.partner': ['connect_calls_count', 'connect_messages_count'],
  'connect.channel': ['duration_billing', 'stir_verstat', 'recording_control_ref'],
  'helpdesk.ticket': ['position', 'board_rank'],
  'connect.message': ['status_rank', 'res_model', 'res_id'],
  'connect.message_content_template': ['sender_id', 'model_id', 'approval_create_url', 'approval_fetch_url'],
}

/** The fields of a kind of record that screens draw. */
export function drawnFields<Field>(model: string, fields: Record<string, Field>): Record<string, Field> {
  const unread = UNREAD[model]
  if (unread === undefined) return fields
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !unread.includes(name)))
}

/** What a record that is made on the page has in fields that are not drawn: nobody would ring a phone that does not exist. */
export function valuesOfUndrawn(model: string): Values {
  return model === 'connect.user' ? { client_enabled: false } : {}
}
