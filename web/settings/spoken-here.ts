/** English is spoken in two countries; of a reader who names none, callers are taken for those of the service's default. */
const COUNTRY_UNNAMED: Readonly<Record<string, string>> = { en: 'en-US', pt: 'pt-PT', es: 'es-ES', nl: 'nl-NL' }

/** The first of the reader's languages that callers can be spoken to in: `de-CH` is `de-DE`; null where there is none; pure. */
export function spokenHere(
  choices: readonly (readonly [code: string, label: string])[],
  languages: readonly string[],
): string | null {
  const codes = choices.map(([code]) => code)
  for (const each of languages) {
    const language = each.slice(0, 2).toLowerCase()
    const main = COUNTRY_UNNAMED[language]
    const found =
      codes.find((code) => code === each) ??
      codes.find((code) => code === main) ??
      codes.find((code) => code.startsWith(`${language}-`))
    if (found !== undefined) return found
  }
  return null
}
