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
