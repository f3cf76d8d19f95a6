import { type BenchRoute, legSid, phoneNumber, spread } from '../route.ts'
import { NEW_SID, signedRequest, voiceFields } from '../telco-request.ts'

const PATH = '/telco/webhook/number'

/** A new call to a number that rings a phone user: leg and call in one transaction, the answer in a second one. */
export const number: BenchRoute = {
  name: 'number',
  path: PATH,
  writes: { connect_channel: 1, connect_call: 1 },
  request: (n, loaded) =>
    signedRequest(PATH, voiceFields(legSid(NEW_SID + n), phoneNumber(spread(n, loaded.contacts)), 'ringing'), loaded),
}
