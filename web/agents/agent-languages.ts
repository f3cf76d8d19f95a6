import { currentLanguage } from '../words/words.ts'

/** What a language is called by the person who reads: the platform's codes are those of the web, such as `de` and `pt-br`. */
export function languageName(code: string): string {
  try {
    return new Intl.DisplayNames([currentLanguage()], { type: 'language' }).of(code) ?? code
  } catch {
    return code
  }
}

/** Languages that the platform has another code for. */
const PLATFORM_CODES: Readonly<Record<string, string>> = { nb: 'no', nn: 'no' }

/** The platform's code of a language of the service: `de_DE` is `de`; only Brazil's Portuguese keeps its country. */
export function spokenCode(code: string): string {
  const lower = code.toLowerCase().replaceAll('_', '-')
  if (lower === 'pt-br') return lower
  const [short = lower] = lower.split(/[-@]/)
  return PLATFORM_CODES[short] ?? short
}
