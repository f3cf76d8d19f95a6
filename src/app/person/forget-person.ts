import { findMeetingsOf, makeMeetingsAnonymous } from '../../calendar/events/forget-meetings.ts'
import type { Queryable, Transaction } from '../../database/database.ts'
import { findStoredOf, removeStored } from '../../deliveries/inbox/forget-stored.ts'
import { emptyDeliveries, findDeliveriesOf } from '../../deliveries/log/forget-deliveries.ts'
import { findTicketsOf, makeTicketsAnonymous } from '../../helpdesk/tickets/forget-tickets.ts'
import { findRefilledCalls, makeCallsAnonymous } from '../../ledger/calls/call-updates.ts'
import { findLegsOf, findRefilledLegs, makeLegsAnonymous } from '../../ledger/legs/forget-legs.ts'
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
  return { theirs: await findRows(db, person, traces), traces }
}

/** What has been forgotten already, with the conversations and calls by the names that the providers gave them. */
interface Known {
  known: Forgotten
  texts: readonly string[]
}

/**
 * The rows that are a person's although everything known of them has been forgotten, without the contact. A known row that is
 * theirs by itself was given back to them, such as by a late report of a call, one that names nobody says something of them again, and
 * one that stayed was still needed: all are forgotten again. What hangs on rows that name nobody any more is found by these rows.
 */
export async function findLeft(db: Queryable, person: Person, { known, texts }: Known): Promise<Theirs> {
  const traces = await findTraces(db, person)
  const again = await findRows(db, person, traces)
  const withKnown = (model: string, found: readonly number[]): number[] => [
    ...new Set([...(known[model] ?? []), ...found]),
  ]
  const calls = withKnown('connect.call', traces.calls)
  const made = { calls, linked: [] }
  const late = await findRows(db, person, {
    calls,
    conversations: [...new Set([...texts, ...traces.conversations])],
    sids: [...new Set([...texts, ...traces.sids])],
    messages: withKnown('connect.message', traces.messages),
    tickets: withKnown('helpdesk.ticket', await findTicketsOf(db, person, made)),
    meetings: withKnown('calendar.event', await findMeetingsOf(db, person, calls)),
  })
  const refilled = {
    'connect.channel': await findRefilledLegs(db, known['connect.call'] ?? []),
    'connect.call': await findRefilledCalls(db, known['connect.call'] ?? []),
  }
  const left = joined([again, refilled, newOf(late, known)])
  return { theirs: newOf(left, { [CONTACT]: person.contacts }), traces }
}

/** The rows that these traces of a person lead to. */
async function findRows(db: Queryable, person: Person, traces: Traces): Promise<Forgotten> {
  const { calls, messages, tickets, meetings, conversations } = traces
  const about = {
    'connect.message': messages,
    'connect.call': calls,
    'helpdesk.ticket': tickets,
    'calendar.event': meetings,
    [CONTACT]: person.contacts,
  }
  return {
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
}

/** Rows of one model that are forgotten together. */
interface Piece {
  model: string
  ids: readonly number[]
}

interface NextPiece extends Piece {
  /** Those of its rows that were not forgotten before: each row is counted once. */
  firsts: Forgotten
}

/** The next rows of one model when so many of all but the contact are gone; undefined when all are. */
export function nextPiece(parts: readonly Forgotten[], gone: number, rowsMax: number): NextPiece | undefined {
  let before = 0
  for (const [place, part] of parts.entries()) {
    for (const [model, all] of Object.entries(part)) {
      if (model === CONTACT) continue
      const from = gone - before
      if (from < all.length) {
        const ids = all.slice(from, from + rowsMax)
        return { model, ids, firsts: newOf({ [model]: ids }, joined(parts.slice(0, place))) }
      }
      before += all.length
    }
  }
  return undefined
}

/** Forgets these rows of a person. */
export async function forgetPiece(db: Transaction, { model, ids }: Piece, person: Named): Promise<void> {
  await FORGET[model]?.(db, ids, person)
}

/** Removes the contact, when nothing of theirs is left. Anyone who may erase a person may delete their contact; colleagues see it go. */
export async function removeContact(env: Env, ids: readonly number[]): Promise<Counts> {
  const contacts = records(elevated(env), CONTACT)
  const left = await contacts.listVisible(ids)
  if (left.length > 0) await contacts.unlink(left)
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

/** Rows of several lists together, each of them once. */
export function joined(parts: readonly Forgotten[]): Forgotten {
  const all: Record<string, Set<number>> = {}
  for (const [model, ids] of parts.flatMap((part) => Object.entries(part))) {
    all[model] = (all[model] ?? new Set()).union(new Set(ids))
  }
  return Object.fromEntries(Object.entries(all).map(([model, rows]) => [model, [...rows]]))
}

/** How many rows there are. */
export function sizeOf(theirs: Forgotten): number {
  return Object.values(theirs).reduce((sum, ids) => sum + ids.length, 0)
}
