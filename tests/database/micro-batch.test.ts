import { performance } from 'node:perf_hooks'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { MicroBatch } from '../../src/database/micro-batch.ts'

const BATCH_ROWS_MAX = 200

/** A store that notes its batches and answers each item with itself, when it is let. */
function aStore(refuses: (items: readonly number[]) => Error | undefined = () => undefined) {
  const batches: number[][] = []
  let gate = Promise.resolve()
  let under = 0
  let underMost = 0
  return {
    batches,
    get underMost() {
      return underMost
    },
    hold(): () => void {
      const { promise, resolve } = Promise.withResolvers<void>()
      gate = promise
      return resolve
    },
    async store(items: readonly number[]): Promise<number[]> {
      batches.push([...items])
      under += 1
      underMost = Math.max(underMost, under)
      await gate
      under -= 1
      const error = refuses(items)
      if (error !== undefined) throw error
      return [...items]
    },
  }
}

/** Turns of the event loop so far: an idle one waits in a turn until a timer is due. */
const turns = () => performance.nodeTiming.uvMetricsInfo.loopCount
const all = (count: number) => Array.from({ length: count }, (_each, at) => at)

const rejected = (results: readonly PromiseSettledResult<number>[]) =>
  all(results.length).filter((at) => results[at]?.status === 'rejected')

/** Stores so many items at once, of which these are bad: a statement with some of them fails for the first one. */
async function storedWithout(size: number, bad: readonly number[]) {
  const stored: number[] = []
  const store = aStore((items) => {
    const first = items.find((each) => bad.includes(each))
    if (first !== undefined) return new Error(`${first} is bad`)
    stored.push(...items)
    return undefined
  })
  const batch = new MicroBatch({ store: store.store, concurrency: 1 })
  const results = await Promise.allSettled(all(size).map((each) => batch.add(each)))
  return { store, stored, results }
}

describe('a batch', () => {
  it('gathers what comes at once, and answers each with its own', async () => {
    const store = aStore()
    const batch = new MicroBatch({ store: store.store, concurrency: 1 })
    expect(await Promise.all(all(5).map((each) => batch.add(each)))).toEqual(all(5))
    expect(store.batches).toEqual([all(5)])
  })

  it('takes what came meanwhile with the next, and never more than its limit', async () => {
    const store = aStore()
    const release = store.hold()
    const batch = new MicroBatch({ store: store.store, concurrency: 1 })
    const first = batch.add(-1)
    await new Promise((resolve) => setImmediate(() => setImmediate(resolve)))
    const rest = all(BATCH_ROWS_MAX + 50).map((each) => batch.add(each))
    expect(batch.size).toBe(BATCH_ROWS_MAX + 50)
    release()
    await Promise.all([first, ...rest])
    expect(store.batches.map((each) => each.length)).toEqual([1, BATCH_ROWS_MAX, 50])
    expect(store.underMost).toBe(1)
  })

  it('a batch of several weighs no more than its limit; what alone weighs more goes alone', async () => {
    const store = aStore()
    const batch = new MicroBatch({
      store: store.store,
      concurrency: 1,
      weight: { of: (item: number) => item, max: 10 },
    })
    const items = [4, 6, 1, 50, 3, 3, 3, 3]
    expect(await Promise.all(items.map((each) => batch.add(each)))).toEqual(items)
    expect(store.batches).toEqual([[4, 6], [1], [50], [3, 3, 3], [3]])
  })

  it('goes beside others as far as it may', async () => {
    const store = aStore()
    const release = store.hold()
    const batch = new MicroBatch({ store: store.store, concurrency: 3 })
    const added = all(BATCH_ROWS_MAX * 5).map((each) => batch.add(each))
    await expect.poll(() => store.underMost).toBe(3)
    release()
    expect(await Promise.all(added)).toEqual(all(BATCH_ROWS_MAX * 5))
    expect(store.underMost).toBe(3)
  })
})

describe('batches beside each other', () => {
  const turn = () => new Promise((resolve) => setImmediate(() => setImmediate(resolve)))

  it('one that is smaller than what is on its way waits for more, and then both are equal', async () => {
    const store = aStore()
    const release = store.hold()
    const batch = new MicroBatch({ store: store.store, concurrency: 2 })
    const added = all(6).map((each) => batch.add(each))
    await turn()
    for (const each of [6, 7, 8, 9, 10]) {
      added.push(batch.add(each))
      await turn()
    }
    expect(store.batches).toEqual([all(6)])
    added.push(batch.add(11))
    await turn()
    expect(store.batches).toEqual([all(6), [6, 7, 8, 9, 10, 11]])
    release()
    expect(await Promise.all(added)).toEqual(all(12))
  })

  it('one that is smaller goes all the same when the other one does not end, as one that waits for a lock', async () => {
    const store = aStore()
    const release = store.hold()
    const batch = new MicroBatch({ store: store.store, concurrency: 2 })
    const added = all(6).map((each) => batch.add(each))
    await turn()
    added.push(batch.add(6))
    await expect.poll(() => store.batches).toEqual([all(6), [6]])
    release()
    expect(await Promise.all(added)).toEqual(all(7))
  })

  it('anyone who waits when all have ended goes at once, however few they are', async () => {
    const store = aStore()
    const release = store.hold()
    const batch = new MicroBatch({ store: store.store, concurrency: 2 })
    const many = all(6).map((each) => batch.add(each))
    await turn()
    const one = batch.add(6)
    release()
    await Promise.all(many)
    expect(await one).toBe(6)
    expect(store.batches).toEqual([all(6), [6]])
  })
})

describe('a batch that is refused', () => {
  it('fails the item that is bad, and stores the others', async () => {
    const bad = Object.assign(new Error('bad row'), { code: '22P02' })
    const store = aStore((items) => (items.includes(3) ? bad : undefined))
    const batch = new MicroBatch({ store: store.store, concurrency: 1 })
    const results = await Promise.allSettled(all(6).map((each) => batch.add(each)))
    expect(results.map((result) => result.status === 'fulfilled')).toEqual([true, true, true, false, true, true])
    expect(results[3]).toMatchObject({ reason: bad })
  })

  // Each bad item is alone after as many halves as it takes, and at each of them what is beside it is stored.
  it('one of 200 that is bad costs two attempts for each time that 200 can be halved', async () => {
    for (const bad of [0, 77, BATCH_ROWS_MAX - 1]) {
      const { store, results } = await storedWithout(BATCH_ROWS_MAX, [bad])
      expect(rejected(results)).toEqual([bad])
      expect(store.batches.length).toBeLessThanOrEqual(1 + 2 * Math.ceil(Math.log2(BATCH_ROWS_MAX)))
    }
  })

  it('whichever are bad: every good one is stored once, every bad one is refused for itself, and attempts are few', async () => {
    const anyBatch = fc
      .integer({ min: 1, max: BATCH_ROWS_MAX })
      .chain((size) => fc.record({ size: fc.constant(size), bad: fc.uniqueArray(fc.nat(size - 1)) }))
    await fc.assert(
      fc.asyncProperty(anyBatch, async ({ size, bad }) => {
        const { store, stored, results } = await storedWithout(size, bad)
        const good = all(size).filter((each) => !bad.includes(each))
        expect(stored.toSorted((a, b) => a - b)).toEqual(good)
        expect(rejected(results)).toEqual(bad.toSorted((a, b) => a - b))
        for (const each of bad) expect(results[each]).toMatchObject({ reason: { message: `${each} is bad` } })
        const halvings = Math.ceil(Math.log2(size))
        expect(store.batches.length).toBeLessThanOrEqual(Math.min(2 * size - 1, 1 + 2 * bad.length * halvings))
      }),
    )
  })

  it('the database that is gone while a batch is halved fails all that is left of it, at once', async () => {
    let attempts = 0
    const store = aStore((items) => {
      attempts += 1
      if (attempts > 3) return Object.assign(new Error('gone'), { code: 'ECONNREFUSED' })
      return items.includes(BATCH_ROWS_MAX - 1) ? new Error('bad row') : undefined
    })
    const batch = new MicroBatch({ store: store.store, concurrency: 1 })
    const results = await Promise.allSettled(all(BATCH_ROWS_MAX).map((each) => batch.add(each)))
    expect(rejected(results)).toEqual(all(BATCH_ROWS_MAX).slice(BATCH_ROWS_MAX / 2))
    expect(store.batches).toHaveLength(4)
  })

  it.each([
    ['a refused connection', { code: 'ECONNREFUSED' }],
    ['a lost connection', { message: 'Connection terminated unexpectedly' }],
    ['a server that stops', { code: '57P01' }],
    ['a pool without a connection', { message: 'timeout exceeded when trying to connect' }],
    ['a disk that is full', { code: '53100' }],
  ])('a batch that is refused for %s fails as a whole, at once', async (_what, error) => {
    const store = aStore(() => Object.assign(new Error('gone'), error))
    const batch = new MicroBatch({ store: store.store, concurrency: 1 })
    const results = await Promise.allSettled(all(50).map((each) => batch.add(each)))
    expect(results.every((result) => result.status === 'rejected')).toBe(true)
    expect(store.batches).toHaveLength(1)
  })

  it.each([
    ['with one connection for all fails with the batch before it', true, 1],
    ['has a turn of its own on a server', false, 2],
  ])('a request that waits while the database is gone %s', async (_what, hasOneTurn, batches) => {
    const store = aStore(() => Object.assign(new Error('gone'), { code: 'ECONNREFUSED' }))
    const open = store.hold()
    const batch = new MicroBatch({ store: store.store, concurrency: 1, hasOneTurn })
    const first = batch.add(0)
    await expect.poll(() => store.batches).toHaveLength(1)
    const second = batch.add(1)
    open()
    const results = await Promise.allSettled([first, second])
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    expect(store.batches).toHaveLength(batches)
  })
})

describe('draining', () => {
  it('waits for everything added so far, without keeping the processor busy', async () => {
    const store = aStore()
    const release = store.hold()
    const batch = new MicroBatch({ store: store.store, concurrency: 1 })
    let stored = 0
    for (const each of all(BATCH_ROWS_MAX * 2)) void batch.add(each).then(() => (stored += 1))
    let isDrained = false
    const drained = batch.drained().then(() => (isDrained = true))
    const before = turns()
    for (let wait = 0; wait < 10; wait += 1) await new Promise((resolve) => setTimeout(resolve, 30))
    expect(isDrained).toBe(false)
    // A batch that looks again in each turn makes thousands of them.
    expect(turns() - before).toBeLessThan(1_000)
    release()
    await drained
    expect(stored).toBe(BATCH_ROWS_MAX * 2)
  })

  it('draining of nothing is done at once', async () => {
    const store = aStore()
    const batch = new MicroBatch({ store: store.store, concurrency: 1 })
    expect([await batch.drained(), batch.size, store.batches]).toEqual([undefined, 0, []])
  })
})
