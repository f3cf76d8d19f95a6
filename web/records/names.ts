/** What pickers offer, by name. */
import { keepPreviousData } from '@tanstack/react-query'
import { type Domain, nameSearch, searchRead } from '../data/client.ts'
import { asks, keyOf } from '../data/keys.ts'
import type { Link } from '../data/models.gen.ts'
import { holds } from '../words/folded.ts'

/** Records that a picker offers at once. */
const NAMES_MAX = 20
/** Records that are called by a number alone; people know who answers it. */
export const EXTENSIONS = 'connect.telco.exten'
/** Far more short numbers than a company has. */
const EXTENSIONS_MAX = 1000

/** Records that are called as the text says. */
export function namesQuery(model: string, text: string, domain: Domain = []) {
  return asks({
    queryKey: keyOf(model, 'names', text, domain),
    placeholderData: keepPreviousData,
    queryFn: () =>
      model === EXTENSIONS ? extensionNames(text, domain) : nameSearch(model, text, { limit: NAMES_MAX, domain }),
  })
}

/** Short numbers with who answers them, found by either. */
async function extensionNames(text: string, domain: Domain): Promise<Link[]> {
  const found = await searchRead(EXTENSIONS, { domain, fields: ['number', 'dst_name'], limit: EXTENSIONS_MAX })
  return found
    .map(({ id, number, dst_name: name }): Link => [id, extensionName(number, name)])
    .filter(([, name]) => holds(name, text))
    .slice(0, NAMES_MAX)
}

/** Tools found by the words that they are shown in, and by the name that the platform knows. */
export function toolsFound(tools: readonly Link[], text: string, wordsOf: (name: string) => string): Link[] {
  return tools.filter(([, name]) => holds(wordsOf(name), text) || holds(name, text)).slice(0, NAMES_MAX)
}

/** "201 · Ann Baker", or the number alone where it leads nowhere. */
export function extensionName(number: string | null, name: string | null): string {
  return name === null || name === '' ? (number ?? '') : `${number} · ${name}`
}
