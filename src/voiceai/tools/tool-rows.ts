import type { Queryable } from '../../database/database.ts'
import { type SQL, sql } from '../../database/drizzle.ts'
import type { RowOf } from '../../platform/model/model.ts'
import { columnsOf } from '../../platform/model/statements.ts'
import { toolModel, type toolParameterModel } from './tool.ts'
import { TOOL_COLUMNS } from './tool-changes.ts'

/** What the platform was asked to create; client tools have no address. */
export interface AskedTool {
  name: string
  url: string | null
}

/** Beside them: what a push has to know of the pushes before it, and `write_date`, which tells whether it was changed since. */
const COLUMNS = [
  ...TOOL_COLUMNS,
  'id',
  'tool_id',
  'synced',
  'sync_error',
  'create_asked_at',
  'create_asked',
  'write_date',
] as const
const PARAMETER_COLUMNS = [
  'name',
  'data_type',
  'required',
  'value_type',
  'description',
  'dynamic_variable',
  'constant_value',
] as const

export type ToolParameter = RowOf<typeof toolParameterModel, (typeof PARAMETER_COLUMNS)[number]>

/** A tool as it is stored, with its parameters. */
export type ToolRow = Omit<RowOf<typeof toolModel, (typeof COLUMNS)[number]>, 'create_asked'> & {
  create_asked: AskedTool | null
  params: ToolParameter[]
}

const PARAMETER = sql.join(
  PARAMETER_COLUMNS.map((name) => sql`${sql.raw(`'${name}'`)}, p.${sql.identifier(name)}`),
  sql`, `,
)
const SELECT = sql`select ${columnsOf(toolModel, COLUMNS, 't')},
  coalesce((select jsonb_agg(jsonb_build_object(${PARAMETER}) order by p.id)
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
