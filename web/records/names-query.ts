/** Records that the service, or the page, calls as a text says. */
import { keepPreviousData } from '@tanstack/react-query'
import { type Domain, nameSearch, searchRead } from '../data/client.ts'
import { asks, keyOf } from '../data/keys.ts'
import type { Link } from '../data/models.gen.ts'
import { holds } from '../words/folded.ts'
import { phone } from '../words/formats.ts'
import { stagesShown } from '../words/labels.ts'
import { reader } from '../words/words.ts'
import { EXTENSIONS, extensionName, NAMES_MAX } from './names.ts'
import { titleOf } from './record-title.ts'

/** Far more short numbers than a company has. */
const EXTENSIONS_MAX = 1000
const STAGES = 'helpdesk.stage'
const LANGUAGES = 'res.lang'
/** More languages than the service begins with. */
const LANGUAGES_MAX = 500
/** Records that the page calls in other words than the service, which does not look in those. */
const SHOWN_OTHERWISE = [STAGES, 'connect.call', 'connect.message']
/** Of these the newest are looked at; a company has fewer stages. */
const NEWEST_MAX = 500

/** Records that are called as the text says. */
export function namesQuery(model: string, text: string, domain: Domain = []) {
  return asks({
    queryKey: keyOf(model, 'names', text, domain),
    placeholderData: keepPreviousData,
    queryFn: () => {
      if (model === EXTENSIONS) return extensionNames(text, domain)
      if (model === LANGUAGES) return languageNames(text, domain)
      if (text !== '' && SHOWN_OTHERWISE.includes(model)) return shownNames(model, text, domain)
      return nameSearch(model, text, { limit: NAMES_MAX, domain })
    },
  })
}

/** Found by what they are called on the page and by what the service calls them. */
async function shownNames(model: string, text: string, domain: Domain): Promise<Link[]> {
  const [stored, newest] = await Promise.all([
    nameSearch(model, text, { limit: NAMES_MAX, domain }),
    nameSearch(model, '', { limit: NEWEST_MAX, domain }),
  ])
  const shown = newest.filter(([id, name]) => holds(phone(titleOf(model, name, id)), text))
  return [...new Map([...shown, ...stored].map((link) => [link[0], link])).values()].slice(0, NAMES_MAX)
}

/** All languages in the order of their names for the reader, found by those and by the English ones. */
async function languageNames(text: string, domain: Domain): Promise<Link[]> {
  const all = await nameSearch(LANGUAGES, '', { limit: LANGUAGES_MAX, domain })
  return all
    .map(([id, name]) => ({ id, name, shown: titleOf(LANGUAGES, name, id) }))
    .filter(({ name, shown }) => holds(shown, text) || holds(name, text))
    .toSorted((one, other) => one.shown.localeCompare(other.shown, reader().language))
    .map(({ id, name }): Link => [id, name])
}

/** What of the stored names is shown as the text says: the stages that come with the product. */
export function storedNames(model: string, text: string): string[] {
  return model === STAGES ? stagesShown((shown) => holds(shown, text)) : []
}

/** Short numbers with who answers them, found by either. */
async function extensionNames(text: string, domain: Domain): Promise<Link[]> {
  const found = await searchRead(EXTENSIONS, { domain, fields: ['number', 'dst_name'], limit: EXTENSIONS_MAX })
  return found
    .map(({ id, number, dst_name: name }): Link => [id, extensionName(number, name)])
    .filter(([, name]) => holds(name, text))
    .slice(0, NAMES_MAX)
}
