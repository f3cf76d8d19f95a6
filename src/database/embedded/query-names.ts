import { forgetOldest } from '../../forget-oldest.ts'

/** Texts of queries built for a call that are kept prepared, each for some tens of kilobytes in the engine. */
const NAMED_MAX = 300
/** Texts that have been seen once and are prepared when they come again. */
const SEEN_MAX = 500
/** The engine's statement without a name, which the next one replaces. */
export const UNNAMED = ''
const NONE: readonly string[] = []

/** The names under which texts of queries are kept prepared from their second time on. */
export class QueryNames {
  /** The longest unused first. */
  readonly #names = new Map<string, string>()
  readonly #seen = new Set<string>()
  #named = 0

  /** The name of a text, and those that it takes the room of: they are to be closed. */
  nameOf(text: string): { name: string; replaced: readonly string[] } {
    const known = this.#names.get(text)
    if (known !== undefined) {
      this.#names.delete(text)
      this.#names.set(text, known)
      return { name: known, replaced: NONE }
    }
    if (!this.#seen.delete(text)) {
      this.#seen.add(text)
      forgetOldest(this.#seen, SEEN_MAX)
      return { name: UNNAMED, replaced: NONE }
    }
    const oldest = [...this.#names.keys().take(Math.max(0, this.#names.size - NAMED_MAX + 1))]
    const replaced = oldest.flatMap((each) => this.forget(each) ?? [])
    this.#named += 1
    const name = `query ${this.#named}`
    this.#names.set(text, name)
    return { name, replaced }
  }

  /** Begins anew with a text; gives the name it had. */
  forget(text: string): string | undefined {
    const name = this.#names.get(text)
    this.#names.delete(text)
    return name
  }
}
