import { describe, expect, it } from 'vitest'
import { BATCH_ROWS_MAX, MicroBatch } from '../../src/database/micro-batch.ts'

/** A batch that remembers what it was given to store, item by item its own double. */
function doubling(options: { concurrency?: number; lingerMs?: number } = {}) {
  const stored: number[][] = []
  const batch = new MicroBatch<number, number>({
    concurrency: 1,
    ...options,
    async store(items) {
      stored.push([...items])
      if (items.includes(13)) throw Object.assign(new Error('refused'), { code: '23505' })
      if (items.includes(99)) throw Object.assign(new Error('gone'), { code: '57P01' })
      return items.map((each) => each * 2)
    },
  })
  return { batch, stored }
}

describe('a micro-batch', () => {
  it('stores what is added at once in one go and gives each its own result', async () => {
    const { batch, stored } = doubling()
    expect(await Promise.all([1, 2, 3].map((each) => batch.add(each)))).toEqual([2, 4, 6])
    expect(stored).toEqual([[1, 2, 3]])
  })

  it('takes no more rows than its limit in one go', async () => {
    const { batch, stored } = doubling()
    await Promise.all(Array.from({ length: BATCH_ROWS_MAX + 1 }, (_, at) => batch.add(at + 100)))
    expect(stored.map((items) => items.length)).toEqual([BATCH_ROWS_MAX, 1])
  })

  it('fails only the row that is refused', async () => {
    const { batch } = doubling()
    const results = await Promise.allSettled([1, 13, 3].map((each) => batch.add(each)))
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  })

  it('fails all rows at once, without trying each, when the database cannot be had', async () => {
    const { batch, stored } = doubling()
    const results = await Promise.allSettled([1, 99, 3].map((each) => batch.add(each)))
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected'])
    expect(stored).toHaveLength(1)
  })
})

describe('a micro-batch that lingers', () => {
  const LONG_MS = 60_000

  it('gathers what is added over that time', async () => {
    const { batch, stored } = doubling({ lingerMs: 30 })
    const first = batch.add(1)
    await new Promise((resolve) => setImmediate(resolve))
    await Promise.all([first, batch.add(2)])
    expect(stored).toEqual([[1, 2]])
  })

  it('does not wait when it is full', async () => {
    const { batch, stored } = doubling({ lingerMs: LONG_MS })
    await Promise.all(Array.from({ length: BATCH_ROWS_MAX }, (_, at) => batch.add(at + 100)))
    expect(stored).toHaveLength(1)
  })

  it('does not wait when it is to be drained, and waits again later', async () => {
    const { batch, stored } = doubling({ lingerMs: LONG_MS })
    const added = batch.add(1)
    await batch.drained()
    expect(await added).toBe(2)
    const later = batch.add(2)
    await new Promise((resolve) => setImmediate(resolve))
    expect(stored).toEqual([[1]])
    await batch.drained()
    expect(await later).toBe(4)
  })
})
