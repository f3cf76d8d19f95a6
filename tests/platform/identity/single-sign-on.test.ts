// Single sign-on against a real OpenID provider: who is let in, as whom, and everything that must let nobody in.
import { Secret, TOTP } from 'otpauth'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { readConfig } from '../../../src/config.ts'
import { sql } from '../../../src/database/drizzle.ts'
import { signInSettings } from '../../../src/platform/identity/sign-in-settings.ts'
import { Provider } from '../../../src/platform/identity/single-sign-on/provider.ts'
import { expectRefused } from '../../support/refusals.ts'
import { type Answer, TestApp } from '../../support/test-app.ts'
import { type Account, CLIENT_ID, CLIENT_SECRET, OpenIdProvider, Wanderer } from './open-id-provider.ts'

const PASSWORD = 'ribbon lantern quarry 7'
const MINUTE_MS = 60_000

let app: TestApp
let provider: OpenIdProvider
let skewMs = 0
let people = 0

beforeAll(async () => {
  // The provider's tokens are of now, so the service's clock is that of the machine, unless a test puts it on.
  app = await TestApp.start({ clock: () => new Date(Date.now() + skewMs) })
  provider = await OpenIdProvider.start(() => [app.url])
})
afterAll(async () => {
  await provider.stop()
  await app.stop()
})
beforeEach(async () => {
  skewMs = 0
  await write({
    sso_issuer: provider.issuer,
    sso_client_id: CLIENT_ID,
    display_sso_client_secret: CLIENT_SECRET,
    sso_create_users: false,
    sso_group_claim: null,
    sso_label: 'Okta',
  })
})

async function write(vals: object): Promise<void> {
  const [settings] = await app.admin.ask<{ id: number }[]>('connect.settings', 'search_read', { fields: ['id'] })
  await app.admin.ask('connect.settings', 'write', { ids: [settings?.id], vals })
}

/** Somebody the provider knows, whose address nobody else has. */
function account(values: Partial<Account> = {}): Account & { name: string; email: string } {
  people += 1
  const name = `person-${people}`
  const made = { subject: `subject-${people}`, email: `person-${people}@example.com`, name, ...values }
  provider.accounts.set(name, made)
  return { ...made, name }
}

/** Goes to the provider and back; gives where the service then leads. */
async function signOn(name: string, browser = new Wanderer(), next = '/calls') {
  const back = await browser.throughProvider(`${app.url}/api/sso/start?next=${next}`, name, app.url)
  const { next: end = '' } = await browser.ask(back)
  return { back, browser, end: end.replace(app.url, ''), session: browser.cookie(app.url, 'connect_session') }
}

async function whoIs(session: string | undefined): Promise<unknown> {
  const answer = await app.request('/api/me', { headers: { cookie: `connect_session=${session}` } })
  return (answer.body as { login?: string }).login
}

describe('an issuer', () => {
  it.each([
    'http://127.0.0.1:9',
    'https://localhost',
    'https://10.0.0.7',
    'https://[::1]:8443',
    'https://169.254.169.254',
    'https://2130706433',
    'https://sso.corp.internal',
    'https://[::ffff:192.168.1.4]',
    'https://[64:ff9b::10.0.0.7]',
    'https://[::10.0.0.7]',
    'https://[2002:c0a8:104::]',
    'https://10.0.0.7.',
    'https://sso.corp.internal.',
    'https://0',
  ])('an issuer that is this machine or of its network is refused: %s', async (issuer) => {
    const settings = { ...app.app.platform, takesLocalIssuer: false }
    expect(() => signInSettings.prepare?.({ platform: settings } as never, { sso_issuer: issuer }, undefined)).toThrow(
      /must be a public address/,
    )
    expect(readConfig({}).localIssuer).toBe(false)
    await expect(
      new Provider(settings).open({ ssoIssuer: issuer, ssoClientId: 'x', ssoClientSecret: undefined }),
    ).rejects.toThrow()
  })
})

describe('single sign-on', () => {
  it('single sign-on lets nobody in with a token that another key has signed', async () => {
    const { name, email } = account()
    await app.person(['connect.group_user'], { login: email })
    // What was known of the provider is over each time.
    skewMs = 11 * MINUTE_MS
    provider.keysOfAnother = true
    expect((await signOn(name)).end).toBe('/sign-in?problem=failed')
    provider.keysOfAnother = false
    skewMs = 22 * MINUTE_MS
    expect((await signOn(name)).end).toBe('/calls')
  })

  it('single sign-on is named to the person who comes to the sign-in page, once it is set up', async () => {
    expect((await app.request('/api/sign-in')).body).toMatchObject({ sso: { label: 'Okta' } })
    await write({ sso_client_id: null })
    expect((await app.request('/api/sign-in')).body).toMatchObject({ sso: null })
    const off = await app.request('/api/sso/start')
    expect([off.status, off.headers.get('location')]).toEqual([302, '/sign-in?problem=off'])
  })

  it.each([
    ['in other letters', 'Person.AS@Example.com', 'person.as@example.com', true],
    ['with a name', 'Ann <person.named@example.com>', 'person.named@example.com', true],
    ['with a Kelvin sign', 'person.\u212a@example.com', 'person.k@example.com', false],
    ['with a long s', 'per\u017fon.s@example.com', 'person.s@example.com', false],
    ['with a dotless i', 'person.\u0131@example.com', 'person.i@example.com', false],
    ['with a wide letter', 'person.\uff57@example.com', 'person.w@example.com', false],
  ])('an address %s is that of the login: only ASCII has two cases', async (_how, claimed, login, isTheirs) => {
    await write({ sso_create_users: true })
    const { name } = account({ email: claimed })
    const { userId } = await app.person(['connect.group_user'], { login })
    const { session } = await signOn(name)
    if (isTheirs) expect(await whoIs(session)).toBe(login)
    else expect(await whoIs(session)).not.toBe(login)
    const [linked] = await app.db.query(sql`select 1 from res_users_sign_on where user_id = ${userId}::bigint`)
    expect(linked !== undefined).toBe(isTheirs)
  })

  it('single sign-on lets somebody in whose login is their verified address, and knows them by the subject from then on', async () => {
    const { name, email, subject } = account()
    const { userId } = await app.person(['connect.group_user'], { login: email })
    const { end, session } = await signOn(name)
    expect([end, await whoIs(session)]).toEqual(['/calls', email])
    // Another address there, another login here: it is the same person.
    provider.accounts.set(name, { subject, email: 'moved@example.com' })
    await app.admin.ask('res.users', 'write', { ids: [userId], vals: { login: `renamed-${userId}` } })
    expect(await whoIs((await signOn(name)).session)).toBe(`renamed-${userId}`)
    const rows = await app.db.query(sql`select via from res_users_session where user_id = ${userId}::bigint`)
    expect(rows).toEqual([{ via: 'sso' }, { via: 'sso' }])
  })

  it.each([
    ['nobody here knows', {}, 'unknown'],
    ['the provider has no address of', { email: undefined }, 'unknown'],
  ] as const)('single sign-on lets nobody in whom %s', async (_what, values, problem) => {
    const { name } = account(values as Partial<Account>)
    const { end, session } = await signOn(name)
    expect([end, session]).toEqual([`/sign-in?problem=${problem}`, undefined])
  })

  it('single sign-on takes nobody over by an address that is not verified, an administrator least of all', async () => {
    const { name, email } = account({ isVerified: false })
    await app.person(['connect.group_admin', 'base.group_erp_manager'], { login: email })
    await write({ sso_create_users: true })
    const { end, session } = await signOn(name)
    expect([end, session]).toEqual(['/sign-in?problem=unverified', undefined])
    expect(await app.db.query(sql`select 1 from res_users_sign_on where subject = ${name}`)).toEqual([])
  })

  it('single sign-on takes nobody over by the address of their contact, which colleagues may write', async () => {
    const { name, email } = account()
    const { userId } = await app.person(['connect.group_admin'])
    await app.db.query(
      sql`update res_partner set email = ${email} where id = (select partner_id from res_users where id = ${userId}::bigint)`,
    )
    expect((await signOn(name)).end).toBe('/sign-in?problem=unknown')
  })

  it('single sign-on takes nobody over who is linked with another subject', async () => {
    const first = account()
    await app.person(['connect.group_user'], { login: first.email })
    await signOn(first.name)
    const second = account({ email: first.email })
    expect((await signOn(second.name)).end).toBe('/sign-in?problem=linked')
  })

  it('single sign-on lets nobody in who is archived, linked already or not', async () => {
    const { name, email } = account()
    const { userId } = await app.person(['connect.group_user'], { login: email })
    await app.admin.ask('res.users', 'write', { ids: [userId], vals: { active: false } })
    expect((await signOn(name)).end).toBe('/sign-in?problem=inactive')
    await app.admin.ask('res.users', 'write', { ids: [userId], vals: { active: true } })
    expect((await signOn(name)).end).toBe('/calls')
    await app.admin.ask('res.users', 'write', { ids: [userId], vals: { active: false } })
    expect((await signOn(name)).end).toBe('/sign-in?problem=inactive')
  })

  it('single sign-on makes users where that is wanted, in the groups that the provider names, and never a manager', async () => {
    await write({ sso_create_users: true, sso_group_claim: 'groups' })
    const groups = ['Helpdesk User', 'connect.group_user', 'Manager', 'base.group_erp_manager', 'no such group']
    const { name, email, subject } = account({ groups })
    const { session } = await signOn(name)
    expect(await whoIs(session)).toBe(email)
    expect(await groupsOf(email)).toEqual(['connect.group_user', 'helpdesk.group_user'])
    provider.accounts.set(name, { subject, email, groups: ['connect.group_user'] })
    await signOn(name)
    expect(await groupsOf(email)).toEqual(['connect.group_user'])
  })

  it('single sign-on gives no group for a name that only looks like its own', async () => {
    await write({ sso_create_users: true, sso_group_claim: 'groups' })
    const made = ['Kiosk', 'Straße'].map((name, at) => ({ name, external_id: `test.group_${at}` }))
    await app.admin.ask('res.groups', 'create', { vals_list: made })
    const kiosk = ['\u212Aiosk', 'K\u0131osk', 'K\u0130OSK', '\uFF2Biosk', 'Kios\u212A', 'Kio\u017Fk', 'Kiosk\u200B']
    const others = ['STRASSE', 'strasse', 'Help\u00ADdesk User', 'helpdes\u212A.group_user', '\u0397elpdesk User']
    const { name, email, subject } = account({ groups: [...kiosk, ...others, 'connect.group_user'] })
    await signOn(name)
    expect(await groupsOf(email)).toEqual(['connect.group_user'])
    provider.accounts.set(name, { subject, email, groups: ['KIOSK', 'HELPDESK USER'] })
    await signOn(name)
    expect(await groupsOf(email)).toEqual(['helpdesk.group_user', 'test.group_0'])
  })

  it('single sign-on gives and takes no group from which Manager, webhook or public can be reached', async () => {
    await write({ sso_create_users: true, sso_group_claim: 'groups' })
    const idsOf = (names: string[]) => app.groupIds(names)
    const named: string[] = []
    for (const end of ['base.group_erp_manager', 'connect.group_webhook', 'base.group_public']) {
      const name = `leads-to-${end}`
      const implying = (external: string, implied: number[]) =>
        app.admin.ask<number>('res.groups', 'create', {
          vals_list: { name: external, external_id: external, implied_ids: implied },
        })
      const inner = await implying(name, await idsOf([end]))
      await implying(`${name}-at-last`, [inner])
      named.push(name, `${name}-at-last`)
    }
    const { name, email, subject } = account({ groups: [...named, 'helpdesk.group_user'] })
    await signOn(name)
    expect(await groupsOf(email)).toEqual(['helpdesk.group_user'])
    const [user] = await app.admin.ask<{ id: number }[]>('res.users', 'search_read', {
      domain: [['login', '=', email]],
    })
    await app.admin.ask('res.users', 'write', { ids: [user?.id], vals: { group_ids: await idsOf(named.slice(0, 1)) } })
    provider.accounts.set(name, { subject, email, groups: [] })
    await signOn(name)
    expect(await groupsOf(email)).toEqual(named.slice(0, 1))
  })

  it('single sign-on makes Connect users of new people where groups do not come along', async () => {
    await write({ sso_create_users: true })
    const { name, email } = account()
    await signOn(name)
    expect(await groupsOf(email)).toEqual(['connect.group_user'])
  })

  it.each([
    ['another state', (back: URL) => back.searchParams.set('state', 'other'), 'over'],
    ['no state', (back: URL) => back.searchParams.delete('state'), 'over'],
    ['a code of nobody', (back: URL) => back.searchParams.set('code', 'other'), 'failed'],
    ['another issuer', (back: URL) => back.searchParams.set('iss', 'https://evil.example'), 'failed'],
    [
      'a refusal',
      (back: URL) => {
        back.searchParams.delete('code')
        back.searchParams.set('error', 'access_denied')
      },
      'declined',
    ],
  ])('single sign-on lets nobody in with %s', async (_what, change, problem) => {
    const { name, email } = account()
    await app.person(['connect.group_user'], { login: email })
    const browser = new Wanderer()
    const back = new URL(await browser.throughProvider(`${app.url}/api/sso/start`, name, app.url))
    change(back)
    const { next } = await browser.ask(back.href)
    expect(next).toBe(`${app.url}/sign-in?problem=${problem}`)
    expect(browser.cookie(app.url, 'connect_session')).toBeUndefined()
  })

  it('single sign-on lets nobody in with the code of another beginning, whose nonce and verifier are others', async () => {
    const { name, email } = account()
    await app.person(['connect.group_user'], { login: email })
    const [victim, thief] = [new Wanderer(), new Wanderer()]
    const stolen = new URL(await thief.throughProvider(`${app.url}/api/sso/start`, name, app.url))
    const own = new URL((await victim.ask(`${app.url}/api/sso/start`)).next ?? '')
    stolen.searchParams.set('state', own.searchParams.get('state') ?? '')
    expect((await victim.ask(stolen.href)).next).toBe(`${app.url}/sign-in?problem=failed`)
    // Nor somebody whose browser did not begin it at all.
    const other = await thief.throughProvider(`${app.url}/api/sso/start`, name, app.url)
    expect((await new Wanderer().ask(other)).next).toBe(`${app.url}/sign-in?problem=over`)
  })

  it('single sign-on lets nobody in with a token that was made for another nonce', async () => {
    const { name, email } = account()
    await app.person(['connect.group_user'], { login: email })
    const browser = new Wanderer()
    const { next: begun = '' } = await browser.ask(`${app.url}/api/sso/start`)
    const changed = new URL(begun)
    changed.searchParams.set('nonce', 'another one')
    const back = await browser.throughProvider(changed.href, name, app.url)
    expect((await browser.ask(back)).next).toBe(`${app.url}/sign-in?problem=failed`)
  })

  it('single sign-on lets nobody in after ten minutes, and uses what it gave the browser up', async () => {
    const { name, email } = account()
    await app.person(['connect.group_user'], { login: email })
    const browser = new Wanderer()
    const back = await browser.throughProvider(`${app.url}/api/sso/start`, name, app.url)
    skewMs = 11 * MINUTE_MS
    expect((await browser.ask(back)).next).toBe(`${app.url}/sign-in?problem=over`)
    skewMs = 0
    const { back: used, browser: same } = await signOn(name)
    expect((await same.ask(used)).next).toBe(`${app.url}/sign-in?problem=over`)
  })

  it('single sign-on leads to a page of this service in the end, and nowhere else', async () => {
    const { name, email } = account()
    await app.person(['connect.group_user'], { login: email })
    for (const next of ['https://evil.example', '//evil.example', '/\\evil.example', 'x']) {
      expect((await signOn(name, new Wanderer(), encodeURIComponent(next))).end).toBe('/')
    }
    const odd = await signOn(name, new Wanderer(), encodeURIComponent('/contacts?name=Zoë中'))
    expect(odd.end).toBe('/contacts?name=Zo%C3%AB%E4%B8%AD')
    expect((await signOn(name, new Wanderer(), '%2Fa%0D%0Ax-evil:1')).end).toBe('/')
  })

  it('single sign-on says so while the provider cannot be reached, or is none', async () => {
    await write({ sso_issuer: 'http://127.0.0.1:9' })
    expect((await app.request('/api/sso/start')).headers.get('location')).toBe('/sign-in?problem=unreachable')
    const { userId } = await app.person(['connect.group_user'], { login: 'links-later' })
    await app.admin.ask('res.users', 'write', { ids: [userId], vals: { password: PASSWORD } })
    const cookie = cookieOf(await app.post('/api/sign-in', { login: 'links-later', password: PASSWORD }))
    const linked = await app.post('/api/sso/link', { password: PASSWORD }, { cookie, 'sec-fetch-site': 'same-origin' })
    expectRefused(linked, ['provider-unreachable', 503, 'The provider cannot be reached at the moment.'])
    await write({ sso_issuer: `${app.url}/healthz` })
    expect((await app.request('/api/sso/start')).headers.get('location')).toBe('/sign-in?problem=unreachable')
  })

  it.each([
    'http://login.example.com',
    'ftp://login.example.com',
    'https://a:b@login.example.com',
    'login.example.com',
  ])('single sign-on takes no issuer such as %s', async (issuer) => {
    await expect(write({ sso_issuer: issuer })).rejects.toThrow(/must be an address such as/)
  })

  it('single sign-on is linked by the person who is signed in and says their password, with an account that is nobody else’s', async () => {
    const { name } = account({ email: undefined as never })
    const { userId } = await app.person(['connect.group_user'], { login: `linked-${people}` })
    await app.admin.ask('res.users', 'write', { ids: [userId], vals: { password: PASSWORD } })
    const cookie = cookieOf(await app.post('/api/sign-in', { login: `linked-${people}`, password: PASSWORD }))
    const link = (password: string) =>
      app.post('/api/sso/link', { password }, { cookie, 'sec-fetch-site': 'same-origin' })
    expect((await link('another password 1')).status).toBe(422)
    const begun = await link(PASSWORD)
    const { address } = begun.body as { address: string }
    const browser = new Wanderer()
    const back = await browser.throughProvider(address, name, app.url)
    const state = begun.headers.getSetCookie()[0]?.split(';')[0] ?? ''
    const linked = await app.request(back.replace(app.url, ''), { headers: { cookie: state } })
    expect(linked.headers.get('location')).toBe('/me')
    expect(await whoIs((await signOn(name)).session)).toBe(`linked-${people}`)
  })

  it.each(['signed out', 'signed out from elsewhere', 'without a second factor since one was set up'])(
    'an account is linked by nobody who is %s meanwhile',
    async (how) => {
      const { name } = account({ email: undefined as never })
      const { userId } = await app.person(['connect.group_user'], { login: `left-${people}` })
      await app.admin.ask('res.users', 'write', { ids: [userId], vals: { password: PASSWORD } })
      const signIn = async () =>
        cookieOf(await app.post('/api/sign-in', { login: `left-${people}`, password: PASSWORD }))
      const post = (cookie: string, path: string, body: object) =>
        app.post(path, body, { cookie, 'sec-fetch-site': 'same-origin' })
      const [thief, owner] = [await signIn(), await signIn()]
      const begun = await post(thief, '/api/sso/link', { password: PASSWORD })
      const back = await new Wanderer().throughProvider((begun.body as { address: string }).address, name, app.url)
      if (how === 'signed out') await post(thief, '/api/sign-out', {})
      else if (how.includes('elsewhere')) await post(owner, '/json/2/res.users.session/end_others', {})
      else {
        const { secret } = (await post(owner, '/api/totp/begin', { password: PASSWORD })).body as { secret: string }
        const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate()
        expect((await post(owner, '/api/totp/confirm', { code })).status).toBe(200)
      }
      const state = begun.headers.getSetCookie()[0]?.split(';')[0] ?? ''
      const linked = await app.request(back.replace(app.url, ''), { headers: { cookie: state } })
      expect(linked.headers.get('location')).toBe('/me?problem=over')
      expect((await signOn(name)).session).toBeUndefined()
    },
  )
})

const cookieOf = (answer: Answer) => answer.headers.getSetCookie()[0]?.split(';')[0] ?? ''

async function groupsOf(login: string): Promise<string[]> {
  const rows = await app.db.query<{ external_id: string }>(
    sql`select g.external_id from res_groups_users_rel r join res_groups g on g.id = r.group_id
        join res_users u on u.id = r.user_id where u.login = ${login} order by 1`,
  )
  return rows.map((row) => row.external_id)
}
