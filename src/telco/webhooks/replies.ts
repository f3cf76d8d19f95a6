import type { Reply } from '../../deliveries/webhooks/webhook-table.ts'
import { renderMarkup } from '../markup/verb.ts'
import { hangup, INVALID_REQUEST_MARKUP } from '../markup/voice.ts'
import { type SentenceName, sentenceVerb } from '../sentences/sentence.ts'

const XML = 'text/xml; charset=utf-8'
const TEXT = 'text/plain; charset=utf-8'

export function markupReply(markup: string): Reply {
  return { status: 200, contentType: XML, body: markup }
}

export function textReply(text: string): Reply {
  return { status: 200, contentType: TEXT, body: text }
}

/**
 * To a sender that is not the provider (docs/reference/contract.md#telephony-signature): 200, since it speaks what it gets.
 */
export const INVALID_VOICE = markupReply(INVALID_REQUEST_MARKUP)
export const FALSE = textReply('False')
export const TRUE = textReply('True')
export const OK = textReply('OK')

/** A sentence and the end of the call, in the language of the person who was called; in English when nobody is known. */
export type SpokenReply = (language?: string) => Reply

/** A request that names no call cannot be routed. */
export const NO_CALL = spokenReply('callNotIdentified')

/** The last resort of a voice route: a sentence, never silence and never an internal error. */
export const SORRY_REPLY = spokenReply('tryLater')
export const HANGUP_REPLY = markupReply(renderMarkup([hangup()]))
/** The answer to an incoming message that sends nothing back. */
export const EMPTY_MESSAGE_REPLY = markupReply(renderMarkup([]))

function spokenReply(name: SentenceName): SpokenReply {
  return (language) => markupReply(renderMarkup([sentenceVerb(name, { language }), hangup()]))
}

/** The reply itself, of a spoken one in that language. */
export function inLanguage(reply: Reply | SpokenReply, language?: string): Reply {
  return typeof reply === 'function' ? reply(language) : reply
}
