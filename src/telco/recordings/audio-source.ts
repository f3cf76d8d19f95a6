import { sql } from '../../database/drizzle.ts'
import { param, type Statement, statement } from '../../database/statement.ts'
import { Refusal } from '../../errors.ts'
import { requireAccess } from '../../platform/access/access.ts'
import type { Env } from '../../platform/access/env.ts'
import { records } from '../../platform/records/records.ts'

/** Where audio is: in our own store, at the provider, or both. */
export interface AudioSource {
  reference: string | undefined
  type: string | undefined
  url: string | undefined
}

interface AudioRoute {
  /** Below `/connect/`. */
  readonly path: string
  readonly id: string
  readonly summary: string
  /** Anyone who may read the record may listen. */
  readonly model: string
  readonly find: Statement<{ media_ref: string | null; media_type: string | null; url: string | null }, { id: number }>
}

/** Audio that people listen to, by the id of a record. */
export const AUDIO_ROUTES: readonly AudioRoute[] = [
  {
    path: 'recording',
    id: 'recording',
    summary: 'Audio of a recording',
    model: 'connect.recording',
    find: statement(
      'audio_of_recording',
      sql`select media_ref, media_type, media_url as url from connect_recording where id = ${param('id')}`,
    ),
  },
  {
    path: 'voicemail',
    id: 'voicemail_of_call',
    summary: 'Audio of the newest voicemail of a call, by the id of the call',
    model: 'connect.call',
    // The call shows its newest voicemail. Its address is taken from the row that the provider's report made, and from
    // nowhere else: with our credentials it would be fetched whatever it was.
    find: statement(
      'audio_of_voicemail',
      sql`select v.media_ref, v.media_type, nullif(v.url, '') as url from connect_call c
          join connect_channel l on l.call = c.id
          join connect_voicemail v on v.call_sid = l.sid and v.url = c.voicemail_url
          where c.id = ${param('id')} order by v.media_ref nulls last limit 1`,
    ),
  },
  {
    path: 'voicemails',
    id: 'voicemail',
    summary: 'Audio of a voicemail',
    model: 'connect.voicemail',
    find: statement(
      'audio_of_own_voicemail',
      sql`select media_ref, media_type, nullif(url, '') as url from connect_voicemail where id = ${param('id')}`,
    ),
  },
]

/** The audio of a record; undefined when there is none, or it is not the asker's to hear. */
export async function findAudio(env: Env, id: number, { model, find }: AudioRoute): Promise<AudioSource | undefined> {
  if (!(await isVisible(env, model, id))) return undefined
  const [row] = await env.db.run(find, { id })
  if (row === undefined || (row.media_ref === null && row.url === null)) return undefined
  return { reference: row.media_ref ?? undefined, type: row.media_type ?? undefined, url: row.url ?? undefined }
}

/** Not there and not allowed look alike. */
async function isVisible(env: Env, model: string, id: number): Promise<boolean> {
  try {
    requireAccess(env.identity, env.platform.models.get(model), 'read')
    await records(env, model).requireVisible([id])
    return true
  } catch (error) {
    if (error instanceof Refusal) return false
    throw error
  }
}
