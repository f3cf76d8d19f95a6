import type { Queryable, Transaction } from '../../database/database.ts'
import type { Logger } from '../../log.ts'
import type { Models } from '../model/models.ts'
import type { Cipher } from '../secrets/secrets.ts'
import type { Settings, SettingsSnapshot } from '../settings/settings.ts'
import type { Identity } from './identity.ts'

/** Work that is done later by whichever process works on jobs. */
export interface QueuedWork {
  name: string
  payload: object
  delaySeconds?: number
}

/** What is the same for the life of the process. */
export interface Platform {
  models: Models
  settings: Settings
  cipher: Cipher
  log: Logger
  clock: () => Date
  /** What the planner may expect a search of the API to cost; undefined where the database stops one that takes too long. */
  queryCostMax?: number | undefined
  /** Puts work off until after the transaction: it is queued exactly when the transaction commits. */
  enqueue(tx: Transaction, work: QueuedWork): Promise<void>
}

/** What one request works with: who asks, the transaction it runs in, and when it is. */
export interface Env {
  readonly platform: Platform
  readonly identity: Identity
  readonly db: Transaction
  readonly now: Date
  /** The settings as they were when the request began; read beforehand, because the embedded database has one connection. */
  readonly settings: SettingsSnapshot
  /** Hints of the caller, such as `connect_call_id` or `tz`. */
  readonly context: Readonly<Record<string, unknown>>
}

/** Runs work in a transaction of its own, for whoever also acts on the world outside the database in between. */
export type OpenEnv = <Result>(work: (env: Env) => Promise<Result>) => Promise<Result>

/** An environment that may read but has no transaction of its own. */
export type ReadEnv = Omit<Env, 'db'> & { readonly db: Queryable }

/** The same environment without access checks. Explicit and rare: say at the call why it is right. */
export function elevated<Given extends Env | ReadEnv>(env: Given): Given {
  return { ...env, identity: { ...env.identity, isElevated: true } }
}
