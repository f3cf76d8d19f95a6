import { sql } from '../database/drizzle.ts'
import { keepSpeechFile, type SpokenPrompt, type SpokenPrompts } from '../ledger/spoken-prompts.ts'
import type { Env } from '../platform/env.ts'
import { fillPrompt } from './routing/speech.ts'

const CALLFLOW = 'connect.telco.callflow'
const PBX_USER = 'connect.user'

/** Texts of a call flow that callers hear, each with the field of its generated speech. */
const FLOW_PROMPTS = [
  { text: 'prompt_message', file: 'prompt_message_file', label: 'prompt' },
  { text: 'invalid_input_message', file: 'invalid_input_message_file', label: 'invalid input' },
  { text: 'voicemail_prompt', file: 'voicemail_prompt_file', label: 'voicemail' },
] as const

type FlowRow = { id: number; name: string } & Record<(typeof FLOW_PROMPTS)[number]['text'], string | null> &
  Record<(typeof FLOW_PROMPTS)[number]['file'], number | null>

interface UserRow {
  id: number
  name: string
  voicemail_prompt: string | null
  voicemail_prompt_file: number | null
}

/** Every text of the telephony area that can be spoken by a generated voice. */
export const telcoPrompts: SpokenPrompts = {
  async list(db) {
    const flows = await db.query<FlowRow>(
      sql`select id, name, prompt_message, prompt_message_file, invalid_input_message, invalid_input_message_file,
            voicemail_prompt, voicemail_prompt_file from connect_telco_callflow order by id`,
    )
    const users = await db.query<UserRow>(
      sql`select p.id, u.name, p.voicemail_prompt, p.voicemail_prompt_file
          from connect_user p join res_users u on u.id = p."user" where p.active order by p.id`,
    )
    return [...flows.flatMap(flowPrompts), ...users.map(userPrompt)]
  },
}

/** Brings the speech of one record's prompts in step with their texts, in the transaction that changed them. */
export async function keepPromptFiles(env: Env, model: typeof CALLFLOW | typeof PBX_USER, id: number): Promise<void> {
  const prompts = await telcoPrompts.list(env.db)
  for (const prompt of prompts) if (prompt.model === model && prompt.id === id) await keepSpeechFile(env, prompt)
}

function flowPrompts(row: FlowRow): SpokenPrompt[] {
  return FLOW_PROMPTS.map(({ text, file, label }) => ({
    model: CALLFLOW,
    id: row.id,
    name: `${row.name}, ${label}`,
    fileField: file,
    text: row[text],
    fileId: row[file],
  }))
}

function userPrompt({ id, name, voicemail_prompt: prompt, voicemail_prompt_file: fileId }: UserRow): SpokenPrompt {
  const text = prompt === null ? null : fillPrompt(prompt, { name })
  return { model: PBX_USER, id, name: `${name}, voicemail`, fileField: 'voicemail_prompt_file', text, fileId }
}
