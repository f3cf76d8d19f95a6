import { randomBytes } from 'node:crypto'
import { sql } from '../../database/drizzle.ts'
import { idList } from '../../database/ids.ts'
import { audioPlayer } from '../../ledger/recordings/players.ts'
import type { Env } from '../../platform/access/env.ts'
import { binary, char, computed, text } from '../../platform/model/fields.ts'
import { defineModel, type Row } from '../../platform/model/model.ts'
import { speechPath } from '../../ports/speech-address.ts'
import { requestPush } from '../../sync/requests.ts'
import { VOICEAI } from '../workspace/voiceai.ts'

const FILENAME_BYTES = 16

/** A text, and the speech that was generated from it. */
export const fileModel = defineModel({
  name: 'connect.voiceai_file',
  label: 'Generated speech',
  order: 'id desc',
  display: { columns: ['filename'], show: (row) => String(row.filename ?? `Speech ${row.id}`) },
  fields: {
    text: text('Text', { required: true }),
    file: binary('Audio', { help: 'MP3 (audio/mpeg).' }),
    filename: char('File name', {
      required: true,
      default: () => newFilename(),
      pattern: { matches: /^[0-9a-f]+\.mp3$/, says: 'hexadecimal digits with .mp3 after them' },
      help: 'A random part of the public address.',
    }),
    preview_audio: computed('Preview', 'html', { depends: ['filename'], compute: playersOf }),
  },
  prepare(_env, given, current) {
    // Audio of another text is worse than none: without it the text itself is spoken.
    const isOutdated = current !== undefined && 'text' in given && given.text !== current.text && !('file' in given)
    const values = isOutdated ? { ...given, file: null } : given
    const hasNewAudio = current !== undefined && 'file' in values && !('filename' in values)
    // The provider keeps audio by its address: what sounds different needs another one.
    return hasNewAudio ? { ...values, filename: newFilename() } : values
  },
  async saved(env, { id, values, isNew }) {
    const isSilent = values.file === null || values.file === undefined || values.file === false
    if (isSilent && (isNew || 'file' in values)) await requestPush(env, VOICEAI, { kind: 'speech', fileId: id })
  },
})

function newFilename(): string {
  return `${randomBytes(FILENAME_BYTES).toString('hex')}.mp3`
}

async function playersOf(env: Env, rows: readonly Row[]): Promise<(string | null)[]> {
  const withAudio = await env.db.query<{ id: number }>(
    sql`select id from connect_voiceai_file where file is not null and id in (${idList(rows.map((row) => row.id))})`,
  )
  const audible = new Set(withAudio.map((each) => each.id))
  return rows.map((row) =>
    audible.has(row.id) ? audioPlayer(speechPath({ id: row.id, filename: String(row.filename) })) : null,
  )
}
