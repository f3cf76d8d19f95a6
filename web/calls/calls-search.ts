/** What the addresses of the calls say, and the search it stands for; pure. */
import type { Domain } from '../data/client.ts'
import { LIVE, MISSED, VOICEMAIL } from '../lines/call-domains.ts'
import { startOfToday } from '../words/formats.ts'
import { SHOWS as LANES, type Show as Lane } from './moments.ts'

export const SHOWS = ['missed', 'voicemail', 'agent', 'recording', 'live', 'failed'] as const
type Show = (typeof SHOWS)[number]
export const DIRECTIONS = ['incoming', 'outgoing', 'internal'] as const
type Direction = (typeof DIRECTIONS)[number]

export interface CallsSearch {
  show?: Show
  direction?: Direction
  day?: 'today'
  /** Part of a number. */
  number?: string
  /** Id of a contact. */
  contact?: number
}

export function readCallsSearch(search: Record<string, unknown>): CallsSearch & Record<string, unknown> {
  const show = SHOWS.find((each) => each === search.show)
  const direction = DIRECTIONS.find((each) => each === search.direction)
  const number = typeof search.number === 'number' ? String(search.number) : search.number
  return {
    ...(show === undefined ? {} : { show }),
    ...(direction === undefined ? {} : { direction }),
    ...(search.day === 'today' ? { day: 'today' as const } : {}),
    ...(typeof number === 'string' && number !== '' ? { number } : {}),
    ...(typeof search.contact === 'number' && Number.isInteger(search.contact) ? { contact: search.contact } : {}),
  }
}

const SHOWN: Readonly<Record<Show, Domain>> = {
  missed: MISSED,
  voicemail: [VOICEMAIL],
  agent: [['voiceai_agent', '!=', null]],
  recording: [['recordings.id', '>', 0]],
  live: [LIVE],
  failed: ['|', ['status', '=', 'failed'], ['has_error', '=', true]],
}

/** The search that an address stands for. */
export function domainOf({ show, direction, day, number, contact }: CallsSearch, now: Date, zone: string): Domain {
  const digits = number?.replaceAll(/\D/g, '').replace(/^0+/, '') ?? ''
  return [
    ...(show === undefined ? [] : SHOWN[show]),
    ...(direction === undefined ? [] : ([['direction', '=', direction]] as const)),
    ...(day === undefined ? [] : ([['create_date', '>=', startOfToday(now, zone)]] as const)),
    ...(digits === '' ? [] : (['|', ['caller', 'like', digits], ['called', 'like', digits]] as const)),
    ...(contact === undefined ? [] : ([['partner', '=', contact]] as const)),
  ]
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
