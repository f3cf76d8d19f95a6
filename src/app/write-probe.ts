import { setTimeout as delay } from 'node:timers/promises'
import type { Database } from '../database/database.ts'
import { sql } from '../database/drizzle.ts'
import { idOf } from '../database/ids.ts'

/** Whoever asks how the service is makes it write at most this often. */
const LOOK_MS = 1_000
const NAME = 'readiness'

/** Finds out whether the database takes writes: a standby and a full disk answer reads all the same. */
export class WriteProbe {
  readonly #db: Database
  #look: Promise<void> | undefined

  constructor(db: Database) {
    this.#db = db
  }

  /** Throws what the database says when a row cannot be written. Answers of the last second count. */
  check(): Promise<void> {
    this.#look ??= this.#write()
    return this.#look
  }

  async #write(): Promise<void> {
    void delay(LOOK_MS, undefined, { ref: false }).then(() => {
      this.#look = undefined
    })
    await this.#db.query(
      sql`insert into connect_lease (id, name, holder, expires_at)
          values (${idOf('connect_lease', sql`present.name = ${NAME}`)}, ${NAME}, '', now() at time zone 'utc')
          on conflict (name) do update set expires_at = excluded.expires_at`,
    )
  }
}
