import type { Database } from '../database/database.ts'
import { asError } from '../errors.ts'
import type { Platform } from '../platform/access/env.ts'
import { syncJobName } from './requests.ts'
import { reviveDeadRuns } from './sync-run.ts'

/** With the time after which a run counts as dead, a run is taken up again within ten seconds. */
const LOOK_MS = 2_000

/** Has runs whose process was killed worked through again, by whichever process works on jobs. */
export class DeadRuns {
  readonly #db: Database
  readonly #platform: Platform
  #timer: NodeJS.Timeout | undefined
  #look: Promise<void> = Promise.resolve()

  constructor(db: Database, platform: Platform) {
    this.#db = db
    this.#platform = platform
  }

  start(): void {
    const look = () => {
      this.#look = this.#look.then(() => this.#lookOnce())
    }
    look()
    this.#timer = setInterval(look, LOOK_MS)
    this.#timer.unref()
  }

  /** Waits for a look that is under way. */
  async stop(): Promise<void> {
    clearInterval(this.#timer)
    await this.#look
  }

  async #lookOnce(): Promise<void> {
    try {
      const isAlone = this.#db.kind === 'embedded'
      await this.#db.transaction(async (tx) => {
        for (const { id, area, kind } of await reviveDeadRuns(tx, { isAlone })) {
          await this.#platform.enqueue(tx, { name: syncJobName(area), payload: { run_id: id, kind } })
        }
      })
    } catch (error) {
      this.#platform.log.warn({ err: asError(error) }, 'runs that were cut off cannot be looked for')
    }
  }
}
