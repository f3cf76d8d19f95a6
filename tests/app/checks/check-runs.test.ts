// The checks, run from the page by the service itself, beside both providers.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Emulators, startEmulators } from '../../../emulators/start.ts'
import type { Queryable } from '../../../src/database/database.ts'
import { sql } from '../../../src/database/drizzle.ts'
import { type Caller, eventually, TestApp } from '../../support/test-app.ts'

interface CheckRun {
  id: number
  state: string
  ended_at: string | null
  findings: { check: string; result: string; sentence: string; fix: string; setting?: string }[] | null
}

let emulators: Emulators
let app: TestApp
let admin: Caller

beforeAll(async () => {
  emulators = await startEmulators()
  const { telco, voiceai } = emulators
  app = await TestApp.start({
    env: { TELCO_BASE_URL: telco.url, VOICEAI_BASE_URL: voiceai.url, LOG_LEVEL: 'silent' },
  })
  admin = await app.person(['connect.group_admin'])
  await set({
    api_url: null,
    account_sid: telco.account.sid,
    auth_token: telco.account.authToken,
    telco_verify_requests: true,
  })
})
afterAll(async () => {
  await app.stop()
  await emulators.stop()
})

async function set(vals: object): Promise<void> {
  const [id] = await app.admin.ask<number[]>('connect.settings', 'search')
  await app.admin.ask('connect.settings', 'write', { ids: [id], vals })
}

async function readRun(caller: Caller, id: number): Promise<CheckRun> {
  const [run] = await caller.ask<CheckRun[]>('connect.check_run', 'read', { ids: [id] })
  if (run === undefined) throw new Error(`there is no run ${id}`)
  return run
}

async function check(): Promise<CheckRun> {
  const { run_id: id } = await admin.ask<{ run_id: number }>('connect.settings', 'run_checks')
  await eventually(async () => (await readRun(admin, id)).state !== 'running')
  return readRun(admin, id)
}

/** A run as the first press makes it; the service does not work on it. */
async function insertRunning(tx: Queryable): Promise<number> {
  const [row] = await tx.query<{ id: number }>(
    sql`insert into connect_check_run (state, started_at) values ('running', now() at time zone 'utc') returning id`,
  )
  return Number(row?.id)
}

/** How many transactions of this database wait for an advisory lock. */
async function countWaiting(tx: Queryable): Promise<number> {
  const [row] = await tx.query<{ count: number }>(
    sql`select count(*) as count from pg_locks l join pg_database d on d.oid = l.database
        where l.locktype = 'advisory' and not l.granted and d.datname = current_database()`,
  )
  return Number(row?.count)
}

function countRunning(): Promise<number> {
  return admin.ask<number>('connect.check_run', 'search_count', { domain: [['state', '=', 'running']] })
}

describe('a run of the checks', () => {
  it('a run says what is wrong, what sets it right and in which setting, and no secret', async () => {
    const run = await check()
    expect(run).toMatchObject({ state: 'done', ended_at: expect.any(String) })
    expect(run.findings).toContainEqual(expect.objectContaining({ check: 'service', result: 'ok' }))
    expect(run.findings).toContainEqual(expect.objectContaining({ check: 'telephony signature', result: 'ok' }))
    expect(run.findings).toContainEqual({
      check: 'public address',
      result: 'wrong',
      sentence: 'The public address is not set, so Twilio and ElevenLabs cannot call Connect',
      fix: expect.stringContaining('api_url'),
      setting: 'api_url',
    })
    expect(JSON.stringify(run)).not.toContain(emulators.telco.account.authToken)
  })

  it('a run sees what was changed since', async () => {
    await set({ telco_verify_requests: false })
    const { findings } = await check()
    const found = { check: 'telephony signature', result: 'wrong', setting: 'telco_verify_requests' }
    expect(findings).toContainEqual(expect.objectContaining(found))
    await set({ telco_verify_requests: true })
  })

  it('a run that is under way is the answer, and not for ever one that was cut off', async () => {
    const id = await app.db.transaction(insertRunning)
    expect(await admin.ask('connect.settings', 'run_checks')).toEqual({ run_id: id })
    expect(await countRunning()).toBe(1)
    await app.db.script(
      "update connect_check_run set started_at = started_at - interval '11 minutes' where state = 'running'",
    )
    const anew = await check()
    expect(anew).toMatchObject({ state: 'done' })
    expect(anew.id).not.toBe(id)
    expect(await readRun(admin, id)).toMatchObject({ state: 'failed' })
    expect(await countRunning()).toBe(0)
  })

  it('a second press at the same moment waits for the first, and is answered its run', async () => {
    const before = await admin.ask<number>('connect.check_run', 'search_count')
    const { id, pressed } = await app.db.transaction(async (tx) => {
      await tx.query(sql`select pg_advisory_xact_lock(hashtext('connect.check_run'))`)
      const first = await insertRunning(tx)
      const second = admin.ask('connect.settings', 'run_checks')
      // The embedded engine has one connection: there the second press waits for this transaction as it is.
      if (app.db.kind !== 'embedded') await eventually(async () => (await countWaiting(tx)) > 0)
      return { id: first, pressed: { second } }
    })
    expect(await pressed.second).toEqual({ run_id: id })
    expect(await admin.ask<number>('connect.check_run', 'search_count')).toBe(before + 1)
    await app.db.script("update connect_check_run set state = 'failed' where state = 'running'")
  })

  it('a run is for administrators, who cannot write one themselves', async () => {
    const user = await app.person(['connect.group_user', 'base.group_user'])
    expect((await user.call('connect.settings', 'run_checks')).status).toBe(403)
    expect((await user.call('connect.check_run', 'search_read')).status).toBe(403)
    const values = { state: 'done', started_at: '2026-03-02 09:00:00' }
    expect((await admin.call('connect.check_run', 'create', { vals_list: values })).status).toBe(403)
  })
})
