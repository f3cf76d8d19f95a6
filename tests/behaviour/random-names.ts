// Random values have names that count up through a recording, so one more of them moves all that come later. Where two texts
// differ in such names alone, the names are taken for one another from then on, and a name that stood for another one is a
// difference.
const RANDOM = /<random \d+>/g

/** Which random value of one recording is which of the other. */
export class RandomNames {
  readonly #youngOf = new Map<string, string>()
  readonly #oldOf = new Map<string, string>()

  /** Whether both say the same, each under its own names; what is new to both is taken for the same. */
  areSame(old: string, young: string): boolean {
    if (withoutNames(old) !== withoutNames(young)) return false
    const [left, right] = [old.match(RANDOM) ?? [], young.match(RANDOM) ?? []]
    const fresh: [string, string][] = []
    for (const [at, name] of left.entries()) {
      const other = right[at] ?? ''
      if (!this.#fits(name, other)) {
        this.#forget(fresh)
        return false
      }
      if (!this.#youngOf.has(name)) fresh.push([name, other])
      this.#youngOf.set(name, other)
      this.#oldOf.set(other, name)
    }
    return true
  }

  #fits(old: string, young: string): boolean {
    return (this.#youngOf.get(old) ?? young) === young && (this.#oldOf.get(young) ?? old) === old
  }

  #forget(pairs: readonly [string, string][]): void {
    for (const [old, young] of pairs) {
      this.#youngOf.delete(old)
      this.#oldOf.delete(young)
    }
  }
}

/** The text as it is whatever its random values are called, to find what belongs together. */
export function withoutNames(text: string): string {
  return text.replace(RANDOM, '<random>')
}
