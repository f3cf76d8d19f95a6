import type { InfiniteData, QueryClient, QueryKey } from '@tanstack/react-query'
import { callByName, type Domain } from './client.ts'
import type { Change } from './invalidation.ts'
import { keyOf, SERVICE } from './keys.ts'

interface Numbered {
  id: number
}
/** A list as it is held. */
export type Pages = InfiniteData<readonly Numbered[]>

/** What became of a list since it was loaded: rows wait for the person who looks, and none moves by itself. */
export interface ListNews {
  /** Ids that fit and are not shown yet. */
  fresh: readonly number[]
  /** Ids that are shown and fit no more. */
  unfit: readonly number[]
}
const NO_NEWS: ListNews = { fresh: [], unfit: [] }
/** Records that are asked for at once; after more changes than this the list is loaded anew. */
const IDS_MAX = 200

/** The key under which the news of a list are held. */
export function newsKey(listKey: QueryKey) {
  return keyOf(SERVICE, 'news', listKey)
}

/** The news of a list that nothing has changed in. */
export function noNews(): ListNews {
  return NO_NEWS
}

/** Whether it is a list of `pagesQuery`; what else is read in pages is read anew. */
export function isPagedList([, part]: QueryKey, data: unknown): data is Pages {
  return part === 'pages' && data !== undefined
}

/** Reads the changed records of a list and puts them where they stand. */
export async function patchPages(queries: QueryClient, key: QueryKey, changes: readonly Change[]): Promise<void> {
  const [model, , search] = key as [string, string, { domain: Domain; fields: readonly string[] }]
  const own = changes.filter((change) => change.model === model)
  const ids = [...new Set(own.flatMap((change) => change.ids ?? []))]
  if (own.some((change) => change.ids === null) || ids.length > IDS_MAX) {
    return queries.invalidateQueries({ queryKey: key, exact: true })
  }
  if (ids.length === 0) return
  const shown = new Set(queries.getQueryData<Pages>(key)?.pages.flatMap((page) => page.map(({ id }) => id)))
  const known = ids.filter((id) => shown.has(id))
  const [rows, fitting] = await Promise.all([
    known.length === 0 ? [] : read(model, [['id', 'in', known]], search.fields),
    read(model, [...search.domain, ['id', 'in', ids]], ['id']),
  ])
  const byId = new Map(rows.map((row) => [row.id, row]))
  queries.setQueryData<Pages>(key, (data) => data && { ...data, pages: data.pages.map((page) => patched(page, byId)) })
  const fits = new Set(fitting.map(({ id }) => id))
  queries.setQueryData(newsKey(key), (news) => follow(news ?? NO_NEWS, { ids, shown, fits }))
}

/** Rows that changed in their places; pages without any stay the same object. */
export function patched<Row extends Numbered>(page: readonly Row[], byId: ReadonlyMap<number, Row>): readonly Row[] {
  return page.some(({ id }) => byId.has(id)) ? page.map((row) => byId.get(row.id) ?? row) : page
}

interface Looked {
  ids: readonly number[]
  shown: ReadonlySet<number>
  fits: ReadonlySet<number>
}

/** The news of a list after some records were looked at. */
export function follow(news: ListNews, { ids, shown, fits }: Looked): ListNews {
  const looked = new Set(ids)
  const rest = (known: readonly number[]) => known.filter((id) => !looked.has(id))
  // A record older than all that is shown comes with its page.
  const oldest = shown.size === 0 ? 0 : Math.min(...shown)
  return {
    fresh: [...rest(news.fresh), ...ids.filter((id) => fits.has(id) && !shown.has(id) && id > oldest)],
    unfit: [...rest(news.unfit), ...ids.filter((id) => shown.has(id) && !fits.has(id))],
  }
}

async function read(model: string, domain: Domain, fields: readonly string[]): Promise<Numbered[]> {
  return (await callByName(model, 'search_read', { domain, fields, limit: IDS_MAX })) as Numbered[]
}
