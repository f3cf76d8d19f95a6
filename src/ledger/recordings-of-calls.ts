import { sql } from '../database/drizzle.ts'
import { mayAccess } from '../platform/access.ts'
import type { Env } from '../platform/env.ts'
import type { Row } from '../platform/model.ts'

interface Newest {
  call: number
  link: [number, string]
  transcript: string | null
  voiceai_transcript: string | null
}

/** The newest recording of each call, in the order of the rows; one query for all of them. */
export async function newestRecordings(env: Env, rows: readonly Row[]): Promise<(Newest | undefined)[]> {
  if (!mayAccess(env.identity, 'connect.recording', 'read')) return rows.map(() => undefined)
  const ids = sql.join(
    rows.map((row) => sql`${row.id}::int`),
    sql`, `,
  )
  const found = await env.db.query<{
    call: number
    id: number
    transcript: string | null
    voiceai_transcript: string | null
  }>(
    sql`select distinct on (call) call, id, transcript, voiceai_transcript
        from connect_recording where call in (${ids}) order by call, id desc`,
  )
  const byCall = new Map(found.map((each) => [each.call, each]))
  return rows.map((row) => {
    const newest = byCall.get(row.id)
    return newest === undefined ? undefined : { ...newest, link: [newest.id, `Recording ${newest.id}`] }
  })
}
