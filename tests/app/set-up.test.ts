// What the steps of the set-up prove themselves with.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Emulators, startEmulators } from '../../emulators/start.ts'
import { type Caller, eventually, TestApp } from '../support/test-app.ts'

const NUMBER = '+14155550110'

let emulators: Emulators
let app: TestApp
let admin: Caller
let settings: number

beforeAll(async () => {
  emulators = await startEmulators({ telco: { numbers: [{ phoneNumber: NUMBER }] } })
  app = await TestApp.start({ env: { TELCO_BASE_URL: emulators.telco.url, LOG_LEVEL: 'silent' } })
  emulators.connectService({ publicUrl: 'https://pbx.example.com', deliverTo: app.url })
  admin = await app.person(['connect.group_admin', 'base.group_erp_manager'])
  const [id] = await admin.ask<number[]>('connect.settings', 'search')
  settings = id ?? 0
})
afterAll(async () => {
  await app.stop()
  await emulators.stop()
})

describe('the public address', () => {
  const check = () => admin.ask<{ reaches: boolean; sentence: string }>('connect.settings', 'check_address')

  it.each([
    [null, 'There is no public address yet.'],
    ['http://pbx.example.com', /not https/],
    ['https://127.0.0.1:8080', /Only this machine/],
    ['https://10.0.0.4', /Only this machine/],
  ])('the address %s does not reach us: %s', async (address, sentence) => {
    await admin.ask('connect.settings', 'write', { ids: [settings], vals: { api_url: address } })
    expect(await check()).toMatchObject({ reaches: false, sentence: expect.stringMatching(sentence) })
  })

  it("what pages ask by themselves is nobody's deed: the audit does not name it", async () => {
    await check()
    const domain = [['what', '=', 'check_address']]
    expect(await admin.ask('connect.audit', 'search_count', { domain })).toBe(0)
  })

  it('providers that are played here reach us, whatever the address', async () => {
    await admin.ask('connect.settings', 'write', { ids: [settings], vals: { api_url: 'https://pbx.example.com' } })
    expect(await check()).toMatchObject({ reaches: true })
  })
})

describe('a played call', () => {
  const play = (caller: Caller, number = NUMBER) => caller.call('connect.settings', 'play_call', { number })

  it('a call is played to a number of ours only, and comes in like any other', async () => {
    expect((await play(admin)).status).toBe(404)
    const { telco } = emulators
    const vals = { account_sid: telco.account.sid, auth_token: telco.account.authToken }
    await admin.ask('connect.settings', 'write', { ids: [settings], vals })
    await admin.ask('connect.settings', 'telco_sync')
    await eventually(async () => {
      const runs = await admin.ask<{ state: string }[]>('connect.sync_run', 'search_read', { fields: ['state'] })
      return runs[0]?.state === 'done'
    })
    expect((await play(admin)).body).toEqual({ since: 0 })
    await eventually(async () => {
      const calls = await admin.ask<number>('connect.call', 'search_count', { domain: [['called', '=', NUMBER]] })
      return calls === 1
    })
  })

  it('a call is played by administrators only, and the address is asked by them only', async () => {
    const user = await app.person(['connect.group_user'])
    expect((await play(user)).status).toBe(403)
    expect((await user.call('connect.settings', 'check_address')).status).toBe(403)
  })

  it('no call is played where the phone provider is no emulator', async () => {
    const real = await TestApp.start({ env: { TELCO_BASE_URL: 'https://telco.example.com' } })
    const other = await real.person(['connect.group_admin'])
    expect((await play(other)).status).toBe(422)
    await real.stop()
  })
})
