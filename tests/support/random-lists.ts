// Orders and groupings of what is reported, by a seed, so that a failure can be repeated.

/** A small generator of numbers below 1. */
export function randomFrom(seed: number): () => number {
  let state = seed * 2654435761
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state / 2 ** 32
  }
}

/** The list in lists of up to so many, in its order. */
export function inLists<Item>(items: readonly Item[], lengthMax: number, random: () => number): Item[][] {
  const lists: Item[][] = []
  for (let at = 0; at < items.length; ) {
    const list = items.slice(at, at + 1 + Math.floor(random() * lengthMax))
    lists.push(list)
    at += list.length
  }
  return lists
}

export function shuffled<Item>(items: readonly Item[], random: () => number): Item[] {
  return items
    .map((item) => ({ item, at: random() }))
    .toSorted((a, b) => a.at - b.at)
    .map(({ item }) => item)
}
