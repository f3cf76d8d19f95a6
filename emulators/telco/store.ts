/** One record as it goes over the wire. */
export type WireRecord = { readonly sid: string } & Record<string, unknown>

/** Records of one kind, newest last. */
export class Store {
  readonly #records = new Map<string, WireRecord>()

  add(record: WireRecord): WireRecord {
    this.#records.set(record.sid, record)
    return record
  }

  find(sid: string): WireRecord | undefined {
    return this.#records.get(sid)
  }

  /** The record with these fields replaced. */
  change(record: WireRecord, changes: Readonly<Record<string, unknown>>): WireRecord {
    const changed = { ...record, ...changes, sid: record.sid }
    this.#records.set(record.sid, changed)
    return changed
  }

  remove(sid: string): boolean {
    return this.#records.delete(sid)
  }

  /** In the order of the provider's lists, which is not promised: newest first. */
  list(): WireRecord[] {
    return [...this.#records.values()].reverse()
  }

  /** Puts records back that a list gave, in their order. */
  restore(records: readonly WireRecord[]): void {
    for (const record of [...records].reverse()) this.add(record)
  }

  findWhere(field: string, value: string): WireRecord | undefined {
    return this.list().find((record) => record[field] === value)
  }
}

/** The text in a field; undefined when it is empty or no text. */
export function textOf(record: WireRecord, field: string): string | undefined {
  const value = record[field]
  return typeof value === 'string' && value !== '' ? value : undefined
}
