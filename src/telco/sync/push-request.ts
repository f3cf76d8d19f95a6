import { sql } from '../../database/drizzle.ts'
import type { Env } from '../../platform/access/env.ts'
import { findObstacle } from './readiness.ts'

export const PUSH_JOB = 'telco-push'

/** One thing that the provider is to hold as we do. Ids, not records: what is pushed is what is stored by then. */
export type Push =
  | { kind: 'application' | 'domain' | 'credential' | 'number' | 'caller-id' | 'sender'; id: number }
  | { kind: 'remove-application' | 'remove-caller-id' | 'remove-template'; sid: string }
  | { kind: 'remove-domain'; sid: string; listSid: string | null; host: string }
  | { kind: 'remove-credential'; sid: string; listSid: string }
  | { kind: 'everything' }

/** Has something pushed once the transaction has committed; nothing while there is no account or no usable address. */
export async function requestPush(
  env: Env,
  push: Push,
  { delaySeconds }: { delaySeconds?: number } = {},
): Promise<void> {
  if (findObstacle(env.settings) !== undefined) return
  await env.platform.enqueue(env.db, {
    name: PUSH_JOB,
    payload: push,
    ...(delaySeconds === undefined ? {} : { delaySeconds }),
  })
}

/** Whether what people save is pushed. */
export async function pushesOnSave({ db }: Pick<Env, 'db'>): Promise<boolean> {
  const rows = await db.query(sql`select 1 from connect_settings where telco_auto_sync is not false limit 1`)
  return rows.length > 0
}
