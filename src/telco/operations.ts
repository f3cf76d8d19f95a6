import type { PhoneDirectory } from '../ledger/destination.ts'
import type { TelcoClient } from '../ledger/telco-client.ts'
import type { Operations } from '../platform/model.ts'
import { forwardMethod, transferMethod } from './operations/forward-call.ts'
import { originateMethod } from './operations/originate.ts'
import { recordingStateMethod, startRecordingMethod, stopRecordingMethod } from './operations/recording-control.ts'
import { retryMessages, sendMessage } from './operations/send-message.ts'
import { webPhoneToken } from './operations/web-phone-token.ts'
import { rehearseMethod } from './rehearsal/rehearse.ts'

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
      start_recording: startRecordingMethod(client),
      stop_recording: stopRecordingMethod(client),
      recording_state: recordingStateMethod(client),
    },
    'connect.telco.number': { rehearse: rehearseMethod },
    'connect.message': { send: sendMessage, retry: retryMessages },
  }
}
