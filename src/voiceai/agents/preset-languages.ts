import { languageCode } from '../conversations/dynamic-variables.ts'
import { AGENT_LANGUAGES } from './provider-choices.ts'

const SPOKEN: ReadonlySet<string> = new Set(AGENT_LANGUAGES.map(([code]) => code))

/** The platform's codes of an agent's additional languages: without its own, and without those that agents do not speak. */
export function presetLanguages({ language, languages }: { language: string; languages: readonly string[] }): string[] {
  const codes = languages.map(languageCode).filter((code) => code !== undefined)
  return [...new Set(codes)].filter((code) => code !== language && SPOKEN.has(code))
}
