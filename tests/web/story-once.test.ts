// A button that works is not pressed twice: with a slow network, a double click or Enter pressed twice does it once.
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startWorld, type TestWorld } from '../emulators/scenario-world.ts'
import { openBrowser, whyNoBrowser } from '../support/browser.ts'
import { BROWSER_MS, firstAdministrator, PASSWORD, pageIsBuilt, Visitor } from './visitor.ts'

const NO_BROWSER = whyNoBrowser()
const NETWORK_MS = 300
const WRITES = /\/(?:create|write|unlink|send|message_post|originate|invite|sign-in|api_key_create)$/
const ZOE = '+14155550230'

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

/** Delays every answer, and notes what was written. */
async function slowed(page: Page): Promise<string[]> {
  const written: string[] = []
  await page.route(
    (url) => /^\/(?:json|api)\//.test(url.pathname) && url.pathname !== '/api/live',
    async (route) => {
      const { pathname } = new URL(route.request().url())
      if (WRITES.test(pathname) && route.request().method() === 'POST') written.push(pathname.replace('/json/2/', ''))
      await new Promise((resolve) => setTimeout(resolve, NETWORK_MS))
      await route.continue().catch(() => undefined)
    },
  )
  return written
}

/** Two clicks before the page draws anything. */
function clickTwice(page: Page, name: string): Promise<void> {
  return page.getByRole('button', { name, exact: true }).evaluate((button: HTMLElement) => {
    button.click()
    button.click()
  })
}

function fileNamed(name: string) {
  return { name, mimeType: 'text/plain', buffer: Buffer.from('a file') }
}

async function ticketOf(name: string): Promise<number> {
  return world.app.admin.ask<number>('helpdesk.ticket', 'create', { vals_list: { name, partner_phone: ZOE } })
}

describe('pressed twice, done once', { timeout: BROWSER_MS }, () => {
  beforeEach(({ skip }) => skip(NO_BROWSER !== undefined, NO_BROWSER))

  it('the sign-in, a note, a paid text and a ticket', async () => {
    const zoe = await world.app.admin.ask<number>('res.partner', 'create', {
      vals_list: { name: 'Zoe Twice', phone: ZOE },
    })
    const ticket = await ticketOf('Pressed twice')
    const visitor = await Visitor.open(browser, world.app.url)
    const { page } = visitor
    const written = await slowed(page)
    const take = () => written.splice(0)

    await visitor.go(`/tickets/${ticket}`)
    await page.getByLabel('Login').fill('ada')
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await page.getByRole('button', { name: 'Sign in' }).dblclick()
    await page.getByRole('heading', { name: /Pressed twice/ }).waitFor()
    expect(take()).toEqual(['/api/sign-in'])

    await page.getByLabel(/^Write an internal note/).fill('Once, please')
    await page.getByRole('button', { name: 'Add note', exact: true }).dblclick()
    await page.getByRole('article').getByText('Once, please').waitFor()
    expect(take()).toEqual(['helpdesk.ticket/message_post'])

    await page.getByText(/^SMS to /).click()
    await page.getByRole('textbox', { name: /^SMS to/ }).fill('We come tomorrow.')
    const sent = page.waitForResponse(/connect\.message\/send$/)
    await clickTwice(page, 'Send')
    await sent
    expect(take()).toEqual(['connect.message/send'])

    await visitor.go(`/contacts/${zoe}`)
    await page.getByRole('button', { name: 'Ticket', exact: true }).click()
    expect(take()).toEqual([])
    await page.getByRole('dialog').getByLabel('Subject').fill('The lift is broken')
    await clickTwice(page, 'Create ticket')
    await page.waitForURL(/\/tickets\/\d+$/)
    expect(take()).toEqual(['helpdesk.ticket/create'])
    expect(visitor.faults).toEqual([])
    await visitor.close()
  })

  it('what is added, and what generated screens save', async () => {
    const visitor = await Visitor.open(browser, world.app.url)
    const { page } = visitor
    await visitor.signIn('ada', '/tickets')
    const written = await slowed(page)
    const take = () => written.splice(0)

    await page.getByRole('button', { name: 'New', exact: true }).click()
    await page.getByRole('dialog').getByRole('textbox', { name: 'Subject' }).fill('From the dialog')
    await page.keyboard.press('Enter')
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/tickets\/\d+$/)
    expect(take()).toEqual(['helpdesk.ticket/create'])

    await visitor.go('/tickets')
    await page.getByRole('button', { name: '+ add' }).first().click()
    await page.getByRole('textbox', { name: 'Subject' }).fill('From the column')
    await clickTwice(page, 'Create ticket')
    await page.getByText('From the column').waitFor()
    expect(take()).toEqual(['helpdesk.ticket/create'])

    await visitor.go('/records/res.partner/new')
    await page.locator('[data-field="name"] input').fill('Max Once')
    await page.getByRole('button', { name: 'Save', exact: true }).dblclick()
    await page.waitForURL(/\/records\/res\.partner\/\d+$/)
    expect(take()).toEqual(['res.partner/create'])

    await page.locator('[data-field="name"] input').fill('Max Twice')
    await page.keyboard.press('Control+s')
    await page.keyboard.press('Control+s')
    await page.getByText('Contact saved', { exact: true }).waitFor()
    expect(take()).toEqual(['res.partner/write'])
    expect(visitor.faults).toEqual([])
    await visitor.close()
  })

  it('what is typed and added while something is sent stays, and only what was sent goes', async () => {
    const max = await world.app.admin.ask<number>('res.partner', 'create', { vals_list: { name: 'Max Meanwhile' } })
    const ticket = await ticketOf('Typed on')
    const visitor = await Visitor.open(browser, world.app.url)
    const { page } = visitor
    await visitor.signIn('ada', `/tickets/${ticket}`)
    await slowed(page)
    const answered = (method: RegExp) => page.waitForResponse((reply) => method.test(reply.url()))

    const note = page.getByLabel(/^Write an internal note/)
    await note.fill('Sent')
    await page.locator('input[type=file]').setInputFiles(fileNamed('sent.txt'))
    const posted = answered(/message_post$/)
    await page.getByRole('button', { name: 'Add note', exact: true }).click()
    await note.fill('Typed on')
    await page.locator('input[type=file]').setInputFiles(fileNamed('later.txt'))
    await posted
    await page.getByRole('article').getByText('Sent', { exact: true }).waitFor()
    expect(await note.inputValue()).toBe('Typed on')
    const picked = page.locator('form').getByRole('list', { name: 'Files' })
    expect([await picked.getByText('later.txt').count(), await picked.getByText('sent.txt').count()]).toEqual([1, 0])

    await visitor.go(`/records/res.partner/${max}`)
    const name = page.locator('[data-field="name"] input')
    const email = page.locator('[data-field="email"] input')
    await name.fill('Max Saved')
    const written = answered(/write$/)
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await email.fill('max@example.com')
    await written
    await page.getByText('Contact saved', { exact: true }).waitFor()
    expect([await name.inputValue(), await email.inputValue()]).toEqual(['Max Saved', 'max@example.com'])
    const again = answered(/write$/)
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    expect((await again).status()).toBe(200)
    const [row] = await world.app.admin.ask<object[]>('res.partner', 'read', { ids: [max], fields: ['name', 'email'] })
    expect(row).toMatchObject({ name: 'Max Saved', email: 'max@example.com' })
    expect(visitor.faults).toEqual([])
    await visitor.close()
  })
})
