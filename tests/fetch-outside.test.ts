// Requests to addresses that somebody wrote: they leave this machine's network, and go to the very address that was checked.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo, LookupFunction } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { fetchOutside } from '../src/fetch-outside.ts'
import { outsideLookup } from '../src/outside-lookup.ts'
import { isOwnNetwork } from '../src/public-address.ts'

const NOBODY = '192.0.2.1'
let server: Server
let port: number
let connections = 0
let answer: (request: IncomingMessage, response: ServerResponse) => void

beforeAll(async () => {
  server = createServer((request, response) => answer(request, response)).on('connection', () => {
    connections += 1
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  port = (server.address() as AddressInfo).port
})
afterAll(() => server.close())

const at = (name: string) => new URL(`http://${name}:${port}/file`)
const ipv4 = (address: string) => ({ address, family: 4 })
/** As if the name were known outside, at the server of this test. */
const known: LookupFunction = (_name, options, done) =>
  options.all === true ? done(null, [ipv4('127.0.0.1')]) : done(null, '127.0.0.1', 4)

it.each([
  [['127.0.0.1']],
  [['93.184.216.34', '10.1.2.3']],
  [['::ffff:127.0.0.1']],
  [['64:ff9b::a00:1']],
  [['169.254.169.254']],
  [['fe80::1%eth0']],
  [[]],
])('a name that resolves to %j is not connected to', async (addresses) => {
  const before = connections
  const find = outsideLookup(async () => addresses.map(ipv4))
  await expect(fetchOutside(at('files.example.com'), {}, find)).rejects.toThrow('is this machine, or of its network')
  expect(connections).toBe(before)
})

it('a name that leads outside when it is checked, and inside a moment later, is looked up once', async () => {
  const before = connections
  const found = [NOBODY, '127.0.0.1']
  const gaveUp = new AbortController()
  let looks = 0
  const find = outsideLookup(async () => {
    looks += 1
    setImmediate(() => gaveUp.abort())
    return [ipv4(found.shift() ?? '127.0.0.1')]
  })
  await expect(fetchOutside(at('files.example.com'), { signal: gaveUp.signal }, find)).rejects.toThrow()
  expect([looks, connections]).toEqual([1, before])
})

it.each([
  '127.0.0.1',
  '[::1]',
  '[::ffff:7f00:1]',
  'localhost',
  '0',
  '0x7f.1',
  '2130706433',
  '127.0.0.1.',
  'localhost.',
])('http://%s is not connected to, whatever finds names', async (host) => {
  const before = connections
  await expect(fetchOutside(at(host), {}, known)).rejects.toThrow('is this machine, or of its network')
  expect(connections).toBe(before)
})

it('what is asked, sent and answered comes through as it is', async () => {
  answer = async (request, response) => {
    const body = (await Array.fromAsync(request)).join('')
    const { method, url, headers } = request
    const seen = { method, url, host: headers.host, type: headers['content-type'], own: headers['x-own'], body }
    response.writeHead(201, { 'set-cookie': ['a=1', 'b=2'], 'content-type': 'application/json' })
    response.end(JSON.stringify(seen))
  }
  const init = { method: 'POST', headers: { 'x-own': 'yes' }, body: new URLSearchParams({ a: 'ü' }) }
  const reply = await fetchOutside(at('files.example.com'), init, known)
  expect([reply.status, reply.headers.getSetCookie()]).toEqual([201, ['a=1', 'b=2']])
  expect(await reply.json()).toEqual({
    method: 'POST',
    url: '/file',
    host: `files.example.com:${port}`,
    type: 'application/x-www-form-urlencoded;charset=UTF-8',
    own: 'yes',
    body: 'a=%C3%BC',
  })
})

it('an answer without a body, to HEAD too, and a redirect come back as they are', async () => {
  answer = (_request, response) => response.writeHead(304, { etag: '"1"' }).end()
  const unchanged = await fetchOutside(at('files.example.com'), {}, known)
  expect([unchanged.status, await unchanged.text()]).toEqual([304, ''])
  answer = (_request, response) => response.writeHead(200, { 'content-length': '17' }).end()
  const head = await fetchOutside(at('files.example.com'), { method: 'HEAD' }, known)
  expect([head.headers.get('content-length'), await head.text()]).toEqual(['17', ''])
  answer = (_request, response) => response.writeHead(302, { location: 'http://127.0.0.1/' }).end()
  const redirect = await fetchOutside(at('files.example.com'), {}, known)
  expect([redirect.status, redirect.headers.get('location')]).toEqual([302, 'http://127.0.0.1/'])
})

it('a body that is given up, and one that breaks off, end the connection', async () => {
  const closed = Promise.withResolvers<void>()
  answer = (_request, response) => {
    response.writeHead(200)
    response.write('first')
    response.on('close', () => closed.resolve())
  }
  const gaveUp = await fetchOutside(at('files.example.com'), {}, known)
  await gaveUp.body?.cancel()
  await closed.promise
  answer = (_request, response) => {
    response.writeHead(200, { 'content-length': '100' })
    response.write('first', () => response.destroy())
  }
  const broken = await fetchOutside(at('files.example.com'), {}, known)
  await expect(broken.text()).rejects.toThrow()
})

it.each([
  ['64:ff9b::10.0.0.1', true],
  ['64:ff9b::8.8.8.8', false],
  ['64:ff9b:1::8.8.8.8', true],
  ['::10.0.0.1', true],
  ['::8.8.8.8', false],
  ['::ffff:0:192.168.0.1', true],
  ['2002:7f00:1::', true],
  ['2002:808:808::1', false],
  ['fec0::1', true],
  ['2001:0:5ef5:79fb::f5ff:fffe', true],
  ['2001:4860:4860::8888', false],
  ['2606:4700::1111', false],
])('whether %s is of this network: %s', (address, isOurs) => {
  expect([isOwnNetwork(address), isOwnNetwork(`[${address}]`)]).toEqual([isOurs, isOurs])
})
