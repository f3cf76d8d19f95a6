// What is recorded: every exchange with the service one after the other, what it asked of the providers, and its rows.
import { request as httpRequest, type IncomingHttpHeaders } from 'node:http'
import type { Emulators } from '../../emulators/start.ts'
import { steadyPart } from './normalise.ts'
import type { Service } from './service.ts'

export interface Exchange {
  part: string
  name: string
  request: { method: string; target: string; headers?: Record<string, string>; body?: string }
  reply: { status: number; headers: Record<string, string>; body: string }
}

export interface ProviderRequest {
  part: string
  provider: string
  request: string
  body: string
  status: number
}

export interface CommandRun {
  part: string
  command: string
  code: number | null
  out: string
  err: string
}

export interface Recording {
  commit: string
  database: string
  exchanges: Exchange[]
  commands: CommandRun[]
  providers: ProviderRequest[]
  /** Jobs that failed and would be tried again, with why. */
  retries: string[]
  /** What the scenarios and the providers complained of. */
  complaints: string[]
  /** Rows as JSON texts, by checkpoint and table. */
  rows: Record<string, Record<string, unknown[]>>
}

export interface Sending {
  method?: string
  headers?: Record<string, string>
  body?: string | Buffer
}

export interface Reply extends Noted {
  text: string
}

interface Noted {
  status: number
  headers: IncomingHttpHeaders
  body: Buffer
}

/** Of each reply's headers these say nothing of what the service decided. */
const HEADERS_LEFT_OUT = new Set(['date', 'connection', 'keep-alive', 'content-length', 'transfer-encoding'])
const SETTLED_TIMEOUT_MS = 180_000
const LOOK_AGAIN_MS = 4

/** Sends one request at a time to one service, and lets it finish what that sets off before the next one. */
export class Recorder {
  readonly exchanges: Exchange[] = []
  readonly commands: CommandRun[] = []
  readonly complaints: string[] = []
  readonly providers: ProviderRequest[] = []
  readonly retries: string[] = []
  part = ''
  service: Service
  readonly #seen = new Map<object, number>()
  #turn: Promise<unknown> = Promise.resolve()

  constructor(service: Service) {
    this.service = service
  }

  /** Sends and records; `name` says what is tried. `target` begins with a slash. */
  send(name: string, target: string, sending: Sending = {}, options: { setsOff?: boolean } = {}): Promise<Reply> {
    return this.inTurn(async () => {
      const reply = await this.ask(target, sending)
      this.note(name, target, sending, reply)
      return reply
    }, options)
  }

  /** Sends without recording. */
  ask(target: string, sending: Sending = {}): Promise<Reply> {
    return exchange(this.service.url + target, sending)
  }

  /**
   * Moves what the service asked of the providers since the last time into the recording: in its order, or sorted when several
   * jobs were at work at once.
   */
  recordRequests({ telco, voiceai }: Emulators, { isSorted = false } = {}): void {
    for (const [provider, requests] of [
      ['telco', telco.requests],
      ['voiceai', voiceai.requests],
    ] as const) {
      const seen = this.#seen.get(requests) ?? 0
      const taken = requests.slice(seen).map(({ method, path, query, body, status }) => {
        return { part: this.part, provider, request: `${method} ${path}${query}`, body, status }
      })
      const keyOf = ({ request, body, status }: ProviderRequest): string => steadyPart(`${request} ${body} ${status}`)
      if (isSorted) taken.sort((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1))
      this.providers.push(...taken)
      this.#seen.set(requests, requests.length)
    }
  }

  note(name: string, target: string, { method = 'GET', headers, body }: Sending, reply: Noted): void {
    this.exchanges.push({
      part: this.part,
      name,
      request: {
        method,
        target,
        ...(headers === undefined ? {} : { headers }),
        ...(body === undefined ? {} : { body: readable(Buffer.from(body)) }),
      },
      reply: { status: reply.status, headers: readHeaders(reply.headers), body: readable(reply.body) },
    })
  }

  /** Work that nothing else overlaps; what it sets off has ended before the next, unless it sets nothing off. */
  inTurn<Result>(work: () => Promise<Result>, { setsOff = true } = {}): Promise<Result> {
    const run = async (): Promise<Result> => {
      try {
        return await work()
      } finally {
        if (setsOff) await this.settled()
      }
    }
    const result = this.#turn.then(run, run)
    this.#turn = result.catch(() => undefined)
    return result
  }

  /** Waits until no job and no stored delivery is left that could be worked on now. */
  async settled(): Promise<void> {
    const endMs = performance.now() + SETTLED_TIMEOUT_MS
    const now = new Date().toISOString().slice(0, -1)
    for (;;) {
      // What is to be tried again would come at another moment each time, so it is noted and does not come.
      const failed = await this.service.query(
        "delete from jobs.job where state = 'retry' returning name, data::text as data, output->>'message' as message",
      )
      const told = failed.map(({ name, data, message }) => `${this.part}: ${name} ${data}: ${message}`)
      this.retries.push(...told.sort((one, other) => (steadyPart(one) < steadyPart(other) ? -1 : 1)))
      const [left] = await this.service.query(
        `select (select count(*) from jobs.job where state in ('created', 'active') and start_after <= now())::int
              + (select count(*) from connect_inbox where state in ('received', 'failed') and next_attempt_at <= '${now}')::int as count`,
      )
      if (left?.count === 0) return
      if (performance.now() > endMs) {
        const jobs = await this.service.query(`select name, state from jobs.job where state in ('created', 'active')`)
        this.complaints.push(`${this.part}: work was left over: ${JSON.stringify(jobs)}`)
        return
      }
      await new Promise((resolve) => setTimeout(resolve, LOOK_AGAIN_MS))
    }
  }
}

/** One request on a connection of its own. */
export function exchange(url: string, { method = 'GET', headers = {}, body }: Sending): Promise<Reply> {
  const { promise, resolve, reject } = Promise.withResolvers<Reply>()
  const sent = httpRequest(url, { method, headers, agent: false }, async (incoming) => {
    const chunks: Buffer[] = []
    for await (const chunk of incoming) chunks.push(Buffer.from(chunk))
    const bytes = Buffer.concat(chunks)
    resolve({ status: incoming.statusCode ?? 0, headers: incoming.headers, body: bytes, text: bytes.toString('utf8') })
  })
  sent.on('error', reject)
  if (body !== undefined && headers['transfer-encoding'] === undefined) {
    sent.setHeader('content-length', Buffer.byteLength(body))
  }
  sent.end(body)
  return promise
}

/** Text as it is, anything else as hexadecimal digits. */
function readable(bytes: Buffer): string {
  const text = bytes.toString('utf8')
  return Buffer.from(text, 'utf8').equals(bytes) ? text : `hex ${bytes.toString('hex')}`
}

function readHeaders(headers: IncomingHttpHeaders): Record<string, string> {
  const told = Object.entries(headers).filter(([name]) => !HEADERS_LEFT_OUT.has(name))
  return Object.fromEntries(told.map(([name, value]) => [name, String(value)]))
}
