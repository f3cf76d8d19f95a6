import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { ACCOUNT_SID, AUTH_TOKEN } from './telco.ts'

/** A request that the provider's REST API was asked. */
export interface FakeRequest {
  method: string
  /** Below the account: `/Messages.json`. */
  path: string
  query: URLSearchParams
  form: URLSearchParams
  headers: IncomingMessage['headers']
}

export interface FakeAnswer {
  status?: number
  body?: object | string | Buffer
  headers?: Record<string, string>
  /** The connection is cut instead of answered. */
  isCut?: boolean
}

type Handler = (request: FakeRequest) => FakeAnswer

const API = `/2010-04-01/Accounts/${ACCOUNT_SID}`
export const AUDIO = Buffer.from(Array.from({ length: 1_000 }, (_none, at) => at % 251))

/** The part of the phone provider's REST API that the service uses, on a real port, remembering what it was asked. */
export class FakeTelco {
  readonly requests: FakeRequest[] = []
  readonly #server: Server
  #handlers: { method: string; path: RegExp; handler: Handler; times: number }[] = []
  #count = 0

  private constructor() {
    this.#server = createServer((incoming, outgoing) => void this.#serve(incoming, outgoing))
  }

  static async start(): Promise<FakeTelco> {
    const fake = new FakeTelco()
    await new Promise<void>((resolve) => fake.#server.listen(0, '127.0.0.1', resolve))
    return fake
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  /** Address of audio as the provider's callbacks write it. */
  recordingUrl(sid: string): string {
    return `https://api.twilio.com${API}/Recordings/${sid}`
  }

  /** Answers requests in this way, once or so many times, before the usual way comes back. */
  on(method: string, path: RegExp, answer: FakeAnswer | Handler, times = 1): void {
    const handler = typeof answer === 'function' ? answer : () => answer
    this.#handlers.push({ method, path, handler, times })
  }

  reset(): void {
    this.requests.length = 0
    this.#handlers = []
  }

  asked(method: string, path: RegExp): FakeRequest[] {
    return this.requests.filter((request) => request.method === method && path.test(request.path))
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise((resolve) => this.#server.close(resolve))
  }

  async #serve(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const chunks: Buffer[] = []
    for await (const chunk of incoming) chunks.push(chunk as Buffer)
    const url = new URL(incoming.url ?? '/', 'http://fake')
    const request: FakeRequest = {
      method: incoming.method ?? '',
      path: url.pathname.startsWith(API) ? url.pathname.slice(API.length) : url.pathname,
      query: url.searchParams,
      form: new URLSearchParams(Buffer.concat(chunks).toString()),
      headers: incoming.headers,
    }
    this.requests.push(request)
    const { status = 200, body = '', headers = {}, isCut = false } = this.#answer(request)
    if (isCut) return void incoming.socket.destroy()
    const isRaw = typeof body === 'string' || Buffer.isBuffer(body)
    outgoing.writeHead(status, { ...(isRaw ? {} : { 'content-type': 'application/json' }), ...headers })
    outgoing.end(isRaw ? body : JSON.stringify(body))
  }

  #answer(request: FakeRequest): FakeAnswer {
    const planned = this.#handlers.find(
      ({ method, path, times }) => times > 0 && method === request.method && path.test(request.path),
    )
    if (planned !== undefined) {
      planned.times -= 1
      return planned.handler(request)
    }
    const credentials = `Basic ${Buffer.from(`${ACCOUNT_SID}:${AUTH_TOKEN}`).toString('base64')}`
    if (request.headers.authorization !== credentials) return refusal(401, 20003, 'Authenticate')
    return this.#usual(request)
  }

  #usual(request: FakeRequest): FakeAnswer {
    this.#count += 1
    const made = String(this.#count).padStart(32, '0')
    for (const [method, path, answer] of USUAL) {
      const match =
        request.method === 'HEAD' ? path.exec(request.path) : method === request.method && path.exec(request.path)
      if (match) return answer({ request, made, first: match[1] ?? '', second: match[2] ?? '' })
    }
    return refusal(404, 20404, `The requested resource ${request.path} was not found`)
  }
}

/** What an answer is made of: the request, the end of a new id, and the ids in the path. */
interface Asked {
  request: FakeRequest
  made: string
  first: string
  second: string
}

const USUAL: readonly [method: string, path: RegExp, answer: (asked: Asked) => FakeAnswer][] = [
  ['POST', /^\/Calls\.json$/, ({ made }) => ({ status: 201, body: aCall(`CA${made}`, 'queued') })],
  ['POST', /^\/Messages\.json$/, ({ made, request }) => ({ status: 201, body: aMessage(`SM${made}`, request.form) })],
  ['POST', /^\/Calls\/(\w+)\.json$/, ({ first }) => ({ body: aCall(first, 'in-progress') })],
  ['GET', /^\/Calls\/(\w+)\.json$/, ({ first }) => ({ body: aCall(first, 'completed') })],
  ['GET', /^\/Calls\/(\w+)\/Recordings\.json$/, () => ({ body: { recordings: [], next_page_uri: null } })],
  [
    'POST',
    /^\/Calls\/(\w+)\/Recordings\.json$/,
    ({ first, made }) => ({ status: 201, body: aRecording(`RE${made}`, { call_sid: first, status: 'in-progress' }) }),
  ],
  [
    'POST',
    /^\/Calls\/(\w+)\/Recordings\/(\w+)\.json$/,
    ({ first, second }) => ({ body: aRecording(second, { call_sid: first, status: 'stopped' }) }),
  ],
  ['GET', /^\/Recordings\/(\w+)\.json$/, ({ first }) => ({ body: aRecording(first) })],
  ['GET', /^\/Recordings\/(\w+)\.(?:mp3|wav)$/, ({ request }) => audio(request)],
]

export function refusal(status: number, code: number, message: string): FakeAnswer {
  return { status, body: { status, code, message, more_info: `https://www.twilio.com/docs/errors/${code}` } }
}

export function aCall(sid: string, status: string, values: object = {}): object {
  const dates = { date_created: null, date_updated: null, start_time: null, end_time: null }
  return { sid, status, account_sid: ACCOUNT_SID, price: '-0.0130', price_unit: 'USD', ...dates, ...values }
}

export function aRecording(sid: string, values: object = {}): object {
  return {
    sid,
    account_sid: ACCOUNT_SID,
    call_sid: 'CA00000000000000000000000000000001',
    status: 'completed',
    duration: '36',
    source: 'DialVerb',
    price: '-0.0025',
    price_unit: 'USD',
    date_created: null,
    date_updated: null,
    start_time: 'Wed, 08 Oct 2025 13:54:12 +0000',
    media_url: `https://api.twilio.com${API}/Recordings/${sid}`,
    ...values,
  }
}

function aMessage(sid: string, form: URLSearchParams): object {
  return {
    sid,
    account_sid: ACCOUNT_SID,
    status: 'queued',
    to: form.get('To'),
    from: form.get('From'),
    body: form.get('Body'),
    error_code: null,
    error_message: null,
    date_created: null,
    date_updated: null,
    date_sent: null,
  }
}

function audio({ method, headers }: FakeRequest): FakeAnswer {
  const type = { 'content-type': 'audio/mpeg', 'accept-ranges': 'bytes' }
  const [, first, last] = /^bytes=(\d+)-(\d*)$/.exec(headers.range ?? '') ?? []
  if (first === undefined) {
    return { headers: { ...type, 'content-length': String(AUDIO.length) }, body: method === 'HEAD' ? '' : AUDIO }
  }
  const end = last === '' || last === undefined ? AUDIO.length - 1 : Math.min(Number(last), AUDIO.length - 1)
  if (Number(first) >= AUDIO.length) {
    return { status: 416, headers: { ...type, 'content-range': `bytes */${AUDIO.length}` } }
  }
  const range = `bytes ${first}-${end}/${AUDIO.length}`
  return { status: 206, headers: { ...type, 'content-range': range }, body: AUDIO.subarray(Number(first), end + 1) }
}
