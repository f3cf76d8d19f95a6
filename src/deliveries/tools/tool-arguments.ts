import { Refusal } from '../../errors.ts'
import { readId, readText } from '../../lenient-values.ts'
import type { ToolArguments } from './tool-table.ts'

/** Characters of a one-line argument, such as a subject or a name. */
export const LINE_CHARS_MAX = 1_000
/** Characters of a longer one, such as a description or a note. */
export const TEXT_CHARS_MAX = 100_000

/** An id that must be there; `missing` is the sentence when it is not. */
export function requireIdArgument(args: ToolArguments, name: string, missing: string): number {
  const reading = readId(args[name])
  if (reading.kind === 'present') return reading.value
  throw new Refusal('malformed', reading.kind === 'absent' ? missing : `The ${name} must be a number.`)
}

/** An id that may be left out; what is no id counts as left out when `isLenient`. */
export function optionalIdArgument(args: ToolArguments, name: string, isLenient = false): number | undefined {
  const reading = readId(args[name])
  if (reading.kind === 'present') return reading.value
  if (reading.kind === 'absent' || isLenient) return undefined
  throw new Refusal('malformed', `The ${name} must be a number.`)
}

/** A text that may be left out. */
export function textArgument(args: ToolArguments, name: string, maxChars = LINE_CHARS_MAX): string | undefined {
  const reading = readText(args[name], maxChars)
  if (reading.kind === 'present') return reading.value
  if (reading.kind === 'absent') return undefined
  throw new Refusal('malformed', `The ${name} must be a text of at most ${maxChars} characters.`)
}

/** A text that must be there. */
export function requireTextArgument(
  args: ToolArguments,
  name: string,
  missing: string,
  maxChars = LINE_CHARS_MAX,
): string {
  const text = textArgument(args, name, maxChars)
  if (text === undefined) throw new Refusal('malformed', missing)
  return text
}
