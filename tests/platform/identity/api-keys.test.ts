import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sql } from '../../../src/database/drizzle.ts'
import { type Caller, eventually, TestApp } from '../../support/test-app.ts'

interface Key {
  id: number
  key: string
}

let app: TestApp
let now = new Date('2030-01-01T10:00:00Z')
let user: Caller
let other: Caller
let manager: Caller

beforeAll(async () => {
  app = await TestApp.start({ clock: () => now })
  user = await app.person(['connect.group_user'])
  other = await app.person(['connect.group_user'])
  manager = await app.person(['base.group_erp_manager'])
})
afterAll(() => app.stop())

function create(caller: Caller, userId: number, args: object = {}): Promise<Key> {
  return caller.ask<Key>('res.users', 'api_key_create', { ids: [userId], name: 'Script', ...args })
}

async function idOf(key: string): Promise<number | undefined> {
  const answer = await app.request('/api/me', { headers: { authorization: `Bearer ${key}` } })
  return answer.status === 200 ? (answer.body as { id: number }).id : undefined
}

describe('an API key', () => {
  it('an API key is made for oneself, or by a manager for anybody, the webhook user too', async () => {
    const webhook = await app.webhookUser()
    expect(await idOf((await create(user, user.userId)).key)).toBe(user.userId)
    for (const id of [manager.userId, user.userId, webhook.userId]) {
      expect(await idOf((await create(manager, id)).key)).toBe(id)
    }
  })

  it('an API key is not made for others, for several or for nobody', async () => {
    const before = await app.count('res_users_apikeys')
    const args = { name: 'Script' }
    expect((await user.call('res.users', 'api_key_create', { ids: [other.userId], ...args })).status).toBe(403)
    expect((await user.call('res.users', 'api_key_create', { ids: [user.userId, other.userId], ...args })).status).toBe(
      422,
    )
    expect((await user.call('res.users', 'api_key_create', args)).status).toBe(422)
    expect((await manager.call('res.users', 'api_key_create', { ids: [2_000_000_000], ...args })).status).toBe(404)
    expect(await app.count('res_users_apikeys')).toBe(before)
  })

  it.each([
    {},
    { name: '' },
    { name: 5 },
    { name: 'x', expires_at: 'tomorrow' },
    { name: 'x', scope: 'all' },
    { name: '\0' },
  ])('an API key is not made with %j', async (args) => {
    expect((await user.call('res.users', 'api_key_create', { ids: [user.userId], ...args })).status).toBe(422)
  })

  it('an API key is given once, stored as a hash, and listed without its value', async () => {
    const { id, key } = await create(user, user.userId)
    expect(key).toMatch(/^ck_[\w-]{43}$/)
    const [row] = await user.ask<object[]>('res.users.apikeys', 'read', { ids: [id] })
    expect(row).toMatchObject({ id, name: 'Script', user_id: [user.userId, expect.any(String)], expires_at: null })
    expect(JSON.stringify(row)).not.toContain('hash')
    const stored = await app.db.query(sql`select * from res_users_apikeys`)
    expect(JSON.stringify(stored)).not.toContain(key)
  })

  it('an API key is revoked by deleting it, from the next request on', async () => {
    const { id, key } = await create(user, user.userId)
    expect(await idOf(key)).toBe(user.userId)
    expect((await other.call('res.users.apikeys', 'unlink', { ids: [id] })).status).toBe(404)
    expect(await idOf(key)).toBe(user.userId)
    expect(await user.ask('res.users.apikeys', 'unlink', { ids: [id] })).toBe(true)
    expect(await idOf(key)).toBeUndefined()
    const another = await create(user, user.userId)
    expect(await manager.ask('res.users.apikeys', 'unlink', { ids: [another.id] })).toBe(true)
    expect(await idOf(another.key)).toBeUndefined()
  })

  it('an API key cannot be changed', async () => {
    const { id } = await create(user, user.userId)
    const write = { ids: [id], vals: { expires_at: '2040-01-01 00:00:00' } }
    expect((await user.call('res.users.apikeys', 'write', write)).status).toBe(403)
    expect((await manager.call('res.users.apikeys', 'write', write)).status).toBe(403)
  })

  it('ends when it says', async () => {
    const { key } = await create(user, user.userId, { expires_at: '2030-01-01 11:00:00' })
    expect(await idOf(key)).toBe(user.userId)
    now = new Date('2030-01-01T11:00:00Z')
    expect(await idOf(key)).toBeUndefined()
    now = new Date('2030-01-01T10:00:00Z')
  })

  it('an API key that ends makes no key that lives longer, for nobody', async () => {
    const { key } = await create(manager, manager.userId, { expires_at: '2030-01-01 11:00:00' })
    const byKey = (args: object) => app.caller(manager.userId, key).call('res.users', 'api_key_create', args)
    for (const id of [manager.userId, user.userId]) {
      for (const end of [{}, { expires_at: null }, { expires_at: '2030-01-01 11:00:01' }]) {
        expect((await byKey({ ids: [id], name: 'Longer', ...end })).status).toBe(403)
      }
      expect((await byKey({ ids: [id], name: 'Shorter', expires_at: '2030-01-01 11:00:00' })).status).toBe(200)
    }
  })

  it('an API key that ends makes links that end with it', async () => {
    const boss = await app.person(['base.group_erp_manager', 'connect.group_admin'])
    const { key } = await create(boss, boss.userId, { expires_at: '2030-01-01 11:00:00' })
    const byKey = (method: string, args: object) =>
      app.caller(boss.userId, key).ask<{ expires_at: string }>('res.users', method, args)
    const invited = await byKey('invite', { name: 'Zed', login: 'zed-of-key', group_ids: [] })
    const reset = await byKey('reset_link', { ids: [user.userId] })
    expect([invited.expires_at, reset.expires_at].map((end) => end.slice(0, 19))).toEqual([
      '2030-01-01 11:00:00',
      '2030-01-01 11:00:00',
    ])
  })

  it('says when it was last used', async () => {
    const { id, key } = await create(user, user.userId)
    await idOf(key)
    await eventually(async () => {
      const [row] = await user.ask<{ last_used: string }[]>('res.users.apikeys', 'read', { ids: [id] })
      return row?.last_used === '2030-01-01 10:00:00'
    })
  })

  it.each([
    ['no scheme', (key: string) => key],
    ['another scheme', (key: string) => `Basic ${key}`],
    ['a part of it', (key: string) => `Bearer ${key.slice(0, -1)}`],
    ['nothing after the scheme', () => 'Bearer'],
    ['more than it', (key: string) => `Bearer ${key}x`],
  ])('an API key with %s is nobody', async (_what, header) => {
    const { key } = await create(user, user.userId)
    const answer = await app.post('/json/2/res.lang/search_count', {}, { authorization: header(key) })
    expect(answer.status).toBe(401)
    expect(answer.body).toMatchObject({ name: 'werkzeug.exceptions.Unauthorized' })
  })

  it('an API key that nobody has does not get a body parsed', async () => {
    const answer = await app.post('/json/2/res.lang/search_count', '{not json', { authorization: 'bearer x' })
    expect(answer.status).toBe(401)
  })
})
