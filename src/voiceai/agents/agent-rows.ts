import type { ElevenLabs } from '@elevenlabs/elevenlabs-js'
import type { Queryable } from '../../database/database.ts'
import { sql } from '../../database/drizzle.ts'
import { listToolsOfAgent, type ToolRow } from '../tools/tool-rows.ts'

interface AgentColumns {
  id: number
  name: string
  voice_id: string
  first_message: string
  first_message_translations: Record<string, string> | null
  prompt: string
  language: string
  llm: ElevenLabs.Llm
  temperature: number | null
  max_tokens: number | null
  stability: number | null
  similarity_boost: number | null
  speed: number | null
  use_flash: boolean | null
  model: string | null
  output_audio_format: ElevenLabs.TtsOutputFormat | null
  user_input_audio_format: ElevenLabs.AsrInputFormat | null
  max_duration_seconds: number | null
  agent_concurrency_limit: number | null
  daily_limit: number | null
  turn_timeout: number | null
  silence_end_call_timeout: number | null
  connect_method: 'register' | 'sip' | null
  agent_uid: string | null
  voiceai_virtual_number_uid: string | null
  voiceai_inbound_allowed_ips: string | null
  synced: boolean | null
  sync_error: string | null
  /** When the platform was last asked to create it; null once it is known what came of that. */
  create_asked_at: string | null
  create_asked_name: string | null
  /** Tells whether the agent was changed since. */
  write_date: string
  /** Codes of the additional languages, such as `de_DE`. */
  languages: string[]
}

/** A rule by which an agent hands a conversation over, to an agent that the platform knows. */
export interface TransferRule {
  target_uid: string
  condition: string | null
}

/** An agent as it is stored, with all that belongs to it. */
export interface AgentRow extends AgentColumns {
  tools: ToolRow[]
  transfers: TransferRule[]
}

export async function findAgent(db: Queryable, id: number): Promise<AgentRow | undefined> {
  const [agent] = await db.query<AgentColumns>(
    sql`select a.id, a.name, v.voice_id, a.first_message, a.first_message_translations, a.prompt, a.language, a.llm,
          a.temperature, a.max_tokens, a.stability, a.similarity_boost, a.speed, a.use_flash, a.model, a.output_audio_format,
          a.user_input_audio_format, a.max_duration_seconds, a.agent_concurrency_limit, a.daily_limit, a.turn_timeout,
          a.silence_end_call_timeout, a.connect_method, a.agent_uid, a.voiceai_virtual_number_uid,
          a.voiceai_inbound_allowed_ips, a.synced, a.sync_error, a.create_asked_at, a.create_asked_name, a.write_date,
          coalesce((select jsonb_agg(l.code order by l.code) from connect_voiceai_agent_additional_languages_rel r
            join res_lang l on l.id = r.lang_id where r.agent_id = a.id and l.active), '[]'::jsonb) as languages
        from connect_voiceai_agent a join connect_voiceai_voice v on v.id = a.voice where a.id = ${id}::bigint`,
  )
  if (agent === undefined) return undefined
  const transfers = await db.query<TransferRule>(
    sql`select target.agent_uid as target_uid, t.condition from connect_voiceai_agent_transfer t
        join connect_voiceai_agent target on target.id = t.transfer_to_agent
        where t.agent = ${id}::bigint and target.agent_uid is not null order by t.id`,
  )
  return { ...agent, tools: await listToolsOfAgent(db, id), transfers }
}

/** Every agent, in the order in which they were made. */
export async function listAgentNames(
  db: Queryable,
): Promise<{ id: number; name: string; agent_uid: string | null; voiceai_virtual_number_uid: string | null }[]> {
  return db.query(sql`select id, name, agent_uid, voiceai_virtual_number_uid from connect_voiceai_agent order by id`)
}
