import { APOSTROPHES } from '../../folded-text.ts'

/** A text as it is compared: decoded, without accents and capitals, with where each character comes from. */
export interface FoldedText {
  readonly text: string
  /** Where the source of each character begins, and where it ends. */
  readonly starts: readonly number[]
  readonly ends: readonly number[]
}

/** What addresses of the web, HTML and JSON write for characters; anything else is one character. One pass, no way back. */
const UNIT = /(?:%[0-9a-f]{2})+|&(?:amp|lt|gt|quot|apos|nbsp|#\d{1,7}|#x[0-9a-f]{1,6});|\\u[0-9a-f]{4}|[\s\S]/giu
const ENTITIES: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&apos;': "'",
  '&nbsp;': ' ',
}
const CODE_POINT_MAX = 0x10_ff_ff
const ASCII_MAX = 0x7f
const HEX = 16
/** Accents that stand by themselves, and characters that nobody sees. */
const UNSEEN = /[\p{M}\p{Cf}]/gu
/** Some of them are letters, which would be part of a word. */
const ANY_APOSTROPHE = new RegExp(`[${APOSTROPHES}]`, 'g')

export function foldWithPlaces(source: string): FoldedText {
  const parts: string[] = []
  const starts: number[] = []
  const ends: number[] = []
  for (const { 0: unit, index } of source.matchAll(UNIT)) {
    const end = index + unit.length
    const folded = foldUnit(unit)
    // An accent belongs to the character before it.
    if (folded === '' && ends.length > 0) ends[ends.length - 1] = end
    parts.push(folded)
    for (let each = 0; each < folded.length; each += 1) {
      starts.push(index)
      ends.push(end)
    }
  }
  return { text: parts.join(''), starts, ends }
}

function foldUnit(unit: string): string {
  if (unit.length === 1 && unit.charCodeAt(0) <= ASCII_MAX) return unit.toLowerCase()
  return decoded(unit).normalize('NFKD').replaceAll(UNSEEN, '').replaceAll(ANY_APOSTROPHE, "'").toLowerCase()
}

function decoded(unit: string): string {
  if (unit.length > 1 && unit.startsWith('%')) return percentDecoded(unit)
  if (unit.length > 1 && unit.startsWith('\\u')) return fromCode(Number.parseInt(unit.slice(2), HEX))
  if (unit.length === 1 || !unit.startsWith('&')) return unit
  const named = ENTITIES[unit.toLowerCase()]
  if (named !== undefined) return named
  const isHex = /^&#x/i.test(unit)
  return fromCode(Number.parseInt(unit.slice(isHex ? 3 : 2), isHex ? HEX : 10))
}

function percentDecoded(unit: string): string {
  try {
    return decodeURIComponent(unit)
  } catch {
    return unit
  }
}

function fromCode(code: number): string {
  return code <= CODE_POINT_MAX ? String.fromCodePoint(code) : ' '
}
