import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from '../../log.ts'
import { ProviderUnavailable } from '../../ports/telco-client.ts'
import { type FailedTry, retryDelayMs } from './retry.ts'

/** What the provider's SDK asks of its HTTP client. */
interface SdkRequest {
  method: string
  uri: string
  username?: string | undefined
  password?: string | undefined
  headers?: Record<string, string> | undefined
  params?: Record<string, unknown> | undefined
  data?: Record<string, unknown> | undefined
}

interface SdkResponse {
  statusCode: number
  body: string
  headers: Record<string, string>
}

const TIMEOUT_MS = 8_000
/** A page of a thousand numbers is far below this. */
const ANSWER_BYTES_MAX = 8 * 1024 * 1024
const MISSING_CONNECTION = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
])

/**
 * Carries the SDK's requests: every host of the provider is `baseUrl` when that is set, every request has a time limit,
 * redirects are not followed, and no error holds what was sent, credentials included.
 */
export class Transport {
  readonly #baseUrl: string | undefined
  readonly #log: Logger

  constructor(baseUrl: string | undefined, log: Logger) {
    this.#baseUrl = baseUrl
    this.#log = log
  }

  async request(request: SdkRequest): Promise<SdkResponse> {
    const isRead = request.method.toUpperCase() === 'GET'
    for (let tries = 1; ; tries += 1) {
      const outcome = await this.#try(request)
      const isUsable = 'response' in outcome && outcome.response.statusCode < 500 && outcome.response.statusCode !== 429
      if (isUsable) return requireNoRedirect(outcome.response)
      const delayMs = retryDelayMs(outcome.failure, { isRead, tries, now: new Date(), random: Math.random })
      if (delayMs === undefined) return answerOrThrow(outcome, isRead)
      this.#logRetry(request, outcome, tries)
      await sleep(delayMs)
    }
  }

  async #try(request: SdkRequest): Promise<Outcome> {
    try {
      const reply = await fetch(this.#address(request), {
        method: request.method.toUpperCase(),
        headers: headersOf(request),
        body: bodyOf(request),
        redirect: 'manual',
        signal: AbortSignal.timeout(TIMEOUT_MS),
      })
      const response = {
        statusCode: reply.status,
        body: await readText(reply),
        headers: Object.fromEntries(reply.headers),
      }
      const failure = { kind: 'answered', status: reply.status, retryAfter: reply.headers.get('retry-after') } as const
      return { response, failure }
    } catch (error) {
      const code = codeOf(error)
      return { failure: { kind: MISSING_CONNECTION.has(code) ? 'not-sent' : 'lost' }, code }
    }
  }

  #logRetry({ method, uri }: SdkRequest, { failure }: Outcome, tries: number): void {
    const path = new URL(uri).pathname
    this.#log.warn({ method, path, failure, tries }, 'a request to Twilio failed and is tried again')
  }

  #address({ uri, params }: SdkRequest): string {
    const url = new URL(uri)
    for (const [name, value] of pairs(params)) url.searchParams.append(name, value)
    return this.#baseUrl === undefined ? url.href : `${this.#baseUrl}${url.pathname}${url.search}`
  }
}

type Outcome = { response: SdkResponse; failure: FailedTry } | { failure: FailedTry; code: string }

function answerOrThrow(outcome: Outcome, isRead: boolean): SdkResponse {
  if ('response' in outcome) return requireNoRedirect(outcome.response)
  const mayHaveHappened = !isRead && outcome.failure.kind === 'lost'
  throw new ProviderUnavailable(`Twilio could not be reached: ${outcome.code}`, {
    mayHaveHappened,
    isAway: true,
  })
}

/** The SDK would take a redirect for an answer that says nothing. */
function requireNoRedirect(response: SdkResponse): SdkResponse {
  if (response.statusCode < 300 || response.statusCode >= 400) return response
  throw new ProviderUnavailable(`Twilio redirects its API (HTTP ${response.statusCode})`)
}

function headersOf({ headers, username, password }: SdkRequest): Record<string, string> {
  const credentials = Buffer.from(`${username ?? ''}:${password ?? ''}`).toString('base64')
  return { ...headers, authorization: `Basic ${credentials}` }
}

function bodyOf({ method, headers = {}, data }: SdkRequest): string | null {
  if (data === undefined || method.toUpperCase() === 'GET') return null
  if (headers['Content-Type'] === 'application/json') return JSON.stringify(data)
  return new URLSearchParams(pairs(data)).toString()
}

/** Names and values as they go over the wire: a list is its name again for each value, nothing for no value. */
function pairs(values: Record<string, unknown> | undefined): [string, string][] {
  return Object.entries(values ?? {}).flatMap(([name, value]) => {
    if (value === undefined || value === null) return []
    return (Array.isArray(value) ? value : [value]).map((each): [string, string] => [name, String(each)])
  })
}

async function readText(reply: Response): Promise<string> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of reply.body ?? []) {
    bytes += chunk.length
    if (bytes > ANSWER_BYTES_MAX) throw new Error('the answer of Twilio is too large')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

/** What went wrong, without the error itself: it may hold the request and so the credentials. */
function codeOf(error: unknown): string {
  for (let each = error; each instanceof Error; each = each.cause) {
    if ('code' in each && typeof each.code === 'string') return each.code
    if (each.name === 'TimeoutError') return 'no answer in time'
  }
  return error instanceof Error ? error.name : 'unknown error'
}
