// Contacts stay in Contacts: a new one, one that is edited, and one that was merged.
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startWorld, type TestWorld } from '../emulators/scenario-world.ts'
import { openBrowser, whyNoBrowser } from '../support/browser.ts'
import { BROWSER_MS, firstAdministrator, pageIsBuilt, Visitor } from './visitor.ts'

const NO_BROWSER = whyNoBrowser()

let world: TestWorld
let browser: Browser

beforeAll(async () => {
  world = await startWorld({}, { PAGE: 'on' })
  await firstAdministrator(world.app, 'ada')
  await pageIsBuilt(world.app)
  if (NO_BROWSER === undefined) browser = await openBrowser()
}, BROWSER_MS)
afterAll(async () => {
  await browser?.close()
  await world.stop()
})

describe('contacts', { timeout: BROWSER_MS }, () => {
  beforeEach(({ skip }) => skip(NO_BROWSER !== undefined, NO_BROWSER))

  it('a new contact and one that is edited stay in Contacts, and the form leads back to the contact', async () => {
    const visitor = await Visitor.open(browser, world.app.url)
    const { page } = visitor
    const current = page.locator('nav[data-rail] [aria-current]')
    await visitor.signIn('ada', '/contacts')
    await page.getByRole('link', { name: 'New', exact: true }).click()
    await page.getByRole('textbox', { name: /^Name/ }).fill('Paul Plain')
    expect(await current.allInnerTexts()).toEqual(['Contacts'])
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.waitForURL(/\/contacts\/\d+$/)
    await page.getByRole('heading', { name: 'Paul Plain' }).waitFor()
    const shown = page.url()
    await page.getByRole('link', { name: 'Edit', exact: true }).click()
    await page.getByRole('textbox', { name: 'Phone', exact: true }).fill('+41 44 668 18 00')
    expect(await current.allInnerTexts()).toEqual(['Contacts'])
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('Contact saved').waitFor()
    await page.getByRole('link', { name: 'Contact', exact: true }).click()
    await page.waitForURL(shown)
    await page.getByRole('button', { name: 'Message', exact: true }).waitFor()
    // A meeting that is begun here is with this contact.
    await page.getByRole('button', { name: 'Meeting', exact: true }).click()
    await page.locator('[data-field="partner_ids"]').getByText('Paul Plain').first().waitFor()
    await page.getByRole('textbox', { name: /^Subject/ }).fill('Visit')
    expect([...(await visitor.barriers()), ...(await visitor.misdrawn()), ...visitor.faults]).toEqual([])
    await visitor.close()
  })

  it('a number is written in one way, however it was typed: in the list, in the search and on the card', async () => {
    const [country] = await world.app.admin.ask<number[]>('res.country', 'search', { domain: [['code', '=', 'CH']] })
    const values = { name: 'Quirin Typed', country_id: country, phone: '0313808400' }
    await world.app.admin.ask('res.partner', 'create', { vals_list: values })
    const visitor = await Visitor.open(browser, world.app.url)
    const { page } = visitor
    const shown = /\+41\s31\s380\s84\s00/
    await visitor.signIn('ada')
    await visitor.go('/contacts?text=Quirin')
    await page.getByRole('row', { name: shown }).waitFor()
    await page.keyboard.press('/')
    const search = page.getByRole('dialog')
    await search.getByRole('textbox').fill('quirin')
    await search.getByRole('button', { name: shown }).click()
    await page.waitForURL(/\/contacts\/\d+$/)
    await page.getByRole('complementary').getByText(shown).first().waitFor()
    expect(visitor.faults).toEqual([])
    await visitor.close()
  })

  it('the address of a merged contact leads to the one it was merged into, which says who merged which', async () => {
    const { admin } = world.app
    const make = (name: string) => admin.ask<number>('res.partner', 'create', { vals_list: { name } })
    const [kept, other] = [await make('Beat Keller'), await make('Beat Keller-Huber')]
    const visitor = await Visitor.open(browser, world.app.url)
    const { page } = visitor
    await visitor.signIn('ada')
    const eve = await world.app.person(['base.group_user', 'connect.group_user'], { login: 'eve', name: 'Eve Young' })
    await eve.ask('res.partner', 'merge', { keep: kept, others: [other] })
    await visitor.go(`/contacts/${other}`)
    await page.waitForURL((url) => url.pathname === `/contacts/${kept}`)
    await page.getByRole('heading', { name: 'Beat Keller' }).waitFor()
    const note = page.getByRole('article').filter({ hasText: 'Merged with Beat Keller-Huber.' })
    await note.filter({ hasText: 'Eve Young' }).waitFor()
    await admin.ask('res.partner', 'unlink', { ids: [kept] })
    await visitor.go(`/contacts/${other}`)
    await page.getByRole('heading', { name: 'This contact was merged into another one.' }).waitFor()
    expect(visitor.faults).toEqual([])
    await visitor.close()
  })

  it('somebody who was erased is not shown once more by a list that was read before', async () => {
    const gone = await world.app.admin.ask<number>('res.partner', 'create', { vals_list: { name: 'Aaron Gone' } })
    const visitor = await Visitor.open(browser, world.app.url)
    const { page } = visitor
    await visitor.signIn('ada', '/contacts')
    const listed = page.locator('main').getByText('Aaron Gone')
    await listed.first().waitFor()
    await visitor.visit(`/contacts/${gone}`)
    await page.getByRole('button', { name: 'Erase …' }).click()
    const dialog = page.getByRole('dialog', { name: 'Erase Aaron Gone?' })
    await dialog.getByLabel('Type “Aaron Gone” to confirm').fill('Aaron Gone')
    await dialog.getByRole('button', { name: 'Erase' }).click()
    await page.waitForURL(/\/contacts$/)
    await expect.poll(() => listed.count()).toBe(0)
    expect(visitor.faults).toEqual([])
    await visitor.close()
  })

  it('the note of a merge is German on a German page', async () => {
    const { admin } = world.app
    const make = (name: string) => admin.ask<number>('res.partner', 'create', { vals_list: { name } })
    const [kept, other] = [await make('Eva Huber'), await make('E. Huber')]
    await admin.ask('res.partner', 'merge', { keep: kept, others: [other] })
    const visitor = await Visitor.open(browser, world.app.url, { language: 'de' })
    await visitor.signIn('ada')
    await visitor.visit(`/contacts/${kept}`)
    await visitor.page.getByRole('article').getByText('Mit E. Huber zusammengeführt.').waitFor()
    expect(visitor.faults).toEqual([])
    await visitor.close()
  })
})
