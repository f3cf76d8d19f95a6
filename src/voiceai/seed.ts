import type { Transaction } from '../database/database.ts'
import { sql } from '../database/drizzle.ts'
import { seedOnce } from '../platform/records/seed-once.ts'
import { HELPDESK_AGENT_PROMPT, HELPDESK_AGENT_TOOLS } from './agents/helpdesk-agent.ts'
import { type SeedTool, SYSTEM_TOOLS, WEBHOOK_TOOLS } from './tools/seed-tools.ts'

const HELPDESK_TEMPLATE = 'Helpdesk Support Agent'

/** The tools and the template; what an administrator renamed, changed or deleted stays as they left it. */
export async function seedVoiceai(tx: Transaction): Promise<void> {
  for (const tool of WEBHOOK_TOOLS) await seedOnce(tx, `voiceai.tool.${tool.name}`, () => seedWebhookTool(tx, tool))
  for (const tool of SYSTEM_TOOLS) await seedOnce(tx, `voiceai.tool.${tool.name}`, () => seedSystemTool(tx, tool))
  await seedOnce(tx, `voiceai.template.${HELPDESK_TEMPLATE}`, async () => {
    await tx.query(
      sql`insert into connect_voiceai_agent_template (name, system_prompt)
          values (${HELPDESK_TEMPLATE}, ${HELPDESK_AGENT_PROMPT})`,
    )
  })
  // By itself, because installations of before have the template already.
  await seedOnce(tx, `voiceai.template_tools.${HELPDESK_TEMPLATE}`, () => seedTemplateTools(tx))
}

async function seedTemplateTools(tx: Transaction): Promise<void> {
  await tx.query(
    sql`insert into connect_voiceai_agent_template_tools_rel (template_id, tool_id)
        select p.id, t.id from connect_voiceai_agent_template p, connect_voiceai_agent_tool t
        where p.name = ${HELPDESK_TEMPLATE} and t.name = any(string_to_array(${HELPDESK_AGENT_TOOLS.join(',')}, ','))
        on conflict do nothing`,
  )
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

async function seedWebhookTool(tx: Transaction, tool: SeedTool): Promise<void> {
  const inserted = await tx.query<{ id: number }>(
    sql`insert into connect_voiceai_agent_tool (name, description, tool_type, path, method, param_type,
          response_timeout_secs, client_expects_response, disable_interruptions, use_out_of_band_dtmf, synced)
        values (${tool.name}, ${tool.description}, 'webhook', ${tool.path}, 'POST', 'body', ${tool.timeoutSecs}::int,
          false, false, false, false)
        on conflict (name) do nothing returning id`,
  )
  const toolId = inserted[0]?.id
  if (toolId === undefined) return
  for (const { name, type, required, description } of tool.params) {
    const isDynamic = description === undefined
    await tx.query(
      sql`insert into connect_agent_tool_params (tool, name, data_type, required, value_type, description, dynamic_variable)
          values (${toolId}::bigint, ${name}, ${type}, ${required === true}, ${isDynamic ? 'dynamic_variable' : 'description'},
            ${description ?? null}, ${isDynamic ? name : null})`,
    )
  }
}
