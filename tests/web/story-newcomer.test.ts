// Somebody who has read nothing opens the last line of the demo, and finds their way by what the page says alone.
import path from 'node:path'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openBrowser, whyNoBrowser } from '../support/browser.ts'
import { CommandProcess } from '../support/command.ts'
import { Place } from '../support/service-process.ts'
import { BROWSER_MS, Visitor } from './visitor.ts'

const NO_BROWSER = whyNoBrowser()
const PLAYED = ['agent-helpdesk', 'agent-unreachable', 'whatsapp']
const DEMO_MS = 3 * BROWSER_MS

let place: Place
let demo: CommandProcess
let browser: Browser

beforeAll(async () => {
  place = await Place.empty()
  if (NO_BROWSER !== undefined) return
  const folder = path.join(place.dataDir, 'demo')
  const onDatabase = place.databaseUrl === undefined ? [] : ['--postgres']
  demo = new CommandProcess(['demo', ...PLAYED, '--folder', folder, ...onDatabase], { ...place.env, PORT: '0' })
  await demo.printed(/Ctrl-C/)
  browser = await openBrowser()
}, DEMO_MS)
afterAll(async () => {
  await browser?.close()
  demo?.child.kill('SIGINT')
  await demo?.ended()
  await place.remove()
})

describe('the demo', { timeout: 2 * DEMO_MS }, () => {
  it('says why an agent was not reached, mends it, and plays the call that shows it; a ticket moves, a message is answered, a caller is found', async ({
    skip,
  }) => {
    skip(NO_BROWSER !== undefined, NO_BROWSER)
    const [, link = ''] = /Look at it: +(\S+)/.exec(await demo.printed(/Ctrl-C/)) ?? []
    const { origin, pathname, hash } = new URL(link)
    const visitor = await Visitor.open(browser, origin)
    const { page } = visitor
    page.setDefaultTimeout(BROWSER_MS)
    const pages = page.getByRole('navigation', { name: 'Pages' })
    const barriers: string[] = []
    await visitor.go(pathname + hash)
    await page.getByText('My boiler leaks.').first().waitFor()
    await page.getByRole('region', { name: 'Player' }).getByRole('button', { name: 'Play' }).waitFor()

    await pages.getByRole('link', { name: 'Calls' }).click()
    await page.getByText('Agent not reached').first().click()
    const why = page.getByRole('region', { name: 'What happened' })
    await why.getByText(/The voice agent Night desk could not be reached/).waitFor()
    await why.getByRole('link', { name: /^Sync voice agents/ }).click()
    const mending = page.getByRole('region', { name: 'The call you came from' })
    await mending.getByText(/for the voice agents below to fix it/).waitFor()
    await page.getByRole('region', { name: 'Voice agents' }).getByRole('button', { name: 'Sync now' }).click()
    await mending.getByText('Fixed:').waitFor()
    await mending.getByRole('link', { name: 'Back to the call' }).click()
    await why.getByText('so this should work now').waitFor()
    barriers.push(...(await visitor.barriers()))
    await why.getByRole('button', { name: 'Try a call' }).click()
    await page.getByText('With Night desk').waitFor()

    await pages.getByRole('link', { name: 'Tickets' }).click()
    const stage = (name: string) => page.getByRole('region', { name: new RegExp(`^${name}`) })
    await stage('Inbox').getByText('Leaking boiler').waitFor()
    await page.getByRole('button', { name: 'Move #1', exact: true }).click()
    await page.getByRole('menuitem', { name: 'In Progress' }).click()
    await stage('In Progress').getByText('Leaking boiler').waitFor()

    await pages.getByRole('link', { name: /^Messages/ }).click()
    await page.getByRole('link', { name: /Xenia Lopez/ }).click()
    await page.getByLabel('Write a message').fill('The van is on its way.')
    await page.getByRole('button', { name: 'Send', exact: true }).click()
    const said = page.getByRole('list', { name: 'Messages' })
    await said.getByText('The van is on its way.').waitFor()

    for (const written of [
      '415.555 02 10',
      '(415) 5550210',
      '555 0210',
      '0210',
      '+1 (0) 415/5550210',
      'Tel. 415 5550210',
    ]) {
      await pages.getByRole('button', { name: 'Search' }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByPlaceholder('Name, number, ticket, call').fill(written)
      await dialog
        .getByRole('button', { name: /Zoe Miller/ })
        .first()
        .waitFor()
      await page.keyboard.press('Escape')
      await page.getByRole('dialog').waitFor({ state: 'hidden' })
    }
    barriers.push(...(await visitor.barriers()))
    expect([...barriers, ...visitor.faults]).toEqual([])
    await visitor.close()
  })
})
