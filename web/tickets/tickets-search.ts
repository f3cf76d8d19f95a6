/** What the address of the tickets says; pure. */
export interface TicketsSearch {
  as?: 'list'
  /** Id of a team. */
  team?: number
  mine?: true
  /** Words of the ticket, its notes or its calls. */
  text?: string
}

/** The service takes no longer one. */
const TEXT_CHARS_MAX = 100

export function readTicketsSearch(search: Record<string, unknown>): TicketsSearch & Record<string, unknown> {
  const text = typeof search.text === 'number' ? String(search.text) : search.text
  return {
    ...(typeof text === 'string' && text.trim() !== '' ? { text: text.slice(0, TEXT_CHARS_MAX) } : {}),
    ...(search.as === 'list' ? { as: 'list' as const } : {}),
    ...(typeof search.team === 'number' && Number.isInteger(search.team) ? { team: search.team } : {}),
    ...(search.mine === true ? { mine: true as const } : {}),
  }
}
