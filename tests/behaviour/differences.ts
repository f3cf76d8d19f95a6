// In what two recordings differ, a line for each: which exchange or row, which of its parts, before and after.
import { RandomNames, withoutNames } from './random-names.ts'
import type { Recording } from './recorder.ts'

const VALUE_CHARS_MAX = 300
const CONTEXT_CHARS = 60

export function differencesOf(old: Recording, young: Recording): string[] {
  const names = new RandomNames()
  return [
    ...(old.database === young.database ? [] : [`the databases are ${old.database} and ${young.database}`]),
    ...compareLists(names, 'exchange', old.exchanges, young.exchanges, ({ part, name, request }) => {
      return `${part} / ${name} / ${request.method} ${request.target}`
    }),
    ...compareLists(names, 'command', old.commands, young.commands, ({ command }) => command),
    ...compareLists(names, 'provider request', old.providers, young.providers, ({ part, provider, request }) => {
      return `${part} / ${provider} ${request}`
    }),
    ...compareLists(names, 'retry', old.retries, young.retries, (retry) => retry),
    ...compareValues(names, 'complaints', old.complaints, young.complaints),
    ...compareRows(names, old.rows, young.rows),
  ]
}

/** Both in their order; what only one of them has is told as such, so that one more does not move all that come after. */
function compareLists<Item>(
  names: RandomNames,
  kind: string,
  old: readonly Item[],
  young: readonly Item[],
  nameOf: (item: Item) => string,
): string[] {
  const lines: string[] = []
  const nameAll = (items: readonly Item[]): string[] => items.map((item) => withoutNames(nameOf(item)))
  const [before, after] = [nameAll(old), nameAll(young)]
  let [left, right] = [0, 0]
  while (left < old.length || right < young.length) {
    const [a, b] = [before[left], after[right]]
    if (a === b) {
      lines.push(...compareValues(names, `${kind} ${left + 1}: ${a}`, old[left], young[right]))
      left += 1
      right += 1
    } else if (isExtra(b, a, { others: before, at: left, own: after, ownAt: right })) {
      lines.push(`${kind} only after: ${right + 1}: ${b}`)
      right += 1
    } else {
      lines.push(`${kind} only before: ${left + 1}: ${a}`)
      left += 1
    }
  }
  return lines
}

/** Whether it is rather `name` that has come in than `other` that has gone: the one that comes up again sooner stays. */
function isExtra(
  name: string | undefined,
  other: string | undefined,
  { others, at, own, ownAt }: { others: readonly string[]; at: number; own: readonly string[]; ownAt: number },
): boolean {
  if (name === undefined) return false
  if (other === undefined) return true
  const [again, otherAgain] = [others.indexOf(name, at), own.indexOf(other, ownAt)]
  if (otherAgain === -1) return false
  return again === -1 || otherAgain - ownAt <= again - at
}

function compareRows(names: RandomNames, old: Recording['rows'], young: Recording['rows']): string[] {
  const lines: string[] = []
  for (const point of new Set([...Object.keys(old), ...Object.keys(young)])) {
    const [before, after] = [old[point] ?? {}, young[point] ?? {}]
    for (const table of new Set([...Object.keys(before), ...Object.keys(after)])) {
      const nameOf = (row: unknown): string =>
        typeof row === 'object' && row !== null && 'id' in row ? `id ${row.id}` : JSON.stringify(row)
      lines.push(...compareLists(names, `${point}: ${table}`, inOrder(before[table]), inOrder(after[table]), nameOf))
    }
  }
  return lines
}

/** Rows without an id come in an order that their random values may have made. */
function inOrder(rows: readonly unknown[] = []): readonly unknown[] {
  const isNamed = (row: unknown): boolean => isRecord(row) && 'id' in row
  if (rows.every(isNamed)) return rows
  const keyed = rows.map((row) => ({ row, key: withoutNames(JSON.stringify(row)) }))
  return keyed.sort((one, other) => (one.key < other.key ? -1 : Number(one.key > other.key))).map(({ row }) => row)
}

function compareValues(names: RandomNames, where: string, old: unknown, young: unknown): string[] {
  if (Object.is(old, young)) return []
  if (typeof old === 'string' && typeof young === 'string' && names.areSame(old, young)) return []
  if (isRecord(old) && isRecord(young)) {
    const keys = new Set([...Object.keys(old), ...Object.keys(young)])
    return [...keys].flatMap((name) => compareValues(names, `${where}: ${name}`, old[name], young[name]))
  }
  const [a, b] = [parsed(old), parsed(young)]
  if (isRecord(a) && isRecord(b)) {
    const inside = compareValues(names, where, a, b)
    // The same values may be written otherwise: then the texts are shown.
    if (inside.length > 0) return inside
  }
  return [`${where}\n  before: ${show(old, young)}\n  after:  ${show(young, old)}`]
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}

function parsed(value: unknown): unknown {
  if (typeof value !== 'string') return undefined
  try {
    return JSON.parse(value)
  } catch {
    return undefined
  }
}

/** Of a long text, the part around where it begins to differ. */
function show(value: unknown, other: unknown): string {
  const [text, compared] = [JSON.stringify(value) ?? 'nothing', JSON.stringify(other) ?? 'nothing']
  if (text.length <= VALUE_CHARS_MAX) return text
  let at = 0
  while (at < text.length && text[at] === compared[at]) at += 1
  const from = Math.max(0, at - CONTEXT_CHARS)
  return `${from > 0 ? '…' : ''}${text.slice(from, from + VALUE_CHARS_MAX)}…`
}
