// What floats lies inside the window and covers nothing that is pressed; two pages of one record do not break each other;
// and what is clicked while the service is away is shown once it is back.
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { sql } from '../../src/database/drizzle.ts'
import { openBrowser, whyNoBrowser } from '../support/browser.ts'
import { insertRow } from '../support/rows.ts'
import { TestApp } from '../support/test-app.ts'
import { BROWSER_MS, firstAdministrator, pageIsBuilt, Visitor } from './visitor.ts'

const NO_BROWSER = whyNoBrowser()
const SIZES = [
  [320, 568],
  [375, 667],
  [768, 1024],
  [1024, 768],
  [1280, 800],
  [1920, 1080],
] as const
/** Narrower than this the rail is a bar. */
const RAIL_PX = 768
const OURS = '+14155550100'
const THEIRS = '+14155550199'
const FLOATING = '.mantine-Popover-dropdown, .mantine-Menu-dropdown, .mantine-Notification-root'

let app: TestApp
let browser: Browser

beforeAll(async () => {
  app = await TestApp.start({ env: { PAGE: 'on' } })
  await firstAdministrator(app, 'ada')
  const between = { from_number: THEIRS, to_number: OURS, direction: 'incoming', message_type: 'sms' }
  const last = await insertRow(app.db, 'connect_message', { ...between, body: 'When do you come?' })
  const upTo = { last_message: last, last_open: last, last_incoming: last }
  const parties = { channel: 'sms', ours: OURS, theirs: THEIRS }
  const conversation = await insertRow(app.db, 'connect_conversation', { ...parties, ...upTo })
  await app.db.query(sql`update connect_message set conversation = ${conversation}::bigint where id = ${last}::bigint`)
  await pageIsBuilt(app)
  if (NO_BROWSER === undefined) browser = await openBrowser()
}, BROWSER_MS)
afterAll(async () => {
  await browser?.close()
  await app.stop()
})

/** What floats outside of the window, or that nothing floats. */
function strayOf(page: Page): Promise<string[]> {
  return page.evaluate((selector) => {
    const shown = [...document.querySelectorAll<HTMLElement>(selector)].filter((each) => each.checkVisibility())
    if (shown.length === 0) return ['nothing floats']
    return shown.flatMap((each) => {
      const { left, top, right, bottom } = each.getBoundingClientRect()
      const isInside = left >= 0 && top >= 0 && right <= window.innerWidth && bottom <= window.innerHeight
      return isInside ? [] : [`${each.className}: ${left} ${top} ${right} ${bottom}`]
    })
  }, FLOATING)
}

/** Opens something, and waits until it lies where it belongs. */
async function liesInside(page: Page, what: string, open: () => Promise<void>): Promise<void> {
  await open()
  await expect
    .poll(() => strayOf(page), { message: `${what} at ${page.viewportSize()?.width}`, timeout: 20_000 })
    .toEqual([])
  await page.keyboard.press('Escape')
}

/** Whatever is told lies over no button of the page. */
function coveredOf(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const told = [...document.querySelectorAll('.mantine-Notification-root')].map((each) =>
      each.getBoundingClientRect(),
    )
    if (told.length === 0) return ['nothing is told']
    const buttons = [...document.querySelectorAll<HTMLElement>('#root button, #root a')].filter((each) => {
      const { left, top, width, height } = each.getBoundingClientRect()
      const hit = document.elementFromPoint(left + width / 2, top + height / 2)
      return each.checkVisibility() && hit?.closest('.mantine-Notifications-root') !== null && hit !== null
    })
    return buttons.map((each) => each.innerText)
  })
}

describe('what floats, what is shared, what is away', { timeout: BROWSER_MS }, () => {
  beforeEach(({ skip }) => skip(NO_BROWSER !== undefined, NO_BROWSER))

  it('a ticket, all its fields, and back', async () => {
    const ticket = await app.admin.ask<number>('helpdesk.ticket', 'create', { vals_list: { name: 'The lift' } })
    await app.admin.ask('helpdesk.ticket', 'message_post', { ids: [ticket], body: '<p>A spare part is here</p>' })
    const visitor = await Visitor.open(browser, app.url)
    const { page } = visitor
    await visitor.signIn('ada', `/tickets/${ticket}`)
    await page.getByText('A spare part is here').waitFor()
    await page.getByRole('link', { name: 'All fields' }).click()
    await page.locator('[data-field="name"] input').waitFor()
    await page.getByText('A spare part is here').waitFor()
    await page.goBack()
    await page.getByLabel(/^Write an internal note/).waitFor()
    await page.getByText('A spare part is here').waitFor()
    await page.goForward()
    await page.locator('[data-field="name"] input').waitFor()
    await page.getByText('A spare part is here').waitFor()
    expect(visitor.faults).toEqual([])
    await visitor.close()
  })

  it.each(SIZES)('notices, menus, pickers and what is told lie inside a window of %i × %i', async (width, height) => {
    const person = await app.admin.ask<number>('res.partner', 'create', { vals_list: { name: `Zoe ${width}` } })
    const visitor = await Visitor.open(browser, app.url, { width, height })
    const { page } = visitor
    await visitor.signIn('ada', '/records/res.partner')
    const more = async () => {
      if (width < RAIL_PX) await page.getByRole('button', { name: 'More', exact: true }).click()
    }
    await more()
    await liesInside(page, 'notices', () => page.getByRole('button', { name: 'Notices' }).click())
    await visitor.go('/records/res.partner')
    await more()
    await liesInside(page, 'the menu of the person', () => page.getByRole('button', { name: /Ada Keller/ }).click())
    await visitor.go(`/messages/sms/${OURS}/${THEIRS}`)
    await liesInside(page, 'whom to assign', () => page.getByRole('button', { name: /^Assign/ }).click())
    await visitor.go('/records/res.partner')
    await liesInside(page, 'filters', () => page.getByRole('button', { name: 'Filter', exact: true }).click())

    await visitor.go(`/records/res.partner/${person}`)
    await liesInside(page, 'a picker', () => page.locator('main form .mantine-Select-input').last().click())
    const name = page.locator('[data-field="name"] input')
    await name.fill(`Zoe once ${width}`)
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('Contact saved', { exact: true }).waitFor()
    await name.fill(`Zoe twice ${width}`)
    await page.getByRole('button', { name: 'Save', exact: true }).waitFor()
    // What is told slides in.
    await expect.poll(async () => [await strayOf(page), await coveredOf(page)]).toEqual([[], []])
    expect(visitor.faults).toEqual([])
    await visitor.close()
  })

  it('pages are fetched ahead, and one that is clicked while the service is away comes once it is back', async () => {
    const visitor = await Visitor.open(browser, app.url, { savesData: false })
    const { page } = visitor
    await visitor.signIn('ada')
    const loaded = (part: string) =>
      page.waitForFunction(
        (name) => performance.getEntriesByType('resource').some((each) => each.name.includes(name)),
        part,
      )
    await loaded('/tickets-page')
    await page.route('**/assets/**', (route) => route.abort())
    await page.getByRole('link', { name: 'Tickets', exact: true }).click()
    await page.getByRole('heading', { name: 'Tickets', exact: true }).waitFor()
    await page.unroute('**/assets/**')

    await page.route(/\/healthz$|\/(?:deliveries-page|settings-page|records-page)/, (route) => route.abort())
    await visitor.go('/tickets')
    await page.getByRole('heading', { name: 'Tickets', exact: true }).waitFor()
    await page.getByRole('link', { name: 'Webhooks', exact: true }).click()
    await page.locator('[aria-busy="true"]').waitFor()
    expect(await page.getByRole('link', { name: 'Tickets', exact: true }).count()).toBe(1)
    await page.unrouteAll()
    await page.getByRole('heading', { name: 'Webhooks', exact: true }).waitFor()
    expect(new URL(page.url()).pathname).toBe('/deliveries')
    await visitor.close()
  })

  it('no page is fetched ahead in a browser that is to save data', async () => {
    const visitor = await Visitor.open(browser, app.url, { savesData: true })
    const { page } = visitor
    await visitor.signIn('ada')
    await page.getByRole('heading', { name: 'Now', exact: true }).waitFor()
    await page.waitForLoadState('networkidle')
    const names = await page.evaluate(() => performance.getEntriesByType('resource').map(({ name }) => name))
    expect(names.filter((name) => name.includes('-page-')).every((name) => name.includes('/now-page-'))).toBe(true)
    await visitor.close()
  })

  it('the skeleton of the shell is painted by the document alone, before any other file has come', async () => {
    const visitor = await Visitor.open(browser, app.url)
    const { page } = visitor
    const held = Promise.withResolvers<void>()
    const painted = () => page.waitForFunction(() => performance.getEntriesByName('first-contentful-paint').length > 0)
    await visitor.signIn('ada')
    await page.route('**/assets/**', async (route) => {
      await held.promise
      await route.continue()
    })
    await page.goto(`${app.url}/now`, { waitUntil: 'commit' })
    await page.locator('.early nav').waitFor()
    await painted()
    held.resolve()
    await page.getByRole('heading', { name: 'Now', exact: true }).waitFor()
    expect(await page.locator('.early').count()).toBe(0)
    expect(visitor.faults).toEqual([])
    await visitor.close()
  })
})
