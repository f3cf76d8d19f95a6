/** What ElevenLabs says of a voice, in the reader's words; pure. */
import type { Keys } from '../words/keys.ts'
import { languageName } from '../words/languages.ts'

/** Values as ElevenLabs gives them; its makers of voices may write others, which stay as they are. */
const WORDS: Readonly<Record<string, Keys['records']>> = {
  male: 'voiceMale',
  female: 'voiceFemale',
  neutral: 'voiceNeutral',
  american: 'voiceAmerican',
  british: 'voiceBritish',
  australian: 'voiceAustralian',
  irish: 'voiceIrish',
  young: 'voiceYoung',
  middle_aged: 'voiceMiddleAged',
  'middle aged': 'voiceMiddleAged',
  old: 'voiceOld',
}

interface Voice {
  language: string | null
  accent: string | null
  gender: string | null
}

/** One value of a voice in words. */
export function traitOf(value: string, say: (key: Keys['records']) => string): string {
  const key = WORDS[value.toLowerCase()]
  return key === undefined ? value : say(key)
}

/** Such as `German`, `american` and `male`, without what is not known. */
export function voiceTraits(
  { language, accent, gender }: Voice,
  { say, reader }: { say: (key: Keys['records']) => string; reader: string },
): string[] {
  const worded = (value: string | null): string => traitOf(value ?? '', say)
  const spoken = language ? languageName(language, reader) : ''
  return [spoken, worded(accent), worded(gender)].filter((each) => each !== '')
}
