import type { SettingsSnapshot } from '../../../platform/settings/settings.ts'
import { joinUrl } from '../../../platform/settings/settings-model.ts'
import { speechPath } from '../../../ports/speech-address.ts'
import { SPOKEN_CHARS_MAX } from '../../callflows/fallback-fields.ts'
import { SPEECH_LANGUAGES } from '../../callflows/speech-languages.ts'
import { parseApiUrl } from '../../client/api-url.ts'
import type { Verb } from '../../markup/verb.ts'
import { play, type SpeechOptions, say } from '../../markup/voice.ts'

/** Audio that was generated from a text. */
interface SpeechFile {
  readonly id: number
  readonly filename: string
  readonly text: string
}

/** A text to be spoken, with the audio that was made of it, if any. */
export interface Speech extends SpeechOptions {
  readonly text: string
  readonly file?: SpeechFile | undefined
}

/** Plays the generated audio while it says what the text says; speaks the text otherwise. */
export function speak(
  settings: Pick<SettingsSnapshot, 'apiUrl' | 'voiceaiEnabled'>,
  { text, file, ...options }: Speech,
): Verb {
  const { apiUrl, voiceaiEnabled } = settings
  const isUsable = voiceaiEnabled && apiUrl !== undefined && parseApiUrl(apiUrl) !== undefined
  if (isUsable && file !== undefined && file.text.trim() === text.trim()) {
    return play(joinUrl(apiUrl, speechPath(file)))
  }
  return say(spoken(text), options)
}

/** The text as far as the provider speaks it in one go. */
export function spoken(text: string): string {
  return text.length <= SPOKEN_CHARS_MAX ? text : text.slice(0, SPOKEN_CHARS_MAX).toWellFormed()
}

/** A voicemail prompt with the user's name in it; other placeholders are left out rather than spoken. */
export function fillPrompt(template: string, { name }: { name: string }): string {
  return template.replaceAll(/\{\{\s*([\w.]*)\s*\}\}/g, (_placeholder, field) => (field === 'user.name' ? name : ''))
}

/** The language of a call for the language of a voice agent: `de` is `de-DE`, `pt-br` is `pt-BR`. */
export function speechLanguage(agentLanguage: string | null): string | undefined {
  const code = agentLanguage?.toLowerCase() ?? ''
  const codes = SPEECH_LANGUAGES.map(([language]) => language)
  const known = codes.find((each) => each.toLowerCase() === code || each.toLowerCase() === `${code}-${code}`)
  return known ?? MAIN_COUNTRIES[code] ?? codes.find((each) => each.toLowerCase().startsWith(`${code}-`))
}

const MAIN_COUNTRIES: Readonly<Record<string, string>> = { en: 'en-US', pt: 'pt-PT' }
