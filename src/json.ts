/** Marks that a JSON text may have: what divides it, and what has to be decoded. To parse it takes a time that follows these. */
export interface JsonLimits {
  /** Names with their colons; many different ones are what takes longest. */
  colons: number
  /** Commas, brackets, braces, and backslashes of escapes, each. */
  marks: number
}

/** A text this short is parsed in a few milliseconds whatever is in it. */
const SHORT_BYTES = 32 * 1024
const BYTE_ORDER_MARK = '\ufeff'
const COLON = ':'.charCodeAt(0)
const QUOTE = '"'.charCodeAt(0)
const BACKSLASH = '\\'.charCodeAt(0)
/** What a byte adds to the level, by its value. */
const LEVEL_STEPS = Int8Array.from({ length: 256 }, (_none, byte) => {
  const mark = String.fromCharCode(byte)
  return Number('[{'.includes(mark)) - Number(']}'.includes(mark))
})
const OTHER_MARKS = [',', '[', '{', '\\'].map((mark) => mark.charCodeAt(0))

/** What a JSON text says, with or without a byte order mark; `otherwise` when it is none. */
export function parseJson(text: string, otherwise?: unknown): unknown {
  try {
    return JSON.parse(text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text)
  } catch {
    return otherwise
  }
}

/** Whether a JSON text would hold up everybody else while it is parsed, told from its bytes; nothing is parsed for it. */
export function isTooComplex(raw: Buffer, { colons, marks }: JsonLimits): boolean {
  if (raw.length <= SHORT_BYTES) return false
  return hasMore(raw, COLON, colons) || OTHER_MARKS.some((mark) => hasMore(raw, mark, marks))
}

/** Whether lists and objects stand inside one another more than so many levels deep, told from the bytes of a JSON text. */
export function isTooDeep(raw: Buffer, levelsMax: number): boolean {
  let level = 0
  for (let at = 0; at < raw.length; at += 1) {
    const byte = raw[at] ?? 0
    if (byte === QUOTE) at = endOfText(raw, at)
    else level += LEVEL_STEPS[byte] ?? 0
    if (level > levelsMax) return true
  }
  return false
}

/** Where the quote is that ends the text which begins with the one at `start`. */
function endOfText(raw: Buffer, start: number): number {
  let at = start + 1
  // What follows a backslash ends no text.
  while (at < raw.length && raw[at] !== QUOTE) at += raw[at] === BACKSLASH ? 2 : 1
  return at
}

function hasMore(raw: Buffer, byte: number, countMax: number): boolean {
  let count = 0
  for (let at = raw.indexOf(byte); at !== -1; at = raw.indexOf(byte, at + 1)) {
    count += 1
    if (count > countMax) return true
  }
  return false
}
