import type { Transaction } from '../../database/database.ts'
import { sql } from '../../database/drizzle.ts'
import { seedOnce } from '../../platform/records/seed-once.ts'
import { sentence } from '../sentences/sentence.ts'
import { MARKUP_ROUTE } from './application.ts'

/** Markup applications that come with the service (docs/reference/domain.md#seed-data). */
const APPLICATIONS: readonly { name: string; markup: string; isRoute?: boolean }[] = [
  { name: 'SIP Domain Calls', markup: '<Response><Hangup/></Response>', isRoute: true },
  { name: 'Reject', markup: '<Response><Reject/></Response>' },
  { name: 'Connection Failed', markup: `<Response><Say>${sentence('connectionFailed')}</Say></Response>` },
]

export async function seedApplications(tx: Transaction): Promise<void> {
  for (const { name, markup, isRoute } of APPLICATIONS) {
    await seedOnce(tx, `telco.markup.${name}`, async () => {
      await tx.query(
        sql`insert into connect_telco_markup (name, code_type, markup, model, method)
            values (${name}, ${isRoute === true ? 'model_method' : 'markup'}, ${markup},
              ${isRoute === true ? MARKUP_ROUTE.model : null}, ${isRoute === true ? MARKUP_ROUTE.method : null})`,
      )
    })
  }
}
