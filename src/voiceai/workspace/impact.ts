import { sql } from '../../database/drizzle.ts'
import type { Env } from '../../platform/access/env.ts'

/** Webhooks of the workspace: before a conversation, and after it. */
const WEBHOOKS = 2

/** Tools at the platform that carry our address and the token, and the workspace's webhooks. */
export async function voiceaiCarriers({ db }: Pick<Env, 'db'>): Promise<{ what: string; count: number }[]> {
  const [row] = await db.query<{ tools: number }>(
    sql`select count(*)::int as tools from connect_voiceai_agent_tool where tool_type <> 'system' and tool_id is not null`,
  )
  const tools = row?.tools ?? 0
  return tools === 0
    ? []
    : [
        { what: 'tools', count: tools },
        { what: 'webhooks', count: WEBHOOKS },
      ]
}
