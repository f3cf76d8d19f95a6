// The legs on which dials connected two people, as the requests after those dials tell of them.
import { callsOfLegs } from '../../ledger/legs/call-of-leg.ts'
import { type CallEvent, connectedLeg, ofKnownLeg } from '../../ledger/legs/leg-event.ts'
import type { Env } from '../../platform/access/env.ts'
import { records } from '../../platform/records/records.ts'
import { recordIdOf, type TelcoRequest } from './request.ts'

/** Models whose dials ring people: a leg that one of them connected is known by that alone. */
const RINGS_PEOPLE: ReadonlyMap<string, string> = new Map([
  ['connect.user', 'connect.user'],
  ['connect.telco.callflow', 'connect.telco.callflow'],
  ['connect.callflow', 'connect.telco.callflow'],
  ['connect.telco.exten', 'connect.telco.exten'],
])

/**
 * What the requests say of the legs that were connected. A phone that was dialled for a caller is known by this, too, where the
 * call and the record of the address are known; who is on any other leg, only its own reports say.
 */
export async function connectedLegs(env: Env, requests: readonly TelcoRequest[]): Promise<CallEvent[]> {
  const connected = requests.flatMap((request) => {
    const leg = connectedLeg(request.form)
    return leg === undefined ? [] : [{ request, leg }]
  })
  const calls = await callsOfLegs(
    env,
    connected.map(({ leg }) => leg.parentSid),
  )
  const legs: CallEvent[] = []
  for (const { request, leg } of connected) {
    const begins = calls.has(leg.parentSid) && (await ringsPeople(env, request))
    legs.push(begins ? leg : ofKnownLeg(leg))
  }
  return legs
}

async function ringsPeople(env: Env, request: TelcoRequest): Promise<boolean> {
  const model = RINGS_PEOPLE.get(request.params.model ?? '')
  if (model === undefined || request.form.Direction !== 'inbound') return false
  const found = await records(env, model).listVisible([recordIdOf(request)])
  return found.length > 0
}
