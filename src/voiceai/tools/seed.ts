import type { Transaction } from '../../database/database.ts'
import { sql } from '../../database/drizzle.ts'
import type { InstalledTool } from '../../deliveries/tools/tool.ts'
import { seedOnce } from '../../platform/records/seed-once.ts'
import { SYSTEM_TOOLS } from './system-tools.ts'

/** Our tools and those of the platform; what an administrator renamed, changed or deleted stays as they left it. */
export async function seedTools(tx: Transaction, tools: readonly InstalledTool[]): Promise<void> {
  for (const tool of tools) await seedOnce(tx, `voiceai.tool.${tool.name}`, () => seedWebhookTool(tx, tool))
  for (const tool of SYSTEM_TOOLS) await seedOnce(tx, `voiceai.tool.${tool.name}`, () => seedSystemTool(tx, tool))
}

async function seedSystemTool(
  tx: Transaction,
  { name, description, disableInterruptions }: (typeof SYSTEM_TOOLS)[number],
): Promise<void> {
  await tx.query(
    sql`insert into connect_voiceai_agent_tool (name, description, tool_type, method, param_type, response_timeout_secs,
          client_expects_response, disable_interruptions, use_out_of_band_dtmf, synced)
        values (${name}, ${description}, 'system', 'POST', 'body', 20, false, ${disableInterruptions === true}, false, false)
        on conflict (name) do nothing`,
  )
}

async function seedWebhookTool(tx: Transaction, tool: InstalledTool): Promise<void> {
  const inserted = await tx.query<{ id: number }>(
    sql`insert into connect_voiceai_agent_tool (name, description, tool_type, path, method, param_type,
          response_timeout_secs, client_expects_response, disable_interruptions, use_out_of_band_dtmf, synced)
        values (${tool.name}, ${tool.description}, 'webhook', ${tool.path}, 'POST', 'body', ${tool.timeoutSeconds}::int,
          false, false, false, false)
        on conflict (name) do nothing returning id`,
  )
  const toolId = inserted[0]?.id
  if (toolId === undefined) return
  for (const { name, type, isRequired, description } of tool.parameters) {
    const isDynamic = description === undefined
    await tx.query(
      sql`insert into connect_agent_tool_params (tool, name, data_type, required, value_type, description, dynamic_variable)
          values (${toolId}::bigint, ${name}, ${type}, ${isRequired}, ${isDynamic ? 'dynamic_variable' : 'description'},
            ${description ?? null}, ${isDynamic ? name : null})`,
    )
  }
}
