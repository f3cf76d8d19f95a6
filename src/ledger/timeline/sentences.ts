/** What moments, causes and ways to mend them say in English, by their codes; `[...]` is left out where its value is missing. */
const SENTENCES: Readonly<Record<string, string>> = {
  call_arrives: 'Call received[ from {caller_name}][, forwarded from {forwarded}][. {verified}] → {did}',
  pressed: 'Pressed {digits} → {did}',
  spoke: 'Said “{speech}” → {did}',
  asked: 'Next step[ ({page})] → {did}',
  dial_ended: '{dialled}[: {sip}] → {did}',
  mobile_asked: 'Mobile of {who}: picked up, and asked to press 1',
  mobile_taken: 'Mobile of {who}: pressed 1, takes the call',
  mobile_declined: 'Mobile of {who}: pressed {digits}, does not take the call',
  mobile_not_taken: 'Mobile of {who}: voicemail picked up, or no one pressed 1 → {did}',
  report: '{status}[: {sip}][: {error}]',
  conversation_begins: 'Agent asked who is calling',
  conversation_delivered: 'Conversation received[: “{ended}”]',
  recording_reported: 'Recording reported',
  voicemail_reported: 'Voicemail reported',
  recording_none: 'Recording reported without audio ({status})',
  voicemail_none: 'The caller left no message',
  tool: '{name}[: {say}]',
  tool_failed: '{name} failed[: {say}]',
  delivered: 'Received: {page}',
  rejected: 'Webhook with a bad signature ({page})[: {reason}]',
  rejected_plain_http: 'Webhook over plain http ({page})[: {reason}]',
  rejected_token: 'Webhook with a bad token ({page})[: {reason}]',
  rejected_unverified: 'Unverified webhook ({page})[: {reason}]',
  refused: 'Declined: {page}[: {reason}]',
  failed: 'Error in Connect: {page}[: {reason}]',
  leg_begins: '{from} → {to}: started',
  own_phone_first: "{to}'s own phone is called first",
  leg_answered: '{to} answered',
  leg_ended: '{to}: {status}[: {sip}][: error {error}]',
  recording: 'Recording of {seconds} s[ ({status})]',
  voicemail: 'Voicemail[ of {seconds} s]',
  note: '{text}',
  said: '{who}: {text}',
}

/** How far a leg is, in words. */
const STATES: Readonly<Record<string, string>> = {
  queued: 'Waiting',
  initiated: 'Dialling',
  ringing: 'Ringing',
  'in-progress': 'Answered',
  answered: 'Answered',
  completed: 'Ended',
  busy: 'Busy',
  failed: 'Failed',
  'no-answer': 'Rang, no answer',
  canceled: 'Cancelled',
}
const DIALLED: Readonly<Record<string, string>> = { ...STATES, 'no-answer': 'No answer' }
/** Of recordings the provider's own word is said. */
const OF_RECORDINGS = ['recording', 'recording_none']

export type Params = Readonly<Record<string, unknown>>

/** The sentence of a code with its values filled in; the code itself where nothing is known of it. */
export function sentenceOf(code: string, params: Params, sentences = SENTENCES): string {
  const states = OF_RECORDINGS.includes(code) ? {} : { status: STATES, dialled: DIALLED }
  return fill(sentences[code] ?? code, params, states)
}

type States = Readonly<Record<string, Readonly<Record<string, string>>>>

function fill(sentence: string, params: Params, states: States): string {
  return sentence
    .replaceAll(/\[([^\]]*)\]/g, (_whole, part: string) => (hasAll(part, params) ? part : ''))
    .replaceAll(/\{(\w+)\}/g, (_whole, name: string, at: number) => {
      const text = textOf(params[name])
      const words = states[name]?.[text]
      if (words === undefined) return text
      return at === 0 ? words : `${words.charAt(0).toLowerCase()}${words.slice(1)}`
    })
}

function hasAll(part: string, params: Params): boolean {
  return [...part.matchAll(/\{(\w+)\}/g)].every(([, name = '']) => textOf(params[name]) !== '')
}

function textOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
}
