// What connections of one address may cost others: room for senders who are known, whatever strangers hold open.
import { connect, type Socket } from 'node:net'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { TestApp } from '../support/test-app.ts'

/** More than the service holds at once. */
const FLOOD = 1_150
const HEAD_TIMEOUT_MS = 5_000
/** What one address may hold (docs/security.md). */
const CONNECTIONS_OF_AN_ADDRESS_MAX = 64

let app: TestApp
let proxied: TestApp
const sockets: Socket[] = []

beforeAll(async () => {
  app = await TestApp.start()
  proxied = await TestApp.start({ env: { TRUST_PROXY: '127.0.0.1' } })
})
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy()
})
afterAll(async () => {
  await app.stop()
  await proxied.stop()
})

/** Opens a connection and sends `bytes`; gives a socket that never throws. */
function open(to: TestApp, bytes: string): Promise<Socket> {
  const { hostname, port } = new URL(to.url)
  return new Promise((resolve) => {
    const socket = connect({ host: hostname, port: Number(port) }, () => socket.write(bytes, () => resolve(socket)))
    socket.on('error', () => resolve(socket))
    socket.resume()
    sockets.push(socket)
  })
}

function flood(to: TestApp, count: number, bytes: (at: number) => string): Promise<Socket[]> {
  return Promise.all(Array.from({ length: count }, (_none, at) => open(to, bytes(at))))
}

const held = (some: readonly Socket[]): number => some.filter(({ closed, destroyed }) => !closed && !destroyed).length

async function currentDate(to: TestApp): Promise<number> {
  const headers = { 'x-voiceai-agent-token': to.token, 'content-type': 'application/json' }
  const answer = await fetch(`${to.url}/connect_voiceai/get_current_date`, { method: 'POST', headers, body: '{}' })
  return answer.status
}

test('a thousand connections of one address with one byte each shut nobody out', async () => {
  const strangers = await flood(app, FLOOD, () => 'P')
  expect(await currentDate(app)).toBe(200)
  await expect.poll(() => held(strangers)).toBeLessThanOrEqual(CONNECTIONS_OF_AN_ADDRESS_MAX)
})

test('a head that does not arrive within five seconds closes the connection', async () => {
  const startedAt = performance.now()
  const slow = await open(app, 'POST /connect_voiceai/get_current_date HTTP/1.1\r\n')
  await expect.poll(() => slow.closed).toBe(true)
  expect(performance.now() - startedAt).toBeGreaterThan(HEAD_TIMEOUT_MS - 1_000)
})

test('connections of a sender who is known stay, however many', async () => {
  const request = [
    'POST /connect_voiceai/get_current_date HTTP/1.1',
    'host: x',
    `x-voiceai-agent-token: ${app.token}`,
    'content-length: 2',
    '',
    '{}',
  ].join('\r\n')
  const known = await flood(app, CONNECTIONS_OF_AN_ADDRESS_MAX + 20, () => request)
  const strangers = await flood(app, CONNECTIONS_OF_AN_ADDRESS_MAX + 20, () => 'P')
  await expect.poll(() => held(strangers)).toBeLessThanOrEqual(CONNECTIONS_OF_AN_ADDRESS_MAX)
  expect(held(known)).toBe(CONNECTIONS_OF_AN_ADDRESS_MAX + 20)
})

test('behind a trusted proxy the address that it forwards is counted, not the proxy', async () => {
  const waiting = (address: string) =>
    [
      'POST /connect_voiceai/post_call HTTP/1.1',
      'host: x',
      `x-forwarded-for: ${address}`,
      `voiceai-signature: t=${Math.floor(Date.now() / 1_000)},v0=00`,
      'content-length: 20',
      '',
      '{',
    ].join('\r\n')
  await proxied.admin
    .ask('connect.settings', 'write', { ids: [1], vals: { voiceai_post_call_webhook_secret: 'wsec_of_this_test' } })
    .catch(() => undefined)
  const one = await flood(proxied, CONNECTIONS_OF_AN_ADDRESS_MAX + 40, () => waiting('203.0.113.7'))
  const many = await flood(proxied, 100, (at) => waiting(`198.51.100.${at}`))
  await expect.poll(() => held(one)).toBeLessThanOrEqual(CONNECTIONS_OF_AN_ADDRESS_MAX)
  expect(held(many)).toBe(100)
})

/** A status beyond the one that asks for the body. */
const ANSWERED = /HTTP\/1\.1 [2-5]\d\d/

/** A request as a proxy hands it on, whose body comes later. */
const forwarded = (address: string, more: string[] = []) =>
  [
    'POST /api/sign-in HTTP/1.1',
    'host: x',
    `x-forwarded-for: ${address}`,
    'content-type: application/json',
    'content-length: 2',
    ...more,
    '',
    '',
  ].join('\r\n')

/** Everything that comes on a connection. */
function heard(socket: Socket): () => string {
  let text = ''
  socket.on('data', (chunk) => {
    text += chunk
  })
  return () => text
}

test('a request over a connection that a proxy has kept for long is as new as one over another', async () => {
  const kept = await open(proxied, '')
  const text = heard(kept)
  kept.write(`${forwarded('203.0.113.9')}{}`)
  await expect.poll(text).toMatch(ANSWERED)
  await flood(proxied, 900, () => 'P')
  kept.write(forwarded('192.0.2.44', ['expect: 100-continue']))
  await expect.poll(text).toContain('HTTP/1.1 100')
  await flood(proxied, 250, () => 'P')
  kept.write('{}')
  await expect.poll(() => text().match(new RegExp(ANSWERED, 'g'))).toHaveLength(2)
})

test('connections that a proxy keeps count for nobody between requests', async () => {
  const answered = await flood(proxied, CONNECTIONS_OF_AN_ADDRESS_MAX + 20, () => '')
  const texts = answered.map(heard)
  for (const socket of answered) socket.write(`${forwarded('203.0.113.10')}{}`)
  await expect.poll(() => texts.every((text) => ANSWERED.test(text()))).toBe(true)
  const waiting = await flood(proxied, CONNECTIONS_OF_AN_ADDRESS_MAX + 20, () => forwarded('203.0.113.11'))
  await expect.poll(() => held(waiting)).toBeLessThanOrEqual(CONNECTIONS_OF_AN_ADDRESS_MAX)
  expect(held(answered)).toBe(CONNECTIONS_OF_AN_ADDRESS_MAX + 20)
})
