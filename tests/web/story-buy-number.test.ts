// Somebody who has an account and no number gets one: what it costs and needs is said before, and it answers afterwards.
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Emulators, startEmulators } from '../../emulators/start.ts'
import { openBrowser, whyNoBrowser } from '../support/browser.ts'
import { TestApp } from '../support/test-app.ts'
import { BROWSER_MS, firstAdministrator, pageIsBuilt, Visitor } from './visitor.ts'

const NO_BROWSER = whyNoBrowser()
const PUBLIC_URL = 'https://pbx.example.com'
const NUMBER = 'connect.telco.number'

let emulators: Emulators
let app: TestApp
let browser: Browser

beforeAll(async () => {
  emulators = await startEmulators({ telco: { addresses: [{ name: 'Head office', country: 'CH' }] } })
  const { telco, voiceai } = emulators
  app = await TestApp.start({
    env: { PAGE: 'on', TELCO_BASE_URL: telco.url, VOICEAI_BASE_URL: voiceai.url, LOG_LEVEL: 'silent' },
  })
  emulators.connectService({ publicUrl: PUBLIC_URL, deliverTo: app.url })
  const vals = { account_sid: telco.account.sid, auth_token: telco.account.authToken, api_url: PUBLIC_URL }
  await app.admin.ask('connect.settings', 'write', { ids: [1], vals })
  await firstAdministrator(app, 'ada')
  await pageIsBuilt(app)
  if (NO_BROWSER === undefined) browser = await openBrowser()
}, BROWSER_MS)
afterAll(async () => {
  await browser?.close()
  await app.stop()
  await emulators.stop()
})

describe('a first number', { timeout: BROWSER_MS }, () => {
  it('the owner finds a number, sees its price, buys it after a question that names it, and it answers', async ({
    skip,
  }) => {
    skip(NO_BROWSER !== undefined, NO_BROWSER)
    const visitor = await Visitor.open(browser, app.url)
    const { page } = visitor
    await visitor.signIn('ada', `/records/${NUMBER}`)
    await page.getByRole('link', { name: 'Get a number' }).click()
    await page.getByRole('button', { name: 'Get a number' }).click()
    const dialog = page.getByRole('dialog', { name: 'Get a number' })
    await dialog.getByText(/^Twilio is emulated on this machine/).waitFor()
    const country = dialog.getByRole('combobox', { name: 'Country' })
    await country.fill('United')
    await page.getByRole('option', { name: 'United States' }).click()
    await dialog.getByRole('textbox', { name: 'Area' }).fill('415')
    await dialog.getByRole('button', { name: 'Search' }).click()
    const first = dialog.getByRole('listitem').first()
    await first.getByText(/San Francisco, CA · .*\$1\.15 per month/).waitFor()
    const barriers = await visitor.barriers()
    await first.getByRole('button', { name: /^Choose/ }).click()
    await dialog.getByText(/^Twilio charges your account \$1\.15 now and every month/).waitFor()
    barriers.push(...(await visitor.barriers()), ...(await visitor.misdrawn()))
    const bought = emulators.telco.account.numbers
    expect(bought.list()).toEqual([])
    await dialog.getByRole('button', { name: /^Buy / }).click()
    await page.getByText(/ is yours\. Choose who answers it\.$/).waitFor()
    await dialog.waitFor({ state: 'hidden' })

    await page.getByRole('combobox', { name: 'Answered by' }).click()
    await page.getByRole('option', { name: 'A sentence' }).click()
    await page.getByRole('textbox', { name: 'Sentence' }).fill('We are glad that you call.')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText(/^Welcome now answers/).waitFor()
    const [row, ...others] = await app.admin.ask<{ id: number; phone_number: string }[]>(NUMBER, 'search_read', {})
    expect(others).toEqual([])
    expect(bought.list()).toMatchObject([{ phone_number: row?.phone_number }])
    const heard = await app.admin.ask<{ steps: object[] }>(NUMBER, 'rehearse', { ids: [row?.id ?? 0] })
    expect(JSON.stringify(heard.steps)).toContain('We are glad that you call.')
    expect(barriers).toEqual([])
    expect(visitor.faults).toEqual([])
    await visitor.close()
  })

  it('German says what a number needs before it is bought, and offers the address of the account by name', async ({
    skip,
  }) => {
    skip(NO_BROWSER !== undefined, NO_BROWSER)
    const visitor = await Visitor.open(browser, app.url, { language: 'de' })
    const { page } = visitor
    await visitor.signIn('ada', '/settings/set-up')
    await visitor.visit('/settings/set-up?step=number')
    await page.getByRole('button', { name: 'Nummer kaufen' }).click()
    const dialog = page.getByRole('dialog', { name: 'Nummer kaufen' })
    await dialog.getByRole('combobox', { name: 'Land' }).fill('Schweiz')
    await page.getByRole('option', { name: 'Schweiz' }).click()
    await dialog.getByRole('textbox', { name: 'Gegend' }).fill('zurich')
    await dialog.getByRole('button', { name: 'Suchen' }).click()
    const first = dialog.getByRole('listitem').first()
    await first.getByText(/braucht eine Adresse/).waitFor()
    await first.getByRole('button', { name: / wählen$/ }).click()
    await dialog.getByText(/^Diese Nummer braucht eine Adresse/).waitFor()
    const buy = dialog.getByRole('button', { name: /^\+41.* kaufen$/ })
    expect(await buy.isDisabled()).toBe(true)
    await dialog.getByRole('combobox', { name: 'Adresse' }).click()
    await page.getByRole('option', { name: /^Head office/ }).click()
    expect(await visitor.barriers()).toEqual([])
    await buy.click()
    await page.getByText(/ gehört Ihnen\./).waitFor()
    expect(visitor.faults).toEqual([])
    await visitor.close()
  })
})
