import { many2one, text } from '../../platform/model/fields.ts'

/** What a caller gets when a destination fails: an extension, else a sentence. */
export function fallbackFields() {
  return {
    fallback_exten: many2one('When it fails: extension', 'connect.telco.exten', {
      isIndexed: false,
      help: 'Rings when the destination cannot be reached.',
    }),
    fallback_message: text('When it fails: message', {
      maxLength: SPOKEN_CHARS_MAX,
      help: 'Spoken when the destination cannot be reached and there is no extension for that.',
    }),
  }
}

/** Characters the provider speaks in one go (docs/reference/providers.md#markup-verbs). */
export const SPOKEN_CHARS_MAX = 4_000
