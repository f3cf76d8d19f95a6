/** Which words of a text were added and removed; pure. */

export interface Piece {
  kind: 'same' | 'added' | 'removed'
  text: string
}

/** Cells of the table that is made at most; texts that need a larger one are compared by lines. */
const CELLS_MAX = 4_000_000
/** Unchanged words that are shown before and after a change. */
const AROUND_WORDS = 12

const WORDS = /\S+\s*|^\s+/g
const LINES = /[^\n]*\n|[^\n]+$/g

/** A text as the words that stay, go and come, in their order; what goes stands before what comes. */
export function wordDifference(before: string, after: string): Piece[] {
  const words = [before.match(WORDS) ?? [], after.match(WORDS) ?? []] as const
  const isLong = words[0].length * words[1].length > CELLS_MAX
  return isLong ? difference(before.match(LINES) ?? [], after.match(LINES) ?? []) : difference(...words)
}

/** The same with only some words around each change; `undefined` stands for what is left out. */
export function shortened(pieces: readonly Piece[]): (Piece | undefined)[] {
  return pieces.flatMap((piece, at) => {
    const words = piece.kind === 'same' ? (piece.text.match(WORDS) ?? []) : []
    const [head, tail] = [at === 0 ? 0 : AROUND_WORDS, at === pieces.length - 1 ? 0 : AROUND_WORDS]
    if (words.length <= head + tail) return [piece]
    const part = (some: readonly string[]): Piece[] =>
      some.length === 0 ? [] : [{ kind: 'same', text: some.join('') }]
    return [...part(words.slice(0, head)), undefined, ...part(tail === 0 ? [] : words.slice(-tail))]
  })
}

/** How many words come and go. */
export function countWords(pieces: readonly Piece[]): { added: number; removed: number } {
  const count = (kind: Piece['kind']) =>
    pieces.filter((piece) => piece.kind === kind).reduce((sum, { text }) => sum + (text.match(/\S+/g)?.length ?? 0), 0)
  return { added: count('added'), removed: count('removed') }
}

function difference(before: readonly string[], after: readonly string[]): Piece[] {
  const isSame = (one: number, other: number) => before[one]?.trimEnd() === after[other]?.trimEnd()
  let head = 0
  while (head < before.length && head < after.length && isSame(head, head)) head += 1
  let tail = 0
  const [was, is] = [before.length, after.length]
  while (tail < Math.min(was, is) - head && isSame(was - 1 - tail, is - 1 - tail)) tail += 1
  const steps: Piece[] = after.slice(0, head).map(same)
  steps.push(...middle(before.slice(head, was - tail), after.slice(head, is - tail)))
  steps.push(...after.slice(is - tail).map(same))
  return joined(steps)
}

/** By the longest words that both have in this order. */
function middle(before: readonly string[], after: readonly string[]): Piece[] {
  const shared = longestShared(before, after)
  const steps: Piece[] = []
  let [row, column] = [0, 0]
  const until = (upTo: { row: number; column: number }): void => {
    steps.push(...before.slice(row, upTo.row).map((text): Piece => ({ kind: 'removed', text })))
    steps.push(...after.slice(column, upTo.column).map((text): Piece => ({ kind: 'added', text })))
  }
  for (const pair of shared) {
    until(pair)
    steps.push(same(after[pair.column] ?? ''))
    ;[row, column] = [pair.row + 1, pair.column + 1]
  }
  until({ row: before.length, column: after.length })
  return steps
}

/** The places of the words that both have, as many as there can be in one order. */
function longestShared(before: readonly string[], after: readonly string[]): { row: number; column: number }[] {
  const isSame = (row: number, column: number) => before[row]?.trimEnd() === after[column]?.trimEnd()
  const longest = longestFrom({ rows: before.length, columns: after.length, isSame })
  const shared: { row: number; column: number }[] = []
  let [row, column] = [0, 0]
  while (row < before.length && column < after.length) {
    if (isSame(row, column)) shared.push({ row: row++, column: column++ })
    else if (longest(row + 1, column) >= longest(row, column + 1)) row += 1
    else column += 1
  }
  return shared
}

interface Table {
  rows: number
  columns: number
  isSame(row: number, column: number): boolean
}

/** How many words both have in one order from a place on. */
function longestFrom({ rows, columns, isSame }: Table): (row: number, column: number) => number {
  const width = columns + 1
  const lengths = new Uint16Array((rows + 1) * width)
  const at = (row: number, column: number) => lengths[row * width + column] ?? 0
  for (let row = rows - 1; row >= 0; row -= 1) {
    for (let column = columns - 1; column >= 0; column -= 1) {
      const without = Math.max(at(row + 1, column), at(row, column + 1))
      lengths[row * width + column] = isSame(row, column) ? at(row + 1, column + 1) + 1 : without
    }
  }
  return at
}

function same(text: string): Piece {
  return { kind: 'same', text }
}

/** Neighbours of one kind as one; between two that stay, all that goes before all that comes. */
function joined(steps: readonly Piece[]): Piece[] {
  const pieces: Piece[] = []
  let waiting = { removed: '', added: '' }
  const flush = (): void => {
    if (waiting.removed !== '') pieces.push({ kind: 'removed', text: waiting.removed })
    if (waiting.added !== '') pieces.push({ kind: 'added', text: waiting.added })
    waiting = { removed: '', added: '' }
  }
  for (const { kind, text } of steps) {
    if (kind !== 'same') {
      waiting[kind] += text
      continue
    }
    flush()
    const last = pieces.at(-1)
    if (last?.kind === 'same') last.text += text
    else pieces.push({ kind, text })
  }
  flush()
  return pieces
}
