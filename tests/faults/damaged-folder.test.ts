// A data folder that is not as the service left it: nothing is made anew over what is there, and a sentence says what to do.
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest'
import { openInstallation } from '../../src/cli/service/installation.ts'
import { readConfig } from '../../src/config.ts'
import { openEmbedded } from '../../src/database/embedded/embedded.ts'
import { createLog } from '../../src/log.ts'
import { hasKeyFile } from '../../src/platform/secrets/key-file.ts'
import { SERVER_URL } from '../support/database.ts'
import { Place } from '../support/service-process.ts'

/** Beyond what any log reaches in a test. */
const FAR_AWAY = 'FFFF/0'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'connect-damaged-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true, maxRetries: 10 }))

const inDatabase = (...names: string[]) => path.join(folder, 'database', ...names)

/** What the folder holds, to see that a refusal changed nothing; lock files come and go. */
function listFiles(): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => !name.startsWith('connect.lock'))
}

describe('a damaged data folder', () => {
  beforeEach(({ skip }) => {
    skip(SERVER_URL !== undefined, 'with a server there is no database in the data folder')
    cpSync(inject('template'), folder, { recursive: true })
    writeFileSync(path.join(folder, 'secret.key'), 'a key of this installation')
  })

  it.each<[string, () => void, RegExp]>([
    ['without PG_VERSION', () => rmSync(inDatabase('PG_VERSION')), /damaged: it has no PG_VERSION\. Restore a backup/],
    [
      'without a database beside its key',
      () => rmSync(inDatabase(), { recursive: true }),
      /holds secret\.key .* but not its database/,
    ],
    [
      'with an empty database folder',
      () => {
        rmSync(inDatabase(), { recursive: true })
        mkdirSync(inDatabase())
      },
      /holds secret\.key .* but not its database/,
    ],
    [
      'without pg_control',
      () => rmSync(inDatabase('global', 'pg_control')),
      /is damaged: the engine says .* Restore a backup/,
    ],
    [
      'without its log',
      () => rmSync(inDatabase('pg_wal'), { recursive: true }),
      /is damaged: the engine says .* Restore a backup/,
    ],
    [
      'without its tables',
      () => rmSync(inDatabase('base'), { recursive: true }),
      /is damaged: the engine says .* Restore a backup/,
    ],
    ['half restored', () => writeFileSync(path.join(folder, 'restore.unfinished'), ''), /was not restored to its end/],
  ])('%s is refused with a sentence', async (_what, damage, sentence) => {
    damage()
    await expect(openEmbedded(folder)).rejects.toThrow(sentence)
    expect(readFileSync(path.join(folder, 'secret.key'), 'utf8')).toBe('a key of this installation')
  })

  it('refused for want of PG_VERSION keeps every file', async () => {
    rmSync(inDatabase('PG_VERSION'))
    const before = listFiles()
    await expect(openEmbedded(folder)).rejects.toThrow('no PG_VERSION')
    expect(listFiles()).toEqual(before)
  })

  it('a damaged data folder whose log ends before it had ended says so and serves', async () => {
    const db = await openEmbedded(folder)
    expect(db.loss).toBeUndefined()
    await db.close()
    expect(readFileSync(path.join(folder, 'database.watermark'), 'utf8')).toMatch(/^[0-9A-F]+\/[0-9A-F]+\n$/)
    const again = await openEmbedded(folder)
    expect(again.loss).toBeUndefined()
    await again.close()
    writeFileSync(path.join(folder, 'database.watermark'), FAR_AWAY)
    const shorter = await openEmbedded(folder)
    expect(shorter.loss).toMatch(/The end of the log .* is missing .* had reached FFFF\/0/)
    await shorter.close()
  })
})

describe('a data folder without its key', () => {
  it('a data folder without its key gets no new one while the database holds secrets', async () => {
    const place = await Place.prepared()
    try {
      const { SECRET_KEY: _key, ...env } = place.env
      const config = readConfig(env)
      const opening = openInstallation(config, createLog('silent'))
      await expect(opening).rejects.toThrow(/holds secrets, but DATA_DIR has no secret\.key and SECRET_KEY is not set/)
      expect(hasKeyFile(place.dataDir)).toBe(false)
    } finally {
      await place.remove()
    }
  })
})
