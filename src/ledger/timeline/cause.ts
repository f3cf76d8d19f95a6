import { hasIdentity } from '../../withheld.ts'
import type { EndFacts } from './end-facts.ts'
import type { Moment } from './moment.ts'
import type { Params } from './sentences.ts'

/** What somebody can do about it, for a page to make a button of. */
type Action =
  | { kind: 'synchronise'; provider: 'voiceai' | 'telco' }
  | { kind: 'settings' }
  | { kind: 'call_back'; number: string }
  | { kind: 'call_again'; number: string }
  /** The reader's own. */
  | { kind: 'own_phone' }
  | { kind: 'record'; model: string; id: number }
  | { kind: 'delivery'; id: number }

export interface Fix {
  code: string
  params: Params
  action?: Action
  /** Only administrators can do it. */
  isForAdmin: boolean
}

/** One reason: a code with its values, the moments that show it, and what mends it. */
export interface Cause {
  code: string
  params: Params
  moments: readonly number[]
  fixes: readonly Fix[]
}

/** Everything the rules look at. */
export interface Story {
  facts: EndFacts
  moments: readonly Moment[]
  /** Why the caller heard what our last answer said, where it is one of our sentences. */
  heard: { why: string; decides: { model: string; id: number } | undefined; text: string } | undefined
  hasCredentials: boolean
  /** Id of the user who reads it. */
  readerId: number
}

/** The places of the moments that fit, in order. */
export function placesOf(moments: readonly Moment[], fits: (moment: Moment) => boolean): number[] {
  return moments.flatMap((moment, at) => (fits(moment) ? [at] : []))
}

export function adminFix(code: string, action?: Action): Fix {
  return { code, params: {}, isForAdmin: true, ...(action === undefined ? {} : { action }) }
}

/** Nothing where somebody has dealt with it. */
export function callBack({ caller, called, direction, is_settled: isSettled }: EndFacts): Fix[] {
  if (isSettled) return []
  const number = direction === 'outgoing' ? called : caller
  if (!number || !hasIdentity(number)) return []
  return [{ code: 'fix_call_back', params: { number }, isForAdmin: false, action: { kind: 'call_back', number } }]
}
