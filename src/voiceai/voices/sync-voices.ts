import { sql } from '../../database/drizzle.ts'
import type { Env } from '../../platform/access/env.ts'
import { records } from '../../platform/records/records.ts'
import type { StepContext } from '../../sync/provider.ts'
import { inServiceEnv } from '../../sync/service-env.ts'
import { isShrunk } from '../../sync/shrinkage.ts'
import type { SyncProgress } from '../../sync/sync-progress.ts'
import type { ProviderVoice } from '../client/voiceai-client.ts'
import { sentenceOf } from '../workspace/errors.ts'
import type { VoiceaiParts } from '../workspace/voiceai-parts.ts'

const MODEL = 'connect.voiceai_voice'
const TEXT_CHARS_MAX = 1_000
const URL_CHARS_MAX = 2_000

interface LocalVoice {
  id: number
  voice_id: string
  name: string | null
}

/** Brings the voices in sync with the platform's, and picks a default voice where there is none. */
export async function syncVoices(parts: VoiceaiParts, { progress }: StepContext): Promise<void> {
  const voices = await parts.client.listVoices()
  const local = await parts.db.query<LocalVoice>(sql`select id, voice_id, name from connect_voiceai_voice order by id`)
  const known = new Set(local.map((voice) => voice.voice_id))
  await inServiceEnv(parts, async (env) => {
    for (const voice of voices) await upsertVoice(env, voice)
  })
  await progress.count('found', voices.length)
  await progress.count('created', voices.filter((voice) => !known.has(voice.voiceId)).length)
  const listed = new Set(voices.map((voice) => voice.voiceId))
  const gone = local.filter((voice) => !listed.has(voice.voice_id))
  await removeGone(parts, progress, { gone, localCount: local.length, foundCount: voices.length })
  await pickDefault(parts)
}

async function upsertVoice({ db }: Env, voice: ProviderVoice): Promise<void> {
  const line = (text: string | undefined): string | null => cut(text, TEXT_CHARS_MAX)
  await db.query(
    sql`insert into connect_voiceai_voice (voice_id, name, language, accent, age, gender, preview_url, description)
        values (${voice.voiceId}, ${line(voice.name)}, ${line(voice.language)}, ${line(voice.accent)}, ${line(voice.age)},
          ${line(voice.gender)}, ${cut(voice.previewUrl, URL_CHARS_MAX)}, ${line(voice.description)})
        on conflict (voice_id) do update set name = excluded.name, language = excluded.language, accent = excluded.accent,
          age = excluded.age, gender = excluded.gender, preview_url = excluded.preview_url,
          description = excluded.description, write_date = now() at time zone 'utc'`,
  )
}

/** Voices that are gone at the platform go here too, but never nearly all of them at once, and none that speaks. */
async function removeGone(
  parts: VoiceaiParts,
  progress: SyncProgress,
  { gone, localCount, foundCount }: { gone: readonly LocalVoice[]; localCount: number; foundCount: number },
): Promise<void> {
  if (isShrunk({ found: foundCount, known: localCount, gone: gone.length })) {
    const message = `The platform lists ${foundCount} voices, ${gone.length} of ours are missing: none was removed here.`
    await progress.problem({ model: MODEL, message })
    return
  }
  for (const { id, voice_id: voiceId, name } of gone) {
    try {
      await inServiceEnv(parts, (env) => records(env, MODEL).unlink([id]))
      await progress.count('removed')
    } catch (error) {
      const message = `The platform has this voice no more. ${sentenceOf(error)}`
      await progress.problem({ model: MODEL, id, name: name ?? voiceId, message })
    }
  }
}

async function pickDefault(parts: VoiceaiParts): Promise<void> {
  await inServiceEnv(parts, async (env) => {
    const [newest] = await env.db.query<{ settings: number; voice: number }>(
      sql`select s.id as settings, (select max(id) from connect_voiceai_voice) as voice from connect_settings s
          where s.voiceai_voice is null and exists (select 1 from connect_voiceai_voice) order by s.id limit 1`,
    )
    if (newest === undefined) return
    await records(env, 'connect.settings').write([newest.settings], { voiceai_voice: newest.voice })
  })
}

function cut(text: string | undefined, charsMax: number): string | null {
  const clean = text?.replaceAll('\0', '').trim()
  return clean === undefined || clean === '' ? null : clean.slice(0, charsMax).toWellFormed()
}
