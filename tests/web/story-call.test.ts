// One call in a browser: why it ended and what mends it, and what was said, heard where it was said.
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hear } from '../../emulators/people.ts'
import { SCENARIOS } from '../../emulators/scenarios/catalogue.ts'
import { synchronise } from '../../emulators/scenarios/prepare.ts'
import { runScenario } from '../../emulators/scenarios/scenario.ts'
import { startWorld, type TestWorld } from '../emulators/scenario-world.ts'
import { openBrowser, whyNoBrowser } from '../support/browser.ts'
import { eventually } from '../support/test-app.ts'
import { BROWSER_MS, firstAdministrator, pageIsBuilt, Visitor } from './visitor.ts'

const NO_BROWSER = whyNoBrowser()
const PLAYED = ['agent-helpdesk', 'agent-unreachable']
const HELPED = '+14155550210'
const UNREACHED = '+14155550223'
const NIGHT_NUMBER = '+14155550123'
const WAIT_MS = 100_000

let world: TestWorld
let browser: Browser

beforeAll(async () => {
  world = await startWorld({}, { PAGE: 'on' })
  await firstAdministrator(world.app, 'ada')
  await world.app.admin.ask('connect.settings', 'write', { ids: [1], vals: { voiceai_send_audio: true } })
  await synchronise(world.service, 'voiceai')
  for (const scenario of SCENARIOS.filter(({ name }) => PLAYED.includes(name))) {
    expect((await runScenario(scenario, world)).complaints).toEqual([])
  }
  await pageIsBuilt(world.app)
  if (NO_BROWSER === undefined) browser = await openBrowser()
}, BROWSER_MS)
afterAll(async () => {
  await browser?.close()
  await world.stop()
})

async function callFrom(caller: string): Promise<number> {
  const [id] = await world.app.admin.ask<number[]>('connect.call', 'search', {
    domain: [['caller', '=', caller]],
    order: 'id desc',
    limit: 1,
  })
  return id ?? 0
}

describe('the page of a call', { timeout: 3 * BROWSER_MS }, () => {
  it('says why an agent was not reached, and leads to what mends it; then the agent answers', async ({ skip }) => {
    skip(NO_BROWSER !== undefined, NO_BROWSER)
    const visitor = await Visitor.open(browser, world.app.url)
    const { page } = visitor
    await visitor.signIn('ada', `/calls/${await callFrom(UNREACHED)}`)
    const why = page.getByRole('region', { name: 'Why it ended here' })
    await why.getByText(/The voice agent Night desk could not be reached: .* \(SIP 404 Not Found/).waitFor()
    await page.getByText('Agent not reached').waitFor()
    await why.getByText(/^\d+ steps?$/).click()
    await why.getByRole('button', { name: /^Night desk: failed: SIP 404/ }).click()
    await page.waitForURL(/open=\d+/)
    expect(await visitor.barriers()).toEqual([])
    await why.getByRole('link', { name: /^Synchronise the voice agents/ }).click()
    await page.waitForURL(/\/settings\/synchronise\?provider=voiceai/)
    const mending = page.getByRole('region', { name: 'The call you came from' })
    await mending.getByText('that mends it').waitFor()
    expect(await visitor.barriers()).toEqual([])
    await page.getByRole('region', { name: 'Voice agents' }).getByRole('button', { name: 'Synchronise' }).click()
    await page.getByRole('button', { name: 'Start now' }).click()
    await mending.getByText('Mended: the voice agents are in sync again.').waitFor({ timeout: WAIT_MS })
    await mending.getByRole('link', { name: 'Back to the call' }).click()
    await why.getByText(`so the agent answers again: call ${NIGHT_NUMBER} to try it.`).waitFor()
    expect(await why.getByRole('link', { name: /^Synchronise/ }).count()).toBe(0)
    await world.telco.call({ from: UNREACHED, to: NIGHT_NUMBER, acts: [hear('hello')] })
    const again = await eventually(async () => {
      const id = await callFrom(UNREACHED)
      const [call] = await world.app.admin.ask<{ outcome: string }[]>('connect.call', 'read', {
        ids: [id],
        fields: ['outcome'],
      })
      return call?.outcome === 'agent' ? id : undefined
    }, WAIT_MS)
    await visitor.go(`/calls/${again}`)
    await page.getByText('Night desk solved it').waitFor()
    expect(visitor.faults).toEqual([])
    await visitor.close()
  })

  it('a sentence is heard where it was said, and the next moment is the tool with its time', async ({ skip }) => {
    skip(NO_BROWSER !== undefined, NO_BROWSER)
    const visitor = await Visitor.open(browser, world.app.url)
    const { page } = visitor
    const call = await callFrom(HELPED)
    await eventually(async () => {
      const { audio } = await world.app.admin.ask<{ audio: { address: string | null }[] }>('connect.call', 'timeline', {
        ids: [call],
      })
      return audio.some(({ address }) => address !== null) ? true : undefined
    }, WAIT_MS)
    await visitor.signIn('ada', `/calls/${call}`)
    await page.getByText('after it booked a visit').waitFor()
    await page.getByText('Nothing is left open.').waitFor()
    await page.getByRole('button', { name: /My boiler leaks\./ }).click()
    await page.waitForURL(/[?&]at=7(?:&|$)/)
    // The browser notes itself which part was played, whenever it is asked.
    const began = await eventually(
      () =>
        page.evaluate(() => {
          const played = document.querySelector('audio')?.played
          return played === undefined || played.length === 0 ? undefined : String(played.start(0))
        }),
      WAIT_MS,
    )
    expect(Math.abs(Number(began) - 7)).toBeLessThanOrEqual(0.3)
    await page.keyboard.press('p')
    await page.getByRole('button', { name: 'Play' }).waitFor()
    const cursor = Number(await page.locator('[data-at]').getAttribute('data-at'))
    expect(cursor).toBeGreaterThanOrEqual(7_000)
    await page.keyboard.press('.')
    const tool = page.getByRole('listitem').filter({ hasText: 'helpdesk_create_ticket' }).first()
    await tool.getByText('Leaking boiler', { exact: false }).first().waitFor()
    await tool.getByText(/\d+ ms of 20 s/).waitFor()
    expect(await visitor.barriers()).toEqual([])
    expect(visitor.faults).toEqual([])
    await visitor.close()
  })

  it('fits a narrow window, a part at a time', async ({ skip }) => {
    skip(NO_BROWSER !== undefined, NO_BROWSER)
    const visitor = await Visitor.open(browser, world.app.url, { width: 375, colorScheme: 'dark' })
    const { page } = visitor
    await visitor.signIn('ada', `/calls/${await callFrom(HELPED)}`)
    await page.getByRole('button', { name: 'Transcript' }).click()
    await page.getByText('My boiler leaks.').waitFor()
    expect(await page.getByRole('listitem').filter({ hasText: 'helpdesk_create_ticket' }).isVisible()).toBe(false)
    await page.getByRole('button', { name: 'About' }).click()
    await page.getByRole('link', { name: /^#\d+ Leaking boiler/ }).waitFor()
    expect(await visitor.isTooWide()).toBe(false)
    expect(await visitor.barriers()).toEqual([])
    expect(visitor.faults).toEqual([])
    await visitor.close()
  })
})
