/** Marks that a JSON text may have: what divides it, and what has to be decoded. To parse it takes a time that follows these. */
export interface JsonLimits {
  /** Names with their colons; many different ones are what takes longest. */
  colons: number
  /** Commas, brackets, braces, and backslashes of escapes, each. */
  marks: number
}

/** A text this short is parsed in a few milliseconds whatever is in it. */
const SHORT_BYTES = 32 * 1024
const COLON = ':'.charCodeAt(0)
const OTHER_MARKS = [',', '[', '{', '\\'].map((mark) => mark.charCodeAt(0))

/** Whether a JSON text would hold up everybody else while it is parsed, told from its bytes; nothing is parsed for it. */
export function isTooComplex(raw: Buffer, { colons, marks }: JsonLimits): boolean {
  if (raw.length <= SHORT_BYTES) return false
  return hasMore(raw, COLON, colons) || OTHER_MARKS.some((mark) => hasMore(raw, mark, marks))
}

function hasMore(raw: Buffer, byte: number, countMax: number): boolean {
  let count = 0
  for (let at = raw.indexOf(byte); at !== -1; at = raw.indexOf(byte, at + 1)) {
    count += 1
    if (count > countMax) return true
  }
  return false
}
