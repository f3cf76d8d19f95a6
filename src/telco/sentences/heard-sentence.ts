import type { Env } from '../../platform/access/env.ts'
import { records } from '../../platform/records/records.ts'
import sentences from './sentences.json' with { type: 'json' }

/** Why somebody heard a sentence of ours, and the record that decides so. */
interface WhyHeard {
  why: 'closed' | 'no_destination' | 'our_failure'
  number: number | undefined
}

const WHY: Readonly<Partial<Record<string, WhyHeard['why']>>> = {
  closed: 'closed',
  noActions: 'no_destination',
  numberNotFound: 'no_destination',
  numberNotConfigured: 'no_destination',
  extensionNotConfigured: 'no_destination',
  extensionNotFound: 'no_destination',
  severalExtensions: 'no_destination',
  agentNotConfigured: 'no_destination',
  applicationNotFound: 'no_destination',
  callflowNotFound: 'no_destination',
  systemError: 'our_failure',
  tryLater: 'our_failure',
  connectionFailed: 'our_failure',
  callNotIdentified: 'our_failure',
}

/** Which sentence of ours each text is, in any language. */
const NAMES = new Map(
  Object.entries(sentences).flatMap(([name, words]) =>
    Object.values(words).map((text) => [text.trim(), name] as const),
  ),
)

/**
 * Why a caller of a number heard that: by our own sentences, and by what the number says when it is closed. `env` reads
 * without access checks, for somebody who may read the call.
 */
export async function whyHeard(
  env: Env,
  { called, text }: { called: string; text: string },
): Promise<WhyHeard | undefined> {
  const [number] = await records(env, 'connect.telco.number').searchRead(
    [['phone_number', '=', called]],
    ['closed_message', 'business_hours'],
    { limit: 1 },
  )
  const isClosed = number?.business_hours !== null && String(number?.closed_message ?? '').trim() === text.trim()
  const why = isClosed ? 'closed' : WHY[NAMES.get(text.trim()) ?? '']
  return why === undefined ? undefined : { why, number: number?.id }
}
