import { recordMessageStatuses } from '../../ledger/messages/record-message-status.ts'
import { recordRecordings } from '../../ledger/recordings/record-recording.ts'
import { recordVoicemails } from '../../ledger/voicemails/record-voicemail.ts'
import { recordCallerIdResult } from '../caller-ids/caller-id-result.ts'
import { receiveMessages } from '../messages/receive-message.ts'
import type { TelcoEffects } from './parts.ts'

/** What each report does, as the rows of the table name it. */
export const telcoEffects: TelcoEffects = {
  recordRecordings,
  recordVoicemails,
  receiveMessages,
  recordMessageStatuses,
  recordCallerIdResult,
}
