import type { Query, QueryClient } from '@tanstack/react-query'
import { isPassing } from './errors.ts'

/**
 * Has what a change made old read again, where it is shown. What is read for the first time may have been asked before the change,
 * and the library would give that answer to the person who asks meanwhile: it is waited for, and then asked again.
 */
export async function readAnew(queries: QueryClient, query: Query): Promise<void> {
  const { queryKey, state } = query
  if (state.data === undefined && state.fetchStatus === 'fetching') await query.promise?.catch(() => undefined)
  await queries.invalidateQueries({ queryKey, exact: true })
}

/** What could not be read because the service or its database was away, and is not shown therefore, is asked for again. */
export function askFailedAgain(queries: QueryClient): Promise<void> {
  return queries.resetQueries({
    predicate: ({ state }) => state.data === undefined && isPassing(state.error),
  })
}
