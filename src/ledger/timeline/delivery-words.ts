import { parseJson } from '../../json.ts'

/** SIP's own words for the codes that calls end with (RFC 3261, 21). */
const SIP_WORDS: Readonly<Record<string, string>> = {
  400: 'Bad Request',
  403: 'Forbidden',
  404: 'Not Found',
  408: 'Request Timeout',
  480: 'Temporarily Unavailable',
  486: 'Busy Here',
  487: 'Request Terminated: it rang too long, or the caller hung up',
  488: 'Not Acceptable Here',
  500: 'Server Internal Error',
  503: 'Service Unavailable',
  603: 'Decline',
}
/** What a web phone that is not open anywhere ends with: it has no number that could be missing. */
export const NO_WEB_PHONE = 'SIP 404 Not Found: no web phone is signed in'
/** Characters of what the caller was answered that one moment repeats. */
const ANSWER_CHARS_MAX = 300

/** How a leg ended in SIP, and at whom; empty when the report does not say, or all went well. */
export function sipWords(fields: URLSearchParams): string {
  const code = fields.get('SipResponseCode') ?? fields.get('DialSipResponseCode')
  if (code === null || code === '200') return ''
  const to = fields.get('To') ?? ''
  if (code === '404' && to.startsWith('client:')) return NO_WEB_PHONE
  const [, host] = /^sips?:[^@]*@([^:;?]+)/.exec(to) ?? []
  return `SIP ${code}${after(' ', SIP_WORDS[code])}${after(', answered by ', host)}`
}

/** The error that a report names; empty when it names none. */
export function errorWords(fields: URLSearchParams): string {
  const error = fields.get('ErrorCode')
  return error === null || error === '' || error === '0'
    ? ''
    : `error ${error}${after(' ', fields.get('ErrorMessage'))}`
}

function after(before: string, text: string | null | undefined): string {
  return text ? `${before}${text}` : ''
}

const VERBS: Readonly<Record<string, string>> = {
  Say: '',
  Play: 'recorded message',
  Number: '',
  Client: 'web phone',
  Identity: 'web phone',
  Sip: '',
  Gather: 'waits for input',
  Record: 'recording',
  Redirect: 'next step',
  Stream: 'agent',
  Reject: 'declined',
  Hangup: 'hangs up',
}

/** One thing that markup of ours does to the caller. */
export interface MarkupStep {
  verb: string
  /** What is said, dialled or played; empty where the verb says it all. */
  text: string
  /** The first of those that are done only when the caller is asked for input, and gives none. */
  isWithoutInput?: true
}

/** What markup of ours does, verb by verb. A voice agent is named where its name is known, and nobody twice. */
export function stepsOf(reply: string, agents: ReadonlyMap<string, string> = new Map()): MarkupStep[] {
  if (!/<Response\b/.test(reply)) return []
  const asked = /<Gather\b[^>]*\/>|<\/Gather>/.exec(reply)?.index ?? reply.length
  const all = [...reply.matchAll(/<(\w+)[^>]*>([^<]*)/g)]
  const steps = (tags: typeof all): MarkupStep[] => tags.flatMap((tag) => stepOf(tag, agents))
  const [first, ...others] = steps(all.filter(({ index }) => index > asked))
  const heard = steps(all.filter(({ index }) => index <= asked))
  return first === undefined ? heard : [...heard, { ...first, isWithoutInput: true }, ...others]
}

function stepOf([, verb = '', inside = '']: RegExpMatchArray, agents: ReadonlyMap<string, string>): MarkupStep[] {
  if (VERBS[verb] === undefined) return []
  const words = readable(inside)
  // Whose web phone it is stands in a child of its own.
  if (verb === 'Client' && words === '') return []
  const text = verb === 'Say' ? words : words.replace(/\?.*$/s, '')
  return [{ verb: verb === 'Identity' ? 'Client' : verb, text: agentIn(text, agents) ?? text }]
}

/** The name of the voice agent whose address this is. */
export function agentIn(address: string, agents: ReadonlyMap<string, string>): string | undefined {
  const [uid] = /agent_\w+/.exec(address) ?? []
  return uid === undefined ? undefined : agents.get(uid)
}

/** What our answer does, such as `“Goodbye!” → hangs up`; empty when it does nothing. */
export function answerWords(reply: string, agents?: ReadonlyMap<string, string>): string {
  return stepsOf(reply, agents)
    .map(({ verb, text, isWithoutInput }) => {
      const said = verb === 'Say' ? `“${text}”` : text
      const words = [VERBS[verb] ?? verb, said].filter((each) => each !== '').join(' ')
      return isWithoutInput ? `no input → ${words}` : words
    })
    .join(' → ')
    .slice(0, ANSWER_CHARS_MAX)
    .toWellFormed()
}

/** The ticket that the answer of a tool names, such as `ticket 7 "It leaks"`; empty when it names none. */
export function ticketWords(answer: string): string {
  const { ticket_number: number, ticket_name: name } = (parseJson(answer) ?? {}) as Record<string, unknown>
  return typeof number === 'number' ? `ticket ${number} "${name}"` : ''
}

const ENTITIES: Readonly<Record<string, string>> = { lt: '<', gt: '>', quot: '"', apos: "'", amp: '&' }

function readable(inside: string): string {
  return inside.replaceAll(/&(lt|gt|quot|apos|amp);/g, (whole, name: string) => ENTITIES[name] ?? whole).trim()
}
