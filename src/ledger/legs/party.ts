import { channelUserIn } from '../../phone.ts'
import type { LegDirection } from './call-status.ts'
import type { CallEvent } from './leg-event.ts'

/** The part of a PBX user that telling the parties of a leg apart needs. */
export interface PbxUser {
  /** Undefined for a mobile that is nobody's by name. */
  readonly id: number | undefined
  /** The short number of the user's extension, empty when there is none. */
  readonly extension: string
}

/** By a username, or by the number of a mobile. */
export type FindUser = (username: string) => PbxUser | undefined

const PLAIN_NUMBER = /^\+?\d+$/
const DIALLED_NUMBER = /^\+\d{7,15}$/
const WHATSAPP_NUMBER = /^whatsapp:(\+?\d+)$/i
const CLIENT_DIGITS = /^client:(\d{8})$/i
const SHORT_PLUS_NUMBER = /^\+(\d{1,4})$/
const ADDRESS = /^(?:(sips?|client):|(?!(?:sips?|client):))([^@\s]+)@[^@\s]+$/i

/** The number behind a raw party: a phone number, the id of a WhatsApp user who shows none, the extension of the PBX user it addresses, or an empty text. */
export function legNumber(raw: string, findUser: FindUser): string {
  if (PLAIN_NUMBER.test(raw)) return raw
  const known = WHATSAPP_NUMBER.exec(raw)?.[1] ?? CLIENT_DIGITS.exec(raw)?.[1] ?? channelUserIn(raw)
  if (known !== undefined) return known
  const user = addressUser(ADDRESS.exec(raw)?.[2])
  return user === '' ? '' : findUser(user)?.extension || user
}

/** The username in a `sip:user@host` or `client:user@host` address; undefined for every other party. */
export function usernameOf(raw: string): string | undefined {
  const match = ADDRESS.exec(raw)
  return match?.[1] === undefined ? undefined : addressUser(match[2]) || undefined
}

/** The SIP entrance of the voice-agent platform; phones live below a domain that has a name of its own before `sip`. */
const AGENT_ADDRESS = /^sips?:[^@]+@sip\.rtc\./i

/** Whether a raw party is a voice agent at its platform. */
export function isAgentAddress(raw: string): boolean {
  return AGENT_ADDRESS.test(raw)
}

/** The PBX user that a raw party addresses, if any. */
export function userOf(raw: string, findUser: FindUser): PbxUser | undefined {
  const username = usernameOf(raw)
  return username === undefined ? undefined : findUser(username)
}

type Dialled = Pick<CallEvent, 'called'> & Partial<Pick<CallEvent, 'direction'>>

/** The PBX user whose mobile a leg was dialled to, if any. Who calls from a mobile may be anybody: its number can be made up. */
export function mobileOf(leg: Dialled, findUser: FindUser): PbxUser | undefined {
  const number = dialledNumber(leg)
  return number === undefined ? undefined : findUser(number)
}

function dialledNumber({ called, direction }: Dialled): string | undefined {
  return direction === 'outbound-dial' && DIALLED_NUMBER.test(called) ? called : undefined
}

/** Every username an event mentions, with or without a scheme, and the number that was dialled: what `findUser` will be asked for. */
export function usernamesIn(event: Dialled & Pick<CallEvent, 'caller'>): string[] {
  const users = [event.caller, event.called].map((raw) => addressUser(ADDRESS.exec(raw)?.[2]))
  return [...new Set([...users, dialledNumber(event) ?? ''].filter((user) => user !== ''))]
}

/** The event with `+101` read as the extension 101: the provider puts a plus before extensions used as caller id. */
export function withBareExtensions(event: CallEvent, isExtension: (number: string) => boolean): CallEvent {
  const bare = (raw: string): string => {
    const digits = SHORT_PLUS_NUMBER.exec(raw)?.[1]
    return digits !== undefined && isExtension(digits) ? digits : raw
  }
  return { ...event, caller: bare(event.caller), called: bare(event.called), to: bare(event.to) }
}

/** Which side of a leg is the outside world, so whose number finds the contact; undefined when neither can be told. */
export function externalSide(leg: {
  readonly direction: LegDirection | undefined
  readonly callerUserId: number | undefined
  readonly calledUserId: number | undefined
  readonly isMobile?: boolean
}): 'caller' | 'called' | undefined {
  if (leg.callerUserId !== undefined) return 'called'
  if (leg.calledUserId !== undefined || leg.isMobile === true) return 'caller'
  if (leg.direction === 'outbound-dial') return 'called'
  return leg.direction === 'inbound' ? 'caller' : undefined
}

/** Which of two reports of one party counts: the same answer whichever came first. */
export function preferredParty(a: string, b: string): string {
  const byRank = partyRank(a) - partyRank(b)
  if (byRank !== 0) return byRank > 0 ? a : b
  return a <= b ? a : b
}

/** A real number is never replaced by the address of the device that rang for it, and nothing by an empty text. */
function partyRank(party: string): number {
  if (party === '') return 0
  if (SHORT_PLUS_NUMBER.test(party)) return 3
  if (PLAIN_NUMBER.test(party)) return party.startsWith('+') ? 5 : 4
  return ADDRESS.test(party) || /^(?:sips?|client):/i.test(party) ? 2 : 1
}

/** The user part of an address without its parameters or password, percent-decoded but for control characters. */
function addressUser(userPart: string | undefined): string {
  const user = (userPart ?? '').split(/[;:]/, 1)[0] ?? ''
  try {
    return decodeURIComponent(user).replaceAll(/\p{Cc}/gu, '')
  } catch {
    return user
  }
}
