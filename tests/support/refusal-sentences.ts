import { FOR_PEOPLE } from '../../src/refusals-for-people.ts'
import { FOR_PROGRAMS } from '../../src/refusals-for-programs.ts'

const SENTENCES: Readonly<Record<string, string>> = { ...FOR_PEOPLE, ...FOR_PROGRAMS }
const REFUSAL = /new Refusal\(\s*'[\w-]+',\s*'([\w-]+)'/g

/** The sentences of the refusals that this code throws, their places numbered as in the German words of reasons. */
export function refusalsIn(code: string): string[] {
  return [...code.matchAll(REFUSAL)].flatMap(([, name = '']) => {
    let count = 0
    const sentence = SENTENCES[name]
    return sentence === undefined ? [] : [sentence.replaceAll(/\{\{\w+\}\}/g, () => `{${++count}}`)]
  })
}
