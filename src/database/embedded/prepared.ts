import type { PGlite } from '@electric-sql/pglite'
import { serialize } from 'pg-protocol'
import type { DiskRoom } from '../../disk-room.ts'
import { sqlState } from '../database.ts'
import { RolledBackError } from '../transaction.ts'
import { QueryNames, UNNAMED } from './query-names.ts'

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

/** The state of "cached plan must not change result type". */
const RESULT_CHANGED = '0A000'
/** The state of a write in a transaction that only reads. */
const READ_ONLY = '25006'
/** Values that are longer, in characters, are measured against the room on the disk by themselves. */
const LARGE_VALUE_CHARS = 256 * 1024
/** What a character costs on disk at most: its bytes in the table and in the log, and again after a checkpoint. */
const BYTES_PER_CHAR = 4
/**
 * Else the engine makes one plan for all values after five times, and that of a search for common values, or for somebody with
 * many rows, was measured to take 16 s for rare ones, instead of 0.2 s.
 */
const PLANNED_ANEW = 'set local plan_cache_mode = force_custom_plan'
/** What the engine is told when the room runs out, and when it is back. */
const WRITES = { on: 'set default_transaction_read_only = off', off: 'set default_transaction_read_only = on' }

/** What the engine's own library writes takes twice as long: it counts the bytes of each value a character at a time, and twice. */
const RUN_AND_SYNC = Buffer.concat([serialize.execute(), serialize.sync()])

/**
 * Statements that the embedded engine keeps prepared under their names, as a server does. The engine's own `query`
 * parses and plans each time, which takes three to eight times as long as running (docs/decisions/0007).
 */
export class PreparedStatements {
  readonly #engine: PGlite
  readonly #known = new Map<string, Prepared>()
  readonly #names = new QueryNames()
  readonly #room: Pick<DiskRoom, 'isShort' | 'require'>
  #writes: keyof typeof WRITES = 'on'

  constructor(engine: PGlite, room: Pick<DiskRoom, 'isShort' | 'require'>) {
    this.#engine = engine
    this.#room = room
  }

  /**
   * Opens a transaction, into which no other query gets, and commits it when `work` is done, or rolls it back when that
   * throws. Prepared as well: the engine's own `transaction` takes five times as long to open and close one. With
   * `isPlannedAnew` each query is planned for its values, as a server does with queries that have no name.
   */
  async transaction<Result>(work: () => Promise<Result>, { isPlannedAnew = false } = {}): Promise<Result> {
    await this.#engine._checkReady()
    return this.#engine._runExclusiveTransaction(async () => {
      await this.#followRoom()
      await this.#control('begin')
      if (isPlannedAnew) await this.#control(PLANNED_ANEW)
      try {
        const result = await work()
        if ((await this.#control('commit')) !== 'COMMIT') throw new RolledBackError()
        return result
      } catch (error) {
        await this.#control('rollback')
        throw this.#explained(error)
      }
    })
  }

  /** Runs a statement when no transaction is open, as one of its own. */
  async run<Row>(name: string, text: string, values: readonly unknown[]): Promise<Row[]> {
    await this.#engine._checkReady()
    return this.#alone(() => this.runInside<Row>(name, text, values))
  }

  /** Runs a statement inside the transaction that the caller has open. */
  runInside<Row>(name: string, text: string, values: readonly unknown[]): Promise<Row[]> {
    return this.#engine.runExclusive(async () => {
      const prepared = this.#known.get(name) ?? (await this.#prepare(name, text))
      if (prepared.text !== text) throw new Error(`two statements have the name "${name}"`)
      return this.#execute<Row>(name, prepared, values)
    })
  }

  /** Runs a query that was built for this call, when no transaction is open. */
  async query<Row>(text: string, values: readonly unknown[]): Promise<Row[]> {
    await this.#engine._checkReady()
    return this.#alone(() => this.queryInside<Row>(text, values))
  }

  /** The same inside the transaction that the caller has open. A text that comes again is kept prepared. */
  queryInside<Row>(text: string, values: readonly unknown[]): Promise<Row[]> {
    return this.#engine.runExclusive(async () => {
      const { name, replaced } = this.#names.nameOf(text)
      for (const each of replaced) await this.#close(each)
      const prepared = this.#known.get(name) ?? (await this.#prepare(name, text))
      try {
        return await this.#execute<Row>(name, prepared, values)
      } catch (error) {
        // A column of its tables has changed since: the next time begins anew.
        const changed = sqlState(error) === RESULT_CHANGED ? this.#names.forget(text) : undefined
        if (changed !== undefined) await this.#close(changed)
        throw error
      }
    })
  }

  /** Has nobody else at the engine while `first` asks it and `work` works with the answer, however long that takes. */
  async hold<Found, Result>(first: () => Promise<Found>, work: (found: Found) => Promise<Result>): Promise<Result> {
    await this.#engine._checkReady()
    return this.#engine._runExclusiveTransaction(async () => {
      const found = await first()
      return this.#engine.runExclusive(() => work(found))
    })
  }

  #alone<Row>(work: () => Promise<Row[]>): Promise<Row[]> {
    return this.#engine._runExclusiveTransaction(async () => {
      await this.#followRoom()
      try {
        return await work()
      } catch (error) {
        throw this.#explained(error)
      }
    })
  }

  /**
   * Without room the engine only reads: when its log cannot grow it does not fail but stands still for ever, and the
   * process with it.
   */
  async #followRoom(): Promise<void> {
    const wanted = this.#room.isShort() ? 'off' : 'on'
    if (wanted === this.#writes) return
    await this.#control(WRITES[wanted])
    this.#writes = wanted
  }

  /** What was refused for want of room is told as that. */
  #explained(error: unknown): unknown {
    if (sqlState(error) !== READ_ONLY) return error
    try {
      this.#room.require()
    } catch (short) {
      return short
    }
    return error
  }

  /** What the engine says of it: after an error that was passed over it answers a commit with ROLLBACK. */
  #control(command: string): Promise<string | undefined> {
    return this.#engine.runExclusive(async () => {
      if (!this.#known.has(command)) await this.#prepare(command, command)
      const bind = serialize.bind({ statement: command, values: [] })
      const messages = await this.#send(Buffer.concat([bind, RUN_AND_SYNC]))
      return messages.find(isCommandComplete)?.text
    })
  }

  async #execute<Row>(name: string, prepared: Prepared, values: readonly unknown[]): Promise<Row[]> {
    const bound = this.#bound(prepared, values)
    let chars = 0
    for (const value of bound) if (value !== null && value.length > LARGE_VALUE_CHARS) chars += value.length
    if (chars > 0) this.#room.require(chars * BYTES_PER_CHAR)
    const bind = serialize.bind({ statement: name, values: bound })
    const messages = await this.#send(Buffer.concat([bind, RUN_AND_SYNC]))
    return messages.filter(isRow).map(({ fields }) => this.#toRow(prepared, fields) as Row)
  }

  async #close(name: string): Promise<void> {
    this.#known.delete(name)
    await this.#send(Buffer.concat([serialize.close({ type: 'S', name }), serialize.sync()]))
  }

  async #prepare(name: string, text: string): Promise<Prepared> {
    const { parse, describe, sync } = serialize
    const messages = await this.#send(Buffer.concat([parse({ name, text }), describe({ type: 'S', name }), sync()]))
    const prepared = {
      text,
      parameterTypes: messages.find(isParameterDescription)?.dataTypeIDs ?? [],
      columns: messages.find(isRowDescription)?.fields ?? [],
    }
    if (name !== UNNAMED) this.#known.set(name, prepared)
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

/** Tells messages of one name, which have this besides. */
function isNamed<Extra>(name: Message['name']) {
  return (message: Message): message is Message & Extra => message.name === name
}

const isCommandComplete = isNamed<{ text: string }>('commandComplete')
const isRow = isNamed<{ fields: (string | null)[] }>('dataRow')
const isRowDescription = isNamed<{ fields: Column[] }>('rowDescription')
const isParameterDescription = isNamed<{ dataTypeIDs: number[] }>('parameterDescription')
