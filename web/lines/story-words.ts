import { callErrorWords } from '../words/call-errors.ts'
import { party } from '../words/formats.ts'
import type { Keys } from '../words/keys.ts'
import { labelOf } from '../words/labels.ts'
import { missedIn } from '../words/note-words.ts'
import { isNextStep, webhookWords } from '../words/program-words.ts'
import { KEYS } from './story-keys.ts'
import { endedInSip } from './told-in-english.ts'

type Key = Keys['story']

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
      ...pageOf(tools, key, params),
      ...didOf(say, params.steps),
      ...sipOf(say, key, params),
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
  const told = params.is_yours === true ? `${code}_yours` : code
  const key = KEYS[`why_${told}`] ?? KEYS[code]
  if (key === undefined) return sentence
  const said = {
    ...params,
    ...toolOf(tools, key, params),
    ...pageOf(tools, key, params),
    ...didOf(say, params.steps),
    ...sipOf(say, key, params),
  }
  return fill(say(key), said, say)
}

function toolOf(tools: (name: string) => string, key: Key, { name }: Params): { name?: string } {
  return OF_TOOLS.includes(key) ? { name: tools(textOf(name)) } : {}
}

/** The service names a webhook by the end of its path, or by its tool. A next step needs no name beside the words "next step". */
function pageOf(tools: (name: string) => string, key: Key, params: Params): { page?: string } {
  const name = textOf(params.page)
  if (name === '') return {}
  if (key === 'asked' && isNextStep(name)) return { page: '' }
  const tool = tools(name)
  return { page: tool === name ? webhookWords(name) : tool }
}

/** How a leg ended in SIP, in the language of the page: in words, and with code and host in the report of the provider alone. */
function sipOf(say: Say, title: Key, params: Params): { sip?: string } {
  const { sip } = params
  const ended = endedInSip(textOf(sip))
  const unsaid = (words: string): string => (isSaid(say, params, words) ? '' : words)
  if (title !== 'report')
    return { sip: ended === undefined || SAYS_IT_ALL.includes(title) ? '' : unsaid(say(ended.said)) }
  if (ended === undefined) return {}
  const { key, code, host } = ended
  return { sip: fill(say('sip_ended'), { code, words: unsaid(say(key)), host }, undefined) }
}

/** Whether the state of the leg says the same already, as "busy" does. */
function isSaid(say: Say, params: Params, words: string): boolean {
  return ['status', 'dialled'].some((name) => {
    const key = stateKey(name, textOf(params[name]))
    return key !== undefined && say(key).toLowerCase() === words.toLowerCase()
  })
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

/** Sentences that say themselves what the code means. */
const SAYS_IT_ALL: readonly Key[] = ['why_agent_unknown', 'why_number_not_found']
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
const PARTIES = ['from', 'to', 'number', 'forwarded', 'who', 'person']

function shownOf(name: string, text: string): string {
  if (WORDS.includes(name)) return labelOf(text)
  if (name === 'error') return callErrorWords(text)
  return PARTIES.includes(name) ? party(text) : text
}

function hasAll(part: string, params: Params): boolean {
  return [...part.matchAll(/\{(\w+)\}/g)].every(([, name = '']) => textOf(params[name]) !== '')
}

function textOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
}
