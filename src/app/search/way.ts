import type { Domain } from '../../platform/records/domain-syntax.ts'

/** What of a record fits the text. */
export type Matched = 'name' | 'number' | 'id' | 'sid' | 'email' | 'text'

/** One way to find records of a kind; each goes by an index. */
export interface Way {
  matched: Matched
  domain: Domain
  /** Goes over many rows, so it is tried only where nothing was found before. */
  isSlow?: true
}
