import pg from 'pg'
import type { Channel } from './database.ts'

const RECONNECT_DELAY_MS = 1_000
/** Sent to every listener after a lost connection, because notifications in between were not heard. */
export const MISSED = '*'

/** One connection that only listens, and comes back by itself when the server goes away. */
export class Listener {
  readonly #options: pg.ClientConfig
  readonly #hearers = new Map<Channel, ((payload: string) => void)[]>()
  #client: pg.Client | undefined
  #isClosed = false

  constructor(options: pg.ClientConfig) {
    this.#options = options
  }

  async listen(channel: Channel, hear: (payload: string) => void): Promise<void> {
    const hearers = this.#hearers.get(channel)
    if (hearers !== undefined) {
      hearers.push(hear)
      return
    }
    this.#hearers.set(channel, [hear])
    if (this.#client === undefined) await this.#connect()
    else await this.#client.query(`listen ${channel}`)
  }

  async close(): Promise<void> {
    this.#isClosed = true
    await this.#client?.end().catch(() => undefined)
  }

  async #connect(): Promise<void> {
    const client = new pg.Client({ ...this.#options, keepAlive: true })
    client.on('error', () => undefined)
    client.on('end', () => this.#reconnectLater())
    client.on('notification', ({ channel, payload }) => this.#tell(channel as Channel, payload ?? ''))
    await client.connect()
    this.#client = client
    for (const channel of this.#hearers.keys()) await client.query(`listen ${channel}`)
  }

  #reconnectLater(): void {
    if (this.#isClosed) return
    this.#client = undefined
    setTimeout(() => {
      if (this.#isClosed) return
      this.#connect().then(
        () => {
          for (const channel of this.#hearers.keys()) this.#tell(channel, MISSED)
        },
        () => undefined,
      )
    }, RECONNECT_DELAY_MS).unref()
  }

  #tell(channel: Channel, payload: string): void {
    for (const hear of this.#hearers.get(channel) ?? []) hear(payload)
  }
}
