// Takes out of a recording what differs from one to the next without the service behaving otherwise.
import { createHash } from 'node:crypto'
import { MARK } from './steady.ts'

/** Longer texts are shown by their beginning and stand for the rest by its hash. */
const TEXT_CHARS_MAX = 30_000
const TEXT_CHARS_SHOWN = 1_000
const DAY_MS = 86_400_000
const MARKED = {
  uuid: `${MARK.toString('hex').slice(0, 8)}-${MARK.toString('hex').slice(8)}-4[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}`,
  hex: `${MARK.toString('hex').slice(0, 8)}[0-9a-f]{8,}`,
  // Either of the two alphabets.
  base64: `${MARK.toString('base64').replaceAll('+', '[+-]').replaceAll('/', '[/_]')}[A-Za-z0-9+/_-]+={0,2}`,
}
const RANDOM = new RegExp(
  [
    // Keys, also the local one, which is derived from random values.
    '\\bck_[A-Za-z0-9_-]{43}',
    MARKED.uuid,
    MARKED.hex,
    MARKED.base64,
    '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}',
    '(?<![0-9a-f])[0-9a-f]{64}(?![0-9a-f])',
  ].join('|'),
  'g',
)
/** Secrets as they are stored: version, nonce, tag and text, which are never the same twice. */
const ENCRYPTED = /\bv[12]:[A-Za-z0-9+/=:_.-]{20,}/g
const SIGNATURE = /("?(?:x-[a-z]+-signature|elevenlabs-signature|voiceai-signature)"?: ?"?)[^"\n]+/gi
const SIGNED = /-signature$/i
const TIME = /\b(\d{4}-\d\d-\d\d)([T ])(\d\d:\d\d(?::\d\d(?:\.\d+)?)?)(Z|\+00(?::?00)?)?/g
const DATE = /\b\d{4}-\d\d-\d\d\b/g
/** What is said of the machine in an answer: the room on its disks. */
const ROOM = /("free_mb":\s?)\{[^}]*\}/g
/** The same in the answers of the API: a text within a text is escaped. */
const MEASURED_IN_TEXT = /(\\?"ms\\?":\s?)\d+/g
const PORT = /\b127\.0\.0\.1:\d+/g
/** Columns that measure the machine. */
export const MEASURED: ReadonlySet<string> = new Set(['ms'])

/** The text without what is random in it, to sort by. */
export function steadyPart(text: string): string {
  return text.replace(RANDOM, '')
}

/** Replaces the same random value by the same name everywhere, in the order in which they come up. */
export class Normaliser {
  readonly #names = new Map<string, string>()
  readonly #words: readonly (readonly [string, string])[]
  readonly #realMs: number

  /** `words` are texts of this run alone, with what is written for them; `realMs` is when it was made. */
  constructor(words: readonly (readonly [string, string])[], realMs: number) {
    this.#words = words
    this.#realMs = realMs
  }

  value(value: unknown): unknown {
    if (typeof value === 'string') return this.text(value)
    if (Array.isArray(value)) return value.map((each) => this.value(each))
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(Object.entries(value).map(([name, each]) => [this.text(name), this.#ofName(name, each)]))
  }

  #ofName(name: string, value: unknown): unknown {
    if (MEASURED.has(name) && typeof value === 'number') return '<measured>'
    return SIGNED.test(name) && typeof value === 'string' ? '<signature>' : this.value(value)
  }

  text(text: string): string {
    return shortened(this.#replaced(text))
  }

  #replaced(text: string): string {
    const replaced = this.#words.reduce((rest, [word, name]) => rest.replaceAll(word, name), text)
    return replaced
      .replace(ENCRYPTED, (stored) => `<encrypted, ${stored.length} characters>`)
      .replace(MEASURED_IN_TEXT, '$1"<measured>"')
      .replace(PORT, '127.0.0.1:<port>')
      .replace(ROOM, '$1"<measured>"')
      .replace(SIGNATURE, '$1<signature>')
      .replace(RANDOM, (random) => this.#nameOf(random))
      .replace(TIME, (time, date: string) => (this.#isReal(date) ? '<now>' : time))
      .replace(DATE, (date) => (this.#isReal(date) ? '<today>' : date))
  }

  #nameOf(random: string): string {
    const known = this.#names.get(random)
    if (known !== undefined) return known
    const name = `<random ${this.#names.size + 1}>`
    this.#names.set(random, name)
    return name
  }

  /** Of the database's own clock, which runs on. */
  #isReal(date: string): boolean {
    return Math.abs(Date.parse(date) - this.#realMs) < 2 * DAY_MS
  }
}

function shortened(text: string): string {
  if (text.length <= TEXT_CHARS_MAX) return text
  const hash = createHash('sha256').update(text).digest('base64')
  return `${text.slice(0, TEXT_CHARS_SHOWN)} <${text.length} characters, ${hash}>`
}
