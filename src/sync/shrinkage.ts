/** A list that has lost more than half of its rows, and so many of them, is more likely to be wrong than right. */
const SHRINKAGE_ROWS_MIN = 3
const SHRINKAGE_PART_MAX = 0.5

/** What a list of the provider's came to, next to what we knew of it. */
export interface ListChange {
  /** Rows that the provider lists. */
  found: number
  /** Rows of ours that were in the provider's list before. */
  known: number
  /** Those of them that are not in it any more. */
  gone: number
}

/** Whether the list is empty or drastically smaller than it was, so that nothing may be removed because of it. */
export function isShrunk({ found, known, gone }: ListChange): boolean {
  if (gone === 0) return false
  return found === 0 || (gone >= SHRINKAGE_ROWS_MIN && gone > known * SHRINKAGE_PART_MAX)
}
