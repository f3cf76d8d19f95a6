import type { Transaction } from '../../database/database.ts'
import { sql } from '../../database/drizzle.ts'
import type { InstalledTool } from '../../deliveries/tools/tool.ts'
import { seedOnce } from '../../platform/records/seed-once.ts'

/** Tools that the voice-agent platform itself carries out. */
const SYSTEM_TOOLS: readonly SeededTool[] = [
  {
    name: 'language_detection',
    description:
      'Switches to the language the caller speaks. Use it when the caller speaks or asks for another supported ' +
      'language. Do not switch for a single foreign word or name.',
  },
  {
    name: 'end_call',
    disableInterruptions: true,
    description:
      'Ends the call. Use it after the caller said goodbye or confirmed that nothing else is needed. ' +
      'Do not use it while a question is open.',
  },
  {
    name: 'skip_turn',
    description:
      'Stays silent until the caller speaks. Use it when the caller asks for a moment. Do not use it to avoid an answer.',
  },
  {
    name: 'play_keypad_touch_tone',
    description:
      'Plays keypad tones. Use it when an automatic menu asks for a key. Do not use it with a person on the line.',
  },
  {
    name: 'voicemail_detection',
    description:
      'Reports that an answering machine picked up. Use it when you hear a recorded greeting or a beep. Do not use it with a person.',
  },
  {
    name: 'transfer_to_agent',
    disableInterruptions: true,
    description:
      'Hands the conversation to another voice agent. Use it when its rule fits what the caller needs. ' +
      'Do not use it to reach a person.',
  },
]

/** Our tools and those of the platform; what an administrator renamed, changed or deleted stays as they left it. */
export async function seedTools(tx: Transaction, tools: readonly InstalledTool[]): Promise<void> {
  for (const tool of tools) await seedOnce(tx, `voiceai.tool.${tool.name}`, () => seedWebhookTool(tx, tool))
  for (const tool of SYSTEM_TOOLS)
    await seedOnce(tx, `voiceai.tool.${tool.name}`, async () => void (await insertTool(tx, 'system', tool)))
}

interface SeededTool extends Partial<Pick<InstalledTool, 'path' | 'timeoutSeconds'>> {
  name: string
  description: string
  disableInterruptions?: boolean
}

/** Undefined when there is a tool of that name. */
async function insertTool(tx: Transaction, type: 'system' | 'webhook', tool: SeededTool): Promise<number | undefined> {
  const { name, description, path = null, timeoutSeconds = 20, disableInterruptions = false } = tool
  const [inserted] = await tx.query<{ id: number }>(
    sql`insert into connect_voiceai_agent_tool (name, description, tool_type, path, method, param_type,
          response_timeout_secs, client_expects_response, disable_interruptions, use_out_of_band_dtmf, synced)
        values (${name}, ${description}, ${type}, ${path}, 'POST', 'body', ${timeoutSeconds}::int,
          false, ${disableInterruptions}, false, false)
        on conflict (name) do nothing returning id`,
  )
  return inserted?.id
}

async function seedWebhookTool(tx: Transaction, tool: InstalledTool): Promise<void> {
  const toolId = await insertTool(tx, 'webhook', tool)
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
