import type { Queryable } from '../../database/database.ts'
import { type SQL, sql } from '../../database/drizzle.ts'

export interface ToolParameter {
  name: string
  data_type: 'string' | 'boolean' | 'integer'
  required: boolean | null
  value_type: 'description' | 'dynamic_variable' | 'constant_value'
  description: string | null
  dynamic_variable: string | null
  constant_value: string | null
}

/** What the platform was asked to create; client tools have no address. */
export interface AskedTool {
  name: string
  url: string | null
}

/** A tool as it is stored, with its parameters. */
export interface ToolRow {
  id: number
  name: string
  description: string
  tool_type: 'system' | 'webhook' | 'client'
  path: string | null
  url: string | null
  method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE' | null
  body_params_description: string | null
  response_timeout_secs: number
  client_expects_response: boolean | null
  disable_interruptions: boolean | null
  use_out_of_band_dtmf: boolean | null
  voicemail_message: string | null
  tool_id: string | null
  synced: boolean | null
  sync_error: string | null
  /** When the platform was last asked to create it; null once it is known what came of that. */
  create_asked_at: string | null
  create_asked: AskedTool | null
  /** Tells whether the tool was changed since. */
  write_date: string
  params: ToolParameter[]
}

const SELECT = sql`select t.id, t.name, t.description, t.tool_type, t.path, t.url, t.method, t.body_params_description,
  t.response_timeout_secs, t.client_expects_response, t.disable_interruptions, t.use_out_of_band_dtmf,
  t.voicemail_message, t.tool_id, t.synced, t.sync_error, t.create_asked_at, t.create_asked, t.write_date,
  coalesce((select jsonb_agg(jsonb_build_object('name', p.name, 'data_type', p.data_type, 'required', p.required,
      'value_type', p.value_type, 'description', p.description, 'dynamic_variable', p.dynamic_variable,
      'constant_value', p.constant_value) order by p.id)
    from connect_agent_tool_params p where p.tool = t.id), '[]'::jsonb) as params
  from connect_voiceai_agent_tool t`

export async function findTool(db: Queryable, id: number): Promise<ToolRow | undefined> {
  const [tool] = await query(db, sql`where t.id = ${id}::bigint`)
  return tool
}

/** Every tool that is a record of its own at the platform, by name. */
export async function listOwnTools(db: Queryable): Promise<ToolRow[]> {
  return query(db, sql`where t.tool_type <> 'system' order by t.name, t.id`)
}

/** Tools attached to the agent, by name. */
export async function listToolsOfAgent(db: Queryable, agentId: number): Promise<ToolRow[]> {
  return query(
    db,
    sql`join connect_voiceai_agent_tools_rel r on r.tool_id = t.id where r.agent_id = ${agentId}::bigint order by t.name, t.id`,
  )
}

function query(db: Queryable, condition: SQL): Promise<ToolRow[]> {
  return db.query<ToolRow>(sql`${SELECT} ${condition}`)
}
