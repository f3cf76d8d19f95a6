import { sql } from '../../../database/drizzle.ts'
import { listed } from '../../../database/listed.ts'
import { statement } from '../../../database/statement.ts'
import { GENERATED_SPEECH } from '../../../directory/voiceai.ts'
import type { Env } from '../../../platform/access/env.ts'
import { phoneAddress } from '../../client/hosts.ts'
import { findTried } from '../../phone-users/ring-attempts.ts'
import { sentence } from '../../sentences/sentence.ts'
import type { RingingUser, RingStep } from '../decide/loaded.ts'
import { fillPrompt, type Speech } from '../decide/speech.ts'
import { type Asked, callsOf, keysOf } from './asked.ts'

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
}

const FIND = statement<UserRow, { ids: readonly number[] }>(
  'routing_users',
  sql`select u.id, u.name, u.username, d.subdomain, u.client_ring_timeout, u.sip_ring_timeout, u.record_calls,
        u.greeting_message, u.language, u.voice, u.voicemail_prompt,
        case when f.file is not null then f.id end as file_id, f.filename, f.text as file_text,
        (select json_agg(json_build_object('id', s.id, 'type', s.callflow_type) order by s.prio, s.id)
          from connect_telco_user_callflow s where s."user" = u.id) as steps
      from connect_user u left join connect_telco_domain d on d.id = u.domain
      left join ${GENERATED_SPEECH} f on f.id = u.voicemail_prompt_file
      where u.id in ${listed('ids', 'bigint')} and u.active is not false`,
)

/** The users with these ids and what was tried of them in each call; undefined for one that there is not, or not any more. */
export async function findRingingUsers(
  { db }: Pick<Env, 'db'>,
  asked: readonly Asked<number>[],
): Promise<(RingingUser | undefined)[]> {
  const [rows, attempts] = await Promise.all([db.run(FIND, { ids: keysOf(asked) }), findTried(db, callsOf(asked))])
  const users = new Map(rows.map((row) => [row.id, row]))
  const tried = Map.groupBy(attempts, ({ call }) => call)
  return asked.map(({ key, call: { callId } }) => {
    const user = users.get(key)
    return user && toRingingUser(user, tried.get(callId ?? 0)?.map(({ step }) => step) ?? [])
  })
}

function toRingingUser(row: UserRow, tried: readonly number[]): RingingUser {
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
    tried,
  }
}

function promptText({ voicemail_prompt: prompt, name, language }: UserRow): string {
  return fillPrompt(prompt ?? '', { name: name ?? '' }).trim() || sentence('leaveMessage', language)
}

function promptFile({ file_id: id, filename, file_text: text }: UserRow): Speech['file'] {
  return id === null || filename === null || text === null ? undefined : { id, filename, text }
}
