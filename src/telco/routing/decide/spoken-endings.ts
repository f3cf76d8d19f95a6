import type { Verb } from '../../markup/verb.ts'
import { hangup, pause, type SpeechOptions } from '../../markup/voice.ts'
import { type SentenceName, sentenceVerb } from '../../sentences/sentence.ts'

/** One sentence and what follows it, in the language and the voice of the person who was called; in English when nobody is known. */
export type SpokenVerbs = (speech?: SpeechOptions) => readonly Verb[]

// How calls end that are not connected. The words are in sentences.json; what follows them is
// docs/reference/domain.md#spoken-sentences, which other parties match on.
export const NUMBER_NOT_FOUND = spokenVerbs('numberNotFound')
export const NUMBER_NOT_CONFIGURED = spokenVerbs('numberNotConfigured')
export const EXTENSION_NOT_CONFIGURED = spokenVerbs('extensionNotConfigured')
export const EXTENSION_NOT_FOUND = spokenVerbs('extensionNotFound')
export const EMERGENCY_NUMBER = spokenVerbs('emergencyNumber')
export const WHATSAPP_EXTENSION_NOT_FOUND = spokenVerbs('whatsappExtensionNotFound')
export const SEVERAL_EXTENSIONS = spokenVerbs('severalExtensions')
export const NO_CALLER_ID = spokenVerbs('noCallerId')
export const CALL_NOT_ALLOWED = spokenVerbs('callNotAllowed', [hangup()])
export const UNANSWERED = spokenVerbs('nobodyAnswers', [pause(), hangup()])
export const SORRY = spokenVerbs('nobodyAnswers', [hangup()])
export const AGENT_NOT_CONFIGURED = spokenVerbs('agentNotConfigured', [hangup()])
export const APPLICATION_NOT_FOUND = spokenVerbs('applicationNotFound', [hangup()])
export const CALLFLOW_NOT_FOUND = spokenVerbs('callflowNotFound', [hangup()])
export const SYSTEM_ERROR = spokenVerbs('systemError', [hangup()])
export const CLOSED = spokenVerbs('closed', [hangup()])

export const HANG_UP = [hangup()]

function spokenVerbs(name: SentenceName, after: readonly Verb[] = []): SpokenVerbs {
  return (speech) => [sentenceVerb(name, speech), ...after]
}
