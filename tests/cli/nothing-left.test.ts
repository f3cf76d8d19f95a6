import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Ran, runCommand } from '../support/command.ts'
import { Place } from '../support/service-process.ts'

let place: Place

beforeAll(async () => {
  place = await Place.prepared()
})
afterAll(() => place.remove())

it('the doctor of a folder without an installation makes none', async () => {
  const folder = path.join(place.dataDir, 'nothing-here')
  const looked = await runCommand(['doctor'], { DATA_DIR: folder })
  expect(looked).toMatchObject({ code: 0, err: '', out: expect.stringContaining(`there is none in ${folder}`) })
  expect(existsSync(folder)).toBe(false)
})

describe('the local key', () => {
  it('the local key is one for all processes of an installation, however many new data folders they have', async () => {
    const first = await localKeyOf('first')
    expect(await localKeyOf('second')).toBe(first)
    expect(await localKeyOf('third')).toBe(first)
    expect(await listedKeys()).toHaveLength(1)
  })

  it('the local key is made anew after it was revoked', async () => {
    const before = await localKeyOf('fourth')
    const [key] = await listedKeys()
    await connect(['api-key', 'revoke', String(key?.id)])
    expect(await localKeyOf('fifth')).not.toBe(before)
  })
})

describe('a backup of another kind of database', () => {
  it.each([
    ['embedded', { DATABASE_URL: 'postgres://127.0.0.1:9/x' }, 'Restore it without DATABASE_URL'],
    ['server', {}, 'Set DATABASE_URL to that database'],
  ])('%s is refused, and nothing is touched', async (database, more, sentence) => {
    const [folder, dataDir] = [
      path.join(place.dataDir, `backup-${database}`),
      path.join(place.dataDir, `to-${database}`),
    ]
    mkdirSync(folder)
    writeFileSync(path.join(folder, 'connect-backup.json'), JSON.stringify({ kept: [], database }))
    const refused = await runCommand(['restore', folder], { DATA_DIR: dataDir, ...more })
    expect(refused).toMatchObject({ code: 3, out: '', err: expect.stringContaining(sentence) })
    expect(existsSync(dataDir)).toBe(false)
  })
})

/** The key that a process makes or finds which has a new data folder: on the embedded database one without a key file. */
async function localKeyOf(name: string): Promise<string> {
  const file = path.join(place.dataDir, 'local-admin.key')
  if (place.databaseUrl === undefined) {
    rmSync(file, { force: true })
    await connect(['migrate'])
    return readFileSync(file, 'utf8')
  }
  const dataDir = path.join(place.dataDir, name)
  expect(await runCommand(['migrate'], { ...place.env, DATA_DIR: dataDir })).toMatchObject({ code: 0, err: '' })
  return readFileSync(path.join(dataDir, 'local-admin.key'), 'utf8')
}

async function listedKeys(): Promise<{ id: number; name: string }[]> {
  const all = JSON.parse((await connect(['--json', 'api-key', 'list'])).out) as { id: number; name: string }[]
  return all.filter(({ name }) => name.startsWith('local-admin.key'))
}

function connect(args: readonly string[]): Promise<Ran> {
  return runCommand(args, place.env)
}
