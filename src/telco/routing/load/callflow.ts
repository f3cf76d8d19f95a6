import { sql } from '../../../database/drizzle.ts'
import { listed } from '../../../database/listed.ts'
import { statement } from '../../../database/statement.ts'
import { GENERATED_SPEECH } from '../../../directory/voiceai.ts'
import type { Env } from '../../../platform/access/env.ts'
import type { RowOf } from '../../../platform/model/model.ts'
import { columnsOf } from '../../../platform/model/statements.ts'
import { callflowModel, GATHER_ROUNDS_DEFAULT, GATHER_SECONDS_DEFAULT } from '../../callflows/callflow.ts'
import { phoneAddress } from '../../client/hosts.ts'
import type { Callflow, Device, Fallback, GatherSettings } from '../decide/loaded.ts'
import type { Choice } from '../decide/match-choice.ts'
import type { Speech } from '../decide/speech.ts'

const COLUMNS = [
  ...['id', 'language', 'voice', 'gather_input', 'gather_input_type', 'gather_timeout', 'gather_digits'],
  ...['gather_hints', 'gather_rounds', 'fallback_exten', 'fallback_message', 'prompt_message'],
  ...['invalid_input_message', 'record_calls', 'voicemail_enabled', 'voicemail_prompt'],
  ...['prompt_message_file', 'invalid_input_message_file', 'voicemail_prompt_file'],
] as const

interface FlowRow extends RowOf<typeof callflowModel, (typeof COLUMNS)[number]> {
  files: { id: number; filename: string; text: string }[] | null
  choices: Choice[] | null
  users: UserPhones[] | null
}

interface UserPhones {
  username: string | null
  subdomain: string | null
  client: boolean | null
  sip: boolean | null
  client_priority: string
  sip_priority: string
}

/** Far beyond any menu and any group that rings together. */
const CHOICES_MAX = 200
const RING_USERS_MAX = 100

const FIND = statement<FlowRow, { ids: readonly number[] }>(
  'routing_callflows',
  sql`select ${columnsOf(callflowModel, COLUMNS, 'f')},
        (select json_agg(json_build_object('id', x.id, 'filename', x.filename, 'text', x.text)) from ${GENERATED_SPEECH} x
          where x.id in (f.prompt_message_file, f.invalid_input_message_file, f.voicemail_prompt_file)
            and x.file is not null) as files,
        (select json_agg(c) from (
          select choice_digits as digits, speech, exten from connect_telco_callflow_choice
          where callflow = f.id order by id limit ${sql.raw(String(CHOICES_MAX))}) c) as choices,
        (select json_agg(p) from (
          select u.username, d.subdomain, u.client_enabled as client, u.sip_enabled as sip, u.client_priority, u.sip_priority
          from connect_telco_callflow_ring_users_rel r join connect_user u on u.id = r.user_id
          left join connect_telco_domain d on d.id = u.domain
          where r.callflow_id = f.id and u.active is not false
          order by u.name, u.id limit ${sql.raw(String(RING_USERS_MAX))}) p) as users
      from connect_telco_callflow f where f.id in ${listed('ids', 'bigint')}`,
)

/** The call flows with these ids, as far as there are any. */
export async function findCallflows({ db }: Pick<Env, 'db'>, ids: readonly number[]): Promise<Map<number, Callflow>> {
  const rows = await db.run(FIND, { ids })
  return new Map(rows.map((row) => [row.id, toCallflow(row)]))
}

function toCallflow(row: FlowRow): Callflow {
  const flowSpeech = { language: row.language, voice: row.voice ?? undefined }
  const speech = (text: string | null, fileId: number | null): Speech | undefined =>
    text?.trim()
      ? {
          ...flowSpeech,
          text: text.trim(),
          file: row.files?.find((file) => file.id === fileId),
        }
      : undefined
  return {
    id: row.id,
    speech: flowSpeech,
    gather: row.gather_input === true ? gatherSettings(row) : undefined,
    roundsMax: row.gather_rounds ?? GATHER_ROUNDS_DEFAULT,
    fallback: fallbackOf(row),
    prompt: speech(row.prompt_message, row.prompt_message_file),
    invalidInput: speech(row.invalid_input_message, row.invalid_input_message_file),
    voicemailPrompt:
      row.voicemail_enabled === true ? speech(row.voicemail_prompt, row.voicemail_prompt_file) : undefined,
    recordsCalls: row.record_calls === true,
    choices: row.choices ?? [],
    devices: (row.users ?? []).flatMap(devicesOf),
  }
}

function fallbackOf({ fallback_exten: exten, fallback_message: message, language }: FlowRow): Fallback | undefined {
  return exten === null && !message?.trim() ? undefined : { exten, message, language }
}

function gatherSettings(row: FlowRow): GatherSettings {
  return {
    input: row.gather_input_type ?? 'dtmf',
    timeoutSeconds: row.gather_timeout ?? GATHER_SECONDS_DEFAULT,
    digits: row.gather_digits,
    hints: row.gather_hints ?? undefined,
  }
}

function devicesOf(user: UserPhones): Device[] {
  const address = phoneAddress(user)
  if (address === undefined) return []
  const phones = [
    { type: 'client' as const, isEnabled: user.client, priority: user.client_priority },
    { type: 'sip' as const, isEnabled: user.sip, priority: user.sip_priority },
  ]
  return phones
    .filter(({ isEnabled }) => isEnabled === true)
    .sort((a, b) => a.priority.localeCompare(b.priority))
    .map(({ type }, rank) => ({ type, address, rank }))
}
