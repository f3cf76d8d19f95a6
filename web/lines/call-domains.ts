/** Which calls the page of the present is about. */
import type { Domain } from '../data/client.ts'

export const LIVE: Domain[number] = ['status', 'in', ['queued', 'initiated', 'ringing', 'in-progress']]
/** Nobody talked to the caller, who left nothing either. */
export const MISSED: Domain = [
  ['direction', '=', 'incoming'],
  ['answered_user', '=', null],
  ['answered_pbx_user', '=', null],
  ['voiceai_agent', '=', null],
  ['status', 'in', ['completed', 'no-answer', 'canceled', 'busy']],
  ['voicemail_url', '=', null],
]
export const VOICEMAIL: Domain[number] = ['voicemail_url', '!=', null]
