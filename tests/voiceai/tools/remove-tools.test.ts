import { afterAll, beforeAll, expect, test } from 'vitest'
import { SyncApp } from '../sync/sync-app.ts'

const FOREIGN = { type: 'webhook', name: 'crm', description: 'x', api_schema: { url: 'https://crm.example.com/x' } }
let at: SyncApp
let agent: number

beforeAll(async () => {
  at = await SyncApp.start()
  await at.setUp()
  expect((await at.run()).state).toBe('done')
  agent = await at.makeAgent({ tools: [await at.toolId('helpdesk_create_ticket')] })
  await at.settled()
})
afterAll(() => at.stop())

test('our tools go at the platform, also forgotten ones, and nobody else’s; the next push makes them anew', async () => {
  at.fake.tools.set('tool_foreign', FOREIGN)
  at.fake.tools.set('tool_forgotten', at.fake.toolNamed('helpdesk_create_ticket')?.config ?? {})
  const count = at.fake.tools.size
  const run = await at.run('voiceai_remove_tools')
  expect(run).toMatchObject({ state: 'done', errors: [], counts: { tools: { removed: count - 1 } } })
  expect([...at.fake.tools.keys()]).toEqual(['tool_foreign'])
  const tool = await at.read('connect.voiceai_agent_tool', await at.toolId('helpdesk_create_ticket'), [
    'tool_id',
    'synced',
  ])
  expect(tool).toMatchObject({ tool_id: null, synced: false })
  expect(await at.read('connect.voiceai_agent', agent, ['synced'])).toMatchObject({ synced: false })
  expect((await at.run()).state).toBe('done')
  expect(at.fake.tools.size).toBe(count - 1)
  expect(await at.read('connect.voiceai_agent', agent, ['synced'])).toMatchObject({ synced: true })
})

test('a tool that cannot be removed is named, and the others go', async () => {
  const { id } = at.fake.toolNamed('create_partner') ?? {}
  at.fake.fail({ method: 'DELETE', path: new RegExp(`tools/${id}`), status: 403 })
  const run = await at.run('voiceai_remove_tools')
  expect(run).toMatchObject({ state: 'failed', errors: [{ name: 'create_partner' }, { name: 'create_partner' }] })
  expect(at.fake.toolNamed('create_partner')?.id).toBe(id)
  expect(at.fake.tools.size).toBe(2)
})
