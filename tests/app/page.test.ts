// How the page is served: what is its own, what stays the service's, and what a browser is told to do with it.
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import Fastify from 'fastify'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { PageBuild } from '../../src/app/page/page-build.ts'
import { servePage } from '../../src/app/page/page-routes.ts'
import { hashOfBuilt, hashOfSources, ROOT } from '../../src/app/page/source-hash.ts'
import { conversationHost } from '../../src/app/page/start-document.ts'
import { createLog } from '../../src/log.ts'
import { eventually, TestApp } from '../support/test-app.ts'

const HTML = { accept: 'text/html,application/xhtml+xml' }
const FIRST_BUILD_MS = 120_000

let app: TestApp

beforeAll(async () => {
  app = await TestApp.start({ env: { PAGE: 'on' } })
  await eventually(async () => (await app.request('/now', { headers: HTML })).status === 200, FIRST_BUILD_MS)
}, FIRST_BUILD_MS)
afterAll(() => app.stop())

describe('the start document', () => {
  it('every address of the page is answered with the start document, whose policy lets nothing else in', async () => {
    const answers = await Promise.all(
      ['/', '/setup', '/now', '/calls/7?tab=about', '/no/such/page'].map((url) => app.request(url, { headers: HTML })),
    )
    for (const { status, headers, text } of answers) {
      expect([status, headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
      const policy = headers.get('content-security-policy') ?? ''
      const [, nonce = ''] = /'nonce-([\w-]{24})'/.exec(policy) ?? []
      expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self' 'nonce-")
      expect(policy).not.toContain('unsafe')
      // A conversation with an agent that is tried, and nothing else that is not ours.
      expect(policy).toContain("; connect-src 'self' ws://127.0.0.1:9; ")
      expect(policy.match(/(?:https?|wss?):[^ ;]*/g)).toEqual(['ws://127.0.0.1:9'])
      expect(text).toContain(`nonce="${nonce}"`)
      expect(text).toContain('<script type="module"')
      expect(text).toContain('&quot;isSetUp&quot;:false')
      expect(headers.get('cache-control')).toBe('no-cache')
      expect(headers.get('permissions-policy')).toContain('microphone=(self)')
      expect([headers.get('x-frame-options'), headers.get('x-content-type-options')]).toEqual(['DENY', 'nosniff'])
      expect(Buffer.byteLength(text)).toBeLessThan(4_000)
      // The skeleton is drawn before any other file has come.
      expect(text.indexOf('class="early"')).toBeGreaterThan(0)
      expect(text.indexOf('rel="stylesheet"')).toBeGreaterThan(text.indexOf('class="early"'))
      expect(text).toContain('data-visitor="new"')
    }
    const nonces = answers.map(({ headers }) => /nonce-[\w-]+/.exec(headers.get('content-security-policy') ?? '')?.[0])
    expect(new Set(nonces).size).toBe(answers.length)
  })

  it('the start document says by itself, in the language of the reader, that the page is late', async () => {
    const asked = ['de-CH,de;q=0.9,en;q=0.8', 'en-GB,en;q=0.9,de;q=0.8', '']
    const answers = await Promise.all(
      asked.map((language) => app.request('/now', { headers: { ...HTML, 'accept-language': language } })),
    )
    expect(answers.map(({ text }) => /<html lang="(\w+)">/.exec(text)?.[1])).toEqual(['de', 'en', 'en'])
    for (const { text, headers } of answers) {
      expect(text).toContain('Connect is taking longer than usual.')
      expect(text).toContain('Connect braucht länger als sonst.')
      expect(headers.get('vary')).toContain('accept-language')
    }
  })

  it('assets never change under their name, and come compressed as the browser wants', async () => {
    const { text } = await app.request('/now', { headers: HTML })
    const [, script = ''] = /src="(\/assets\/[\w.-]+\.js)"/.exec(text) ?? []
    for (const [wanted, sent] of [
      ['br, gzip', 'br'],
      ['gzip', 'gzip'],
      ['identity', null],
    ] as const) {
      const answer = await app.request(script, { headers: { 'accept-encoding': wanted } })
      expect([answer.status, answer.headers.get('content-encoding')]).toEqual([200, sent])
      expect(answer.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
      expect(answer.headers.get('content-type')).toMatch(/^(?:text|application)\/javascript/)
    }
  })
})

describe('what is not the page', () => {
  it.each([
    '/connect/none',
    '/connectx',
    '/telco/none',
    '/telcox',
    '/json/2',
    '/api/none',
    '/web/none',
    '/metrics/x',
    '/assets/none.js',
    '/assets/..%2f.hash',
  ])('%s stays an answer in JSON, also for a browser', async (url) => {
    const { status, headers } = await app.request(url, { headers: HTML })
    expect(status).toBeGreaterThanOrEqual(400)
    expect(headers.get('content-type')).toMatch(/^application\/json/)
  })

  it('whatever is not read by a browser gets no page', async () => {
    for (const sending of [{}, { headers: { accept: 'application/json' } }, { method: 'POST', headers: HTML }]) {
      const answer = await app.request('/now', sending)
      expect([answer.status, answer.body]).toEqual([404, { error: 'There is nothing at this address.' }])
    }
  })

  it('the service answers its own addresses as before', async () => {
    expect((await app.request('/api/docs', { headers: HTML })).text).toContain('Connect API')
    expect((await app.request('/healthz', { headers: HTML })).headers.get('content-type')).toMatch(/^application\/json/)
  })
})

it.each([
  ['https://api.elevenlabs.io', 'wss://api.elevenlabs.io'],
  ['https://api.eu.residency.elevenlabs.io/', 'wss://api.eu.residency.elevenlabs.io'],
  ['http://127.0.0.1:4020', 'ws://127.0.0.1:4020'],
])('the page talks with the host of the voice platform: %s is %s', (baseUrl, host) => {
  expect(conversationHost(baseUrl)).toBe(host)
})

it.each([
  ['building', 'en', 'Connect is being prepared', true],
  ['building', 'de', 'Connect wird vorbereitet', true],
  ['failed', 'en', 'The page could not be built', false],
  ['failed', 'de', 'Die Seite konnte nicht gebaut werden', false],
] as const)('a page that is %s says so in %s: %s', async (state, language, title, looksAgain) => {
  const http = Fastify()
  const page = servePage(http, { db: app.db, build: { state, hash: '' }, voiceaiBaseUrl: 'https://voice.example.com' })
  http.setNotFoundHandler((request, reply) => page?.(request, reply) ?? reply.code(404).send())
  const sent = { ...HTML, 'accept-language': language }
  const { statusCode, body, headers } = await http.inject({ url: '/now', headers: sent })
  expect([statusCode, body.includes(`<html lang="${language}">`), body.includes(`<h1>${title}</h1>`)]).toEqual([
    503,
    true,
    true,
  ])
  expect(body.includes('location.reload()')).toBe(looksAgain)
  // A declared refresh never loads the printed link anew, which has a fragment.
  expect(body).not.toContain('http-equiv="refresh"')
  const [, nonce = ''] = /<style nonce="([^"]+)">/.exec(body) ?? []
  expect(headers['content-security-policy']).toContain(`; script-src 'nonce-${nonce}'; `)
  expect(headers['content-security-policy']).toContain("default-src 'none'")
  expect(headers['content-security-policy']).toContain("; connect-src 'self'; ")
  await http.close()
})

it('there is none with PAGE=off', async () => {
  const without = await TestApp.start({ env: { PAGE: 'off' } })
  try {
    expect((await without.request('/now', { headers: HTML })).status).toBe(404)
    for (const address of ['/', '/setup']) {
      const { status, headers, text } = await without.request(address, { headers: HTML })
      expect([status, headers.get('content-type')]).toEqual([200, 'text/plain; charset=utf-8'])
      expect(text).toContain('npx connect user create')
      expect(text).not.toContain('token=')
    }
  } finally {
    await without.stop()
  }
})

it('the types of the models are no reason to build the page again', () => {
  const root = mkdtempSync(path.join(tmpdir(), 'connect-page-'))
  onTestFinished(() => rmSync(root, { recursive: true }))
  for (const file of [
    'web/index.html',
    'package-lock.json',
    'scripts/build-page.ts',
    'src/csv-cell.ts',
    'src/rejection-kind.ts',
  ]) {
    mkdirSync(path.dirname(path.join(root, file)), { recursive: true })
    writeFileSync(path.join(root, file), '')
  }
  const before = hashOfSources(root)
  mkdirSync(path.join(root, 'web/data'))
  writeFileSync(path.join(root, 'web/data/models.gen.ts'), 'export interface Models {}')
  expect(hashOfSources(root)).toBe(before)
  writeFileSync(path.join(root, 'web/data/client.ts'), 'export const client = 1')
  expect(hashOfSources(root)).not.toBe(before)
})

it('a built page is served without being built again', async () => {
  expect(hashOfBuilt()).toBe(hashOfSources())
  const build = new PageBuild(createLog('silent'))
  build.start()
  await expect.poll(() => [build.state, build.hash]).toEqual(['ready', hashOfBuilt()])
})

it(
  'a built page is for every account of the machine to read',
  async () => {
    const dist = path.join(ROOT, 'web/dist')
    const closed = () =>
      ['', ...readdirSync(dist, { recursive: true, encoding: 'utf8' })].filter((name) => {
        const found = statSync(path.join(dist, name))
        return (found.mode & 0o777) !== (found.isDirectory() ? 0o755 : 0o644)
      })
    // Another process may put its own build in place meanwhile.
    await expect.poll(closed, { timeout: FIRST_BUILD_MS }).toEqual([])
  },
  FIRST_BUILD_MS,
)

it('the start document has a place for the nonce wherever one belongs', () => {
  const html = readFileSync(path.join(ROOT, 'web/dist/index.html'), 'utf8')
  // One for the libraries, and one for the style of the skeleton.
  expect(html.match(/nonce="__NONCE__"/g)).toHaveLength(2)
  expect(html).not.toMatch(/<script(?![^>]*\ssrc=)|<style(?! nonce="__NONCE__")|\sstyle=/)
})
