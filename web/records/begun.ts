/** What an address asks a new record to begin with; pure. */
import type { Values } from './record-values.ts'

const MEETING = 'calendar.event'

/** A meeting begins with the contact that it was asked for on, as `?attendee=`. */
export function begunBy(model: string, { attendee }: { attendee?: unknown }): Values {
  return model === MEETING && Number.isSafeInteger(attendee) ? { partner_ids: [attendee] } : {}
}
