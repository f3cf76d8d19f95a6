import { sql } from '../../database/drizzle.ts'
import { idList } from '../../database/ids.ts'
import type { Env } from '../../platform/access/env.ts'
import { type SpokenPrompt, type SpokenPrompts, saveSpeechFile } from '../../ports/spoken-prompts.ts'
import { fillPrompt } from '../routing/decide/speech.ts'

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

const FLOWS = sql`select id, name, prompt_message, prompt_message_file, invalid_input_message, invalid_input_message_file,
  voicemail_prompt, voicemail_prompt_file from connect_telco_callflow`
const USERS = sql`select p.id, u.name, p.voicemail_prompt, p.voicemail_prompt_file
  from connect_user p join res_users u on u.id = p."user"`

/** Every text of the telephony area that can be spoken by a generated voice. */
export const telcoPrompts: SpokenPrompts = {
  async list(db) {
    const flows = await db.query<FlowRow>(sql`${FLOWS} order by id`)
    const users = await db.query<UserRow>(sql`${USERS} where p.active order by p.id`)
    return [...flows.flatMap(flowPrompts), ...users.map(userPrompt)]
  },
}

type Speaking = typeof CALLFLOW | typeof PBX_USER

/** Brings the speech of one record's prompts into sync with their texts, in the transaction that changed them. */
export async function updatePromptFiles(env: Env, model: Speaking, id: number): Promise<void> {
  for (const prompt of await promptsOf(env, model, [id])) await saveSpeechFile(env, prompt)
}

/** Removes the speech of records that go: nothing else leads to it. */
export async function removePromptFiles(env: Env, model: Speaking, ids: readonly number[]): Promise<void> {
  for (const prompt of await promptsOf(env, model, ids)) await saveSpeechFile(env, { ...prompt, text: null })
}

async function promptsOf({ db }: Env, model: Speaking, ids: readonly number[]): Promise<SpokenPrompt[]> {
  const list = idList(ids)
  if (model === CALLFLOW) return (await db.query<FlowRow>(sql`${FLOWS} where id in (${list})`)).flatMap(flowPrompts)
  return (await db.query<UserRow>(sql`${USERS} where p.id in (${list})`)).map(userPrompt)
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
