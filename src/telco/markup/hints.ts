/** More hints, or longer ones, are warned of and ignored (https://www.twilio.com/docs/api/errors/13330). */
const HINTS_MAX = 500
const HINT_CHARS_MAX = 100

/** What is wrong with a list of hints, as the end of a sentence that begins with its name; undefined when nothing. */
export function hintsProblem(hints: string): string | undefined {
  const all = splitHints(hints)
  if (all.length > HINTS_MAX) return `may hold at most ${HINTS_MAX} hints, not ${all.length}`
  const long = all.find(isLong)
  if (long === undefined) return undefined
  return `may hold hints of at most ${HINT_CHARS_MAX} characters: "${long.slice(0, HINT_CHARS_MAX).toWellFormed()}" is longer`
}

/** The hints as they were written; without those that the provider would not listen for. */
export function usableHints(hints: string): string | undefined {
  if (hintsProblem(hints) === undefined) return hints.trim() === '' ? undefined : hints
  const usable = splitHints(hints).filter((hint) => !isLong(hint))
  return usable.slice(0, HINTS_MAX).join(', ') || undefined
}

function splitHints(hints: string): string[] {
  return hints
    .split(',')
    .map((hint) => hint.trim())
    .filter((hint) => hint !== '')
}

function isLong(hint: string): boolean {
  return hint.length > HINT_CHARS_MAX
}
