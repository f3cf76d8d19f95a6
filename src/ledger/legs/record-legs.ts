import type { Transaction } from '../../database/database.ts'
import type { Env } from '../../platform/access/env.ts'
import { notifyChanged } from '../../platform/records/notify-changed.ts'
import { legFacts } from '../calls/call-legs.ts'
import { mergeCalls, saveCall } from '../calls/call-rows.ts'
import { type CallFacts, foldCall } from '../calls/call-state.ts'
import { lockCalls } from '../calls/lock-ledger.ts'
import { registerCall } from '../calls/register-call.ts'
import { linkRecordingsOfCalls } from '../recordings/link-recordings.ts'
import type { CallEvent } from './leg-event.ts'
import { DEPTH_MAX, linkLegs, loadLegs, type StoredLeg, upsertLeg } from './leg-rows.ts'
import { type LegState, mergeLeg } from './leg-state.ts'
import { groupRelated, inOrder } from './leg-tree.ts'
import { findPartner, loadUsers, readExtensions, type Users } from './leg-users.ts'

/** What the ledger made of an event. */
export interface RecordedLeg {
  /** The call of the leg; undefined while the leg that began it is not known yet. */
  callId: number | undefined
  /** With these events the last leg of the call has ended. */
  isOver: boolean
}

const NOTHING: RecordedLeg = { callId: undefined, isOver: false }

type StoredLegs = ReadonlyMap<string, StoredLeg>

/**
 * Records what callbacks say: their legs, and each call as all of its legs now are, with its recordings. Events of one call
 * happen one after another in every process, and any order, grouping and number of repeats of the same events ends in the
 * same rows. Answers for each event, in the order given.
 */
export function recordLegs(env: Env, events: readonly CallEvent[]): Promise<RecordedLeg[]> {
  return record(env, events, () => true)
}

/** The same for requests that may only say more of a leg that is known: about another one they change nothing. */
export function recordKnownLegs(env: Env, events: readonly CallEvent[]): Promise<RecordedLeg[]> {
  return record(env, events, (stored) => stored !== undefined)
}

async function record(
  env: Env,
  reported: readonly CallEvent[],
  isWanted: (stored: StoredLeg | undefined) => boolean,
): Promise<RecordedLeg[]> {
  if (reported.length === 0) return []
  const events = await readExtensions(env, reported)
  const stored = await lockLegs(env.db, events)
  const changed = mergeEvents(
    events.filter(({ sid }) => isWanted(stored.get(sid))),
    stored,
  )
  const calls = changed.length === 0 ? new Map() : await recordChanges(env, events, { changed, stored })
  return events.map(({ sid }) => calls.get(sid) ?? { ...NOTHING, callId: stored.get(sid)?.callId })
}

/**
 * Locks the legs of the events and everything above them, each from the leg upwards, so that two events of one call always
 * meet in a lock and never wait for each other in a circle; then reads what is known of their calls, by sid.
 */
async function lockLegs(db: Transaction, events: readonly CallEvent[]): Promise<Map<string, StoredLeg>> {
  const named = inLockOrder(events)
  const locked = new Set(named)
  lockCalls(db, named)
  for (;;) {
    const legs = new Map((await loadLegs(db, named)).map((leg) => [leg.sid, leg]))
    const above = events.flatMap((event) => ancestorsOf(event, legs)).filter((sid) => !locked.has(sid))
    if (above.length === 0 || locked.size > DEPTH_MAX * events.length) return legs
    // Somebody else may have changed the legs while we waited, so they are read again with the locks held.
    lockCalls(db, [...new Set(above)])
    for (const sid of above) locked.add(sid)
  }
}

/** Legs that were dialled out of others before these, so that every process locks the legs of a call in one order. */
function inLockOrder(events: readonly CallEvent[]): string[] {
  const dialled = events.filter(({ parentSid }) => parentSid !== '')
  const first = dialled.map(({ sid }) => sid).sort()
  const last = [...events.map(({ sid }) => sid), ...dialled.map(({ parentSid }) => parentSid)].sort()
  return [...new Set([...first, ...last])]
}

function ancestorsOf({ sid, parentSid }: CallEvent, legs: ReadonlyMap<string, StoredLeg>): string[] {
  const found: string[] = []
  let next = parentSid || legs.get(sid)?.parentSid || ''
  while (next !== '' && !found.includes(next) && found.length < DEPTH_MAX) {
    found.push(next)
    next = legs.get(next)?.parentSid ?? ''
  }
  return found
}

/** The legs that the events change, as they are after all of them. */
function mergeEvents(events: readonly CallEvent[], stored: StoredLegs): LegState[] {
  const merged = new Map<string, LegState>()
  for (const event of events) merged.set(event.sid, mergeLeg(merged.get(event.sid) ?? stored.get(event.sid), event))
  return [...merged.values()].filter((leg) => {
    const before = stored.get(leg.sid)
    return before?.callId === undefined || !isSame(before, leg)
  })
}

/** Writes the changed legs and the calls they belong to; answers by the sid of each changed leg. */
async function recordChanges(
  env: Env,
  events: readonly CallEvent[],
  { changed, stored }: { changed: readonly LegState[]; stored: StoredLegs },
): Promise<Map<string, RecordedLeg>> {
  const users = await loadUsers(env, [...new Map<string, LegState>([...stored, ...bySid(changed)]).values()])
  const saved = bySid(
    await Promise.all(changed.map((leg) => saveLeg(env, leg, { stored: stored.get(leg.sid), users }))),
  )
  const calls = groupRelated([...new Map([...stored, ...saved]).values()], events)
  const touched = calls.filter((legs) => legs.some(({ sid }) => saved.has(sid)))
  const recorded = new Map<string, RecordedLeg>()
  for (const legs of touched) {
    const call = await recordCall(env, legs, users)
    for (const { sid } of legs) if (saved.has(sid)) recorded.set(sid, call)
  }
  await linkRecordingsOfCalls(
    env,
    touched.flatMap((legs) => legs.map(({ sid }) => sid)),
  )
  return recorded
}

async function saveLeg(
  env: Env,
  leg: LegState,
  { stored, users }: { stored: StoredLeg | undefined; users: Users },
): Promise<StoredLeg> {
  const facts = legFacts(leg, users.find)
  const partnerId = await findPartner(env, facts, { stored, users })
  const links = { partnerId, loginOf: users.loginOf, createUid: env.identity.userId }
  return { ...leg, ...(await upsertLeg(env.db, facts, links)), parentId: stored?.parentId, partnerId }
}

/** Folds the legs into their call; nothing happens while the first leg is not among them. */
async function recordCall(env: Env, legs: readonly StoredLeg[], users: Users): Promise<RecordedLeg> {
  const facts = foldCall(legs.map((leg) => legFacts(leg, users.find)))
  if (facts === undefined) return NOTHING
  const root = legs.find((leg) => leg.sid === facts.rootSid)
  const [first, ...superfluous] = callIdsOf(root, legs)
  const partners = { partnerId: partnerOf(facts, legs), ofLegs: partnersOf(legs) }
  const call = await saveCall(env, facts, { id: first, ...partners, loginOf: users.loginOf })
  const unlinked = legs.filter((leg) => leg.callId !== call.id || (leg.parentSid !== '' && leg.parentId === undefined))
  // Before a call that turned out to be none is removed: its legs would go with it.
  if (unlinked.length > 0) {
    const sids = unlinked.map((leg) => leg.sid)
    linkLegs(env.db, call.id, sids)
  }
  for (const id of superfluous) await mergeCalls(env, id, call.id)
  await registerCall(env, call, facts)
  await notifyChanged(env, 'connect.call', [call.id])
  return { callId: call.id, isOver: facts.isFinished }
}

/** The call the first leg has comes first; a leg that was taken for a call of its own may have brought another. */
function callIdsOf(root: StoredLeg | undefined, legs: readonly StoredLeg[]): number[] {
  const ids = [root?.callId, ...legs.map((leg) => leg.callId).toSorted((a, b) => (a ?? 0) - (b ?? 0))]
  return [...new Set(ids.filter((id) => id !== undefined))]
}

/** The contact of the leg whose outside number speaks for the call. */
function partnerOf(facts: CallFacts, legs: readonly StoredLeg[]): number | undefined {
  const withContact = inOrder(legs).filter((leg) => leg.partnerId !== undefined)
  const named = withContact.find((leg) =>
    facts.externalNumbers.some((number) => number === leg.caller || number === leg.called),
  )
  return (named ?? withContact[0])?.partnerId
}

function partnersOf(legs: readonly StoredLeg[]): number[] {
  return [...new Set(legs.map((leg) => leg.partnerId).filter((id) => id !== undefined))]
}

function bySid<Leg extends LegState>(legs: readonly Leg[]): Map<string, Leg> {
  return new Map(legs.map((leg) => [leg.sid, leg]))
}

function isSame(stored: StoredLeg, merged: LegState): boolean {
  return Object.entries(merged).every(([name, value]) => {
    const known = stored[name as keyof LegState]
    // A row makes no difference between no duration yet and none at all.
    return name === 'duration' ? (known ?? 0) === (value ?? 0) : known === value
  })
}
