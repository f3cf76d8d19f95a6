import { programTitle } from '../words/program-words.ts'
import { named } from '../words/words.ts'

/** What a record is called on a screen. */
export function titleOf(model: string, name: string): string {
  return named(programTitle(model, name))
}
