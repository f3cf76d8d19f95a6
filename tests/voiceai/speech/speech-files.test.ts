import Fastify from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sql } from '../../../src/database/drizzle.ts'
import { speechFileRoutes } from '../../../src/voiceai/speech/speech-files.ts'
import { TestApp } from '../../support/test-app.ts'

const AUDIO = Buffer.from('ID3 not really an mp3')

let app: TestApp
let path = ''
const http = Fastify()

beforeAll(async () => {
  app = await TestApp.start()
  speechFileRoutes(http, { db: app.db })
  path = await store({ text: 'Hello', file: AUDIO.toString('base64') })
})

afterAll(async () => {
  await http.close()
  await app.stop()
})

async function store(values: Record<string, unknown>): Promise<string> {
  const id = await app.admin.ask<number>('connect.voiceai_file', 'create', { vals_list: values })
  const [row] = await app.db.query<{ filename: string }>(
    sql`select filename from connect_voiceai_file where id = ${id}::bigint`,
  )
  return `/web/content/connect.voiceai_file/${id}/file/${row?.filename}`
}

test('anyone who knows the address hears the audio, and may keep it', async () => {
  const reply = await http.inject({ url: path })
  expect(reply.statusCode).toBe(200)
  expect(reply.rawPayload).toEqual(AUDIO)
  expect(reply.headers).toMatchObject({
    'content-type': 'audio/mpeg',
    'content-length': String(AUDIO.length),
    'cache-control': expect.stringContaining('max-age'),
    'x-content-type-options': 'nosniff',
  })
  const { etag = '' } = reply.headers
  const again = await http.inject({ url: path, headers: { 'if-none-match': `"x", W/${etag}` } })
  expect([again.statusCode, again.rawPayload.length]).toEqual([304, 0])
  const other = await http.inject({ url: path, headers: { 'if-none-match': '"x"' } })
  expect(other.statusCode).toBe(200)
})

test('HEAD tells the same without the audio', async () => {
  const reply = await http.inject({ method: 'HEAD', url: path })
  expect([reply.statusCode, reply.rawPayload.length]).toEqual([200, 0])
  expect(reply.headers['content-length']).toBe(String(AUDIO.length))
  expect(reply.headers.etag).toBeDefined()
})

test('any other address finds nothing', async () => {
  const silent = await store({ text: 'Not spoken yet' })
  const [, name = ''] = /file\/([^/]+)$/.exec(path) ?? []
  const addresses = [
    silent,
    path.replace(name, `${'0'.repeat(32)}.mp3`),
    path.replace(name, name.toUpperCase()),
    path.replace(name, ''),
    path.replace(/\d+\/file/, '999999999/file'),
    path.replace(/\d+\/file/, '99999999999999999999/file'),
    path.replace(/\d+\/file/, '0/file'),
    path.replace(/\d+\/file/, '-1/file'),
    path.replace(/\d+\/file/, '1%00/file'),
  ]
  for (const url of addresses) expect((await http.inject({ url })).statusCode, url).toBe(404)
  expect((await http.inject({ method: 'POST', url: path })).statusCode).toBe(404)
})
