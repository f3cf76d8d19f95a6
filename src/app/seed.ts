import { randomUUID } from 'node:crypto'
import type { Config } from '../config.ts'
import { COUNTRIES, LANGUAGES } from '../contacts/geography-data.ts'
import type { Database, Transaction } from '../database/database.ts'
import { sql } from '../database/drizzle.ts'
import { seedHelpdesk } from '../helpdesk/tickets/seed.ts'
import { cleanText } from '../lenient-values.ts'
import { GROUP } from '../platform/access/identity.ts'
import { WEBHOOK_USER } from '../platform/identity/identities.ts'
import { type Cipher, secretPlace } from '../platform/secrets/secrets.ts'
import { seedApplications } from '../telco/applications/seed.ts'
import { seedContentTemplates } from '../telco/whatsapp/seed.ts'
import { seedTemplate } from '../voiceai/agents/seed.ts'
import { seedTools } from '../voiceai/tools/seed.ts'
import { AGENT_TOOLS } from './agent-tools.ts'

/** External id of the built-in administrator, who owns the local key. */
export const LOCAL_ADMIN = 'base.user_admin'

/** Any number that no other part of the service locks by. */
const SEED_LOCK = 7_236_002

const GROUPS: readonly [externalId: string, name: string, implied: readonly string[]][] = [
  [GROUP.public, 'Public', []],
  [GROUP.internal, 'Internal User', []],
  [GROUP.manager, 'Manager', [GROUP.internal]],
  [GROUP.webhook, 'Connect Webhook', []],
  [GROUP.connectUser, 'Connect User', []],
  [GROUP.connectAdmin, 'Connect Administrator', [GROUP.connectUser]],
  [GROUP.helpdeskUser, 'Helpdesk User', []],
  [GROUP.helpdeskManager, 'Helpdesk Manager', [GROUP.helpdeskUser]],
]

/** Puts in what the service cannot do without. Running it again changes nothing that an administrator has changed. */
export async function seed(db: Database, cipher: Cipher, config: Pick<Config, 'apiUrl'>): Promise<void> {
  await db.transaction(async (tx) => {
    await tx.query(sql`select pg_advisory_xact_lock(${SEED_LOCK}::int)`)
    await seedGeography(tx)
    await seedGroups(tx)
    await seedWebhookUser(tx)
    await seedLocalAdmin(tx)
    await seedSettings(tx, cipher, config)
    await seedHelpdesk(tx)
    await seedTools(tx, AGENT_TOOLS)
    await seedTemplate(tx)
    await seedApplications(tx)
    await seedContentTemplates(tx)
  })
}

async function seedGeography(tx: Transaction): Promise<void> {
  await tx.query(
    sql`insert into res_country (code, name) select code, name from jsonb_to_recordset(${JSON.stringify(COUNTRIES)}::jsonb)
        as c(code text, name text) on conflict (code) do nothing`,
  )
  await tx.query(
    sql`insert into res_lang (code, name, active) select code, name, true from jsonb_to_recordset(${JSON.stringify(LANGUAGES)}::jsonb)
        as l(code text, name text) on conflict (code) do nothing`,
  )
}

async function seedGroups(tx: Transaction): Promise<void> {
  for (const [externalId, name] of GROUPS) {
    await tx.query(
      sql`insert into res_groups (external_id, name) values (${externalId}, ${name}) on conflict (external_id) do nothing`,
    )
  }
  for (const [externalId, , implied] of GROUPS) {
    for (const other of implied) {
      await tx.query(
        sql`insert into res_groups_implied_rel (group_id, implied_id)
            select g.id, i.id from res_groups g, res_groups i where g.external_id = ${externalId} and i.external_id = ${other}
            on conflict do nothing`,
      )
    }
  }
}

async function seedWebhookUser(tx: Transaction): Promise<void> {
  const user = { externalId: WEBHOOK_USER, login: 'connect_webhook', name: 'Connect Webhook', isActive: false }
  await seedUser(tx, user, [GROUP.webhook])
}

/** The built-in administrator has every right a person can have and no password: it acts through the local key only. */
async function seedLocalAdmin(tx: Transaction): Promise<void> {
  const user = { externalId: LOCAL_ADMIN, login: 'local-admin', name: 'Local Administrator', isActive: true }
  await seedUser(tx, user, [GROUP.internal, GROUP.manager, GROUP.connectAdmin, GROUP.helpdeskManager])
}

async function seedUser(
  tx: Transaction,
  { externalId, login, name, isActive }: { externalId: string; login: string; name: string; isActive: boolean },
  groups: readonly string[],
): Promise<void> {
  const known = await tx.query(sql`select id from res_users where external_id = ${externalId}`)
  if (known.length > 0) return
  const partners = await tx.query<{ id: number }>(
    sql`insert into res_partner (name, active) values (${name}, ${isActive}) returning id`,
  )
  const users = await tx.query<{ id: number }>(
    sql`insert into res_users (external_id, login, name, active, share, partner_id)
        values (${externalId}, ${login}, ${name}, ${isActive}, false, ${partners[0]?.id ?? null}::bigint) returning id`,
  )
  for (const group of groups) {
    await tx.query(
      sql`insert into res_groups_users_rel (user_id, group_id)
          select ${users[0]?.id ?? null}::bigint, id from res_groups where external_id = ${group}`,
    )
  }
}

async function seedSettings(tx: Transaction, cipher: Cipher, { apiUrl }: Pick<Config, 'apiUrl'>): Promise<void> {
  const known = await tx.query(sql`select id from connect_settings limit 1`)
  if (known.length > 0) return
  const [reserved] = await tx.query<{ id: number }>(sql`select nextval('connect_settings_id_seq')::bigint as id`)
  const id = reserved?.id ?? 1
  const token = cipher.encrypt(randomUUID(), secretPlace('connect_settings', 'voiceai_agent_token', id))
  await tx.query(
    sql`insert into connect_settings (id, api_url, instance_uid, voiceai_agent_token, debug_mode, delivery_keep_days,
          number_search_operation, proxy_recordings, call_duration_limit, transcript_calls, transcript_provider,
          summary_prompt, register_summary, voiceai_enabled, telco_region, telco_edge, telco_auto_sync,
          telco_verify_requests, fetch_call_prices)
        values (${id}::bigint, ${apiUrl === undefined ? null : cleanText(apiUrl)}, ${randomUUID()}, ${token}, false, 30, '=', true, 7200,
          false, 'core', 'Summarise the call in a few sentences.', true, false, 'us1', 'ashburn', true, true, false)`,
  )
}
