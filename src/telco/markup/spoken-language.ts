/** Said for a voice that speaks a language without naming one; stored in many ways of writing. */
const BASIC_VOICES = ['woman', 'man']
/** What those two speak, and nothing else (https://www.twilio.com/docs/voice/twiml/say). */
const BASIC_LANGUAGES = ['en', 'es', 'fr', 'de', 'it']
const BASIC_VOICE_DEFAULT = 'woman'

/** A voice for each of our other languages, from the list of the provider's SDK (twilio 6.2.0, `SayVoice`). */
const VOICES: ReadonlyMap<string, string> = new Map([
  ['ca-ES', 'Google.ca-ES-Standard-A'],
  ['cs-CZ', 'Google.cs-CZ-Standard-A'],
  ['da-DK', 'Google.da-DK-Standard-A'],
  ['fi-FI', 'Google.fi-FI-Standard-A'],
  ['hu-HU', 'Google.hu-HU-Standard-A'],
  ['is-IS', 'Google.is-IS-Standard-A'],
  ['nl-BE', 'Google.nl-BE-Standard-A'],
  ['nl-NL', 'Google.nl-NL-Standard-A'],
  ['pl-PL', 'Google.pl-PL-Standard-A'],
  ['pt-BR', 'Google.pt-BR-Standard-A'],
  ['pt-PT', 'Google.pt-PT-Standard-A'],
  ['ro-RO', 'Google.ro-RO-Standard-A'],
  ['ru-RU', 'Google.ru-RU-Standard-A'],
  ['sk-SK', 'Google.sk-SK-Standard-A'],
  ['sv-SE', 'Google.sv-SE-Standard-A'],
  ['tr-TR', 'Google.tr-TR-Standard-A'],
  ['uk-UA', 'Google.uk-UA-Standard-A'],
  ['vi-VN', 'Google.vi-VN-Standard-A'],
  ['zh-CN', 'Google.cmn-CN-Standard-A'],
])

/** Chinese has a name of its own with each verb: `SayLanguage` and `GatherLanguage` of the provider's SDK. */
const NAMES_WHEN_SPOKEN: ReadonlyMap<string, string> = new Map([['zh-CN', 'cmn-CN']])
const NAMES_WHEN_HEARD: ReadonlyMap<string, string> = new Map([['zh-CN', 'cmn-Hans-CN']])

/** A language as `Say` names it. */
export function spokenName(language: string): string {
  return NAMES_WHEN_SPOKEN.get(language) ?? language
}

/** A language as `Gather` names it; one that it does not know ends a gather of speech before the prompt. */
export function heardName(language: string): string {
  return NAMES_WHEN_HEARD.get(language) ?? language
}

/**
 * A voice that speaks the language: the wished-for one unless it is known to speak another, with which nothing would be
 * heard. `man` and `woman`, in whatever letters, speak five languages; elsewhere a named voice takes their place. Undefined
 * leaves the choice to the provider.
 */
export function voiceFor(language: string | undefined, wished: string | undefined): string | undefined {
  const voice = wished?.trim() ?? ''
  const basic = BASIC_VOICES.find((each) => each === voice.toLowerCase())
  if (language === undefined || language === '') return basic ?? (voice || undefined)
  if (basic === undefined && voice !== '' && !speaksAnother(voice, language)) return voice
  const isBasic = BASIC_LANGUAGES.includes(language.split('-', 1)[0] ?? '')
  return isBasic ? (basic ?? BASIC_VOICE_DEFAULT) : VOICES.get(language)
}

/** Voices of one maker carry their language in their name: `Google.pl-PL-Standard-A`. */
function speaksAnother(voice: string, language: string): boolean {
  const own = /^Google\.([a-z]+-[a-z]+)-/i.exec(voice)?.[1]
  return own !== undefined && own.toLowerCase() !== spokenName(language).toLowerCase()
}
