import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { ServiceLink } from '../../emulators/service-link.ts'
import { callTool } from '../../emulators/voiceai/conversation/tool-call.ts'
import { startVoiceaiEmulator, type VoiceaiEmulator } from '../../emulators/voiceai/start.ts'
import { FakeService, PUBLIC_URL } from './fake-service.ts'
import { voiceaiSdkFor } from './voiceai-sdk.ts'

let service: FakeService
let voiceai: VoiceaiEmulator
const link = new ServiceLink()

beforeAll(async () => {
  service = await FakeService.start()
  voiceai = await startVoiceaiEmulator({ service: service.address })
  link.connect(service.address)
})
afterEach(() => {
  service.forget()
  voiceai.problems.check()
})
afterAll(async () => {
  link.close()
  await voiceai.stop()
  service.stop()
})

test.each([
  ['GET', '/items/a%2Fb?count=2&by=phone', ''],
  ['DELETE', '/items/a%2Fb?count=2&by=phone', ''],
  ['PATCH', '/items/a%2Fb', '{"count":2,"by":"phone"}'],
  ['PUT', '/items/a%2Fb', '{"count":2,"by":"phone"}'],
] as const)('a %s tool is called as it is: %s', async (method, target, body) => {
  const others = {
    properties: { count: { type: 'integer', description: 'Count' }, by: { type: 'string', constantValue: 'phone' } },
  }
  const schemas = body === '' ? { queryParamsSchema: others } : { requestBodySchema: { type: 'object', ...others } }
  const pathParamsSchema = { id: { type: 'string', description: 'Id' } }
  const apiSchema = { url: `${PUBLIC_URL}/items/{id}`, method, pathParamsSchema, ...schemas }
  const toolConfig = { type: 'webhook', name: `items_${method}`, description: 'Items', apiSchema } as never
  const { id } = await voiceaiSdkFor(voiceai).conversationalAi.tools.create({ toolConfig })
  const tool = voiceai.workspace.tools.get(id)
  if (tool === undefined) throw new Error('no tool')
  service.answer('/items/a%2Fb', { type: 'application/json', body: '{"left":3}' })
  const parts = { workspace: voiceai.workspace, link, problems: voiceai.problems }
  const result = await callTool(parts, tool, { given: { id: 'a/b', count: 2 }, variables: new Map() })
  expect(result).toMatchObject({ value: { left: 3 }, isError: false })
  expect(service.asked).toMatchObject([{ method, target, body }])
})

test.each([
  ['never had a success', undefined, true],
  ['had a success in the last seven days', 0, false],
])('ten failures in a row disable a webhook that %s: %s', async (_what, successAgeSeconds, isDisabled) => {
  const sdk = voiceaiSdkFor(voiceai)
  const settings = { authType: 'hmac', name: 'post', webhookUrl: `${PUBLIC_URL}/post_call` } as const
  const { webhookId } = await sdk.webhooks.create({ settings })
  const webhooks = { postCallWebhookId: webhookId, events: ['call_initiation_failure' as const] }
  await sdk.conversationalAi.settings.update({ webhooks })
  const webhook = voiceai.workspace.webhooks.get(webhookId)
  if (webhook === undefined) throw new Error('no webhook')
  const { clock } = voiceai.workspace
  if (successAgeSeconds !== undefined) webhook.lastSuccessSeconds = clock.unixSeconds - successAgeSeconds
  service.answer('/post_call', { status: 500 })
  for (let count = 0; count < 10; count += 1) {
    voiceai.failCall({ agentId: 'agent_1', reason: 'busy', callSid: `CA${count}`, from: '+1', to: '+2' })
    await clock.idle()
  }
  expect(webhook.isAutoDisabled).toBe(isDisabled)
  expect(voiceai.problems.take(/answered with HTTP 500/)).toHaveLength(10)
})
