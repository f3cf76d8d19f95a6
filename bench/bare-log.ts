import type { IncomingMessage } from 'node:http'
import type { BareDatabase } from './bare-database.ts'
import type { BareReply } from './route.ts'

/** As the service has it: so many rows in one statement, and so long a row waits for others. */
const ROWS_MAX = 200
const LINGER_MS = 100

const INSERT = {
  name: 'log',
  text: `insert into connect_delivery (area, route, verdict, status, ms, received_at, host, target, headers, body, body_bytes, reply)
    select area, route, verdict, status, ms, received_at, host, target, headers, body, body_bytes, reply
    from jsonb_to_recordset($1::jsonb) as r (area text, route text, verdict text, status int, ms int, received_at timestamp,
      host text, target text, headers jsonb, body text, body_bytes int, reply text)`,
}

/** The log of deliveries that the service writes beside its answers, by hand: in batches, one at a time. */
export class BareLog {
  readonly #db: BareDatabase
  #rows: object[] = []
  #timer: NodeJS.Timeout | undefined
  #isWriting = false

  constructor(db: BareDatabase) {
    this.#db = db
  }

  note({ url = '', headers }: IncomingMessage, given: { body: Buffer; reply: BareReply; startedMs: number }): void {
    const { body, reply, startedMs } = given
    this.#rows.push({
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
    })
    this.#schedule()
  }

  #schedule(): void {
    if (this.#isWriting || this.#rows.length === 0) return
    if (this.#rows.length >= ROWS_MAX) void this.#write()
    else this.#timer ??= setTimeout(() => void this.#write(), LINGER_MS)
  }

  async #write(): Promise<void> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#isWriting = true
    await this.#db.query(INSERT, [JSON.stringify(this.#rows.splice(0, ROWS_MAX))])
    this.#isWriting = false
    this.#schedule()
  }
}
