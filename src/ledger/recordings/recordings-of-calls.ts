import { type SQL, sql } from '../../database/drizzle.ts'
import { idList } from '../../database/ids.ts'
import { mayAccess } from '../../platform/access/access.ts'
import type { Env } from '../../platform/access/env.ts'
import type { Row, RowOf } from '../../platform/model/model.ts'
import type { recordingModel } from './recording.ts'

type Shown = 'call' | 'id' | 'transcript' | 'voiceai_transcript' | 'media_url' | 'media_ref'
/** What a call shows of one of its recordings. */
export type RecordingOfCall = RowOf<typeof recordingModel, Shown>

const HAS_AUDIO = sql`(media_ref is not null or media_url is not null)`

/**
 * The newest recording of each call that has audio, else the newest of which something was recorded, in the order of the rows;
 * one query for all of them.
 */
export function newestRecordings(env: Env, rows: readonly Row[]): Promise<(RecordingOfCall | undefined)[]> {
  return oneOfEach(
    env,
    rows,
    (calls) => sql`call in (${calls}) and is_recorded order by call, ${HAS_AUDIO} desc, id desc`,
  )
}

/**
 * For a statement: whether something of a call was recorded. Anyone who reads the call reads its recordings. For a page `offset 0` has
 * each call looked up; a count may read first which calls were ever recorded.
 */
export function isRecorded(call: SQL, isPage: boolean): SQL {
  const end = isPage ? sql`offset 0` : sql``
  return sql`exists (select 1 from connect_recording recorded where recorded.call = ${call} and recorded.is_recorded ${end})`
}

/** The first recording of each call that tells what was said with a voice agent; a later one is of the phone line. */
export function agentRecordings(env: Env, rows: readonly Row[]): Promise<(RecordingOfCall | undefined)[]> {
  return oneOfEach(env, rows, (calls) => sql`call in (${calls}) and voiceai_transcript is not null order by call, id`)
}

async function oneOfEach(
  env: Env,
  rows: readonly Row[],
  which: (calls: SQL) => SQL,
): Promise<(RecordingOfCall | undefined)[]> {
  if (!mayAccess(env.identity, env.platform.models.get('connect.recording'), 'read')) return rows.map(() => undefined)
  const found = await env.db.query<RecordingOfCall>(
    sql`select distinct on (call) call, id, transcript, voiceai_transcript, media_url, media_ref
        from connect_recording where ${which(idList(rows.map((row) => row.id)))}`,
  )
  const byCall = new Map(found.map((each) => [each.call, each]))
  return rows.map((row) => byCall.get(row.id))
}
