import type { Env, OpenEnv, ReadEnv } from '../model/declaration.ts'

export type { Env, OpenEnv, Platform, ReadEnv } from '../model/declaration.ts'
export type { QueuedWork } from '../model/queued-work.ts'

/** An environment that may read, and opens transactions for callers that share them. */
export type GatheringEnv = ReadEnv & { readonly open: OpenEnv }

/** The same environment without access checks. Explicit and rare: say at the call why it is right. */
export function elevated<Some extends Env | ReadEnv>(env: Some): Some {
  return { ...env, identity: { ...env.identity, isElevated: true } }
}
