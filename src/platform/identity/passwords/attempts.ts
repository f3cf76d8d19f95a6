import { Refusal } from '../../../errors.ts'
import { forgetOldest } from '../../../forget-oldest.ts'
import { networkOf } from './network-of.ts'

const MS_PER_SECOND = 1_000
const ATTEMPTS_WINDOW_MS = 15 * 60_000
/** Names and networks remembered at once: more than can fail in a quarter of an hour. */
const COUNTED_MAX = 10_000

/** Failed attempts in a quarter of an hour before further ones are refused. */
export interface AttemptLimits {
  /** On one name from one network. */
  both: number
  /** From one network. */
  network: number
  /** On one name from anywhere. */
  login: number
  all: number
}

interface Guess {
  /** Whom somebody wants to be. */
  login: string
  /** Where the request came from. */
  address: string
  /** They signed in from that network lately. */
  isKnownThere: boolean
}

/** Counts failures, so that nothing can be guessed by trying. */
export class Attempts {
  readonly #clock: () => Date
  readonly #max: AttemptLimits
  readonly #attempts = new Map<string, number[]>()

  constructor(clock: () => Date, max: AttemptLimits) {
    this.#clock = clock
    this.#max = max
  }

  /**
   * Counts a guess, before it is looked at, so that many at once are counted too, and gives what to call when it was right.
   * Throws a refusal that says when to come back.
   */
  begin({ login, address, isKnownThere }: Guess): () => void {
    const network = networkOf(address)
    const pair = JSON.stringify([login, network])
    const own: [key: string, max: number] = [pair, this.#max.both]
    const ofNetwork: [key: string, max: number] = [JSON.stringify([null, network]), this.#max.network]
    const limits = [own, ofNetwork]
    if (!isKnownThere) limits.push([JSON.stringify([login, null]), this.#max.login], ['all', this.#max.all])
    // Only their own failures there count for who signed in from that network lately: a stranger does not lock a person out.
    this.#requireRoom(isKnownThere ? [own] : limits)
    const at = this.#clock().getTime()
    for (const [key] of limits) this.#count(key, at)
    return () => {
      for (const [key] of limits) this.#forget(key, at)
    }
  }

  #requireRoom(limits: readonly (readonly [key: string, max: number])[]): void {
    // There is room again when the oldest of as many as are allowed is no longer counted.
    const ends = limits.flatMap(([key, max]) => this.#recent(key).at(-max) ?? []).map((at) => at + ATTEMPTS_WINDOW_MS)
    if (ends.length === 0) return
    const waitMs = Math.max(...ends) - this.#clock().getTime()
    throw new Refusal(
      'too-many',
      'too-many-failed-attempts-try-again',
      {},
      {
        retryAfterSeconds: Math.max(1, Math.ceil(waitMs / MS_PER_SECOND)),
      },
    )
  }

  #count(key: string, at: number): void {
    const recent = [...this.#recent(key), at]
    this.#attempts.delete(key)
    this.#attempts.set(key, recent)
    forgetOldest(this.#attempts, COUNTED_MAX)
  }

  #forget(key: string, at: number): void {
    const attempts = this.#attempts.get(key) ?? []
    const index = attempts.indexOf(at)
    if (index >= 0) attempts.splice(index, 1)
    if (attempts.length === 0) this.#attempts.delete(key)
  }

  #recent(key: string): number[] {
    const since = this.#clock().getTime() - ATTEMPTS_WINDOW_MS
    return (this.#attempts.get(key) ?? []).filter((at) => at > since)
  }
}
