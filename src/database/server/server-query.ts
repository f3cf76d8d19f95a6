import type { Duplex } from 'node:stream'
import pg from 'pg'
import utils from 'pg/lib/utils.js'

/** What of the driver's connection a query uses; the driver's types show a part of it. */
interface Wire {
  readonly stream: Pick<Duplex, 'cork' | 'uncork'>
  readonly parsedStatements: Readonly<Record<string, string | undefined>>
  /** Names that were sent to be parsed, until the server has answered; cleared by the driver. */
  readonly submittedNamedStatements: Record<string, string | undefined>
  parse(statement: { name: string; text: string }): void
  bind(portal: { statement: string; values: readonly unknown[]; valueMapper(value: unknown): unknown }): void
  describe(portal: { type: 'P'; name: string }): void
  execute(portal: { portal: string }): void
  sync(): void
}

interface Column {
  readonly name: string
  readonly read: (text: string) => unknown
}

/** The driver takes only queries of its own class into its pipeline; of that class nothing else is used. */
const DriverQuery = pg.Query as unknown as new (text: string) => object

/** Reads the text of a value of the type with this number. */
type TypeReader = (oid: number) => (text: string) => unknown

/** The columns of each statement that a connection has prepared; the server refuses to run one whose columns changed. */
const columnsOf = new WeakMap<Wire, Map<string, readonly Column[]>>()

/**
 * A run of a statement that a connection keeps prepared under its name. The driver's own query asks the server for the
 * columns of the result each time, and copies its configuration; for statements of a few microseconds that is most of
 * the work (docs/decisions/0009). Its answer, given to the callback, is the rows.
 */
export class NamedQuery<Row> extends DriverQuery {
  readonly name: string
  readonly text: string
  callback: ((error: Error | null, rows?: Row[]) => void) | undefined
  readonly #values: readonly unknown[]
  readonly #reader: TypeReader
  #columns: readonly Column[] | undefined
  #rows: Row[] = []
  #failure: Error | undefined

  constructor(
    { name, text, values }: { name: string; text: string; values: readonly unknown[] },
    reader: TypeReader,
    callback?: (error: Error | null, rows?: Row[]) => void,
  ) {
    super(text)
    this.name = name
    this.text = text
    this.#values = values
    this.#reader = reader
    this.callback = callback
  }

  /** Sends it; the driver calls this when it is this query's turn. What is returned has not been sent. */
  submit(wire: Wire): Error | null {
    const { name, text } = this
    const parsed = wire.parsedStatements[name] ?? wire.submittedNamedStatements[name]
    if (parsed !== undefined && parsed !== text) return new Error(`two statements have the name "${name}"`)
    this.#columns = knownColumns(wire).get(name)
    wire.stream.cork()
    try {
      if (parsed === undefined) {
        wire.parse({ name, text })
        wire.submittedNamedStatements[name] = text
      }
      wire.bind({ statement: name, values: this.#values, valueMapper: utils.prepareValue })
      if (this.#columns === undefined) wire.describe({ type: 'P', name: '' })
      wire.execute({ portal: '' })
    } catch (error) {
      // A value that cannot be written. The driver goes on to the next query when the server has answered `sync`.
      this.#failure = error as Error
    } finally {
      wire.sync()
      wire.stream.uncork()
    }
    return null
  }

  handleRowDescription({ fields }: { fields: readonly { name: string; dataTypeID: number }[] }): void {
    this.#columns = fields.map(({ name, dataTypeID }) => ({ name, read: this.#reader(dataTypeID) }))
  }

  handleDataRow({ fields }: { fields: readonly (string | null)[] }): void {
    if (this.#failure !== undefined) return
    const row: Record<string, unknown> = {}
    try {
      for (const [at, { name, read }] of (this.#columns ?? []).entries()) {
        const text = fields[at] ?? null
        row[name] = text === null ? null : read(text)
      }
    } catch (error) {
      // Thrown from here it would take the connection, and with it the process, down.
      this.#failure = error as Error
    }
    this.#rows.push(row as Row)
  }

  handleCommandComplete(_message: object, wire: Wire): void {
    const known = knownColumns(wire)
    // One without rows has no columns either, which the server need not be asked again.
    if (!known.has(this.name)) known.set(this.name, this.#columns ?? [])
  }

  handleError(error: Error): void {
    this.callback?.(this.#failure ?? error)
    this.callback = undefined
  }

  handleReadyForQuery(): void {
    if (this.#failure === undefined) this.callback?.(null, this.#rows)
    else this.handleError(this.#failure)
  }
}

function knownColumns(wire: Wire): Map<string, readonly Column[]> {
  let known = columnsOf.get(wire)
  if (known === undefined) {
    known = new Map()
    columnsOf.set(wire, known)
  }
  return known
}
