import { isRetryable } from './database.ts'

/** Attempts at one transaction before its last error is given to the caller. */
const ATTEMPTS_MAX = 3

/** A statement failed and the work went on as if it had not: the database keeps nothing of such a transaction. */
export class RolledBackError extends Error {
  constructor() {
    super('the transaction was rolled back, because one of its statements had failed')
    this.name = 'RolledBackError'
  }
}

/** Makes a transaction, anew when the database asks for that; what waits for the commit is called after it. */
export async function untilCommitted<Result>(attempt: (committed: (() => void)[]) => Promise<Result>): Promise<Result> {
  for (let attempts = 1; ; attempts += 1) {
    const committed: (() => void)[] = []
    try {
      const result = await attempt(committed)
      for (const callback of committed) callback()
      return result
    } catch (error) {
      if (!isRetryable(error) || attempts === ATTEMPTS_MAX) throw error
    }
  }
}

/** Why the first of them failed; what came after it in the same transaction failed because of that. */
export async function firstFailure(sent: readonly Promise<unknown>[]): Promise<unknown> {
  const outcomes = await Promise.allSettled(sent)
  return outcomes.find((outcome) => outcome.status === 'rejected')?.reason
}
