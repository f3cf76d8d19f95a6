import type { Database } from '../../database/database.ts'
import type { Env, Platform } from '../../platform/access/env.ts'
import type { Identities } from '../../platform/identity/identities.ts'
import { records } from '../../platform/records/records.ts'
import type { SettingsSnapshot } from '../../platform/settings/settings.ts'
import { openLater } from '../calls/open-later.ts'
import type { TelcoAccount } from '../client/account.ts'

/** What synchronising works with. */
export interface SyncParts {
  db: Database
  platform: Platform
  identities: Identities
  account: TelcoAccount
}

/** Marks what the synchronisation itself writes. It is recognised by being this object, which no request can bring. */
const OWN_WORK: Env['context'] = Object.freeze({})

/** Runs work in a transaction of its own. Nothing outside the database may happen inside it. */
export function inSync<Result>(parts: SyncParts, work: (env: Env) => Promise<Result>): Promise<Result> {
  return openLater(parts)((env) => work({ ...env, context: OWN_WORK }))
}

/** Whether the synchronisation writes what it has just read from the provider, which need not hear of it again. */
export function isOwnWork({ context }: Env): boolean {
  return context === OWN_WORK
}

/** The settings as they are stored now: another process may have changed them a moment ago. */
export async function freshSettings({ settings }: Platform): Promise<SettingsSnapshot> {
  settings.forget()
  return settings.get()
}

/** Records as they are read over the API, computed addresses included; `Row` names what is asked for. */
export function listStored<Row extends { id: number }>(
  parts: SyncParts,
  model: string,
  fields: readonly (keyof Row & string)[],
  domain: readonly unknown[] = [],
): Promise<Row[]> {
  return inSync(parts, async (env) => {
    const rows = await records(env, model).searchRead(domain, [...fields], { order: 'id' })
    return rows as unknown as Row[]
  })
}

/** One record in the same way; undefined when it is gone. */
export async function findStored<Row extends { id: number }>(
  parts: SyncParts,
  model: string,
  fields: readonly (keyof Row & string)[],
  id: number,
): Promise<Row | undefined> {
  const [row] = await listStored<Row>(parts, model, fields, [['id', '=', id]])
  return row
}

/** Tells every open page that a record changed. */
export async function tellChanged(env: Env, model: string, id: number): Promise<void> {
  await env.db.notify('connect_records', JSON.stringify({ model, ids: [id] }))
}
