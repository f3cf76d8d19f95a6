import { sql } from '../database/drizzle.ts'
import { asError, Refusal } from '../errors.ts'
import { LeaseError } from '../jobs/lease.ts'
import { notifyChanged } from '../platform/records/notify-changed.ts'
import type { ProviderErrors, ProviderRules, SyncParts } from './provider.ts'
import { inServiceEnv } from './service-env.ts'

/** What a person reads of a failure that is not the provider's: its sentence, or that the log knows. */
export function serviceSentence(thrown: unknown): string {
  const isForPeople = thrown instanceof Refusal || thrown instanceof LeaseError
  return isForPeople ? thrown.message : 'The service could not do it; the log says why.'
}

/** Does the work; when it fails, saves with the record why the provider does not hold it as we do, and throws again. */
export async function savingFailure<Result>(
  parts: SyncParts,
  { errors, title }: { errors: Pick<ProviderErrors, 'sentenceOf'>; title: string },
  { model, id }: { model: string; id: number },
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    const { log } = parts.platform
    log.warn({ err: asError(error), model, id }, `the ${title} does not hold a record as we do`)
    await saveSyncError(parts, { model, id }, errors.sentenceOf(error))
    throw error
  }
}

/** Saves with the record why it is outdated at the provider, or that it is not. */
export async function saveSyncError(
  parts: SyncParts,
  { model, id }: { model: string; id: number },
  problem: string | null,
): Promise<void> {
  await inServiceEnv(parts, async (env) => {
    const { table, fields } = env.platform.models.get(model)
    const hasMark = problem !== null && 'synced' in fields
    const saved = await env.db.query(
      sql`update ${sql.identifier(table)} set sync_error = ${problem}${hasMark ? sql`, synced = false` : sql``}
          where id = ${id}::bigint and (sync_error is distinct from ${problem}::text
            ${hasMark ? sql`or synced is distinct from false` : sql``}) returning id`,
    )
    if (saved.length > 0) await notifyChanged(env, model, [id])
  })
}

/** Does a push. Throws only when trying again may help; what the provider refuses is saved with the record. */
export async function unlessRefused(
  { platform }: SyncParts,
  { errors, title }: Pick<ProviderRules, 'errors' | 'title'>,
  push: string,
  work: () => Promise<unknown>,
): Promise<void> {
  try {
    await work()
  } catch (thrown) {
    const error = asError(thrown)
    if (errors.isWorthRepeating(error)) throw error
    platform.log.warn({ err: error, push }, `a push to the ${title} is given up`)
  }
}
