import { createHmac, timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import type { Loaded, Outgoing } from './route.ts'

/** Where the provider believes to find the service; the service itself is asked on loopback. */
export const PUBLIC_URL = 'https://pbx.example.com'
export const OUR_NUMBER = '+41440000000'
export const ACCOUNT_SID = 'AC00000000000000000000000000000001'
/** Legs and messages that are not loaded, so that each request is about a new one. */
export const NEW_SID = 2_000_000_000

/** What the provider says of where the caller is; most of it is empty for numbers outside of North America. */
const PLACES = {
  FromCity: '',
  FromState: '',
  FromZip: '',
  FromCountry: 'CH',
  ToCity: '',
  ToState: '',
  ToZip: '',
  ToCountry: 'CH',
}

/** The fields that each voice request of a caller has. */
export function voiceFields(sid: string, caller: string, status: string): Record<string, string> {
  return {
    CallSid: sid,
    ...account(),
    Direction: 'inbound',
    CallStatus: status,
    ...{ From: caller, Caller: caller, To: OUR_NUMBER, Called: OUR_NUMBER },
    ...places('Caller', 'Called'),
    StirVerstat: 'TN-Validation-Passed-A',
  }
}

/** The fields of an incoming text message. */
export function messageFields(sid: string, sender: string, body: string): Record<string, string> {
  return {
    ...{ MessageSid: sid, SmsSid: sid, SmsMessageSid: sid, SmsStatus: 'received' },
    ...account(),
    ...{ From: sender, To: OUR_NUMBER, Body: body, NumMedia: '0', NumSegments: '1' },
    ...places(),
  }
}

/** A request with the signature that the provider would send with it. */
export function signedRequest(path: string, fields: Record<string, string>, { authToken }: Loaded): Outgoing {
  return {
    headers: {
      'content-type': 'application/x-www-form-urlencoded; charset=UTF-8',
      'i-twilio-idempotency-token': '5f4c7a52-6c1e-4f0a-9f7c-0a1b2c3d4e5f',
      'user-agent': 'TwilioProxy/1.1',
      'x-twilio-signature': sign(path, fields, authToken),
    },
    body: new URLSearchParams(fields).toString(),
  }
}

/** Whether a request is the provider's. */
export function isSignedByTelco(
  { url, headers, body }: { url: string; headers: IncomingHttpHeaders; body: Buffer },
  { authToken }: Loaded,
): boolean {
  const fields = Object.fromEntries(new URLSearchParams(body.toString()))
  const given = Buffer.from(String(headers['x-twilio-signature']))
  const wanted = Buffer.from(sign(url, fields, authToken))
  return given.length === wanted.length && timingSafeEqual(given, wanted)
}

function sign(path: string, fields: Record<string, string>, authToken: string): string {
  const signed = Object.keys(fields)
    .sort()
    .reduce((text, name) => `${text}${name}${fields[name]}`, `${PUBLIC_URL}${path}`)
  return createHmac('sha1', authToken).update(signed).digest('base64')
}

function account(): Record<string, string> {
  return { AccountSid: ACCOUNT_SID, ApiVersion: '2010-04-01' }
}

/** The places under their own names, and under those that a voice request repeats them with. */
function places(from?: string, to?: string): Record<string, string> {
  const entries = Object.entries(PLACES)
  const repeated = entries.map(([name, value]) => {
    return [name.replace(/^From/, from ?? 'From').replace(/^To/, to ?? 'To'), value]
  })
  return Object.fromEntries([...entries, ...repeated])
}
