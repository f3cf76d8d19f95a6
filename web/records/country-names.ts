/** Countries as people call them in their language, and found by it; pure. */
import { folded } from '../words/folded.ts'

interface Country {
  id: number
  name: string
  code: string
}

/** Countries by what they are called in a language, in its order; the service itself calls them in English. */
export function countriesIn(
  language: string,
  countries: readonly Country[],
): { id: number; name: string; also: string }[] {
  const names = new Intl.DisplayNames([language], { type: 'region' })
  const nameOf = ({ name, code }: Country) => (language === 'en' ? name : (names.of(code) ?? name))
  return countries
    .map((country) => ({ id: country.id, name: nameOf(country), also: `${country.name} ${country.code}` }))
    .toSorted((one, other) => one.name.localeCompare(other.name, language))
}

/** Those whose name, in either language, or code has what is looked for; the ones that begin with it come first. */
export function countriesMatching<Named extends { name: string; also: string }>(
  countries: readonly Named[],
  wanted: string,
): Named[] {
  const sought = folded(wanted.trim())
  const begins = ({ name }: Named) => folded(name).startsWith(sought)
  const found = countries.filter(({ name, also }) => folded(`${name} ${also}`).includes(sought))
  return [...found.filter(begins), ...found.filter((country) => !begins(country))]
}
