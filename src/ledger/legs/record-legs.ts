import type { Transaction } from '../../database/database.ts'
import type { Env } from '../../platform/access/env.ts'
import { notifyChanged } from '../../platform/records/notify-changed.ts'
import { giveToContacts } from '../calls/call-belongings.ts'
import { legFacts } from '../calls/call-legs.ts'
import { mergeCalls, type SavedCall, saveCalls } from '../calls/call-rows.ts'
import { type CallFacts, foldCall } from '../calls/call-state.ts'
import { forgetLate } from '../calls/erased-calls.ts'
import { lockCalls, lockCallsToo } from '../calls/lock-ledger.ts'
import { registerCalls } from '../calls/register-call.ts'
import { tellWaiting } from '../calls/tell-waiting.ts'
import { type AskedAudio, askForAudio, linkConferences, linkRecordingsOfCalls } from '../recordings/link-recordings.ts'
import { KnownParents } from './known-parents.ts'
import type { CallEvent } from './leg-event.ts'
import { DEPTH_MAX, type LegToSave, linkLegs, loadLegs, type StoredLeg, writeLegs } from './leg-rows.ts'
import { type LegState, mergeLeg } from './leg-state.ts'
import { groupRelated, inOrder } from './leg-tree.ts'
import { findPartners, loadUsers, readExtensions, type Users } from './leg-users.ts'

/** What the ledger made of an event. */
export interface RecordedLeg {
  /** The call of the leg; undefined while the leg that began it is not known yet. */
  callId: number | undefined
  /** With these events the last leg of the call has ended. */
  isOver: boolean
}

/** Who is at the ends of a leg, where its person was erased. */
const NOBODY = {
  ...{ caller: '', called: '', to: '', callerNumber: '', calledNumber: '' },
  ...{ callerName: '', forwardedFrom: '', partnerId: undefined },
}

const NOTHING: RecordedLeg = { callId: undefined, isOver: false }

type StoredLegs = ReadonlyMap<string, StoredLeg>

/** A leg that is stored, or will be. */
type KnownLeg = LegState & Pick<StoredLeg, 'callId' | 'parentId' | 'partnerId'>

const parents = new KnownParents(DEPTH_MAX)

/**
 * Records what callbacks say: their legs, and each call as all of its legs now are, with its recordings. Events of one call
 * happen one after another in every process, and any order, grouping and number of repeats of the same events ends in the
 * same rows. An event without a status changes nothing of a leg that is not known. Answers for each event, in the order given.
 */
export function recordLegs(env: Env, events: readonly CallEvent[]): Promise<RecordedLeg[]> {
  return record(env, events, { onlyKnown: false })
}

/** The same for requests that may only say more of a leg that is known: about another one they change nothing. */
export function recordKnownLegs(env: Env, events: readonly CallEvent[]): Promise<RecordedLeg[]> {
  return record(env, events, { onlyKnown: true })
}

async function record(
  env: Env,
  reported: readonly CallEvent[],
  { onlyKnown }: { onlyKnown: boolean },
): Promise<RecordedLeg[]> {
  if (reported.length === 0) return []
  const events = await readExtensions(env, reported)
  const { stored, audio } = await lockLegs(env.db, events)
  const begun = new Set(onlyKnown ? [] : events.flatMap(({ sid, isBare }) => (isBare === true ? [] : [sid])))
  const meant = events.filter(({ sid }) => begun.has(sid) || stored.has(sid))
  const changed = mergeEvents(meant, stored)
  const calls = changed.length === 0 ? new Map() : await recordChanges(env, events, { changed, stored, audio })
  return events.map(({ sid }) => calls.get(sid) ?? { ...NOTHING, callId: stored.get(sid)?.callId })
}

/** What is known of calls that are locked. */
interface LockedLegs {
  readonly stored: StoredLegs
  readonly audio: AskedAudio
}

/**
 * Locks the legs of the events and everything above them, so that two events of one call always meet in a lock; then reads
 * what is known of their calls.
 */
async function lockLegs(db: Transaction, events: readonly CallEvent[]): Promise<LockedLegs> {
  const locked = new Set(events.flatMap(({ sid, parentSid }) => [sid, ...parents.above(parentSid || sid)]))
  const sids = [...new Set(events.flatMap(({ sid, parentSid }) => (parentSid === '' ? [sid] : [sid, parentSid])))]
  for (const sid of sids) locked.add(sid)
  lockCalls(db, locked)
  const asking = askForAudio(db, sids)
  for (;;) {
    // Both go to the database at once, and what fails first tells why.
    const [audio, loaded] = await Promise.all([asking, loadLegs(db, sids)])
    const legs = new Map(loaded.map((leg) => [leg.sid, leg]))
    parents.learn(legs.values())
    const above = events.flatMap((event) => ancestorsOf(event, legs)).filter((sid) => !locked.has(sid))
    if (above.length === 0 || locked.size > DEPTH_MAX * 2 * events.length) return { stored: legs, audio }
    // Somebody else may have changed the legs meanwhile, so they are read again with the locks held.
    await lockCallsToo(db, above)
    for (const sid of above) locked.add(sid)
  }
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
  { changed, stored, audio }: LockedLegs & { changed: readonly LegState[] },
): Promise<Map<string, RecordedLeg>> {
  const users = await loadUsers(env, [...new Map<string, LegState>([...stored, ...bySid(changed)]).values()])
  const legs = await withContacts(env, changed, { stored, users })
  const groups = groupRelated([...new Map<string, KnownLeg>([...stored, ...legs]).values()], events)
  const touched = groups.filter((group) => group.some(({ sid }) => legs.has(sid)))
  const calls = await saveCallsOf(env, touched, users)
  saveLegs(env, [...legs.values()], { calls, stored, users })
  // Before a call that turned out to be none is removed: its legs would go with it.
  for (const { ids, call } of calls) for (const id of ids.slice(1)) await mergeCalls(env, id, call.id)
  const sids = touched.flatMap((group) => group.map(({ sid }) => sid))
  // Their first questions go to the database together.
  await Promise.all([registerCalls(env, calls.map(toldOf)), linkRecordingsOfCalls(env, sids, audio)])
  await forgetLate(
    env,
    calls.flatMap(({ call }) => (call.erased_at === null ? [] : [call.id])),
  )
  await linkConferences(
    env,
    changed.flatMap(({ conferenceSid }) => (conferenceSid === '' ? [] : [conferenceSid])),
  )
  await giveToContacts(
    env,
    calls.filter(isNewlyKnown).map(({ call }) => call.id),
  )
  await notifyChanged(
    env,
    'connect.call',
    calls.map(({ call }) => call.id),
  )
  tellWaiting(
    env,
    calls.filter(beginsOutside).map(({ call }) => call.id),
  )
  return new Map(
    calls.flatMap(({ legs: ofCall, call, facts }) =>
      ofCall.map(({ sid }) => [sid, { callId: call.id, isOver: facts.isFinished }] as const),
    ),
  )

  /** Somebody has become the contact of a leg since it was reported first. */
  function isNewlyKnown({ legs: ofCall }: CallOfLegs): boolean {
    return ofCall.some(({ sid, partnerId }) => {
      const before = stored.get(sid)
      return before !== undefined && before.partnerId === undefined && partnerId !== undefined
    })
  }
}

/** Whether somebody of us begins to call a number. */
function beginsOutside({ facts, ids }: CallOfLegs): boolean {
  return facts.direction === 'outgoing' && ids.length === 0
}

/** What may be said of a call: not who called, where that person was erased. */
function toldOf({ call, facts }: CallOfLegs): Pick<CallOfLegs, 'call' | 'facts'> {
  return { call, facts: call.erased_at === null ? facts : { ...facts, caller: '', called: '' } }
}

/** The changed legs, with the contacts at their outside ends. */
async function withContacts(
  env: Env,
  changed: readonly LegState[],
  { stored, users }: { stored: StoredLegs; users: Users },
): Promise<Map<string, LegToSave>> {
  const facts = changed.map((leg) => legFacts(leg, users.find))
  const partners = await findPartners(env, facts, { stored, users })
  return bySid(
    facts.map((leg) => {
      const { id, callId, parentId } = stored.get(leg.sid) ?? {}
      return { ...leg, id, callId, parentId, partnerId: partners.get(leg.sid) }
    }),
  )
}

/** A call as it was saved, with its legs. */
interface CallOfLegs {
  readonly legs: readonly KnownLeg[]
  readonly facts: CallFacts
  /** Of the calls that the legs had; all but the first turned out to be none. */
  readonly ids: readonly number[]
  readonly call: SavedCall
}

/** Folds legs into their calls and saves these; nothing is said of legs whose first one is not among them. */
async function saveCallsOf(env: Env, groups: readonly (readonly KnownLeg[])[], users: Users): Promise<CallOfLegs[]> {
  const folded = groups.flatMap((legs) => {
    const facts = foldCall(legs.map((leg) => legFacts(leg, users.find)))
    return facts === undefined ? [] : [{ legs, facts, ids: callIdsOf(facts, legs) }]
  })
  if (folded.length === 0) return []
  const saved = await saveCalls(
    env,
    folded.map(({ legs, facts, ids }) => ({
      facts,
      id: ids[0],
      partnerId: partnerOf(facts, legs),
      ofLegs: partnersOf(legs),
    })),
    users.loginOf,
  )
  return folded.flatMap((each, at) => {
    const call = saved[at]
    return call === undefined ? [] : [{ ...each, call }]
  })
}

/** Writes the changed legs as parts of their calls, and makes the others part of them that are not yet. */
function saveLegs(
  env: Env,
  changed: readonly LegToSave[],
  { calls, stored, users }: { calls: readonly CallOfLegs[]; stored: StoredLegs; users: Users },
): void {
  const callOf = new Map(calls.flatMap(({ legs, call }) => legs.map(({ sid }) => [sid, call.id])))
  const erased = new Set(calls.flatMap(({ call }) => (call.erased_at === null ? [] : [call.id])))
  const written = bySid(
    changed.map((leg) => {
      const callId = callOf.get(leg.sid)
      if (callId === undefined) return leg
      const linked = { ...leg, callId, parentId: stored.get(leg.parentSid)?.id ?? leg.parentId }
      return erased.has(callId) ? { ...linked, ...NOBODY } : linked
    }),
  )
  writeLegs(env.db, [...written.values()], { loginOf: users.loginOf, createUid: env.identity.userId })
  const unlinked = calls.flatMap(({ legs, call: { id: callId } }) =>
    legs
      .map((leg) => written.get(leg.sid) ?? leg)
      .filter((leg) => leg.callId !== callId || (leg.parentId === undefined && isKnown(leg.parentSid)))
      .map(({ sid }) => ({ sid, callId })),
  )
  linkLegs(env, unlinked)

  function isKnown(sid: string): boolean {
    return stored.has(sid) || written.has(sid)
  }
}

/** The call the first leg has comes first; a leg that was taken for a call of its own may have brought another. */
function callIdsOf({ rootSid }: CallFacts, legs: readonly KnownLeg[]): number[] {
  const root = legs.find((leg) => leg.sid === rootSid)
  const ids = [root?.callId, ...legs.map((leg) => leg.callId).toSorted((a, b) => (a ?? 0) - (b ?? 0))]
  return [...new Set(ids.filter((id) => id !== undefined))]
}

/** The contact of the leg whose outside number speaks for the call. */
function partnerOf(facts: CallFacts, legs: readonly KnownLeg[]): number | undefined {
  const withContact = inOrder(legs).filter((leg) => leg.partnerId !== undefined)
  const named = withContact.find((leg) =>
    facts.externalNumbers.some((number) => number === leg.caller || number === leg.called),
  )
  return (named ?? withContact[0])?.partnerId
}

function partnersOf(legs: readonly KnownLeg[]): number[] {
  return [...new Set(legs.map((leg) => leg.partnerId).filter((id) => id !== undefined))]
}

function bySid<Leg extends LegState>(legs: readonly Leg[]): Map<string, Leg> {
  return new Map(legs.map((leg) => [leg.sid, leg]))
}

function isSame(stored: StoredLeg, merged: LegState): boolean {
  return Object.entries(merged).every(([name, value]) => stored[name as keyof LegState] === value)
}
