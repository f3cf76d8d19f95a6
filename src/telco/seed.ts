import type { Transaction } from '../database/database.ts'
import { sql } from '../database/drizzle.ts'
import { seedOnce } from '../platform/records/seed-once.ts'
import { MARKUP_ROUTE } from './applications/application.ts'
import { sentence } from './sentences/sentence.ts'

/** Markup applications that come with the service (docs/reference/domain.md#seed-data). */
const APPLICATIONS: readonly { name: string; markup: string; isRoute?: boolean }[] = [
  { name: 'SIP Domain Calls', markup: '<Response><Hangup/></Response>', isRoute: true },
  { name: 'Reject', markup: '<Response><Reject/></Response>' },
  { name: 'Connection Failed', markup: `<Response><Say>${sentence('connectionFailed')}</Say></Response>` },
]

const VOICE_CALL_BODY =
  'We would like to be able to call you on WhatsApp. Please press the button below to allow voice calls from us.'
const VOICE_CALL_ACTIONS = [{ type: 'VOICE_CALL_REQUEST', title: 'Enable Voice Calls' }]

/** Markup applications and the WhatsApp template that asks whether we may call. */
export async function seedTelco(tx: Transaction): Promise<void> {
  for (const { name, markup, isRoute } of APPLICATIONS) {
    await seedOnce(tx, `telco.markup.${name}`, async () => {
      await tx.query(
        sql`insert into connect_telco_markup (name, code_type, markup, model, method)
            values (${name}, ${isRoute === true ? 'model_method' : 'markup'}, ${markup},
              ${isRoute === true ? MARKUP_ROUTE.model : null}, ${isRoute === true ? MARKUP_ROUTE.method : null})`,
      )
    })
  }
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
