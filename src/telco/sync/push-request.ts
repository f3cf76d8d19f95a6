import { sql } from '../../database/drizzle.ts'
import type { Env } from '../../platform/access/env.ts'
import type { ProviderRules } from '../../sync/provider.ts'
import { enqueuePush } from '../../sync/requests.ts'
import { isOwnWork } from '../../sync/service-env.ts'
import { TELCO_ERRORS } from './errors.ts'
import { findObstacle } from './readiness.ts'

/** The phone provider, as far as requests and failures of pushes go. */
export const TELCO: ProviderRules = { area: 'telco', title: 'phone provider', errors: TELCO_ERRORS, findObstacle }

/** One thing that the provider is to hold as we do. Ids, not records: what is pushed is what is stored by then. */
export type Push =
  | { kind: 'application' | 'domain' | 'credential' | 'number' | 'caller-id' | 'sender'; id: number }
  | { kind: 'remove-application' | 'remove-caller-id' | 'remove-template'; sid: string }
  | { kind: 'remove-domain'; sid: string; listSid: string | null; host: string }
  | { kind: 'remove-credential'; sid: string; listSid: string }
  | { kind: 'everything' }

/** Has something pushed once the transaction has committed; nothing while there is no account or no usable address. */
export function requestPush(env: Env, push: Push): Promise<void> {
  return enqueuePush(env, TELCO, push)
}

/** The same for what somebody saves, if the settings say so. What the synchronisation itself writes needs no push. */
export async function pushOnChange(env: Env, push: Push): Promise<void> {
  if (!isOwnWork(env) && (await pushesOnSave(env))) await requestPush(env, push)
}

/** Whether what people save is pushed. */
export async function pushesOnSave({ db }: Pick<Env, 'db'>): Promise<boolean> {
  const rows = await db.query(sql`select 1 from connect_settings where telco_auto_sync is not false limit 1`)
  return rows.length > 0
}
