import { fetchOutside } from '../../fetch-outside.ts'
import type { Settings } from '../../platform/settings/settings.ts'
import { type MediaAnswer, type MediaOptions, ProviderRefused, ProviderUnavailable } from '../../ports/telco-client.ts'
import { CredentialsRefused, isAwayStatus } from './failures.ts'
import { audioAddress, type MediaAddress, messageMediaAddress, publicAddress, storageAddress } from './media-address.ts'

/** How long the provider may take to begin with the audio. */
const ANSWER_TIMEOUT_MS = 15_000
const REDIRECTS_MAX = 3
const UNAUTHORIZED = 401
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])
const AUDIO_TYPE = /^(?:audio\/|application\/octet-stream)/i
const ANY_TYPE = /^[\w.+-]+\/[\w.+-]+/
const USABLE: ReadonlySet<number> = new Set([200, 206, 416])

/** Opens audio of the provider's. Our credentials go to its API only, and nothing is fetched from anywhere else. */
export class TelcoMedia {
  readonly #settings: Settings
  readonly #baseUrl: string | undefined

  constructor(settings: Settings, baseUrl: string | undefined) {
    this.#settings = settings
    this.#baseUrl = baseUrl
  }

  open(written: string, options: MediaOptions = {}): Promise<MediaAnswer> {
    return this.#open(audioAddress(written, this.#baseUrl), options, AUDIO_TYPE)
  }

  /** Opens what somebody sent with a message. */
  openOfMessage(written: string, options: MediaOptions = {}): Promise<MediaAnswer> {
    return this.#open(messageMediaAddress(written, this.#baseUrl), options, ANY_TYPE)
  }

  /**
   * Opens what a template shows, at an address that everybody can open. Media of a message at the provider are refused: anyone who
   * fills a template in could name those of somebody else, which only our credentials open.
   */
  openOfTemplate(written: string, options: MediaOptions = {}): Promise<MediaAnswer> {
    const open = (address: string): MediaAddress | undefined => {
      const isOfMessage = messageMediaAddress(address, this.#baseUrl) !== undefined
      return isOfMessage ? undefined : publicAddress(address, this.#baseUrl)
    }
    return this.#open(open(written), options, ANY_TYPE, (from, location) => open(new URL(location, from).href))
  }

  async #open(
    first: MediaAddress | undefined,
    options: MediaOptions,
    types: RegExp,
    follow: Follow = (from, location) => storageAddress(location, from, this.#baseUrl),
  ): Promise<MediaAnswer> {
    let address = first
    if (address === undefined) throw new ProviderRefused('not-found', 'provider-audio-elsewhere')
    for (let redirects = 0; redirects <= REDIRECTS_MAX; redirects += 1) {
      const reply = await this.#fetch(address, options)
      const isOfCredentials = address.hasCredentials && reply.status === UNAUTHORIZED
      if (!REDIRECTS.has(reply.status) && !isOfCredentials) return toAnswer(reply, types)
      await reply.body?.cancel()
      if (isOfCredentials) throw new CredentialsRefused('Twilio refused the credentials (HTTP 401)')
      address = followed(address.url, reply.headers.get('location'), follow)
    }
    throw new ProviderUnavailable('Twilio redirects its audio in a circle')
  }

  async #fetch(address: MediaAddress, { method = 'GET', range, signal }: MediaOptions): Promise<Response> {
    const headers: Record<string, string> = { accept: '*/*' }
    if (range !== undefined) headers.range = range
    if (address.hasCredentials) headers.authorization = await this.#authorization()
    const late = new AbortController()
    const timer = setTimeout(() => late.abort(), ANSWER_TIMEOUT_MS)
    const signals = signal === undefined ? [late.signal] : [late.signal, signal]
    try {
      // The signal stays with the body, the timer does not: how long the transfer takes is the caller's to limit.
      const init: RequestInit = { method, headers, redirect: 'manual', signal: AbortSignal.any(signals) }
      return await (address.isWritten ? fetchOutside(new URL(address.url), init) : fetch(address.url, init))
    } catch {
      // The error itself may hold the request, and so the credentials.
      throw new ProviderUnavailable('Twilio could not be reached for its audio', { isAway: true })
    } finally {
      clearTimeout(timer)
    }
  }

  async #authorization(): Promise<string> {
    const { accountSid, authToken } = await this.#settings.get()
    if (!accountSid || !authToken) throw new CredentialsRefused('Twilio has no credentials')
    return `Basic ${Buffer.from(`${accountSid}:${authToken}`).toString('base64')}`
  }
}

/** Where a redirect may lead; undefined for anywhere else. */
type Follow = (from: string, location: string) => MediaAddress | undefined

function followed(from: string, location: string | null, follow: Follow): MediaAddress {
  const next = location !== null && URL.canParse(location, from) ? follow(from, location) : undefined
  if (next === undefined) throw new ProviderUnavailable('Twilio redirects its audio to an unknown host')
  return next
}

async function toAnswer(reply: Response, types: RegExp): Promise<MediaAnswer> {
  const { status, headers } = reply
  const contentType = headers.get('content-type') ?? undefined
  const isExpected = status === 416 || (contentType !== undefined && types.test(contentType))
  if (!USABLE.has(status) || !isExpected) {
    await reply.body?.cancel()
    if (status === 404 || status === 410) throw new ProviderRefused('not-found', 'provider-audio-missing')
    throw new ProviderUnavailable(`Twilio answered HTTP ${status} instead of audio`, {
      isAway: isAwayStatus(status),
    })
  }
  // What is read of a compressed body is longer than what was sent.
  const length = headers.has('content-encoding') ? null : headers.get('content-length')
  return {
    status,
    contentType,
    contentLength: length === null ? undefined : Number(length),
    contentRange: headers.get('content-range') ?? undefined,
    // A body that nobody reads yet ends as if it were empty when its `Response` is collected; one that is piped does not.
    body: reply.body?.pipeThrough(new TransformStream<Uint8Array, Uint8Array>()),
  }
}
