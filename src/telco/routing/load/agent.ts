import { sql } from '../../../database/drizzle.ts'
import { listed } from '../../../database/listed.ts'
import { statement } from '../../../database/statement.ts'
import { VOICE_AGENTS } from '../../../directory/voiceai.ts'
import type { Env } from '../../../platform/access/env.ts'
import type { Agent } from '../decide/loaded.ts'
import { speechLanguage } from '../decide/speech.ts'

interface AgentRow {
  id: number
  agent_uid: string | null
  connect_method: 'register' | 'sip' | null
  language: string | null
  fallback_exten: number | null
  fallback_message: string | null
  default_callerid: string | null
}

const FIND = statement<AgentRow, { ids: readonly number[] }>(
  'routing_agents',
  sql`select a.id, a.agent_uid, a.connect_method, a.language, a.fallback_exten, a.fallback_message,
  (select number from connect_telco_outgoing_callerid where is_default order by id limit 1) as default_callerid
  from ${VOICE_AGENTS} a where a.id in ${listed('ids', 'bigint')}`,
)

/** The voice agents with these ids, as far as there are any. */
export async function findAgents({ db }: Pick<Env, 'db'>, ids: readonly number[]): Promise<Map<number, Agent>> {
  const rows = await db.run(FIND, { ids })
  return new Map(rows.map((row) => [row.id, toAgent(row)]))
}

function toAgent(row: AgentRow): Agent {
  return {
    id: row.id,
    agentUid: row.agent_uid ?? undefined,
    isRegistered: row.connect_method !== 'sip',
    fallback: { exten: row.fallback_exten, message: row.fallback_message, language: speechLanguage(row.language) },
    defaultCallerId: row.default_callerid ?? undefined,
  }
}
