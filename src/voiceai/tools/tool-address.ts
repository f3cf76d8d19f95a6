/** A parameter in the path of an address, such as `{ticket_id}`: the names that a parameter may have. */
const PLACEHOLDER = /\{([\w.-]+)\}/g

/** The names in the path of a tool's address, each once, in their order. */
export function pathNames(address: string): string[] {
  return [...new Set([...address.matchAll(PLACEHOLDER)].map(([, name = '']) => name))]
}

/** What is wrong with the braces in a tool's address, to be put behind the field's name; undefined when nothing is. */
export function findBadPlaceholder(address: string): string | undefined {
  if (/[{}]/.test(address.replaceAll(PLACEHOLDER, ''))) {
    return 'has braces that name no parameter: write {name}, with letters, digits, underscores, dots and hyphens'
  }
  const [path = ''] = address.split(/[?#]/, 1)
  const outside = pathNames(address).find((name) => !pathNames(path).includes(name))
  return outside === undefined
    ? undefined
    : `has {${outside}} outside of its path: add a parameter "${outside}" instead`
}
