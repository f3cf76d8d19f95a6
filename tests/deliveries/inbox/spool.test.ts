import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { drainSpool } from '../../../src/deliveries/inbox/drain-spool.ts'
import { Spool } from '../../../src/deliveries/inbox/spool.ts'
import { type KeyedDelivery, withKey } from '../../../src/deliveries/inbox/stored-delivery.ts'
import { WaitingOnDisk } from '../../../src/deliveries/inbox/waiting-on-disk.ts'
import { DiskRoom } from '../../../src/disk-room.ts'
import { createLog } from '../../../src/log.ts'

const log = createLog('silent')
/** More than any disk has. */
const TOO_MUCH_BYTES = 1e18

let folder: string

beforeEach(() => {
  folder = path.join(mkdtempSync(path.join(tmpdir(), 'connect-spool-')), 'spool')
})
afterEach(() => rmSync(path.dirname(folder), { recursive: true, force: true }))

const open = (bytesMin = 0) => new Spool(new DiskRoom(folder, bytesMin))

function delivery(payload: string): KeyedDelivery {
  return withKey({ kind: 'test', conversation: undefined, payload, mediaRef: undefined }, new Date())
}

async function putAll(payloads: readonly string[], spool = open()): Promise<void> {
  for (const payload of payloads) {
    await spool.put(JSON.stringify(delivery(payload)))
    await new Promise((resolve) => setTimeout(resolve, 2))
  }
}

/** The payloads that were stored, `refuse` standing for the database. */
async function drainAll(refuse: (payload: string) => Error | undefined = () => undefined): Promise<string[]> {
  const stored: string[] = []
  const store = async ({ payload }: KeyedDelivery) => {
    const error = refuse(payload)
    if (error !== undefined) throw error
    stored.push(payload)
  }
  await drainSpool({ spool: open(), log, store }).catch((error: unknown) => stored.push(String(error)))
  return stored
}

const sqlError = (code: string) => Object.assign(new Error(`state ${code}`), { code })

it('gives back every text once, oldest first, also to a later process', async () => {
  const payloads = ['one', 'two', 'ä\0\n', '']
  await putAll(payloads)
  expect(await drainAll()).toEqual(payloads)
  expect(await drainAll()).toEqual([])
})

it('keeps nothing that others on the machine may read', async () => {
  await open().put('secret')
  expect(statSync(folder).mode & 0o777).toBe(0o700)
  for (const name of readdirSync(folder)) expect(statSync(path.join(folder, name)).mode & 0o777).toBe(0o600)
})

it('a folder that is not there is an empty one', async () => {
  expect(await drainAll()).toEqual([])
  expect(await open().measure()).toEqual({ waiting: 0, oldest: undefined, aside: 0 })
})

it('keeps everything while the database is unavailable', async () => {
  await putAll(['one', 'two', 'three'])
  expect(await drainAll(() => sqlError('57P01'))).toEqual(['Error: state 57P01'])
  expect(await drainAll()).toEqual(['one', 'two', 'three'])
})

it('sets aside what the database refuses, so that it holds nothing up', async () => {
  await putAll(['one', 'two', 'three'])
  expect(await drainAll((payload) => (payload === 'one' ? sqlError('22P05') : undefined))).toEqual(['two', 'three'])
  expect(await drainAll()).toEqual([])
  expect(readdirSync(folder)).toEqual([expect.stringMatching(/\.json\.refused$/)])
  expect(await open().measure()).toMatchObject({ waiting: 0, aside: 1 })
})

it('sets aside what nobody can read', async () => {
  await open().put('{"half":')
  expect(await drainAll()).toEqual([])
  expect(readdirSync(folder)).toEqual([expect.stringMatching(/\.json\.unreadable$/)])
})

it('what cannot be opened now stays, and holds nothing up', async () => {
  await putAll(['one'])
  mkdirSync(path.join(folder, '000000000000001-x.json'))
  expect(await drainAll()).toEqual(['one'])
  expect(readdirSync(folder)).toEqual(['000000000000001-x.json'])
})

it('counts what waits and since when', async () => {
  const before = Date.now()
  await putAll(['one', 'two'])
  const { waiting, oldest } = await open().measure()
  expect(waiting).toBe(2)
  expect(oldest?.getTime()).toBeGreaterThanOrEqual(before)
})

it('refuses while the disk has too little room, and leaves nothing half-written', async () => {
  const room = new DiskRoom(folder, TOO_MUCH_BYTES)
  await expect(new Spool(room).put('one')).rejects.toThrow(/MB free at .*spool, and it takes \d+ MB/)
  expect(readdirSync(folder)).toEqual([])
  expect(room.writes).toMatchObject({ isFailing: true, failures: 1, lastFailed: expect.any(Date) })
})

it('a delivery waits on disk only where megabytes stay free for everything else', () => {
  const { room } = new WaitingOnDisk(folder, { log, store: async () => undefined, onStored() {} })
  const megabytes = (count: number) => count * 1024 ** 2
  expect(room.isShort(room.freeBytes - megabytes(8))).toBe(true)
  expect(room.isShort(room.freeBytes - megabytes(64))).toBe(false)
})

it('removes what a process left half-written when it died, and leaves alone what another one is writing', async () => {
  await open().put('{}')
  for (const name of ['000-old.part', '000-new.part']) writeFileSync(path.join(folder, name), 'half')
  utimesSync(path.join(folder, '000-old.part'), 0, 0)
  await open().removeLeftovers()
  expect(readdirSync(folder).filter((name) => name.endsWith('.part'))).toEqual(['000-new.part'])
})
