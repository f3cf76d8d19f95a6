import type { Area } from '../area.ts'
import type { Database } from '../database/database.ts'
import type { Logger } from '../log.ts'
import { FULL, type GroupRights, NO_RIGHTS, rightsOf } from '../platform/access/access.ts'
import type { Platform } from '../platform/access/env.ts'
import { GROUP } from '../platform/access/identity.ts'
import type { Identities } from '../platform/identity/identities.ts'
import type { MediaStore } from '../platform/media/media-store.ts'
import { callModel } from './calls/call.ts'
import { endStaleLegsJob } from './legs/end-stale-legs.ts'
import { channelModel } from './legs/leg.ts'
import { conversationModel, readerModel } from './messages/conversation.ts'
import { textMessageModel } from './messages/message.ts'
import { forgetMediaJob } from './recordings/forget-media.ts'
import { mediaRemovalJob, mediaRemovalModel, mediaSweepJob } from './recordings/media-removal.ts'
import { recordingModel } from './recordings/recording.ts'
import { recordingSettings, transcriptSettings } from './recordings/recording-settings.ts'
import { voicemailModel } from './voicemails/voicemail.ts'

/** Calls with what belongs to them, for those who only read some of them (ledger/calls/call-readers.ts). */
const CALL_READERS: GroupRights = { [GROUP.helpdeskUser]: 'r', [GROUP.helpdeskManager]: 'r', [GROUP.agentCalls]: 'r' }

interface JobParts {
  db: Database
  platform: Platform
  identities: Identities
  media: MediaStore
  log: Logger
}

/** Calls, conversations, recordings, voicemails and messages. */
export const ledgerArea = {
  models: [
    [callModel, { ...rightsOf('rwc', FULL, 'rwc', '-'), ...CALL_READERS }],
    [channelModel, { ...rightsOf('r', FULL, 'rwc', '-'), ...CALL_READERS }],
    [recordingModel, { ...rightsOf('r', FULL, 'rwc', '-'), ...CALL_READERS }],
    // Written by the service; anyone who may read a call may read its voicemails.
    [voicemailModel, { ...rightsOf('r', 'r', '-', '-'), ...CALL_READERS }],
    [mediaRemovalModel, NO_RIGHTS],
    // Changed by their own methods only. A mark of reading is its reader's.
    [conversationModel, rightsOf('r', 'r', '-', '-')],
    [readerModel, rightsOf('r', 'r', '-', '-')],
    [textMessageModel, rightsOf('rwc', FULL, 'rwc', '-')],
  ],
  settings: [{ fields: recordingSettings }, { fields: transcriptSettings }],
  writers: {
    'connect.settings': {
      proxy_recordings: 'administrators',
      store_recordings: 'administrators',
      audio_keep_days: 'administrators',
      transcript_keep_days: 'administrators',
      announce_recordings: 'administrators',
      transcript_calls: 'administrators',
      transcript_provider: 'administrators',
      summary_prompt: 'administrators',
      register_summary: 'administrators',
    },
  },
  jobs: ({ db, platform, identities, media, log }: JobParts) => [
    endStaleLegsJob(db, platform, identities),
    forgetMediaJob(db, platform),
    mediaRemovalJob(db, media),
    mediaSweepJob({ db, media, log }),
  ],
} satisfies Area
