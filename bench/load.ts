import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import type { ReceivedReply } from './http-client.ts'
import type { Loaded } from './route.ts'

/** What the load generator is asked to do. */
export interface LoadOrder {
  /** The connections are spread over them. */
  addresses: readonly string[]
  /** Names of the routes, taken in turn. */
  routes: readonly string[]
  loaded: Loaded
  connections: number
  seconds: number
  /** Number of the first request; numbers are not used twice on one database. */
  first: number
  /** As many as are answered when left out. */
  requestsPerSecond?: number
  /** Ends after so many requests instead of after the time. */
  requests?: number
}

export interface LoadResult {
  /** Number of the next request that has not been sent. */
  next: number
  /** Requests sent, by route; every one of them was waited for. */
  sent: Record<string, number>
  /** Replies that were not 200, and connections that broke. */
  failed: number
  /** Requests that were answered with 200 before the time was over. */
  inTime: number
  seconds: number
  latenciesMs: number[]
  /** The first reply. */
  sample: ReceivedReply
}

/** The load generator in a process of its own. */
export class Load {
  readonly #child: ChildProcess
  readonly #died: Promise<never>

  constructor() {
    this.#child = fork(path.join(import.meta.dirname, 'load-worker.ts'), { serialization: 'advanced' })
    this.#died = once(this.#child, 'exit').then(() => {
      throw new Error('the load generator ended by itself')
    })
    this.#died.catch(() => undefined)
  }

  /** Carries out one order; throws when the generator has died. */
  async run(order: LoadOrder): Promise<LoadResult> {
    this.#child.send(order)
    const [result] = await Promise.race([once(this.#child, 'message'), this.#died])
    return result as LoadResult
  }

  stop(): void {
    this.#child.kill()
  }
}
