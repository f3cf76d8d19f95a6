import type { Transaction } from '../../database/database.ts'
import { lockCalls } from '../calls/lock-ledger.ts'
import type { CallEvent } from './leg-event.ts'
import { DEPTH_MAX, loadLegs, type StoredLeg } from './leg-rows.ts'

/**
 * Locks the legs of the events and everything above them, each from the leg upwards, so that two events of one call always
 * meet in a lock and never wait for each other in a circle; then reads what is known of their calls, by sid.
 */
export async function lockLegs(db: Transaction, events: readonly CallEvent[]): Promise<Map<string, StoredLeg>> {
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
