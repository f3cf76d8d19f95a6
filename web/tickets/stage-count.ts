import { formats } from '../words/words.ts'

/** The service counts the tickets of a stage up to one more. */
const COUNTED_MAX = 1_000

/** How many there are, as far as they are counted: "1,000+". */
export function countOf(count: number): string {
  return count > COUNTED_MAX ? `${formats.count(COUNTED_MAX)}+` : formats.count(count)
}
