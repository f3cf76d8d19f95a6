import { sql } from '../../database/drizzle.ts'
import { type Env, elevated } from '../../platform/access/env.ts'
import { char, many2one, text } from '../../platform/model/fields.ts'
import { defineModel } from '../../platform/model/model.ts'
import { writerOf, writtenBy } from '../../platform/model/written-by.ts'
import { records } from '../../platform/records/records.ts'

/** A version of an agent's prompt. */
export const promptModel = defineModel({
  name: 'connect.voiceai_agent_prompt',
  label: 'Agent prompt',
  order: 'id desc',
  fields: {
    agent: many2one('Agent', 'connect.voiceai_agent', { required: true, onDelete: 'cascade' }),
    name: char('Version', {
      required: true,
      isCompleted: true,
      help: 'Leave empty for the next one: v1, v2 and so on.',
    }),
    prompt: text('Prompt', { required: true }),
  },
  async prepare(env, values, current) {
    const { agent, name } = values
    if (current !== undefined || name || typeof agent !== 'number') return values
    return { ...values, name: await nextVersion(env, agent) }
  },
})

/** Keeps the agent's prompt as a version, unless it is the text of the version that is active already. */
export async function savePromptVersion(env: Env, agentId: number): Promise<void> {
  const [agent] = await env.db.query<{ prompt: string; active: string | null }>(
    sql`select a.prompt, p.prompt as active from connect_voiceai_agent a
        left join connect_voiceai_agent_prompt p on p.id = a.active_prompt_version where a.id = ${agentId}::bigint`,
  )
  if (agent === undefined || agent.prompt === agent.active) return
  // The version is the service's record of the change; changing the agent is all that the person must be allowed to.
  const [version] = await records(elevated(env), 'connect.voiceai_agent_prompt').create([
    { agent: agentId, prompt: agent.prompt },
  ])
  await env.db.query(
    sql`update connect_voiceai_agent set active_prompt_version = ${version ?? null}::bigint, ${writtenBy(writerOf(env))}
        where id = ${agentId}::bigint`,
  )
}

async function nextVersion(env: Env, agentId: number): Promise<string> {
  const rows = await env.db.query<{ count: number }>(
    sql`select count(*)::int as count from connect_voiceai_agent_prompt where agent = ${agentId}::bigint`,
  )
  return `v${(rows[0]?.count ?? 0) + 1}`
}
