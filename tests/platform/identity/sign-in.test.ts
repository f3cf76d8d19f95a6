import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { sql } from '../../../src/database/drizzle.ts'
import { SignIn } from '../../../src/platform/identity/passwords/sign-in.ts'
import { setupToken } from '../../../src/platform/identity/session-routes.ts'
import { aPhoneUser } from '../../fixtures/records.ts'
import { expectRefused } from '../../support/refusals.ts'
import { insertRow } from '../../support/rows.ts'
import { type Answer, TestApp } from '../../support/test-app.ts'

const ATTEMPTS_MAX = { both: 10, network: 50, login: 100, all: 1_000 }

const PASSWORD = 'correct horse battery'

let app: TestApp
let now = new Date('2030-01-01T10:00:00Z')
let test = 0

beforeAll(async () => {
  app = await TestApp.start({ clock: () => now, env: { TRUST_PROXY: '1' } })
})
afterAll(() => app.stop())

// Every test has its own quarter of an hour, and finds nobody who can sign in.
beforeEach(async () => {
  test += 1
  now = new Date(Date.UTC(2030, 0, 1, test))
  await app.db.script(`delete from res_users_session; update connect_settings set was_set_up = false;
    update res_users set password_hash = null, login = 'former-' || id where password_hash is not null`)
})

function signIn(login: string, password: string, headers: Record<string, string> = {}): Promise<Answer> {
  return app.post('/api/sign-in', { login, password }, headers)
}

async function personWithPassword(login: string): Promise<number> {
  const { userId } = await app.person(['connect.group_user'], { login })
  await app.admin.ask('res.users', 'write', { ids: [userId], vals: { password: PASSWORD } })
  return userId
}

function cookieOf(answer: Answer): string {
  return answer.headers.getSetCookie()[0]?.split(';')[0] ?? ''
}

function me(cookie: string): Promise<Answer> {
  return app.request('/api/me', { headers: { cookie } })
}

describe('signing in', () => {
  it('signing in with the password opens a session that acts as the person', async () => {
    const id = await personWithPassword('anna')
    const answer = await signIn('anna', PASSWORD)
    expect([answer.status, answer.body]).toEqual([200, { id }])
    const cookie = cookieOf(answer)
    expect((await me(cookie)).body).toMatchObject({
      id,
      login: 'anna',
      partner_id: expect.any(Number),
      groups: ['base.group_user', 'connect.group_user'],
    })
    const own = { cookie, 'sec-fetch-site': 'same-origin' }
    const reply = await app.post('/json/2/connect.call/search_count', {}, own)
    expect([reply.status, reply.body]).toEqual([200, 0])
    expect((await app.post('/json/2/connect.telco.exten/create', { vals_list: [] }, own)).status).toBe(403)
  })

  it('a login is read as it is saved, and only as that: letters keep their case', async () => {
    const id = await personWithPassword('kim@acme.example')
    for (const login of [
      ' kim@acme.example ',
      'Kim <kim@acme.example>',
      'mailto:kim@acme.example',
      'kim@acme.example; ',
    ]) {
      const answer = await signIn(login, PASSWORD)
      expect([login, answer.status, answer.body]).toEqual([login, 200, { id }])
    }
    for (const login of ['KIM@acme.example', '\u212aim@acme.example']) {
      expect([login, (await signIn(login, PASSWORD)).status]).toEqual([login, 401])
    }
  })

  it('the answer to who is signed in has all that a page needs at first', async () => {
    const { userId, key } = await app.person(['connect.group_user'], { login: 'eve', name: 'Eve', tz: 'Europe/Zurich' })
    await app.admin.ask('res.users', 'write', { ids: [userId], vals: { password: PASSWORD } })
    const { body } = await me(cookieOf(await signIn('eve', PASSWORD)))
    expect(body).toMatchObject({
      name: 'Eve',
      tz: 'Europe/Zurich',
      lang: null,
      phone: null,
      features: { telco: false, web_phones: false, voiceai: false, sso: false, emulated: true },
      session: { expires_at: expect.stringMatching(/^2030-01-\d\d /) },
      installation: { name: null, tz: null, country: null },
      build: expect.any(String),
    })
    const { access } = body as { access: Record<string, string> }
    expect(access).toMatchObject({ 'connect.call': 'rwc', 'connect.telco.number': 'r', 'connect.favorite': 'rwcd' })
    expect(Object.keys(access)).not.toContain('connect.settings')
    const byKey = await app.request('/api/me', { headers: { authorization: `bearer ${key}` } })
    expect(byKey.body).toMatchObject({ name: 'Eve', session: null })
  })

  it('anyone who is signed in hears who manages users, and nobody else does', async () => {
    const { key } = await app.person(['connect.group_user'], { name: 'Nora Asks' })
    await app.person(['base.group_erp_manager'], { name: 'Max Manages' })
    const { body } = await app.request('/api/who-can-help', { headers: { authorization: `bearer ${key}` } })
    const { names } = body as { names: string[] }
    const managers = await app.admin.ask<{ name: string }[]>('res.users', 'search_read', {
      domain: [['group_ids.external_id', '=', 'base.group_erp_manager']],
      fields: ['name'],
    })
    expect([names.length > 0, names.length <= 3, names.includes('Nora Asks')]).toEqual([true, true, false])
    expect(managers.map(({ name }) => name)).toEqual(expect.arrayContaining(names))
    // Nobody can ask a user that the service itself works as.
    expect(names).not.toContain('Local Administrator')
    expect((await app.request('/api/who-can-help')).status).toBe(401)
  })

  it('the answer to who is signed in names the phone that is theirs, with its extension', async () => {
    const { person, pbxUser } = await aPhoneUser(app, { name: 'Eve', extension: '171' })
    const { body } = await app.request('/api/me', { headers: { authorization: `bearer ${person.key}` } })
    expect(body).toMatchObject({ phone: { id: pbxUser, extension: '171', rings: [] } })
  })

  it('the answer to who is signed in says what rings for them, in its order, and whether web phones can sign in', async () => {
    const { person, pbxUser } = await aPhoneUser(app, { name: 'Ivo' })
    const asked = async () =>
      (await app.request('/api/me', { headers: { authorization: `bearer ${person.key}` } })).body
    const markup = { name: 'Ivo', markup: '<Response><Say>Ivo</Say></Response>' }
    const application = await app.admin.ask<number>('connect.telco.markup', 'create', { vals_list: markup })
    const domain = await insertRow(app.db, 'connect_telco_domain', {
      ...{ subdomain: 'ivo', friendly_name: 'Ivo', application },
    })
    const vals = {
      username: 'ivo',
      domain,
      sip_enabled: true,
      sip_priority: '1',
      client_enabled: true,
      client_priority: '2',
    }
    await app.admin.ask('connect.user', 'write', { ids: [pbxUser], vals })
    expect(await asked()).toMatchObject({
      phone: { rings: ['client'], calls_from: 'sip' },
      features: { web_phones: false },
    })
    await app.db.query(sql`update connect_user set sid = 'CR1' where id = ${pbxUser}::bigint`)
    expect(await asked()).toMatchObject({ phone: { rings: ['sip', 'client'], calls_from: 'sip' } })
    const mobile = { sip_enabled: false, mobile_enabled: true, mobile_number: '+41795550188' }
    await app.admin.ask('connect.user', 'write', { ids: [pbxUser], vals: mobile })
    expect(await asked()).toMatchObject({ phone: { rings: ['client', 'mobile'], calls_from: 'client' } })
    await app.admin.ask('connect.user', 'write', { ids: [pbxUser], vals: { client_enabled: false } })
    expect(await asked()).toMatchObject({ phone: { rings: ['mobile'], calls_from: null } })
  })

  it.each([
    [{ 'sec-fetch-site': 'cross-site' }, 403],
    [{ 'sec-fetch-site': 'same-site', origin: 'https://other.example' }, 403],
    [{ origin: 'https://other.example' }, 403],
    [{ origin: 'null' }, 403],
    [{ 'sec-fetch-site': 'same-origin' }, 401],
    [{}, 401],
  ])('signing in and setting up from a page that says %j are answered %i', async (headers, status) => {
    const answer = await signIn('anna', PASSWORD, headers)
    expect([answer.status, answer.headers.getSetCookie()]).toEqual([status, []])
    const first = { token: 'x', name: 'Anna', login: 'anna', password: PASSWORD }
    const setUp = await app.post('/api/setup', first, headers)
    expect([setUp.status, setUp.headers.getSetCookie()]).toEqual([403, []])
    const fromElsewhere = 'You can sign in only from a page of this service.'
    expect((setUp.body as { message: string }).message === fromElsewhere).toBe(status === 403)
  })

  it('sets a cookie that scripts and other sites do not get, and that goes over https only where there is https', async () => {
    await personWithPassword('anna')
    const [plain = ''] = (await signIn('anna', PASSWORD)).headers.getSetCookie()
    expect(plain).toMatch(/^connect_session=[\w-]{43}; Max-Age=1209600; Path=\/; HttpOnly; SameSite=Strict$/)
    const [secure = ''] = (await signIn('anna', PASSWORD, { 'x-forwarded-proto': 'https' })).headers.getSetCookie()
    expect(secure).toMatch(
      /^__Host-connect_session=[\w-]{43}; Max-Age=1209600; Path=\/; HttpOnly; Secure; SameSite=Strict$/,
    )
    const overHttps = { 'x-forwarded-proto': 'https' }
    const [cookie = ''] = secure.split(';', 1)
    const read = async (sent: string) =>
      (await app.request('/api/me', { headers: { ...overHttps, cookie: sent } })).status
    // Another host of the domain can set a cookie of the plain name, and none of this one.
    expect([await read(cookie), await read(cookie.replace('__Host-', ''))]).toEqual([200, 401])
    const json = { ...overHttps, cookie, 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' }
    const out = await app.post('/api/sign-out', {}, json)
    expect(out.headers.getSetCookie()[0]).toMatch(/^__Host-connect_session=; .*Path=\/; .*Secure/)
    expect(await read(cookie)).toBe(401)
  })

  it.each([
    ['a wrong password', 'anna', 'correct horse batterx'],
    ['an unknown login', 'nobody', PASSWORD],
    ['the login of somebody without a password', 'local-admin', PASSWORD],
    ['the webhook user', 'connect_webhook', PASSWORD],
    ['another case of the password', 'anna', PASSWORD.toUpperCase()],
  ])('signing in with %s is refused in the same words', async (_what, login, password) => {
    await personWithPassword('anna')
    const answer = await signIn(login, password)
    expect(answer.status).toBe(401)
    expect(answer.body).toMatchObject({ message: 'The login or the password is wrong.' })
    expect(answer.headers.getSetCookie()).toEqual([])
  })

  it.each([
    {},
    { login: 'anna' },
    { login: '', password: '' },
    { login: 1, password: [] },
    [],
    'x',
    { login: '\0', password: 'x' },
  ])('signing in with %j is refused without a word on why', async (body) => {
    expect([400, 401, 422]).toContain((await app.post('/api/sign-in', body)).status)
  })

  it('signing in as somebody archived is refused, and their session ends with them', async () => {
    const id = await personWithPassword('anna')
    const cookie = cookieOf(await signIn('anna', PASSWORD))
    await app.admin.ask('res.users', 'write', { ids: [id], vals: { active: false } })
    expect((await me(cookie)).status).toBe(401)
    expect((await signIn('anna', PASSWORD)).status).toBe(401)
    await app.admin.ask('res.users', 'write', { ids: [id], vals: { active: true } })
    expect((await me(cookie)).status).toBe(401)
    expect((await signIn('anna', PASSWORD)).status).toBe(200)
  })

  it('signing in is refused after too many failures, for a quarter of an hour, from there and on that login', async () => {
    await personWithPassword('anna')
    await personWithPassword('ben')
    const from = (address: string) => ({ 'x-forwarded-for': address })
    for (let count = 0; count < ATTEMPTS_MAX.both; count += 1) {
      expect((await signIn('anna', 'wrong password', from('192.0.2.1'))).status).toBe(401)
    }
    expectRefused(await signIn('anna', PASSWORD, from('192.0.2.1')), [
      'too-many-failed-attempts-try-again',
      429,
      'Too many failed attempts. Try again in 15 minutes.',
    ])
    expect((await signIn('ben', PASSWORD, from('192.0.2.1'))).status).toBe(200)
    expect((await signIn('anna', PASSWORD, from('192.0.2.2'))).status).toBe(200)
    now = new Date(now.getTime() + 16 * 60_000)
    expect((await signIn('anna', PASSWORD, from('192.0.2.1'))).status).toBe(200)
  })

  it('counts a network of IPv6 as one, and each address of IPv4 alone', async () => {
    await personWithPassword('anna')
    const from = (address: string) => ({ 'x-forwarded-for': address })
    for (let count = 0; count < ATTEMPTS_MAX.both; count += 1) {
      expect((await signIn('anna', 'wrong password', from(`2001:db8:1:2::${count + 1}`))).status).toBe(401)
    }
    expect((await signIn('anna', PASSWORD, from('2001:db8:1:2:ffff::1'))).status).toBe(429)
    expect((await signIn('anna', PASSWORD, from('2001:db8:1:3::1'))).status).toBe(200)
  })

  it('signing in is refused after too many failures in all, but not to who has signed in from there before', async () => {
    const userId = await personWithPassword('anna')
    await signIn('anna', PASSWORD, { 'x-forwarded-for': '192.0.2.1' })
    // As after a restart: nothing is counted yet, and the networks are in the database.
    const signIns = new SignIn(() => now, { ...ATTEMPTS_MAX, all: 8 })
    const attempt = (login: string, password: string, address: string) =>
      signIns.verify(app.db, { login, password, address })
    expect(await attempt('anna', PASSWORD, '192.0.2.1')).toMatchObject({ userId })
    for (let count = 0; count < 8; count += 1) {
      await expect(attempt(`nobody-${count}`, 'x', `10.0.0.${count}`)).rejects.toThrow('is wrong')
    }
    await expect(attempt('another', 'x', '10.9.9.9')).rejects.toThrow('Too many failed attempts')
    await expect(attempt('anna', PASSWORD, '192.0.2.2')).rejects.toThrow('Too many failed attempts')
    expect(await attempt('anna', PASSWORD, '192.0.2.1')).toMatchObject({ userId })
  })

  it('signing in from a network of lately is not refused for the failures of strangers on that login, nor of others there', async () => {
    const userId = await personWithPassword('anna')
    await signIn('anna', PASSWORD, { 'x-forwarded-for': '192.0.2.1' })
    now = new Date(now.getTime() + 20 * 24 * 3_600_000)
    const signIns = new SignIn(() => now, { both: 3, network: 4, login: 6, all: 100 })
    const fail = (login: string, address: string) => signIns.verify(app.db, { login, password: 'x', address })
    for (let count = 0; count < 8; count += 1) await expect(fail('anna', `10.0.0.${count}`)).rejects.toThrow()
    for (let count = 0; count < 6; count += 1) await expect(fail(`nobody-${count}`, '192.0.2.1')).rejects.toThrow()
    const own = (address: string) => signIns.verify(app.db, { login: 'anna', password: PASSWORD, address })
    await expect(own('192.0.2.2')).rejects.toThrow('Too many failed attempts')
    expect(await own('192.0.2.1')).toMatchObject({ userId })
    // Guesses from the very network are counted all the same, and a network of long ago is none.
    for (let count = 0; count < 3; count += 1) await expect(fail('anna', '192.0.2.1')).rejects.toThrow('is wrong')
    await expect(own('192.0.2.1')).rejects.toThrow('Too many failed attempts')
    now = new Date(now.getTime() + 31 * 24 * 3_600_000)
    for (let count = 0; count < 8; count += 1) await expect(fail('anna', `10.0.0.${count}`)).rejects.toThrow()
    await expect(own('192.0.2.1')).rejects.toThrow('Too many failed attempts')
  })

  it('counts attempts that come at once', async () => {
    const attempts = Array.from({ length: ATTEMPTS_MAX.both * 2 }, () => signIn('anna', 'wrong password'))
    const statuses = (await Promise.all(attempts)).map((answer) => answer.status)
    expect(statuses.filter((status) => status === 401)).toHaveLength(ATTEMPTS_MAX.both)
    expect(statuses.filter((status) => status === 429)).toHaveLength(ATTEMPTS_MAX.both)
  })
})

describe('a cookie', () => {
  const call = (headers: Record<string, string>) => app.post('/json/2/connect.call/search_count', {}, headers)

  it('counts for pages of this service only', async () => {
    await personWithPassword('anna')
    const cookie = cookieOf(await signIn('anna', PASSWORD))
    const host = new URL(app.url).host
    for (const headers of [
      { 'sec-fetch-site': 'same-origin' },
      { origin: `http://${host}` },
      { origin: `https://${host}` },
      { origin: 'https://pbx.example.com', 'x-forwarded-host': 'pbx.example.com' },
    ]) {
      expect((await call({ cookie, ...headers } as Record<string, string>)).status, JSON.stringify(headers)).toBe(200)
    }
    for (const headers of [
      {},
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      { 'sec-fetch-site': 'none' },
      { 'sec-fetch-site': 'cross-site', origin: `http://${host}` },
      { origin: 'null' },
      { origin: 'https://evil.example' },
      { origin: `https://${host}.evil.example` },
    ]) {
      const answer = await call({ cookie, ...headers } as Record<string, string>)
      expect(answer.status, JSON.stringify(headers)).toBe(403)
      expect(answer.body).toMatchObject({ message: expect.stringContaining('a page of this service') })
    }
  })

  it('counts for JSON only, which no form of another site can send', async () => {
    await personWithPassword('anna')
    const cookie = cookieOf(await signIn('anna', PASSWORD))
    const own = { cookie, 'sec-fetch-site': 'same-origin' }
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', '']) {
      expect((await call({ ...own, 'content-type': type })).status, type).toBe(415)
    }
    expect((await app.request('/json/2/connect.call/search_count', { method: 'POST', headers: own })).status).toBe(415)
  })

  it('a cookie does not let another page sign somebody out', async () => {
    await personWithPassword('anna')
    const cookie = cookieOf(await signIn('anna', PASSWORD))
    expect((await app.post('/api/sign-out', {}, { cookie, 'sec-fetch-site': 'cross-site' })).status).toBe(403)
    expect((await me(cookie)).status).toBe(200)
  })
})

describe('a session', () => {
  it('ends by signing out, and its cookie is worth nothing after', async () => {
    await personWithPassword('anna')
    const cookie = cookieOf(await signIn('anna', PASSWORD))
    const answer = await app.post('/api/sign-out', {}, { cookie, 'sec-fetch-site': 'same-origin' })
    expect(answer.status).toBe(200)
    expect(answer.headers.getSetCookie()[0]).toMatch(/^connect_session=;/)
    expect((await me(cookie)).status).toBe(401)
    expect((await app.request('/api/sign-out', { method: 'POST' })).status).toBe(200)
  })

  it('ends after fourteen days', async () => {
    await personWithPassword('anna')
    const cookie = cookieOf(await signIn('anna', PASSWORD))
    now = new Date(now.getTime() + 14 * 24 * 3_600_000 - 1_000)
    expect((await me(cookie)).status).toBe(200)
    now = new Date(now.getTime() + 1_000)
    expect((await me(cookie)).status).toBe(401)
  })

  it('ends with the password it was opened with', async () => {
    const id = await personWithPassword('anna')
    const cookie = cookieOf(await signIn('anna', PASSWORD))
    await app.admin.ask('res.users', 'write', { ids: [id], vals: { password: 'another horse battery' } })
    expect((await me(cookie)).status).toBe(401)
    expect((await signIn('anna', PASSWORD)).status).toBe(401)
    expect((await signIn('anna', 'another horse battery')).status).toBe(200)
  })

  it('a session is stored as a hash only, and a made-up cookie is nobody', async () => {
    await personWithPassword('anna')
    const cookie = cookieOf(await signIn('anna', PASSWORD))
    const rows = await app.db.query(sql`select token_hash from res_users_session`)
    expect(JSON.stringify(rows)).not.toContain(cookie.slice('connect_session='.length))
    expect((await me('connect_session=made-up')).status).toBe(401)
    expect((await me('')).status).toBe(401)
  })

  it('a session does not make up for a wrong key', async () => {
    await personWithPassword('anna')
    const cookie = cookieOf(await signIn('anna', PASSWORD))
    const headers = { cookie, authorization: 'bearer ck_wrong' }
    expect((await app.request('/api/me', { headers })).status).toBe(401)
  })
})

describe('a password', () => {
  it.each([['eleven char'], [''], ['x'.repeat(201)], [12], [null], [' '.repeat(12)], ['a b c d e f      ']])(
    'is not %j',
    async (password) => {
      const { userId } = await app.person([])
      const answer = await app.admin.call('res.users', 'write', { ids: [userId], vals: { password } })
      expect(answer.status).toBe(422)
      expect(answer.body).toMatchObject({
        message: 'The "password" must have 12 to 200 characters, not counting spaces.',
      })
    },
  )

  it.each(['aaaaaaaaaaaa', 'abababababab', 'abcdabcdabcd', '111122223333', 'AaAaAaAaBbBb'])(
    'is not a repetition of few characters: %s',
    async (password) => {
      const { userId } = await app.person([])
      const answer = await app.admin.call('res.users', 'write', { ids: [userId], vals: { password } })
      expect([answer.status, answer.body]).toEqual([
        422,
        expect.objectContaining({ message: 'The "password" needs at least 5 different characters.' }),
      ])
    },
  )

  it.each([
    '123456789012',
    '210987654321',
    'abcdefghijkl',
    'qwertyuiop[]'.replace('[]', 'as'),
    'passwordpassword',
    'Password12345!',
    'P@ssw0rd2026',
    '2026Passw0rd!!',
    'pass word 1234',
    'Welcome-2026!',
    'letmein123456',
    'qwerty123qwerty123',
    '1q2w3e4r5t6y',
    'correct horse battery staple',
  ])('a password is none of the commonest: %s', async (password) => {
    const { userId } = await app.person([])
    const answer = await app.admin.call('res.users', 'write', { ids: [userId], vals: { password } })
    expect([answer.status, answer.body]).toEqual([
      422,
      expect.objectContaining({ message: expect.stringContaining('is too common') }),
    ])
  })

  it.each(['correct horse battery', 'a password of twelve', 'Tr0ub4dor&3xyz', 'einlangespasswort', '7Kd-92mQ-x0Pz'])(
    'may be %s',
    async (password) => {
      const { userId } = await app.person([])
      await app.admin.ask('res.users', 'write', { ids: [userId], vals: { password } })
    },
  )

  it('a password is written and never read, and is stored salted and slow', async () => {
    const ids = [await personWithPassword('anna'), await personWithPassword('ben')]
    const rows = await app.admin.ask<object[]>('res.users', 'read', { ids, fields: ['password'] })
    expect(rows).toEqual(ids.map((id) => ({ id, password: null })))
    const stored = await app.db.query<{ password_hash: string }>(
      sql`select password_hash from res_users where password_hash is not null`,
    )
    expect(stored.every((row) => row.password_hash.startsWith('argon2id$'))).toBe(true)
    expect(new Set(stored.map((row) => row.password_hash)).size).toBe(2)
    for (const args of [{ domain: [['password', '=', PASSWORD]] }, { order: 'password' }]) {
      expect((await app.admin.call('res.users', 'search', args)).status).toBe(422)
    }
  })
})

describe("a new password of one's own", () => {
  const NEXT = 'another horse battery'
  const change = (body: object, headers: Record<string, string>) => app.post('/api/password', body, headers)
  const ownPage = (cookie: string) => ({ cookie, 'sec-fetch-site': 'same-origin' })

  it('ends every session but the one it was given in, and says how many keys still work', async () => {
    const id = await personWithPassword('anna')
    const [here, there] = [cookieOf(await signIn('anna', PASSWORD)), cookieOf(await signIn('anna', PASSWORD))]
    await app.callerOf(id)
    const answer = await change({ current: PASSWORD, next: NEXT }, ownPage(here))
    expect([answer.status, answer.body]).toEqual([200, { id, keys_ended: 0, keys_left: 2 }])
    for (const old of [here, there]) expect((await me(old)).status).toBe(401)
    expect((await me(cookieOf(answer))).body).toMatchObject({ id })
    expect((await signIn('anna', PASSWORD)).status).toBe(401)
    expect((await signIn('anna', NEXT)).status).toBe(200)
  })

  it('ends the keys as well, when that is wanted', async () => {
    const id = await personWithPassword('anna')
    const { key } = await app.callerOf(id)
    const cookie = cookieOf(await signIn('anna', PASSWORD))
    const bearer = { authorization: `bearer ${key}` }
    expect((await app.request('/api/me', { headers: bearer })).status).toBe(200)
    const answer = await change({ current: PASSWORD, next: NEXT, end_keys: true }, ownPage(cookie))
    expect(answer.body).toEqual({ id, keys_ended: 2, keys_left: 0 })
    expect((await app.request('/api/me', { headers: bearer })).status).toBe(401)
  })

  it("a new password of one's own is given by the person who knows the old one only, who does not get to guess it", async () => {
    await personWithPassword('anna')
    const cookie = cookieOf(await signIn('anna', PASSWORD))
    const guess = () => change({ current: 'a wrong guess', next: NEXT }, ownPage(cookie))
    for (let count = 0; count < ATTEMPTS_MAX.both; count += 1) expect((await guess()).status).toBe(422)
    expect((await guess()).status).toBe(429)
    now = new Date(now.getTime() + 16 * 60_000)
    const weak = await change({ current: PASSWORD, next: 'Password12345!' }, ownPage(cookie))
    expect(weak.status).toBe(422)
    expect((await change({ current: PASSWORD, next: NEXT }, { cookie })).status).toBe(403)
    expect((await change({ current: PASSWORD, next: NEXT }, {})).status).toBe(401)
    expect((await signIn('anna', PASSWORD)).status).toBe(200)
  })

  it("a new password of one's own of somebody else leaves their keys, which a manager ends", async () => {
    const id = await personWithPassword('anna')
    const { key, call } = await app.callerOf(id)
    const other = await app.person(['connect.group_user'])
    expect((await other.call('res.users', 'api_keys_end', { ids: [id] })).status).toBe(403)
    expect((await call('res.users', 'search_count')).status).toBe(200)
    expect(await app.admin.ask('res.users', 'api_keys_end', { ids: [id] })).toEqual({ ended: 2 })
    expect((await app.request('/api/me', { headers: { authorization: `bearer ${key}` } })).status).toBe(401)
  })
})

describe('the one-time link', () => {
  const person = { name: 'First', login: 'first', password: PASSWORD }
  const token = () => setupToken({ platform: app.app.platform })

  it('creates the first administrator, who is in every group of people, and signs them in', async () => {
    const answer = await app.post('/api/setup', { token: token(), ...person })
    expect(answer.status).toBe(200)
    const { groups } = (await me(cookieOf(answer))).body as { groups: string[] }
    expect(groups).toEqual([
      'base.group_erp_manager',
      'base.group_user',
      'connect.group_admin',
      'connect.group_agent_calls',
      'connect.group_user',
      'helpdesk.group_manager',
      'helpdesk.group_user',
    ])
    expect((await signIn('first', PASSWORD)).status).toBe(200)
  })

  it('works once, also for two people at once', async () => {
    const before = await app.count('res_users')
    const logins = ['one', 'two', 'three']
    const answers = await Promise.all(
      logins.map((login) => app.post('/api/setup', { token: token(), ...person, login })),
    )
    expect(answers.map((answer) => answer.status).sort()).toEqual([200, 409, 409])
    expect((await app.post('/api/setup', { token: token(), ...person, login: 'four' })).status).toBe(409)
    expect(await app.count('res_users')).toBe(before + 1)
  })

  it('the one-time link is worth nothing for ever after it was used, also when nobody has a password any more', async () => {
    expect((await app.post('/api/setup', { token: token(), ...person })).status).toBe(200)
    await app.db.script(`delete from res_users_session; update res_users set password_hash = null, login = 'gone-' || id
      where password_hash is not null`)
    expect((await app.post('/api/setup', { token: token(), ...person, login: 'second' })).status).toBe(409)
    expect((await app.request('/')).text).not.toContain('No one can sign in yet')
  })

  it('the one-time link is worth nothing once somebody was given a password in another way', async () => {
    await personWithPassword('anna')
    expect((await app.post('/api/setup', { token: token(), ...person })).status).toBe(409)
  })

  it.each([['wrong'], [''], ['x'.repeat(43)]])('is nothing without its token: %j', async (given) => {
    const before = await app.count('res_users')
    expect([403, 422]).toContain((await app.post('/api/setup', { token: given, ...person })).status)
    expect(await app.count('res_users')).toBe(before)
  })

  it('takes a password that is long enough and a login that is free', async () => {
    for (const wrong of [{ password: 'short' }, { login: 'local-admin' }, { name: '' }]) {
      const answer = await app.post('/api/setup', { token: token(), ...person, ...wrong })
      expect([409, 422]).toContain(answer.status)
    }
    expect((await app.post('/api/setup', { token: token(), ...person })).status).toBe(200)
  })
})
