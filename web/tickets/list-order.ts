/** The tickets as they stood where one came from, for previous and next; forgotten with the tab. */
let order: readonly number[] = []

export function rememberOrder(ids: readonly number[]): void {
  order = ids
}

export function neighbours(id: number): { previous: number | undefined; next: number | undefined } {
  const place = order.indexOf(id)
  return place < 0 ? { previous: undefined, next: undefined } : { previous: order[place - 1], next: order[place + 1] }
}
