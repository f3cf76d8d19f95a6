import type { Transaction } from '../../database/database.ts'
import { sql } from '../../database/drizzle.ts'
import { seedOnce } from '../../platform/records/seed-once.ts'

const VOICE_CALL_BODY =
  'We would like to be able to call you on WhatsApp. Please press the button below to allow voice calls from us.'
const VOICE_CALL_ACTIONS = [{ type: 'VOICE_CALL_REQUEST', title: 'Enable Voice Calls' }]

/** The template that asks whether we may call. */
export async function seedContentTemplates(tx: Transaction): Promise<void> {
  await seedOnce(tx, 'telco.content_template.voice_call_request', async () => {
    await tx.query(
      sql`insert into connect_message_content_template (friendly_name, language, content_type, category, body, actions,
            status, allow_category_change)
          select 'voice_call_request', id, 'call-to-action', 'UTILITY', ${VOICE_CALL_BODY},
            ${JSON.stringify(VOICE_CALL_ACTIONS)}::jsonb, 'unsubmitted', false
          from res_lang where code = 'en_US'`,
    )
  })
}
