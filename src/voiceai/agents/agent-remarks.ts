import { sql } from '../../database/drizzle.ts'
import { idList } from '../../database/ids.ts'
import { AGENTS_REACHED, fallbackRemarks } from '../../directory/fallback-remarks.ts'
import type { Env } from '../../platform/access/env.ts'
import { type Remarks, sentencesOf } from '../../platform/model/remarks.ts'
import { isBlankText } from '../../platform/model/values.ts'
import { presetLanguages } from './preset-languages.ts'

interface AgentRow {
  id: number
  agent_uid: string | null
  prompt: string | null
  language: string
  languages: string[] | null
  translations: Record<string, unknown> | null
  takes_none: boolean
  has_transfers: boolean
  has_transfer_tool: boolean
  is_reached: boolean
}

/** What of voice agents does not work together, each as a sentence. */
export async function agentRemarks(env: Env, ids: readonly number[]): Promise<Remarks> {
  const agents = await env.db.query<AgentRow>(
    sql`select a.id, a.agent_uid, a.prompt, a.language, a.first_message_translations as translations,
          a.daily_limit = 0 or a.agent_concurrency_limit = 0 as takes_none,
          (select json_agg(l.code order by l.code) from connect_voiceai_agent_additional_languages_rel r
            join res_lang l on l.id = r.lang_id where r.agent_id = a.id) as languages,
          exists (select 1 from connect_voiceai_agent_transfer t where t.agent = a.id) as has_transfers,
          exists (select 1 from connect_voiceai_agent_tools_rel r join connect_voiceai_agent_tool t on t.id = r.tool_id
            where r.agent_id = a.id and t.tool_type = 'system' and t.name = 'transfer_to_agent') as has_transfer_tool,
          exists (select 1 from (${AGENTS_REACHED}) reached where reached.agent = a.id)
            or exists (select 1 from connect_voiceai_agent_transfer t where t.transfer_to_agent = a.id) as is_reached
        from connect_voiceai_agent a where a.id in (${idList(ids)})`,
  )
  const failing = await fallbackRemarks(env.db, 'connect.voiceai_agent')
  return new Map(agents.map((agent) => [agent.id, remarksOf(agent, failing.get(agent.id))]))
}

function remarksOf(agent: AgentRow, whenFailing: string | undefined): string[] {
  return [
    ...sentencesOf([
      [agent.agent_uid === null, 'ElevenLabs does not have this agent yet, so calls to it fail.'],
      [isBlankText(agent.prompt), 'The prompt is empty, so the agent does not know what to do.'],
      [!agent.is_reached, 'No number, extension or other agent leads here, so no one can reach it.'],
      [agent.takes_none, 'The limit of conversations is 0, so the agent takes no calls.'],
      [
        agent.has_transfers && !agent.has_transfer_tool,
        'It has transfers to other agents but not the tool for them, so it transfers no one.',
      ],
      [whenFailing !== undefined, whenFailing ?? ''],
    ]),
    ...withoutGreeting(agent).map(
      (language) => `There is no greeting in "${language}", so callers hear the one in the agent's own language.`,
    ),
  ]
}

/** Additional languages in which callers hear the greeting of the agent's own language. */
function withoutGreeting({ language, languages, translations }: AgentRow): string[] {
  return presetLanguages({ language, languages: languages ?? [] }).filter((code) => {
    const greeting = translations?.[code]
    return typeof greeting !== 'string' || isBlankText(greeting)
  })
}
