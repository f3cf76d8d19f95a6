import { readFileSync } from 'node:fs'
import path from 'node:path'

/** A sentence that is longer was made of what somebody sent, and is not compared with any. */
const SENTENCE_CHARS_MAX = 2_000

interface Refused {
  /** Stays the same when the sentence is worded better. */
  code: string
  /** What the sentence is about, by name. */
  params: Record<string, string>
}

/** Every refusal that a person or a program may meet: its code, and its sentence with places for what it is about. */
const SENTENCES = JSON.parse(readFileSync(path.join(import.meta.dirname, 'refusals.json'), 'utf8')) as Record<
  string,
  string
>

const SHAPES: readonly { code: string; matches: RegExp; names: string[] }[] = Object.entries(SENTENCES)
  // Whoever has more words of its own is the more exact one.
  .sort(([, one], [, other]) => bare(other).length - bare(one).length)
  .map(([code, sentence]) => ({ code, matches: shapeOf(sentence), names: placesOf(sentence) }))

/** The code of a refusal by its sentence, and what it is about; the kind of the refusal where no sentence of ours fits. */
export function codeOf(sentence: string, kind: string): Refused {
  if (sentence.length > SENTENCE_CHARS_MAX) return { code: kind, params: {} }
  for (const { code, matches, names } of SHAPES) {
    const found = matches.exec(sentence)
    if (found === null) continue
    return { code, params: Object.fromEntries(names.map((name, at) => [name, found[at + 1] ?? ''])) }
  }
  return { code: kind, params: {} }
}

function shapeOf(sentence: string): RegExp {
  const parts = sentence.split(/\{\w+\}/).map((part) => part.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&'))
  return new RegExp(`^${parts.join('(.*?)')}$`, 's')
}

function placesOf(sentence: string): string[] {
  return [...sentence.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
}

function bare(sentence: string): string {
  return sentence.replaceAll(/\{\w+\}/g, '')
}
