/** What the address of a list of records says. */
export interface RecordsSearch {
  /** Part of a name. */
  name?: string
}

export function readRecordsSearch(search: Record<string, unknown>): RecordsSearch & Record<string, unknown> {
  return typeof search.name === 'string' && search.name !== '' ? { name: search.name } : {}
}
