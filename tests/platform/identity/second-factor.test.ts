// The second factor, from the QR code to the last recovery code, as a browser and a thief see it.
import { Secret, TOTP } from 'otpauth'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { sql } from '../../../src/database/drizzle.ts'
import { type Answer, TestApp } from '../../support/test-app.ts'

const PASSWORD = 'ribbon lantern quarry 7'
const PERIOD_MS = 30_000
const MINUTE_MS = 60_000
const GUESSES_MAX = 10

let app: TestApp
let now = new Date('2030-01-01T10:00:00Z')
let people = 0

beforeAll(async () => {
  app = await TestApp.start({ clock: () => now })
})
afterAll(() => app.stop())
beforeEach(() => {
  now = new Date(now.getTime() + 60 * MINUTE_MS)
})

interface Person {
  id: number
  login: string
}

async function person(groups = ['connect.group_user']): Promise<Person> {
  people += 1
  const login = `eve-${people}`
  const { userId: id } = await app.person(groups, { login })
  await app.admin.ask('res.users', 'write', { ids: [id], vals: { password: PASSWORD } })
  return { id, login }
}

const signIn = ({ login }: Person) => app.post('/api/sign-in', { login, password: PASSWORD })
const cookieOf = (answer: Answer) => answer.headers.getSetCookie()[0]?.split(';')[0] ?? ''
const ownPage = (cookie: string) => ({ cookie, 'sec-fetch-site': 'same-origin' })
const bodyOf = <Body>(answer: Answer) => answer.body as Body

function codeOf(secret: string, at = now): string {
  return new TOTP({ secret: Secret.fromBase32(secret), digits: 6, period: 30 }).generate({ timestamp: at.getTime() })
}

/** Signed in, with a second factor that counts; time has gone on, so that its next code is a fresh one. */
async function withSecondFactor(who: Person) {
  const cookie = cookieOf(await signIn(who))
  const begun = bodyOf<{ secret: string; otpauth: string }>(
    await app.post('/api/totp/begin', { password: PASSWORD }, ownPage(cookie)),
  )
  const confirmed = await app.post('/api/totp/confirm', { code: codeOf(begun.secret) }, ownPage(cookie))
  expect(confirmed.status).toBe(200)
  now = new Date(now.getTime() + 2 * PERIOD_MS)
  return { ...begun, cookie, recovery: bodyOf<{ recovery_codes: string[] }>(confirmed).recovery_codes }
}

async function ticketOf(who: Person): Promise<string> {
  const answer = await signIn(who)
  expect([answer.status, answer.headers.getSetCookie()]).toEqual([200, []])
  return bodyOf<{ ticket: string }>(answer).ticket
}

const second = (ticket: string, code: string) => app.post('/api/sign-in/second', { ticket, code })

describe('a second factor', () => {
  it('a second factor is set up by the secret that is shown once, and asked for from then on', async () => {
    const eve = await person()
    const { secret, otpauth, recovery, cookie } = await withSecondFactor(eve)
    expect(otpauth).toMatch(new RegExp(`^otpauth://totp/Connect:${eve.login}\\?.*secret=${secret}`))
    expect(new Set(recovery).size).toBe(10)
    const answer = await signIn(eve)
    expect(answer.body).toEqual({ second_factor: true, ticket: expect.any(String) })
    const opened = await second(await ticketOf(eve), codeOf(secret))
    expect([opened.status, opened.body]).toEqual([200, { id: eve.id }])
    const me = await app.request('/api/me', { headers: { cookie: cookieOf(opened) } })
    expect(me.body).toMatchObject({ id: eve.id, session: { second_factor: 'on', recovery_codes: 10 } })
    expect((await app.post('/api/totp/begin', { password: PASSWORD }, ownPage(cookie))).status).toBe(409)
  })

  it('a second factor takes each code once, also from two who come at the same moment', async () => {
    const eve = await person()
    const { secret } = await withSecondFactor(eve)
    const [one, two] = [await ticketOf(eve), await ticketOf(eve)]
    const both = await Promise.all([second(one, codeOf(secret)), second(two, codeOf(secret))])
    expect(both.map(({ status }) => status).sort()).toEqual([200, 401])
    expect((await second(one, codeOf(secret))).status).toBe(401)
    // An older code than the last one is used up as well.
    expect((await second(one, codeOf(secret, new Date(now.getTime() - PERIOD_MS)))).status).toBe(401)
    now = new Date(now.getTime() + PERIOD_MS)
    expect((await second(one, ` ${codeOf(secret).slice(0, 3)} ${codeOf(secret).slice(3)} `)).status).toBe(200)
  })

  it('a second factor takes each recovery code once, however it is typed', async () => {
    const eve = await person()
    const { recovery } = await withSecondFactor(eve)
    const [code = ''] = recovery
    const ticket = await ticketOf(eve)
    expect((await second(ticket, code.toUpperCase().replaceAll('-', ' '))).status).toBe(200)
    const again = await second(ticket, code)
    expect([again.status, bodyOf<{ message: string }>(again).message]).toEqual([
      401,
      'The code is wrong, or has already been used.',
    ])
  })

  it.each([
    ['a code of nobody', () => '000000'],
    ['a code of the day after', (secret: string) => codeOf(secret, new Date(now.getTime() + 24 * 60 * MINUTE_MS))],
    ['a code of five minutes ago', (secret: string) => codeOf(secret, new Date(now.getTime() - 5 * MINUTE_MS))],
    ['text', () => 'let me in'],
  ])('a second factor refuses %s', async (_what, code) => {
    const eve = await person()
    const { secret } = await withSecondFactor(eve)
    expect((await second(await ticketOf(eve), code(secret))).status).toBe(401)
  })

  it('a second factor refuses guesses after ten, and says when to come back', async () => {
    const eve = await person()
    const { secret } = await withSecondFactor(eve)
    const ticket = await ticketOf(eve)
    const guesses = Array.from({ length: GUESSES_MAX }, (_, at) => second(ticket, String(at).padStart(6, '9')))
    expect(new Set((await Promise.all(guesses)).map(({ status }) => status))).toEqual(new Set([401]))
    const refused = await second(await ticketOf(eve), codeOf(secret))
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '900'])
  })

  it('a second factor wants the password a moment before: a ticket counts for ten minutes, and only as it was given', async () => {
    const eve = await person()
    const { secret } = await withSecondFactor(eve)
    const ticket = await ticketOf(eve)
    for (const made of ['x', `${ticket.slice(0, -4)}AAA=`, String(eve.id)]) {
      expect((await second(made, codeOf(secret))).status).toBe(401)
    }
    now = new Date(now.getTime() + 11 * MINUTE_MS)
    expect((await second(ticket, codeOf(secret))).status).toBe(401)
  })

  it.each([
    ['was archived and came back', [{ active: false }, { active: true }]],
    ['has another password', [{ password: 'another lantern quarry 7' }]],
  ])('a second factor finishes no sign-in that began before somebody %s', async (_what, writes) => {
    const eve = await person()
    const { secret, recovery } = await withSecondFactor(eve)
    const ticket = await ticketOf(eve)
    for (const vals of writes) await app.admin.ask('res.users', 'write', { ids: [eve.id], vals })
    for (const code of [codeOf(secret), recovery[0] ?? '']) expect((await second(ticket, code)).status).toBe(401)
  })

  it('a second factor is set up with the password, and ends the other sessions', async () => {
    const eve = await person()
    const [here, there] = [cookieOf(await signIn(eve)), cookieOf(await signIn(eve))]
    const begin = (body: object) => app.post('/api/totp/begin', body, ownPage(here))
    for (const body of [{}, { password: 'another password 1' }]) expect((await begin(body)).status).toBe(422)
    const { secret } = bodyOf<{ secret: string }>(await begin({ password: PASSWORD }))
    const me = async (cookie: string) => (await app.request('/api/me', { headers: { cookie } })).status
    expect(await me(there)).toBe(200)
    expect((await app.post('/api/totp/confirm', { code: codeOf(secret) }, ownPage(here))).status).toBe(200)
    expect([await me(here), await me(there)]).toEqual([200, 401])
  })

  it('a second factor counts for no session that somebody got by a key, or with a new password without it', async () => {
    const eve = await person()
    const { cookie } = await withSecondFactor(eve)
    const { key } = await app.callerOf(eve.id)
    const next = 'another lantern quarry 7'
    const bearer = { authorization: `bearer ${key}` }
    for (const headers of [bearer, { ...bearer, cookie: 'connect_session=' }, { ...bearer, cookie }]) {
      const changed = await app.post('/api/password', { current: PASSWORD, next }, headers as Record<string, string>)
      expect([changed.status, changed.headers.getSetCookie()]).toEqual([200, []])
      await app.admin.ask('res.users', 'write', { ids: [eve.id], vals: { password: PASSWORD } })
    }
  })

  it('a second factor is of no use to the person who was archived meanwhile', async () => {
    const eve = await person()
    const { secret } = await withSecondFactor(eve)
    const ticket = await ticketOf(eve)
    await app.admin.ask('res.users', 'write', { ids: [eve.id], vals: { active: false } })
    expect((await second(ticket, codeOf(secret))).status).toBe(401)
  })

  it('a second factor is confirmed by a right code only, and does not count before', async () => {
    const eve = await person()
    const cookie = cookieOf(await signIn(eve))
    await app.post('/api/totp/begin', { password: PASSWORD }, ownPage(cookie))
    expect((await app.post('/api/totp/confirm', { code: '123456' }, ownPage(cookie))).status).toBe(422)
    expect(bodyOf<{ id: number }>(await signIn(eve))).toEqual({ id: eve.id })
  })

  it('a second factor is taken away with the password, by the person who has it', async () => {
    const eve = await person()
    const { cookie } = await withSecondFactor(eve)
    const remove = (password: string) => app.post('/api/totp/remove', { password }, ownPage(cookie))
    expect((await remove('another password 1')).status).toBe(422)
    expect([(await remove(PASSWORD)).body, (await signIn(eve)).body]).toEqual([{ removed: 1 }, { id: eve.id }])
    expect(await app.count('res_users_recovery_code')).toBe(await codesOfOthers(eve.id))
  })

  it('a second factor is set up by a person at a page, not by a key', async () => {
    const { key } = await app.person(['connect.group_user'])
    const answer = await app.post('/api/totp/begin', {}, { authorization: `bearer ${key}` })
    expect(answer.status).toBe(403)
    expect((await app.post('/api/totp/begin', {})).status).toBe(401)
    const cookie = cookieOf(await signIn(await person()))
    expect((await app.post('/api/totp/begin', {}, { cookie, 'sec-fetch-site': 'cross-site' })).status).toBe(403)
  })

  it('a second factor is reset by a manager only', async () => {
    const eve = await person()
    await withSecondFactor(eve)
    const admin = await app.person(['connect.group_admin'])
    const manager = await app.person(['base.group_erp_manager'])
    expect((await admin.call('res.users', 'reset_second_factor', { ids: [eve.id] })).status).toBe(403)
    expect(await manager.ask('res.users', 'reset_second_factor', { ids: [eve.id] })).toEqual({ reset: 1 })
    expect((await signIn(eve)).body).toEqual({ id: eve.id })
  })

  it('a second factor is stored so that nobody reads it back: encrypted, and recovery codes as hashes', async () => {
    const { secret, recovery } = await withSecondFactor(await person())
    const stored = JSON.stringify([
      await app.db.query(sql`select * from res_users_second_factor`),
      await app.db.query(sql`select * from res_users_recovery_code`),
      await app.db.query(sql`select * from connect_audit`),
    ])
    for (const each of [secret, ...recovery, ...recovery.map((code) => code.replaceAll('-', ''))]) {
      expect(stored).not.toContain(each)
    }
    for (const model of ['res.users.second_factor', 'res.users.recovery_code', 'res.users.sign_on']) {
      expect((await app.admin.call(model, 'search_read', {})).status).toBe(403)
    }
  })
})

describe('an installation that wants a second factor', () => {
  it('an installation that wants a second factor answers nothing else to everybody who has none yet, keys excepted', async () => {
    const eve = await person()
    const cookie = cookieOf(await signIn(eve))
    const { key } = await app.callerOf(eve.id)
    const [settings] = await app.admin.ask<{ id: number }[]>('connect.settings', 'search_read', { fields: ['id'] })
    const write = (wanted: boolean) =>
      app.admin.ask('connect.settings', 'write', { ids: [settings?.id], vals: { require_second_factor: wanted } })
    await write(true)
    const count = (headers: Record<string, string>) => app.post('/json/2/connect.call/search_count', {}, headers)
    expect((await count(ownPage(cookie))).status).toBe(403)
    expect((await app.request('/api/live', { headers: { cookie } })).status).toBe(403)
    const me = await app.request('/api/me', { headers: { cookie } })
    expect(me.body).toMatchObject({ session: { second_factor: 'wanted' } })
    expect((await count({ authorization: `bearer ${key}` })).status).toBe(200)
    const { cookie: whole } = await withSecondFactor(eve)
    expect((await count(ownPage(whole))).status).toBe(200)
    await write(false)
  })

  it('a second factor is made everybody’s duty by a manager only', async () => {
    const admin = await app.person(['connect.group_admin'])
    const [settings] = await app.admin.ask<{ id: number }[]>('connect.settings', 'search_read', { fields: ['id'] })
    for (const vals of [{ require_second_factor: true }, { sso_issuer: 'https://evil.example' }]) {
      expect((await admin.call('connect.settings', 'write', { ids: [settings?.id], vals })).status).toBe(403)
    }
  })
})

async function codesOfOthers(userId: number): Promise<number> {
  const rows = await app.db.query(sql`select 1 from res_users_recovery_code where user_id <> ${userId}::bigint`)
  return rows.length
}
