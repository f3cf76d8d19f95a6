import { createHmac, type Hmac, timingSafeEqual } from 'node:crypto'

/**
 * How far the signed time may be from ours: into the past (docs/reference/contract.md#post-call-signature)
 * and into the future (docs/reference/domain.md#signed-time-in-the-future).
 */
const TOLERANCE_SECONDS = 30 * 60
const MS_PER_SECOND = 1_000

/** Header names under which the signature arrives: the contract's, and the provider's own. */
const HEADERS = ['voiceai-signature', 'elevenlabs-signature'] as const
const HEADER_CHARS_MAX = 2_000
const DIGEST = /^[0-9a-f]{64}$/

/** A signature header, taken apart. */
interface PostCallSignature {
  /** As it was sent, because these very characters were signed. */
  timestamp: string
  seconds: number
  digests: Buffer[]
}

/** Reads the signature header from the headers of a request; a string says what is wrong with it. */
export function readSignature(headers: Record<string, string | string[] | undefined>): PostCallSignature | string {
  const given = HEADERS.map((name) => headers[name])
  const header = given.find((value) => typeof value === 'string' && value.trim() !== '')
  return typeof header === 'string' ? parseSignature(header) : 'The signature header is missing.'
}

/** Parses `t=<unix seconds>,v0=<hex>`: pairs in any order, spaces allowed, several `v0` allowed. */
function parseSignature(header: string): PostCallSignature | string {
  if (header.length > HEADER_CHARS_MAX) return 'The signature header is too long.'
  const pairs = header.split(',').map(readPair)
  const timestamps = pairs.filter(({ name }) => name === 't').map(({ value }) => value)
  const [timestamp] = timestamps
  if (timestamp === undefined || timestamps.length > 1) return 'The signature header must have exactly one time (t).'
  if (!/^\d{1,12}$/.test(timestamp)) return 'The time (t) in the signature header is not a Unix time.'
  const given = pairs.filter(({ name }) => name === 'v0')
  if (given.length === 0) return 'The signature header has no digest (v0).'
  const digests = given.filter(({ value }) => DIGEST.test(value)).map(({ value }) => Buffer.from(value, 'hex'))
  if (digests.length === 0) return 'The digest (v0) in the signature header is not 64 hexadecimal digits.'
  return { timestamp, seconds: Number(timestamp), digests }
}

function readPair(text: string): { name: string; value: string } {
  const pair = text.trim()
  const end = pair.indexOf('=')
  return end === -1 ? { name: pair, value: '' } : { name: pair.slice(0, end), value: pair.slice(end + 1) }
}

/** Whether the signed time is near enough to now, in whole seconds as it is signed: exactly 1,800 are not too many. */
export function isTimely(signature: PostCallSignature, now: Date): boolean {
  return Math.abs(Math.floor(now.getTime() / MS_PER_SECOND) - signature.seconds) <= TOLERANCE_SECONDS
}

/** Computes the digests of a body as its bytes go by, one for each secret that is accepted. */
export class SignatureCheck {
  readonly #signature: PostCallSignature
  readonly #hmacs: Hmac[]

  constructor(signature: PostCallSignature, secrets: readonly string[]) {
    this.#signature = signature
    this.#hmacs = secrets.map((secret) => createHmac('sha256', secret).update(`${signature.timestamp}.`))
  }

  update(chunk: Buffer): void {
    for (const hmac of this.#hmacs) hmac.update(chunk)
  }

  /** Whether one of the sent digests is that of the bytes under one of the secrets. Every pair is compared. */
  isRight(): boolean {
    let isRight = false
    for (const hmac of this.#hmacs) {
      const expected = hmac.digest()
      for (const digest of this.#signature.digests) isRight = timingSafeEqual(digest, expected) || isRight
    }
    return isRight
  }
}
