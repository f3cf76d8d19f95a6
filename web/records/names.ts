/** What pickers offer, by name. */
import type { Link } from '../data/models.gen.ts'
import { holds } from '../words/folded.ts'

/** Records that a picker offers at once. */
export const NAMES_MAX = 20
/** Records that are called by a number alone; people know who answers it. */
export const EXTENSIONS = 'connect.telco.exten'

/** Tools found by the words that they are shown in, and by the name that the platform knows. */
export function toolsFound(tools: readonly Link[], text: string, wordsOf: (name: string) => string): Link[] {
  return tools.filter(([, name]) => holds(wordsOf(name), text) || holds(name, text)).slice(0, NAMES_MAX)
}

/** "201 · Ann Baker", or the number alone where it leads nowhere. */
export function extensionName(number: string | null, name: string | null): string {
  return name === null || name === '' ? (number ?? '') : `${number} · ${name}`
}
