// How people get in: by invitation, with a second factor, by single sign-on, and what they do about their own account.
import { Secret, TOTP } from 'otpauth'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sql } from '../../src/database/drizzle.ts'
import { CLIENT_ID, CLIENT_SECRET, OpenIdProvider } from '../platform/identity/open-id-provider.ts'
import { openBrowser, whyNoBrowser } from '../support/browser.ts'
import { TestApp } from '../support/test-app.ts'
import { BROWSER_MS, firstAdministrator, PASSWORD, pageIsBuilt, Visitor } from './visitor.ts'

const NO_BROWSER = whyNoBrowser()
const PERIOD_MS = 30_000

let app: TestApp
let provider: OpenIdProvider
let browser: Browser
/** Codes work once: each next one is of the next half minute of the service. */
let skewMs = 0

beforeAll(async () => {
  app = await TestApp.start({ env: { PAGE: 'on' }, clock: () => new Date(Date.now() + skewMs) })
  provider = await OpenIdProvider.start(() => [app.url])
  await firstAdministrator(app, 'ada')
  await pageIsBuilt(app)
  if (NO_BROWSER === undefined) browser = await openBrowser()
}, BROWSER_MS)
afterAll(async () => {
  await browser?.close()
  await provider?.stop()
  await app.stop()
})

function nextCode(secret: string): string {
  skewMs += PERIOD_MS
  const totp = new TOTP({ secret: Secret.fromBase32(secret), digits: 6, period: 30 })
  return totp.generate({ timestamp: Date.now() + skewMs })
}

async function enter(visitor: Visitor, login: string): Promise<void> {
  await visitor.page.getByLabel('Login').fill(login)
  await visitor.page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await visitor.page.getByRole('button', { name: 'Sign in', exact: true }).click()
}

async function giveCode(visitor: Visitor, code: string): Promise<void> {
  await visitor.page.getByLabel('Code').fill(code)
  await visitor.page.getByRole('button', { name: 'Continue' }).click()
}

async function signOut(visitor: Visitor): Promise<void> {
  await visitor.page.context().clearCookies()
  await visitor.go('/sign-in')
}

async function writeSettings(vals: object): Promise<void> {
  const [settings] = await app.admin.ask<{ id: number }[]>('connect.settings', 'search_read', { fields: ['id'] })
  await app.admin.ask('connect.settings', 'write', { ids: [settings?.id], vals })
}

describe('signing in', { timeout: BROWSER_MS }, () => {
  it('the page stands before the words of refusals have come, and waits for them with the first refusal', async ({
    skip,
  }) => {
    skip(NO_BROWSER !== undefined, NO_BROWSER)
    const { page } = await Visitor.open(browser, app.url, { language: 'de' })
    const held = Promise.withResolvers<void>()
    await page.route(/\/refusals-[^/]*\.js$/, async (route) => {
      await held.promise
      await route.continue()
    })
    await page.goto(`${app.url}/sign-in`)
    await page.getByLabel('Anmeldename').fill('ada')
    await page.getByLabel('Passwort', { exact: true }).fill('not her password')
    const answered = page.waitForResponse((reply) => reply.status() === 401 && reply.request().method() === 'POST')
    await page.getByRole('button', { name: 'Anmelden', exact: true }).click()
    await answered
    held.resolve()
    await page.getByText('Anmeldename oder Passwort ist falsch.').waitFor()
    await page.context().close()
  })

  it('somebody who was invited sets a second factor up by its QR code, and signs in with its codes', async ({
    skip,
  }) => {
    skip(NO_BROWSER !== undefined, NO_BROWSER)
    const { link } = await app.admin.ask<{ link: string }>('res.users', 'invite', {
      name: 'Eve Stone',
      login: 'eve',
      group_ids: await app.groupIds(['connect.group_user']),
    })
    const eve = await Visitor.open(browser, app.url)
    const { page } = eve
    const { pathname, hash } = new URL(link, app.url)
    // As links were before, which may be in somebody's mail for seven days.
    await eve.go(`${pathname}/${hash.slice('#token='.length)}`)
    await page.getByLabel('Choose a password').waitFor()
    expect(new URL(page.url()).href).toBe(`${app.url}/invitation`)
    await eve.go('/sign-in')
    await eve.go(pathname + hash)
    await page.getByLabel('Choose a password').fill(PASSWORD)
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.waitForURL(/\/now$/)
    await eve.go('/me')
    await page.getByRole('button', { name: 'Set up two-factor sign-in' }).click()
    await page.getByLabel('Confirm your password').fill(PASSWORD)
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByRole('img', { name: 'QR code for an authenticator app' }).waitFor()
    const secret = (await page.getByRole('button', { name: /^Key / }).getAttribute('title')) ?? ''
    await page.getByLabel('Code from the app').fill(nextCode(secret))
    expect(await eve.barriers()).toEqual([])
    await page.getByRole('button', { name: 'Turn on' }).click()
    await page.getByRole('heading', { name: 'Recovery codes' }).waitFor()
    const [recovery = ''] = await page
      .getByRole('listitem')
      .filter({ hasText: /^(?:\w{4}-){3}\w{4}$/ })
      .allTextContents()
    await page.getByRole('button', { name: 'I have saved them' }).click()
    await page.getByText('10 recovery codes left.').waitFor()

    await signOut(eve)
    await enter(eve, 'eve')
    await page.waitForURL(/\/sign-in\/second/)
    expect([...(await eve.barriers()), await eve.isTooWide()]).toEqual([false])
    await giveCode(eve, '000000')
    await page.getByText('The code is wrong, or has already been used.').waitFor()
    await giveCode(eve, nextCode(secret))
    await page.waitForURL(/\/now$/)

    await signOut(eve)
    await enter(eve, 'eve')
    await giveCode(eve, recovery)
    await page.waitForURL(/\/now$/)
    await signOut(eve)
    await enter(eve, 'eve')
    await giveCode(eve, recovery)
    await page.getByText('The code is wrong, or has already been used.').waitFor()
    // Without the first step there is no second one.
    await eve.go('/sign-in/second')
    await page.waitForURL(/\/sign-in$/)
    expect(eve.faults).toEqual([])
    await eve.close()
  })

  it('a session that has ended asks for password and code on the page that it was on, which keeps what was typed', async ({
    skip,
  }) => {
    skip(NO_BROWSER !== undefined, NO_BROWSER)
    const eve = await Visitor.open(browser, app.url)
    const { page } = eve
    const { userId } = await app.person(['connect.group_user'], { login: 'hugo', name: 'Hugo Hall' })
    await app.admin.ask('res.users', 'write', { ids: [userId], vals: { password: PASSWORD } })
    await eve.signIn('hugo', '/me')
    await page.getByRole('button', { name: 'Set up two-factor sign-in' }).click()
    await page.getByLabel('Confirm your password').fill(PASSWORD)
    await page.getByRole('button', { name: 'Continue' }).click()
    const secret = (await page.getByRole('button', { name: /^Key / }).getAttribute('title')) ?? ''
    await page.getByLabel('Code from the app').fill(nextCode(secret))
    await page.getByRole('button', { name: 'Turn on' }).click()
    await page.getByRole('button', { name: 'I have saved them' }).click()
    await page.getByText('10 recovery codes left.').waitFor()
    await page.getByLabel('What is the key for?').fill('a script')
    await page.getByRole('button', { name: 'Create key' }).click()
    const key = (await page.getByRole('button', { name: /^Copy key/ }).getAttribute('title')) ?? ''
    await page.getByLabel('New password, at least 12 characters', { exact: true }).fill('typed and not sent')
    await page.getByLabel('What is the key for?').fill('a draft')
    await app.db.query(sql`delete from res_users_session where user_id = ${userId}::bigint`)
    await page.getByRole('button', { name: 'Create key' }).click()
    const veil = page.getByRole('dialog')
    await veil.getByLabel('Password', { exact: true }).fill(PASSWORD)
    // Secrets go with the session, no matter who signs in next.
    expect(key).not.toBe('')
    expect(await page.content()).not.toContain(key)
    expect(await page.getByLabel('New password, at least 12 characters', { exact: true }).inputValue()).toBe('')
    expect(await eve.barriers()).toEqual([])
    await veil.getByRole('button', { name: 'Sign in' }).click()
    await veil.getByLabel('Code').fill(nextCode(secret))
    await veil.getByRole('button', { name: 'Continue' }).click()
    await veil.waitFor({ state: 'detached' })
    expect(await page.getByLabel('What is the key for?').inputValue()).toBe('a draft')
    expect(eve.faults).toEqual([])
    await eve.close()
  })

  it('somebody who is known to the provider comes by single sign-on, to the page they wanted', async ({ skip }) => {
    skip(NO_BROWSER !== undefined, NO_BROWSER)
    await writeSettings({
      sso_issuer: provider.issuer,
      sso_client_id: CLIENT_ID,
      display_sso_client_secret: CLIENT_SECRET,
      sso_label: 'Okta',
      company_name: 'Miller & Sons',
    })
    await app.person(['connect.group_user'], { login: 'zoe@example.com', name: 'Zoe' })
    provider.accounts.set('zoe', { subject: 'zoe', email: 'zoe@example.com' })
    provider.accounts.set('nobody', { subject: 'nobody', email: 'nobody@example.com' })
    const zoe = await Visitor.open(browser, app.url)
    const { page } = zoe
    await zoe.go('/calls')
    await page.getByRole('heading', { name: 'Connect · Miller & Sons' }).waitFor()
    const passOn = async (name: string) => {
      await page.getByRole('link', { name: 'or continue with Okta' }).click()
      await page.locator('input[name="login"]').fill(name)
      await page.locator('input[name="password"]').fill('x')
      await page.locator('button[type="submit"]').click()
      await page
        .locator('form')
        .filter({ has: page.locator('input[value="consent"]') })
        .locator('button')
        .click()
    }
    await passOn('nobody')
    await page.getByText('No user here has that account.').waitFor()
    expect([...(await zoe.barriers()), await zoe.isTooWide()]).toEqual([false])
    await page.context().clearCookies()
    await zoe.go('/calls')
    await passOn('zoe')
    await page.waitForURL(`${app.url}/calls`)
    await page.getByRole('heading', { name: 'Calls' }).waitFor()
    expect(zoe.faults).toEqual([])
    await zoe.close()
  })

  it('where everybody needs a second factor, nothing else is shown until there is one', async ({ skip }) => {
    skip(NO_BROWSER !== undefined, NO_BROWSER)
    await writeSettings({ require_second_factor: true })
    const ada = await Visitor.open(browser, app.url, { width: 375, height: 740, colorScheme: 'dark' })
    const { page } = ada
    await ada.go('/now')
    await enter(ada, 'ada')
    await page.getByRole('heading', { name: 'Set up two-factor sign-in' }).waitFor()
    await page.getByLabel('Confirm your password').fill(PASSWORD)
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByRole('img', { name: 'QR code for an authenticator app' }).waitFor()
    expect([...(await ada.barriers()), await ada.isTooWide()]).toEqual([false])
    await ada.go('/calls')
    await page.getByRole('heading', { name: 'Set up two-factor sign-in' }).waitFor()
    await page.getByLabel('Confirm your password').fill(PASSWORD)
    await page.getByRole('button', { name: 'Continue' }).click()
    const secret = (await page.getByRole('button', { name: /^Key / }).getAttribute('title')) ?? ''
    await page.getByLabel('Code from the app').fill(nextCode(secret))
    await page.getByRole('button', { name: 'Turn on' }).click()
    expect(await ada.isTooWide()).toBe(false)
    await page.getByRole('button', { name: 'I have saved them' }).click()
    await page.waitForURL(/\/now$/)
    await writeSettings({ require_second_factor: false })
    expect(ada.faults).toEqual([])
    await ada.close()
  })

  it("one's own page writes name, zone and language, makes a key, and signs out everywhere else", async ({ skip }) => {
    skip(NO_BROWSER !== undefined, NO_BROWSER)
    const { userId } = await app.person(['helpdesk.group_user'], { login: 'gus', name: 'Gus' })
    await app.admin.ask('res.users', 'write', { ids: [userId], vals: { password: PASSWORD } })
    const gus = await Visitor.open(browser, app.url)
    const other = await app.post('/api/sign-in', { login: 'gus', password: PASSWORD })
    const cookie = other.headers.getSetCookie()[0]?.split(';')[0] ?? ''
    const { page } = gus
    await gus.signIn('gus', '/me')
    await page.getByLabel('Name').fill('Gus Hall')
    await page.getByRole('combobox', { name: 'Time zone' }).fill('New_York')
    await page.getByRole('option', { name: 'America/New York' }).click()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('button', { name: 'Save', disabled: true }).waitFor()
    await page.getByText('Compact', { exact: true }).click()
    await page.getByLabel('What is the key for?').fill('crm')
    await page.getByRole('button', { name: 'Create key' }).click()
    const key = (await page.getByRole('button', { name: /^Copy key/ }).getAttribute('title')) ?? ''
    const me = await app.request('/api/me', { headers: { authorization: `bearer ${key}` } })
    expect(me.body).toMatchObject({ name: 'Gus Hall', tz: 'America/New_York', preferences: { density: 'dense' } })
    expect(await gus.barriers()).toEqual([])
    await page.getByRole('button', { name: 'Sign out everywhere else' }).click()
    await page.getByRole('button', { name: 'Sign out everywhere else' }).waitFor({ state: 'detached' })
    expect((await app.request('/api/me', { headers: { cookie } })).status).toBe(401)
    await page.getByRole('button', { name: 'Revoke key crm' }).click()
    await page.getByRole('button', { name: 'Revoke key crm' }).waitFor({ state: 'detached' })
    await page.setViewportSize({ width: 375, height: 740 })
    expect([...(await gus.barriers()), await gus.isTooWide()]).toEqual([false])
    expect(gus.faults).toEqual([])
    await gus.close()
  })
})
