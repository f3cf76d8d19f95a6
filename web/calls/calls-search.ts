/** What the addresses of the calls say, and the search it stands for; pure. */
import type { Domain } from '../data/client.ts'
import { startOfDay, startOfToday } from '../words/formats.ts'
import { SHOWS as LANES, type Show as Lane } from './moments.ts'

/** The outcomes that the service stores, and the agent's calls of which nobody took over. */
export const OUTCOMES = [
  'agent',
  'not_taken_over',
  'person',
  'agent_person',
  'voicemail',
  'missed',
  'given_up',
  'busy',
  'no_answer',
  'failed',
  'in_progress',
] as const
export type OutcomeName = (typeof OUTCOMES)[number]
export const DIRECTIONS = ['incoming', 'outgoing', 'internal'] as const
type Direction = (typeof DIRECTIONS)[number]
/** From so many days ago on. */
const DAYS_BACK = { today: 0, yesterday: 1, week: 6, month: 29 } as const
export const DAYS = ['today', 'yesterday', 'week', 'month'] as const
type Day = (typeof DAYS)[number]
/** So many digits after a plus are a whole number, which is looked up; fewer are looked for in all of them. */
const WHOLE_DIGITS_MIN = 8
/** Fewer are a part of a number, in which nothing has to be read. */
const PART_DIGITS_MIN = 6

export interface CallsSearch {
  /** Outcomes, with commas between. */
  outcome?: string | undefined
  direction?: Direction | undefined
  day?: Day | undefined
  /** A number, or a part of one. */
  number?: string | undefined
  /** Id of a contact. */
  contact?: number | undefined
  /** Id of a voice agent. */
  agent?: number | undefined
  /** A number of ours. */
  line?: string | undefined
  recording?: true | undefined
  /** Id of the call that is looked at beside the list. */
  peek?: number | undefined
}
/** What narrows the list, in the order in which it is shown. */
export const FILTERS = ['outcome', 'direction', 'day', 'number', 'contact', 'agent', 'line', 'recording'] as const
export type Filter = (typeof FILTERS)[number]

export function readCallsSearch(search: Record<string, unknown>): CallsSearch & Record<string, unknown> {
  const outcome = outcomesOf(textOf(search.outcome)).join(',')
  const read: CallsSearch = {
    outcome: outcome === '' ? undefined : outcome,
    direction: DIRECTIONS.find((each) => each === search.direction),
    day: DAYS.find((each) => each === search.day),
    number: asNumber(search.number),
    contact: idOf(search.contact),
    agent: idOf(search.agent),
    line: asNumber(search.line),
    recording: search.recording === true ? true : undefined,
    peek: idOf(search.peek),
  }
  return Object.fromEntries(Object.entries(read).filter(([, value]) => value !== undefined))
}

/** The outcomes that an address names; what it does not know is left out. */
export function outcomesOf(text: string | undefined): OutcomeName[] {
  const named = text?.split(',') ?? []
  return OUTCOMES.filter((each) => named.includes(each))
}

/** The search that an address stands for. */
export function domainOf(search: CallsSearch, now: Date, zone: string): Domain {
  const { direction, contact, agent, recording } = search
  const outcomes = outcomesOf(search.outcome)
  return [
    ...endedAs(outcomes),
    ...(direction === undefined ? [] : ([['direction', '=', direction]] as const)),
    ...daysOf(search.day, now, zone),
    ...partyOf(search.number),
    ...(contact === undefined ? [] : ([['partner', '=', contact]] as const)),
    ...(agent === undefined ? [] : ([['voiceai_agent', '=', agent]] as const)),
    ...partyOf(search.line),
    ...(recording === undefined ? [] : ([['is_recorded', '=', true]] as const)),
  ]
}

/** Why nobody took a call that an agent put through. */
const NOT_TAKEN = ['caller_gave_up', 'nobody_answered', 'refused', 'not_reached']

function endedAs(outcomes: readonly OutcomeName[]): Domain {
  const stored = outcomes.filter((each) => each !== 'not_taken_over')
  const [withAgent, inVain] = [outcomes.includes('agent'), outcomes.includes('not_taken_over')]
  const isOne: Domain = [['outcome', 'in', stored]]
  const isInVain: Domain = [
    ...(['&', ['outcome', '=', 'agent'] as const] as const),
    ...(['|', ['end_reason', 'in', NOT_TAKEN] as const, ['no_phone_rang', '=', true] as const] as const),
  ]
  if (inVain && !withAgent) return stored.length === 0 ? isInVain : ['|', ...isOne, ...isInVain]
  if (withAgent && !inVain) return [...isOne, '!', ...isInVain]
  return stored.length === 0 ? [] : isOne
}

function daysOf(day: Day | undefined, now: Date, zone: string): Domain {
  if (day === undefined) return []
  const from = began('>=', startOfDay(now, zone, DAYS_BACK[day]))
  return day === 'yesterday' ? [...from, ...began('<', startOfToday(now, zone))] : from
}

/** A call is of the day on which it began; one of which that is not known, of the day it was written. */
function began(operator: '>=' | '<', at: string): Domain {
  return ['|', ['started_at', operator, at], '&', ['started_at', '=', false], ['create_date', operator, at]]
}

/** The service reads what is written; of a few digits only they themselves are looked for. */
function partyOf(number: string | undefined): Domain {
  const written = number?.trim().replace(/^00/, '+') ?? ''
  if (written === '') return []
  const digits = written.replaceAll(/\D/g, '')
  const isPart = digits.length < PART_DIGITS_MIN && /^[+\d\s().\-/]+$/.test(written)
  const value = isPart ? written.replaceAll(/[^+\d]/g, '') : written
  if (value === '') return []
  const operator = written.startsWith('+') && digits.length >= WHOLE_DIGITS_MIN ? '=' : 'ilike'
  return ['|', ['caller', operator, value], ['called', operator, value]]
}

function textOf(value: unknown): string | undefined {
  const text = typeof value === 'number' ? String(value) : value
  return typeof text === 'string' && text !== '' ? text : undefined
}

/** What has nothing to look for in it narrows nothing, and so is no filter. */
function asNumber(value: unknown): string | undefined {
  const text = textOf(value)
  return partyOf(text).length === 0 ? undefined : text
}

function idOf(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isInteger(value) && value > 0 ? value : undefined
}

export const TABS = ['story', 'transcript', 'about'] as const

/** What the address of one call says. */
export interface CallSearch {
  /** Seconds since the call began. */
  at?: number | undefined
  show?: Lane | undefined
  /** The place of the moment that is open. */
  open?: number | undefined
  /** Which part a narrow window shows. */
  tab?: 'transcript' | 'about' | undefined
}

export function readCallSearch(search: Record<string, unknown>): CallSearch & Record<string, unknown> {
  const { at, open, tab } = search
  const show = LANES.find((each) => each === search.show)
  return {
    ...(typeof at === 'number' && at >= 0 && Number.isFinite(at) ? { at } : {}),
    ...(show === undefined ? {} : { show }),
    ...(typeof open === 'number' && Number.isInteger(open) && open >= 0 ? { open } : {}),
    ...(tab === 'transcript' || tab === 'about' ? { tab } : {}),
  }
}
