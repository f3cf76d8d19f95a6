// The embedded engine on a disk that has little room left: its log cannot grow then, and it would stand still for ever.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { PGlite as Engine, type PGlite } from '@electric-sql/pglite'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { isUnavailable } from '../../src/database/database.ts'
import { PreparedStatements } from '../../src/database/embedded/prepared.ts'
import { DiskRoom, NoRoomError } from '../../src/disk-room.ts'

const HUGE_BYTES = 1e18
const LARGE_CHARS = 300_000

let folder: string
let engine: PGlite
let statements: PreparedStatements
let isShort = false
/** A disk whose room the test decides. */
const room = {
  isShort: () => isShort,
  require(bytes = 0) {
    if (isShort || bytes > LARGE_CHARS) throw new NoRoomError('There is no room.')
  },
}

beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'connect-room-'))
  engine = await Engine.create()
  statements = new PreparedStatements(engine, room)
  await engine.exec('create table notes (text text)')
})
beforeEach(() => {
  isShort = false
})
afterAll(async () => {
  await engine.close()
  rmSync(folder, { recursive: true })
})

const write = (text = 'x') => statements.query('insert into notes values ($1) returning text', [text])
const count = async () => (await statements.query<{ n: number }>('select count(*)::int as n from notes', []))[0]?.n

describe('the embedded engine without room', () => {
  it('writes nothing and says why, reads on, and writes again when there is room', async () => {
    await write()
    const before = await count()
    isShort = true
    const error = await write().catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(NoRoomError)
    expect(isUnavailable(error)).toBe(true)
    await expect(
      statements.transaction(() => statements.runInside('note', 'insert into notes values ($1)', ['y'])),
    ).rejects.toThrow('There is no room.')
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
