import type { Identities } from '../../platform/identity/identities.ts'
import { records } from '../../platform/records/records.ts'
import type { SyncParts } from '../../sync/provider.ts'
import { inServiceEnv } from '../../sync/service-env.ts'
import type { TelcoAccount } from '../client/account.ts'

/** What synchronising with the phone provider works with. */
export interface TelcoParts extends SyncParts {
  identities: Identities
  account: TelcoAccount
}

/** Records as they are read over the API, computed addresses included; `Row` names what is asked for. */
export function listStored<Row extends { id: number }>(
  parts: TelcoParts,
  model: string,
  fields: readonly (keyof Row & string)[],
  domain: readonly unknown[] = [],
): Promise<Row[]> {
  return inServiceEnv(parts, async (env) => {
    const rows = await records(env, model).searchRead(domain, [...fields], { order: 'id' })
    return rows as unknown as Row[]
  })
}

/** One record in the same way; undefined when it is gone. */
export async function findStored<Row extends { id: number }>(
  parts: TelcoParts,
  model: string,
  fields: readonly (keyof Row & string)[],
  id: number,
): Promise<Row | undefined> {
  const [row] = await listStored<Row>(parts, model, fields, [['id', '=', id]])
  return row
}
