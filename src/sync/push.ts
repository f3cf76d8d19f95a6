import { type SQL, sql } from '../database/drizzle.ts'
import { asError, Refusal } from '../errors.ts'
import { LeaseError, withLease } from '../jobs/lease.ts'
import type { Env } from '../platform/access/env.ts'
import { notifyChanged } from '../platform/records/notify-changed.ts'
import type { SettingsSnapshot } from '../platform/settings/settings.ts'
import type { ProviderRules, SyncParts } from './provider.ts'
import { freshSettings, inServiceEnv } from './service-env.ts'

/** A record that a provider is to hold as this service does. */
interface PushedRecord {
  model: string
  id: number
}

/**
 * Syncs what the provider holds of one record, no matter who else is pushing it: one after the other, each with what is
 * stored by then. `find` has nothing to push when it finds nothing. Throws what went wrong, and saves its sentence with
 * the record.
 */
export function pushRecord<Stored, Outcome extends string>(
  parts: SyncParts,
  provider: Pick<ProviderRules, 'area' | 'title' | 'errors' | 'requireReady'>,
  {
    model,
    what,
    id,
    find,
    push,
  }: PushedRecord & {
    /** What other pushes of the same thing wait for, in the words of a sentence. */
    what: string
    find(): Promise<Stored | undefined>
    push(stored: Stored, settings: SettingsSnapshot): Promise<Outcome>
  },
): Promise<Outcome | 'unchanged'> {
  return withLease(parts.db, `${provider.area} ${what} ${id}`, async () => {
    const stored = await find()
    if (stored === undefined) return 'unchanged'
    try {
      const settings = await freshSettings(parts.platform)
      provider.requireReady(settings)
      return await push(stored, settings)
    } catch (error) {
      const { log } = parts.platform
      log.warn({ err: asError(error), model, id }, `the ${provider.title} does not hold a record as we do`)
      await saveSyncError(parts, { model, id }, provider.errors.sentenceOf(error))
      throw error
    }
  })
}

/**
 * Creating is never repeated blindly: after an answer that leaves open whether it was done, what may have been made is
 * looked for.
 */
export async function createOrFind<Found>(
  { errors }: Pick<ProviderRules, 'errors'>,
  create: () => Promise<Found>,
  findMade: () => Promise<Found | undefined>,
): Promise<Found> {
  try {
    return await create()
  } catch (error) {
    const made = errors.mayExist(error) ? await findMade() : undefined
    if (made === undefined) throw error
    return made
  }
}

/**
 * Saves with the record what the provider holds now. False when it was removed here meanwhile; then `remove` removes it at
 * the provider as well.
 */
export async function savePushed(
  parts: SyncParts,
  {
    model,
    id,
    set,
    isNotified,
    andThen,
    remove,
  }: PushedRecord & {
    set: SQL
    /** Whether open pages show something of it. */
    isNotified: boolean
    /** In the same transaction. */
    andThen?(env: Env): Promise<void> | undefined
    remove?(): Promise<unknown>
  },
): Promise<boolean> {
  const isSaved = await inServiceEnv(parts, async (env) => {
    const { table } = env.platform.models.get(model)
    const rows = await env.db.query(
      sql`update ${sql.identifier(table)} set ${set}, sync_error = null where id = ${id}::bigint returning id`,
    )
    await andThen?.(env)
    if (isNotified) await notifyChanged(env, model, [id])
    return rows.length > 0
  })
  if (!isSaved) await remove?.()
  return isSaved
}

/** Saves with the record why it is outdated at the provider, or that it is not. */
export async function saveSyncError(
  parts: SyncParts,
  { model, id }: PushedRecord,
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

/** What the provider answers; undefined when it does not know what it is asked about. */
export async function ifPresent<Answer>(
  { errors }: Pick<ProviderRules, 'errors'>,
  ask: () => Promise<Answer>,
): Promise<Answer | undefined> {
  try {
    return await ask()
  } catch (error) {
    if (errors.isMissing(error)) return undefined
    throw error
  }
}

/** False when the provider does not know what is asked about. */
export async function unlessMissing(
  provider: Pick<ProviderRules, 'errors'>,
  work: () => Promise<unknown>,
): Promise<boolean> {
  return (await ifPresent(provider, async () => [await work()])) !== undefined
}

/** Does what a person waits for: whatever the provider does wrong is a sentence for them. */
export async function forPerson<Result>(
  { errors }: Pick<ProviderRules, 'errors'>,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof Refusal) throw error
    throw new Refusal('unavailable', 'provider-failed', { sentence: errors.sentenceOf(error) }, { cause: error })
  }
}

/** What a person reads of a failure that is not the provider's: its sentence, or that the log knows. */
export function serviceSentence(thrown: unknown): string {
  const isForPeople = thrown instanceof Refusal || thrown instanceof LeaseError
  return isForPeople ? thrown.message : 'The service could not do it; the log says why.'
}
