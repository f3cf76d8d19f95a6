import { records } from '../platform/records/records.ts'
import type { StepContext, SyncParts } from './provider.ts'
import { inServiceEnv } from './service-env.ts'
import { isShrunk, type ListChange } from './shrinkage.ts'

/** Something that the provider has no more. */
interface Gone {
  id: number
  name: string
}

/** What a run says of records that the provider has no more. */
export interface GoneSentences {
  /** Of each that was removed; undefined says nothing. */
  removed?: string
  /** Before the reason why one cannot be removed here. */
  stays: string
}

interface GoneRecords extends GoneSentences {
  model: string
  gone: readonly Gone[]
  /** What becomes of each here, and how that is counted, where it is not removed. */
  instead?: { count: string; work(id: number): Promise<unknown> }
}

/**
 * Removes here what the provider has no more, each with a warning; unless its list is empty or so much shorter that it is
 * more likely to be wrong.
 */
export async function removeGone(
  parts: SyncParts,
  context: StepContext,
  {
    found,
    known,
    doubt,
    ...records
  }: GoneRecords & Pick<ListChange, 'found' | 'known'> & { doubt(change: ListChange): string },
): Promise<void> {
  const change = { found, known, gone: records.gone.length }
  if (isShrunk(change)) await context.progress.problem({ model: records.model, message: doubt(change) })
  else await removeSurelyGone(parts, context, records)
}

/** The same where the list is beyond doubt. */
export async function removeSurelyGone(
  parts: SyncParts,
  { progress, provider }: StepContext,
  { model, gone, removed, stays, instead }: GoneRecords,
): Promise<void> {
  for (const { id, name } of gone) {
    try {
      if (instead === undefined) await inServiceEnv(parts, (env) => records(env, model).unlink([id]))
      else await instead.work(id)
      parts.platform.log.warn({ model, id, name }, `the ${provider.title} has a record no more`)
      await progress.count(instead?.count ?? 'removed')
      if (removed !== undefined) await progress.difference({ what: model, id, name, message: removed })
    } catch (error) {
      const message = `${stays} ${provider.errors.sentenceOf(error)}`
      await progress.problem({ model, id, name, message })
    }
  }
}
