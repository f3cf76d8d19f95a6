import { execFile } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, rmSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { createServerDatabase, dropServerDatabase, SERVER_URL } from '../support/database.ts'

const MAIN = fileURLToPath(new URL('../../src/cli/main.ts', import.meta.url))
/** The text behind TEST_CIPHER, as an installation would be given it. */
const SECRET_KEY = 'the secret key of the tests'
const SECRET = 'an API key nobody may see'
/** Each command is a process of its own that opens the installation; a loaded machine takes its time. */
const COMMANDS_TIMEOUT_MS = 120_000

interface Ran {
  code: number
  out: string
  err: string
}

let dataDir: string
let databaseUrl: string | undefined

beforeAll(async () => {
  dataDir = path.join(path.dirname(inject('template')), 'cli-data')
  mkdirSync(dataDir, { recursive: true })
  if (SERVER_URL === undefined) cpSync(inject('template'), dataDir, { recursive: true })
  else databaseUrl = await createServerDatabase()
})
afterAll(async () => {
  rmSync(dataDir, { recursive: true, force: true, maxRetries: 10 })
  if (databaseUrl !== undefined) await dropServerDatabase(databaseUrl)
})

describe('the command line on a data folder that nobody serves', { timeout: COMMANDS_TIMEOUT_MS }, () => {
  it('tells what there is, and exits with 2 for what there is not', async () => {
    const help = await connect(['--help'])
    for (const command of ['serve', 'worker', 'migrate', 'sync', 'doctor', 'backup', 'restore', 'export']) {
      expect(help.out).toContain(command)
    }
    expect(help.code).toBe(0)
    const unknown = await connect(['nothing'])
    expect(unknown.code).toBe(2)
    expect(unknown.err).toContain("unknown command 'nothing'")
  })

  it('changes a setting, takes a secret from standard input, and never prints one', async () => {
    expect((await connect(['settings', 'set', 'telco_edge', 'dublin'])).code).toBe(0)
    const set = await connect(['settings', 'set', 'voiceai_api_key'], SECRET)
    expect(set).toMatchObject({ code: 0 })
    const all = await connect(['--json', 'settings', 'get'])
    expect(JSON.parse(all.out)).toMatchObject({
      telco_edge: 'dublin',
      voiceai_api_key: '****',
      voiceai_agent_token: '****',
    })
    expect(all.out + all.err + set.out + set.err).not.toContain(SECRET)
  })

  it('refuses with a sentence and 3', async () => {
    const wrong = await connect(['settings', 'set', 'telco_edge', 'atlantis'])
    expect(wrong.code).toBe(3)
    expect(wrong.err).toContain('telco_edge')
    const missing = await connect(['call', 'show', '4711'])
    expect(missing).toMatchObject({ code: 3, err: 'There is no call 4711.\n' })
  })

  it('creates a user with a key, once', async () => {
    const created = await connect(['--json', 'user', 'create', 'bob', '--no-password', '--group', 'connect.group_user'])
    expect(JSON.parse(created.out)).toMatchObject({ login: 'bob' })
    const key = JSON.parse((await connect(['--json', 'api-key', 'create', 'bob', 'laptop'])).out) as {
      id: number
      key: string
    }
    expect(key.key).toMatch(/^ck_/)
    const listed = await connect(['--json', 'api-key', 'list'])
    expect(listed.out).toContain('laptop')
    expect(listed.out).not.toContain(key.key)
    expect((await connect(['api-key', 'revoke', String(key.id)])).code).toBe(0)
    expect((await connect(['--json', 'api-key', 'list'])).out).not.toContain('laptop')
  })

  it('backs an installation up and restores it, moving aside what is there', async () => {
    const folder = `${dataDir}-backup`
    expect((await connect(['backup', folder])).code).toBe(0)
    expect((await connect(['backup', folder])).err).toContain('is not empty')
    await connect(['settings', 'set', 'telco_edge', 'tokyo'])
    const restored = await connect(['restore', folder])
    expect(restored.code).toBe(0)
    // On a server only the files of the folder are restored; its database is pg_dump's.
    const edge = databaseUrl === undefined ? 'dublin' : 'tokyo'
    expect((await connect(['settings', 'get', 'telco_edge'])).out.trim()).toBe(edge)
    expect(existsSync(path.join(folder, 'connect-backup.json'))).toBe(true)
    rmSync(folder, { recursive: true, force: true })
  })
})

function connect(args: readonly string[], input = ''): Promise<Ran> {
  const env = {
    PATH: process.env.PATH ?? '',
    DATA_DIR: dataDir,
    SECRET_KEY,
    ...(databaseUrl === undefined ? {} : { DATABASE_URL: databaseUrl }),
  }
  return new Promise((resolve) => {
    const child = execFile(process.execPath, [MAIN, ...args], { env }, (error, out, err) => {
      resolve({ code: error === null ? 0 : Number(error.code), out, err })
    })
    child.stdin?.end(input)
  })
}
