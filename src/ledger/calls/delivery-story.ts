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
/** Characters of what the caller was answered that one moment repeats. */
const ANSWER_CHARS_MAX = 300

/** What a delivery of the phone provider says of its call, in words; empty when it says nothing. */
export function eventWords(fields: URLSearchParams): string {
  const dialled = fields.get('DialCallStatus')
  const status = dialled === null ? fields.get('CallStatus') : `what was dialled is ${dialled}`
  return [status, sipWords(fields), errorWords(fields)].filter((part) => part !== null && part !== '').join(': ')
}

/** How a leg ended in SIP, and at whom; empty when the report does not say, or all went well. */
export function sipWords(fields: URLSearchParams): string {
  const code = fields.get('SipResponseCode') ?? fields.get('DialSipResponseCode')
  if (code === null || code === '200') return ''
  const [, host] = /^sips?:[^@]*@([^:;?]+)/.exec(fields.get('To') ?? '') ?? []
  return `SIP ${code}${after(' ', SIP_WORDS[code])}${after(', answered by ', host)}`
}

function errorWords(fields: URLSearchParams): string {
  const error = fields.get('ErrorCode')
  return error === null || error === '' ? '' : `error ${error}${after(' ', fields.get('ErrorMessage'))}`
}

function after(before: string, text: string | null | undefined): string {
  return text ? `${before}${text}` : ''
}

const VERBS: Readonly<Record<string, string>> = {
  Say: 'says',
  Play: 'plays',
  Number: 'dials',
  Client: 'dials web phone',
  Identity: 'dials web phone',
  Sip: 'dials',
  Gather: 'asks for input',
  Record: 'records',
  Redirect: 'goes on at',
  Stream: 'connects the agent at',
  Reject: 'rejects',
  Hangup: 'hangs up',
}

/** What markup of ours does to the caller, such as `says "Goodbye!", hangs up`, or the ticket that a tool made; else empty. */
export function answerWords(reply: string): string {
  if (reply.startsWith('{')) return ticketWords(parseJson(reply))
  if (!/<Response\b/.test(reply)) return ''
  const done = [...reply.matchAll(/<(\w+)[^>]*>([^<]*)/g)].flatMap(([, name = '', inside = '']) => {
    const verb = VERBS[name]
    const words = readable(inside)
    if (verb === undefined) return []
    if (words === '') return [verb]
    return [name === 'Say' ? `${verb} "${words}"` : `${verb} ${words.replace(/\?.*$/s, '')}`]
  })
  return done.join(', ').slice(0, ANSWER_CHARS_MAX).toWellFormed()
}

function ticketWords(answer: unknown): string {
  const { ticket_number: number, ticket_name: name } = (answer ?? {}) as Record<string, unknown>
  return typeof number === 'number' ? `ticket ${number} "${name}"` : ''
}

const ENTITIES: Readonly<Record<string, string>> = { lt: '<', gt: '>', quot: '"', apos: "'", amp: '&' }

function readable(inside: string): string {
  return inside.replaceAll(/&(lt|gt|quot|apos|amp);/g, (whole, name: string) => ENTITIES[name] ?? whole).trim()
}
