import { makeMeetingsAnonymous } from '../../calendar/events/forget-meetings.ts'
import { removeStoredOf } from '../../deliveries/inbox/forget-stored.ts'
import { emptyDeliveriesOf } from '../../deliveries/log/forget-deliveries.ts'
import { makeTicketsAnonymous } from '../../helpdesk/tickets/forget-tickets.ts'
import { makeCallsAnonymous } from '../../ledger/calls/call-updates.ts'
import { makeLegsAnonymous } from '../../ledger/legs/forget-legs.ts'
import { removeConversationsOf, removeMessages } from '../../ledger/messages/forget-messages.ts'
import { removeRecordingsOf } from '../../ledger/recordings/forget-recordings.ts'
import { removeVoicemailsOf } from '../../ledger/voicemails/forget-voicemails.ts'
import { type Env, elevated } from '../../platform/access/env.ts'
import { removePostsOf } from '../../platform/chatter/forget-posts.ts'
import { removeNoticesOf } from '../../platform/notices/forget-notices.ts'
import type { Counts, Forgotten, Person, Traces } from '../../platform/person/person.ts'
import { notifyGone, notifySomeChanged } from '../../platform/records/notify-changed.ts'
import { records } from '../../platform/records/records.ts'
import { removeFavoritesOf } from '../../telco/phone-users/forget-favorites.ts'
import { findTraces } from './traces.ts'

/**
 * Removes a person and whatever their records lead to, room by room. Their calls, tickets and meetings stay as rows that name
 * nobody. Gives the rows that were removed or emptied, and what else may name them.
 */
export async function forgetPerson(env: Env, person: Person): Promise<{ forgotten: Forgotten; traces: Traces }> {
  const { db } = env
  const traces = await findTraces(db, person)
  const { calls, messages, tickets, meetings, conversations } = traces
  const about = {
    'res.partner': person.contacts,
    'connect.call': calls,
    'connect.message': messages,
    'helpdesk.ticket': tickets,
    'calendar.event': meetings,
  }
  const posts = await removePostsOf(db, person.contacts, about)
  const forgotten = {
    ...about,
    'connect.recording': await removeRecordingsOf(db, person, calls),
    'connect.voicemail': await removeVoicemailsOf(db, calls),
    'connect.channel': await makeLegsAnonymous(db, calls),
    'mail.message': posts,
    'connect.notice': await removeNoticesOf(db, about),
    'connect.conversation': await removeConversationsOf(db, person, messages),
    'connect.delivery': await emptyDeliveriesOf(db, traces),
    'connect.inbox': await removeStoredOf(db, conversations),
    'connect.favorite': await removeFavoritesOf(db, person),
  }
  await makeCallsAnonymous(db, calls, person)
  await removeMessages(db, messages)
  await makeTicketsAnonymous(db, tickets)
  await makeMeetingsAnonymous(db, meetings, person)
  // Whoever may erase a person may delete their contact; colleagues who look at it see it go.
  await records(elevated(env), 'res.partner').unlink([...person.contacts])
  await notifySomeChanged(env, 'connect.call', calls)
  await notifySomeChanged(env, 'helpdesk.ticket', tickets)
  await notifySomeChanged(env, 'calendar.event', meetings)
  await notifyGone(env, 'connect.message', messages)
  return { forgotten, traces }
}

/** How many rows there are of each model, without those of which there are none. */
export function countsOf(forgotten: Forgotten): Counts {
  const counts = Object.entries(forgotten).map(([model, ids]) => [model, ids.length] as const)
  return Object.fromEntries(counts.filter(([, count]) => count > 0))
}
