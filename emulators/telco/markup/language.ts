import written from './language.json' with { type: 'json' }

interface ElementLanguage {
  /** What each attribute takes: `text`, `number`, `boolean`, or the name of a list of words, `*` behind it for several. */
  readonly attributes: Readonly<Record<string, string>>
  readonly children: readonly string[]
  readonly text: boolean
}

interface MarkupLanguage {
  readonly source: string
  readonly words: Readonly<Record<string, readonly string[]>>
  readonly elements: Readonly<Record<string, ElementLanguage>>
}

/** Every element, attribute, word, language and voice that the provider's SDK declares (`sources/markup-from-sdk.ts`). */
export const LANGUAGE: MarkupLanguage = written

const names = new Map(Object.entries(LANGUAGE.elements))

/** What an element may carry and hold; undefined for one that the provider does not have. */
export function elementNamed(name: string): ElementLanguage | undefined {
  return names.get(name)
}

/** The words of a list; empty for one that does not exist. */
export function wordsOf(list: string): readonly string[] {
  return Object.hasOwn(LANGUAGE.words, list) ? (LANGUAGE.words[list] ?? []) : []
}
