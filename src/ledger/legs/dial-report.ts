// How a dial ended, as the request that follows it says (docs/reference/providers.md#after-a-dial).

type Form = Readonly<Record<string, string | undefined>>

/** Statuses of a dial whose leg picked up; whether anybody talked, `DialBridged` says. */
const PICKED_UP = ['completed', 'answered']
/** Statuses of a dial that connected nobody, whatever the dialled leg reports of itself. */
const NOT_CONNECTED = ['busy', 'no-answer', 'failed', 'canceled']

/** The status in the provider's word; an empty text where nothing was dialled. */
export function dialStatusOf(form: Form): string {
  return wordOf(form.DialCallStatus)
}

/** Whether two people were connected. A callee who answers and declines in a screening counts as completed too. */
export function wasConnected(form: Form): boolean {
  return PICKED_UP.includes(dialStatusOf(form)) && wordOf(form.DialBridged) !== 'false'
}

/** Whether somebody, or a voicemail, picked up and was connected with nobody. */
export function wasPickedUp(form: Form): boolean {
  return PICKED_UP.includes(dialStatusOf(form)) && wordOf(form.DialBridged) === 'false'
}

/** Whether the provider says outright that two people were connected: who hangs up while it rings may be told as completed, too. */
export function connectedTwo(form: Form): boolean {
  return PICKED_UP.includes(dialStatusOf(form)) && wordOf(form.DialBridged) === 'true'
}

/** Whether nobody talked on the leg that was dialled, even where that leg answered. */
export function connectedNobody(form: Form): boolean {
  const bridged = wordOf(form.DialBridged)
  return bridged === 'false' || (bridged !== 'true' && NOT_CONNECTED.includes(dialStatusOf(form)))
}

function wordOf(text: string | undefined): string {
  return (text ?? '').trim().toLowerCase()
}
