import { afterAll, beforeAll, expect, test } from 'vitest'
import { OneTimeLinks } from '../../../src/platform/identity/one-time-links.ts'
import { ownPath } from '../../../src/platform/identity/own-path.ts'
import { TestApp } from '../../support/test-app.ts'

const NOW = new Date('2026-11-22T09:00:00Z')
const MINUTE_MS = 60_000
let app: TestApp

beforeAll(async () => {
  app = await TestApp.start()
})
afterAll(() => app.stop())

test('a one-time link signs in once, and leads to its page', async () => {
  const { userId } = await app.person(['connect.group_user'], { login: 'once' })
  const link = app.app.links.issue({ userId, page: '/calls/7', now: new Date() })
  const first = await fetch(app.url + link, { redirect: 'manual' })
  expect([first.status, first.headers.get('location')]).toEqual([303, '/calls/7'])
  const cookie = (first.headers.get('set-cookie') ?? '').split(';', 1)[0] ?? ''
  const me = (await (await fetch(`${app.url}/api/me`, { headers: { cookie } })).json()) as { login: string }
  expect(me.login).toBe('once')
  for (const path of [link, '/sign-in/once/guessed', `/sign-in/once/${'x'.repeat(90)}`]) {
    const again = await fetch(app.url + path, { redirect: 'manual' })
    expect([again.status, again.headers.get('set-cookie')]).toEqual([404, null])
  }
})

test.each([
  ['/contacts?name=Zoë 中', '/'],
  ['/contacts?name=Zoë中', '/contacts?name=Zo%C3%AB%E4%B8%AD'],
  ['/Zürich#€', '/Z%C3%BCrich#%E2%82%AC'],
  ['/a%0d%0ab', '/a%0d%0ab'],
  ['/a\r\nset-cookie: x=1', '/'],
  ['/\u0000', '/'],
  ['/a\u007f', '/'],
  ['//evil.example', '/'],
  ['/\\evil.example', '/'],
  ['/./\u002f/evil.example', '/'],
  ['/..//evil.example', '/'],
  ['https://evil.example', '/'],
  ['javascript:alert(1)', '/'],
  ['', '/'],
  [undefined, '/'],
])('a page %j is led to as %j', (page, location) => expect(ownPath(page)).toBe(location))

test('a one-time link is not used up by who only looks at it, nor from another site, and says so on a page once it is used', async () => {
  const { userId } = await app.person(['connect.group_user'], { login: 'looked-at' })
  const link = app.url + app.app.links.issue({ userId, page: '/calls/7', now: new Date() })
  const ask = async (headers: Record<string, string>, method = 'GET') => {
    const { status, headers: given } = await fetch(link, { method, headers, redirect: 'manual' })
    return [status, given.get('location'), given.has('set-cookie')]
  }
  expect(await ask({}, 'HEAD')).toEqual([403, null, false])
  for (const headers of [{ 'sec-purpose': 'prefetch;prerender' }, { purpose: 'prefetch' }, { 'x-moz': 'prefetch' }])
    expect(await ask(headers)).toEqual([403, null, false])
  expect(await ask({ 'sec-fetch-site': 'cross-site' })).toEqual([403, null, false])
  const browser = { accept: 'text/html' }
  expect(await ask({ ...browser, 'sec-fetch-site': 'cross-site' })).toEqual([303, '/sign-in?problem=elsewhere', false])
  expect(await ask({ ...browser, 'sec-fetch-site': 'none' })).toEqual([303, '/calls/7', true])
  expect(await ask(browser)).toEqual([303, '/sign-in?problem=used', false])
})

test('a one-time link ends after a quarter of an hour', () => {
  const links = new OneTimeLinks()
  const tokenOf = () => links.issue({ userId: 1, page: '/', now: NOW }).split('/').at(-1) ?? ''
  expect(links.take(tokenOf(), new Date(NOW.getTime() + 14 * MINUTE_MS))).toMatchObject({ userId: 1 })
  expect(links.take(tokenOf(), new Date(NOW.getTime() + 16 * MINUTE_MS))).toBeUndefined()
})
