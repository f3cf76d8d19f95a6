import { SeededRandom } from './seeded-random.ts'

/** What goes wrong with reports on their way, each as a share from 0 (never) to 1 (always). */
export interface FaultOptions {
  /** The same seed makes the same faults. */
  readonly seed?: number
  /** Sent twice. */
  readonly duplicate?: number
  /** Held back for a moment, so that later reports overtake it. */
  readonly shuffle?: number
  /** Arrives much later. */
  readonly delay?: number
  /** Never arrives. */
  readonly drop?: number
  /** Comes together with one that somebody else made up, with a wrong signature. */
  readonly forge?: number
  /** A request that steers a call is sent again because its answer was lost on the way. */
  readonly repeatVoice?: number
}

/** The seconds after which each copy of a report is sent, and whether a forged one comes along. */
export interface DeliveryPlan {
  readonly delaysSeconds: readonly number[]
  readonly isForged: boolean
}

/** Names under which faults are switched on, in the command line for example. */
export const FAULT_NAMES = ['duplicate', 'shuffle', 'delay', 'drop', 'forge'] as const
export type FaultName = (typeof FAULT_NAMES)[number]

const SHUFFLE_SECONDS_MAX = 5
const DELAY_SECONDS_MIN = 20
const DELAY_SECONDS_MAX = 90
const SHARE_BY_NAME = 0.5

/** Faults that hit half of all reports. */
export function faultsNamed(names: readonly FaultName[], seed = 1): FaultOptions {
  return { seed, ...Object.fromEntries(names.map((name) => [name, SHARE_BY_NAME])) }
}

/** Decides for each delivery what happens to it. Without options every report arrives once, at once and in order. */
export class Faults {
  readonly #options: FaultOptions
  readonly #random: SeededRandom

  constructor(options: FaultOptions = {}) {
    this.#options = options
    this.#random = new SeededRandom(options.seed ?? 1)
  }

  /** False: reports keep their order, each waits for the one before. */
  get isDisorderly(): boolean {
    const { duplicate = 0, shuffle = 0, delay = 0 } = this.#options
    return duplicate > 0 || shuffle > 0 || delay > 0
  }

  plan(): DeliveryPlan {
    const { duplicate = 0, drop = 0, forge = 0 } = this.#options
    const isForged = this.#random.chance(forge)
    if (this.#random.chance(drop)) return { delaysSeconds: [], isForged }
    const delaysSeconds = [this.#delaySeconds()]
    if (this.#random.chance(duplicate)) delaysSeconds.push(this.#delaySeconds())
    return { delaysSeconds, isForged }
  }

  repeatsVoice(): boolean {
    return this.#random.chance(this.#options.repeatVoice ?? 0)
  }

  #delaySeconds(): number {
    const { shuffle = 0, delay = 0 } = this.#options
    const held = this.#random.chance(shuffle) ? this.#random.between(0, SHUFFLE_SECONDS_MAX) : 0
    return held + (this.#random.chance(delay) ? this.#random.between(DELAY_SECONDS_MIN, DELAY_SECONDS_MAX) : 0)
  }
}
