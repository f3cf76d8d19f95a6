import { holds } from './folded.ts'
import { LANGUAGE_CODES } from './languages.gen.ts'

/** A language in the reader's, of a code such as `fr_FR`; a code that nobody has a name for stays as it is. */
export function languageName(code: string, reader: string): string {
  try {
    return new Intl.DisplayNames([reader], { type: 'language' }).of(code.replaceAll('_', '-')) ?? code
  } catch {
    return code
  }
}

let codesByName: ReadonlyMap<string, string> | undefined

/** A language that the service calls by its English name, in the reader's; another name stays as it is. */
export function languageTitle(english: string, reader: string): string {
  codesByName ??= new Map(LANGUAGE_CODES.map((code) => [languageName(code, 'en'), code]))
  const code = codesByName.get(english)
  return code === undefined ? english : languageName(code, reader)
}

interface Choice {
  value: string
  label: string
}

/** The languages there are, by name; one that is chosen and not among them is kept. */
export function languageChoices(chosen: string | null, reader: string): Choice[] {
  const codes = chosen === null || LANGUAGE_CODES.includes(chosen) ? LANGUAGE_CODES : [chosen, ...LANGUAGE_CODES]
  return codes
    .map((value) => ({ value, label: languageName(value, reader) }))
    .toSorted((one, other) => one.label.localeCompare(other.label, reader))
}

/** Languages whose name has what is looked for, in any accent, or whose code begins with it. */
export function languagesMatching(choices: readonly Choice[], wanted: string): Choice[] {
  const code = wanted.trim().toLowerCase().replace('-', '_')
  return choices.filter(({ value, label }) => holds(label, wanted) || value.toLowerCase().startsWith(code))
}
