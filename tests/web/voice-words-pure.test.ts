// A voice is described in the words of the reader, not in those of the platform.
import { expect, test } from 'vitest'
import { voiceTraits } from '../../web/records/voice-words.ts'
import de from '../../web/words/de/records.json' with { type: 'json' }
import en from '../../web/words/en/records.json' with { type: 'json' }

const VOICE = { language: null, accent: null, gender: null }

test.each([
  [{ ...VOICE, accent: 'american', gender: 'male' }, ['American', 'male'], ['amerikanisch', 'männlich']],
  [{ ...VOICE, language: 'de', gender: 'Female' }, ['German', 'female'], ['Deutsch', 'weiblich']],
  [{ ...VOICE, accent: 'bavarian' }, ['bavarian'], ['bavarian']],
  [VOICE, [], []],
])('a voice %j is told in words', (voice, english, german) => {
  expect(voiceTraits(voice, { say: (key) => (en as Record<string, string>)[key] ?? key, reader: 'en' })).toEqual(
    english,
  )
  expect(voiceTraits(voice, { say: (key) => (de as Record<string, string>)[key] ?? key, reader: 'de' })).toEqual(german)
})
