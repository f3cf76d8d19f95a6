import type { Operations } from '../platform/model/model.ts'
import type { PhoneDirectory } from '../ports/phone-directory.ts'
import type { TelcoClient } from '../ports/telco-client.ts'
import { forwardMethod, transferMethod } from './calls/forward-call.ts'
import { hangUpMethod } from './calls/hang-up.ts'
import { originateMethod } from './calls/originate.ts'
import { retryMessages, sendMessage } from './messages/send-message.ts'
import { sendingObstacle } from './messages/sending-obstacle.ts'
import { webPhoneToken } from './phone-users/web-phone-token.ts'
import { recordingStateMethod, startRecordingMethod, stopRecordingMethod } from './recordings/recording-control.ts'
import { rehearseHoursMethod, rehearseMethod } from './routing/rehearsal/rehearse.ts'

/**
 * What people do with telephones, calls and messages (docs/reference/domain.md#operations), by the model it belongs to.
 */
export function telcoOperations(parts: { client: TelcoClient; directory: PhoneDirectory }): Operations {
  const { client } = parts
  return {
    'connect.user': { originate: originateMethod(parts), web_phone_token: webPhoneToken },
    'connect.call': {
      forward: forwardMethod(parts),
      transfer: transferMethod(parts),
      hang_up: hangUpMethod(client),
      start_recording: startRecordingMethod(client),
      stop_recording: stopRecordingMethod(client),
      recording_state: recordingStateMethod(client),
    },
    'connect.telco.number': { rehearse: rehearseMethod },
    'connect.telco.business_hours': { rehearse: rehearseHoursMethod },
    'connect.message': { send: sendMessage, retry: retryMessages, sending_obstacle: sendingObstacle },
  }
}
