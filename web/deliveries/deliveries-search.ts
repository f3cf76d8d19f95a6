/** What the address of the deliveries says, and the search it stands for; pure. */
import type { Domain } from '../data/client.ts'
import { wireInstant } from '../words/formats.ts'

export const VERDICTS = ['handled', 'refused', 'rejected', 'failed'] as const
export type Verdict = (typeof VERDICTS)[number]

const HOUR_MS = 3_600_000
const MINUTE_MS = 60_000

export interface DeliveriesSearch {
  verdict?: Verdict | undefined
  /** Only what came lately. */
  since?: 'hour' | undefined
  /** Id of the delivery that is looked at. */
  open?: number | undefined
}

export function readDeliveriesSearch(search: Record<string, unknown>): DeliveriesSearch & Record<string, unknown> {
  const verdict = VERDICTS.find((each) => each === search.verdict)
  return {
    ...(verdict === undefined ? {} : { verdict }),
    ...(search.since === 'hour' ? { since: 'hour' as const } : {}),
    ...(typeof search.open === 'number' && Number.isInteger(search.open) ? { open: search.open } : {}),
  }
}

/** The same for a minute, so that what is asked for again has been asked for before. */
export function domainOf({ verdict, since }: DeliveriesSearch, now: Date): Domain {
  const minute = Math.floor(now.getTime() / MINUTE_MS) * MINUTE_MS
  return [
    ...(verdict === undefined ? [] : [['verdict', '=', verdict] as const]),
    ...(since === undefined ? [] : [['received_at', '>=', wireInstant(new Date(minute - HOUR_MS))] as const]),
  ]
}

/** Every webhook of the phone provider begins so; what an agent asked for was answered, and its asker has gone. */
const OF_TELCO = '/telco/webhook/'

/** Those of them that can be processed again: not yet made up for, stored or of the phone provider, and signed where it is in doubt. */
export function replayableOf(domain: Domain, verdict: Verdict): Domain {
  return [
    ...domain,
    ['replayed_at', '=', null],
    '|',
    ['inbox', '!=', null],
    ['route', 'like', OF_TELCO],
    ...(verdict === 'rejected' ? [['reason', 'not ilike', 'no signature'] as const] : []),
  ]
}
