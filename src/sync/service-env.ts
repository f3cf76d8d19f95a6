import type { Env, Platform } from '../platform/access/env.ts'
import type { Identity } from '../platform/access/identity.ts'
import { envOf } from '../platform/api/rpc.ts'
import type { SettingsSnapshot } from '../platform/settings/settings.ts'
import type { SyncParts } from './provider.ts'

/** Nobody in particular: the service itself, which keeps its own records in sync. */
const SERVICE: Identity = {
  userId: 0,
  login: 'service',
  partnerId: undefined,
  groups: new Set(),
  isElevated: true,
}

/** Marks what the synchronisation itself writes. It is recognised by being this object, which no request can send. */
const OWN_WORK: Env['context'] = Object.freeze({})

/** Runs work of the service itself in a transaction of its own. Nothing outside the database may happen inside it. */
export async function inServiceEnv<Result>(
  { db, platform, identities }: SyncParts,
  work: (env: Env) => Promise<Result>,
): Promise<Result> {
  const settings = await platform.settings.get()
  const identity = identities === undefined ? SERVICE : { ...(await identities.webhook()), isElevated: true }
  return db.transaction((tx) => work(envOf({ platform, settings, identity, context: OWN_WORK }, tx)))
}

/** Whether the synchronisation writes what it has just read from the provider, to which it need not be pushed. */
export function isOwnWork({ context }: Env): boolean {
  return context === OWN_WORK
}

/** The settings as they are stored now: another process may have changed them a moment ago. */
export async function freshSettings({ settings }: Platform): Promise<SettingsSnapshot> {
  settings.forget()
  return settings.get()
}
