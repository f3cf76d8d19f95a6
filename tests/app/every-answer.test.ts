// What every answer has, no matter who gives it: the routes, the framework, or the server before there is a request.
import { connect } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { TestApp } from '../support/test-app.ts'

let app: TestApp
/** The header of the person who is known. */
let session: string

beforeAll(async () => {
  app = await TestApp.start()
  session = `authorization: bearer ${app.admin.key}`
})
afterAll(() => app.stop())

/** Sends bytes and gives the heads that come back. */
function send(bytes: string): Promise<string> {
  const { hostname, port } = new URL(app.url)
  return new Promise((resolve) => {
    let text = ''
    const socket = connect(Number(port), hostname, () => socket.write(bytes))
    socket.on('data', (chunk) => {
      text += chunk
      if (text.includes('\r\n\r\n')) socket.destroy()
    })
    socket.on('error', () => undefined)
    socket.on('close', () => resolve(text.split('\r\n\r\n')[0]?.toLowerCase() ?? ''))
  })
}

const ask = (line: string, headers: string[] = [], body = '') =>
  [`${line} HTTP/1.1`, 'host: here', ...headers, `content-length: ${body.length}`, '', body].join('\r\n')
const json = 'content-type: application/json'
const many = (name: string) => `${name}: ${'x'.repeat(40_000)}`

it.each<[status: number, what: string, bytes: () => string]>([
  [400, 'what is no HTTP', () => 'GARBAGE\r\n\r\n'],
  [400, 'a header that is none', () => 'GET / HTTP/1.1\r\nhost: here\r\nno header\r\n\r\n'],
  [
    400,
    'two lengths',
    () => 'POST /api/sign-in HTTP/1.1\r\nhost: here\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\n',
  ],
  [400, 'an address that cannot be read', () => ask('GET /%zz')],
  [417, 'an expectation that nobody knows', () => ask('GET /api/me', ['expect: a-miracle'])],
  [431, 'headers that are too large', () => ask('GET /api/me', [many('x-large')])],
  [431, 'an address that is too large', () => ask(`GET /api/me?${'x'.repeat(40_000)}`)],
  [404, 'an address of nothing', () => ask('GET /api/nothing')],
  [404, 'an address of nothing by HEAD', () => ask('HEAD /api/nothing')],
  [404, 'an address of nothing by OPTIONS', () => ask('OPTIONS /api/nothing')],
  [404, 'a method that the address has not', () => ask('DELETE /api/sign-in')],
  [404, 'OPTIONS of an address', () => ask('OPTIONS /api/me')],
  [401, 'nobody', () => ask('GET /api/me')],
  [401, 'nobody by HEAD', () => ask('HEAD /api/me')],
  [401, 'nobody who wants the stream', () => ask('GET /api/live')],
  [401, 'nobody who wants a file', () => ask('GET /connect/attachment/1')],
  [404, 'a file that is not there', () => ask('GET /connect/attachment/1', [session])],
  [401, 'nobody who calls the API', () => ask('POST /json/2/res.users/search', [json], '{}')],
  [404, 'a model that is not there', () => ask('POST /json/2/no.model/search', [session, json], '{}')],
  [400, 'a body that is no JSON', () => ask('POST /json/2/res.users/search', [session, json], '{')],
  [413, 'a body that is too large', () => ask('POST /api/sign-in', [json], 'x'.repeat(20_000))],
  [415, 'a body of another type', () => ask('POST /api/sign-in', ['content-type: text/plain'], 'x')],
  [200, 'a record', () => ask('POST /json/2/res.users/search', [session, json], '{}')],
  [200, 'who is asking', () => ask('GET /api/me', [session])],
  [200, 'what the sign-in page asks', () => ask('GET /api/sign-in')],
  [302, 'a redirect', () => ask('GET /api/sso/start')],
  [200, 'health', () => ask('GET /healthz')],
])('an answer %i to %s says that nobody keeps it, and is what its type says', async (status, _what, bytes) => {
  const head = await send(bytes())
  expect(head).toContain(`http/1.1 ${status} `)
  expect(head).toMatch(/^cache-control: (?:no-store|no-cache)/m)
  expect(head).toContain('x-content-type-options: nosniff')
})
