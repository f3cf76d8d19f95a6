import { sql } from '../../database/drizzle.ts'
import { idList } from '../../database/ids.ts'
import { Refusal } from '../../errors.ts'
import { audioPlayer } from '../../ledger/recordings/players.ts'
import type { Env } from '../../platform/access/env.ts'
import { char, computed, text } from '../../platform/model/fields.ts'
import { defineModel } from '../../platform/model/model.ts'

/** A voice of the platform. Only the synchronisation brings them in, and nobody edits them: access.ts grants no write. */
export const voiceModel = defineModel({
  name: 'connect.voiceai_voice',
  label: 'Voice',
  order: 'id desc',
  display: { columns: ['name', 'voice_id'], show: (row) => String(row.name || row.voice_id) },
  fields: {
    voice_id: char('Voice id', { required: true, isUnique: true }),
    name: char('Name'),
    language: char('Language'),
    accent: char('Accent', { widget: 'voice_trait' }),
    age: char('Age', { widget: 'voice_trait' }),
    gender: char('Gender', { widget: 'voice_trait' }),
    preview_url: char('Preview address', { maxLength: 2_000 }),
    description: text('Description'),
    preview_audio_url: computed('Preview (address)', 'char', {
      depends: ['preview_url'],
      help: 'Plays in Connect.',
      compute: (_env, rows) => rows.map(({ id, preview_url: url }) => (url ? `/connect/voice/${id}/preview` : null)),
    }),
    preview_audio: computed('Preview', 'html', {
      depends: ['preview_url'],
      compute: (_env, rows) => rows.map((row) => audioPlayer(row.preview_url)),
    }),
  },
  removing: requireUnused,
})

async function requireUnused(env: Env, ids: readonly number[]): Promise<void> {
  const [agent] = await env.db.query<{ name: string }>(
    sql`select name from connect_voiceai_agent where voice in (${idList(ids)}) order by id limit 1`,
  )
  if (agent === undefined) return
  throw new Refusal('conflict', 'agent-speaks-with-this-voice-give', { name: agent.name })
}
