import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import type { Incoming, Loaded } from './route.ts'
import { readSigned } from './telco-request.ts'

/** The agent token, compared in constant time. */
export function hasToken(headers: Incoming['headers'], { token }: Loaded): boolean {
  const given = headers['x-voiceai-agent-token']
  return typeof given === 'string' && timingSafeEqual(digest(given), digest(token))
}

/** The signature of a post-call delivery over its raw bytes. */
export function isSigned({ headers, body, loaded }: Incoming): boolean {
  const [, time = '', given = ''] = /^t=(\d+),v0=([0-9a-f]{64})$/.exec(String(headers['voiceai-signature'])) ?? []
  const wanted = createHmac('sha256', loaded.postCallSecret).update(`${time}.`).update(body).digest()
  return given !== '' && timingSafeEqual(Buffer.from(given, 'hex'), wanted)
}

/** Whether a request at this path comes from whom it should, by whichever proof it carries. */
export function isGenuine(path: string, incoming: Incoming): boolean {
  const { headers, loaded } = incoming
  if (headers['x-twilio-signature'] !== undefined) return readSigned(path, incoming) !== undefined
  return headers['voiceai-signature'] === undefined ? hasToken(headers, loaded) : isSigned(incoming)
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
