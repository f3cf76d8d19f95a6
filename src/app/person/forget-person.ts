import { makeMeetingsAnonymous } from '../../calendar/events/forget-meetings.ts'
import type { Queryable, Transaction } from '../../database/database.ts'
import { findStoredOf, removeStored } from '../../deliveries/inbox/forget-stored.ts'
import { emptyDeliveries, findDeliveriesOf } from '../../deliveries/log/forget-deliveries.ts'
import { makeTicketsAnonymous } from '../../helpdesk/tickets/forget-tickets.ts'
import { makeCallsAnonymous } from '../../ledger/calls/call-updates.ts'
import { findLegsOf, makeLegsAnonymous } from '../../ledger/legs/forget-legs.ts'
import { findConversationsOf, removeConversations, removeMessages } from '../../ledger/messages/forget-messages.ts'
import { findRecordingsOf, removeRecordings } from '../../ledger/recordings/forget-recordings.ts'
import { findVoicemailsOf, removeVoicemails } from '../../ledger/voicemails/forget-voicemails.ts'
import { type Env, elevated } from '../../platform/access/env.ts'
import { findPostsOf, removePosts } from '../../platform/chatter/forget-posts.ts'
import { findNoticesOf, removeNotices } from '../../platform/notices/forget-notices.ts'
import type { Counts, Forgotten, Person, Traces } from '../../platform/person/person.ts'
import { records } from '../../platform/records/records.ts'
import { findFavoritesOf, removeFavorites } from '../../telco/phone-users/forget-favorites.ts'
import { findTraces } from './traces.ts'

const CONTACT = 'res.partner'

/** What becomes of rows of each model. Calls, tickets and meetings stay as rows that name nobody. */
const FORGET: Readonly<Record<string, (db: Transaction, ids: readonly number[], person: Named) => Promise<void>>> = {
  'mail.message': removePosts,
  'connect.notice': removeNotices,
  'connect.recording': removeRecordings,
  'connect.voicemail': removeVoicemails,
  'connect.channel': makeLegsAnonymous,
  'connect.delivery': emptyDeliveries,
  'connect.inbox': removeStored,
  'connect.favorite': removeFavorites,
  'connect.message': removeMessages,
  'connect.conversation': removeConversations,
  'connect.call': makeCallsAnonymous,
  'helpdesk.ticket': makeTicketsAnonymous,
  'calendar.event': makeMeetingsAnonymous,
}

type Named = Pick<Person, 'contacts' | 'numbers'>

/** The rows of a person, and what else may name them. */
export interface Theirs {
  theirs: Forgotten
  traces: Traces
}

/**
 * The rows that a person and whatever their records lead to are made of, by model, in the order in which they are forgotten: what
 * hangs on others goes before them, and the contact at the end.
 */
export async function findTheirs(db: Queryable, person: Person): Promise<Theirs> {
  const traces = await findTraces(db, person)
  const { calls, messages, tickets, meetings, conversations } = traces
  const about = {
    'connect.message': messages,
    'connect.call': calls,
    'helpdesk.ticket': tickets,
    'calendar.event': meetings,
    [CONTACT]: person.contacts,
  }
  const theirs = {
    'mail.message': await findPostsOf(db, person.contacts, about),
    'connect.notice': await findNoticesOf(db, about),
    'connect.recording': await findRecordingsOf(db, person, calls),
    'connect.voicemail': await findVoicemailsOf(db, calls),
    'connect.channel': await findLegsOf(db, calls),
    'connect.delivery': await findDeliveriesOf(db, traces),
    'connect.inbox': await findStoredOf(db, conversations),
    'connect.favorite': await findFavoritesOf(db, person),
    'connect.message': messages,
    'connect.conversation': await findConversationsOf(db, person, messages),
    'connect.call': calls,
    'helpdesk.ticket': tickets,
    'calendar.event': meetings,
    [CONTACT]: person.contacts,
  }
  return { theirs, traces }
}

/** Rows of one model that are forgotten together. */
interface Piece {
  model: string
  ids: readonly number[]
}

/** The next rows of one model when so many of all but the contact are gone; undefined when all are. */
export function nextPiece(parts: readonly Forgotten[], gone: number, rowsMax: number): Piece | undefined {
  let before = 0
  for (const [model, ids] of parts.flatMap((part) => Object.entries(part))) {
    if (model === CONTACT) continue
    const from = gone - before
    if (from < ids.length) return { model, ids: ids.slice(from, from + rowsMax) }
    before += ids.length
  }
  return undefined
}

/** Forgets these rows of a person. */
export async function forgetPiece(db: Transaction, { model, ids }: Piece, person: Named): Promise<void> {
  await FORGET[model]?.(db, ids, person)
}

/** Removes the contact, when nothing of theirs is left. Whoever may erase a person may delete their contact; colleagues see it go. */
export async function removeContact(env: Env, ids: readonly number[]): Promise<Counts> {
  const contacts = records(elevated(env), CONTACT)
  const left = await contacts.listVisible(ids)
  await contacts.unlink(left)
  return countsOf({ [CONTACT]: left })
}

/** The rows that were not known before. */
export function newOf(theirs: Forgotten, known: Forgotten): Forgotten {
  const fresh = Object.entries(theirs).map(([model, ids]) => {
    const all = new Set(known[model])
    return [model, ids.filter((id) => !all.has(id))] as const
  })
  return Object.fromEntries(fresh.filter(([, ids]) => ids.length > 0))
}

/** How many rows there are of each model, without those of which there are none. */
export function countsOf(theirs: Forgotten): Counts {
  const counts = Object.entries(theirs).map(([model, ids]) => [model, ids.length] as const)
  return Object.fromEntries(counts.filter(([, count]) => count > 0))
}

/** Rows of several lists together. */
export function joined(parts: readonly Forgotten[]): Forgotten {
  const all: Record<string, readonly number[]> = {}
  for (const [model, ids] of parts.flatMap((part) => Object.entries(part))) all[model] = [...(all[model] ?? []), ...ids]
  return all
}

/** How many rows there are. */
export function sizeOf(theirs: Forgotten): number {
  return Object.values(theirs).reduce((sum, ids) => sum + ids.length, 0)
}
