interface Change {
  field: string
  /** "before → after", or that it was changed where the values are nobody's business. */
  text: string
}

/** What an entry of the audit says of each field: `[before, after]`, or a word. */
export function changesOf(changes: unknown): Change[] {
  if (typeof changes !== 'object' || changes === null) return []
  return Object.entries(changes).map(([field, value]) => ({ field, text: textOf(value) }))
}

function textOf(value: unknown): string {
  if (!Array.isArray(value) || value.length !== 2) return shown(value)
  const [before, after] = value
  return `${shown(before)} → ${shown(after)}`
}

function shown(value: unknown): string {
  if (value === null || value === undefined || value === '') return '–'
  return typeof value === 'string' ? value : JSON.stringify(value)
}
