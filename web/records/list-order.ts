/** The records of the list one came from, so that a record knows its neighbours; kept as long as the tab is open. */
const KEY = 'connect.list.'

export function keepOrder(model: string, ids: readonly number[]): void {
  try {
    sessionStorage.setItem(KEY + model, JSON.stringify(ids))
  } catch {
    // A browser without room: the neighbours are not known, and nothing else is lost.
  }
}

/** The record before or after one, in the list one came from. */
export function neighbourOf(model: string, id: number, step: 1 | -1): number | undefined {
  try {
    const ids = JSON.parse(sessionStorage.getItem(KEY + model) ?? '[]') as unknown
    if (!Array.isArray(ids) || !ids.includes(id)) return undefined
    const found: unknown = ids[ids.indexOf(id) + step]
    return typeof found === 'number' ? found : undefined
  } catch {
    return undefined
  }
}
