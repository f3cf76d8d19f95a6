// What the backups of a running service refuse, and what they leave behind when they do not come to their end.
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { Backups } from '../../src/app/backup/backups.ts'
import { readConfig } from '../../src/config.ts'
import { FileCopier } from '../../src/copy-files.ts'
import type { Database } from '../../src/database/database.ts'
import { createLog } from '../../src/log.ts'
import { GROUP } from '../../src/platform/access/identity.ts'
import { type Caller, eventually, TestApp } from '../support/test-app.ts'

/** More than any disk has free that tests run on; the file takes no room. */
const HUGE_BYTES = 8 * 1024 ** 4
/** A busy machine works slowly. */
const PATIENCE_MS = 60_000

let dataDir: string
const inFolder = (...names: string[]) => path.join(dataDir, ...names)

beforeEach(() => {
  dataDir = mkdtempSync(path.join(tmpdir(), 'connect-backups-'))
  mkdirSync(inFolder('spool'))
  writeFileSync(inFolder('spool', 'waiting.json'), '{}')
  writeFileSync(inFolder('secret.key'), 'a key of this installation')
})
afterEach(() => rmSync(dataDir, { recursive: true, force: true, maxRetries: 10 }))

/** Backups of an engine that is held until the test lets it go. */
function backupsOf(env: Record<string, string> = {}) {
  const held = Promise.withResolvers<void>()
  const letGo = Promise.withResolvers<void>()
  const db = {
    kind: 'embedded',
    async copyWhileRunning(folder, { copier, whileHeld }) {
      held.resolve()
      await letGo.promise
      await copier.file(inFolder('secret.key'), path.join(folder, 'database.watermark'))
      await whileHeld()
      return { heldMs: 7 }
    },
  } satisfies Pick<Database, 'kind' | 'copyWhileRunning'>
  const backups = new Backups({
    config: readConfig({ DATA_DIR: dataDir, ...env }),
    db: db as unknown as Database,
    log: createLog('silent'),
    clock: () => new Date('2026-03-01T09:30:00.125Z'),
  })
  return { backups, held: held.promise, letGo: letGo.resolve }
}

/** How the backup ended. */
function ended(backups: Backups) {
  return eventually(async () => backups.latest?.state !== 'running' && backups.latest, PATIENCE_MS)
}

describe('a backup of the running service', () => {
  it('a backup of the running service has a name that says so until it is whole', async () => {
    const { backups, held, letGo } = backupsOf({ SECRET_KEY: 'a key from the environment' })
    expect(backups.latest).toBeUndefined()
    const { name, state } = backups.begin()
    expect({ name, state }).toEqual({ name: '2026-03-01T09-30-00-125Z', state: 'running' })
    await held
    expect(readdirSync(inFolder('backups'))).toEqual([`${name}.part`])
    expect(existsSync(inFolder('backups', `${name}.part`, 'connect-backup.json'))).toBe(false)
    letGo()
    expect(await ended(backups)).toMatchObject({
      state: 'done',
      kept: ['database.watermark', 'spool', 'secret.key'],
      left: [expect.stringContaining('SECRET_KEY')],
      held_ms: 7,
      error: null,
    })
    expect(readdirSync(inFolder('backups'))).toEqual([name])
    expect(readdirSync(inFolder('backups', name)).toSorted()).toEqual([
      'connect-backup.json',
      'database.watermark',
      'secret.key',
      'spool',
    ])
  })

  it('only one backup is made at a time', async () => {
    const { backups, held, letGo } = backupsOf()
    const { name } = backups.begin()
    await held
    expect(() => backups.begin()).toThrow(`The backup ${name} is still being made. Wait until it is done.`)
    letGo()
    await ended(backups)
  })

  it('leaves nothing when the service stops, and none is begun then', async () => {
    const { backups, held, letGo } = backupsOf()
    backups.begin()
    await held
    const stopped = backups.stop()
    letGo()
    await stopped
    expect(backups.latest).toMatchObject({ state: 'failed', error: 'the service is stopping' })
    expect(readdirSync(inFolder('backups'))).toEqual([])
    expect(() => backups.begin()).toThrow(expect.objectContaining({ code: 'service-stopping-make-backup-later' }))
  })

  it('copies nothing when that would leave the service too little room', async () => {
    mkdirSync(inFolder('media', 'ab'), { recursive: true })
    writeFileSync(inFolder('media', 'ab', 'long.mp3'), '')
    truncateSync(inFolder('media', 'ab', 'long.mp3'), HUGE_BYTES)
    const { backups } = backupsOf()
    backups.begin()
    expect(await ended(backups)).toMatchObject({
      state: 'failed',
      error: expect.stringMatching(/MB free at .* it takes/),
    })
    expect(readdirSync(inFolder('backups'))).toEqual([])
  })

  it('removes at the start of the service what was left unfinished, and nothing else', () => {
    for (const name of ['2026-03-01T09-30-00-125Z.part', '2026-03-01T09-30-00-125Z', 'mine.part']) {
      mkdirSync(inFolder('backups', name), { recursive: true })
    }
    backupsOf().backups.start()
    expect(readdirSync(inFolder('backups')).toSorted()).toEqual(['2026-03-01T09-30-00-125Z', 'mine.part'])
  })
})

describe('the copier', () => {
  it('leaves out what is deleted meanwhile, and stops before a file for which there is no room', async () => {
    const copier = new FileCopier({ bytesFree: HUGE_BYTES })
    expect(await copier.file(inFolder('gone'), inFolder('copy'))).toBe(0)
    await copier.folder(inFolder('not there'), inFolder('empty'))
    expect(readdirSync(inFolder('empty'))).toEqual([])
    await expect(copier.file(inFolder('secret.key'), inFolder('copy'))).rejects.toThrow(/MB free at/)
    expect(existsSync(inFolder('copy'))).toBe(false)
  })
})

describe('over the API', () => {
  let app: TestApp
  let administrator: Caller

  beforeAll(async () => {
    app = await TestApp.start()
    administrator = await app.person([GROUP.internal, GROUP.connectAdmin])
  })
  afterAll(() => app.stop())

  it('backups are for managers, who cannot say where they go', async () => {
    for (const method of ['make_backup', 'read_backup']) {
      expect(await administrator.call('connect.settings', method)).toMatchObject({ status: 403 })
      const elsewhere = await app.admin.call('connect.settings', method, { folder: '/tmp' })
      expect(elsewhere).toMatchObject({ status: 422, text: expect.stringContaining('has no argument') })
    }
    expect(await app.admin.call('connect.settings', 'read_backup')).toMatchObject({ status: 404 })
  })
})
