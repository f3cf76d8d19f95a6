import type { Database } from '../../database/database.ts'
import type { Env, Platform } from '../../platform/access/env.ts'
import type { Identities } from '../../platform/identity/identities.ts'
import type { Consumer } from './consume.ts'

/** What working on deliveries takes. */
export interface WorkParts {
  db: Database
  platform: Platform
  identities: Identities
  consumers: Readonly<Record<string, Consumer>>
}

/** One transaction as the user that webhooks work as, with the settings of now. */
export async function asWebhook<Result>(
  { db, platform, identities }: WorkParts,
  work: (env: Env) => Promise<Result>,
): Promise<Result> {
  const identity = await identities.webhook()
  const settings = await platform.settings.get()
  return db.transaction((tx) => work({ platform, settings, identity, db: tx, now: platform.clock(), context: {} }))
}
