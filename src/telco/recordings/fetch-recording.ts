import { isNotItsFault } from '../../database/database.ts'
import { sql } from '../../database/drizzle.ts'
import { param, statement } from '../../database/statement.ts'
import type { JobKind } from '../../jobs/queue.ts'
import { linkRecordings } from '../../ledger/recordings/link-recordings.ts'
import { RECORDING_DETAILS_JOB } from '../../ledger/recordings/record-recording.ts'
import type { recordingModel } from '../../ledger/recordings/recording.ts'
import { saveRecordingDetails } from '../../ledger/recordings/recording-updates.ts'
import type { Env, OpenEnv } from '../../platform/access/env.ts'
import type { RowOf } from '../../platform/model/model.ts'
import { notifyChanged } from '../../platform/records/notify-changed.ts'
import type { FetchedRecording, TelcoClient } from '../../ports/telco-client.ts'
import { publishedTime } from '../../time.ts'
import { RECORDING_DOWNLOAD_JOB } from './download-audio.ts'

const ATTEMPTS_MAX = 6
const RETRY_SECONDS = 10
const CONCURRENCY = 2

type StoredRecording = RowOf<typeof recordingModel, 'id' | 'sid' | 'call_sid'>

const FIND = statement<StoredRecording, { id: number }>(
  'recording_to_fetch',
  sql`select id, sid, call_sid from connect_recording where id = ${param('id')}`,
)
/** Asks the provider for what the callback of a recording does not say, and has its audio copied where settings say so. */
export function recordingDetailsJob(open: OpenEnv, client: TelcoClient): JobKind<{ recordingId: number }> {
  return {
    name: RECORDING_DETAILS_JOB,
    attemptsMax: ATTEMPTS_MAX,
    retryDelaySeconds: RETRY_SECONDS,
    waitsForPlaces: true,
    concurrency: CONCURRENCY,
    async work({ recordingId }, { isLast }) {
      const stored = await open((env) => findRecording(env, recordingId))
      if (!stored?.sid) return
      const details = await fetchDetails(client, stored.sid, isLast)
      await open((env) => finish(env, stored, details))
    },
  }
}

async function findRecording(env: Env, id: number): Promise<StoredRecording | undefined> {
  const [recording] = await env.db.run(FIND, { id })
  return recording
}

/** Undefined when the provider has nothing, however often it is asked for. */
async function fetchDetails(client: TelcoClient, sid: string, isLast: boolean): Promise<FetchedRecording | undefined> {
  try {
    return await client.fetchRecording(sid)
  } catch (error) {
    // A recording may be reported a moment before it can be asked for.
    if (isLast && !isNotItsFault(error)) return undefined
    throw error
  }
}

async function finish(env: Env, stored: StoredRecording, details: FetchedRecording | undefined): Promise<void> {
  if (details !== undefined) {
    await saveRecordingDetails(env.db, {
      id: stored.id,
      media_url: details.mediaUrl ?? null,
      price: details.price ?? null,
      price_unit: details.priceUnit ?? null,
      source: details.source ?? null,
      duration: details.seconds ?? null,
      start_time: details.startTime === undefined ? null : publishedTime(details.startTime),
    })
  }
  // By now the leg is usually known, even where the recording was reported first.
  if (stored.call_sid !== null) await linkRecordings(env, [stored.call_sid])
  if (env.settings.storesRecordings) {
    await env.platform.enqueue(env.db, { name: RECORDING_DOWNLOAD_JOB, payload: { recordingId: stored.id } })
  }
  await notifyChanged(env, 'connect.recording', [stored.id])
}
