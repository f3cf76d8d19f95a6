// While a page loads it says nothing that is not so.
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startWorld, type TestWorld } from '../emulators/scenario-world.ts'
import { aPhoneUser, aVoiceAgent } from '../fixtures/records.ts'
import { openBrowser, whyNoBrowser } from '../support/browser.ts'
import { BROWSER_MS, firstAdministrator, pageIsBuilt, Visitor } from './visitor.ts'

const NO_BROWSER = whyNoBrowser()
const SLOW_MS = 1_500
const RAW = '+14155550177'

let world: TestWorld
let browser: Browser
let agent: number

beforeAll(async () => {
  world = await startWorld({}, { PAGE: 'on' })
  await firstAdministrator(world.app, 'ada')
  const { admin } = world.app
  agent = await aVoiceAgent(world.app, 'agent_loading')
  await aPhoneUser(world.app, { name: 'Olga Owner', extension: '100', isPublished: true })
  await admin.ask('connect.call', 'create', {
    vals_list: { caller: RAW, called: '+14155550110', direction: 'incoming', status: 'no-answer' },
  })
  await pageIsBuilt(world.app)
  if (NO_BROWSER === undefined) browser = await openBrowser()
}, BROWSER_MS)
afterAll(async () => {
  await browser?.close()
  await world.stop()
})

describe('while it loads', { timeout: BROWSER_MS }, () => {
  beforeEach(({ skip }) => skip(NO_BROWSER !== undefined, NO_BROWSER))

  it('the page of an agent does not say that nobody can be put through, nor that nobody rings instead', async () => {
    const visitor = await Visitor.open(browser, world.app.url)
    const { page } = visitor
    await visitor.signIn('ada')
    await page.route('**/json/2/connect.telco.exten/search_read', async (route) => {
      await new Promise((resolve) => setTimeout(resolve, SLOW_MS))
      await route.continue().catch(() => undefined)
    })
    await visitor.go(`/agents/${agent}`)
    const part = page.getByRole('region', { name: 'Transfers' })
    await part.waitFor()
    expect(await part.getByText("can't put callers through").count()).toBe(0)
    await part.getByText(/^Can put callers through to/).waitFor()
    expect(visitor.faults).toEqual([])
    await visitor.close()
  })

  it('a number is written as people write it from the first', async () => {
    const visitor = await Visitor.open(browser, world.app.url)
    const { page } = visitor
    await visitor.signIn('ada')
    await page.addInitScript((raw) => {
      const seen: string[] = []
      Object.assign(window, { seen })
      new MutationObserver(() => {
        const text = document.body?.innerText ?? ''
        if (text.includes(raw)) seen.push(text.slice(text.indexOf(raw), text.indexOf(raw) + 20))
      }).observe(document, { childList: true, subtree: true, characterData: true })
    }, RAW)
    for (const path of ['/calls', '/now']) {
      await visitor.go(path)
      await page
        .getByText(/415\s555\s0177/)
        .first()
        .waitFor()
      expect([path, await page.evaluate(() => (window as unknown as { seen: string[] }).seen)]).toEqual([path, []])
    }
    expect(visitor.faults).toEqual([])
    await visitor.close()
  })
})
