import { dialStatusOf, wasConnected } from '../../../ledger/legs/dial-report.ts'

/** Statuses of a caller's leg that is gone. */
const GONE = new Set(['completed', 'canceled', 'busy', 'failed', 'no-answer'])
/** Outcomes after which nobody had been reached and the caller still waits. */
const NOT_REACHED = new Set(['busy', 'no-answer', 'failed'])

type Form = Readonly<Record<string, string>>

/**
 * Whether ringing a user is over: the caller is gone, or the dial ended in any way but "not reached"
 * (docs/reference/domain.md#call-actions).
 */
export function isRingingOver(form: Form): boolean {
  if (isCallerGone(form)) return true
  const status = dialStatusOf(form)
  if (status === '') return false
  if (status === 'completed' || status === 'answered') return wasConnected(form)
  return !NOT_REACHED.has(status)
}

export function isCallerGone(form: Form): boolean {
  return GONE.has((form.CallStatus ?? '').trim().toLowerCase())
}
