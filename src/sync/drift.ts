import type { AnyPush, Difference, SyncParts, SyncProvider } from './provider.ts'
import type { SyncProgress } from './sync-progress.ts'

/** Compares what the provider holds with what this service holds, and shows every difference in the run. */
export async function compareAll<Parts extends SyncParts, Push extends AnyPush>(
  { drift }: Pick<SyncProvider<Parts, Push>, 'drift'>,
  parts: Parts,
  progress: SyncProgress,
): Promise<void> {
  const found: Difference[] = []
  for (const compare of drift) found.push(...(await compare(parts)))
  for (const difference of found) await progress.difference(difference)
  await progress.count('differences', found.length)
}
