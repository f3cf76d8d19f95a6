import { findMeetingsOf } from '../../calendar/events/forget-meetings.ts'
import type { Queryable } from '../../database/database.ts'
import { findTicketsOf } from '../../helpdesk/tickets/forget-tickets.ts'
import { findCallsOf } from '../../ledger/calls/call-updates.ts'
import { findMessagesOf } from '../../ledger/messages/forget-messages.ts'
import type { Person, Traces } from '../../platform/person/person.ts'

/** Everything that the records of a person lead to. */
export async function findTraces(db: Queryable, person: Person): Promise<Traces> {
  const found = await findCallsOf(db, person)
  const calls = found.map(({ id }) => id)
  const linked = found.flatMap(({ ticket }) => (ticket === null ? [] : [ticket]))
  return {
    calls,
    conversations: found.flatMap(({ conversation }) => (conversation === null ? [] : [conversation])),
    sids: found.flatMap(({ call_sid: sid }) => (sid === null ? [] : [sid])),
    messages: await findMessagesOf(db, person),
    tickets: await findTicketsOf(db, person, { calls, linked }),
    meetings: await findMeetingsOf(db, person, calls),
  }
}
