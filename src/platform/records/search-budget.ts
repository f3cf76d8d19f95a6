import { Refusal } from '../../errors.ts'

/** Links all conditions of a domain may follow together: `call.partner.name` follows two. */
const LINKS_FOLLOWED_MAX = 12
/** Conditions of a domain that may look for a text or a pattern. */
const PATTERNS_MAX = 20
/** Characters of a text or pattern to look for. */
const PATTERN_CHARS_MAX = 1_000
/** Values all `in` conditions of a domain may list together. */
const LISTED_VALUES_MAX = 10_000

/** Counts what makes a search expensive while its domain is read, and refuses what is too much. */
export class SearchBudget {
  #links = 0
  #patterns = 0
  #values = 0

  followLink(): void {
    this.#links += 1
    if (this.#links <= LINKS_FOLLOWED_MAX) return
    throw tooMuch(`follow more than ${LINKS_FOLLOWED_MAX} links`, 'search the linked records first, and name their ids')
  }

  /** Takes note of a condition on a field of the model that is reached. */
  compare(operator: string, value: unknown): void {
    if (Array.isArray(value)) this.#list(value.length)
    if (!operator.includes('like')) return
    this.#patterns += 1
    if (this.#patterns > PATTERNS_MAX) {
      throw tooMuch(`look for more than ${PATTERNS_MAX} texts`, 'use fewer conditions with "like" or "ilike"')
    }
    if (typeof value === 'string' && value.length > PATTERN_CHARS_MAX) {
      throw tooMuch(`look for a text of more than ${PATTERN_CHARS_MAX} characters`, 'look for a part of it')
    }
  }

  #list(count: number): void {
    this.#values += count
    if (this.#values <= LISTED_VALUES_MAX) return
    throw tooMuch(`list more than ${LISTED_VALUES_MAX} values`, 'search in several steps')
  }
}

function tooMuch(what: string, advice: string): Refusal {
  return new Refusal('refused', 'api-conditions-this-domain', { what, advice })
}
