import { MENU_ID } from '../load-telephony.ts'
import { type BenchRoute, legSid, phoneNumber, spread } from '../route.ts'
import { signedRequest, voiceFields } from '../telco-request.ts'

const PATH = `/telco/webhook/callflow/${MENU_ID}/gather`

/** A caller presses a key in a menu, which leads over an extension to a phone user. Nothing is new of the leg. */
export const gather: BenchRoute = {
  name: 'gather',
  path: PATH,
  writes: {},
  request(n, loaded) {
    const call = spread(n, loaded.calls)
    const fields = voiceFields(legSid(call), phoneNumber(call % loaded.contacts), 'in-progress')
    return signedRequest(PATH, { ...fields, Digits: '1', FinishedOnKey: '', msg: 'Gather End' }, loaded)
  },
}
