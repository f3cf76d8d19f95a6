import { useCallback, useMemo, useState } from 'react'
import type { Domain } from '../data/client.ts'

/** Which rows of a list are chosen: some, or all that fit the filter but those left out. */
export interface Chosen {
  isAll: boolean
  ids: ReadonlySet<number>
}

export interface Selection extends Chosen {
  has: (id: number) => boolean
  isAny: boolean
  toggle: (id: number, among: readonly number[], isRange: boolean) => void
  selectAll: () => void
  clear: () => void
}

const NONE: Chosen = { isAll: false, ids: new Set() }

/** The chosen rows of a list; another list, or another filter of it, begins with none. */
export function useSelection(list: string): Selection {
  const [{ of, chosen }, set] = useState<{ of: string; chosen: Chosen; anchor?: number }>({
    of: list,
    chosen: NONE,
  })
  const current = of === list ? chosen : NONE
  const toggle = useCallback(
    (id: number, among: readonly number[], isRange: boolean) =>
      set((before) => {
        const own = before.of === list ? before : { chosen: NONE, anchor: undefined }
        const ids = isRange ? between(among, own.anchor ?? id, id) : undefined
        const next = ids === undefined ? toggled(own.chosen, id) : withAll(own.chosen, ids)
        return { of: list, chosen: next, anchor: id }
      }),
    [list],
  )
  return useMemo(
    () => ({
      ...current,
      has: (id: number) => isChosen(current, id),
      isAny: current.isAll || current.ids.size > 0,
      toggle,
      selectAll: () => set({ of: list, chosen: { isAll: true, ids: new Set() } }),
      clear: () => set({ of: list, chosen: NONE }),
    }),
    [current, toggle, list],
  )
}

export function isChosen({ isAll, ids }: Chosen, id: number): boolean {
  return ids.has(id) !== isAll
}

export function toggled({ isAll, ids }: Chosen, id: number): Chosen {
  const next = new Set(ids)
  if (!next.delete(id)) next.add(id)
  return { isAll, ids: next }
}

/** Chooses these as well. */
export function withAll({ isAll, ids }: Chosen, more: readonly number[]): Chosen {
  const next = new Set(ids)
  for (const id of more) {
    if (isAll) next.delete(id)
    else next.add(id)
  }
  return { isAll, ids: next }
}

/** The rows from one to another, whichever stands first; without the first, the other alone. */
export function between(among: readonly number[], from: number, to: number): number[] {
  const [start, end] = [among.indexOf(from), among.indexOf(to)]
  if (start < 0 || end < 0) return [to]
  return among.slice(Math.min(start, end), Math.max(start, end) + 1)
}

/** How many are chosen of so many that fit. */
export function countChosen({ isAll, ids }: Chosen, total: number): number {
  return isAll ? Math.max(0, total - ids.size) : ids.size
}

/** The search for what is chosen; for everything that fits where nothing is. */
export function chosenDomain({ isAll, ids }: Chosen, domain: Domain): Domain {
  if (ids.size === 0) return domain
  return isAll ? [...domain, ['id', 'not in', [...ids]]] : [['id', 'in', [...ids]]]
}
