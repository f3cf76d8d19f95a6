import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { Spool } from '../../src/deliveries/spool.ts'

let folder: string

beforeEach(() => {
  folder = path.join(mkdtempSync(path.join(tmpdir(), 'connect-spool-')), 'spool')
})
afterEach(() => rmSync(path.dirname(folder), { recursive: true, force: true }))

async function drainAll(spool: Spool): Promise<string[]> {
  const taken: string[] = []
  await spool.drain(async (text) => {
    taken.push(text)
    return 'taken'
  })
  return taken
}

it('gives back every text once, oldest first, also to a later process', async () => {
  const texts = ['one', 'two', 'ä\0\n', '']
  for (const text of texts) {
    await new Spool(folder).put(text)
    await new Promise((resolve) => setTimeout(resolve, 2))
  }
  expect(await drainAll(new Spool(folder))).toEqual(texts)
  expect(await drainAll(new Spool(folder))).toEqual([])
})

it('keeps nothing that others on the machine may read', async () => {
  await new Spool(folder).put('secret')
  expect(statSync(folder).mode & 0o777).toBe(0o700)
  for (const name of readdirSync(folder)) expect(statSync(path.join(folder, name)).mode & 0o777).toBe(0o600)
})

it('a folder that is not there is an empty one', async () => {
  expect(await drainAll(new Spool(folder))).toEqual([])
})

it('what could not be taken stays, and what comes after it too', async () => {
  const spool = new Spool(folder)
  for (const text of ['one', 'two', 'three']) {
    await spool.put(text)
    await new Promise((resolve) => setTimeout(resolve, 2))
  }
  const taken: string[] = []
  const take = async (text: string): Promise<'taken'> => {
    if (text === 'two') throw new Error('the database is away')
    taken.push(text)
    return 'taken'
  }
  await expect(spool.drain(take)).rejects.toThrow('away')
  expect(taken).toEqual(['one'])
  expect(await drainAll(spool)).toEqual(['two', 'three'])
})

it('what cannot be read is set aside, and a half-written file is left alone', async () => {
  const spool = new Spool(folder)
  await spool.put('odd')
  writeFileSync(path.join(folder, '000-half.part'), 'half')
  await spool.drain(async () => 'unreadable')
  expect(await drainAll(spool)).toEqual([])
  expect(readdirSync(folder).toSorted()).toEqual(['000-half.part', expect.stringMatching(/\.json\.unreadable$/)])
})
