// Links by which people choose a password: who makes them, who uses them, and that each works once.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sql } from '../../../src/database/drizzle.ts'
import { type Caller, TestApp } from '../../support/test-app.ts'

const PASSWORD = 'ribbon lantern quarry 7'
const DAY_MS = 86_400_000
const NOT_VALID = /^This link is no longer valid\./
const START = new Date('2030-01-01T10:00:00Z')

interface Invited {
  id: number
  link: string
  reach: string
  expires_at: string
}

let app: TestApp
let manager: Caller
let now = START
let people = 0

beforeAll(async () => {
  app = await TestApp.start({ clock: () => now })
  manager = await app.person(['base.group_erp_manager', 'connect.group_admin'])
})
afterAll(() => app.stop())

async function invite(values: object = {}): Promise<Invited & { login: string; token: string }> {
  people += 1
  const login = `eve-${people}`
  const args = { name: 'Eve Stone', login, group_ids: await app.groupIds(['connect.group_user']), ...values }
  const invited = await manager.ask<Invited>('res.users', 'invite', args)
  return { ...invited, login, token: tokenOf(invited.link) }
}

function tokenOf(link: string): string {
  return link.slice(link.indexOf('#token=') + '#token='.length)
}

function look(token: string) {
  return app.post('/api/invitation', { token })
}

function accept(token: string, answer: object, headers?: Record<string, string>) {
  return app.post('/api/invitation/accept', { token, ...answer }, headers)
}

function signIn(login: string, password = PASSWORD) {
  return app.post('/api/sign-in', { login, password })
}

describe('an invitation', () => {
  it('an invitation says whom it invites, and lets them choose a password, zone and language once', async () => {
    const { token, login, id, link } = await invite()
    expect(link).toMatch(/^https:\/\/pbx\.example\.com\/invitation#token=[\w-]{43}$/)
    const { body } = await look(token)
    expect(body).toEqual({
      kind: 'invitation',
      name: 'Eve Stone',
      login,
      tz: null,
      lang: null,
      groups: ['connect.group_user'],
      expires_at: '2030-01-08 10:00:00',
    })
    expect((await signIn(login)).status).toBe(401)
    const accepted = await accept(token, { password: PASSWORD, tz: 'Europe/Zurich', lang: 'de_DE' })
    expect([accepted.status, accepted.body]).toEqual([200, { login }])
    expect((await signIn(login)).status).toBe(200)
    const [row] = await app.db.query(
      sql`select p.tz, p.lang from res_partner p join res_users u on u.partner_id = p.id where u.id = ${id}::bigint`,
    )
    expect(row).toEqual({ tz: 'Europe/Zurich', lang: 'de_DE' })
    for (const again of [await look(token), await accept(token, { password: PASSWORD })])
      expect([again.status, (again.body as { message: string }).message]).toEqual([
        404,
        expect.stringMatching(NOT_VALID),
      ])
  })

  it('an invitation says who can open it', async () => {
    const settings = await app.admin.ask<number[]>('connect.settings', 'search')
    const setAddress = (url: string | null) =>
      app.admin.ask('connect.settings', 'write', { ids: settings, vals: { api_url: url } })
    try {
      for (const [url, reach] of [
        ['https://pbx.example.com', 'example'],
        ['https://pbx.acme-phones.ch', 'public'],
        ['https://192.168.1.4', 'private'],
        [null, 'missing'],
      ] as const) {
        await setAddress(url)
        expect([url, (await invite()).reach]).toEqual([url, reach])
      }
    } finally {
      await setAddress('https://pbx.example.com')
    }
  })

  it('a link that is used, over, taken back or made up is refused in the same words', async () => {
    const [used, over, revoked, replaced] = [await invite(), await invite(), await invite(), await invite()]
    await accept(used.token, { password: PASSWORD })
    await manager.ask('res.users', 'revoke', { ids: [revoked.id] })
    await manager.ask('res.users', 'reset_link', { ids: [replaced.id] })
    now = new Date(START.getTime() + 7 * DAY_MS)
    const answers = await Promise.all(
      [used.token, over.token, revoked.token, replaced.token, 'none', 'x'.repeat(400)]
        .flatMap((token) => [look(token), accept(token, { password: 'short' })])
        .map(async (answer) => [(await answer).status, ((await answer).body as { message: string }).message]),
    )
    now = START
    expect(new Set(answers.map((each) => JSON.stringify(each))).size).toBe(1)
    expect(answers[0]).toEqual([404, expect.stringMatching(NOT_VALID)])
  })

  it('an invitation stays open while the password, zone or language is refused', async () => {
    const { token, login } = await invite()
    for (const wrong of [{ password: 'short' }, { tz: 'Nowhere' }, { lang: 'Klingon' }, { more: 1, password: 5 }]) {
      expect((await accept(token, { password: PASSWORD, ...wrong })).status).toBe(422)
    }
    expect((await accept(token, { password: PASSWORD })).status).toBe(200)
    expect((await signIn(login)).status).toBe(200)
  })

  it('an invitation is used by one of two who are at it at once', async () => {
    const { token } = await invite()
    const answers = await Promise.all([1, 2, 3].map((each) => accept(token, { password: `${PASSWORD} ${each}` })))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 404, 404])
  })

  it('an invitation of somebody who was deactivated lets nobody in', async () => {
    const { token, id } = await invite()
    await manager.ask('res.users', 'write', { ids: [id], vals: { active: false } })
    expect((await look(token)).status).toBe(404)
  })

  it('an invitation with an extension makes a phone user of that extension', async () => {
    const { id } = await invite({ extension: '731' })
    const [phone] = await manager.ask<object[]>('connect.user', 'search_read', {
      domain: [['user', '=', id]],
      fields: ['username', 'telco_exten_number'],
    })
    expect(phone).toMatchObject({ telco_exten_number: '731' })
    const before = await app.count('res_users')
    const taken = { name: 'Eve', login: 'eve-taken', group_ids: [], extension: '731' }
    expect((await manager.call('res.users', 'invite', taken)).status).toBeGreaterThanOrEqual(400)
    expect(await app.count('res_users')).toBe(before)
  })

  it('an invitation is a path where there is no public address', async () => {
    const [settings] = await manager.ask<number[]>('connect.settings', 'search')
    const save = (address: string | null) =>
      manager.ask('connect.settings', 'write', { ids: [settings], vals: { api_url: address } })
    await save(null)
    const { link } = await invite()
    expect(link).toMatch(/^\/invitation#token=[\w-]{43}$/)
  })
})

describe('a link for a lost password', () => {
  it('a link for a new password ends the sessions, and the links before it', async () => {
    const { id, token, login } = await invite()
    await accept(token, { password: PASSWORD })
    const { headers } = await signIn(login)
    const cookie = headers.get('set-cookie')?.split(';', 1)[0] ?? ''
    const { link } = await manager.ask<Invited>('res.users', 'reset_link', { ids: [id] })
    expect((await app.request('/api/me', { headers: { cookie } })).status).toBe(200)
    expect((await look(tokenOf(link))).body).toMatchObject({ kind: 'reset', login })
    await accept(tokenOf(link), { password: `${PASSWORD} more` })
    expect((await app.request('/api/me', { headers: { cookie } })).status).toBe(401)
    expect([(await signIn(login)).status, (await signIn(login, `${PASSWORD} more`)).status]).toEqual([401, 200])
  })

  it('a link for a new password is made for one active person, and for no user of the service', async () => {
    const webhook = (await app.webhookUser()).userId
    const { id } = await invite()
    await manager.ask('res.users', 'write', { ids: [id], vals: { active: false } })
    for (const ids of [[webhook], [id], [], [id, webhook]])
      expect((await manager.call('res.users', 'reset_link', { ids })).status).toBe(422)
    expect((await manager.call('res.users', 'reset_link', { ids: [2_000_000_000] })).status).toBe(404)
  })
})

describe('links', () => {
  it('links are made, listed and taken back by managers only, and no hash is shown', async () => {
    const { id } = await invite()
    for (const groups of [['connect.group_admin'], ['connect.group_user'], []]) {
      const other = await app.person(groups)
      const args = { name: 'Mallory', login: 'mallory', group_ids: [] }
      expect((await other.call('res.users', 'invite', args)).status).toBe(403)
      for (const method of ['reset_link', 'revoke'])
        expect((await other.call('res.users', method, { ids: [id] })).status).toBe(403)
      expect((await other.call('res.users.invitation', 'search')).status).toBe(403)
    }
    const [row] = await manager.ask<object[]>('res.users.invitation', 'search_read', { domain: [['user_id', '=', id]] })
    expect(row).toMatchObject({ kind: 'invitation', state: 'open' })
    expect(JSON.stringify(row)).not.toContain('hash')
    expect(await manager.ask('res.users', 'revoke', { ids: [id] })).toEqual({ revoked: 1 })
    expect(await manager.ask('res.users', 'revoke', { ids: [id] })).toEqual({ revoked: 0 })
  })

  it('another page accepts no link for somebody', async () => {
    const { token } = await invite()
    const answer = await accept(token, { password: PASSWORD }, { 'sec-fetch-site': 'cross-site' })
    expect(answer.status).toBe(403)
    expect((await look(token)).status).toBe(200)
  })
})

describe('a new password, or an archived user', () => {
  it.each([
    ['archived and active again', [{ active: false }, { active: true }]],
    ['given a password by a manager', [{ password: 'another lantern quarry 7' }]],
  ])('ends the links that are open of somebody who is %s', async (_what, writes) => {
    const { id, token } = await invite()
    expect((await look(token)).status).toBe(200)
    for (const vals of writes) await manager.ask('res.users', 'write', { ids: [id], vals })
    expect((await look(token)).status).toBe(404)
    expect((await accept(token, { password: PASSWORD })).status).toBe(404)
  })

  it('a new password by a link ends the keys where that is asked for', async () => {
    const { id, token } = await invite()
    const { key } = await app.callerOf(id)
    const status = async () => (await app.request('/api/me', { headers: { authorization: `bearer ${key}` } })).status
    expect(await status()).toBe(200)
    expect((await accept(token, { password: PASSWORD, end_keys: true })).status).toBe(200)
    expect(await status()).toBe(401)
  })
})
