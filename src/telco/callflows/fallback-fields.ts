import { many2one, text } from '../../platform/model/fields.ts'

/** What a caller gets when a destination fails: an extension, else a sentence. */
export function fallbackFields({ tracked = false } = {}) {
  return {
    fallback_exten: many2one('If unanswered, ring', 'connect.telco.exten', {
      isIndexed: false,
      tracked,
      help: 'Rings when no one answers.',
    }),
    fallback_message: text('If unanswered, say', {
      maxLength: SPOKEN_CHARS_MAX,
      tracked,
      help: 'Spoken when no one answers and nothing else rings.',
    }),
  }
}

/** Characters the provider speaks in one go (docs/reference/providers.md#markup-verbs). */
export const SPOKEN_CHARS_MAX = 4_000
