import type { Queryable } from '../../database/database.ts'

/** Somebody outside, as their records name them. */
export interface Person {
  /** Their contacts. */
  contacts: readonly number[]
  /** Their numbers in E.164 that no other contact has. */
  numbers: readonly string[]
  sought: Sought
}

/** What is looked for in what others wrote. */
export interface Sought {
  /** Looked for in the person's own records, and where a number or an address of theirs stands. */
  names: readonly string[]
  /** In E.164. */
  numbers: readonly string[]
  emails: readonly string[]
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

/** Rows of each model that were removed or emptied. */
export type Forgotten = Readonly<Record<string, readonly number[]>>

/** How many rows of each model were removed or emptied. */
export type Counts = Record<string, number>

/** What a room does with rows that name the person, in place of redacting it. */
export type RowsForgotten = (db: Queryable, ids: readonly number[]) => Promise<unknown>
