import type { VirtualClock } from './virtual-clock.ts'

/** Things that arrive one after the other, taken by one reader. */
export class Mailbox<Item> {
  readonly #items: Item[] = []
  #wake: (() => void) | undefined

  put(item: Item): void {
    this.#items.push(item)
    this.#wake?.()
  }

  clear(): void {
    this.#items.length = 0
  }

  /** The next thing, however long it takes; rejects with the signal's reason when that comes first. */
  async take(signal: AbortSignal): Promise<Item> {
    for (;;) {
      if (this.#items.length > 0) return this.#items.shift() as Item
      await this.#something(signal)
    }
  }

  /** The next thing, or undefined when nothing came within these virtual seconds. */
  async nextWithin(seconds: number, clock: VirtualClock, signal: AbortSignal): Promise<Item | undefined> {
    if (this.#items.length > 0) return this.#items.shift()
    const enough = new AbortController()
    const either = AbortSignal.any([signal, enough.signal])
    const waiting = clock.sleep(seconds, either).then(
      () => 'late' as const,
      () => 'stopped' as const,
    )
    const arriving = this.#something(either).then(
      () => 'arrived' as const,
      () => 'stopped' as const,
    )
    await Promise.race([waiting, arriving])
    enough.abort()
    signal.throwIfAborted()
    return this.#items.shift()
  }

  #something(signal: AbortSignal): Promise<void> {
    if (signal.aborted) return Promise.reject(signal.reason)
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const give = (): void => reject(signal.reason)
    signal.addEventListener('abort', give, { once: true })
    this.#wake = () => {
      this.#wake = undefined
      signal.removeEventListener('abort', give)
      resolve()
    }
    return promise
  }
}
