import type { JobKind } from '../jobs/queue.ts'
import type { MediaStore } from '../ledger/media-store.ts'
import type { TelcoClient } from '../ledger/telco-client.ts'
import { sendMessageJob } from './operations/deliver-message.ts'
import { recordingDownloadJob, voicemailDownloadJob } from './operations/download-audio.ts'
import { callPricesJob } from './operations/fetch-prices.ts'
import { recordingDetailsJob } from './operations/fetch-recording.ts'
import { type LaterParts, openLater } from './operations/open-later.ts'

/** Work with the phone provider that nobody waits for. */
export function telcoJobs({
  client,
  media,
  ...later
}: LaterParts & { client: TelcoClient; media: MediaStore }): JobKind[] {
  const open = openLater(later)
  return [
    recordingDetailsJob(open, client),
    recordingDownloadJob({ open, client, media }),
    voicemailDownloadJob({ open, client, media }),
    sendMessageJob(open, client),
    callPricesJob(open, client),
  ] as JobKind[]
}
