import type { ChangeNotice } from '../records/notify-changed.ts'

/** Ids of one model that are looked at together; of more any record of it may have changed. */
const IDS_MAX = 1_000

/** Changes of one model, gathered from many notices. */
export interface Gathered {
  model: string
  isGone: boolean
  /** Null when any record may have changed. */
  ids: ReadonlySet<number> | null
  /** Null when they may belong to any call. */
  calls: ReadonlySet<number> | null
}

/** What was notified of since it was last taken. */
export class GatheredChanges {
  #byKey = new Map<string, { model: string; isGone: boolean; ids: Set<number> | null; calls: Set<number> | null }>()
  #hasMissed = false

  get isEmpty(): boolean {
    return this.#byKey.size === 0 && !this.#hasMissed
  }

  add({ model, ids, gone, calls = [] }: ChangeNotice): void {
    const isGone = gone === true
    const key = `${model} ${isGone}`
    const known = this.#byKey.get(key)
    const gathered = known ?? { model, isGone, ids: new Set<number>(), calls: new Set<number>() }
    gathered.ids = joined(gathered.ids, ids)
    gathered.calls = joined(gathered.calls, calls)
    if (known === undefined) this.#byKey.set(key, gathered)
  }

  /** Notifications may have been lost: whatever else was gathered says no more than that. */
  miss(): void {
    this.#hasMissed = true
  }

  /** Everything gathered, which is then forgotten; `missed` when some of it may be lacking. */
  take(): readonly Gathered[] | 'missed' {
    const taken = this.#hasMissed ? 'missed' : [...this.#byKey.values()]
    this.clear()
    return taken
  }

  clear(): void {
    this.#byKey = new Map()
    this.#hasMissed = false
  }
}

function joined(known: Set<number> | null, more: readonly number[] | null): Set<number> | null {
  if (known === null || more === null) return null
  for (const id of more) known.add(id)
  return known.size > IDS_MAX ? null : known
}
