// The knowledge base of the emulated platform, asked by the platform's own SDK and by this service's client.
import type { ElevenLabsClient } from '@elevenlabs/elevenlabs-js'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { startVoiceaiEmulator, type VoiceaiEmulator } from '../../emulators/voiceai/start.ts'
import type { ClientParts } from '../../src/voiceai/client/ask.ts'
import { sdkClient, type VoiceaiClient } from '../../src/voiceai/client/sdk-client.ts'
import { voiceaiRefusalOf, voiceaiSdkFor } from './voiceai-sdk.ts'

let voiceai: VoiceaiEmulator
let base: ElevenLabsClient['conversationalAi']['knowledgeBase']
let agents: ElevenLabsClient['conversationalAi']['agents']
let client: VoiceaiClient

beforeAll(async () => {
  voiceai = await startVoiceaiEmulator()
  const sdk = voiceaiSdkFor(voiceai)
  base = sdk.conversationalAi.knowledgeBase
  agents = sdk.conversationalAi.agents
  const settings = { get: async () => ({ voiceaiApiKey: voiceai.workspace.apiKey, postCallSecrets: [] }) }
  client = sdkClient({ settings: settings as unknown as ClientParts['settings'], baseUrl: voiceai.url })
})
afterAll(() => voiceai.stop())
// Every request is checked against the published description, and every answer too.
afterEach(() => voiceai.problems.check())

const agentWith = (document: { type: 'text' | 'file' | 'url' | 'folder'; id: string }) =>
  agents.create({
    name: 'Support',
    conversationConfig: {
      agent: { prompt: { knowledgeBase: [{ name: 'Known', usageMode: 'auto', ...document }] } },
    },
  })

test('each kind of document that this service creates is as the description has it', async () => {
  const text = await client.createDocument({ kind: 'text', name: 'Hours', text: 'Nine to five.' })
  const page = await client.createDocument({ kind: 'page', name: 'Prices', url: 'https://example.org/prices' })
  const site = await client.createDocument({ kind: 'site', name: 'Site', url: 'https://example.org', pagesMax: 2 })
  const sent = { data: Buffer.from('Call Bob.'), filename: 'handbook.txt', contentType: 'text/plain' }
  const file = await client.createDocument({ kind: 'file', name: 'Handbook', ...sent })
  await client.updateDocument(text.uid, { name: 'Opening hours', content: 'Nine to six.' })
  await client.updateDocument(site.uid, { name: 'Our site' })
  expect((await client.listDocuments()).map(({ uid, name, type, url }) => [uid, name, type, url])).toEqual([
    [file.uid, 'Handbook', 'file', undefined],
    [site.uid, 'Our site', 'folder', undefined],
    [page.uid, 'Prices', 'url', 'https://example.org/prices'],
    [text.uid, 'Opening hours', 'text', undefined],
  ])
  expect(voiceai.workspace.documents.get(text.uid)?.content).toBe('Nine to six.')
  expect(voiceai.workspace.documents.get(file.uid)).toMatchObject({ content: 'Call Bob.', filename: 'handbook.txt' })
  expect(await client.getCrawl(site.crawlUid ?? '')).toMatchObject({ status: 'processing', pages: 1 })
  expect(await client.getCrawl(site.crawlUid ?? '')).toMatchObject({ status: 'succeeded', pages: 2 })
  expect(await client.listCrawls()).toMatchObject([{ folderUid: site.uid, url: 'https://example.org' }])
  for (const { uid } of await client.listDocuments()) await client.deleteDocument(uid)
  expect(await client.listDocuments()).toEqual([])
})

test.each([
  ['no.png', 400, 'unsupported_file_type'],
  ['no.md', 400, 'unsupported_file_type'],
])('refuses a file of another type: %s', async (filename, statusCode, status) => {
  const refused = await voiceaiRefusalOf(base.documents.createFromFile({ file: { data: Buffer.from('a'), filename } }))
  expect(refused).toMatchObject({ statusCode, body: { detail: { status } } })
})

test('refuses what its description does not allow', async () => {
  expect(await voiceaiRefusalOf(base.documents.createFromUrl({ url: 'example.org' }))).toMatchObject({
    statusCode: 422,
  })
  expect(await voiceaiRefusalOf(base.documents.createFromText({ text: 'a', name: '' }))).toMatchObject({
    statusCode: 422,
  })
  const many = base.crawlJobs.create({ url: 'https://example.org', maxPages: 10_001 })
  expect(await voiceaiRefusalOf(many)).toMatchObject({ statusCode: 422 })
  expect(await voiceaiRefusalOf(base.documents.get('unknown'))).toMatchObject({ statusCode: 404 })
})

test('an agent names documents that are there, by their type, and a deletion without force is refused while it does', async () => {
  const { id } = await base.documents.createFromText({ text: 'Nine to five.' })
  expect(await voiceaiRefusalOf(agentWith({ type: 'file', id }))).toMatchObject({ statusCode: 400 })
  expect(await voiceaiRefusalOf(agentWith({ type: 'text', id: 'gone' }))).toMatchObject({ statusCode: 404 })
  const { agentId } = await agentWith({ type: 'text', id })
  expect((await base.documents.getAgents(id)).agents).toMatchObject([{ id: agentId, name: 'Support' }])
  expect(await voiceaiRefusalOf(base.documents.delete(id))).toMatchObject({ statusCode: 409 })
  await base.documents.delete(id, { force: true })
  expect((await agents.get(agentId)).conversationConfig.agent?.prompt?.knowledgeBase).toEqual([])
})

test('a usage that is not published is refused', async () => {
  const answer = await fetch(`${voiceai.url}/v1/convai/agents/create`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'xi-api-key': voiceai.workspace.apiKey },
    body: JSON.stringify({
      conversation_config: {
        agent: { prompt: { knowledge_base: [{ type: 'text', id: 'a', name: 'a', usage_mode: 'always' }] } },
      },
    }),
  })
  expect(answer.status).toBe(422)
})
