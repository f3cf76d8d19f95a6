/** What moments, causes and ways to mend them say in English, by their codes; `[...]` is left out where its value is missing. */
const SENTENCES: Readonly<Record<string, string>> = {
  call_arrives: 'The call arrives[ from {caller_name}][, forwarded from {forwarded}][. {verified}]: {did}',
  pressed: 'Pressed {digits}: {did}',
  spoke: 'Said "{speech}": {did}',
  asked: 'The provider asks what comes next ({page}): {did}',
  dial_ended: 'What was dialled is {dialled}[: {sip}]; {did}',
  report: 'Report: {status}[: {sip}][: {error}]',
  conversation_begins: 'The voice agent asks who is calling',
  conversation_delivered: 'The conversation is delivered[: “{ended}”]',
  recording_reported: 'A recording is reported',
  voicemail_reported: 'A voicemail is reported',
  recording_none: 'A recording is reported: there is no audio ({status})',
  voicemail_none: 'The caller left no message',
  tool: '{name}[: {say}]',
  tool_failed: '{name} failed[: {say}]',
  delivered: '{page} is delivered',
  rejected: 'A delivery was rejected ({page})[: {reason}]',
  refused: '{page} was refused[: {reason}]',
  failed: '{page} failed here[: {reason}]',
  leg_begins: '{from} to {to}: begins',
  leg_answered: '{to} answers',
  leg_ended: '{to}: {status}[: {sip}][: error {error}]',
  recording: 'Recording of {seconds} s[ ({status})]',
  voicemail: 'Voicemail[ of {seconds} s]',
  note: '{text}',
  said: '{who}: {text}',
}

export type Params = Readonly<Record<string, unknown>>

/** The sentence of a code with its values filled in; the code itself where nothing is known of it. */
export function sentenceOf(code: string, params: Params, sentences = SENTENCES): string {
  return fill(sentences[code] ?? code, params)
}

function fill(sentence: string, params: Params): string {
  return sentence
    .replaceAll(/\[([^\]]*)\]/g, (_whole, part: string) => (hasAll(part, params) ? part : ''))
    .replaceAll(/\{(\w+)\}/g, (_whole, name: string) => textOf(params[name]))
}

function hasAll(part: string, params: Params): boolean {
  return [...part.matchAll(/\{(\w+)\}/g)].every(([, name = '']) => textOf(params[name]) !== '')
}

function textOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
}
