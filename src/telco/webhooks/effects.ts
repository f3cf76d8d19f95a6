import { recordMessageStatus } from '../../ledger/messages/record-message-status.ts'
import { linkRecordingsOfCall } from '../../ledger/recordings/link-recordings.ts'
import { recordRecordingStatus } from '../../ledger/recordings/record-recording.ts'
import { recordVoicemail } from '../../ledger/voicemails/record-voicemail.ts'
import { recordCallerIdResult } from '../caller-ids/caller-id-result.ts'
import { receiveMessage } from '../messages/receive-message.ts'
import type { TelcoEffects } from './parts.ts'

/** What each report does, as the rows of the table name it. */
export const telcoEffects: TelcoEffects = {
  recordRecordingStatus,
  recordVoicemail,
  receiveMessage,
  recordMessageStatus,
  recordCallerIdResult,
  linkRecordings: linkRecordingsOfCall,
}
