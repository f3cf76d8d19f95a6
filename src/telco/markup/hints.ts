import { Refusal } from '../../errors.ts'

/** More hints, or longer ones, are warned of and ignored (https://www.twilio.com/docs/api/errors/13330). */
const HINTS_MAX = 500
const HINT_CHARS_MAX = 100

/** What is wrong with a list of hints in markup, as the end of a sentence that begins with its name; undefined when nothing. */
export function hintsProblem(hints: string): string | undefined {
  const fault = faultOf(hints)
  if (fault === undefined) return undefined
  if ('count' in fault) return `may hold at most ${HINTS_MAX} hints, not ${fault.count}`
  return `may hold hints of at most ${HINT_CHARS_MAX} characters: "${fault.hint}" is longer`
}

/** Refuses hints of a call flow that the provider would ignore. */
export function requireHints(hints: string): void {
  const fault = faultOf(hints)
  if (fault === undefined) return
  if ('count' in fault)
    throw new Refusal('refused', 'connect-telco-callflow-gather-hints', { max: HINTS_MAX, count: fault.count })
  throw new Refusal('refused', 'gather-hint-too-long', { chars: HINT_CHARS_MAX, hint: fault.hint })
}

function faultOf(hints: string): { count: number } | { hint: string } | undefined {
  const all = splitHints(hints)
  if (all.length > HINTS_MAX) return { count: all.length }
  const long = all.find(isLong)
  return long === undefined ? undefined : { hint: long.slice(0, HINT_CHARS_MAX).toWellFormed() }
}

/** The hints as they were written; without those that the provider would not listen for. */
export function usableHints(hints: string): string | undefined {
  if (faultOf(hints) === undefined) return hints.trim() === '' ? undefined : hints
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
