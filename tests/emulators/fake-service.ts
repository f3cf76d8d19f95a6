import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import webhooks from 'twilio/lib/webhooks/webhooks.js'

const { validateRequest } = webhooks

/** The public address under which the providers know the fake service. */
export const PUBLIC_URL = 'https://pbx.example.com'

export interface Asked {
  readonly method: string
  /** Path and query. */
  readonly target: string
  readonly headers: IncomingMessage['headers']
  readonly body: string
  readonly fields: Record<string, string>
}

export interface FakeAnswer {
  readonly status?: number
  readonly type?: string
  readonly body?: string | Buffer
}

type Answerer = (asked: Asked) => FakeAnswer | string | Promise<FakeAnswer | string>

/** A service of a few lines: what it answers is said path by path, and everything it was asked is kept. */
export class FakeService {
  readonly asked: Asked[] = []
  readonly url: string
  readonly #answers = new Map<string, Answerer>()
  readonly #close: () => void

  private constructor(url: string, close: () => void) {
    this.url = url
    this.#close = close
  }

  static async start(): Promise<FakeService> {
    const server = createServer()
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    const service = new FakeService(`http://127.0.0.1:${port}`, () => {
      server.close()
      server.closeAllConnections()
    })
    server.on('request', async (incoming, outgoing) => {
      const { status, type, body } = await service.#answer(incoming)
      outgoing.writeHead(status, { 'content-type': type })
      outgoing.end(body)
    })
    return service
  }

  /** The address under which both providers find it. */
  get address(): { publicUrl: string; deliverTo: string } {
    return { publicUrl: PUBLIC_URL, deliverTo: this.url }
  }

  /** What a path answers; a text is a document. */
  answer(path: string, answer: Answerer | FakeAnswer | string): void {
    this.#answers.set(path, typeof answer === 'function' ? answer : () => answer)
  }

  /** What was asked at a path, in order. */
  at(path: string): Asked[] {
    return this.asked.filter(({ target }) => target.split('?', 1)[0] === path)
  }

  forget(): void {
    this.asked.length = 0
    this.#answers.clear()
  }

  stop(): void {
    this.#close()
  }

  async #answer(incoming: IncomingMessage): Promise<Required<FakeAnswer>> {
    const chunks: Buffer[] = []
    for await (const chunk of incoming) chunks.push(Buffer.from(chunk))
    const body = Buffer.concat(chunks).toString('utf8')
    const { method = '', url: target = '', headers } = incoming
    const asked = { method, target, headers, body, fields: Object.fromEntries(new URLSearchParams(body)) }
    this.asked.push(asked)
    const answerer = this.#answers.get(target.split('?', 1)[0] ?? '')
    const answer = (await answerer?.(asked)) ?? { status: 204 }
    const read: FakeAnswer = typeof answer === 'string' ? { body: answer } : answer
    return { status: 200, type: 'text/xml', body: '', ...read }
  }
}

/** Whether a request carries the signature of this token, by the provider's own check. */
export function isSigned({ headers, target, fields }: Asked, authToken: string): boolean {
  return validateRequest(authToken, String(headers['x-twilio-signature']), PUBLIC_URL + target, fields)
}

/** A document of these verbs. */
export function markup(verbs: string): string {
  return `<?xml version="1.0" encoding="UTF-8"?><Response>${verbs}</Response>`
}
