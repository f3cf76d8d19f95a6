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
  const known = connected.filter(({ leg }) => calls.has(leg.parentSid))
  const ringing = await ringingPeople(
    env,
    known.map(({ request }) => request),
  )
  return connected.map(({ request, leg }) => (ringing.has(request) ? leg : ofKnownLeg(leg)))
}

/** Those of the requests that follow a dial for a caller by a record that is there: a statement for each model. */
async function ringingPeople(env: Env, requests: readonly TelcoRequest[]): Promise<ReadonlySet<TelcoRequest>> {
  const byModel = Map.groupBy(
    requests.filter(({ form }) => form.Direction === 'inbound'),
    ({ params }) => RINGS_PEOPLE.get(params.model ?? ''),
  )
  const ringing = new Set<TelcoRequest>()
  for (const [model, ofModel] of byModel) {
    if (model === undefined) continue
    const found = new Set(await records(env, model).listVisible([...new Set(ofModel.map(recordIdOf))]))
    for (const request of ofModel) if (found.has(recordIdOf(request))) ringing.add(request)
  }
  return ringing
}
