import { sql } from '../../database/drizzle.ts'
import type { Env } from '../../platform/access/env.ts'
import { pushOnChange } from '../sync/telco.ts'

/** Pushes the SIP domains whose calls an application answers. */
export async function pushDomainsOf(env: Env, application: number): Promise<void> {
  const domains = await env.db.query<{ id: number }>(
    sql`select id from connect_telco_domain where application = ${application}::bigint order by id`,
  )
  for (const { id } of domains) await pushOnChange(env, { kind: 'domain', id })
}
