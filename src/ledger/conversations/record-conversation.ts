import { sql } from '../../database/drizzle.ts'
import type { Env } from '../../platform/access/env.ts'
import { notifySomeChanged } from '../../platform/records/notify-changed.ts'
import { giveToContacts } from '../calls/call-belongings.ts'
import { erasedCallsOf, forgetLate } from '../calls/erased-calls.ts'
import { lockConversations } from '../calls/lock-ledger.ts'
import { enqueueMediaRemoval } from '../recordings/media-removal.ts'
import {
  type AudioRow,
  REMOVE_OF_CONVERSATIONS,
  SAVE_MEDIA,
  SAVE_RECORDINGS,
} from '../recordings/recording-of-conversation.ts'
import type { ConversationFacts, NamedConversation } from './conversation-facts.ts'
import {
  changeCalls,
  createCalls,
  findKnownConversations,
  type KnownConversation,
  spokenRow,
} from './conversation-rows.ts'

/** The call of a conversation, and whether the delivery said anything that was not stored already. */
export interface RecordedConversation {
  callId: number | undefined
  isNew: boolean
}

/** Nothing of who spoke and of what was said. */
const WORDLESS = {
  ...{ transcript: undefined, summary: undefined, turns: undefined },
  ...{ partnerId: undefined, caller: undefined, called: undefined },
}

/** A conversation, what the ledger has of it, and where its answer goes. */
interface Recording {
  readonly facts: ConversationFacts
  readonly known: KnownConversation
  readonly at: number
}

/**
 * Logs each conversation once: one call, and one recording when there is something to read. Joins the call that telephony
 * has already logged. What was said counts more than that the call could not be started, whichever comes first. Answers
 * for each, in the order given. What else is to be found out about them is asked together with what the ledger has.
 */
export async function recordConversations(
  env: Env,
  named: readonly NamedConversation[],
  complete: () => Promise<readonly ConversationFacts[]>,
): Promise<RecordedConversation[]> {
  lockConversations(env.db, named)
  const [known, conversations] = await Promise.all([findKnownConversations(env, named), complete()])
  const recorded = new Map<number, RecordedConversation>()
  const [calls, ofContacts] = [new Set<number>(), new Set<number>()]
  let waiting = conversations.map((facts, at) => recordingOf(facts, at, known))
  while (waiting.length > 0) {
    const { now = [], later = [] } = inTurns(waiting)
    await recordTurn(env, now, { recorded, calls, ofContacts })
    waiting = later.length === 0 ? [] : await findAgain(env, later)
  }
  await giveToContacts(env, [...ofContacts])
  await notifySomeChanged(env, 'connect.call', [...calls])
  return conversations.map((_facts, at) => recorded.get(at) ?? { callId: undefined, isNew: false })
}

async function findAgain(env: Env, conversations: readonly Recording[]): Promise<Recording[]> {
  const known = await findKnownConversations(
    env,
    conversations.map(({ facts }) => facts),
  )
  return conversations.map(({ facts, at }, place) => ({ ...recordingOf(facts, place, known), at }))
}

/** What is recorded of a conversation: of somebody who was erased, what came of it and no words. */
function recordingOf(facts: ConversationFacts, at: number, all: readonly KnownConversation[]): Recording {
  const known = knownAt(all, at)
  return { facts: known.is_erased ? wordless(facts) : facts, known, at }
}

/** Reasons and data fields have words of theirs; cost and language are figures. */
function wordless(facts: ConversationFacts): ConversationFacts {
  const analysis = { ...facts.analysis, criteria: undefined, collected: undefined, tags: undefined }
  return { ...facts, ...WORDLESS, analysis }
}

function knownAt(known: readonly KnownConversation[], at: number): KnownConversation {
  const found = known[at]
  if (found === undefined) throw new Error('the ledger did not say what it knows of a conversation')
  return found
}

/** What is said of a conversation or a call of which something was said before it comes later. */
function inTurns(conversations: readonly Recording[]): { now?: Recording[]; later?: Recording[] } {
  const taken = new Set<string>()
  return Object.groupBy(conversations, ({ facts, known }) => {
    const names = [`conversation ${facts.key}`, ...(known.call === null ? [] : [`call ${known.call}`])]
    const isLater = names.some((name) => taken.has(name))
    for (const name of names) taken.add(name)
    return isLater ? 'later' : 'now'
  })
}

interface Written {
  readonly recorded: Map<number, RecordedConversation>
  readonly calls: Set<number>
  /** Those that were there before and may have got their contact from what is said now. */
  readonly ofContacts: Set<number>
}

/** Records conversations of which no two are the same or belong to one call. */
async function recordTurn(env: Env, conversations: readonly Recording[], written: Written): Promise<void> {
  const { recorded, calls, ofContacts } = written
  const fresh = conversations.filter(({ known }) => !known.is_recorded)
  const created = await createCalls(
    env,
    fresh.filter(({ known }) => known.call === null).map(({ facts }) => facts),
  )
  changeCalls(env, fresh)
  const callOf = ({ facts, known }: Recording): number | undefined => known.call ?? created.get(facts.key)
  for (const each of conversations) recorded.set(each.at, { callId: callOf(each), isNew: isNew(each) })
  const logged = fresh.map((each) => ({ ...each, callId: callOf(each) ?? 0 }))
  for (const { callId, facts, known } of logged) {
    calls.add(callId)
    if (known.call !== null && facts.partnerId !== undefined) ofContacts.add(callId)
  }
  // Audio that came first has made the recording; it learns of its call here even when nothing was said.
  const erased = logged.filter(({ known }) => known.is_erased)
  if (erased.length > 0) await dropWords(env, erased)
  const rows = logged
    .filter(({ facts, known }) => !known.is_erased && (isReadable(facts) || known.has_recording))
    .map(({ facts, callId }) => spokenRow(env, facts, callId))
  if (rows.length > 0) env.db.send(SAVE_RECORDINGS, { rows })
}

/** Audio that came before it was known whose conversation it is goes, and so does the delivery as it came. */
async function dropWords(env: Env, erased: readonly { facts: ConversationFacts; callId: number }[]): Promise<void> {
  const keys = erased.map(({ facts }) => facts.key)
  const removed = await env.db.run(REMOVE_OF_CONVERSATIONS, { keys })
  if (removed.length > 0) await enqueueMediaRemoval(env)
  await forgetLate(
    env,
    erased.map(({ callId }) => callId),
  )
}

function isNew({ facts, known }: Recording): boolean {
  return !known.is_recorded && (!known.is_known || isReadable(facts))
}

function isReadable({ transcript, summary }: ConversationFacts): boolean {
  return transcript !== undefined || summary !== undefined
}

/** Audio of a conversation, in the media store. */
interface ConversationMedia {
  conversationId: string
  reference: string
  type: string
  filename: string
}

/** Attaches stored audio to the recordings of conversations, making those that are not there; new unless one had some. */
export async function recordConversationMedia(
  env: Env,
  deliveries: readonly ConversationMedia[],
): Promise<RecordedConversation[]> {
  lockConversations(
    env.db,
    deliveries.map(({ conversationId: key }) => ({ key })),
  )
  const firsts = new Map(deliveries.toReversed().map((each) => [each.conversationId, each]))
  const rows = [...firsts.values()].map((each) => audioRow(env, each))
  const written = rows.length === 0 ? [] : await env.db.run(SAVE_MEDIA, { rows })
  await notifySomeChanged(
    env,
    'connect.recording',
    written.map(({ id }) => id),
  )
  await forgetLate(env, await erasedCallsOf(env, [...firsts.keys()]))
  const calls = new Map(written.map(({ sid, call }) => [sid, call ?? undefined]))
  return deliveries.map((each) => {
    const { conversationId: key } = each
    const isNew = calls.has(key) && firsts.get(key) === each
    return { callId: isNew ? calls.get(key) : undefined, isNew }
  })
}

function audioRow({ identity }: Env, { conversationId, reference, type, filename }: ConversationMedia): AudioRow {
  const media = { media_ref: reference, media_type: type, recording_filename: filename }
  return { sid: conversationId, ...media, create_uid: identity.userId }
}

/** Whether the conversation's recording has its audio already. */
export async function hasConversationMedia(env: Env, conversationId: string): Promise<boolean> {
  const rows = await env.db.query(
    sql`select id from connect_recording where sid = ${conversationId} and media_ref is not null`,
  )
  return rows.length > 0
}
