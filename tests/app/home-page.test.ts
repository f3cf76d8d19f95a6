// What somebody sees who opens the address in a browser, from the one-time link to signing in again.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { setupToken } from '../../src/platform/identity/session-routes.ts'
import { openBrowser, whyNoBrowser } from '../support/browser.ts'
import { TestApp } from '../support/test-app.ts'

const NO_BROWSER = whyNoBrowser()
/** A browser takes its time to begin with on a busy machine. */
const BROWSER_MS = 120_000
const PASSWORD = 'correct horse battery'

let app: TestApp

beforeAll(async () => {
  app = await TestApp.start()
})
afterAll(() => app.stop())

describe('the first page', { timeout: BROWSER_MS }, () => {
  it('leads from the one-time link to the API, out, and in again', async ({ skip }) => {
    skip(NO_BROWSER !== undefined, NO_BROWSER)
    await using browser = await openBrowser()
    const page = await browser.newPage()
    page.setDefaultTimeout(BROWSER_MS)
    await page.goto(app.url)
    await page.getByText('Nobody can sign in yet: there is no administrator.').waitFor()
    expect(await page.locator('form').count()).toBe(0)

    await page.goto(`${app.url}/setup?token=${setupToken(app.app)}`)
    await page.getByLabel('Name').fill('Ann Keller')
    await page.getByLabel('Login').fill('ann')
    await page.getByLabel('Password').fill(PASSWORD)
    await page.getByRole('button', { name: 'Create' }).click()
    await page.getByText('Signed in as ann.').waitFor()

    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByText('There is an administrator.').waitFor()
    await page.getByLabel('Login').fill('ann')
    await page.getByLabel('Password').fill('not the password')
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByText('The login or the password is wrong.').waitFor()
    await page.getByLabel('Password').fill(PASSWORD)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByText('Signed in as ann.').waitFor()
    await page.getByRole('link', { name: 'Read the API' }).click()
    await page.waitForURL(/\/api\/docs$/)
  })
})
