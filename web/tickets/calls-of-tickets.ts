import { searchRead } from '../data/client.ts'
import { asks, keyOf } from '../data/keys.ts'
import { CALL_FIELDS, type CallRow } from '../lines/call-rows.ts'

/** Calls that are asked for at once; a ticket whose calls are older than these has no strip. */
const CALLS_MAX = 500

/** The newest call of each ticket, as far as one may see it. */
export function callsOfTickets(tickets: readonly number[]) {
  return asks({
    queryKey: keyOf('connect.call', 'of-tickets', tickets),
    queryFn: async () => {
      const domain = [['ticket', 'in', tickets]] as const
      const calls = await searchRead('connect.call', {
        domain,
        fields: CALL_FIELDS,
        order: 'id desc',
        limit: CALLS_MAX,
      })
      const newest = new Map<number, CallRow & { id: number }>()
      for (const call of calls) {
        const ticket = call.ticket?.[0]
        if (ticket !== undefined && !newest.has(ticket)) newest.set(ticket, call as CallRow & { id: number })
      }
      return newest
    },
  })
}
