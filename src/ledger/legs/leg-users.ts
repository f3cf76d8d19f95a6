import { findContactsByNumbers } from '../../contacts/find-by-number.ts'
import { findExtensionNumbers, findPhoneUsers } from '../../directory/phone-users.ts'
import type { Env } from '../../platform/access/env.ts'
import { type LegFacts, legFacts } from '../calls/call-legs.ts'
import type { CallEvent } from './leg-event.ts'
import type { StoredLeg } from './leg-rows.ts'
import type { LegState } from './leg-state.ts'
import { externalSide, type FindUser, type PbxUser, usernamesIn, withBareExtensions } from './party.ts'

/** Phone users among the parties of calls. */
export interface Users {
  find: FindUser
  loginOf(pbxUserId: number | undefined): number | null
}

const SHORT_PLUS = /^\+\d{1,4}$/

/** `+101` is the extension 101 when there is one: the provider puts a plus before extensions used as caller id. */
export async function readExtensions(env: Env, events: readonly CallEvent[]): Promise<readonly CallEvent[]> {
  const parties = events.flatMap(({ caller, called, to }) => [caller, called, to])
  const short = parties.filter((party) => SHORT_PLUS.test(party)).map((party) => party.slice(1))
  if (short.length === 0) return events
  const known = await findExtensionNumbers(env.db, short)
  return events.map((event) => withBareExtensions(event, (number) => known.has(number)))
}

export async function loadUsers(env: Env, legs: readonly LegState[]): Promise<Users> {
  const rows = await findPhoneUsers(env.db, [...new Set(legs.flatMap(usernamesIn))])
  // A person comes before an extension that leads to the same mobile.
  const byName = new Map<string, PbxUser>(
    rows
      .toSorted((a, b) => Number(a.id !== null) - Number(b.id !== null))
      .map(({ id, name, extension }) => [name, { id: id ?? undefined, extension: extension ?? '' }]),
  )
  const logins = new Map(rows.map(({ id, login }) => [id, login]))
  return {
    find: (username) => byName.get(username),
    loginOf: (id) => (id === undefined ? null : (logins.get(id) ?? null)),
  }
}

/**
 * The contacts at the outside ends of legs, by sid. One that was looked for before is only looked for again under another
 * number.
 */
export async function findPartners(
  env: Env,
  legs: readonly LegFacts[],
  { stored, users }: { stored: ReadonlyMap<string, StoredLeg>; users: Users },
): Promise<Map<string, number>> {
  const partners = new Map<string, number>()
  const wanted = new Map<string, string>()
  for (const leg of legs) {
    const before = stored.get(leg.sid)
    if (before?.partnerId !== undefined) {
      partners.set(leg.sid, before.partnerId)
      continue
    }
    const number = outsideParty(leg)
    const isKnown = before !== undefined && outsideParty(legFacts(before, users.find)) === number
    if (number !== '' && !isKnown) wanted.set(leg.sid, number)
  }
  const found = await findContactsByNumbers(env.db, [...new Set(wanted.values())], env.settings.country)
  for (const [sid, number] of wanted) {
    const contact = found.get(number)
    if (contact !== undefined) partners.set(sid, contact)
  }
  return partners
}

/** The number of the other side, or what was written in its place: contacts are found by numbers in any form. */
function outsideParty(leg: LegFacts): string {
  const side = externalSide(leg)
  if (side === undefined) return ''
  return side === 'caller' ? leg.callerNumber || leg.caller : leg.calledNumber || leg.called
}
