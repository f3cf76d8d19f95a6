import { party } from '../words/formats.ts'
import type { Keys } from '../words/keys.ts'
import { labelOf } from '../words/labels.ts'
import { endedInSip, missedIn } from './told-in-english.ts'

type Key = Keys['story']
/** The codes of the service that the page has words for; what is not among them is said in its English. */
const KEYS: Readonly<Record<string, Key>> = {
  call_arrives: 'call_arrives',
  pressed: 'pressed',
  spoke: 'spoke',
  asked: 'asked',
  dial_ended: 'dial_ended',
  mobile_asked: 'mobile_asked',
  mobile_taken: 'mobile_taken',
  mobile_declined: 'mobile_declined',
  mobile_not_taken: 'mobile_not_taken',
  report: 'report',
  conversation_begins: 'conversation_begins',
  conversation_delivered: 'conversation_delivered',
  recording_reported: 'recording_reported',
  voicemail_reported: 'voicemail_reported',
  tool: 'tool',
  tool_failed: 'tool_failed',
  delivered: 'delivered',
  rejected: 'rejected',
  refused: 'refused',
  failed: 'failed',
  leg_begins: 'leg_begins',
  leg_answered: 'leg_answered',
  leg_ended: 'leg_ended',
  recording: 'recording',
  voicemail: 'voicemail',
  note: 'note',
  said: 'said',
  did_without_input: 'did_without_input',
  did_Say: 'did_Say',
  did_Play: 'did_Play',
  did_greeting: 'did_greeting',
  did_Number: 'did_Number',
  did_Client: 'did_Client',
  did_Sip: 'did_Sip',
  did_Gather: 'did_Gather',
  did_Record: 'did_Record',
  did_Redirect: 'did_Redirect',
  did_Stream: 'did_Stream',
  did_Reject: 'did_Reject',
  did_Hangup: 'did_Hangup',
  why_unknown: 'why_unknown',
  why_in_progress: 'why_in_progress',
  why_agent_ended: 'why_agent_ended',
  why_agent_ended_ticket: 'why_agent_ended_ticket',
  why_agent_ended_visit: 'why_agent_ended_visit',
  why_agent_caller_hung_up: 'why_agent_caller_hung_up',
  why_agent_caller_hung_up_ticket: 'why_agent_caller_hung_up_ticket',
  why_agent_caller_hung_up_visit: 'why_agent_caller_hung_up_visit',
  why_agent_silence: 'why_agent_silence',
  why_agent_silent: 'why_agent_silent',
  why_agent_voicemail: 'why_agent_voicemail',
  why_agent_too_long: 'why_agent_too_long',
  why_agent_transferred: 'why_agent_transferred',
  why_agent_disconnected: 'why_agent_disconnected',
  why_agent_no_reason: 'why_agent_no_reason',
  why_agent_said: 'why_agent_said',
  why_agent_quota: 'why_agent_quota',
  why_agent_error: 'why_agent_error',
  why_agent_failed: 'why_agent_failed',
  why_fix_quota: 'why_fix_quota',
  why_fix_platform: 'why_fix_platform',
  recording_none: 'recording_none',
  voicemail_none: 'voicemail_none',
  why_person: 'why_person',
  why_agent_person: 'why_agent_person',
  why_voicemail: 'why_voicemail',
  why_given_up: 'why_given_up',
  why_nobody_answered: 'why_nobody_answered',
  why_refused: 'why_refused',
  why_nobody_rung: 'why_nobody_rung',
  why_no_message: 'why_no_message',
  why_closed: 'why_closed',
  why_no_destination: 'why_no_destination',
  why_our_failure: 'why_our_failure',
  why_busy: 'why_busy',
  why_no_answer: 'why_no_answer',
  why_own_phone: 'why_own_phone',
  why_own_phone_not_reached: 'why_own_phone_not_reached',
  why_not_started: 'why_not_started',
  why_agent_unknown: 'why_agent_unknown',
  why_agent_unreachable: 'why_agent_unreachable',
  why_number_not_found: 'why_number_not_found',
  why_provider_refused: 'why_provider_refused',
  why_not_reached: 'why_not_reached',
  why_delivery_rejected: 'why_delivery_rejected',
  why_tool_failed: 'why_tool_failed',
  why_tool_late: 'why_tool_late',
  why_delivery_failed: 'why_delivery_failed',
  why_transfer_failed: 'why_transfer_failed',
  why_recording_missing: 'why_recording_missing',
  why_no_credentials: 'why_no_credentials',
  why_fix_synchronise_agents: 'why_fix_synchronise_agents',
  why_fix_call_again: 'why_fix_call_again',
  why_fix_open_agent: 'why_fix_open_agent',
  why_fix_closed: 'why_fix_closed',
  why_fix_no_destination: 'why_fix_no_destination',
  why_fix_call_back: 'why_fix_call_back',
  why_fix_rejected: 'why_fix_rejected',
  why_fix_tool: 'why_fix_tool',
  why_fix_delivery: 'why_fix_delivery',
  why_fix_account: 'why_fix_account',
  why_promised_ticket: 'why_promised_ticket',
  why_promised_visit: 'why_promised_visit',
  why_promised_transfer: 'why_promised_transfer',
  why_promised_callback: 'why_promised_callback',
}

type Params = Readonly<Record<string, unknown>>
type Say = (key: Key) => string

/**
 * What a moment of a call says in the language of the page; parts in brackets are left out where their value is missing. `tools`
 * says what a tool does.
 */
export function momentWords(
  say: Say,
  { title, params, sentence }: { title: string; params: Params; sentence: string },
  tools: (name: string) => string,
): string {
  const key = KEYS[title]
  if (key === undefined) return sentence
  return fill(
    say(key),
    {
      ...params,
      ...toolOf(tools, key, params),
      ...didOf(say, params.steps),
      ...sipOf(say, params),
      ...missedOf(say, key, params),
    },
    OF_RECORDINGS.includes(title) ? undefined : say,
  )
}

/** The same for an ending, a trouble, what mends it, and a promise. */
export function whyWords(
  say: Say,
  { code, params, sentence }: { code: string; params: Params; sentence: string },
  tools: (name: string) => string,
): string {
  const key = KEYS[`why_${code}`] ?? KEYS[code]
  if (key === undefined) return sentence
  return fill(say(key), { ...params, ...toolOf(tools, key, params), ...didOf(say, params.steps) }, say)
}

function toolOf(tools: (name: string) => string, key: Key, { name }: Params): { name?: string } {
  return OF_TOOLS.includes(key) ? { name: tools(textOf(name)) } : {}
}

/** How a leg ended in SIP, in the language of the page. */
function sipOf(say: Say, { sip }: Params): { sip?: string } {
  const ended = endedInSip(textOf(sip))
  if (ended === undefined) return {}
  const { key, code, host } = ended
  return { sip: fill(say('sip_ended'), { code, words: say(key), host }, undefined) }
}

function missedOf(say: Say, key: Key, params: Params): { text?: string } {
  const missed = key === 'note' ? missedIn(textOf(params.text)) : undefined
  if (missed === undefined) return {}
  return { text: fill(say('missed'), { ...missed, from: missed.from ?? say('withheld') }, undefined) }
}

/** One thing that our markup does, such as `“Goodbye!”`. */
export function stepWords(say: Say, { verb, text, isWithoutInput }: Step): string {
  const key = KEYS[`did_${verb}`]
  const did = key === undefined ? `${verb} ${text}` : fill(say(key), { text }, undefined)
  return isWithoutInput ? fill(say('did_without_input'), { did }, undefined) : did
}

export interface Step {
  verb: string
  text: string
  /** The first of those that are done only when the caller is asked for input, and gives none. */
  isWithoutInput?: true
}

function didOf(say: Say, steps: unknown): { did?: string } {
  if (!Array.isArray(steps)) return {}
  const known = steps as Step[]
  return { did: known.map((step, at) => stepWords(say, asGreeting(step, known[at + 1]))).join(' → ') }
}

/** What is played before a caller is recorded is the greeting of a voicemail. */
function asGreeting(step: Step, next: Step | undefined): Step {
  return step.verb === 'Play' && next?.verb === 'Record' ? { ...step, verb: 'greeting' } : step
}

function fill(sentence: string, params: Params, say: Say | undefined): string {
  return sentence
    .replaceAll(/\[([^\]]*)\]/g, (_whole, part: string) => (hasAll(part, params) ? part : ''))
    .replaceAll(/\{(\w+)\}/g, (_whole, name: string, at: number) => {
      const text = textOf(params[name])
      const key = say && stateKey(name, text)
      if (say === undefined || key === undefined) return shownOf(name, text)
      const words = say(key)
      return at === 0 ? words : `${words.charAt(0).toLowerCase()}${words.slice(1)}`
    })
}

const OF_TOOLS: readonly Key[] = ['tool', 'tool_failed', 'why_tool_failed', 'why_tool_late']
/** Of recordings the provider's own word is said. */
const OF_RECORDINGS = ['recording', 'recording_none']
const STATES: Readonly<Record<string, Key>> = {
  queued: 'state_queued',
  initiated: 'state_initiated',
  ringing: 'state_ringing',
  'in-progress': 'state_in_progress',
  answered: 'state_answered',
  completed: 'state_completed',
  busy: 'state_busy',
  failed: 'state_failed',
  'no-answer': 'state_no_answer',
  canceled: 'state_canceled',
}
const DIALLED: Readonly<Record<string, Key>> = { ...STATES, 'no-answer': 'state_no_dialled' }

/** How far a leg is. */
function stateKey(name: string, text: string): Key | undefined {
  if (name === 'status') return STATES[text]
  return name === 'dialled' ? DIALLED[text] : undefined
}

/** How far a recording is and who vouches for a number are words of the service; who was on a leg may be a number. */
const WORDS = ['status', 'dialled', 'verified']
const PARTIES = ['from', 'to', 'number', 'forwarded', 'who']

function shownOf(name: string, text: string): string {
  if (WORDS.includes(name)) return labelOf(text)
  return PARTIES.includes(name) ? party(text) : text
}

function hasAll(part: string, params: Params): boolean {
  return [...part.matchAll(/\{(\w+)\}/g)].every(([, name = '']) => textOf(params[name]) !== '')
}

function textOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
}
