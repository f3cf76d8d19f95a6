import type { Database } from '../../database/database.ts'
import type { OpenEnv, Platform } from '../../platform/access/env.ts'
import { envOf } from '../../platform/api/rpc.ts'
import type { Identities } from '../../platform/identity/identities.ts'

export interface LaterParts {
  db: Database
  platform: Platform
  identities: Identities
}

/**
 * Opens transactions for work that was put off. It acts as the webhook's identity and elevated: anyone who had it queued
 * was checked then, and it finishes what the service itself began.
 */
export function openLater({ db, platform, identities }: LaterParts): OpenEnv {
  return async (work) => {
    const settings = await platform.settings.get()
    const identity = { ...(await identities.webhook()), isElevated: true }
    return db.transaction((tx) => work(envOf({ platform, settings, identity }, tx)))
  }
}
