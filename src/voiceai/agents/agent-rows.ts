import type { ElevenLabs } from '@elevenlabs/elevenlabs-js'
import type { Queryable } from '../../database/database.ts'
import { sql } from '../../database/drizzle.ts'
import type { RowOf } from '../../platform/model/model.ts'
import { columnsOf } from '../../platform/model/statements.ts'
import { type KnownDocument, listDocumentsOfAgent } from '../knowledge/knowledge-rows.ts'
import { listToolsOfAgent, type ToolRow } from '../tools/tool-rows.ts'
import { agentModel } from './agent.ts'
import { AGENT_COLUMNS } from './agent-changes.ts'

/** Beside them: what a push has to know of the pushes before it, and `write_date`, which tells whether it was changed since. */
const COLUMNS = [
  ...AGENT_COLUMNS,
  'id',
  'agent_uid',
  'voiceai_virtual_number_uid',
  'voiceai_inbound_allowed_ips',
  'synced',
  'sync_error',
  'create_asked_at',
  'create_asked_name',
  'write_date',
] as const

type AgentColumns = Omit<RowOf<typeof agentModel, (typeof COLUMNS)[number]>, 'llm' | 'first_message_translations'> & {
  llm: ElevenLabs.Llm
  first_message_translations: Record<string, string> | null
  /** The platform's id of its voice. */
  voice_id: string
  /** Codes of the additional languages, such as `de_DE`. */
  languages: string[]
  /** Whether the platform was told of knowledge, so that it has to be told when there is none any more. */
  has_pushed_knowledge: boolean
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
  knowledge: KnownDocument[]
}

export async function findAgent(db: Queryable, id: number): Promise<AgentRow | undefined> {
  const [agent] = await db.query<AgentColumns>(
    sql`select ${columnsOf(agentModel, COLUMNS, 'a')}, v.voice_id,
          coalesce((select jsonb_agg(l.code order by l.code) from connect_voiceai_agent_additional_languages_rel r
            join res_lang l on l.id = r.lang_id where r.agent_id = a.id and l.active), '[]'::jsonb) as languages,
          coalesce(a.pushed ? 'knowledge', false) as has_pushed_knowledge
        from connect_voiceai_agent a join connect_voiceai_voice v on v.id = a.voice where a.id = ${id}::bigint`,
  )
  if (agent === undefined) return undefined
  const transfers = await db.query<TransferRule>(
    sql`select target.agent_uid as target_uid, t.condition from connect_voiceai_agent_transfer t
        join connect_voiceai_agent target on target.id = t.transfer_to_agent
        where t.agent = ${id}::bigint and target.agent_uid is not null order by t.id`,
  )
  const knowledge = await listDocumentsOfAgent(db, id)
  return { ...agent, tools: await listToolsOfAgent(db, id), transfers, knowledge }
}

/** Every agent with all that belongs to it, in the order in which they were made. */
export async function listAgents(db: Queryable): Promise<AgentRow[]> {
  const agents: AgentRow[] = []
  for (const { id } of await listAgentNames(db)) {
    const agent = await findAgent(db, id)
    if (agent !== undefined) agents.push(agent)
  }
  return agents
}

/** Every agent, in the order in which they were made. */
export async function listAgentNames(
  db: Queryable,
): Promise<
  RowOf<typeof agentModel, 'id' | 'name' | 'agent_uid' | 'voiceai_virtual_number_uid' | 'voiceai_inbound_allowed_ips'>[]
> {
  return db.query(
    sql`select id, name, agent_uid, voiceai_virtual_number_uid, voiceai_inbound_allowed_ips
        from connect_voiceai_agent order by id`,
  )
}
