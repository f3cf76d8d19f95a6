import { isRetryable, sqlState } from './database.ts'

/** Attempts at one transaction before its last error is given to the caller. */
const ATTEMPTS_MAX = 3

/** A statement failed and the work went on as if it had not: the database keeps nothing of such a transaction. */
export class RolledBackError extends Error {
  constructor() {
    super('the transaction was rolled back, because one of its statements had failed')
    this.name = 'RolledBackError'
  }
}

/** One attempt at a transaction. */
export interface Attempt {
  /** Called once it has committed. */
  readonly committed: (() => void)[]
}

/** Makes a transaction, anew when the database asks for that; what waits for the commit is called after it. */
export async function untilCommitted<Result>(attempt: (state: Attempt) => Promise<Result>): Promise<Result> {
  for (let attempts = 1; ; attempts += 1) {
    const committed: (() => void)[] = []
    try {
      const result = await attempt({ committed })
      for (const callback of committed) callback()
      return result
    } catch (error) {
      if (!isRetryable(error) || attempts === ATTEMPTS_MAX) throw error
    }
  }
}

/** What the database says of a statement that comes after one that failed. */
const AFTER_A_FAILURE = '25P02'

/** Why the first of them failed; undefined when all that did came after something else that failed in the same transaction. */
export async function firstFailure(sent: readonly Promise<unknown>[]): Promise<unknown> {
  const outcomes = await Promise.allSettled(sent)
  const reasons = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []))
  return reasons.find((reason) => sqlState(reason) !== AFTER_A_FAILURE)
}
