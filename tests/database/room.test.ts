// The embedded engine on a disk that has little room left: its log cannot grow then, and it would stand still for ever.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { type Database, isUnavailable } from '../../src/database/database.ts'
import { sql } from '../../src/database/drizzle.ts'
import { DiskRoom, NoRoomError } from '../../src/disk-room.ts'
import { openEmbeddedCopy } from '../support/embedded-copy.ts'

const HUGE_BYTES = 1e18
const LARGE_CHARS = 300_000

let folder: string
let db: Database
let isShort = false

beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'connect-room-'))
  db = await openEmbeddedCopy(path.join(folder, 'data'))
  await db.script('create table notes (text text)')
})
beforeEach(() => {
  isShort = false
  // A disk whose room the test decides.
  const { room } = db
  if (room === undefined) throw new Error('the embedded database has a disk')
  vi.spyOn(room, 'isShort').mockImplementation(() => isShort)
  vi.spyOn(room, 'require').mockImplementation((bytes = 0) => {
    if (isShort || bytes > LARGE_CHARS) throw new NoRoomError('There is no room.')
  })
})
afterAll(async () => {
  await db.close()
  rmSync(folder, { recursive: true })
})

const write = (text = 'x') => db.query(sql`insert into notes values (${text}) returning text`)
const count = async () => (await db.query<{ n: number }>(sql`select count(*)::int as n from notes`))[0]?.n

describe('the embedded engine without room', () => {
  it('writes nothing and says why, reads on, and writes again when there is room', async () => {
    await write()
    const before = await count()
    isShort = true
    const error = await write().catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(NoRoomError)
    expect(isUnavailable(error)).toBe(true)
    await expect(db.transaction((tx) => tx.query(sql`insert into notes values ('y')`))).rejects.toThrow(
      'There is no room.',
    )
    expect(await count()).toBe(before)
    isShort = false
    await write()
    expect(await count()).toBe((before ?? 0) + 1)
  })

  it('refuses a value that alone would take the room', async () => {
    await expect(write('x'.repeat(LARGE_CHARS))).rejects.toThrow('There is no room.')
    await write('small')
  })
})

describe('the room of a disk', () => {
  it('the room of a disk is what the file system says, also of a folder that is not there yet', () => {
    const there = new DiskRoom(folder, 0)
    const later = new DiskRoom(path.join(folder, 'a', 'b'), 0)
    expect(there.freeBytes).toBeGreaterThan(0)
    expect(later.freeBytes).toBeLessThan(HUGE_BYTES)
    expect(there.isShort()).toBe(false)
    expect(there.isShort(HUGE_BYTES)).toBe(true)
    expect(() => there.require(HUGE_BYTES)).toThrow(/There are \d+ MB free at .*, and it takes \d+ MB/)
  })
})
