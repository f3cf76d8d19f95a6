// What agents know: texts, files, pages and sites, as they are stored here and as the platform is to hold them.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { sql } from '../../src/database/drizzle.ts'
import { followCrawl } from '../../src/voiceai/knowledge/follow-crawl.ts'
import { knowledgeResource } from '../../src/voiceai/knowledge/knowledge-resource.ts'
import type { Caller } from '../support/test-app.ts'
import { SyncApp } from './sync/sync-app.ts'

type Json = Record<string, unknown>

const KNOWLEDGE = 'connect.voiceai_knowledge'

let at: SyncApp
let agent: number

beforeAll(async () => {
  at = await SyncApp.start()
  await at.setUp()
  expect((await at.run()).state).toBe('done')
  agent = await at.makeAgent()
  await at.settled()
})
beforeEach(async () => {
  await at.settled()
  at.fake.calm()
})
afterAll(() => at.stop())

const asked = (): string[] => at.fake.requests().map((each) => each.replace(/_\d+$/, ''))
const held = (): Json =>
  ((([...at.fake.agents.values()][0] as Json).conversation_config as Json).agent as { prompt: Json }).prompt
const heldDocuments = () => (held().knowledge_base ?? []) as { id: string; name: string; type: string }[]
const documentNamed = (name: string): Json | undefined =>
  [...at.fake.documents.values()].find((each) => each.name === name)

async function make(values: object): Promise<number> {
  const id = await at.app.admin.ask<number>(KNOWLEDGE, 'create', { vals_list: values })
  await at.settled()
  return id
}

async function remove(id: number): Promise<void> {
  await at.app.admin.ask(KNOWLEDGE, 'unlink', { ids: [id] })
  await at.settled()
}

async function codeOf(caller: Caller, values: object): Promise<string | undefined> {
  const { body } = await caller.call(KNOWLEDGE, 'create', { vals_list: values })
  return (body as { context: { code?: string } }).context.code
}

async function upload(name: string, body: Buffer): Promise<number> {
  const answer = await at.app.request(`/api/attachment?name=${encodeURIComponent(name)}`, {
    method: 'POST',
    headers: { authorization: `bearer ${at.app.admin.key}`, 'content-type': 'application/octet-stream' },
    body,
  })
  return (answer.body as { id: number }).id
}

test('an agent without knowledge is pushed without a word of it', async () => {
  await at.write('connect.voiceai_agent', agent, { first_message: 'Good day!' })
  await at.settled()
  expect(asked()).toEqual(['PATCH /v1/convai/agents/agent'])
  expect(Object.keys(held()).filter((key) => key === 'knowledge_base' || key === 'rag')).toEqual([])
  const { pushed } = await at.read('connect.voiceai_agent', agent, ['pushed'])
  expect(Object.keys(pushed as object)).not.toContain('knowledge')
})

test('a text is created at the platform, and then its agents are told of it', async () => {
  const id = await make({ text: 'Opening hours\nNine to five.', usage: 'prompt', agents: [[6, 0, [agent]]] })
  expect(asked()).toEqual(['POST /v1/convai/knowledge-base/text', 'PATCH /v1/convai/agents/agent'])
  expect(at.fake.asked[0]?.body).toEqual({ name: 'Opening hours', text: 'Opening hours\nNine to five.' })
  const row = await at.read(KNOWLEDGE, id, ['name', 'synced', 'sync_error', 'document_uid'])
  expect(row).toMatchObject({ name: 'Opening hours', synced: true, sync_error: null })
  expect(held().knowledge_base).toEqual([
    { id: row.document_uid, name: 'Opening hours', type: 'text', usage_mode: 'prompt' },
  ])
  expect(held().rag).toEqual({ enabled: false, embedding_model: 'e5_mistral_7b_instruct' })
  await remove(id)
})

test('a changed text keeps its document, and its agents are told of its name and use only', async () => {
  const id = await make({ name: 'Prices', text: 'Ten.', agents: [[6, 0, [agent]]] })
  at.fake.calm()
  await at.write(KNOWLEDGE, id, { text: 'Twelve.' })
  await at.settled()
  expect(asked()).toEqual(['PATCH /v1/convai/knowledge-base/document'])
  expect(documentNamed('Prices')).toMatchObject({ content: 'Twelve.' })
  at.fake.calm()
  await at.write(KNOWLEDGE, id, { usage: 'prompt' })
  await at.settled()
  expect(asked()).toEqual(['PATCH /v1/convai/agents/agent'])
  await remove(id)
})

test('knowledge that is removed leaves its agents and the platform, and deleting it says how many agents have it', async () => {
  const id = await make({ name: 'Holidays', text: 'In July.', agents: [[6, 0, [agent]]] })
  at.fake.calm()
  await remove(id)
  expect(asked().toSorted()).toEqual(['DELETE /v1/convai/knowledge-base/document', 'PATCH /v1/convai/agents/agent'])
  expect([held().knowledge_base, documentNamed('Holidays')]).toEqual([[], undefined])
})

test('knowledge that an agent gives back is told to the platform from either side', async () => {
  const id = await make({ name: 'Parking', text: 'Behind the house.', agents: [[6, 0, [agent]]] })
  await at.write('connect.voiceai_agent', agent, { knowledge: [[6, 0, []]] })
  await at.settled()
  expect(heldDocuments()).toEqual([])
  await at.write(KNOWLEDGE, id, { agents: [[6, 0, [agent]]] })
  await at.settled()
  expect(heldDocuments().map(({ name }) => name)).toEqual(['Parking'])
  await at.write(KNOWLEDGE, id, { agents: [[6, 0, []]] })
  await at.settled()
  expect(heldDocuments()).toEqual([])
  await remove(id)
})

test('a file is sent as it was uploaded, Markdown as plain text, and is read by those who read the knowledge', async () => {
  const file = await upload('Handbook.md', Buffer.from('# Handbook\nCall Bob.'))
  const id = await make({ kind: 'file', file, agents: [[6, 0, [agent]]] })
  expect(asked()).toEqual(['POST /v1/convai/knowledge-base/file', 'PATCH /v1/convai/agents/agent'])
  const form = String(at.fake.asked[0]?.body.form)
  expect(form).toContain('filename="Handbook.txt"')
  expect(form).toMatch(/content-type: text\/plain/i)
  expect(form).toContain('Call Bob.')
  expect(heldDocuments()).toMatchObject([{ name: 'Handbook.md', type: 'file', usage_mode: 'auto' }])
  expect(held().rag).toMatchObject({ enabled: true })
  expect(await at.read(KNOWLEDGE, id, ['file_name', 'file_bytes', 'file_url'])).toMatchObject({
    file_name: 'Handbook.md',
    file_bytes: 20,
    file_url: `/connect/attachment/${file}`,
  })
  const reader = await at.app.person(['connect.group_user'])
  const get = (key: string) =>
    at.app.request(`/connect/attachment/${file}`, { headers: { authorization: `bearer ${key}` } })
  expect([
    (await get(reader.key)).status,
    (await get((await at.app.person(['helpdesk.group_user'])).key)).status,
  ]).toEqual([200, 404])
  await remove(id)
  expect((await get(at.app.admin.key)).status).toBe(404)
})

test('another file replaces the document, and the old one goes once the agents name the new one', async () => {
  const id = await make({
    kind: 'file',
    file: await upload('a.pdf', Buffer.from('%PDF-1.4')),
    agents: [[6, 0, [agent]]],
  })
  const [{ id: first } = { id: '' }] = heldDocuments()
  await at.write(KNOWLEDGE, id, { file: await upload('b.pdf', Buffer.from('%PDF-1.5')) })
  await at.settled()
  const [{ id: second } = { id: '' }] = heldDocuments()
  expect(second).not.toBe(first)
  const waiting = await at.app.db.query(
    sql`select data ->> 'documentUid' as uid from jobs.job where data ->> 'kind' = 'remove-knowledge' and state = 'created'`,
  )
  expect(waiting).toEqual([{ uid: first }])
  await remove(id)
})

test('a page is fetched by the platform and not by this service, and is read again when somebody asks', async () => {
  const id = await make({ kind: 'page', url: 'https://www.example.org/prices', agents: [[6, 0, [agent]]] })
  expect(at.fake.asked[0]).toMatchObject({
    path: '/v1/convai/knowledge-base/url',
    body: { name: 'www.example.org/prices', url: 'https://www.example.org/prices' },
  })
  at.fake.calm()
  expect(await at.app.admin.ask(KNOWLEDGE, 'read_again', { ids: [id] })).toEqual({ reading: 1 })
  await at.settled()
  expect(asked()).toEqual(['POST /v1/convai/knowledge-base/url', 'PATCH /v1/convai/agents/agent'])
  await remove(id)
})

test('a site is read page by page up to its bound, and says how many pages were read', async () => {
  const id = await make({ kind: 'site', url: 'https://www.example.org/', pages_max: 20, agents: [[6, 0, [agent]]] })
  expect(at.fake.asked[0]).toMatchObject({ body: { url: 'https://www.example.org/', max_pages: 20 } })
  expect(heldDocuments()).toMatchObject([{ name: 'www.example.org', type: 'folder' }])
  const look = async (change: Json) => {
    for (const [uid, crawl] of at.fake.crawls) at.fake.crawls.set(uid, { ...crawl, ...change })
    await followCrawl(at.parts, { id })
    return at.read(KNOWLEDGE, id, ['pages', 'crawl_status', 'sync_error'])
  }
  expect(await look({})).toMatchObject({ pages: 1, crawl_status: 'processing', sync_error: null })
  expect(await look({ status: 'succeeded', pages_scraped: 20 })).toMatchObject({ pages: 20, crawl_status: 'succeeded' })
  expect(await look({ status: 'failed' })).toMatchObject({
    sync_error: 'ElevenLabs could not read the website (failed).',
  })
  expect(await look({ status: 'succeeded' })).toMatchObject({ sync_error: null })
  const other = 'ElevenLabs is not available right now.'
  await at.app.db.query(sql`update connect_voiceai_knowledge set sync_error = ${other} where id = ${id}::bigint`)
  expect(await look({ status: 'succeeded' })).toMatchObject({ sync_error: other })
  expect(await look({ status: 'failed' })).toMatchObject({ crawl_status: 'failed', sync_error: other })
  await remove(id)
})

test('an unclear answer makes no second document, and neither does a process that was killed', async () => {
  at.fake.fail({ path: /knowledge-base\/text/, method: 'POST', isCut: true, isDone: true, times: 1 })
  const id = await make({ name: 'Once', text: 'Only once.', agents: [[6, 0, [agent]]] })
  expect([...at.fake.documents.values()].filter(({ name }) => name === 'Once')).toHaveLength(1)
  expect(await at.read(KNOWLEDGE, id, ['synced'])).toMatchObject({ synced: true })
  const uid = String((await at.read(KNOWLEDGE, id, ['document_uid'])).document_uid)
  const asked = JSON.stringify({ name: 'Once', source: 'text' })
  await at.app.db.query(
    sql`update connect_voiceai_knowledge set document_uid = null, synced = false, create_asked = ${asked}::jsonb,
          create_asked_at = now() at time zone 'utc' where id = ${id}::bigint`,
  )
  await knowledgeResource.push(at.parts, id)
  expect(await at.read(KNOWLEDGE, id, ['document_uid', 'create_asked_at'])).toMatchObject({
    document_uid: uid,
    create_asked_at: null,
  })
  await remove(id)
})

test('what the platform refuses stands with the knowledge, and the agent is pushed without it', async () => {
  at.fake.fail({ path: /knowledge-base\/text/, status: 422, body: { detail: { message: 'Too long' } } })
  const id = await make({ name: 'Refused', text: 'No.', agents: [[6, 0, [agent]]] })
  expect(await at.read(KNOWLEDGE, id, ['synced', 'sync_error'])).toMatchObject({
    synced: false,
    sync_error: 'ElevenLabs refused it (status 422): Too long.',
  })
  at.fake.calm()
  expect((await at.run()).state).toBe('done')
  expect(await at.read(KNOWLEDGE, id, ['synced', 'sync_error'])).toMatchObject({ synced: true, sync_error: null })
  expect(heldDocuments().map(({ name }) => name)).toEqual(['Refused'])
  await remove(id)
})

test('the check names documents that are gone or called otherwise, and agents that know something else', async () => {
  const [gone, other] = [
    await make({ name: 'Gone', text: 'a', agents: [[6, 0, [agent]]] }),
    await make({ name: 'Other', text: 'b', agents: [[6, 0, [agent]]] }),
  ]
  const differences = async () =>
    (await at.run('voiceai_check')).differences.map(({ what, name, message }) => `${what} ${name}: ${message}`)
  expect(await differences()).toEqual([])
  const [{ id: goneUid } = { id: '' }, { id: otherUid } = { id: '' }] = heldDocuments()
  at.fake.documents.delete(goneUid)
  at.fake.documents.set(otherUid, { ...at.fake.documents.get(otherUid), name: 'Renamed' })
  held().knowledge_base = [{ id: otherUid, name: 'Renamed', type: 'text' }]
  expect(await differences()).toEqual([
    'knowledge Gone: ElevenLabs does not have it, so no agent knows it. Sync now.',
    'knowledge Other: Expected the name "Other", ElevenLabs has "Renamed". Sync now.',
    'agent Support: Expected the knowledge "Gone", "Other", ElevenLabs has "Renamed". Sync now.',
  ])
  expect((await at.run()).state).toBe('done')
  expect(await differences()).toEqual([])
  await remove(gone)
  await remove(other)
})

test.each([
  [{ kind: 'page', url: 'http://192.168.1.1/' }, 'knowledge-url'],
  [{ kind: 'site', url: 'ftp://example.org' }, 'knowledge-url'],
  [{ kind: 'page', url: 'https://user:word@example.org' }, 'knowledge-url'],
  [{ kind: 'text' }, 'required-when'],
  [{ kind: 'site', url: 'https://example.org', pages_max: 10_001 }, 'out-of-range'],
  [{ kind: 'file', file: 999_999 }, 'attachment-not-yours'],
])('refuses knowledge of %j', async (values, code) => {
  expect(await codeOf(at.app.admin, { name: 'A', ...values })).toBe(code)
})

test('refuses a file that the platform does not read, and one of somebody else', async () => {
  const picture = await upload('a.png', Buffer.from('not read'))
  expect(await codeOf(at.app.admin, { kind: 'file', file: picture })).toBe('knowledge-file-type')
  const other = await at.app.person(['connect.group_admin'])
  const file = await upload('b.txt', Buffer.from('b'))
  expect(await codeOf(other, { name: 'B', kind: 'file', file })).toBe('attachment-not-yours')
})

test('disconnecting the account forgets what the platform calls our documents', async () => {
  const id = await make({ name: 'Bound', text: 'a' })
  await at.app.admin.ask('connect.settings', 'voiceai_unbind')
  expect(await at.read(KNOWLEDGE, id, ['document_uid', 'synced'])).toMatchObject({ document_uid: null, synced: false })
  expect((await at.run()).state).toBe('done')
  expect(await at.read(KNOWLEDGE, id, ['synced'])).toMatchObject({ synced: true })
})
