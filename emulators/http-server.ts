import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'

export interface HttpRequest {
  readonly method: string
  /** Without the query. */
  readonly path: string
  readonly query: URLSearchParams
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
  /** What stood in the places that the route's path names. */
  readonly params: Readonly<Record<string, string>>
  /** Scheme, host and port at which we were asked. */
  readonly origin: string
}

export interface HttpReply {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Buffer
}

export interface HttpRoute {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  /** Segments such as `:sid` match anything without a slash; an ending such as `.json` stays outside. */
  readonly path: string
  handle(request: HttpRequest): HttpReply | Promise<HttpReply>
}

/** Asks that were answered, newest last; tests look here for what was really sent. */
export interface ReceivedRequest {
  readonly method: string
  readonly path: string
  readonly query: string
  readonly body: string
  readonly status: number
}

const RECEIVED_MAX = 5_000
const BODY_BYTES_MAX = 16 * 1024 * 1024

export function jsonReply(status: number, value: unknown, headers: Record<string, string> = {}): HttpReply {
  return {
    status,
    headers: { 'content-type': 'application/json; charset=utf-8', ...headers },
    body: JSON.stringify(value),
  }
}

/** The route for this request and what its path names; undefined when no route has this path and method. */
export function findRoute(
  routes: readonly HttpRoute[],
  { method, path }: Pick<HttpRequest, 'method' | 'path'>,
): { route: HttpRoute; params: Record<string, string> } | undefined {
  for (const route of routes) {
    if (route.method !== method) continue
    const match = patternOf(route.path).exec(path)
    if (match !== null) return { route, params: decodeAll(match.groups ?? {}) }
  }
  return undefined
}

const patterns = new Map<string, RegExp>()

function patternOf(path: string): RegExp {
  const known = patterns.get(path)
  if (known !== undefined) return known
  const source = path.replaceAll('.', '\\.').replaceAll(/:([a-z]\w*)/gi, '(?<$1>[^/.]+)')
  const pattern = new RegExp(`^${source}$`)
  patterns.set(path, pattern)
  return pattern
}

function decodeAll(params: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(params).map(([name, value]) => [name, decodeURIComponent(value)]))
}

/** An HTTP server on this machine that hands every request to one function. */
export class EmulatorServer {
  readonly url: string
  readonly received: ReceivedRequest[]
  readonly #close: () => Promise<void>

  private constructor(url: string, received: ReceivedRequest[], close: () => Promise<void>) {
    this.url = url
    this.received = received
    this.#close = close
  }

  static async start(options: {
    port: number
    answer(request: HttpRequest): Promise<HttpReply>
    /** Takes over a connection that is to become another one, such as a WebSocket. */
    upgrade?(request: IncomingMessage, socket: Duplex): void
  }): Promise<EmulatorServer> {
    const received: ReceivedRequest[] = []
    const server = createServer((incoming, outgoing) => {
      void respond(incoming, outgoing, received, options.answer)
    })
    const taken = new Set<Duplex>()
    server.on('upgrade', (incoming: IncomingMessage, socket: Duplex, head: Buffer) => {
      if (head.length > 0) socket.unshift(head)
      taken.add(socket)
      socket.once('close', () => taken.delete(socket))
      if (options.upgrade === undefined) socket.destroy()
      else options.upgrade(incoming, socket)
    })
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject)
      server.listen(options.port, '127.0.0.1', resolve)
    })
    const { port } = server.address() as AddressInfo
    const close = (): Promise<void> =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
        for (const socket of taken) socket.destroy()
      })
    return new EmulatorServer(`http://127.0.0.1:${port}`, received, close)
  }

  close(): Promise<void> {
    return this.#close()
  }
}

async function respond(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  received: ReceivedRequest[],
  answer: (request: HttpRequest) => Promise<HttpReply>,
): Promise<void> {
  try {
    const body = await readBody(incoming)
    const url = new URL(incoming.url ?? '/', `http://${incoming.headers.host ?? '127.0.0.1'}`)
    const { pathname: path, searchParams: query, origin } = url
    const method = incoming.method ?? 'GET'
    const reply = await answer({ method, path, query, headers: incoming.headers, body, params: {}, origin })
    received.push({ method, path, query: url.search, body: body.toString('utf8'), status: reply.status })
    if (received.length > RECEIVED_MAX) received.shift()
    outgoing.writeHead(reply.status, reply.headers)
    outgoing.end(reply.body)
  } catch (error) {
    outgoing.writeHead(500, { 'content-type': 'text/plain' })
    outgoing.end(String(error))
  }
}

async function readBody(incoming: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const part of incoming) {
    const bytesOfPart = Buffer.from(part)
    bytes += bytesOfPart.length
    if (bytes > BODY_BYTES_MAX) throw new Error('the body is too large')
    chunks.push(bytesOfPart)
  }
  return Buffer.concat(chunks)
}
