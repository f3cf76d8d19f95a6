// What a change of the settings sets off, who wrote a secret, and what the installation is called.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { aVoiceAgent } from '../fixtures/records.ts'
import { type Caller, TestApp } from '../support/test-app.ts'

interface Impact {
  pushes: { provider: string; what: string; count: number }[]
  carriers: { provider: string; what: string; count: number }[]
  calls_with_agents: number
}

let app: TestApp
let manager: Caller
let admin: Caller
let settings: number
const now = new Date('2030-03-04T05:06:07Z')

beforeAll(async () => {
  app = await TestApp.start({ clock: () => now })
  manager = await app.person(['base.group_erp_manager', 'connect.group_admin'], { login: 'grace' })
  admin = await app.person(['connect.group_admin'])
  const [id] = await manager.ask<number[]>('connect.settings', 'search')
  settings = id ?? 0
})
afterAll(() => app.stop())

describe('the impact of a change', () => {
  const impact = (vals: object) => admin.ask<Impact>('connect.settings', 'impact', { vals })

  it('a new public address is pushed into whatever carries it, the same one into nothing', async () => {
    const vals = { account_sid: 'AC00000000000000000000000000000001' }
    await manager.ask('connect.settings', 'write', { ids: [settings], vals })
    const [tools, number] = [
      await app.db.script(`update connect_voiceai_agent_tool set tool_id = 'tool_' || id where tool_type <> 'system'`),
      await app.db.script(`insert into connect_telco_number (phone_number, sid) values ('+14155550110', 'PN1')`),
    ]
    expect([tools, number]).toHaveLength(2)
    const [row] = await app.admin.ask<{ api_url: string }[]>('connect.settings', 'read', {
      ids: [settings],
      fields: ['api_url'],
    })
    expect((await impact({ api_url: row?.api_url })).pushes).toEqual([])
    const { pushes, carriers } = await impact({ api_url: 'https://other.example.com' })
    expect(pushes).toEqual(carriers)
    expect(pushes).toContainEqual({ provider: 'telco', what: 'numbers', count: 1 })
    expect(pushes).toContainEqual({ provider: 'voiceai', what: 'webhooks', count: 2 })
    expect((await impact({ telco_region: 'ie1' })).pushes.map(({ provider }) => provider)).not.toContain('voiceai')
    expect((await impact({ company_name: 'Miller' })).pushes).toEqual([])
  })

  it('calls that are with an agent at this moment are counted', async () => {
    expect((await impact({})).calls_with_agents).toBe(0)
    const agent = await aVoiceAgent(app, 'agent_impact')
    const call = await app.admin.ask<number>('connect.call', 'create', {
      vals_list: { caller: '+14155550100', called: '+14155550110', direction: 'incoming', status: 'in-progress' },
    })
    await app.db.script(`update connect_call set voiceai_agent = ${agent} where id = ${call}`)
    expect((await impact({})).calls_with_agents).toBe(1)
    await app.db.script(`update connect_call set status = 'completed' where id = ${call}`)
    expect((await impact({})).calls_with_agents).toBe(0)
  })

  it('the impact is told to administrators and managers only', async () => {
    const other = await app.person(['connect.group_user'])
    expect((await other.call('connect.settings', 'impact', { vals: {} })).status).toBe(403)
  })
})

describe('a secret of the settings', () => {
  it('a secret that is set says when and by whom, one that is taken away nothing, and a mask changes nothing', async () => {
    const read = async () => {
      const [row] = await admin.ask<{ secrets_set: Record<string, unknown> }[]>('connect.settings', 'read', {
        ids: [settings],
        fields: ['secrets_set'],
      })
      return row?.secrets_set
    }
    const write = (vals: object) => manager.ask('connect.settings', 'write', { ids: [settings], vals })
    await write({ display_auth_token: 'a'.repeat(32), telco_api_secret: 'b'.repeat(32) })
    const set = { at: '2030-03-04 05:06:07', by: 'grace' }
    expect(await read()).toMatchObject({ auth_token: set, telco_api_secret: set })
    await write({ display_auth_token: '****', telco_api_secret: null })
    expect(await read()).toMatchObject({ auth_token: set, telco_api_secret: null })
    await expect(write({ secrets_set: {} })).rejects.toThrow()
  })
})

describe('the installation', () => {
  it('the name and zone of the company are told to the person who is signed in; a zone that is none is refused', async () => {
    const vals = { company_name: 'Miller & Sons', tz: 'Europe/Zurich' }
    await admin.ask('connect.settings', 'write', { ids: [settings], vals })
    const { body } = await app.request('/api/me', { headers: { authorization: `bearer ${admin.key}` } })
    expect(body).toMatchObject({ installation: { name: 'Miller & Sons', tz: 'Europe/Zurich' } })
    const wrong = await admin.call('connect.settings', 'write', { ids: [settings], vals: { tz: 'Nowhere' } })
    expect(wrong.status).toBe(422)
  })
})
