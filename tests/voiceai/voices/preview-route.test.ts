// What a voice sounds like: passed on to everybody who may read voices, and fetched from the platform only.
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { GROUP } from '../../../src/platform/access/identity.ts'
import { insertRow } from '../../support/rows.ts'
import { type Caller, TestApp } from '../../support/test-app.ts'

let platform: Server
let asked: string[] = []
let url: string
let app: TestApp
let anna: Caller

beforeAll(async () => {
  platform = createServer((request, response) => {
    asked.push(`${request.url} ${request.headers.authorization ?? request.headers['xi-api-key'] ?? ''}`)
    const [status, type] = request.url === '/page' ? [200, 'text/html'] : [200, 'audio/mpeg']
    if (request.url === '/moved') return response.writeHead(302, { location: 'http://127.0.0.1:9/' }).end()
    return response.writeHead(status, { 'content-type': type }).end('a voice')
  })
  await new Promise<void>((resolve) => platform.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(platform.address() as AddressInfo).port}`
  app = await TestApp.start({ env: { VOICEAI_BASE_URL: url } })
  anna = await app.person([GROUP.internal, GROUP.connectUser])
})
afterAll(async () => {
  await app.stop()
  platform.close()
})

function aVoice(name: string, preview: string | null): Promise<number> {
  return insertRow(app.db, 'connect_voiceai_voice', { voice_id: name, name, preview_url: preview })
}

async function get(id: number | string, who: Caller | undefined = anna) {
  asked = []
  const headers = who === undefined ? {} : { authorization: `bearer ${who.key}` }
  const reply = await fetch(`${app.url}/connect/voice/${id}/preview`, { headers })
  return { status: reply.status, headers: Object.fromEntries(reply.headers), text: await reply.text() }
}

it('a preview is passed on without anything of ours going along', async () => {
  const id = await aVoice('alice', `${url}/alice.mp3`)
  const { status, headers, text } = await get(id)
  expect([status, headers['content-type'], text]).toEqual([200, 'audio/mpeg', 'a voice'])
  expect(headers['cache-control']).toBe('private, max-age=600')
  expect(asked).toEqual(['/alice.mp3 '])
  const [voice] = await anna.ask<object[]>('connect.voiceai_voice', 'read', {
    ids: [id],
    fields: ['preview_audio_url'],
  })
  expect(voice).toMatchObject({ preview_audio_url: `/connect/voice/${id}/preview` })
})

it.each([
  'https://storage.googleapis.com/somebody-else/x.mp3',
  'https://storage.googleapis.com.evil.example/eleven-public-prod/x.mp3',
  'https://user:secret@storage.googleapis.com/eleven-public-prod/x.mp3',
  'http://127.0.0.1:9/x.mp3',
  'file:///etc/passwd',
])('a preview at %s is not fetched', async (address) => {
  const { status } = await get(await aVoice(address, address))
  expect([status, asked]).toEqual([404, []])
})

it('a preview that is a page, or somewhere else, is none', async () => {
  expect((await get(await aVoice('page', `${url}/page`))).status).toBe(404)
  const moved = await get(await aVoice('moved', `${url}/moved`))
  expect([moved.status, JSON.parse(moved.text).context.code]).toEqual([503, 'preview-away'])
})

it('a voice that is not there and one without a preview look the same, and strangers hear none', async () => {
  const silent = await get(await aVoice('silent', null))
  const missing = await get(999_999)
  expect([silent.status, silent.text]).toEqual([404, missing.text])
  const stranger = await app.person([GROUP.internal])
  const id = await aVoice('closed', `${url}/closed.mp3`)
  expect((await get(id, stranger)).status).toBe(403)
  expect((await fetch(`${app.url}/connect/voice/${id}/preview`)).status).toBe(401)
})
