/**
 * What the platform's texts say. It publishes no list (`termination_reason` is free text); these are texts that it sends: "Client
 * disconnected: 1005", "Call ended by remote party", "end_call tool was called.", "Conversation exceeded maximum duration". Any
 * other text stands as it came.
 */
const TERMINATIONS = [
  { fits: /voice ?mail|answering machine|machine detect/i, ending: 'voicemail' },
  {
    fits: /silen(ce|t)|inactiv|unresponsive|no (user|caller) (input|speech|response)|no (input|response) from/i,
    ending: 'silence',
  },
  {
    fits: /(max(imum)?|longest) ?(conversation |call )?(duration|length)|duration (limit|exceeded)|time limit/i,
    ending: 'too_long',
  },
  { fits: /transfer/i, ending: 'transferred' },
  {
    fits: /end call|(ended|hang ?up|terminated) by (the )?(agent|assistant)|(agent|assistant) (has )?(ended|hung ?up|hang ?up|finished)/i,
    ending: 'ended',
  },
  {
    fits: /(caller|user|customer|callee|client) (has )?(hung|ended|left|disconnected the call)|hung up|hang ?up|remote party|ended by (the )?(caller|user|customer|client)/i,
    ending: 'caller_hung_up',
  },
  { fits: /(?<!(agent|assistant|server) )disconnect/i, ending: 'disconnected' },
] as const

const FAILED = /fail|error|unable|timed out while/i
const QUOTA = /quota|credits?\b|billing|payment required|past due|insufficient (balance|funds)|usage limit/i
/** As the platform says it: "This request exceeds your quota limit.", "quota_exceeded". What an agent spoke of may be "billing", too. */
const ENDED_BY_QUOTA =
  /quota (limit|exceeded|reached|exhausted)|exceed\w* (your |the )?quota|insufficient (credits?|quota)|credits? (exhausted|exceeded)|usage limit (exceeded|reached)/i
/** "Voicemail not detected" is no voicemail. */
const NEGATED = /\b(not|never|without|cannot)\b|n['’]t\b/i

type Ending = (typeof TERMINATIONS)[number]['ending'] | 'no_reason' | 'said'

/** How a conversation ended, by the platform's text; `said` is a text that is not known, which is then told as it came. */
export function endingOfConversation(text: unknown): Ending {
  if (typeof text !== 'string' || text === '') return 'no_reason'
  // Some are written as sentences, others as names: "voicemail_not_detected".
  const words = text.replaceAll(/[_-]+/g, ' ')
  // A transfer that failed is no transfer.
  if (FAILED.test(words) || NEGATED.test(words)) return 'said'
  return TERMINATIONS.find(({ fits }) => fits.test(words))?.ending ?? 'said'
}

/** Whether an error of the platform says that the account may use no more, which somebody has to mend. */
export function isOutOfQuota(error: string): boolean {
  return QUOTA.test(error)
}

/** Whether the platform ended it because the account may use no more; where another ending is said, the rest is what was spoken of. */
export function isEndedByQuota(termination: string): boolean {
  return endingOfConversation(termination) === 'said' && ENDED_BY_QUOTA.test(termination.replaceAll(/[_-]+/g, ' '))
}
