import { sql } from '../../database/drizzle.ts'
import { asError, Refusal } from '../../errors.ts'
import { LeaseError } from '../../jobs/lease.ts'
import { ProviderRefused, ProviderUnavailable } from '../../ports/telco-client.ts'
import { CredentialsRefused, MAYBE_DONE, UNREACHABLE } from '../client/failures.ts'
import { inSync, type SyncParts, tellChanged } from './sync-parts.ts'

/** What pushing a record came to. */
export type PushOutcome = 'created' | 'adopted' | 'updated' | 'removed' | 'unchanged'

const CHECK_AUTH_KEY = 'check the Account SID and the Auth Token in the settings'

/** What a person is told of a failure: the provider's reason in a sentence, or that the log knows. */
export function sentenceOf(thrown: unknown): string {
  if (thrown instanceof CredentialsRefused) return `The ${thrown.message.replace(/^the /i, '')}: ${CHECK_AUTH_KEY}.`
  if (thrown instanceof ProviderUnavailable) return thrown.mayHaveHappened ? MAYBE_DONE : UNREACHABLE
  if (thrown instanceof Refusal || thrown instanceof LeaseError) return thrown.message
  return 'The service could not do it; the log says why.'
}

/** Trying again by itself may help: nothing was refused for a reason that stays. */
export function isWorthRepeating(failure: Error): boolean {
  return !(failure instanceof Refusal || failure instanceof CredentialsRefused)
}

/** False when the provider does not know what is asked about. */
export async function unlessMissing(work: () => Promise<unknown>): Promise<boolean> {
  try {
    await work()
    return true
  } catch (error) {
    if (isMissing(error)) return false
    throw error
  }
}

export function isMissing(thrown: unknown): boolean {
  return thrown instanceof ProviderRefused && thrown.kind === 'not-found'
}

/** Whether something may have been made although nobody said so, or had been made before. */
export function mayExist(thrown: unknown): boolean {
  if (thrown instanceof ProviderUnavailable) return thrown.mayHaveHappened
  return thrown instanceof ProviderRefused && /already|exists/i.test(thrown.message)
}

/** Does the work; when it fails, keeps with the record why the provider does not hold it as we do, and throws again. */
export async function keepingFailure<Result>(
  parts: SyncParts,
  { model, id }: { model: string; id: number },
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    const { log } = parts.platform
    log.warn({ err: asError(error), model, id }, 'the phone provider does not hold a record as we do')
    await keepProblem(parts, { model, id }, sentenceOf(error))
    throw error
  }
}

/** Keeps with the record why it is not in step, or that it is. */
export async function keepProblem(
  parts: SyncParts,
  { model, id }: { model: string; id: number },
  problem: string | null,
): Promise<void> {
  await inSync(parts, async (env) => {
    const table = sql.identifier(env.platform.models.get(model).table)
    const kept = await env.db.query(
      sql`update ${table} set sync_error = ${problem}
          where id = ${id}::bigint and sync_error is distinct from ${problem}::text returning id`,
    )
    if (kept.length > 0) await tellChanged(env, model, id)
  })
}
