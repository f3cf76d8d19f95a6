import { type BenchRoute, legSid, phoneNumber, spread } from '../route.ts'
import { NEW_SID, signedRequest, voiceFields } from '../telco-request.ts'

const PATH = '/telco/webhook/callstatus'
const SECONDS = 37

/** The only callback of an incoming call, at its end: leg, call and the note on the contact, all in one transaction. */
export const callstatus: BenchRoute = {
  name: 'callstatus',
  path: PATH,
  keptShareMin: 0.22,
  writes: { connect_channel: 1, connect_call: 1, mail_message: 1 },
  request(n, loaded) {
    const fields = {
      ...voiceFields(legSid(NEW_SID + n), phoneNumber(spread(n, loaded.contacts)), 'completed'),
      ...{ CallDuration: String(SECONDS), Duration: '1', SipResponseCode: '200', SequenceNumber: '0' },
      ...{ CallbackSource: 'call-progress-events', Timestamp: new Date().toUTCString().replace('GMT', '+0000') },
    }
    return signedRequest(PATH, fields, loaded)
  },
}
