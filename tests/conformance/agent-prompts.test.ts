// The prompt of a voice agent, its versions and its template (docs/reference/domain.md#agent-prompts).
import { afterAll, beforeAll, expect, it } from 'vitest'
import { aVoiceAgent } from '../fixtures/records.ts'
import { TestApp } from '../support/test-app.ts'

let app: TestApp
let template: number

beforeAll(async () => {
  app = await TestApp.start()
  template = await app.admin.ask<number>('connect.voiceai_agent_template', 'create', {
    vals_list: { name: 'Short', system_prompt: 'Be short.' },
  })
})
afterAll(() => app.stop())

async function write(agent: number, vals: object): Promise<void> {
  await app.admin.ask('connect.voiceai_agent', 'write', { ids: [agent], vals })
}

async function promptOf(agent: number): Promise<unknown> {
  const [row] = await app.admin.ask<{ prompt: string }[]>('connect.voiceai_agent', 'read', { ids: [agent] })
  return row?.prompt
}

it('picking a template copies its text, and the prompt of before stays among the versions', async () => {
  const agent = await aVoiceAgent(app, 'agent_template')
  await write(agent, { template })
  expect(await promptOf(agent)).toBe('Be short.')
  const versions = await app.admin.ask<object[]>('connect.voiceai_agent_prompt', 'search_read', {
    domain: [['agent', '=', agent]],
    fields: ['name', 'prompt'],
  })
  expect(versions).toMatchObject([
    { name: 'v2', prompt: 'Be short.' },
    { name: 'v1', prompt: 'Help the caller.' },
  ])
})

it('a new agent with a template needs no prompt', async () => {
  const voice = await app.admin.ask<number>('connect.voiceai_voice', 'create', {
    vals_list: { name: 'Voice', voice_id: 'voice_template' },
  })
  const vals = { name: 'New', voice, template }
  expect(await promptOf(await app.admin.ask<number>('connect.voiceai_agent', 'create', { vals_list: vals }))).toBe(
    'Be short.',
  )
})

it('a text written with the template, or after it, stays', async () => {
  const agent = await aVoiceAgent(app, 'agent_own_words')
  await write(agent, { template, prompt: 'Own words.' })
  expect(await promptOf(agent)).toBe('Own words.')
  await write(agent, { template, name: 'Renamed' })
  expect(await promptOf(agent)).toBe('Own words.')
})
