import type { Reply } from '../../deliveries/webhooks/webhook-table.ts'
import { hangupDocument, INVALID_REQUEST_MARKUP, messagingReply, sayAndHangup } from '../markup/voice.ts'
import { sentence } from '../sentences/sentence.ts'

const XML = 'text/xml; charset=utf-8'
const TEXT = 'text/plain; charset=utf-8'

export function markupReply(markup: string): Reply {
  return { status: 200, contentType: XML, body: markup }
}

export function textReply(text: string): Reply {
  return { status: 200, contentType: TEXT, body: text }
}

/**
 * To whoever is not the provider (docs/reference/contract.md#telephony-signature): 200, since it speaks what it gets.
 */
export const INVALID_VOICE = markupReply(INVALID_REQUEST_MARKUP)
export const INVALID_STATUS = textReply('False')

/** A request that names no call cannot be routed. */
export const NO_CALL = markupReply(sayAndHangup(sentence('callNotIdentified')))

/**
 * The last resort of a voice route: a sentence, never silence and never an internal error. Whose language it is in
 * nobody knows by then.
 */
export const SORRY_REPLY = markupReply(sayAndHangup(sentence('tryLater')))
export const HANGUP_REPLY = markupReply(hangupDocument())
export const EMPTY_MESSAGE_REPLY = markupReply(messagingReply())
