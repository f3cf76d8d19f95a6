// The checks, run from the page by the service itself, beside both providers.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Emulators, startEmulators } from '../../../emulators/start.ts'
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

describe('a run of the checks', () => {
  it('a run says what is wrong, what sets it right and in which setting, and no secret', async () => {
    const run = await check()
    expect(run).toMatchObject({ state: 'done', ended_at: expect.any(String) })
    expect(run.findings).toContainEqual(expect.objectContaining({ check: 'service', result: 'ok' }))
    expect(run.findings).toContainEqual(expect.objectContaining({ check: 'telephony signature', result: 'ok' }))
    expect(run.findings).toContainEqual({
      check: 'public address',
      result: 'wrong',
      sentence: 'api_url is not set, so no provider can reach us',
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

  it('a run is refused beside another one, and not for ever by one that was cut off', async () => {
    const row = "insert into connect_check_run (state, started_at) values ('running', now() at time zone 'utc')"
    await app.db.script(row)
    const refused = await admin.call('connect.settings', 'run_checks')
    expect(refused.status).toBe(409)
    expect(refused.body).toMatchObject({ message: expect.stringContaining('running already') })
    await app.db.script(
      "update connect_check_run set started_at = started_at - interval '11 minutes' where state = 'running'",
    )
    expect(await check()).toMatchObject({ state: 'done' })
    const left = await admin.ask<number>('connect.check_run', 'search_count', { domain: [['state', '=', 'running']] })
    expect(left).toBe(0)
  })

  it('a run is for administrators, who cannot write one themselves', async () => {
    const user = await app.person(['connect.group_user', 'base.group_user'])
    expect((await user.call('connect.settings', 'run_checks')).status).toBe(403)
    expect((await user.call('connect.check_run', 'search_read')).status).toBe(403)
    const values = { state: 'done', started_at: '2026-03-02 09:00:00' }
    expect((await admin.call('connect.check_run', 'create', { vals_list: values })).status).toBe(403)
  })
})
