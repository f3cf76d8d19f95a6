import type pg from 'pg'
import type { Channel } from '../database.ts'
import { MISSED } from '../listener.ts'

/** Who hears what is notified, over whichever connection to the engine there is. */
export class EngineNotices {
  readonly #handlers = new Map<string, ((payload: string) => void)[]>()

  /** Whether the channel is to be listened to from now on. */
  add(channel: string, hear: (payload: string) => void): boolean {
    const handlers = this.#handlers.get(channel)
    if (handlers === undefined) this.#handlers.set(channel, [hear])
    else handlers.push(hear)
    return handlers === undefined
  }

  remove(channel: string, hear: (payload: string) => void): void {
    const others = (this.#handlers.get(channel) ?? []).filter((each) => each !== hear)
    if (others.length > 0) this.#handlers.set(channel, others)
    else this.#handlers.delete(channel)
  }

  notify(channel: Channel, payload: string): void {
    for (const hear of this.#handlers.get(channel) ?? []) hear(payload)
  }

  /** Listens on a new connection to everything that was listened to; what was notified in between is missed. */
  follow(client: pg.PoolClient): void {
    client.on('notification', ({ channel, payload = '' }) => this.notify(channel as Channel, payload))
    for (const channel of this.#handlers.keys()) {
      void client.query(`listen ${channel}`).catch(() => undefined)
      this.notify(channel as Channel, MISSED)
    }
  }
}
