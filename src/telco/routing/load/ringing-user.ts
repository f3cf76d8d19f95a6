import { sql } from '../../../database/drizzle.ts'
import { param, statement } from '../../../database/statement.ts'
import { GENERATED_SPEECH } from '../../../directory/voiceai.ts'
import type { Env } from '../../../platform/access/env.ts'
import { phoneAddress } from '../../client/hosts.ts'
import { sentence } from '../../sentences/sentence.ts'
import type { RingingUser, RingStep } from '../decide/loaded.ts'
import { fillPrompt, type Speech } from '../decide/speech.ts'

interface UserRow {
  id: number
  name: string | null
  username: string | null
  subdomain: string | null
  client_ring_timeout: number
  sip_ring_timeout: number
  record_calls: boolean | null
  greeting_message: string | null
  language: string
  voice: string | null
  voicemail_prompt: string | null
  file_id: number | null
  filename: string | null
  file_text: string | null
  steps: RingStep[] | null
  tried: number[] | null
}

const FIND = statement<UserRow, { id: number; call: number | null }>(
  'routing_user',
  sql`select u.id, u.name, u.username, d.subdomain, u.client_ring_timeout, u.sip_ring_timeout, u.record_calls,
        u.greeting_message, u.language, u.voice, u.voicemail_prompt,
        case when f.file is not null then f.id end as file_id, f.filename, f.text as file_text,
        (select json_agg(json_build_object('id', s.id, 'type', s.callflow_type) order by s.prio, s.id)
          from connect_telco_user_callflow s where s."user" = u.id) as steps,
        (select json_agg(t.callflow) from connect_telco_user_callflow_call t where t.call = ${param('call')}) as tried
      from connect_user u left join connect_telco_domain d on d.id = u.domain
      left join ${GENERATED_SPEECH} f on f.id = u.voicemail_prompt_file
      where u.id = ${param('id')} and u.active is not false`,
)

/** The user with that id; undefined when there is none, or none any more. */
export async function findRingingUser(
  { db }: Pick<Env, 'db'>,
  { id, callId }: { id: number; callId: number | undefined },
): Promise<RingingUser | undefined> {
  const [row] = await db.run(FIND, { id, call: callId ?? null })
  return row === undefined ? undefined : toRingingUser(row)
}

function toRingingUser(row: UserRow): RingingUser {
  const speech = { language: row.language, voice: row.voice ?? undefined }
  const greeting = row.greeting_message?.trim()
  return {
    id: row.id,
    address: phoneAddress(row),
    timeoutSeconds: { client: row.client_ring_timeout, sip: row.sip_ring_timeout },
    recordsCalls: row.record_calls === true,
    speech,
    greeting: greeting ? { ...speech, text: greeting } : undefined,
    voicemailPrompt: { ...speech, text: promptText(row), file: promptFile(row) },
    steps: row.steps ?? [],
    tried: row.tried ?? [],
  }
}

function promptText({ voicemail_prompt: prompt, name, language }: UserRow): string {
  return fillPrompt(prompt ?? '', { name: name ?? '' }).trim() || sentence('leaveMessage', language)
}

function promptFile({ file_id: id, filename, file_text: text }: UserRow): Speech['file'] {
  return id === null || filename === null || text === null ? undefined : { id, filename, text }
}
