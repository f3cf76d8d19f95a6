import { wordFinding } from './finding-words.ts'

type Words = Readonly<Record<string, string>>

/** Where a sentence ends and another one begins. */
const JOINT = /(?<=[.!]) (?=\p{Lu})/u
/** Before a colon, whose rest is one or more sentences of their own. */
const LEADS: readonly string[] = [
  'With the current settings: {1}',
  'The sender is genuine, but Connect declined the request: {1}',
]

/**
 * Why a delivery ended as it did, in other words: several sentences, each known by itself or together with those after it.
 * A sentence that there are no words for stays as it is.
 */
export function wordReason(english: string, words: Words): string {
  for (const lead of LEADS) {
    const start = lead.slice(0, -'{1}'.length)
    if (english.startsWith(start) && words[lead] !== undefined) {
      return words[lead].replace('{1}', () => wordReason(english.slice(start.length), words))
    }
  }
  const sentences = english.split(JOINT)
  const said: string[] = []
  while (sentences.length > 0) {
    const [count, text] = shortestKnown(sentences, words) ?? [1, sentences[0] ?? '']
    said.push(text)
    sentences.splice(0, count)
  }
  return said.join(' ')
}

function shortestKnown(sentences: readonly string[], words: Words): [count: number, text: string] | undefined {
  for (let count = 1; count <= sentences.length; count += 1) {
    const text = sentences.slice(0, count).join(' ')
    const said = wordFinding(text, words)
    if (said !== text) return [count, said]
  }
  return undefined
}
