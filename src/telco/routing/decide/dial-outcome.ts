/** Statuses of a caller's leg that is gone. */
const GONE = new Set(['completed', 'canceled', 'busy', 'failed', 'no-answer'])
/** Outcomes after which nobody had been reached and the caller still waits. */
const NOT_REACHED = new Set(['busy', 'no-answer', 'failed'])

type Form = Readonly<Record<string, string>>

/** Whether two people were connected. A callee who answers and declines in a screening counts as completed too. */
export function wasConnected(form: Form): boolean {
  const status = form.DialCallStatus
  return (status === 'completed' || status === 'answered') && form.DialBridged !== 'false'
}

/** Whether somebody, or a voicemail, picked up and was connected with nobody. */
export function wasPickedUp(form: Form): boolean {
  return (form.DialCallStatus === 'completed' || form.DialCallStatus === 'answered') && form.DialBridged === 'false'
}

/**
 * Whether ringing a user is over: the caller is gone, or the dial ended in any way but "not reached"
 * (docs/reference/domain.md#call-actions).
 */
export function isRingingOver(form: Form): boolean {
  if (isCallerGone(form)) return true
  const status = form.DialCallStatus
  if (status === undefined || status === '') return false
  if (status === 'completed' || status === 'answered') return wasConnected(form)
  return !NOT_REACHED.has(status)
}

export function isCallerGone(form: Form): boolean {
  return GONE.has(form.CallStatus ?? '')
}
