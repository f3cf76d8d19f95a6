/** The id in a link as it is written or stored: an id, or the `[id, "name"]` that clients read and send back. */
export function linkId(value: unknown): number | null {
  const id = Array.isArray(value) ? value[0] : value
  return typeof id === 'number' ? id : null
}
