import { CONNECTIONS } from './grammar-connections.ts'
import { NOUNS } from './grammar-nouns.ts'
import { SPEECH } from './grammar-speech.ts'
import type { ElementRule } from './grammar-values.ts'
import { VERBS } from './grammar-verbs.ts'

/** Every element that a call's markup may have, by name. */
export const ELEMENTS: ReadonlyMap<string, ElementRule> = new Map(
  Object.entries({
    Response: { attributes: {}, children: Object.keys(VERBS) },
    ...VERBS,
    ...NOUNS,
    ...CONNECTIONS,
    ...SPEECH,
  }),
)
