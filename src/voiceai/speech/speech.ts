import { sql } from '../../database/drizzle.ts'
import { asError, Refusal } from '../../errors.ts'
import { withLease } from '../../jobs/lease.ts'
import { records } from '../../platform/records/records.ts'
import { type SpokenPrompt, saveSpeechFile } from '../../ports/spoken-prompts.ts'
import type { StepContext } from '../../sync/provider.ts'
import { inServiceEnv } from '../../sync/service-env.ts'
import { VOICEAI, type VoiceaiParts } from '../workspace/voiceai.ts'

const MODEL = 'connect.voiceai_file'

/** Generates the speech of a file's text; without `isForced`, only where there is none. Throws a VoiceaiError. */
export async function generateSpeech(
  parts: VoiceaiParts,
  fileId: number,
  { isForced = false }: { isForced?: boolean } = {},
): Promise<void> {
  await withLease(parts.db, `voiceai file ${fileId}`, async () => {
    const [file] = await parts.db.query<{ text: string; has_audio: boolean }>(
      sql`select text, file is not null as has_audio from connect_voiceai_file where id = ${fileId}::bigint`,
    )
    if (file === undefined || (file.has_audio && !isForced)) return
    const audio = await parts.client.speak({ voiceId: await defaultVoice(parts), text: file.text })
    await inServiceEnv(parts, async (env) => {
      // Speech of a text that has changed meanwhile is not wanted any more; the change has its own job.
      const current = await env.db.query(
        sql`select id from connect_voiceai_file where id = ${fileId}::bigint and text = ${file.text} for update`,
      )
      if (current.length > 0) await records(env, MODEL).write([fileId], { file: audio.toString('base64') })
    })
  })
}

/**
 * Generates the speech of every prompt anew; a prompt without text loses its file
 * (docs/reference/domain.md#speech-files).
 */
export async function regenerateSpeech(parts: VoiceaiParts, { progress }: StepContext): Promise<void> {
  await defaultVoice(parts)
  for (const prompt of await parts.prompts.list(parts.db)) {
    try {
      await progress.count(await regenerate(parts, prompt))
    } catch (error) {
      parts.platform.log.warn({ err: asError(error), prompt: prompt.name }, 'the speech of a prompt was not generated')
      const { model, id, name } = prompt
      await progress.problem({ model, id, name, message: VOICEAI.errors.sentenceOf(error) })
    }
  }
}

async function regenerate(parts: VoiceaiParts, prompt: SpokenPrompt): Promise<'generated' | 'removed' | 'empty'> {
  const fileId = await inServiceEnv(parts, (env) => saveSpeechFile(env, prompt))
  if (fileId === null) return prompt.fileId === null ? 'empty' : 'removed'
  await generateSpeech(parts, fileId, { isForced: true })
  return 'generated'
}

async function defaultVoice({ db }: VoiceaiParts): Promise<string> {
  const [voice] = await db.query<{ voice_id: string }>(
    sql`select v.voice_id from connect_settings s join connect_voiceai_voice v on v.id = s.voiceai_voice
        order by s.id limit 1`,
  )
  if (voice === undefined) throw new Refusal('refused', 'no-default-voice')
  return voice.voice_id
}
