// What browsers and proxies may keep of the answers: of the API nothing, refusals and the stream included (docs/security.md).
import { request } from 'node:http'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { cookieOf, HeardStream } from '../support/live-stream.ts'
import { type Caller, TestApp } from '../support/test-app.ts'

const FIRST_REFUSAL_STATUS = 400
const MORE: [method: string, path: string][] = [
  ['POST', '/json/2/res.partner/search_read'],
  ['POST', '/json/2/no.model/search_read'],
  ['GET', '/json/2/res.partner/search_read'],
  ['GET', '/json/nothing'],
  ['GET', '/api/nothing'],
  ['HEAD', '/api/me'],
  ['DELETE', '/api/me'],
  ['OPTIONS', '/api/me'],
  ['GET', '/api/openapi.json'],
  ['GET', '/api/docs'],
  ['GET', '/nothing'],
  ['POST', '/api/%'],
]

let app: TestApp
let user: Caller

beforeAll(async () => {
  app = await TestApp.start()
  user = await app.person(['connect.group_user'])
})
afterAll(() => app.stop())

/** Every address of the API document, and some that are none. */
async function addresses(): Promise<[method: string, path: string][]> {
  const { paths } = (await app.request('/api/openapi.json')).body as { paths: Record<string, object> }
  const described = Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method): [string, string] => [method.toUpperCase(), path.replaceAll(/\{\w+\}/g, '1')]),
  )
  return [...described.filter(([, path]) => path !== '/api/live' && !path.startsWith('/json/')), ...MORE]
}

function ask(method: string, path: string, headers: Record<string, string>) {
  return new Promise<{ status: number; kept: string | undefined }>((resolve, reject) => {
    const sent = request(`${app.url}${path}`, { method, headers, agent: false }, (message) => {
      message.resume()
      message.on('end', () => resolve({ status: message.statusCode ?? 0, kept: message.headers['cache-control'] }))
    })
    sent.on('error', reject)
    sent.end(method === 'POST' ? '{}' : undefined)
  })
}

it('every answer says what may be kept of it, and no refusal may be, nor what the API says of records', async () => {
  const json = { 'content-type': 'application/json' }
  const anybody = [
    json,
    { ...json, authorization: `bearer ${app.admin.key}` },
    { ...json, authorization: 'bearer wrong' },
  ]
  const wrong: unknown[] = []
  for (const [method, path] of await addresses()) {
    for (const headers of anybody) {
      const { status, kept = '' } = await ask(method, path, headers)
      const mayBeKept = status < FIRST_REFUSAL_STATUS && /^\/api\/(?:openapi|docs)/.test(path)
      if (mayBeKept ? kept === '' : !kept.includes('no-store')) wrong.push([method, path, status, kept])
    }
  }
  expect(wrong).toEqual([])
})

it('no answer with a file, and no stream, is kept where others read it, and no refusal', async () => {
  const authorization = `bearer ${user.key}`
  const sent = await app.request('/api/attachment?name=a.txt', {
    method: 'POST',
    headers: { authorization, 'content-type': 'application/octet-stream' },
    body: Buffer.from('hello'),
  })
  const { url } = sent.body as { url: string }
  const keptOf = async (headers: Record<string, string>) => (await ask('GET', url, headers)).kept
  expect(sent.headers.get('cache-control')).toBe('no-store')
  expect(await keptOf({ authorization })).toBe('private, max-age=600')
  expect(await keptOf({ authorization, range: 'bytes=0-1' })).toBe('private, max-age=600')
  expect(await keptOf({ authorization, range: 'bytes=99-100' })).toBe('no-store')
  expect(await keptOf({})).toBe('no-store')
  const refused = await HeardStream.open(app, {})
  expect(refused.headers['cache-control']).toBe('no-store')
  const stream = await HeardStream.open(app, { cookie: await cookieOf(app, user.userId) })
  expect(stream.headers['cache-control']).toBe('no-store, no-transform')
  stream.close()
})
