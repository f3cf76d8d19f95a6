import type { Queryable } from '../../database/database.ts'
import { sql } from '../../database/drizzle.ts'
import { param, statement } from '../../database/statement.ts'
import type { Env } from '../../platform/access/env.ts'
import type { RowOf } from '../../platform/model/model.ts'
import { writerOf, writtenBy } from '../../platform/model/written-by.ts'
import type { recordingModel } from './recording.ts'

/** What the provider says of a recording when it is asked; null is what it does not say. */
type RecordingDetails = RowOf<
  typeof recordingModel,
  'id' | 'media_url' | 'price' | 'price_unit' | 'source' | 'duration' | 'start_time'
>

/** Audio of a recording or voicemail that is in our own store. */
export interface StoredAudio {
  id: number
  reference: string
  type: string
  filename: string
}

// What the callback said stays where the provider has nothing to say.
const DETAILS = statement<never, RecordingDetails>(
  'recording_details_save',
  sql`update connect_recording set media_url = coalesce(${param('media_url')}::text, media_url),
        price = coalesce(${param('price')}::float8, price), price_unit = coalesce(${param('price_unit')}::text, price_unit),
        source = coalesce(${param('source')}::text, source), duration = coalesce(${param('duration')}::int, duration),
        start_time = coalesce(${param('start_time')}::timestamp, start_time), ${writtenBy(null)}
      where id = ${param('id')}`,
)
const AUDIO = statement<{ id: number }, StoredAudio>(
  'recording_audio_save',
  sql`update connect_recording set media_ref = ${param('reference')}, media_type = ${param('type')},
        recording_filename = coalesce(recording_filename, ${param('filename')}), ${writtenBy(null)}
      where id = ${param('id')} and media_ref is null returning id`,
)

export async function saveRecordingDetails(db: Queryable, details: RecordingDetails): Promise<void> {
  await db.run(DETAILS, details)
}

/** Links a recording to its stored audio; false when it has some already. */
export async function saveRecordingAudio(db: Queryable, audio: StoredAudio): Promise<boolean> {
  return (await db.run(AUDIO, audio)).length > 0
}

/** Moves all recordings of one call to another. */
export async function moveRecordings(env: Env, { from, into }: { from: number; into: number }): Promise<void> {
  await env.db.query(sql`update connect_recording set call = ${into}::bigint, ${writtenBy(writerOf(env))}
    where call = ${from}::bigint`)
}
