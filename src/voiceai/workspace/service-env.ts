import type { Database } from '../../database/database.ts'
import type { Env, Platform } from '../../platform/access/env.ts'
import type { Identity } from '../../platform/access/identity.ts'
import { envOf } from '../../platform/api/rpc.ts'
import type { SettingsSnapshot } from '../../platform/settings/settings.ts'
import type { SpokenPrompts } from '../../ports/spoken-prompts.ts'
import type { VoiceaiClient } from '../client/voiceai-client.ts'

/** What synchronising works with. */
export interface SyncParts {
  db: Database
  platform: Platform
  client: VoiceaiClient
  prompts: SpokenPrompts
}

/** Nobody in particular: the service itself, which keeps its own records in step. */
const SERVICE: Identity = {
  userId: 0,
  login: 'service',
  partnerId: undefined,
  groups: new Set(),
  isElevated: true,
}

/** Runs work in a transaction of its own. Nothing outside the database may happen inside it. */
export async function inServiceEnv<Result>(
  { db, platform }: Pick<SyncParts, 'db' | 'platform'>,
  work: (env: Env) => Promise<Result>,
): Promise<Result> {
  const settings = await platform.settings.get()
  return db.transaction((tx) => work(envOf({ platform, settings, identity: SERVICE }, tx)))
}

/** The settings as they are stored now: another process may have changed the token a moment ago. */
export async function freshSettings({ settings }: Platform): Promise<SettingsSnapshot> {
  settings.forget()
  return settings.get()
}
