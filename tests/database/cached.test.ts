import { describe, expect, it } from 'vitest'
import { AfterChange, CachedByKey } from '../../src/database/cached.ts'

/** Answers that the test gives, by the key that is read. */
function aSource() {
  const asked: { key: string; answer: PromiseWithResolvers<string | undefined> }[] = []
  const load = (key: string): Promise<string | undefined> => {
    const answer = Promise.withResolvers<string | undefined>()
    asked.push({ key, answer })
    return answer.promise
  }
  return { asked, load }
}

describe('what is kept by a key', () => {
  it('those who ask at the same time share a reading, and it is kept', async () => {
    const { asked, load } = aSource()
    const cached = new CachedByKey(load, { sizeMax: 2 })
    const both = Promise.all([cached.get('a'), cached.get('a')])
    asked[0]?.answer.resolve('one')
    expect(await both).toEqual(['one', 'one'])
    expect(await cached.get('a')).toBe('one')
    expect(asked).toHaveLength(1)
  })

  it('a reading that began before a change is not kept', async () => {
    const { asked, load } = aSource()
    const cached = new CachedByKey(load, { sizeMax: 2 })
    const before = cached.get('a')
    cached.forget()
    asked[0]?.answer.resolve('old')
    expect(await before).toBe('old')
    const after = cached.get('a')
    asked[1]?.answer.resolve('new')
    expect(await after).toBe('new')
    expect(await cached.get('a')).toBe('new')
  })

  it('what is not there, and what could not be read, is read again', async () => {
    const { asked, load } = aSource()
    const cached = new CachedByKey(load, { sizeMax: 2 })
    const missing = cached.get('a')
    asked[0]?.answer.resolve(undefined)
    expect(await missing).toBeUndefined()
    const failing = cached.get('a')
    asked[1]?.answer.reject(new Error('the database is away'))
    await expect(failing).rejects.toThrow('away')
    const there = cached.get('a')
    asked[2]?.answer.resolve('one')
    expect(await there).toBe('one')
  })

  it('the oldest is read again when there are too many', async () => {
    const asked: string[] = []
    const load = async (key: string) => {
      asked.push(key)
      return key
    }
    const cached = new CachedByKey(load, { sizeMax: 2 })
    for (const key of ['a', 'b', 'c', 'b', 'a']) await cached.get(key)
    expect(asked).toEqual(['a', 'b', 'c', 'a'])
  })
})

it('work that follows changes runs one at a time, and once more for all that changed meanwhile', async () => {
  const runs: PromiseWithResolvers<void>[] = []
  const after = new AfterChange(() => {
    const run = Promise.withResolvers<void>()
    runs.push(run)
    return run.promise
  })
  const first = after.changed()
  const later = [after.changed(), after.changed()]
  expect(runs).toHaveLength(1)
  runs[0]?.resolve()
  await expect.poll(() => runs.length).toBe(2)
  runs[1]?.resolve()
  await Promise.all([first, ...later, after.done()])
  expect(runs).toHaveLength(2)
})
