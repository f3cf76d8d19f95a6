/** A link to a record as it is read: its id and its name. */
export function isLink(value: unknown): value is [number, string] {
  return Array.isArray(value) && value.length === 2 && typeof value[0] === 'number' && typeof value[1] === 'string'
}
