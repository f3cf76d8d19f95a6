import { sql } from '../../database/drizzle.ts'
import type { Env } from '../../platform/access/env.ts'
import type { RowOf } from '../../platform/model/model.ts'
import { records } from '../../platform/records/records.ts'
import type { StepContext } from '../../sync/provider.ts'
import { removeGone } from '../../sync/remove-gone.ts'
import { inServiceEnv } from '../../sync/service-env.ts'
import { fittingTexts } from '../../sync/stored-records.ts'
import type { ProviderVoice } from '../client/sdk-workspace.ts'
import type { VoiceaiParts } from '../workspace/voiceai.ts'
import { voiceModel } from './voice.ts'

const MODEL = voiceModel.name

/** Brings the voices in sync with the platform's, and picks a default voice where there is none. */
export async function syncVoices(parts: VoiceaiParts, context: StepContext): Promise<void> {
  const { progress } = context
  const voices = await parts.client.listVoices()
  const local = await parts.db.query<RowOf<typeof voiceModel, 'id' | 'voice_id' | 'name'>>(
    sql`select id, voice_id, name from connect_voiceai_voice order by id`,
  )
  const known = new Set(local.map((voice) => voice.voice_id))
  await inServiceEnv(parts, async (env) => {
    for (const voice of voices) await upsertVoice(env, voice)
  })
  await progress.count('found', voices.length)
  await progress.count('created', voices.filter((voice) => !known.has(voice.voiceId)).length)
  const listed = new Set(voices.map((voice) => voice.voiceId))
  const gone = local.filter((voice) => !listed.has(voice.voice_id))
  // Never nearly all of them at once, and none that speaks.
  await removeGone(parts, context, {
    model: MODEL,
    found: voices.length,
    known: local.length,
    gone: gone.map(({ id, voice_id: voiceId, name }) => ({ id, name: name ?? voiceId })),
    doubt: (change) =>
      `ElevenLabs lists ${change.found} voices, and ${change.gone} of those known here are not among them: ` +
      'none was removed. If they are really gone, remove them here by hand.',
    stays: 'ElevenLabs no longer has this voice.',
  })
  await pickDefault(parts)
}

async function upsertVoice({ db }: Env, { voiceId, previewUrl, ...voice }: ProviderVoice): Promise<void> {
  const said = fittingTexts(voiceModel, { ...voice, preview_url: previewUrl })
  await db.query(
    sql`insert into connect_voiceai_voice (voice_id, name, language, accent, age, gender, preview_url, description)
        values (${voiceId}, ${said.name}, ${said.language}, ${said.accent}, ${said.age}, ${said.gender},
          ${said.preview_url}, ${said.description})
        on conflict (voice_id) do update set name = excluded.name, language = excluded.language, accent = excluded.accent,
          age = excluded.age, gender = excluded.gender, preview_url = excluded.preview_url,
          description = excluded.description, write_date = now() at time zone 'utc'`,
  )
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
