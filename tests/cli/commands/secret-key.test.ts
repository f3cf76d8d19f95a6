import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { settingsFileOf } from '../../../src/app/settings.ts'
import { openInstallation } from '../../../src/cli/service/installation.ts'
import { readConfig } from '../../../src/config.ts'
import type { Database } from '../../../src/database/database.ts'
import { sql } from '../../../src/database/drizzle.ts'
import { createLog } from '../../../src/log.ts'
import { findKeyByHash, hashKey } from '../../../src/platform/identity/api-keys.ts'
import type { Models } from '../../../src/platform/model/declaration.ts'
import { changeKey } from '../../../src/platform/secrets/key-file.ts'
import { checkSecrets, renewSecrets } from '../../../src/platform/secrets/renew-secrets.ts'
import { cipherOf, openCipher, secretPlace } from '../../../src/platform/secrets/secrets.ts'
import { CommandProcess, runCommand } from '../../support/command.ts'
import { SERVER_URL, TEST_CIPHER } from '../../support/database.ts'
import { Place, ServiceProcess } from '../../support/service-process.ts'

/** The text behind TEST_CIPHER. */
const KEY = 'the secret key of the tests'
const NEW_KEY = 'another key of the tests'
const API_KEY = 'an API key nobody may see'
/** More than are renewed at once, so that a run can be killed between them. */
const PHONES = 700

const ONE_PROCESS = 'the embedded database has one process'
let place: Place

beforeEach(async () => {
  place = await Place.prepared()
})
afterEach(() => place.remove())

const file = (name: string) => path.join(place.dataDir, name)

/** The environment of an installation whose key is in its folder. */
function withKeyFile(): Record<string, string> {
  if (!existsSync(file('secret.key'))) writeFileSync(file('secret.key'), KEY, { mode: 0o600 })
  const { SECRET_KEY: _none, ...env } = place.env
  return env
}

const CHANGE = ['--json', 'secret-key', 'change']
const change = (env: Record<string, string>) => runCommand(CHANGE, env)

/** Works on the installation while nobody serves it. */
async function inside<Result>(
  env: Record<string, string>,
  work: (db: Database, models: Models) => Promise<Result>,
): Promise<Result> {
  const { app, db } = await openInstallation(readConfig(env), createLog('silent'))
  try {
    return await work(db, app.platform.models)
  } finally {
    await app.stop()
    await db.close()
  }
}

/** Gives the installation an API key in its settings, and phone users with passwords. */
async function addSecrets(db: Database, phones: number): Promise<void> {
  const users = await db.query<{ id: number; login: string }>(
    sql`insert into res_users (login, name) select 'phone' || each, 'Phone' from generate_series(1, ${phones}::int) each
      returning id, login`,
  )
  const rows = users.map(({ id, login }) => ({ id, login, password: sealed('connect_user', 'password', id, login) }))
  await db.query(
    sql`insert into connect_user (id, "user", username, password, sip_priority, sip_ring_timeout, client_priority,
        client_ring_timeout, language, telco_edge)
      select id, id, login, password, '2', 30, '1', 10, 'en-US', 'roaming'
      from json_to_recordset(${JSON.stringify(rows)}::json) as given(id bigint, login text, password text)`,
  )
  const [settings] = await db.query<{ id: number }>(sql`select id from connect_settings`)
  const apiKey = sealed('connect_settings', 'voiceai_api_key', settings?.id ?? 0, API_KEY)
  await db.query(sql`update connect_settings set voiceai_api_key = ${apiKey}`)
}

function sealed(table: string, field: string, id: number, plain: string): string {
  return TEST_CIPHER.encrypt(plain, secretPlace(table, field, id))
}

/** Every secret is read with this key alone, and says what it said. */
async function expectUnder(key: string, db: Database, models: Models, phones: number): Promise<void> {
  const cipher = cipherOf(key)
  expect(await checkSecrets(db, models, cipher)).toMatchObject({ renewed: 0, unreadable: [] })
  const rows = await db.query<{ id: number; username: string; password: string }>(
    sql`select id, username, password from connect_user where username like 'phone%'`,
  )
  expect(rows).toHaveLength(phones)
  for (const { id, username, password } of rows)
    expect(cipher.decrypt(password, secretPlace('connect_user', 'password', id))).toBe(username)
  const [settings] = await db.query<{ id: number; stored: string }>(
    sql`select id, voiceai_api_key as stored from connect_settings`,
  )
  const place = secretPlace('connect_settings', 'voiceai_api_key', settings?.id ?? 0)
  expect(cipher.decrypt(settings?.stored ?? '', place)).toBe(API_KEY)
}

const keyNow = () => readFileSync(file('secret.key'), 'utf8').trim()

describe('a key in the data folder', () => {
  it('a key in the data folder is replaced, every secret follows, and no key is printed', async () => {
    const env = withKeyFile()
    await inside(env, (db) => addSecrets(db, 3))
    const localKey = place.localKey
    const ran = await new CommandProcess(CHANGE, env).ended()
    expect(ran).toMatchObject({ code: 0, err: '' })
    expect(keyNow()).not.toBe(KEY)
    // It can be derived from the key of the secrets and the database.
    await inside(env, async (db) => {
      expect(await findKeyByHash(db, hashKey(localKey))).toBeUndefined()
      expect(await findKeyByHash(db, hashKey(place.localKey))).toBeDefined()
    })
    expect(existsSync(file('secret.key.old'))).toBe(false)
    for (const key of [KEY, keyNow(), API_KEY]) expect(ran.out + ran.err).not.toContain(key)
    expect(statSync(file('secret.key')).mode & 0o777).toBe(0o600)
    await inside(env, (db, models) => expectUnder(keyNow(), db, models, 3))
    await inside(env, async (db, models) => {
      expect((await checkSecrets(db, models, cipherOf(KEY))).unreadable.length).toBeGreaterThan(3)
    })
  })

  it('a key in the data folder is not changed under a running service, which would go on writing with the old one', async () => {
    const env = withKeyFile()
    const service = await ServiceProcess.start(env)
    expect(await change(env)).toMatchObject({ code: 3, err: expect.stringContaining('stop it first') })
    expect(keyNow()).toBe(KEY)
    await service.stop()
  })

  it('a key in the data folder is not changed while another process is at work on the server', async ({ skip }) => {
    skip(SERVER_URL === undefined, ONE_PROCESS)
    const env = withKeyFile()
    const service = await ServiceProcess.start(place.env)
    // As on another machine: this data folder knows nothing of it.
    rmSync(file('connect.address'))
    const ran = await new CommandProcess(CHANGE, env).ended()
    expect(ran).toMatchObject({ code: 3, err: expect.stringContaining('Other processes') })
    expect(keyNow()).toBe(KEY)
    await service.stop()
  })

  it('stays when a secret cannot be read with it, and the secret is named', async () => {
    const env = withKeyFile()
    await inside(env, async (db) => {
      await addSecrets(db, 1)
      const foreign = cipherOf(NEW_KEY).encrypt('lost', 'anywhere')
      await db.query(sql`update connect_user set password = ${foreign} where username = 'phone1'`)
    })
    const ran = await change(env)
    expect(ran).toMatchObject({ code: 3, err: expect.stringMatching(/connect_user\.password#\d+/) })
    expect(keyNow()).toBe(KEY)
    expect(existsSync(file('secret.key.old'))).toBe(false)
  })
})

describe('the settings by which a start without its server knows who sends', () => {
  it('follow a change of the key file', async ({ skip }) => {
    skip(SERVER_URL === undefined, 'the embedded database is there whenever the service is')
    const env = withKeyFile()
    expect(await change(env)).toMatchObject({ code: 0 })
    await inside(env, async (db) => {
      const cipher = cipherOf(keyNow())
      const file = settingsFileOf({ dataDir: place.dataDir, cipher, database: db.place })
      expect(file.read()).toMatchObject({ voiceaiAgentToken: expect.any(String) })
    })
  })
})

describe('a change that was interrupted', () => {
  it('a change that was interrupted by kill -9 while rows are renewed is ended by the next start', async () => {
    const env = withKeyFile()
    await inside(env, (db) => addSecrets(db, PHONES))
    const command = new CommandProcess(CHANGE, env)
    while (keyNow() === KEY) await new Promise((resolve) => setImmediate(resolve))
    command.child.kill('SIGKILL')
    await command.ended()
    const service = await ServiceProcess.start(env)
    await service.stop()
    expect(existsSync(file('secret.key.old'))).toBe(false)
    await inside(env, (db, models) => expectUnder(keyNow(), db, models, PHONES))
  })

  it('between two pages of rows reads all of them with both keys, and is ended by the next run', async () => {
    const env = withKeyFile()
    await inside(env, async (db, models) => {
      await addSecrets(db, PHONES)
      changeKey(place.dataDir)
      const cipher = openCipher(readConfig(env))
      await expect(renewSecrets(diesAfter(db, 4), models, cipher)).rejects.toThrow('killed')
      const found = await checkSecrets(db, models, cipher)
      expect(found.unreadable).toEqual([])
      expect(found.renewed).toBeGreaterThan(0)
      expect(found.renewed).toBeLessThan(found.stored)
    })
    expect(await change(env)).toMatchObject({ code: 0 })
    await inside(env, (db, models) => expectUnder(keyNow(), db, models, PHONES))
  })

  it('before the new key was there leaves the old one in force', async () => {
    const env = withKeyFile()
    await inside(env, (db) => addSecrets(db, 1))
    writeFileSync(file('secret.key.old'), KEY, { mode: 0o600 })
    await inside(env, (db, models) => expectUnder(KEY, db, models, 1))
    expect(keyNow()).toBe(KEY)
    expect(existsSync(file('secret.key.old'))).toBe(false)
  })
})

describe('a key from the environment', () => {
  it('a key from the environment is changed with the old one beside it; what is to be set where is said, and no key', async () => {
    await inside(place.env, (db) => addSecrets(db, 2))
    const asked = await change(place.env)
    expect(asked).toMatchObject({ code: 3, err: expect.stringContaining('SECRET_KEY_OLD') })
    const both = { ...place.env, SECRET_KEY: NEW_KEY, SECRET_KEY_OLD: KEY }
    const ran = await new CommandProcess(CHANGE, both).ended()
    expect(ran).toMatchObject({ code: 0, out: expect.stringContaining('every process') })
    for (const key of [KEY, NEW_KEY, API_KEY]) expect(ran.out + ran.err).not.toContain(key)
    await inside({ ...place.env, SECRET_KEY: NEW_KEY }, (db, models) => expectUnder(NEW_KEY, db, models, 2))
    const old = await ServiceProcess.refused(place.env)
    expect(old).toMatchObject({ code: 1, err: expect.stringContaining('SECRET_KEY') })
  })

  it('a key from the environment is taken over by a start that is given both', async () => {
    await inside(place.env, (db) => addSecrets(db, 1))
    const both = { ...place.env, SECRET_KEY: NEW_KEY, SECRET_KEY_OLD: KEY }
    await (await ServiceProcess.start(both)).stop()
    await inside({ ...place.env, SECRET_KEY: NEW_KEY }, (db, models) => expectUnder(NEW_KEY, db, models, 1))
  })
})

/** A database whose process is killed after so many transactions. */
function diesAfter(db: Database, transactions: number): Database {
  let left = transactions
  const transaction: Database['transaction'] = (work) => {
    left -= 1
    return left < 0 ? Promise.reject(new Error('killed')) : db.transaction(work)
  }
  return { ...db, transaction }
}
