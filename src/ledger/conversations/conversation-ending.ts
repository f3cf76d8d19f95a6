/**
 * What the platform's texts say. It publishes no list (`termination_reason` is free text); these are texts that it sends: "Client
 * disconnected: 1005", "Call ended by remote party", "end_call tool was called.", "Conversation exceeded maximum duration". Any
 * other text stands as it came.
 */
const TERMINATIONS = [
  { fits: /voice ?mail|answering machine/i, ending: 'voicemail' },
  { fits: /silen(ce|t)|inactiv|unresponsive|no (user|caller) (input|speech|response)/i, ending: 'silence' },
  {
    fits: /(max(imum)?|longest)[ _-]?(conversation[ _-]|call[ _-])?duration|duration (limit|exceeded)|time limit/i,
    ending: 'too_long',
  },
  { fits: /transfer/i, ending: 'transferred' },
  {
    fits: /end_call|(ended|hang[ _-]?up|terminated) by (the )?(agent|assistant)|(agent|assistant)[ _-](has )?(ended|hung[ _-]?up|hang[ _-]?up|finished)/i,
    ending: 'ended',
  },
  {
    fits: /(caller|user|customer|callee|client) (has )?(hung|ended|left|disconnected the call)|hung up|hang[ _-]?up|remote party|ended by (the )?(caller|user|customer|client)/i,
    ending: 'caller_hung_up',
  },
  { fits: /(?<!(agent|assistant|server)[ _-])disconnect/i, ending: 'disconnected' },
] as const

const FAILED = /fail|error|unable|timed out while/i
/** "Voicemail not detected" is no voicemail. */
const NEGATED = /\b(not|never|without|cannot)\b|n['’]t\b/i

type Ending = (typeof TERMINATIONS)[number]['ending'] | 'no_reason' | 'said'

/** How a conversation ended, by the platform's text; `said` is a text that is not known, which is then told as it came. */
export function endingOfConversation(text: unknown): Ending {
  if (typeof text !== 'string' || text === '') return 'no_reason'
  // A transfer that failed is no transfer.
  if (FAILED.test(text) || NEGATED.test(text)) return 'said'
  return TERMINATIONS.find(({ fits }) => fits.test(text))?.ending ?? 'said'
}
