import { sql } from '../../../database/drizzle.ts'
import { param, statement } from '../../../database/statement.ts'
import { readSid } from '../../../ledger/legs/provider-form.ts'
import type { Rendering } from '../rendering.ts'

/** In place of a step: what followed was no ring step. */
const NO_STEP = 0

// Locked, so that the same report twice at a time is answered one after the other.
const FIND = statement<{ step: number | null }, { call: number; leg: string }>(
  'dial_end_find',
  sql`select (dial_ends ->> ${param('leg')})::bigint as step from connect_call where id = ${param('call')}
      for no key update`,
)

const NOTE = statement<never, { call: number; leg: string; step: number }>(
  'dial_end_note',
  sql`update connect_call set dial_ends = coalesce(dial_ends, '{}'::jsonb)
        || jsonb_build_object(${param('leg')}::text, ${param('step')}::bigint)
      where id = ${param('call')}`,
)

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
  const [row] = await db.run(FIND, { call: callId, leg })
  const known = row?.step ?? undefined
  return {
    isRepeated: known !== undefined,
    step: known === NO_STEP ? undefined : known,
    note: (step = NO_STEP) => db.send(NOTE, { call: callId, leg, step }),
  }
}
