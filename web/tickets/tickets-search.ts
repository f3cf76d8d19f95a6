/** What the address of the tickets says; pure. */
export interface TicketsSearch {
  as?: 'list'
  /** Id of a team. */
  team?: number
  mine?: true
}

export function readTicketsSearch(search: Record<string, unknown>): TicketsSearch & Record<string, unknown> {
  return {
    ...(search.as === 'list' ? { as: 'list' as const } : {}),
    ...(typeof search.team === 'number' && Number.isInteger(search.team) ? { team: search.team } : {}),
    ...(search.mine === true ? { mine: true as const } : {}),
  }
}
