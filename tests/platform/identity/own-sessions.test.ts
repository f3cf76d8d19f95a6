// What somebody does about themselves: where they are signed in, their name, zone and language.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sql } from '../../../src/database/drizzle.ts'
import { type Answer, eventually, TestApp } from '../../support/test-app.ts'

const PASSWORD = 'ribbon lantern quarry 7'

let app: TestApp
let now = new Date('2030-01-01T10:00:00Z')

beforeAll(async () => {
  app = await TestApp.start({ clock: () => now })
})
afterAll(() => app.stop())

interface Session {
  id: number
  is_current: boolean
  agent: string
  address: string
  created_at: string
  last_seen: string
}

const cookieOf = (answer: Answer) => answer.headers.getSetCookie()[0]?.split(';')[0] ?? ''
const ownPage = (cookie: string) => ({ cookie, 'sec-fetch-site': 'same-origin' })

async function person(login: string) {
  const { userId, key } = await app.person(['connect.group_user'], { login })
  await app.admin.ask('res.users', 'write', { ids: [userId], vals: { password: PASSWORD } })
  return { userId, key, login }
}

async function signIn(login: string, agent = 'Firefox'): Promise<string> {
  const answer = await app.post('/api/sign-in', { login, password: PASSWORD }, { 'user-agent': agent })
  return cookieOf(answer)
}

function ask(cookie: string, model: string, method: string, args: object = {}): Promise<Answer> {
  return app.post(`/json/2/${model}/${method}`, args, ownPage(cookie))
}

async function sessionsOf(cookie: string): Promise<Session[]> {
  const fields = ['is_current', 'agent', 'address', 'created_at', 'last_seen']
  return (await ask(cookie, 'res.users.session', 'search_read', { fields })).body as Session[]
}

const isOpen = async (cookie: string) => (await app.request('/api/me', { headers: { cookie } })).status === 200

describe("one's own sessions", () => {
  it('sessions say where and when somebody signed in, and which one asks', async () => {
    await person('anna')
    const here = await signIn('anna', 'Firefox on Linux')
    await signIn('anna', 'Safari')
    const sessions = await sessionsOf(here)
    expect(sessions.map(({ agent, is_current: isCurrent }) => [agent, isCurrent])).toEqual([
      ['Safari', false],
      ['Firefox on Linux', true],
    ])
    expect(sessions[0]).toMatchObject({ address: '127.0.0.1', created_at: '2030-01-01 10:00:00' })
    expect(JSON.stringify(sessions)).not.toContain('token')
  })

  it('sessions are seen by nobody else, and ended by nobody else, whatever they may otherwise', async () => {
    await person('bert')
    const bert = await signIn('bert')
    const [own] = await sessionsOf(bert)
    await person('cleo')
    const cleo = await signIn('cleo')
    expect((await sessionsOf(cleo)).map(({ id }) => id)).not.toContain(own?.id)
    const manager = await app.person(['base.group_erp_manager', 'connect.group_admin'])
    const none = await ask(cleo, 'res.users.session', 'end', { ids: [2_147_483_000] })
    for (const answer of [
      await ask(cleo, 'res.users.session', 'end', { ids: [own?.id] }),
      await manager.call('res.users.session', 'end', { ids: [own?.id] }),
    ]) {
      expect(answer.status).toBe(none.status)
    }
    expect(none.status).toBe(404)
    expect(await isOpen(bert)).toBe(true)
  })

  it('sessions are ended one by one, or all but the one that asks', async () => {
    const { key } = await person('dora')
    const [one, two, three] = [await signIn('dora'), await signIn('dora'), await signIn('dora')]
    const [first] = (await sessionsOf(one)).filter(({ is_current: isCurrent }) => isCurrent)
    expect((await ask(two, 'res.users.session', 'end', { ids: [first?.id] })).body).toEqual({ ended: 1 })
    expect(await Promise.all([one, two, three].map(isOpen))).toEqual([false, true, true])
    expect((await ask(two, 'res.users.session', 'end_others')).body).toEqual({ ended: 1 })
    expect(await Promise.all([two, three].map(isOpen))).toEqual([true, false])
    const bearer = { authorization: `bearer ${key}` }
    expect((await app.post('/json/2/res.users.session/end_others', {}, bearer)).body).toEqual({ ended: 1 })
    expect(await isOpen(two)).toBe(false)
  })

  it('sessions say when they were last used, to within five minutes', async () => {
    await person('emil')
    const cookie = await signIn('emil')
    const before = now
    now = new Date(before.getTime() + 4 * 60_000)
    expect(await isOpen(cookie)).toBe(true)
    expect((await sessionsOf(cookie))[0]?.last_seen).toBe('2030-01-01 10:00:00')
    now = new Date(before.getTime() + 6 * 60_000)
    await eventually(async () => (await sessionsOf(cookie))[0]?.last_seen === '2030-01-01 10:06:00')
    now = before
  })

  it('sessions have no word of a browser that cannot be stored', async () => {
    await person('fritz')
    const cookie = await signIn('fritz', `x${'y'.repeat(5_000)}`)
    expect((await sessionsOf(cookie))[0]?.agent).toHaveLength(300)
  })
})

describe("one's own preferences", () => {
  it('preferences are written without any right on users, and answered to who is signed in', async () => {
    const { userId } = await app.person([], { login: 'gina' })
    const { ask: mine, key } = await app.callerOf(userId)
    const preferences = { density: 'dense', keys: false }
    const given = { name: 'Gina Gold', tz: 'Europe/Zurich', lang: 'de_DE', preferences }
    expect(await mine('res.users', 'set_preferences', given)).toEqual({ id: userId })
    const me = await app.request('/api/me', { headers: { authorization: `bearer ${key}` } })
    expect(me.body).toMatchObject(given)
    await mine('res.users', 'set_preferences', { tz: null })
    const after = await app.request('/api/me', { headers: { authorization: `bearer ${key}` } })
    expect(after.body).toMatchObject({ ...given, tz: null })
  })

  it.each([
    ['a zone that is none', { tz: 'Europe/Zurych' }],
    ['a language that is none', { lang: 'xx_XX' }],
    ['a name that is none', { name: '' }],
    ['more than a page needs', { preferences: { text: 'x'.repeat(9_000) } }],
  ])('preferences are refused with %s, and nothing is written', async (_what, given) => {
    const { userId, ask: mine, call } = await app.person(['connect.group_user'])
    await mine('res.users', 'set_preferences', { tz: 'Europe/Berlin' })
    const refused = await call('res.users', 'set_preferences', { preferences: { a: 1 }, ...given })
    expect(refused.status).toBe(422)
    const [row] = await app.db.query(
      sql`select u.preferences, p.tz from res_users u join res_partner p on p.id = u.partner_id
          where u.id = ${userId}::bigint`,
    )
    expect(row).toEqual({ preferences: null, tz: 'Europe/Berlin' })
  })

  it('preferences are those of the person who asks: nothing else of a user is written that way', async () => {
    const { userId, call } = await app.person(['connect.group_user'])
    const groups = await app.groupIds(['base.group_erp_manager'])
    for (const more of [{ group_ids: groups }, { login: 'root' }, { active: false }, { password: PASSWORD }]) {
      await call('res.users', 'set_preferences', { ids: [userId], ...more })
    }
    const [row] = await app.db.query(
      sql`select login, active, password_hash, (select count(*)::int from res_groups_users_rel r where r.user_id = u.id) as groups
          from res_users u where id = ${userId}::bigint`,
    )
    expect(row).toEqual({ login: expect.stringMatching(/^user-/), active: true, password_hash: null, groups: 1 })
  })
})
