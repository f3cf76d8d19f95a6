const MS_PER_SECOND = 1_000

export interface ClockOptions {
  /** Where virtual time begins; now, unless told. */
  readonly startMs?: number
  /** How many real milliseconds one virtual second takes; 0 does not wait at all, 1000 is as in life. */
  readonly paceMs?: number
}

interface Timer {
  readonly atMs: number
  ring(): void
}

/**
 * Time as the emulated people and providers live it. It stands still while real work is under way (a webhook that is
 * being answered) and jumps to the next appointment when nothing else can happen, so an hour takes milliseconds.
 */
export class VirtualClock {
  readonly #paceMs: number
  #nowMs: number
  #timers: Timer[] = []
  #busy = 0
  #idleWaiters: (() => void)[] = []
  #isChecking = false
  #isFollowing = false
  #pause: { atMs: number; handle: NodeJS.Timeout } | undefined

  constructor({ startMs = Date.now(), paceMs = 0 }: ClockOptions = {}) {
    this.#nowMs = startMs
    this.#paceMs = paceMs
  }

  now(): Date {
    this.#catchUp()
    return new Date(this.#nowMs)
  }

  get unixSeconds(): number {
    return Math.floor(this.now().getTime() / MS_PER_SECOND)
  }

  /** From now on it is never behind the real time while nothing happens: whatever begins then begins now. */
  follow(): void {
    this.#isFollowing = true
  }

  get isIdle(): boolean {
    return this.#busy === 0 && this.#timers.length === 0
  }

  /** Passes virtual seconds; rejects with the signal's reason when it is aborted before. */
  sleep(seconds: number, signal?: AbortSignal): Promise<void> {
    if (signal?.aborted) return Promise.reject(signal.reason)
    this.#catchUp()
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const give = (): void => {
      this.#forget(timer)
      reject(signal?.reason)
    }
    const timer: Timer = {
      atMs: this.#nowMs + Math.max(0, seconds) * MS_PER_SECOND,
      ring: () => {
        signal?.removeEventListener('abort', give)
        resolve()
      },
    }
    signal?.addEventListener('abort', give, { once: true })
    this.#insert(timer)
    this.#check()
    return promise
  }

  /** Does real work, during which virtual time stands still. */
  async during<Result>(work: () => Promise<Result>): Promise<Result> {
    this.#busy += 1
    try {
      return await work()
    } finally {
      this.#busy -= 1
      this.#check()
    }
  }

  /** Waits until no work is under way and no appointment is left. */
  async idle(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#idleWaiters.push(resolve)
    this.#check()
    await promise
  }

  #catchUp(): void {
    if (this.#isFollowing && this.isIdle) this.#nowMs = Math.max(this.#nowMs, Date.now())
  }

  #insert(timer: Timer): void {
    const place = this.#timers.findIndex((other) => other.atMs > timer.atMs)
    this.#timers.splice(place === -1 ? this.#timers.length : place, 0, timer)
  }

  #forget(timer: Timer): void {
    this.#timers = this.#timers.filter((other) => other !== timer)
    if (this.#pause?.atMs === timer.atMs) {
      clearTimeout(this.#pause.handle)
      this.#pause = undefined
    }
    this.#check()
  }

  /** Looks again once everything that is already decided has happened: promises settle before `setImmediate`. */
  #check(): void {
    if (this.#isChecking) return
    this.#isChecking = true
    setImmediate(() => {
      this.#isChecking = false
      if (this.#busy === 0) this.#goOn()
    })
  }

  #goOn(): void {
    const [next] = this.#timers
    if (next === undefined) {
      const waiters = this.#idleWaiters.splice(0)
      for (const wake of waiters) wake()
      return
    }
    const waitMs = ((next.atMs - this.#nowMs) / MS_PER_SECOND) * this.#paceMs
    if (waitMs > 0) this.#waitFor(next, waitMs)
    else this.#ring(next)
  }

  #waitFor(timer: Timer, waitMs: number): void {
    if (this.#pause?.atMs === timer.atMs) return
    clearTimeout(this.#pause?.handle)
    const handle = setTimeout(() => {
      this.#pause = undefined
      this.#nowMs = Math.max(this.#nowMs, timer.atMs)
      this.#check()
    }, waitMs)
    // Emulators that were stopped end at once: nobody waits for what would happen later, such as the price of a call.
    handle.unref()
    this.#pause = { atMs: timer.atMs, handle }
  }

  #ring(timer: Timer): void {
    this.#timers.shift()
    this.#nowMs = Math.max(this.#nowMs, timer.atMs)
    timer.ring()
    this.#check()
  }
}
