import { renderMarkup, type Verb } from '../../markup/verb.ts'
import { hangup, hangupDocument, pause, type SpeechOptions } from '../../markup/voice.ts'
import { type SentenceName, sentenceVerb } from '../../sentences/sentence.ts'

/** A document of one sentence, in the language and the voice of whoever was called; in English when nobody is known. */
export type SpokenDocument = (speech?: SpeechOptions) => string

// How calls end that are not connected. The words are in sentences.json; what follows them is
// docs/reference/domain.md#spoken-sentences, which other parties match on.
export const NUMBER_NOT_FOUND = spokenDocument('numberNotFound')
export const NUMBER_NOT_CONFIGURED = spokenDocument('numberNotConfigured')
export const EXTENSION_NOT_CONFIGURED = spokenDocument('extensionNotConfigured')
export const EXTENSION_NOT_FOUND = spokenDocument('extensionNotFound')
export const WHATSAPP_EXTENSION_NOT_FOUND = spokenDocument('whatsappExtensionNotFound')
export const SEVERAL_EXTENSIONS = spokenDocument('severalExtensions')
export const NO_CALLER_ID = spokenDocument('noCallerId')
export const UNANSWERED = spokenDocument('nobodyAnswers', [pause(), hangup()])
export const SORRY = spokenDocument('nobodyAnswers', [hangup()])
export const AGENT_NOT_CONFIGURED = spokenDocument('agentNotConfigured', [hangup()])
export const APPLICATION_NOT_FOUND = spokenDocument('applicationNotFound', [hangup()])
export const CALLFLOW_NOT_FOUND = spokenDocument('callflowNotFound', [hangup()])
export const SYSTEM_ERROR = spokenDocument('systemError', [hangup()])
export const CLOSED = spokenDocument('closed', [hangup()])

export const HANG_UP = hangupDocument()

function spokenDocument(name: SentenceName, after: readonly Verb[] = []): SpokenDocument {
  return (speech) => renderMarkup([sentenceVerb(name, speech), ...after])
}
