import { randomUUID } from 'node:crypto'
import pg from 'pg'
import type { Channel } from './database.ts'

const RECONNECT_DELAY_MS = 1_000
const CONNECT_TIMEOUT_MS = 5_000
/** A server that is gone without a word is noticed by this silence and the system's own probes after it. */
const KEEP_ALIVE_DELAY_MS = 10_000
/** Between pings. With the next two numbers a deaf connection is replaced within ten seconds. */
const PING_EVERY_MS = 4_000
const PING_HEARD_WITHIN_MS = 4_000
const PING_CHANNEL = 'connect_ping'
/** Sent to every handler when notifications may have been missed. */
export const MISSED = '*'

interface ListenerParts {
  options: pg.ClientConfig
  /** Makes the server notify `PING_CHANNEL` with this payload, over another connection. */
  ping(channel: string, payload: string): Promise<unknown>
  pingEveryMs?: number
  heardWithinMs?: number
}

/**
 * One connection that only listens. It comes back by itself when the server goes away, and is replaced when it has gone
 * deaf: open as far as the system knows, but nothing arrives, as after a firewall forgot it. Meanwhile handlers are given
 * `MISSED` again and again, so that nobody goes on serving what may have changed.
 */
export class Listener {
  readonly #parts: ListenerParts
  readonly #handlers = new Map<Channel, ((payload: string) => void)[]>()
  #client: Promise<pg.Client> | undefined
  #pinging: NodeJS.Timeout | undefined
  #awaited: { payload: string; resolve: () => void } | undefined
  #isClosed = false

  constructor(parts: ListenerParts) {
    this.#parts = parts
  }

  /** Resolves once the server notifies us of this channel; throws when it is unreachable. */
  async listen(channel: Channel, handle: (payload: string) => void): Promise<void> {
    const handlers = this.#handlers.get(channel)
    if (handlers !== undefined) {
      handlers.push(handle)
      return
    }
    this.#handlers.set(channel, [handle])
    try {
      const client = await this.#connected()
      await client.query(`listen ${channel}`)
    } catch (error) {
      this.#handlers.delete(channel)
      throw error
    }
    this.#pingLater()
  }

  /** Notifies the handlers of this process. */
  notify(channel: Channel, payload: string): void {
    for (const handle of this.#handlers.get(channel) ?? []) handle(payload)
  }

  async close(): Promise<void> {
    this.#isClosed = true
    clearTimeout(this.#pinging)
    const client = await this.#client?.catch(() => undefined)
    await client?.end().catch(() => undefined)
  }

  #connected(): Promise<pg.Client> {
    this.#client ??= this.#connect()
    return this.#client
  }

  async #connect(): Promise<pg.Client> {
    const client = new pg.Client({
      ...this.#parts.options,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      keepAlive: true,
      keepAliveInitialDelayMillis: KEEP_ALIVE_DELAY_MS,
    })
    // `end` reports the end of a connection; without a handler its error would end the process.
    client.on('error', () => undefined)
    client.once('end', () => this.#reconnectLater())
    client.on('notification', ({ channel, payload = '' }) => {
      if (channel !== PING_CHANNEL) this.notify(channel as Channel, payload)
      else if (payload === this.#awaited?.payload) this.#awaited.resolve()
    })
    await client.connect()
    await client.query(`listen ${PING_CHANNEL}`)
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
      for (const channel of this.#handlers.keys()) await client.query(`listen ${channel}`)
    } catch {
      // Ending it makes it emit `end`, and that leads to the next attempt.
      await client?.end().catch(() => undefined)
    }
    this.#notifyMissed()
  }

  #notifyMissed(): void {
    for (const channel of this.#handlers.keys()) this.notify(channel, MISSED)
  }

  #pingLater(): void {
    if (this.#isClosed || this.#pinging !== undefined) return
    this.#pinging = setTimeout(() => {
      void this.#ping().finally(() => {
        this.#pinging = undefined
        this.#pingLater()
      })
    }, this.#parts.pingEveryMs ?? PING_EVERY_MS).unref()
  }

  /** Sends something around and sees whether it arrives; a connection on which it does not is cut. */
  async #ping(): Promise<void> {
    const { ping, heardWithinMs = PING_HEARD_WITHIN_MS } = this.#parts
    const client = await this.#client?.catch(() => undefined)
    if (client === undefined) return
    const payload = randomUUID()
    const heard = new Promise<'heard'>((resolve) => {
      this.#awaited = { payload, resolve: () => resolve('heard') }
    })
    const silence = new Promise<'silence'>((resolve) => {
      setTimeout(resolve, heardWithinMs, 'silence').unref()
    })
    // A server that refuses to be asked proves nothing about this connection, whose own end will be noticed.
    const refused = ping(PING_CHANNEL, payload).then(
      () => heard,
      () => 'refused' as const,
    )
    if ((await Promise.race([heard, silence, refused])) !== 'silence' || this.#isClosed) return
    this.#notifyMissed()
    // The other side may never answer the goodbye, so nobody waits for it.
    client.removeAllListeners('end')
    void client.end().catch(() => undefined)
    this.#reconnectLater()
  }
}
