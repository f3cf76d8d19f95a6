import { forgetOldest } from '../../forget-oldest.ts'

/** About a megabyte of sids. */
const REMEMBERED_MAX = 10_000

/**
 * What this process has seen of which leg was dialled out of which, which never changes: so that an event which does not say
 * so can lock everything above its leg at once. What it does not know it finds out from the database.
 */
export class KnownParents {
  readonly #parents = new Map<string, string>()
  readonly #depthMax: number

  constructor(depthMax: number) {
    this.#depthMax = depthMax
  }

  learn(legs: Iterable<{ readonly sid: string; readonly parentSid: string }>): void {
    for (const { sid, parentSid } of legs) if (parentSid !== '') this.#parents.set(sid, parentSid)
    forgetOldest(this.#parents, REMEMBERED_MAX)
  }

  /** The legs above this one, as far as they are known. */
  above(sid: string): string[] {
    const found: string[] = []
    let next = this.#parents.get(sid)
    while (next !== undefined && !found.includes(next) && found.length < this.#depthMax) {
      found.push(next)
      next = this.#parents.get(next)
    }
    return found
  }
}
