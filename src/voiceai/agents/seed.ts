import type { Transaction } from '../../database/database.ts'
import { sql } from '../../database/drizzle.ts'
import { seedOnce } from '../../platform/records/seed-once.ts'
import { HELPDESK_AGENT_PROMPT, HELPDESK_AGENT_TOOLS } from './helpdesk-agent.ts'

const HELPDESK_TEMPLATE = 'Helpdesk Support Agent'

/** The template with its tools, which must be there; what an administrator changed or deleted stays as they left it. */
export async function seedTemplate(tx: Transaction): Promise<void> {
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
