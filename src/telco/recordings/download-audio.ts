import { Readable } from 'node:stream'
import type { Queryable } from '../../database/database.ts'
import { sql } from '../../database/drizzle.ts'
import { param, type Statement, statement } from '../../database/statement.ts'
import type { JobKind } from '../../jobs/queue.ts'
import { type StoredAudio, saveRecordingAudio } from '../../ledger/recordings/recording-updates.ts'
import { VOICEMAIL_DOWNLOAD_JOB } from '../../ledger/voicemails/record-voicemail.ts'
import { saveVoicemailAudio } from '../../ledger/voicemails/voicemail-updates.ts'
import type { OpenEnv } from '../../platform/access/env.ts'
import type { MediaStore } from '../../platform/media/media-store.ts'
import { fileEndingOf } from '../../platform/media/shown-type.ts'
import { ProviderRefused, type TelcoClient } from '../../ports/telco-client.ts'

/** The job that copies the audio of a recording into our own store. */
export const RECORDING_DOWNLOAD_JOB = 'recording-download'

const ATTEMPTS_MAX = 6
const RETRY_SECONDS = 20
/** The longest call of the provider, 24 hours, as MP3. */
export const AUDIO_BYTES_MAX = 700 * 1024 * 1024
/** A job is given up after 300 s (jobs/queue.ts), and must have ended before. */
const DOWNLOAD_TIMEOUT_MS = 240_000

interface Source {
  name: string
  find: Statement<{ url: string }, { id: number }>
  /** False when it has audio already. */
  save: (db: Queryable, audio: StoredAudio) => Promise<boolean>
}

const RECORDING: Source = {
  name: 'recording',
  find: statement('recording_to_download', findIn(sql`connect_recording`, sql`media_url`)),
  save: saveRecordingAudio,
}
const VOICEMAIL: Source = {
  name: 'voicemail',
  find: statement('voicemail_to_download', findIn(sql`connect_voicemail`, sql`url`)),
  save: saveVoicemailAudio,
}

interface DownloadParts {
  open: OpenEnv
  client: TelcoClient
  media: MediaStore
}

export function recordingDownloadJob(parts: DownloadParts): JobKind<{ recordingId: number }> {
  return {
    name: RECORDING_DOWNLOAD_JOB,
    attemptsMax: ATTEMPTS_MAX,
    retryDelaySeconds: RETRY_SECONDS,
    waitsForPlaces: true,
    work: ({ recordingId: id }, { isLast }) => copyAudio(parts, { source: RECORDING, id, isLast }),
  }
}

export function voicemailDownloadJob(parts: DownloadParts): JobKind<{ voicemailId: number }> {
  return {
    name: VOICEMAIL_DOWNLOAD_JOB,
    attemptsMax: ATTEMPTS_MAX,
    retryDelaySeconds: RETRY_SECONDS,
    waitsForPlaces: true,
    work: ({ voicemailId: id }, { isLast }) => copyAudio(parts, { source: VOICEMAIL, id, isLast }),
  }
}

/** Copies the audio once: a second run finds it stored, and of two at the same time one throws its copy away. */
async function copyAudio(
  { open, client, media }: DownloadParts,
  { source, id, isLast }: { source: Source; id: number; isLast: boolean },
): Promise<void> {
  const [waiting] = await open((env) => env.db.run(source.find, { id }))
  if (waiting === undefined) return
  const stored = await download({ client, media }, { url: waiting.url, isLast })
  if (stored === undefined) return
  const filename = `${source.name}-${id}.${extensionOf(stored.type)}`
  const isSaved = await open((env) => source.save(env.db, { id, ...stored, filename }))
  if (!isSaved) await media.remove(stored.reference)
}

/** Undefined when the provider has no audio, however often it is asked for. */
async function download(
  { client, media }: Pick<DownloadParts, 'client' | 'media'>,
  { url, isLast }: { url: string; isLast: boolean },
): Promise<{ reference: string; type: string } | undefined> {
  const signal = AbortSignal.timeout(DOWNLOAD_TIMEOUT_MS)
  const answer = await client.openMedia(url, { signal }).catch((error: unknown) => {
    if (error instanceof ProviderRefused && isLast) return undefined
    throw error
  })
  if (answer?.body === undefined) return undefined
  if ((answer.contentLength ?? 0) > AUDIO_BYTES_MAX) throw tooLarge()
  const type = (answer.contentType ?? 'audio/mpeg').split(';', 1)[0]?.trim().toLowerCase() ?? 'audio/mpeg'
  const source = Readable.from(whole(answer.body, answer.contentLength), { objectMode: false })
  return { reference: await media.store(source, extensionOf(type)), type }
}

/** Passes bytes on and fails when there are more than the limit, or not as many as were announced. */
export async function* whole(
  body: ReadableStream<Uint8Array>,
  announced: number | undefined,
): AsyncGenerator<Uint8Array> {
  let bytes = 0
  for await (const chunk of body) {
    bytes += chunk.length
    if (bytes > AUDIO_BYTES_MAX) throw tooLarge()
    yield chunk
  }
  if (announced !== undefined && bytes !== announced) {
    throw new Error(`the audio ended after ${bytes} of ${announced} bytes`)
  }
}

function tooLarge(): Error {
  return new Error(`the audio has more than ${AUDIO_BYTES_MAX} bytes`)
}

function extensionOf(type: string): string {
  return fileEndingOf(type).slice(1) || 'bin'
}

function findIn(table: ReturnType<typeof sql>, url: ReturnType<typeof sql>) {
  return sql`select ${url} as url from ${table} where id = ${param('id')} and media_ref is null and ${url} is not null`
}
