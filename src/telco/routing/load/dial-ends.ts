import { findDialEndStep, saveDialEndStep } from '../../../ledger/calls/dial-ends.ts'
import { readSid } from '../../../ledger/legs/provider-form.ts'
import type { Rendering } from '../rendering.ts'

/** In place of a step: what followed was no ring step. */
const NO_STEP = 0

/** The end of one dialled leg: the provider may report it more than once, and nothing may move twice for it. */
export interface DialEnd {
  readonly isRepeated: boolean
  /** The ring step that followed when it was reported first; undefined when none did. */
  readonly step: number | undefined
  /** Remembers what follows. */
  note(step?: number): void
}

/**
 * What is known of the end that a request reports. Without a dialled leg (nothing was dialled), or for a call that the ledger
 * does not know, whose steps are in its address, there is nothing to remember.
 */
export async function findDialEnd(
  { env: { db }, call: { callId } }: Rendering,
  { DialCallSid }: Readonly<Record<string, string>>,
): Promise<DialEnd> {
  const leg = readSid(DialCallSid ?? '')
  if (callId === undefined || leg === '') return { isRepeated: false, step: undefined, note() {} }
  const known = await findDialEndStep(db, { call: callId, leg })
  return {
    isRepeated: known !== undefined,
    step: known === NO_STEP ? undefined : known,
    note: (step = NO_STEP) => saveDialEndStep(db, { call: callId, leg, step }),
  }
}
