import type { IncomingMessage } from 'node:http'
import type { BareDatabase } from './bare-database.ts'
import type { BareReply } from './route.ts'

/** As the service has it: so many rows in one statement. */
const ROWS_MAX = 200

const INSERT = {
  name: 'log',
  text: `insert into connect_delivery (area, route, verdict, status, ms, received_at, host, target, headers, body, body_bytes, reply)
    select area, route, verdict, status, ms, received_at, host, target, headers, body, body_bytes, reply
    from jsonb_to_recordset($1::jsonb) as r (area text, route text, verdict text, status int, ms int, received_at timestamp,
      host text, target text, headers jsonb, body text, body_bytes int, reply text)`,
}

/** The log of deliveries by hand: in batches, one at a time, each with whatever has come while the last one was written. */
export class BareLog {
  readonly #db: BareDatabase
  readonly #lingerMs: number
  #waiting: { row: object; written: () => void }[] = []
  #timer: NodeJS.Timeout | undefined
  #isWriting = false

  /** `lingerMs`: so long a row waits for others when none is being written. */
  constructor(db: BareDatabase, lingerMs: number) {
    this.#db = db
    this.#lingerMs = lingerMs
  }

  /** Resolves when the row is in the database. */
  note(
    { url = '', headers }: IncomingMessage,
    given: { body: Buffer; reply: BareReply; startedMs: number },
  ): Promise<void> {
    const { body, reply, startedMs } = given
    const row = {
      area: 'bare',
      route: url,
      verdict: 'handled',
      status: reply.status,
      ms: Math.round(performance.now() - startedMs),
      received_at: new Date().toISOString().slice(0, -1),
      host: headers.host ?? null,
      target: url,
      headers,
      body: body.toString(),
      body_bytes: body.length,
      reply: reply.body,
    }
    return new Promise((written) => {
      this.#waiting.push({ row, written })
      this.#schedule()
    })
  }

  #schedule(): void {
    if (this.#isWriting || this.#waiting.length === 0) return
    if (this.#waiting.length >= ROWS_MAX) void this.#write()
    else this.#timer ??= setTimeout(() => void this.#write(), this.#lingerMs)
  }

  async #write(): Promise<void> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#isWriting = true
    const batch = this.#waiting.splice(0, ROWS_MAX)
    await this.#db.query(INSERT, [JSON.stringify(batch.map(({ row }) => row))])
    for (const { written } of batch) written()
    this.#isWriting = false
    this.#schedule()
  }
}
