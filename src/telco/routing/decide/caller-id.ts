import type { SpeechOptions } from '../../markup/voice.ts'
import { type CallingUser, callingUserOf } from '../dial-plan.ts'
import type { RouteContext, RoutingFacts } from './context.ts'

/** How the colleague speaks who is calling; undefined for a stranger. */
export function callerSpeech({ plan, call }: RouteContext): SpeechOptions | undefined {
  return callingUserOf(plan, call.caller)?.speech
}

/** Who calls, as far as it is one of us, and whom the ledger takes the other side for. */
export interface Parties extends Pick<RoutingFacts, 'partner' | 'loginName'> {
  readonly caller: CallingUser | undefined
  readonly defaultCallerId: string | undefined
}

export function partiesOf({ plan, call, facts }: RouteContext): Parties {
  const { partner, loginName } = facts
  return { caller: callingUserOf(plan, call.caller), defaultCallerId: plan.defaultCallerId, partner, loginName }
}

/**
 * The caller id that a user presents to colleagues (docs/reference/domain.md#caller-id-of-a-user). Empty only for one
 * who cannot register.
 */
export function callerIdOf(
  user: Pick<CallingUser, 'extension' | 'outgoingCallerId' | 'defaultCallerId' | 'address'>,
): string {
  const { extension, outgoingCallerId, defaultCallerId, address } = user
  return extension || outgoingCallerId || defaultCallerId || (address === undefined ? '' : `client:${address}`)
}

/** What the provider has for a withheld number, and shows in the place of what it could not carry. */
export const ANONYMOUS = 'anonymous'

// A blank or quote in a caller id makes the provider refuse the whole dial.
const CARRIED = /^(?:(?:sips?|client):)?[\w+.@:;=-]{1,255}$/i

/** What a called phone shows as the caller; never empty, or the provider puts in a number of its choice. */
export function shownCaller(caller: string, parties: Parties): string {
  const own = parties.caller === undefined ? caller : callerIdOf(parties.caller)
  return CARRIED.test(own) ? own : ANONYMOUS
}

/** The name that a called phone shows, when there is one. */
export function callerName({ caller, partner, loginName }: Parties): string | undefined {
  return caller?.name || partner?.name || loginName
}
