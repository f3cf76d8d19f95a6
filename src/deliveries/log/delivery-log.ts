import type { Database } from '../../database/database.ts'
import { sql } from '../../database/drizzle.ts'
import { MicroBatch } from '../../database/micro-batch.ts'
import { statement } from '../../database/statement.ts'
import { asError } from '../../errors.ts'
import type { Logger } from '../../log.ts'
import { type GivenRows, rowWriter, type WrittenRow } from '../../platform/model/given-rows.ts'
import type { RowOf } from '../../platform/model/model.ts'
import { insertManySql } from '../../platform/model/statements.ts'
import { notifyAllChangedSql } from '../../platform/records/notify-changed.ts'
import { deliveryModel } from './delivery-model.ts'

/** Deliveries waiting to be written; past it the newest are dropped and counted, so that a stuck database costs no memory. */
const WAITING_MAX = 5_000
/** How long a row waits for others, because nobody waits for it: one statement for many is a third of the work. */
const LINGER_MS = 100
/** Characters kept of a body and of a reply. */
const TEXT_CHARS_MAX = 65_536
/** Characters of rows in one statement: the embedded engine works in this process and holds it up meanwhile. */
const STATEMENT_CHARS_MAX = 6 * TEXT_CHARS_MAX
/** Characters kept of what is looked up by index. */
const KEY_CHARS_MAX = 200

const COLUMNS = [
  ...(['area', 'route', 'verdict', 'reason', 'status', 'ms', 'received_at', 'call_ref', 'conversation'] as const),
  ...(['tool', 'budget_ms', 'inbox'] as const),
  ...(['call_sid', 'host', 'target', 'headers', 'body', 'body_bytes', 'reply'] as const),
] as const
const ROWS = insertManySql(deliveryModel, { columns: COLUMNS, returning: ['id', 'call_ref'] })
// A row waits until others are written with it: written down at once it is one text, which is cheap to keep meanwhile.
const write = rowWriter(deliveryModel, COLUMNS)
/** Open pages hear of all of them at once. */
const INSERT = statement<never, GivenRows>(
  'delivery_insert',
  sql`with rows as (${ROWS}) ${notifyAllChangedSql(deliveryModel.name, sql`(select id, call_ref as call from rows) saved`)}`,
)

export type Delivery = RowOf<typeof deliveryModel, (typeof COLUMNS)[number]>

/** The log of every delivery: written after the reply, in batches, and drained when the process stops. */
export class DeliveryLog {
  readonly #batch: MicroBatch<WrittenRow, undefined>
  readonly #log: Logger
  readonly #found = new Set<Promise<void>>()
  #dropped = 0

  constructor(db: Database, log: Logger) {
    this.#log = log
    this.#batch = new MicroBatch({
      concurrency: 1,
      lingerMs: LINGER_MS,
      async store(rows) {
        for (const part of partsOf(rows)) await db.run(INSERT, { rows: part })
        return rows.map(() => undefined)
      },
    })
  }

  /** Logs a delivery; never throws and never makes the reply wait. */
  log(delivery: Delivery): void {
    if (this.#batch.size >= WAITING_MAX) {
      this.#dropped += 1
      return
    }
    const { route } = delivery
    this.#batch.add(write(toRow(delivery))).catch((error: unknown) => {
      this.#log.error({ err: asError(error), route }, 'a delivery could not be logged')
    })
  }

  /** The same for a delivery of which something is still being found out; the log is not drained before that. */
  logLater(finding: Promise<Delivery>): void {
    this.waitFor(finding.then((delivery) => this.log(delivery)))
  }

  /** The log is not drained before this has ended, which logs something. */
  waitFor(logging: Promise<void>): void {
    const logged = logging.catch((error: unknown) =>
      this.#log.error({ err: asError(error) }, 'a delivery could not be logged'),
    )
    this.#found.add(logged)
    void logged.finally(() => this.#found.delete(logged))
  }

  /** Deliveries that found no room in the log since the process started. */
  get dropped(): number {
    return this.#dropped
  }

  /** Resolves when everything logged so far is written. */
  async drained(): Promise<void> {
    // What waited may have found that something else is still to be found out.
    while (this.#found.size > 0) await Promise.all(this.#found)
    await this.#batch.drained()
  }
}

/** Rows in the order they came, as many together as one statement takes quickly. */
function* partsOf(rows: readonly WrittenRow[]): Generator<WrittenRow[]> {
  let part: WrittenRow[] = []
  let chars = 0
  for (const row of rows) {
    if (part.length > 0 && chars + row.json.length > STATEMENT_CHARS_MAX) {
      yield part
      part = []
      chars = 0
    }
    part.push(row)
    chars += row.json.length
  }
  if (part.length > 0) yield part
}

function toRow(delivery: Delivery): Delivery {
  return {
    ...delivery,
    conversation: storable(delivery.conversation, KEY_CHARS_MAX),
    call_sid: storable(delivery.call_sid, KEY_CHARS_MAX),
    host: storable(delivery.host, KEY_CHARS_MAX),
    target: storable(delivery.target),
    body: storable(delivery.body),
    reply: storable(delivery.reply),
  }
}

/** Text that the database takes: no NUL, no half characters, not longer than is useful. */
function storable(text: string | null, charsMax = TEXT_CHARS_MAX): string | null {
  if (text === null) return null
  return text.slice(0, charsMax).replaceAll('\0', '\u{fffd}').toWellFormed()
}
