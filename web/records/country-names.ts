/** Countries as people call them in their language, and found by it; pure. */
import { folded } from '../words/folded.ts'

interface Country {
  id: number
  name: string
  code: string
}

/** What people call a country beside its name. */
const CALLED: Readonly<Record<string, readonly string[]>> = {
  AE: ['UAE'],
  CZ: ['Czech Republic'],
  GB: ['UK', 'Great Britain', 'Britain', 'England', 'Scotland', 'Wales', 'Northern Ireland'],
  NL: ['Holland'],
  US: ['USA', 'America'],
}

/** Countries by what they are called in a language, in its order; the service itself calls them in English. */
export function countriesIn(
  language: string,
  countries: readonly Country[],
): { id: number; name: string; also: string; called: readonly string[] }[] {
  const names = new Intl.DisplayNames([language], { type: 'region' })
  const nameOf = ({ name, code }: Country) => (language === 'en' ? name : (names.of(code) ?? name))
  return countries
    .map((country) => ({
      id: country.id,
      name: nameOf(country),
      also: `${country.name} ${country.code}`,
      called: [country.code, ...(CALLED[country.code] ?? [])],
    }))
    .toSorted((one, other) => one.name.localeCompare(other.name, language))
}

/** After those that are called just that, and those that begin with it. */
const LAST = 3

/** Those whose name, in either language, or code has what is looked for, or that people call so: the likeliest first. */
export function countriesMatching<Named extends { name: string; also: string; called: readonly string[] }>(
  countries: readonly Named[],
  wanted: string,
): Named[] {
  const sought = folded(wanted.trim())
  const isCalled = ({ called }: Named) => called.some((each) => folded(each) === sought)
  const begins = ({ name, called }: Named) => [name, ...called].some((each) => folded(each).startsWith(sought))
  const rank = (country: Named) => [isCalled, begins].findIndex((fits) => fits(country)) + 1 || LAST
  return countries
    .filter((country) => begins(country) || folded(`${country.name} ${country.also}`).includes(sought))
    .toSorted((one, other) => rank(one) - rank(other))
}
