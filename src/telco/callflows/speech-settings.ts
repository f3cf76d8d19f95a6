import type { Extension } from '../../platform/model/extend.ts'
import { selection } from '../../platform/model/fields.ts'
import { type ReadOf, setting } from '../../platform/settings/setting.ts'
import { SPEECH_LANGUAGE_DEFAULT, SPEECH_LANGUAGES } from './speech-languages.ts'

const fields = {
  speech_language: setting(
    'speechLanguage',
    selection("Callers' language", SPEECH_LANGUAGES, {
      help: 'New numbers, menus and phones begin with it.',
    }),
    { read: (language) => language ?? SPEECH_LANGUAGE_DEFAULT },
  ),
}

declare module '../../platform/settings/settings.ts' {
  interface SettingsSnapshot extends ReadOf<typeof fields> {}
}

/** What a company speaks with its callers. */
export const speechSettings: Extension = { fields }
