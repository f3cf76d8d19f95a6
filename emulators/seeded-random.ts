const TWO_TO_32 = 2 ** 32

/** Random choices that are the same for the same seed (mulberry32), so that a failing scenario can be run again. */
export class SeededRandom {
  #state: number

  constructor(seed: number) {
    this.#state = seed >>> 0
  }

  /** From 0 up to, never reaching, 1. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0
    let mixed = this.#state
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / TWO_TO_32
  }

  /** True in this share of cases: 0 never, 1 always. */
  chance(share: number): boolean {
    return this.next() < share
  }

  /** A number from `min` up to, never reaching, `max`. */
  between(min: number, max: number): number {
    return min + this.next() * (max - min)
  }
}
