import { findContactByNumber } from '../../contacts/find-by-number.ts'
import { sql } from '../../database/drizzle.ts'
import { param, statement } from '../../database/statement.ts'
import type { Env } from '../../platform/access/env.ts'
import { keepCall, linkLegs, mergeCalls } from '../calls/call-rows.ts'
import { type CallFacts, foldCall, type LegFacts, legFacts } from '../calls/call-state.ts'
import { lockCalls } from '../calls/find-call.ts'
import { registerCall } from '../conversations/register-call.ts'
import type { CallEvent } from './leg-event.ts'
import { keepLeg, loadLegTree, type StoredLeg } from './leg-rows.ts'
import { type LegState, mergeLeg } from './leg-state.ts'
import { inOrder } from './leg-tree.ts'
import { externalSide, type FindUser, type PbxUser, usernamesIn, withBareExtensions } from './party.ts'

/** What the ledger made of an event. */
export interface RecordedEvent {
  /** The call of the leg; undefined while the leg that began it is not known yet. */
  callId: number | undefined
  /** The legs of the call as far as they are known, when the event changed any of them; else none. */
  changedSids: readonly string[]
  /** With this event the last leg of the call has ended. */
  isOver: boolean
}

const NOTHING: RecordedEvent = { callId: undefined, changedSids: [], isOver: false }

const FIND_USERS = statement<UserRow, { names: readonly string[] }>(
  'pbx_users_by_name',
  sql`select p.id, p.username, p."user" as login, e.number as extension from connect_user p
      left join connect_telco_exten e on e.id = p.telco_exten where p.username = any(${param('names')}::text[])`,
)
const FIND_EXTENSIONS = statement<{ number: string }, { numbers: readonly string[] }>(
  'extensions_by_number',
  sql`select number from connect_telco_exten where number = any(${param('numbers')}::text[])`,
)

const SHORT_PLUS = /^\+\d{1,4}$/
/** Ancestors above one leg; transfers of transfers are a handful. */
const DEPTH_MAX = 20

interface UserRow {
  id: number
  username: string
  login: number
  extension: string | null
}

/** Phone users among the parties of a call. */
interface Users {
  find: FindUser
  loginOf(pbxUserId: number | undefined): number | null
}

/**
 * Records what one callback says: the leg, and the call as all of its legs now are. Events of one call happen one after
 * another in every process, and any order and number of repeats of the same events ends in the same rows.
 */
export function recordCallEvent(env: Env, reported: CallEvent): Promise<RecordedEvent> {
  return record(env, reported, () => true)
}

/** The same for a request that may only tell more of a leg that is known: about another one it changes nothing. */
export function recordKnownLegEvent(env: Env, reported: CallEvent): Promise<RecordedEvent> {
  return record(env, reported, (stored) => stored !== undefined)
}

async function record(
  env: Env,
  reported: CallEvent,
  isWanted: (stored: StoredLeg | undefined) => boolean,
): Promise<RecordedEvent> {
  const event = await readExtensions(env, reported)
  const tree = await lockTree(env, event)
  const stored = tree.find((leg) => leg.sid === event.sid)
  if (!isWanted(stored)) return NOTHING
  const merged = mergeLeg(stored, event)
  if (stored?.callId !== undefined && isSame(stored, merged)) return { ...NOTHING, callId: stored.callId }
  const others = tree.filter((leg) => leg.sid !== event.sid)
  const users = await loadUsers(env, [merged, ...others])
  const facts = legFacts(merged, users.find)
  const partnerId = await findPartner(env, facts, stored === undefined ? undefined : { stored, users })
  const links = { partnerId, loginOf: users.loginOf, createUid: env.identity.userId }
  const kept = await keepLeg(env.db, facts, links)
  const own: StoredLeg = { ...merged, id: kept.id, callId: kept.callId, parentId: stored?.parentId, partnerId }
  const legs = [own, ...others]
  return { ...(await recordCall(env, legs, users)), changedSids: legs.map((leg) => leg.sid) }
}

/** Folds the legs into their call; nothing happens while the first leg is not among them. */
async function recordCall(
  env: Env,
  legs: readonly StoredLeg[],
  users: Users,
): Promise<Pick<RecordedEvent, 'callId' | 'isOver'>> {
  const facts = foldCall(legs.map((leg) => legFacts(leg, users.find)))
  if (facts === undefined) return NOTHING
  const root = legs.find((leg) => leg.sid === facts.rootSid)
  const [first, ...superfluous] = callIdsOf(root, legs)
  const partners = { partnerId: partnerOf(facts, legs), ofLegs: partnersOf(legs) }
  const call = await keepCall(env, facts, { id: first, ...partners, loginOf: users.loginOf })
  const unlinked = legs.filter((leg) => leg.callId !== call.id || (leg.parentSid !== '' && leg.parentId === undefined))
  // Before a call that turned out to be none is removed: its legs would go with it.
  if (unlinked.length > 0) {
    const sids = unlinked.map((leg) => leg.sid)
    linkLegs(env.db, call.id, sids)
  }
  for (const id of superfluous) await mergeCalls(env.db, id, call.id)
  await registerCall(env, call, facts)
  await env.db.notify('connect_records', JSON.stringify({ model: 'connect.call', ids: [call.id] }))
  return { callId: call.id, isOver: facts.isFinished }
}

/**
 * Locks the leg and everything above it, from the leg upwards, so that two events of one call always meet in a lock
 * and never wait for each other in a circle; then reads what is known.
 */
async function lockTree(env: Env, { sid, parentSid }: CallEvent): Promise<StoredLeg[]> {
  const locked = new Set([sid, parentSid].filter((each) => each !== ''))
  lockCalls(env.db, [...locked])
  for (;;) {
    const tree = await loadLegTree(env.db, sid, parentSid)
    const above = ancestorsOf(tree, sid, parentSid).filter((each) => !locked.has(each))
    if (above.length === 0 || locked.size > DEPTH_MAX) return tree
    // Somebody else may have changed the tree while we waited, so it is read again with the locks held.
    lockCalls(env.db, above)
    for (const each of above) locked.add(each)
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

function partnersOf(legs: readonly StoredLeg[]): number[] {
  return [...new Set(legs.map((leg) => leg.partnerId).filter((id) => id !== undefined))]
}

/** `+101` is the extension 101 when there is one: the provider puts a plus before extensions used as caller id. */
async function readExtensions(env: Env, event: CallEvent): Promise<CallEvent> {
  const short = [event.caller, event.called, event.to].filter((party) => SHORT_PLUS.test(party))
  if (short.length === 0) return event
  const rows = await env.db.run(FIND_EXTENSIONS, { numbers: short.map((party) => party.slice(1)) })
  const known = new Set(rows.map((row) => row.number))
  return withBareExtensions(event, (number) => known.has(number))
}

async function loadUsers(env: Env, legs: readonly LegState[]): Promise<Users> {
  const names = [...new Set(legs.flatMap(usernamesIn))]
  const rows = names.length === 0 ? [] : await env.db.run(FIND_USERS, { names })
  const byName = new Map<string, PbxUser>(
    rows.map(({ id, username, extension }) => [username, { id, extension: extension ?? '' }]),
  )
  const logins = new Map(rows.map(({ id, login }) => [id, login]))
  return {
    find: (username) => byName.get(username),
    loginOf: (id) => (id === undefined ? null : (logins.get(id) ?? null)),
  }
}

/** The contact at the outside end of the leg. One that was looked for before is only looked for again under another number. */
async function findPartner(
  env: Env,
  leg: LegFacts,
  before: { stored: StoredLeg; users: Users } | undefined,
): Promise<number | undefined> {
  const number = outsideParty(leg)
  if (before?.stored.partnerId !== undefined) return before.stored.partnerId
  const isKnown = before !== undefined && outsideParty(legFacts(before.stored, before.users.find)) === number
  if (number === '' || isKnown) return undefined
  const contact = await findContactByNumber(env.db, number, env.settings.country)
  return contact?.id
}

/** The number of the other side, or what was written in its place: contacts are found by numbers in any form. */
function outsideParty(leg: LegFacts): string {
  const side = externalSide(leg)
  if (side === undefined) return ''
  return side === 'caller' ? leg.callerNumber || leg.caller : leg.calledNumber || leg.called
}

function isSame(stored: StoredLeg, merged: LegState): boolean {
  return Object.entries(merged).every(([name, value]) => {
    const known = stored[name as keyof LegState]
    // A row keeps no difference between no duration yet and none at all.
    return name === 'duration' ? (known ?? 0) === (value ?? 0) : known === value
  })
}
