import type { Queryable } from '../database/database.ts'
import { sql } from '../database/drizzle.ts'
import { type Env, elevated } from '../platform/access/env.ts'
import { writerOf, writtenBy } from '../platform/model/written-by.ts'
import { notifyChanged } from '../platform/records/notify-changed.ts'
import { records } from '../platform/records/records.ts'

const FILE_MODEL = 'connect.voiceai_file'

/** A text that callers hear, and the field of its record that links to the speech generated from it. */
export interface SpokenPrompt {
  model: string
  id: number
  /** What a person calls it: "Main menu, prompt". */
  name: string
  fileField: string
  /** As it is spoken, placeholders filled in; null when there is nothing to say. */
  text: string | null
  fileId: number | null
}

/** What the telephony area knows of its prompts, for the area that generates their speech. */
export interface SpokenPrompts {
  list(db: Queryable): Promise<SpokenPrompt[]>
}

/**
 * Brings the file of a prompt into sync with its text, in the transaction that changes the text: a new text gets a file, no
 * text has none. The audio itself follows later; until then the text is spoken by the phone provider. Answers the file.
 */
export async function saveSpeechFile(env: Env, prompt: SpokenPrompt): Promise<number | null> {
  const { model, id, fileField, fileId } = prompt
  const text = prompt.text?.trim() ?? ''
  if (text === '' && fileId === null) return null
  if (text !== '' && fileId === null && !env.settings.voiceaiEnabled) return null
  // Anyone who may change a prompt changes what is generated from it, whatever their rights on the files are.
  const own = elevated(env)
  const files = records(own, FILE_MODEL)
  if (text === '' && fileId !== null) {
    await files.unlink([fileId])
    return null
  }
  if (fileId !== null) {
    const [file] = await files.read([fileId], ['text'])
    if (file?.text !== text) await files.write([fileId], { text })
    return fileId
  }
  const [created = null] = await files.create([{ text }])
  await linkFile(env, { model, id, fileField }, created)
  return created
}

/** Past the rules of the record, which would bring its other prompts into sync in the middle of this one. */
async function linkFile(
  env: Env,
  { model, id, fileField }: Pick<SpokenPrompt, 'model' | 'id' | 'fileField'>,
  fileId: number | null,
): Promise<void> {
  const { table } = env.platform.models.get(model)
  await env.db.query(
    sql`update ${sql.identifier(table)} set ${sql.identifier(fileField)} = ${fileId}::bigint, ${writtenBy(writerOf(env))}
        where id = ${id}::bigint`,
  )
  await notifyChanged(env, model, [id])
}
