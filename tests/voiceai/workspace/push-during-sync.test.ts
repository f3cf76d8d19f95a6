import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventually } from '../../support/test-app.ts'
import { SyncApp } from '../sync/sync-app.ts'

let at: SyncApp

beforeAll(async () => {
  at = await SyncApp.start()
  await at.setUp()
})
afterAll(() => at.stop())

test('tools that are pushed during a SYNC, one of them for an agent, are made once', async () => {
  const release = Promise.withResolvers<void>()
  at.fake.fail({ method: 'POST', path: /convai\/tools$/, times: 1, before: () => release.promise })
  const { run_id: id } = await at.app.admin.ask<{ run_id: number }>('connect.settings', 'voiceai_sync')
  await eventually(async () => at.fake.requests().some((request) => /POST .*convai\/tools$/.test(request)))
  const [changed, attached] = [await at.toolId('helpdesk_update_ticket'), await at.toolId('transfer_to_exten')]
  await at.write('connect.voiceai_agent_tool', changed, { description: 'Changes a ticket.' })
  const agent = await at.makeAgent({ tools: [[6, 0, [attached]]] })
  await eventually(async () => (await at.read('connect.voiceai_agent', agent, ['agent_uid'])).agent_uid)
  await eventually(async () => at.fake.toolNamed('helpdesk_update_ticket'))
  release.resolve()
  expect(await at.ended(id)).toMatchObject({ state: 'done', errors: [] })
  await at.settled()
  const stored = await at.app.admin.ask<{ tool_id: string }[]>('connect.voiceai_agent_tool', 'search_read', {
    domain: [['tool_type', '!=', 'system']],
    fields: ['tool_id'],
  })
  expect([...at.fake.tools.keys()].sort()).toEqual(stored.map((tool) => tool.tool_id).sort())
  expect(at.fake.requests().filter((request) => /POST .*convai\/tools$/.test(request))).toHaveLength(stored.length)
  expect(at.fake.agents.size).toBe(1)
})
