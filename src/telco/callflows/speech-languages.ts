/** Languages that the provider speaks and understands on a call. */
export const SPEECH_LANGUAGES = [
  ['ca-ES', 'Catalan'],
  ['cs-CZ', 'Czech'],
  ['da-DK', 'Danish'],
  ['de-DE', 'German'],
  ['en-GB', 'English (United Kingdom)'],
  ['en-US', 'English (United States)'],
  ['es-ES', 'Spanish (Spain)'],
  ['es-MX', 'Spanish (Mexico)'],
  ['fi-FI', 'Finnish'],
  ['fr-FR', 'French'],
  ['hu-HU', 'Hungarian'],
  ['is-IS', 'Icelandic'],
  ['it-IT', 'Italian'],
  ['nl-BE', 'Dutch (Belgium)'],
  ['nl-NL', 'Dutch (Netherlands)'],
  ['pl-PL', 'Polish'],
  ['pt-BR', 'Portuguese (Brazil)'],
  ['pt-PT', 'Portuguese (Portugal)'],
  ['ro-RO', 'Romanian'],
  ['ru-RU', 'Russian'],
  ['sk-SK', 'Slovak'],
  ['sv-SE', 'Swedish'],
  ['tr-TR', 'Turkish'],
  ['uk-UA', 'Ukrainian'],
  ['vi-VN', 'Vietnamese'],
  ['zh-CN', 'Chinese'],
] as const

export const SPEECH_LANGUAGE_DEFAULT = 'en-US'

/** What people read beside a field for a voice. */
export const VOICE_HELP = 'Leave empty to match the language.'
