import { type BenchRoute, legSid, phoneNumber, spread } from '../route.ts'
import { messageFields, NEW_SID, signedRequest } from '../telco-request.ts'

const PATH = '/telco/webhook/message'

/** A text message of a contact, kept and posted on the contact in one transaction. */
export const message: BenchRoute = {
  name: 'message',
  path: PATH,
  keptShareMin: 0.25,
  writes: { connect_message: 1, mail_message: 1 },
  request(n, loaded) {
    const sid = legSid(NEW_SID + n).replace('CA', 'SM')
    const body = `When does somebody come to look at flat ${n}? The heating is still cold & the tap drips.`
    return signedRequest(PATH, messageFields(sid, phoneNumber(spread(n, loaded.contacts)), body), loaded)
  },
}
