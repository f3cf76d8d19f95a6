import { readRetryAfter } from '../../retry-after.ts'

/** How one try ended that did not give a usable answer. */
export type FailedTry =
  | { kind: 'answered'; status: number; retryAfter: string | null }
  /** No connection was made, so nothing was asked. */
  | { kind: 'not-sent' }
  /** The connection broke or the time was over: what became of the request is not known. */
  | { kind: 'lost' }

const TRIES_MAX = 3
const DELAY_FIRST_MS = 250
/** A caller or a person is waiting: anyone who asks us to wait longer is told that it does not work now. */
const DELAY_MAX_MS = 4_000
const TOO_MANY_REQUESTS = 429

/**
 * How long to wait before the next try; undefined when there must be none. What only reads may be tried again after any
 * trouble of the provider's. What acts, such as a call or a message, only when it surely has not happened: refused for
 * being one too many, or never sent.
 */
export function retryDelayMs(
  failure: FailedTry,
  { isRead, tries, now, random }: { isRead: boolean; tries: number; now: Date; random: () => number },
): number | undefined {
  if (tries >= TRIES_MAX || !mayRepeat(failure, isRead)) return undefined
  const backoff = DELAY_FIRST_MS * 2 ** (tries - 1) * (1 + random())
  const asked = failure.kind === 'answered' ? readRetryAfter(failure.retryAfter, now) : undefined
  const delay = Math.max(backoff, asked ?? 0)
  return delay <= DELAY_MAX_MS ? delay : undefined
}

function mayRepeat(failure: FailedTry, isRead: boolean): boolean {
  if (failure.kind === 'not-sent') return true
  if (failure.kind === 'lost') return isRead
  return failure.status === TOO_MANY_REQUESTS || (isRead && failure.status >= 500)
}
