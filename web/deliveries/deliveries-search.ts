/** What the address of the deliveries says, and the search it stands for; pure. */
import type { Domain } from '../data/client.ts'

export const VERDICTS = ['handled', 'refused', 'rejected', 'failed'] as const
type Verdict = (typeof VERDICTS)[number]

export interface DeliveriesSearch {
  verdict?: Verdict
  /** Id of the delivery that is looked at. */
  open?: number
}

export function readDeliveriesSearch(search: Record<string, unknown>): DeliveriesSearch & Record<string, unknown> {
  const verdict = VERDICTS.find((each) => each === search.verdict)
  return {
    ...(verdict === undefined ? {} : { verdict }),
    ...(typeof search.open === 'number' && Number.isInteger(search.open) ? { open: search.open } : {}),
  }
}

export function domainOf({ verdict }: DeliveriesSearch): Domain {
  return verdict === undefined ? [] : [['verdict', '=', verdict]]
}
