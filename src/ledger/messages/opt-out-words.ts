// A message of one such word stops or starts messages from the number that it is sent to, in any case of its letters
// (https://help.twilio.com/articles/223134027 "Twilio support for opt-out keywords (SMS STOP filtering)").
const PROVIDERS_STOP = ['STOP', 'STOPALL', 'UNSUBSCRIBE', 'CANCEL', 'END', 'QUIT', 'OPTOUT', 'REVOKE']
const ACCENTS = /\p{M}/gu
/** Blanks, dots, dashes, quotes, smileys and what nobody sees. */
const NO_LETTERS = /[^\p{L}\p{N}]/gu
/**
 * What people write elsewhere: in French (https://www.twilio.com/docs/proxy/opt-out-keywords), with other providers
 * (https://docs.aws.amazon.com/sms-voice/latest/userguide/keywords-required.html), and the words on advertisements of other countries.
 * None of them is an answer to anything else.
 * The provider goes on sending then; we do not.
 */
const OTHER_STOP = [
  ...['ARRET', 'ARRETE', 'ARRETT', 'ARRETER', 'DESABONNER', 'DESINSCRIRE', 'DESINSCRIPTION'],
  ...['REMOVE', 'STOPP', 'STOPPEN', 'ABMELDEN', 'ABBESTELLEN', 'AFMELDEN', 'UITSCHRIJVEN', 'AFMELD', 'AVREGISTRERA'],
  ...['ALTO', 'PARAR', 'BAJA', 'DARDEBAJA', 'DARMEDEBAJA', 'BAIXA', 'SAIR', 'DESCADASTRAR', 'CANCELARINSCRICAO'],
  ...['DISISCRIVI', 'DISISCRIVIMI', 'DISISCRIZIONE', 'DEZABONARE', 'LOPETA', 'LEIRATKOZAS', 'LEIRATKOZOM'],
  ...['WYPISZ', 'REZYGNUJE', 'ODHLASIT', 'СТОП', 'ОТПИСАТЬСЯ', 'ОТПИСКА', 'ВІДПИСАТИСЯ', 'TUCHOI', '退订', '退訂'],
].map(folded)
const STOP_WORDS = new Set([...PROVIDERS_STOP, ...OTHER_STOP])
const START_WORDS = new Set(['START', 'YES', 'UNSTOP'])
const WORD_CHARS_MAX = 40

export type OptOut = 'stop' | 'start'

/**
 * Whether somebody wants no more messages, or wants them again. `OptOutType` (STOP, START or HELP) is the provider's own word
 * for it: it comes with texts to a number of a messaging service that has words of its own for this (Advanced Opt-Out), of
 * which we know none (https://help.twilio.com/articles/31560110671259, "OptOutType"). HELP asks for help and changes nothing.
 */
export function readOptOut(form: Readonly<Record<string, string>>): OptOut | undefined {
  const word = wordOf(form.Body ?? '')
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

/** "Stop.", "ARRÊT", "opt out": a text without what is around, between and above its letters. Words in a sentence are none of those. */
function wordOf(body: string): string {
  if (body.length > WORD_CHARS_MAX) return ''
  return folded(body)
}

function folded(text: string): string {
  return text.normalize('NFKD').replaceAll(ACCENTS, '').replaceAll(NO_LETTERS, '').toUpperCase()
}
