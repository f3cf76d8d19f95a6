import { Type } from 'typebox'
import { sql } from '../../database/drizzle.ts'
import type { Env } from '../../platform/access/env.ts'
import { GROUP } from '../../platform/access/identity.ts'
import { char, many2many, text } from '../../platform/model/fields.ts'
import { defineModel, method } from '../../platform/model/model.ts'
import { records } from '../../platform/records/records.ts'
import { APPOINTMENT_PROMPT, APPOINTMENT_TEMPLATE, APPOINTMENT_TOOLS } from './appointment-template.ts'

/** A prompt that new voice agents can start from, with the tools that it speaks of. */
export const templateModel = defineModel({
  name: 'connect.voiceai_agent_template',
  label: 'Agent template',
  order: 'name',
  fields: {
    name: char('Name', { required: true, isIndexed: true }),
    system_prompt: text('System prompt', { required: true }),
    tools: many2many('Tools', 'connect.voiceai_agent_tool', {
      table: 'connect_voiceai_agent_template_tools_rel',
      here: 'template_id',
      there: 'tool_id',
    }),
  },
  methods: {
    add_appointment_assistant: method({
      label: 'Add the appointment assistant',
      reply: Type.Integer({ description: 'The template.' }),
      operation: 'create',
      groups: [GROUP.connectAdmin],
      run: addAppointmentAssistant,
    }),
  },
})

/** The id of the template with that name: the one that is there, as it is by now, else a new one. */
async function addAppointmentAssistant(env: Env): Promise<number> {
  // Two presses at the same time make one template.
  await env.db.query(sql`select pg_advisory_xact_lock(hashtext(${APPOINTMENT_TEMPLATE}))`)
  const templates = records(env, 'connect.voiceai_agent_template')
  const [known] = await templates.search([['name', '=', APPOINTMENT_TEMPLATE]])
  if (known !== undefined) return known
  const tools = await records(env, 'connect.voiceai_agent_tool').search([['name', 'in', [...APPOINTMENT_TOOLS]]])
  const [created = 0] = await templates.create([
    { name: APPOINTMENT_TEMPLATE, system_prompt: APPOINTMENT_PROMPT, tools: [[6, 0, tools]] },
  ])
  return created
}
