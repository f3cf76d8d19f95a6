import { afterAll, beforeAll, expect, test } from 'vitest'
import { SyncApp } from '../sync/sync-app.ts'

const COMMON = {
  is_checkpoint: false,
  max_tokens_limit: 1_000,
  max_context_limit: 1_000,
  supports_image_input: false,
  supports_document_input: false,
  supports_parallel_tool_calls: true,
}
let at: SyncApp

beforeAll(async () => {
  at = await SyncApp.start()
  await at.setUp()
})
afterAll(() => at.stop())

async function writeModel(agent: number, llm: string): Promise<{ status: number; body: unknown }> {
  return at.app.admin.call('connect.voiceai_agent', 'write', { ids: [agent], vals: { llm } })
}

test('an account without a list of language models has those that are known here', async () => {
  expect(await at.run()).toMatchObject({ state: 'done', errors: [] })
  const agent = await at.makeAgent({ llm: 'claude-opus-5-5' })
  const refused = await writeModel(agent, 'gpt-99-next')
  expect(refused).toMatchObject({
    status: 422,
    body: { message: expect.stringMatching(/^"connect.voiceai_agent.llm" must be one of: gpt-6.1-sol, /) },
  })
})

test('a language model that the platform lists can be chosen after the next SYNC, and is pushed', async () => {
  const deprecation = { llm: 'gpt-4o', is_deprecated: true, replacement_model: 'gpt-5' }
  at.fake.llms = [
    { llm: 'gpt-99-next', ...COMMON },
    { llm: 'gpt-4o', ...COMMON, deprecation_info: deprecation },
  ]
  expect(await at.run()).toMatchObject({ state: 'done', counts: { 'language models': { found: 2 } } })
  const [settings] = await at.app.admin.ask<object[]>('connect.settings', 'search_read', { fields: ['voiceai_llms'] })
  expect(settings).toMatchObject({
    voiceai_llms: [
      { name: 'gpt-99-next', is_deprecated: false },
      { name: 'gpt-4o', is_deprecated: true, replacement: 'gpt-5' },
    ],
  })
  const agent = await at.makeAgent({ name: 'New', llm: 'gpt-99-next' })
  await at.settled()
  const { agent_uid: uid } = await at.read('connect.voiceai_agent', agent, ['agent_uid'])
  expect(at.fake.agents.get(String(uid))).toMatchObject({
    conversation_config: { agent: { prompt: { llm: 'gpt-99-next' } } },
  })
})
