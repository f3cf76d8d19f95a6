/** What is typed about an agent and not saved yet; pure. */
import { type Values, wire } from '../records/record-values.ts'

/** What is typed, with what was there when it was typed. */
export interface Typed {
  values: Values
  seen: Values
  stamp: string | null
}

interface Change {
  name: string
  value: unknown
  /** The agent as calls have it, and what its draft says besides. */
  row: Values
  drafted: Values
  /** What of it is just being saved: what was there before is a change of that. */
  sending?: Values
}

/** With one more value; what is as it was before is typed no more, and nothing is left when that was all. */
export function withTyped(before: Typed, { name, value, row, drafted, sending = {} }: Change): Typed | undefined {
  const stored = name in drafted ? drafted[name] : row[name]
  if (name in sending || !isSame(value, stored)) {
    const seen = name in before.seen ? before.seen : { ...before.seen, [name]: wire(row[name]) }
    return { ...before, values: { ...before.values, [name]: value }, seen }
  }
  const without = (all: Values): Values => Object.fromEntries(Object.entries(all).filter(([each]) => each !== name))
  const values = without(before.values)
  return Object.keys(values).length === 0 ? undefined : { ...before, values, seen: without(before.seen) }
}

/** As they are written; a field without a value holds nothing or an empty text. */
function isSame(one: unknown, other: unknown): boolean {
  const written = (value: unknown) => JSON.stringify(value === '' ? null : (wire(value) ?? null))
  return written(one) === written(other)
}
