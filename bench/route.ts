/** What was loaded before the measurement, and the secrets that let a request in. */
export interface Loaded {
  token: string
  postCallSecret: string
  /** What the telephony provider signs with. */
  authToken: string
  contacts: number
  calls: number
}

/** One request as it goes over the wire. */
export interface Outgoing {
  headers: Record<string, string>
  body: string
}

export type DatabaseKind = 'embedded' | 'PostgreSQL'

/** A route that is measured. A new one is a file in `routes/` and a row in `routes.ts`. */
export interface BenchRoute {
  name: string
  path: string
  /** The least share, on PostgreSQL, of what a loop answers that only verifies and keeps deliveries; left out where none is meant. */
  keptShareMin?: number
  /** The nth request; different numbers ask about different records, so that nothing is answered from a repeat. */
  request(n: number, loaded: Loaded): Outgoing
  /** Rows that one request leaves in each table; checked after the measurement. */
  writes: Readonly<Record<string, number>>
}

/** Ids of loaded records begin here, out of the way of the sequences. */
export const FIRST_LOADED_ID = 1_000_000
/** A prime, so that consecutive requests are about records far apart. */
const STRIDE = 7_919
const NUMBER_DIGITS = 7
const SID_DIGITS = 32
const HEX = 16

/** Which of `count` loaded records the nth request is about. */
export function spread(n: number, count: number): number {
  return (n * STRIDE) % count
}

/** The id of a loaded call. */
export function callId(call: number): number {
  return FIRST_LOADED_ID + call
}

/** The number of a loaded contact; `load-data.ts` writes the same one in SQL. */
export function phoneNumber(contact: number): string {
  return `+4131${String(contact).padStart(NUMBER_DIGITS, '0')}`
}

/** The provider's id of a loaded call's leg; `load-data.ts` writes the same one in SQL. */
export function legSid(call: number): string {
  return `CA${call.toString(HEX).padStart(SID_DIGITS, '0')}`
}

/** Headers of a request by a voice agent. */
export function agentHeaders(loaded: Loaded): Record<string, string> {
  return { 'content-type': 'application/json', 'x-voiceai-agent-token': loaded.token }
}
