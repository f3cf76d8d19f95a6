/** Which two contacts are side by side; pure. */
export interface DuplicatesSearch {
  /** The one that stays. */
  keep?: number
  other?: number
}

export function readDuplicatesSearch(search: Record<string, unknown>): DuplicatesSearch & Record<string, unknown> {
  const { keep, other } = search
  const isPair = Number.isInteger(keep) && Number.isInteger(other) && keep !== other
  return isPair ? { keep: keep as number, other: other as number } : {}
}
