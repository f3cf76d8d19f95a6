import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import type { Incoming, Loaded } from './route.ts'

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

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
