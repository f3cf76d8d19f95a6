// A message of one such word stops or starts messages from the number that it is sent to, in any case of its letters
// (https://help.twilio.com/articles/223134027 "Twilio support for opt-out keywords (SMS STOP filtering)").
const STOP_WORDS = new Set(['STOP', 'STOPALL', 'UNSUBSCRIBE', 'CANCEL', 'END', 'QUIT', 'OPTOUT', 'REVOKE'])
const START_WORDS = new Set(['START', 'YES', 'UNSTOP'])

export type OptOut = 'stop' | 'start'

/**
 * Whether somebody wants no more messages, or wants them again. `OptOutType` (STOP, START or HELP) is the provider's own word
 * for it: it comes with texts to a number of a messaging service that has words of its own for this (Advanced Opt-Out), of
 * which we know none (https://help.twilio.com/articles/31560110671259, "OptOutType"). HELP asks for help and changes nothing.
 */
export function readOptOut(form: Readonly<Record<string, string>>): OptOut | undefined {
  const word = (form.Body ?? '').trim().toUpperCase()
  switch ((form.OptOutType ?? '').trim().toUpperCase()) {
    case 'STOP':
      return 'stop'
    case 'START':
      return 'start'
    case 'HELP':
      return undefined
  }
  // What a button of ours says is an answer to what we asked.
  if (form.ButtonText || form.ButtonPayload || form.ListId) return undefined
  if (STOP_WORDS.has(word)) return 'stop'
  return START_WORDS.has(word) ? 'start' : undefined
}
