import { Readable } from 'node:stream'

/** Bytes that wait for a browser which does not read; past it the stream is cut, and the browser comes back by itself. */
const UNREAD_BYTES_MAX = 256 * 1024
/** After how long a browser whose stream ended opens another one. */
const RETRY_MS = 2_000

/** The events of one stream: what a browser's `EventSource` hears. */
type LiveEvent = 'hello' | 'heartbeat' | 'records' | 'present' | 'reset' | 'signed-out' | 'bye'

interface Owner {
  userId: number
  /** Of the session that opened it. */
  token: string
}

/** The event stream of one browser: text as the HTML standard's "server-sent events" has it. */
export class LiveStream {
  readonly owner: Owner
  readonly body = new Readable({ read() {} })
  /** The last event may wait for a browser that reads slowly: nothing comes behind it. */
  #hasEnded = false

  constructor(owner: Owner) {
    this.owner = owner
    this.#push(`retry: ${RETRY_MS}\n\n`)
  }

  /** Sends an event; its data never has a line break, which would end it. */
  send(event: LiveEvent, data: object = {}): void {
    this.#push(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`)
  }

  /** Sends a last event. */
  end(event: LiveEvent): void {
    if (this.#hasEnded) return
    this.send(event)
    this.#hasEnded = true
    if (!this.body.destroyed) this.body.push(null)
  }

  #push(text: string): void {
    if (this.body.destroyed || this.#hasEnded) return
    this.body.push(text)
    if (this.body.readableLength > UNREAD_BYTES_MAX) this.body.destroy()
  }
}
