/** A list without an end holds the rows around those in sight; of the others it holds their ids, and reads them again. */
import { type QueryKey, useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useRef, useState } from 'react'
import { callByName } from './client.ts'
import { type Pages, patched } from './patch-pages.ts'

interface Numbered {
  id: number
}
/** Places of the first and the last row in sight. */
export interface Sight {
  first: number
  last: number
}

/** Pages above and below those in sight whose rows are held. */
const HELD_PAGES = 5
/** Rows after which one looks again, so that not every step of a held key does. */
const STEP = 50
/** Pages above and below those in sight that are read before somebody comes to them. */
const AHEAD_PAGES = 1

/** Whether nothing but its id is held of a row. */
export function isThin(row: Numbered): boolean {
  return Object.keys(row).length === 1
}

/** Whether there is nothing to show of a row: it is not read again yet, or was removed meanwhile. */
export function isUnread(row: Numbered): boolean {
  return isThin(row) || 'is_gone' in row
}

/** The pages with the rows of far ones dropped; a page in which nothing changes stays the same object. */
export function thinned<Page extends readonly Numbered[]>(pages: readonly Page[], sight: Sight): readonly Page[] {
  const { from, to } = around(pages, sight, HELD_PAGES)
  const isFar = (at: number) => at < from || at > to
  if (!pages.some((page, at) => isFar(at) && !page.every(isThin))) return pages
  return pages.map((page, at) =>
    isFar(at) && !page.every(isThin) ? (page.map(({ id }) => ({ id })) as unknown as Page) : page,
  )
}

/** Ids of the rows that are to be read again, because they are in sight or nearly. */
export function lackingIn(pages: readonly (readonly Numbered[])[], sight: Sight): number[] {
  const { from, to } = around(pages, sight, AHEAD_PAGES)
  return pages.slice(from, to + 1).flatMap((page) => page.filter(isThin).map(({ id }) => id))
}

function around(pages: readonly (readonly unknown[])[], { first, last }: Sight, more: number) {
  const pageOf = (place: number): number => {
    let end = 0
    const found = pages.findIndex((page) => {
      end += page.length
      return place < end
    })
    return found < 0 ? pages.length - 1 : found
  }
  return { from: Math.max(0, pageOf(first) - more), to: Math.min(pages.length - 1, pageOf(last) + more) }
}

/** Keeps the rows of a list that are near; gives what is to be told of the rows in sight. */
export function useNearRows(
  key: QueryKey,
  { model, fields }: { model: string; fields: readonly string[] },
  pages: readonly (readonly Numbered[])[] | undefined,
): (sight: Sight) => void {
  const queries = useQueryClient()
  const [sight, setSight] = useState<Sight>({ first: 0, last: 0 })
  const asked = useRef<string>(undefined)
  useEffect(() => {
    if (pages === undefined) return
    const put = (change: (held: Pages['pages']) => readonly (readonly Numbered[])[]) =>
      queries.setQueryData<Pages>(key, (data) => {
        const next = data && change(data.pages)
        return data === undefined || next === undefined || next === data.pages ? data : { ...data, pages: [...next] }
      })
    const ids = lackingIn(pages, sight)
    const wanted = ids.join()
    if (ids.length > 0 && wanted !== asked.current) {
      asked.current = wanted
      const options = { domain: [['id', 'in', ids]], fields, limit: ids.length }
      void callByName(model, 'search_read', options)
        .then((rows) => {
          const byId = new Map((rows as Numbered[]).map((row) => [row.id, row]))
          // A row that is gone has nothing but its id, and is not asked for again and again.
          for (const id of ids) if (!byId.has(id)) byId.set(id, { id, ...NOTHING })
          put((held) => held.map((page) => patched(page, byId)))
        })
        // They are asked for again with the next move.
        .catch(() => undefined)
        .finally(() => {
          asked.current = undefined
        })
    }
    put((held) => thinned(held, sight))
  }, [queries, key, model, fields, pages, sight])
  return useCallback(
    (next: Sight) =>
      setSight((now) => {
        const [first, last] = [next.first - (next.first % STEP), next.last - (next.last % STEP)]
        return now.first === first && now.last === last ? now : { first, last }
      }),
    [],
  )
}

const NOTHING = { is_gone: true }
