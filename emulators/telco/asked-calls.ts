import { type HttpReply, type HttpRequest, jsonReply } from '../http-server.ts'
import { hangUp, wait } from '../people.ts'
import type { Carrier } from './carrier/carrier.ts'
import { callNumber } from './carrier/incoming.ts'

const PATH = '/emulator/calls'
/** Anyone who calls listens for so long, and hangs up. */
const LISTENS_SECONDS = 20

/**
 * `POST /emulator/calls {from, to}`: somebody calls a number of the account, listens and hangs up. No provider has this
 * address; it is for trying an installation out. Undefined for any other request.
 */
export function answerAskedCall(carrier: Carrier, request: HttpRequest): HttpReply | undefined {
  if (request.method !== 'POST' || request.path !== PATH) return undefined
  const { from, to } = JSON.parse(request.body.toString('utf8')) as { from: string; to: string }
  // Nobody waits for its end: the reports say how it goes.
  void callNumber(carrier, { from, to, acts: [wait(LISTENS_SECONDS), hangUp()] }).catch((error: unknown) =>
    carrier.problems.add({ where: 'telco', message: `a call to ${to} that was asked for: ${String(error)}` }),
  )
  return jsonReply(202, {})
}
