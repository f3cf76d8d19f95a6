import { findContactByNumber } from '../contacts/find-by-number.ts'
import { sql } from '../database/drizzle.ts'
import { param, statement } from '../database/statement.ts'
import type { Env } from '../platform/env.ts'
import type { CallEvent } from './call-event.ts'
import { keepCall, linkLegs, mergeCalls } from './call-rows.ts'
import { type CallFacts, foldCall, type LegFacts, legFacts } from './call-state.ts'
import { lockLedger } from './find-call.ts'
import { keepLeg, loadLegTree, type StoredLeg } from './leg-rows.ts'
import { type LegState, mergeLeg } from './leg-state.ts'
import { inOrder } from './leg-tree.ts'
import { externalSide, type FindUser, type PbxUser, usernamesIn, withBareExtensions } from './party.ts'
import { registerCall } from './register-call.ts'

/** What the ledger made of an event. */
export interface RecordedEvent {
  /** The call of the leg; undefined while the leg that began it is not known yet. */
  callId: number | undefined
  /** Legs of which something changed: the event's own, and those that became part of the call with it. */
  changedSids: readonly string[]
}

const FIND_USERS = statement<{ id: number; username: string; extension: string | null }, { names: readonly string[] }>(
  'pbx_users_by_name',
  sql`select p.id, p.username, e.number as extension from connect_user p
      left join connect_telco_exten e on e.id = p.telco_exten where p.username = any(${param('names')}::text[])`,
)
const FIND_EXTENSIONS = statement<{ number: string }, { numbers: readonly string[] }>(
  'extensions_by_number',
  sql`select number from connect_telco_exten where number = any(${param('numbers')}::text[])`,
)

const SHORT_PLUS = /^\+\d{1,4}$/
/** Ancestors above one leg; transfers of transfers are a handful. */
const DEPTH_MAX = 20

/**
 * Records what one callback says: the leg, and the call as all of its legs now are. Events of one call happen one after
 * another in every process, and any order and number of repeats of the same events ends in the same rows.
 */
export async function recordCallEvent(env: Env, reported: CallEvent): Promise<RecordedEvent> {
  const event = await readExtensions(env, reported)
  const tree = await lockTree(env, event)
  const stored = tree.find((leg) => leg.sid === event.sid)
  const merged = mergeLeg(stored, event)
  if (stored?.callId !== undefined && isSame(stored, merged)) return { callId: stored.callId, changedSids: [] }
  const others = tree.filter((leg) => leg.sid !== event.sid)
  const findUser = await loadUsers(env, [merged, ...others])
  const facts = legFacts(merged, findUser)
  const partnerId = stored?.partnerId ?? (await findPartner(env, facts))
  const kept = await keepLeg(env.db, facts, { partnerId, createUid: env.identity.userId })
  const own: StoredLeg = { ...merged, id: kept.id, callId: kept.callId, parentId: stored?.parentId, partnerId }
  const { callId, changedSids } = await recordCall(env, [own, ...others], findUser)
  return { callId, changedSids: [...new Set([event.sid, ...changedSids])] }
}

/** Folds the legs into their call; nothing happens while the first leg is not among them. */
async function recordCall(env: Env, legs: readonly StoredLeg[], findUser: FindUser): Promise<RecordedEvent> {
  const facts = foldCall(legs.map((leg) => legFacts(leg, findUser)))
  if (facts === undefined) return { callId: undefined, changedSids: [] }
  const root = legs.find((leg) => leg.sid === facts.rootSid)
  const [first, ...superfluous] = callIdsOf(root, legs)
  const call = await keepCall(env, facts, { id: first, partnerId: partnerOf(facts, legs) })
  for (const id of superfluous) await mergeCalls(env.db, id, call.id)
  const unlinked = legs.filter((leg) => leg.callId !== call.id || (leg.parentSid !== '' && leg.parentId === undefined))
  const sids = unlinked.map((leg) => leg.sid)
  if (sids.length > 0) await linkLegs(env.db, call.id, sids)
  await registerCall(env, call, facts)
  await env.db.notify('connect_records', JSON.stringify({ model: 'connect.call', ids: [call.id] }))
  return { callId: call.id, changedSids: sids }
}

/**
 * Locks the leg and everything above it, from the leg upwards, so that two events of one call always meet in a lock
 * and never wait for each other in a circle; then reads what is known.
 */
async function lockTree(env: Env, { sid, parentSid }: CallEvent): Promise<StoredLeg[]> {
  const locked = new Set<string>()
  const lock = async (key: string): Promise<void> => {
    if (key === '' || locked.has(key)) return
    locked.add(key)
    await lockLedger(env.db, 'call', key)
  }
  await lock(sid)
  await lock(parentSid)
  for (;;) {
    const tree = await loadLegTree(env.db, sid, parentSid)
    const above = ancestorsOf(tree, sid, parentSid).filter((each) => !locked.has(each))
    if (above.length === 0 || locked.size > DEPTH_MAX) return tree
    // Somebody else may have changed the tree while we waited, so it is read again with the locks held.
    for (const each of above) await lock(each)
  }
}

function ancestorsOf(tree: readonly StoredLeg[], sid: string, parentSid: string): string[] {
  const bySid = new Map(tree.map((leg) => [leg.sid, leg]))
  const found: string[] = []
  let next = parentSid || bySid.get(sid)?.parentSid || ''
  while (next !== '' && !found.includes(next) && found.length < DEPTH_MAX) {
    found.push(next)
    next = bySid.get(next)?.parentSid ?? ''
  }
  return found
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

/** `+101` is the extension 101 when there is one: the provider puts a plus before extensions used as caller id. */
async function readExtensions(env: Env, event: CallEvent): Promise<CallEvent> {
  const short = [event.caller, event.called, event.to].filter((party) => SHORT_PLUS.test(party))
  if (short.length === 0) return event
  const rows = await env.db.run(FIND_EXTENSIONS, { numbers: short.map((party) => party.slice(1)) })
  const known = new Set(rows.map((row) => row.number))
  return withBareExtensions(event, (number) => known.has(number))
}

async function loadUsers(env: Env, legs: readonly LegState[]): Promise<FindUser> {
  const names = [...new Set(legs.flatMap(usernamesIn))]
  if (names.length === 0) return () => undefined
  const rows = await env.db.run(FIND_USERS, { names })
  const byName = new Map<string, PbxUser>(
    rows.map(({ id, username, extension }) => [username, { id, extension: extension ?? '' }]),
  )
  return (username) => byName.get(username)
}

async function findPartner(env: Env, leg: LegFacts): Promise<number | undefined> {
  const side = externalSide(leg)
  if (side === undefined) return undefined
  const number = side === 'caller' ? leg.callerNumber : leg.calledNumber
  const contact = await findContactByNumber(env.db, number, env.settings.country)
  return contact?.id
}

function isSame(stored: StoredLeg, merged: LegState): boolean {
  return Object.entries(merged).every(([name, value]) => {
    const known = stored[name as keyof LegState]
    // A row keeps no difference between no duration yet and none at all.
    return name === 'duration' ? (known ?? 0) === (value ?? 0) : known === value
  })
}
