import pg from 'pg'
import type { Channel } from './database.ts'

const RECONNECT_DELAY_MS = 1_000
const CONNECT_TIMEOUT_MS = 5_000
/** A server that is gone without a word is noticed by this silence and the system's own probes after it. */
const KEEP_ALIVE_DELAY_MS = 10_000
/** Sent to every listener after a lost connection, because notifications in between were not heard. */
export const MISSED = '*'

/** One connection that only listens, and comes back by itself when the server goes away. */
export class Listener {
  readonly #options: pg.ClientConfig
  readonly #hearers = new Map<Channel, ((payload: string) => void)[]>()
  #client: Promise<pg.Client> | undefined
  #isClosed = false

  constructor(options: pg.ClientConfig) {
    this.#options = options
  }

  /** Resolves once the server tells us of this channel; throws when it cannot be reached. */
  async listen(channel: Channel, hear: (payload: string) => void): Promise<void> {
    const hearers = this.#hearers.get(channel)
    if (hearers !== undefined) {
      hearers.push(hear)
      return
    }
    this.#hearers.set(channel, [hear])
    const client = await this.#connected()
    await client.query(`listen ${channel}`)
  }

  /** Tells the listeners of this process. */
  tell(channel: Channel, payload: string): void {
    for (const hear of this.#hearers.get(channel) ?? []) hear(payload)
  }

  async close(): Promise<void> {
    this.#isClosed = true
    const client = await this.#client?.catch(() => undefined)
    await client?.end().catch(() => undefined)
  }

  #connected(): Promise<pg.Client> {
    this.#client ??= this.#connect()
    return this.#client
  }

  async #connect(): Promise<pg.Client> {
    const client = new pg.Client({
      ...this.#options,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      keepAlive: true,
      keepAliveInitialDelayMillis: KEEP_ALIVE_DELAY_MS,
    })
    // The end of a connection is told by `end`; without a listener its error would end the process.
    client.on('error', () => undefined)
    client.once('end', () => this.#reconnectLater())
    client.on('notification', ({ channel, payload }) => this.tell(channel as Channel, payload ?? ''))
    await client.connect()
    return client
  }

  #reconnectLater(): void {
    this.#client = undefined
    if (this.#isClosed) return
    setTimeout(() => {
      if (!this.#isClosed) void this.#listenAgain()
    }, RECONNECT_DELAY_MS).unref()
  }

  async #listenAgain(): Promise<void> {
    let client: pg.Client | undefined
    try {
      client = await this.#connected()
      for (const channel of this.#hearers.keys()) await client.query(`listen ${channel}`)
    } catch {
      // Ending it makes it say so, and that leads to the next attempt.
      await client?.end().catch(() => undefined)
      return
    }
    for (const channel of this.#hearers.keys()) this.tell(channel, MISSED)
  }
}
