import { rfc2822 } from '../dates.ts'
import { API_VERSION } from '../rest/classic-resource.ts'
import { isFinal, type LegStatus } from './call-status.ts'
import type { Leg } from './leg.ts'

export type Fields = Record<string, string>

const SECONDS_PER_MINUTE = 60
/** The provider opens a call token with a JSON text; nobody but it reads the inside. */
const CALL_TOKEN = '{"parentCallInfoToken":"eyJhbGciOiJFUzI1NiJ9.eyJjYWxsU2lkIjoiZW11bGF0ZWQifQ.c2lnbmF0dXJl"}'

/** The fields of every voice request (docs/reference/providers.md#voice-request-fields). */
export function voiceFields(accountSid: string, leg: Leg): Fields {
  return {
    AccountSid: accountSid,
    ApiVersion: API_VERSION,
    CallSid: leg.sid,
    CallStatus: leg.status,
    Called: leg.to,
    Caller: leg.from,
    Direction: leg.direction,
    From: leg.from,
    To: leg.to,
    ...(leg.parent === undefined ? {} : { ParentCallSid: leg.parent.sid }),
    ...placeFields(leg),
    ...(leg.direction === 'inbound' && isNumber(leg.from)
      ? { CallToken: CALL_TOKEN, StirVerstat: 'TN-Validation-Passed-A' }
      : {}),
    ...leg.extras,
  }
}

/** What a progress callback adds (docs/reference/providers.md#call-progress). */
export function progressFields(leg: Leg, { status, at }: { status: LegStatus; at: Date }): Fields {
  const sequence = leg.sequence
  leg.sequence += 1
  return {
    CallStatus: status,
    CallbackSource: 'call-progress-events',
    SequenceNumber: String(sequence),
    Timestamp: rfc2822(at),
    ...(isFinal(status) ? finalFields(leg) : {}),
  }
}

function finalFields(leg: Leg): Fields {
  const seconds = leg.durationSeconds
  return {
    CallDuration: String(seconds),
    // Billed minutes, whatever its name says.
    Duration: String(Math.ceil(seconds / SECONDS_PER_MINUTE)),
    ...(leg.direction === 'inbound' ? {} : { SipResponseCode: String(leg.sipCode ?? 200) }),
  }
}

/** The geography of both numbers, in four spellings; empty where the provider knows nothing. */
function placeFields({ from, to }: Leg): Fields {
  if (!isNumber(from) && !isNumber(to)) return {}
  return {
    ...place('From', from),
    ...place('Caller', from),
    ...place('To', to),
    ...place('Called', to),
  }
}

function place(prefix: string, party: string): Fields {
  const isAmerican = /^\+1\d{10}$/.test(party)
  return {
    [`${prefix}City`]: isAmerican ? 'SAN FRANCISCO' : '',
    [`${prefix}State`]: isAmerican ? 'CA' : '',
    [`${prefix}Zip`]: isAmerican ? '94105' : '',
    [`${prefix}Country`]: isAmerican ? 'US' : '',
  }
}

export function isNumber(party: string): boolean {
  return /^\+\d+$/.test(party)
}
