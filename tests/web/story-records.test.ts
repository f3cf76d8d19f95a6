// The screens that are made from what the models say of themselves, and what somebody works with on them: views, drafts, two people on one record, notes, deletions, and the search.
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openBrowser, whyNoBrowser } from '../support/browser.ts'
import { TestApp } from '../support/test-app.ts'
import { BROWSER_MS, firstAdministrator, pageIsBuilt, Visitor } from './visitor.ts'

const NO_BROWSER = whyNoBrowser()
const HOSTILE = '<img src=x onerror=alert(1)> "><script>alert(2)</script>'

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
    'a filter becomes a view, a draft outlives the page, and whoever was faster is named',
    async () => {
      const visitor = await Visitor.open(browser, app.url)
      const { page } = visitor
      const contact = await app.admin.ask<number>('res.partner', 'create', { vals_list: { name: 'Zoe Miller' } })
      await visitor.signIn('ada', '/records')

      await visitor.go('/records/res.partner?name=Zoe')
      await page.getByRole('button', { name: 'Saved as a view' }).click()
      await page.getByLabel('Name of the view').fill('Zoes')
      await page.getByRole('button', { name: 'Save', exact: true }).click()
      await page.getByRole('button', { name: 'Zoes' }).waitFor()

      await page.getByRole('row', { name: /Zoe Miller/ }).click()
      await page.locator('[data-field="name"] input').fill('Zoe Moss')
      await page.getByRole('link', { name: 'Contact', exact: true }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Leave' }).click()
      await page.getByRole('row', { name: /Zoe Miller/ }).click()
      await page.getByText('This is your draft').waitFor()
      expect(await page.locator('[data-field="name"] input').inputValue()).toBe('Zoe Moss')

      await app.admin.ask('res.partner', 'write', { ids: [contact], vals: { name: 'Zoe Muller' } })
      await page.keyboard.press('Control+s')
      await page.getByRole('alert').getByText('Zoe Muller').waitFor()
      await page.getByRole('button', { name: 'Keep mine' }).click()
      await page.getByText('Saved', { exact: true }).waitFor()
      const [row] = await app.admin.ask<{ name: string }[]>('res.partner', 'read', { ids: [contact], fields: ['name'] })
      expect(row?.name).toBe('Zoe Moss')

      await page.getByRole('textbox', { name: 'Write a note' }).fill(HOSTILE)
      await page.getByRole('button', { name: 'Post' }).click()
      await page.getByRole('article').getByText(HOSTILE).waitFor()
      await page.getByRole('article').getByRole('button', { name: 'Delete' }).click()
      await page.getByText('Nobody has written anything yet.').waitFor()

      expect(await visitor.barriers()).toEqual([])
      expect(visitor.faults).toEqual([])
      await visitor.close()
    },
    BROWSER_MS,
  )

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
