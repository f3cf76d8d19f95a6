import type { Queryable } from '../../database/database.ts'

/** Somebody outside, as their records name them. */
export interface Person {
  /** Their contacts. */
  contacts: readonly number[]
  /** Their numbers in E.164 that no other contact has. */
  numbers: readonly string[]
  /** Finds each written form of their names, numbers and addresses, in SQL and here; it matches nothing when there are none. */
  pattern: string
}

/** What the records of a person lead to. */
export interface Traces {
  calls: number[]
  conversations: string[]
  sids: string[]
  messages: number[]
  tickets: number[]
  meetings: number[]
}

/** How many rows of each model were removed or emptied. */
export type Counts = Record<string, number>

/** What a room does with rows that name the person, in place of blotting out the name. */
export type RowsForgotten = (db: Queryable, ids: readonly number[]) => Promise<unknown>
