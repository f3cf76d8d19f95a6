import { type Said, sayRefusal } from '../../refusals.ts'

/** A parameter in the path of an address, such as `{ticket_id}`: the names that a parameter may have. */
const PLACEHOLDER = /\{([\w.-]+)\}/g

/** The names in the path of a tool's address, each once, in their order. */
export function pathNames(address: string): string[] {
  return [...new Set([...address.matchAll(PLACEHOLDER)].map(([, name = '']) => name))]
}

/** What is wrong with the braces in a field that is a tool's address; undefined when nothing is. */
export function findBadPlaceholder(field: string, address: string): Said | undefined {
  if (/[{}]/.test(address.replaceAll(PLACEHOLDER, ''))) return sayRefusal('tool-address-braces', { field })
  const [path = ''] = address.split(/[?#]/, 1)
  const outside = pathNames(address).find((name) => !pathNames(path).includes(name))
  if (outside === undefined) return undefined
  return sayRefusal('tool-address-outside-path', { field, place: `{${outside}}`, name: outside })
}
