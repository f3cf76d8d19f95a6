import { randomUUID } from 'node:crypto'
import type { Config } from '../config.ts'
import type { Database } from '../database/database.ts'
import { sql } from '../database/drizzle.ts'
import { cleanText } from '../lenient-values.ts'
import type { Cipher } from '../platform/secrets/secrets.ts'
import { seedSettings } from '../platform/settings/seed-settings.ts'
import { AREAS } from './areas.ts'
import { settingsModel } from './settings.ts'
import { AGENT_TOOLS } from './webhooks/agent-tools.ts'

/** Any number that no other part of the service locks by. */
const SEED_LOCK = 7_236_002

/** Puts in what the service cannot do without. Running it again changes nothing that an administrator has changed. */
export async function seed(db: Database, cipher: Cipher, { apiUrl }: Pick<Config, 'apiUrl'>): Promise<void> {
  const settings = {
    instance_uid: randomUUID(),
    voiceai_agent_token: randomUUID(),
    whileEmpty: { api_url: apiUrl === undefined ? undefined : cleanText(apiUrl) },
  }
  await db.transaction(async (tx) => {
    await tx.query(sql`select pg_advisory_xact_lock(${SEED_LOCK}::int)`)
    await seedSettings(tx, cipher, settingsModel, settings)
    for (const { seed: seedArea } of AREAS) await seedArea?.(tx, { tools: AGENT_TOOLS })
  })
}
