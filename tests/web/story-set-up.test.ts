// An installation from the printed link on: the first administrator, and who comes after them.
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { setupToken } from '../../src/platform/identity/session-routes.ts'
import { startWorld, type TestWorld } from '../emulators/scenario-world.ts'
import { openBrowser, whyNoBrowser } from '../support/browser.ts'
import { BROWSER_MS, PASSWORD, pageIsBuilt, Visitor } from './visitor.ts'

const NO_BROWSER = whyNoBrowser()

let world: TestWorld
let browser: Browser

beforeAll(async () => {
  world = await startWorld({}, { PAGE: 'on' })
  await pageIsBuilt(world.app)
  if (NO_BROWSER === undefined) browser = await openBrowser()
}, BROWSER_MS)
afterAll(async () => {
  await browser?.close()
  await world.stop()
})

describe('a fresh installation', { timeout: BROWSER_MS }, () => {
  it('the printed link makes the first administrator, and then says that it is used', async ({ skip }) => {
    skip(NO_BROWSER !== undefined, NO_BROWSER)
    const visitor = await Visitor.open(browser, world.app.url)
    const { page } = visitor
    const link = `/setup?token=${setupToken(world.app.app)}`
    await visitor.go('/')
    await page.getByRole('heading', { name: 'Nobody can sign in yet' }).waitFor()
    await visitor.go('/setup?token=wrong')
    await page.getByLabel('Name').fill('Ada Keller')
    await page.getByLabel('Login').fill('ada')
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await page.getByRole('button', { name: 'Create' }).click()
    await page.getByText('The link is not valid.').waitFor()
    await visitor.go(link)
    await page.getByLabel('Name').fill('Ada Keller')
    await page.getByLabel('Login').fill('ada')
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
    expect(await visitor.barriers()).toEqual([])
    await page.getByRole('button', { name: 'Create' }).click()
    await page.waitForURL(/\/now$/)
    await visitor.go(link)
    await page.getByRole('heading', { name: 'This link has been used' }).waitFor()
    expect(await page.locator('form').count()).toBe(0)
    expect(await visitor.barriers()).toEqual([])
    await visitor.go('/api/docs')
    await page.getByText('POST /api/sign-in').waitFor()
    expect(visitor.faults).toEqual([])
    await visitor.close()
  })

  it('somebody who is invited chooses a password in their own browser, and the link is used up', async ({ skip }) => {
    skip(NO_BROWSER !== undefined, NO_BROWSER)
    const { admin } = world.app
    const groupIds = await world.app.groupIds(['connect.group_user'])
    const { link } = await admin.ask<{ link: string }>('res.users', 'invite', {
      name: 'Eve Stone',
      login: 'eve',
      group_ids: groupIds,
    })
    const { pathname } = new URL(link, world.app.url)
    const eve = await Visitor.open(browser, world.app.url)
    await eve.go(pathname)
    await eve.page.getByRole('heading', { name: 'Welcome, Eve Stone' }).waitFor()
    await eve.page.getByText('work with calls, messages and contacts').waitFor()
    expect(await eve.page.getByRole('combobox', { name: 'Time zone' }).inputValue()).toBe('Europe/Zurich')
    expect([...(await eve.barriers()), await eve.isTooWide()]).toEqual([false])
    await eve.page.getByLabel('Choose a password').fill('short')
    await eve.page.getByRole('button', { name: 'Continue' }).click()
    await eve.page.getByText('has from 12 to 200 characters').waitFor()
    await eve.page.getByLabel('Choose a password').fill(PASSWORD)
    await eve.page.getByRole('button', { name: 'Continue' }).click()
    await eve.page.waitForURL(/\/now$/)
    await eve.go(pathname)
    await eve.page.getByRole('heading', { name: 'This link is not valid' }).waitFor()
    expect(await eve.barriers()).toEqual([])
    expect(eve.faults).toEqual([])
    await eve.close()
  })
})
