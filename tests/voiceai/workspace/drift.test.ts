import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { syncJobs } from '../../../src/sync/jobs.ts'
import { VOICEAI_SYNC } from '../../../src/voiceai/workspace/provider.ts'
import { type Run, SyncApp } from '../sync/sync-app.ts'

type Json = Record<string, unknown>

let at: SyncApp
let agentUid: string

beforeAll(async () => {
  at = await SyncApp.start()
  await at.setUp()
  expect((await at.run()).state).toBe('done')
  await at.makeAgent({ tools: [await at.toolId('create_partner')] })
  await at.settled()
})
beforeEach(async () => {
  at.fake.calm()
  expect((await at.run()).state).toBe('done')
  agentUid = [...at.fake.agents.keys()][0] ?? ''
  at.fake.calm()
})
afterAll(() => at.stop())

async function differences(): Promise<string[]> {
  const run = await at.run('voiceai_check')
  const count = run.differences.length
  expect(run).toMatchObject({
    state: 'done',
    summary:
      count === 0
        ? 'Everything is in sync.'
        : `Differs from ElevenLabs in ${count} ${count === 1 ? 'place' : 'places'}.`,
  })
  return run.differences.map(({ what, name, message }) => `${what} ${name ?? ''}: ${message}`)
}

function changeTool(name: string, change: (schema: Json) => Json): void {
  const { id = '', config = {} } = at.fake.toolNamed(name) ?? {}
  at.fake.tools.set(id, { ...config, api_schema: change(config.api_schema as Json) })
}

test('right after SYNC there is no difference, and nothing is changed by looking', async () => {
  expect(await differences()).toEqual([])
  expect(at.fake.requests()).toEqual([])
})

test('finds tools that are gone, elsewhere, without the token, with another token, or there twice', async () => {
  at.fake.tools.delete(at.fake.toolNamed('helpdesk_fetch_ticket')?.id ?? '')
  changeTool('create_partner', (schema) => ({ ...schema, url: 'https://old.example.com/x' }))
  changeTool('calendar_create_event', (schema) => ({ ...schema, request_headers: {} }))
  changeTool('transfer_to_exten', (schema) => ({ ...schema, request_headers: { 'x-voiceai-agent-token': 'old' } }))
  changeTool('calendar_remove_meeting', ({ request_headers: headers, ...schema }) => {
    const { 'x-voiceai-agent-token': token } = headers as Record<string, unknown>
    return { ...schema, request_headers: { 'x-voiceai-agent-token': token } }
  })
  at.fake.tools.set('tool_double', at.fake.toolNamed('helpdesk_create_ticket')?.config ?? {})
  expect(await differences()).toEqual([
    'tool calendar_create_event: ElevenLabs sends no agent token. Sync the tools.',
    'tool calendar_remove_meeting: ElevenLabs does not say which call the tool is used in. Sync the tools.',
    'tool create_partner: ElevenLabs has the address https://old.example.com/x. Sync the tools.',
    'tool helpdesk_fetch_ticket: ElevenLabs does not have it. Sync the tools.',
    'tool transfer_to_exten: ElevenLabs sends another agent token. Sync the tools.',
    'tool helpdesk_create_ticket: ElevenLabs has another tool with the address of one of ours (tool_double). Remove it there.',
  ])
  at.fake.tools.delete('tool_double')
})

test('finds webhooks of the workspace that lead elsewhere', async () => {
  at.fake.settings = {
    conversation_initiation_client_data_webhook: { url: 'https://x.example.com', request_headers: {} },
    webhooks: { post_call_webhook_id: 'another', events: ['transcript'] },
  }
  expect(await differences()).toEqual([
    'initiation webhook : ElevenLabs has the address https://x.example.com. Sync now.',
    'post-call webhook : ElevenLabs delivers to another webhook. Sync now.',
  ])
  at.fake.webhooks.clear()
  expect((await differences())[1]).toBe('post-call webhook : ElevenLabs does not have it. Sync now.')
})

test('finds agents that were changed or removed at the platform, and numbers that lead nowhere', async () => {
  const held = structuredClone(at.fake.agents.get(agentUid)) as { conversation_config: { agent: Json } }
  held.conversation_config.agent.first_message = 'Changed there'
  at.fake.agents.set(agentUid, held as unknown as Json)
  expect(await differences()).toEqual(['agent Support: ElevenLabs has another greeting. Sync now.'])
  at.fake.agents.delete(agentUid)
  at.fake.numbers.clear()
  expect(await differences()).toEqual([
    'agent Support: ElevenLabs does not have it any more. Sync now.',
    'virtual number Support: ElevenLabs does not have it: calls over SIP do not reach the agent. Sync now.',
  ])
})

test('a record that a check finds gone or changed at the platform no longer counts as in sync, until it is synced', async () => {
  const stateOf = async (model: string, domain: unknown[]) =>
    (await at.app.admin.ask<Json[]>(model, 'search_read', { domain, fields: ['synced', 'sync_error'] }))[0]
  const agent = () => stateOf('connect.voiceai_agent', [])
  const tool = () => stateOf('connect.voiceai_agent_tool', [['name', '=', 'helpdesk_fetch_ticket']])
  expect([await agent(), await tool()]).toMatchObject([{ synced: true }, { synced: true }])
  at.fake.agents.delete(agentUid)
  at.fake.tools.delete(at.fake.toolNamed('helpdesk_fetch_ticket')?.id ?? '')
  await differences()
  expect(await agent()).toMatchObject({ synced: false, sync_error: 'ElevenLabs does not have it any more.' })
  expect(await tool()).toMatchObject({ synced: false, sync_error: 'ElevenLabs does not have it.' })
  expect((await at.run()).state).toBe('done')
  expect(await agent()).toMatchObject({ synced: true, sync_error: null })
  expect(await tool()).toMatchObject({ synced: true, sync_error: null })
})

interface HeldAgent extends Json {
  conversation_config: { agent: Json & { prompt: Json } }
  platform_settings: { overrides: Json }
}

test.each<{ message: string; change: (held: HeldAgent) => void }>([
  {
    message: 'ElevenLabs calls it "Reception".',
    change(held) {
      held.name = 'Reception'
    },
  },
  {
    message: 'ElevenLabs has another prompt.',
    change(held) {
      held.conversation_config.agent.prompt.prompt = 'You sell things.'
    },
  },
  {
    message: 'ElevenLabs has another language.',
    change(held) {
      held.conversation_config.agent.language = 'fr'
    },
  },
  {
    message: 'ElevenLabs has other tools for it.',
    change(held) {
      held.conversation_config.agent.prompt.tool_ids = []
    },
  },
  {
    message: 'ElevenLabs does not ask who is calling.',
    change(held) {
      held.platform_settings.overrides.enable_conversation_initiation_client_data_from_webhook = false
    },
  },
])('finds an agent that was changed at the platform: $message', async ({ message, change }) => {
  const held = structuredClone(at.fake.agents.get(agentUid)) as HeldAgent
  change(held)
  at.fake.agents.set(agentUid, held)
  expect(await differences()).toEqual([`agent Support: ${message} Sync now.`])
  expect((await at.run()).state).toBe('done')
  expect(await differences()).toEqual([])
})

test('finds a number that leads to another agent, which the next sync puts right', async () => {
  for (const [uid, number] of at.fake.numbers) at.fake.numbers.set(uid, { ...number, agent_id: 'agent_of_others' })
  expect(await differences()).toEqual(['virtual number Support: It leads to another agent. Sync now.'])
  expect((await at.run()).state).toBe('done')
  expect(await differences()).toEqual([])
})

test('addresses that the platform itself lets in are no difference while the agent names none', async () => {
  const [id = 0] = await at.app.admin.ask<number[]>('connect.voiceai_agent', 'search', {})
  await at.write('connect.voiceai_agent', id, { voiceai_inbound_allowed_ips: '' })
  await at.settled()
  for (const [uid, number] of at.fake.numbers) {
    at.fake.numbers.set(uid, { ...number, inbound_trunk_config: { allowed_addresses: ['0.0.0.0/0'] } })
  }
  expect(await differences()).toEqual([])
})

test('finds numbers that take calls from other addresses, which the next sync puts right', async () => {
  const [id = 0] = await at.app.admin.ask<number[]>('connect.voiceai_agent', 'search', {})
  await at.write('connect.voiceai_agent', id, { voiceai_inbound_allowed_ips: '192.0.2.1, 198.51.100.0/24' })
  await at.settled()
  expect(await differences()).toEqual([])
  for (const [uid, number] of at.fake.numbers) {
    at.fake.numbers.set(uid, { ...number, inbound_trunk_config: { allowed_addresses: ['0.0.0.0/0'] } })
  }
  expect(await differences()).toEqual([
    'virtual number Support: ElevenLabs takes its calls from other addresses. Sync now.',
  ])
  expect((await at.run()).state).toBe('done')
  expect(await differences()).toEqual([])
})

test('the check of every night keeps a run, and none while nothing is set up', async () => {
  const nightly = syncJobs(VOICEAI_SYNC, at.parts).find((kind) => kind.cron !== undefined)
  const runs = (): Promise<Run[]> =>
    at.app.admin.ask<Run[]>('connect.sync_run', 'search_read', { domain: [['kind', '=', 'check']], limit: 1 })
  const [before] = await runs()
  await nightly?.work({}, { isLast: false })
  const [after] = await runs()
  expect(after).toMatchObject({ state: 'done', differences: [] })
  expect(after?.id).not.toBe(before?.id)
  await at.settings({ voiceai_enabled: false })
  await nightly?.work({}, { isLast: false })
  expect((await runs())[0]?.id).toBe(after?.id)
  await at.settings({ voiceai_enabled: true })
})
