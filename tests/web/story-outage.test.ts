// The service is away for a while, and back: pages that were opened meanwhile, cards that were moved and forms that were sent.
import type { Browser } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startWorld, type TestWorld } from '../emulators/scenario-world.ts'
import { openBrowser, whyNoBrowser } from '../support/browser.ts'
import { Line } from './line.ts'
import { BROWSER_MS, firstAdministrator, PASSWORD, pageIsBuilt, Visitor } from './visitor.ts'

const NO_BROWSER = whyNoBrowser()
const AWAY = 'The service cannot be reached at the moment.'
/** Until the stream, which the browser opens again, is there, and what is asked then. */
const RETURN_MS = 25_000

/** What the router leaves in the window for tools. */
interface Routed {
  __TSR_ROUTER__: { navigate(to: { href: string }): Promise<void> }
}

let world: TestWorld
let browser: Browser
let line: Line
let contact: number
let ticket: number

beforeAll(async () => {
  world = await startWorld({}, { PAGE: 'on' })
  await firstAdministrator(world.app, 'ada')
  const { admin } = world.app
  contact = await admin.ask<number>('res.partner', 'create', { vals_list: { name: 'Zoe Outage' } })
  ticket = await admin.ask<number>('helpdesk.ticket', 'create', { vals_list: { name: 'Stays on the board' } })
  await pageIsBuilt(world.app)
  line = await Line.to(world.app.url)
  if (NO_BROWSER === undefined) browser = await openBrowser()
}, BROWSER_MS)
afterAll(async () => {
  await browser?.close()
  await line?.cut()
  await world.stop()
})

describe('after an outage', { timeout: BROWSER_MS }, () => {
  beforeEach(({ skip }) => skip(NO_BROWSER !== undefined, NO_BROWSER))

  afterEach(() => line.mend())

  it.each([
    ['a list', '/contacts', () => '/contacts?text=Outage', 'Zoe Outage'],
    ['a contact', '/contacts/1000000', () => `/contacts/${contact}`, 'Zoe Outage'],
    ['a ticket', '/tickets/1000000', () => `/tickets/${ticket}`, 'Stays on the board'],
    ['a record', '/records/helpdesk.ticket/1000000', () => `/records/helpdesk.ticket/${ticket}`, 'Stays on the board'],
    ['the webhooks', '/deliveries', () => '/deliveries?verdict=failed', 'No results.'],
  ])('%s that was opened meanwhile is shown by itself', async (_, known, address, words) => {
    const visitor = await Visitor.open(browser, line.url)
    const { page } = visitor
    await visitor.signIn('ada')
    // The code of the page is there, and what it shows is not.
    await visitor.visit(known)
    await visitor.visit('/now')
    await line.cut()
    await page.evaluate((href) => (window as unknown as Routed).__TSR_ROUTER__.navigate({ href }), address())
    await page.getByText(AWAY).first().waitFor({ timeout: RETURN_MS })
    await line.mend()
    await page.getByText(AWAY).first().waitFor({ state: 'detached', timeout: RETURN_MS })
    await page.locator('main').getByText(words).first().waitFor({ timeout: RETURN_MS })
    expect(visitor.faults).toEqual([])
    await visitor.close()
  })

  it('a card that could not be moved is back at once, and the board stays', async () => {
    const visitor = await Visitor.open(browser, line.url)
    const { page } = visitor
    await visitor.signIn('ada', '/tickets')
    const inbox = page.getByRole('region', { name: 'Inbox' })
    const onHold = page.getByRole('region', { name: 'On Hold' })
    await inbox.getByText('Stays on the board').waitFor()
    // The code that tells of refusals comes once the browser is idle.
    await page.locator('.mantine-Notifications-root').first().waitFor({ state: 'attached' })
    await line.cut()
    await inbox.getByRole('button', { name: /^Move/ }).first().click()
    await page.getByRole('menuitem', { name: 'On Hold' }).click()
    await page.getByText(AWAY).waitFor()
    await inbox.getByText('Stays on the board').waitFor({ timeout: 2_000 })
    await page
      .getByRole('status')
      .filter({ hasText: /reconnecting/ })
      .waitFor()
    // As long as all tries take.
    await page.waitForTimeout(12_000)
    expect(await inbox.getByText('Stays on the board').isVisible()).toBe(true)
    expect(await page.getByText("Couldn't load this.").count()).toBe(0)
    await line.mend()
    await page.getByRole('status').filter({ hasText: 'live' }).waitFor()
    await onHold.waitFor()
    await inbox.getByText('Stays on the board').waitFor()
    expect(visitor.faults).toEqual([])
    await visitor.close()
  })

  it('what stands beside fields goes when the service is back, and what was typed stays', async () => {
    const visitor = await Visitor.open(browser, line.url)
    const { page } = visitor
    await visitor.signIn('ada')
    await visitor.go(`/tickets/${ticket}`)
    const note = page.getByLabel(/^Write an internal note/)
    await note.fill('Typed while away')
    await line.cut()
    await page.getByRole('button', { name: 'Add note', exact: true }).click()
    await page.getByText(AWAY).first().waitFor()
    await line.mend()
    await page.getByText(AWAY).first().waitFor({ state: 'detached', timeout: RETURN_MS })
    expect(await note.inputValue()).toBe('Typed while away')
    expect(visitor.faults).toEqual([])
    await visitor.close()
  })

  it('before somebody has signed in, the page that could not be started goes on by itself, in German as well', async () => {
    const visitor = await Visitor.open(browser, line.url, { language: 'de' })
    const { page } = visitor
    // The start document comes, and then nothing more.
    await page.route(/\/api\/|\/readyz/, (route) => route.abort())
    await page.goto(`${line.url}/sign-in`)
    await page.getByText('Connect ist im Moment nicht erreichbar.').waitFor({ timeout: RETURN_MS })
    await page.unroute(/\/api\/|\/readyz/)
    await page.getByLabel('Anmeldename').waitFor({ timeout: RETURN_MS })
    // What was refused because the service was away goes when it is back, and what was typed stays.
    await page.getByLabel('Anmeldename').fill('ada')
    await page.getByLabel('Passwort', { exact: true }).fill('something')
    await line.cut()
    await page.getByRole('button', { name: 'Anmelden', exact: true }).click()
    await page.getByText('Connect ist im Moment nicht erreichbar.').waitFor()
    await line.mend()
    await page.getByText('Connect ist im Moment nicht erreichbar.').waitFor({ state: 'detached', timeout: RETURN_MS })
    expect(await page.getByLabel('Anmeldename').inputValue()).toBe('ada')
    await visitor.close()
  })

  it('a link for a lost password that was opened meanwhile is no invalid one, and opens by itself', async () => {
    const { admin } = world.app
    const groups = await world.app.groupIds(['base.group_user'])
    const hugo = await admin.ask<number>('res.users', 'create', {
      vals_list: { login: 'hugo', name: 'Hugo Hall', group_ids: groups, password: PASSWORD },
    })
    const { path } = await admin.ask<{ path: string }>('res.users', 'reset_link', { ids: [hugo] })
    const visitor = await Visitor.open(browser, line.url)
    const { page } = visitor
    await page.route(/\/api\/invitation|\/readyz/, (route) => route.abort())
    await page.goto(`${line.url}${path}`)
    await page.getByRole('heading', { name: "Couldn't open this link" }).waitFor()
    await page.getByText(AWAY).waitFor()
    expect(await visitor.barriers()).toEqual([])
    await page.unroute(/\/api\/invitation|\/readyz/)
    await page.getByRole('heading', { name: 'New password for Hugo Hall' }).waitFor({ timeout: RETURN_MS })
    await visitor.close()
  })

  it.each([
    ['in German, before the page has started', /\/api\/me/, true],
    // There the stream tells of it, and the page asks nobody.
    ['inside', /helpdesk\.ticket\/(?:search_)?read/, false],
  ])('a page goes on by itself when the database is back: %s', async (_, asked, looksItself) => {
    const words = 'Die Datenbank ist im Moment nicht erreichbar'
    const visitor = await Visitor.open(browser, line.url, { language: 'de' })
    const { page } = visitor
    await visitor.signIn('ada', '/now')
    const context = { code: 'database-unavailable-at-moment-try-again', params: {}, kind: 'unavailable' }
    const message = 'The database is unavailable at the moment; try again.'
    await page.route(asked, (route) => route.fulfill({ status: 503, json: { message, context } }))
    let looks = 0
    await page.route(/\/readyz/, (route) => {
      looks += 1
      return route.fulfill({ status: 503, json: { database: false } })
    })
    await page.goto(`${line.url}/tickets/${ticket}`)
    await page.getByText(words).waitFor({ timeout: RETURN_MS })
    // It stays for as long as the database is away, however often the page looks.
    if (looksItself) await expect.poll(() => looks).toBeGreaterThan(1)
    expect(await page.getByText(words).isVisible()).toBe(true)
    await page.unrouteAll()
    await page.getByRole('heading', { name: /Stays on the board/ }).waitFor({ timeout: RETURN_MS })
    expect(visitor.faults).toEqual([])
    await visitor.close()
  })

  it('a note that was not sent says so in German', async () => {
    const visitor = await Visitor.open(browser, line.url, { language: 'de' })
    const { page } = visitor
    await visitor.signIn('ada')
    await visitor.go(`/tickets/${ticket}`)
    await page.getByLabel(/^Interne Notiz/).fill('Getippt')
    await line.cut()
    await page.getByRole('button', { name: 'Notiz speichern', exact: true }).click()
    await page.getByText('Connect ist im Moment nicht erreichbar.').first().waitFor()
    await line.mend()
    await page
      .getByText('Connect ist im Moment nicht erreichbar.')
      .first()
      .waitFor({ state: 'detached', timeout: RETURN_MS })
    expect(visitor.faults).toEqual([])
    await visitor.close()
  })
})
