// Which language of callers the set-up proposes.
import { expect, test } from 'vitest'
import { SPEECH_LANGUAGES } from '../../src/telco/callflows/speech-languages.ts'
import { spokenHere } from '../../web/settings/spoken-here.ts'

test.each([
  [['de-CH', 'en'], 'de-DE'],
  [['de'], 'de-DE'],
  [['en-GB'], 'en-GB'],
  [['en'], 'en-US'],
  [['en-AU'], 'en-US'],
  [['fr-CH', 'de-CH'], 'fr-FR'],
  [['pt-BR'], 'pt-BR'],
  [['pt'], 'pt-PT'],
  [['es-AR'], 'es-ES'],
  [['nl'], 'nl-NL'],
  [['ja', 'it-CH'], 'it-IT'],
  [['ja'], null],
])('a reader of %j speaks with callers in %s', (languages, spoken) => {
  expect(spokenHere(SPEECH_LANGUAGES, languages)).toBe(spoken)
})
