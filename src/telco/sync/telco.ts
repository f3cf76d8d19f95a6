import { sql } from '../../database/drizzle.ts'
import { Refusal } from '../../errors.ts'
import type { Env } from '../../platform/access/env.ts'
import type { Identities } from '../../platform/identity/identities.ts'
import { text } from '../../platform/model/fields.ts'
import { ProviderRefused, ProviderUnavailable } from '../../ports/telco-client.ts'
import type { ProviderRules, SyncParts } from '../../sync/provider.ts'
import { serviceSentence } from '../../sync/push.ts'
import { isOwnWork } from '../../sync/service-env.ts'
import type { ListKind, SyncKind } from '../../sync/sync-run.ts'
import type { TelcoAccount } from '../client/account.ts'
import { CredentialsRefused, MAYBE_DONE, UNREACHABLE } from '../client/failures.ts'
import { findObstacle, requireReady } from './readiness.ts'

/** What synchronising with the phone provider works with. */
export interface TelcoParts extends SyncParts {
  identities: Identities
  account: TelcoAccount
}

/** What is pushed to the phone provider, by the ids of our records or of what it holds. */
export type Push =
  | { kind: 'application' | 'domain' | 'credential' | 'number' | 'caller-id' | 'sender'; id: number }
  | { kind: 'remove-application' | 'remove-caller-id' | 'remove-template'; sid: string }
  | { kind: 'remove-domain'; sid: string; listSid: string | null; host: string }
  | { kind: 'remove-credential'; sid: string; listSid: string }
  | { kind: 'everything' }

/** Everything in its order, one list, or a look that changes nothing. */
type TelcoRunKind = Extract<SyncKind, 'sync' | 'check'> | ListKind

/** What a push came to. */
export type PushOutcome = 'created' | 'adopted' | 'updated' | 'removed' | 'unchanged'

/** The phone provider, as far as requests and failures of pushes go. */
export const TELCO: ProviderRules<Push, TelcoRunKind> = {
  area: 'telco',
  title: 'phone provider',
  findObstacle,
  // What the synchronisation itself writes needs no push.
  queuesOnSave: async (env, isNeededAtOnce) => !isOwnWork(env) && (isNeededAtOnce || (await pushesOnSave(env))),
  requireReady,
  errors: {
    sentenceOf(thrown) {
      if (thrown instanceof CredentialsRefused)
        return `${thrown.message}: check the Account SID and the Auth Token in the settings.`
      if (thrown instanceof ProviderUnavailable) return thrown.mayHaveHappened ? MAYBE_DONE : UNREACHABLE
      return serviceSentence(thrown)
    },
    isHopeless: (failure) => failure instanceof CredentialsRefused,
    isSilent: (failure) => failure instanceof ProviderUnavailable,
    isMissing: (thrown) => thrown instanceof ProviderRefused && thrown.kind === 'not-found',
    mayExist(thrown) {
      if (thrown instanceof ProviderUnavailable) return thrown.mayHaveHappened
      return thrown instanceof ProviderRefused && /already|exists/i.test(thrown.message)
    },
    isWorthRepeating,
    isRetriedAfterRun: isWorthRepeating,
  },
}

function isWorthRepeating(failure: Error): boolean {
  return !(failure instanceof Refusal || failure instanceof CredentialsRefused)
}

/** Whether what people save is pushed. */
export async function pushesOnSave({ db }: Pick<Env, 'db'>): Promise<boolean> {
  const rows = await db.query(sql`select 1 from connect_settings where telco_auto_sync is not false limit 1`)
  return rows.length > 0
}

/** Why the phone provider does not hold a record as it is stored here; empty when it does. */
export function syncErrorField() {
  return text('Sync error (Twilio)', {
    readonly: true,
    widget: 'finding',
    help: "Why Twilio doesn't have the current version.",
  })
}
