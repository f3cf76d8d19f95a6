import { Agent, request as httpRequest, type IncomingHttpHeaders } from 'node:http'

/** How a webhook went: the service answered, or it could not be asked. */
export type Outcome =
  | {
      readonly kind: 'answered'
      readonly status: number
      readonly headers: IncomingHttpHeaders
      readonly body: Buffer
    }
  | { readonly kind: 'failed'; readonly reason: 'connect' | 'timeout'; readonly message: string }

export interface OutgoingRequest {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'
  /** The public address, without a fragment. */
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Buffer
  readonly timeoutMs: number
}

export interface ServiceAddress {
  /** The https address under which the providers know the service. */
  readonly publicUrl: string
  /** Where it really listens, such as `http://127.0.0.1:8080`. */
  readonly deliverTo: string
}

const SOCKETS_MAX = 32

/** The way from the providers to the service: what a public host name and a TLS proxy do in life. */
export class ServiceLink {
  readonly #agent = new Agent({ keepAlive: true, maxSockets: SOCKETS_MAX })
  #address: ServiceAddress | undefined

  /** From now on the service is reached this way. */
  connect(address: ServiceAddress): void {
    const cut = (url: string): string => url.replace(/\/+$/, '')
    this.#address = { publicUrl: cut(address.publicUrl), deliverTo: cut(address.deliverTo) }
  }

  /** The service's own address for a public one; undefined when the public one is not of this service. */
  localAddressOf(url: string): string | undefined {
    if (this.#address === undefined) return undefined
    const { publicUrl, deliverTo } = this.#address
    const isOurs = url === publicUrl || url.startsWith(`${publicUrl}/`)
    return isOurs ? deliverTo + url.slice(publicUrl.length) : undefined
  }

  /** Asks the service at the local address that stands for the public one. */
  async send(request: OutgoingRequest): Promise<Outcome> {
    const local = this.localAddressOf(request.url)
    if (local === undefined) {
      return { kind: 'failed', reason: 'connect', message: `nothing is known at ${request.url}` }
    }
    const first = await this.#try(local, request)
    // The service may close an idle connection at the moment in which it is used again.
    return first === 'closed' ? this.#sendAgain(local, request) : first
  }

  async #sendAgain(local: string, request: OutgoingRequest): Promise<Outcome> {
    const second = await this.#try(local, request)
    return second === 'closed' ? { kind: 'failed', reason: 'connect', message: 'the connection was closed' } : second
  }

  #try(local: string, { method, url, headers, body, timeoutMs }: OutgoingRequest): Promise<Outcome | 'closed'> {
    const { promise, resolve } = Promise.withResolvers<Outcome | 'closed'>()
    const { host } = new URL(url)
    const common = { host, 'x-forwarded-proto': 'https', ...lengthOf(body, headers) }
    const options = { method, agent: this.#agent, timeout: timeoutMs, headers: { ...common, ...headers } }
    const outgoing = httpRequest(local, options, async (reply) => {
      const chunks: Buffer[] = []
      for await (const part of reply) chunks.push(Buffer.from(part))
      const { statusCode: status = 0, headers: received } = reply
      resolve({ kind: 'answered', status, headers: received, body: Buffer.concat(chunks) })
    })
    outgoing.on('timeout', () => {
      resolve({ kind: 'failed', reason: 'timeout', message: `no answer within ${timeoutMs} ms` })
      outgoing.destroy()
    })
    outgoing.on('error', (error: Error & { code?: string }) => {
      const isStale = outgoing.reusedSocket && error.code === 'ECONNRESET'
      resolve(isStale ? 'closed' : { kind: 'failed', reason: 'connect', message: error.message })
    })
    outgoing.end(body)
    return promise
  }

  close(): void {
    this.#agent.destroy()
  }
}

/** A body whose length is not told beforehand goes in chunks. */
function lengthOf(body: string | Buffer, headers: OutgoingRequest['headers']): Record<string, string> {
  const isChunked = headers['transfer-encoding'] === 'chunked'
  return isChunked ? {} : { 'content-length': String(Buffer.byteLength(body)) }
}
