/**
 * What a server may make a connection of ours wait, in milliseconds. A transaction waits for its process no longer than a
 * process needs that only computes in between: one that is frozen loses its locks, instead of making every other process
 * wait for it. A statement waits for a lock longer than that, and less long than a caller waits.
 */
export const SESSION_LIMITS = {
  statement_timeout: 30_000,
  idle_in_transaction_session_timeout: 5_000,
  lock_timeout: 7_000,
} as const

/** For work that takes as long as it takes, on a connection that is closed afterwards. */
export const WITHOUT_LIMITS = Object.keys(SESSION_LIMITS)
  .map((name) => `set ${name} = 0`)
  .join('; ')
