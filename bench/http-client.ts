import { connect, type Socket } from 'node:net'
import type { Outgoing } from './route.ts'

const HEADER_END = Buffer.from('\r\n\r\n')
const STATUS_AT = 9
const STATUS_DIGITS = 3

/** What came back; status 0 when the connection broke. */
export interface ReceivedReply {
  status: number
  body: string
}

/**
 * One keep-alive connection that speaks just enough HTTP/1.1 for replies with a content-length, one at a time: the
 * processor time it takes is missing to the service that is measured.
 */
export class HttpConnection {
  readonly #host: string
  readonly #port: number
  #socket: Socket | undefined
  #received: Buffer = Buffer.alloc(0)
  #answer: ((reply: ReceivedReply) => void) | undefined

  constructor(address: string) {
    const { hostname, port } = new URL(address)
    this.#host = hostname
    this.#port = Number(port)
  }

  /** Sends one request and gives its reply; never rejects. */
  post(path: string, { headers, body }: Outgoing): Promise<ReceivedReply> {
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
    const length = Buffer.byteLength(body)
    const head = `POST ${path} HTTP/1.1\r\nhost: ${this.#host}:${this.#port}\r\n${lines.join('')}content-length: ${length}`
    return new Promise((resolve) => {
      this.#answer = resolve
      this.#open().write(`${head}\r\n\r\n${body}`)
    })
  }

  close(): void {
    this.#socket?.destroy()
  }

  #open(): Socket {
    if (this.#socket !== undefined) return this.#socket
    const socket = connect({ host: this.#host, port: this.#port, noDelay: true })
    socket.on('data', (chunk: Buffer) => this.#take(chunk))
    socket.on('error', () => undefined)
    socket.on('close', () => {
      this.#socket = undefined
      this.#received = Buffer.alloc(0)
      this.#give({ status: 0, body: '' })
    })
    this.#socket = socket
    return socket
  }

  #take(chunk: Buffer): void {
    this.#received = this.#received.length === 0 ? chunk : Buffer.concat([this.#received, chunk])
    const headEnd = this.#received.indexOf(HEADER_END)
    if (headEnd === -1) return
    const head = this.#received.toString('latin1', 0, headEnd)
    const bodyStart = headEnd + HEADER_END.length
    const bodyEnd = bodyStart + Number(/^content-length: *(\d+)/im.exec(head)?.[1] ?? 0)
    if (this.#received.length < bodyEnd) return
    const body = this.#received.toString('utf8', bodyStart, bodyEnd)
    this.#received = this.#received.subarray(bodyEnd)
    this.#give({ status: Number(head.slice(STATUS_AT, STATUS_AT + STATUS_DIGITS)), body })
  }

  #give(reply: ReceivedReply): void {
    const answer = this.#answer
    this.#answer = undefined
    answer?.(reply)
  }
}
