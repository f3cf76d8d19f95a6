// What a process keeps in memory of the database until it hears that it changed. Whether it hears: `Memory`, and `src/app/create-app.ts`.
import { forgetOldest } from '../forget-oldest.ts'
import type { Channel } from './database.ts'

/** Something that hears of changes. The app listens for it, and has it hear once that a notification may have been missed. */
export interface Memory {
  readonly channels: readonly Channel[]
  /** Hears what was notified, or `MISSED`. Throws nothing. */
  changed(payload: string): Promise<void> | void
  /** Resolves when nothing of it is on its way to the disk: a process that stops waits for it. */
  saved?(): Promise<void>
}

/**
 * Something read from the database and kept in memory until a notification says that it changed: then `forget` is called. Of
 * readings that overlap with a change, only one that began after it stays.
 */
export class Cached<Value> {
  readonly #load: () => Promise<Value>
  #reading: Promise<Value> | undefined
  #known: { value: Value; age: number } | undefined
  /** Counts the changes. */
  #age = 0

  constructor(load: () => Promise<Value>) {
    this.#load = load
  }

  /** The value in force. Throws when it cannot be read; the next one who asks has it read again. */
  get(): Promise<Value> {
    this.#reading ??= this.#read(this.#age)
    return this.#reading
  }

  /** The value in force when it is in memory: nothing has to be waited for then. */
  get known(): Value | undefined {
    return this.#known?.age === this.#age ? this.#known.value : undefined
  }

  /** The value as it was read last, however long ago. */
  get last(): Value | undefined {
    return this.#known?.value
  }

  /** Has it read again. */
  forget(): void {
    this.#age += 1
    this.#reading = undefined
  }

  async #read(age: number): Promise<Value> {
    try {
      const value = await this.#load()
      // What was read while a change was announced may be old: it is the last one known, until a newer reading ends.
      if (this.#known === undefined || age >= this.#known.age) this.#known = { value, age }
      return value
    } catch (error) {
      // After a change another reading has begun, which is not the one that failed.
      if (age === this.#age) this.#reading = undefined
      throw error
    }
  }
}

/**
 * The same by a key, for so many keys at once: past it the oldest is read again when it is needed. What is not there is not
 * kept, so that keys that somebody made up take no room.
 */
export class CachedByKey<Key, Value> {
  readonly #load: (key: Key) => Promise<Value | undefined>
  readonly #sizeMax: number
  readonly #readings = new Map<Key, Promise<Value | undefined>>()

  constructor(load: (key: Key) => Promise<Value | undefined>, { sizeMax }: { sizeMax: number }) {
    this.#load = load
    this.#sizeMax = sizeMax
  }

  /** The value in force; undefined when there is none. Throws when it cannot be read; the next one who asks has it read again. */
  get(key: Key): Promise<Value | undefined> {
    const known = this.#readings.get(key)
    if (known !== undefined) return known
    const reading = this.#load(key)
    this.#readings.set(key, reading)
    forgetOldest(this.#readings, this.#sizeMax)
    const drop = (): void => {
      if (this.#readings.get(key) === reading) this.#readings.delete(key)
    }
    reading.then((value) => value === undefined && drop(), drop)
    return reading
  }

  /** Has all of them read again. */
  forget(): void {
    this.#readings.clear()
  }
}

/** Work that follows each change: one at a time, and once more for what changed meanwhile. */
export class AfterChange {
  readonly #work: () => Promise<void>
  #isOutdated = false
  #working: Promise<void> | undefined

  /** `work` throws nothing. */
  constructor(work: () => Promise<void>) {
    this.#work = work
  }

  /** Resolves when the work is done for everything that changed before. */
  changed(): Promise<void> {
    this.#isOutdated = true
    this.#working ??= this.#workOn().finally(() => {
      this.#working = undefined
    })
    return this.#working
  }

  /** Resolves when nothing is under way. */
  async done(): Promise<void> {
    await this.#working
  }

  async #workOn(): Promise<void> {
    while (this.#isOutdated) {
      this.#isOutdated = false
      await this.#work()
    }
  }
}
