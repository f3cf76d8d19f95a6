import type { PGlite, protocol } from '@electric-sql/pglite'

/** What of a statement is sent to the engine. */
interface Prepared {
  text: string
  parameterTypes: readonly number[]
  columns: readonly Column[]
}

interface Column {
  name: string
  dataTypeID: number
}

type Message = Awaited<ReturnType<PGlite['execProtocolStream']>>[number]

/**
 * Statements that the embedded engine keeps prepared under their names, as a server does. The engine's own `query`
 * parses and plans each time, which takes three to eight times as long as running (docs/decisions/0007).
 */
export class PreparedStatements {
  readonly #engine: PGlite
  readonly #serialize: typeof protocol.serialize
  readonly #known = new Map<string, Prepared>()
  readonly #runAndSync: Uint8Array

  constructor(engine: PGlite, serialize: typeof protocol.serialize) {
    this.#engine = engine
    this.#serialize = serialize
    this.#runAndSync = Buffer.concat([serialize.execute({}), serialize.sync()])
  }

  /** Runs a statement when no transaction is open, as one of its own. */
  async run<Row>(name: string, text: string, values: readonly unknown[]): Promise<Row[]> {
    await this.#engine._checkReady()
    return this.#engine._runExclusiveTransaction(() => this.runInside(name, text, values))
  }

  /** Runs a statement inside the transaction that the caller has open. */
  runInside<Row>(name: string, text: string, values: readonly unknown[]): Promise<Row[]> {
    return this.#engine.runExclusive(async () => {
      const prepared = this.#known.get(name) ?? (await this.#prepare(name, text))
      if (prepared.text !== text) throw new Error(`two statements have the name "${name}"`)
      const bind = this.#serialize.bind({ statement: name, values: this.#bound(prepared, values) })
      const messages = await this.#send(Buffer.concat([bind, this.#runAndSync]))
      return messages.filter(isRow).map(({ fields }) => this.#toRow(prepared, fields) as Row)
    })
  }

  async #prepare(name: string, text: string): Promise<Prepared> {
    const { parse, describe, sync } = this.#serialize
    const messages = await this.#send(Buffer.concat([parse({ name, text }), describe({ type: 'S', name }), sync()]))
    const prepared = {
      text,
      parameterTypes: messages.find(isParameterDescription)?.dataTypeIDs ?? [],
      columns: messages.find(isRowDescription)?.fields ?? [],
    }
    this.#known.set(name, prepared)
    return prepared
  }

  /** One answer to each message; what ends with `sync` leaves the engine ready also after an error. */
  #send(message: Uint8Array): Promise<Message[]> {
    return this.#engine.execProtocolStream(message, { syncToFs: false })
  }

  #bound({ parameterTypes }: Prepared, values: readonly unknown[]): (string | null)[] {
    const { serializers } = this.#engine
    return values.map((value, at) => {
      if (value === null || value === undefined) return null
      return serializers[parameterTypes[at] ?? 0]?.(value) ?? String(value)
    })
  }

  #toRow({ columns }: Prepared, fields: readonly (string | null)[]): Record<string, unknown> {
    const { parsers } = this.#engine
    const row: Record<string, unknown> = {}
    for (const [at, { name, dataTypeID }] of columns.entries()) {
      const text = fields[at] ?? null
      const parse = parsers[dataTypeID]
      row[name] = text === null || parse === undefined ? text : parse(text, dataTypeID)
    }
    return row
  }
}

function isRow(message: Message): message is Message & { fields: (string | null)[] } {
  return message.name === 'dataRow'
}

function isRowDescription(message: Message): message is Message & { fields: Column[] } {
  return message.name === 'rowDescription'
}

function isParameterDescription(message: Message): message is Message & { dataTypeIDs: number[] } {
  return message.name === 'parameterDescription'
}
