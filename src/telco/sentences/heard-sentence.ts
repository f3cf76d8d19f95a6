import type { Env } from '../../platform/access/env.ts'
import type { Row } from '../../platform/model/model.ts'
import { records } from '../../platform/records/records.ts'
import sentences from './sentences.json' with { type: 'json' }

/** Why somebody heard a sentence of ours, and the record that decides so. */
interface WhyHeard {
  why: 'closed' | 'no_destination' | 'no_actions' | 'leads_nowhere' | 'our_failure'
  decides: { model: string; id: number } | undefined
}

const WHY: Readonly<Partial<Record<string, WhyHeard['why']>>> = {
  closed: 'closed',
  noActions: 'no_actions',
  numberNotFound: 'no_destination',
  numberNotConfigured: 'no_destination',
  extensionNotConfigured: 'leads_nowhere',
  extensionNotFound: 'leads_nowhere',
  severalExtensions: 'leads_nowhere',
  agentNotConfigured: 'leads_nowhere',
  applicationNotFound: 'leads_nowhere',
  callflowNotFound: 'leads_nowhere',
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
    ['closed_message', 'business_hours', 'destination', 'callflow'],
    { limit: 1 },
  )
  const isClosed = number?.business_hours !== null && String(number?.closed_message ?? '').trim() === text.trim()
  const why = isClosed ? 'closed' : WHY[NAMES.get(text.trim()) ?? '']
  return why === undefined ? undefined : { why, decides: why === 'our_failure' ? undefined : decides(why, number) }
}

/** What a flow does is decided on the flow that answers the number, and all else on the number. */
function decides(why: WhyHeard['why'], number: Row | undefined): WhyHeard['decides'] {
  if (number === undefined) return undefined
  const { destination, callflow } = number
  return why === 'no_actions' && destination === 'callflow' && Array.isArray(callflow)
    ? { model: 'connect.telco.callflow', id: Number(callflow[0]) }
    : { model: 'connect.telco.number', id: number.id }
}
