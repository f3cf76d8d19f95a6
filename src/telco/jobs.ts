import type { JobKind } from '../jobs/queue.ts'
import type { MediaStore } from '../platform/media/media-store.ts'
import type { TelcoClient } from '../ports/telco-client.ts'
import { callPricesJob } from './account/fetch-prices.ts'
import { type LaterParts, openLater } from './calls/open-later.ts'
import { sendMessageJob } from './messages/deliver-message.ts'
import { recordingDownloadJob, voicemailDownloadJob } from './recordings/download-audio.ts'
import { recordingDetailsJob } from './recordings/fetch-recording.ts'

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
