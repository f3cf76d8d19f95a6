// The screens that are made from what the models say of themselves, and the search.
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openBrowser, whyNoBrowser } from '../support/browser.ts'
import { TestApp } from '../support/test-app.ts'
import { BROWSER_MS, firstAdministrator, pageIsBuilt, Visitor } from './visitor.ts'

const NO_BROWSER = whyNoBrowser()
let app: TestApp
let browser: Browser

beforeAll(async () => {
  app = await TestApp.start({ env: { PAGE: 'on' } })
  await firstAdministrator(app, 'ada')
  await pageIsBuilt(app)
  if (NO_BROWSER === undefined) browser = await openBrowser()
}, BROWSER_MS)
afterAll(async () => {
  await browser?.close()
  await app.stop()
})

describe.skipIf(NO_BROWSER !== undefined)('generated screens', () => {
  it(
    'the search opens the first hit, and a record says what a deletion takes along',
    async () => {
      const visitor = await Visitor.open(browser, app.url)
      const { page } = visitor
      const company = await app.admin.ask<number>('res.partner', 'create', { vals_list: { name: 'Quarry Lanterns' } })
      await app.admin.ask('res.partner', 'create', { vals_list: { name: 'Xenia Lopez', parent_id: company } })
      await visitor.signIn('ada', '/records')
      await page.locator('main h1').waitFor()
      await page.keyboard.press('/')
      await page.getByPlaceholder('Name, number, ticket, call').fill('quarry lan')
      await page.getByRole('dialog').getByText('Quarry Lanterns').waitFor()
      await page.keyboard.press('Enter')
      await page.waitForURL((url) => url.pathname === `/contacts/${company}`)

      await visitor.go(`/records/res.partner/${company}`)
      await page.getByRole('button', { name: 'Delete', exact: true }).click()
      await page.getByRole('dialog').getByText('Contact: 1 stay and lose the link.').waitFor()
      await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
      await page.waitForURL((url) => url.pathname === '/records/res.partner')
      await visitor.go(`/records/res.partner/${company}`)
      await page.getByText('There is no such record, or it is not yours to see.').waitFor()
      expect(visitor.faults).toEqual([])
      await visitor.close()
    },
    BROWSER_MS,
  )
})
