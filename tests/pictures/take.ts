// `npm run pictures`: every page at every width, in both themes and in every state, as PNG in `pictures/`.
//
//   npm run pictures -- --chosen
//   npm run pictures -- [--only now,calls] [--state full,empty] [--width 375] [--theme dark] [--language de] [--out pictures]
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import type { Browser, Page } from 'playwright-core'
import { openBrowser } from '../support/browser.ts'
import { isChosen, takeChosen } from './chosen.ts'
import { type Demo, PASSWORD, readIds, startDemo } from './demo.ts'
import { placesOf, STATES, type State, THEMES, WIDTHS } from './places.ts'

const HEIGHTS: Readonly<Record<number, number>> = { 1280: 800, 375: 812 }
const SETTLED_MS = 15_000
/** So long a page tries again by itself before it says that it could not load. */
const REFUSED_MS = 12_000
const UNAVAILABLE = {
  name: 'unavailable',
  message: 'The database is unavailable at the moment; try again.',
  context: {},
}

const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    state: { type: 'string' },
    width: { type: 'string' },
    theme: { type: 'string' },
    language: { type: 'string', default: 'en' },
    out: { type: 'string', default: 'pictures' },
    chosen: { type: 'boolean', default: false },
  },
})
const isWanted = (list: string | undefined, each: string | number) =>
  list === undefined || list.split(',').includes(String(each))

const folder = mkdtempSync(path.join(os.tmpdir(), 'connect-pictures-'))
const demo = await startDemo(folder)
const browser = await openBrowser({ isWhole: true })
let taken = 0
const faults: string[] = []
try {
  mkdirSync(values.out, { recursive: true })
  for (const state of ['empty', 'no-right'] as const) await takeState(browser, state, {})
  if (STATES.some((state) => (state === 'full' || state === 'error') && isWanted(values.state, state))) {
    await demo.play()
    const ids = await readIds(demo)
    for (const state of ['full', 'error'] as const) await takeState(browser, state, ids)
  }
} finally {
  await browser.close()
  await demo.stop()
  rmSync(folder, { recursive: true, force: true, maxRetries: 10 })
}
process.stdout.write([`${taken} pictures in ${values.out}`, ...faults, ''].join('\n'))
process.exit(faults.length === 0 ? 0 : 1)

async function takeState(from: Browser, state: State, ids: Readonly<Record<string, string>>): Promise<void> {
  if (!isWanted(values.state, state) || (values.chosen && state !== 'full')) return
  for (const width of WIDTHS.filter((each) => isWanted(values.width, each))) {
    for (const theme of THEMES.filter((each) => isWanted(values.theme, each))) {
      const context = await from.newContext({
        viewport: { width, height: HEIGHTS[width] ?? 800 },
        colorScheme: theme,
        locale: values.language === 'de' ? 'de-CH' : 'en-GB',
        timezoneId: 'Europe/Zurich',
        reducedMotion: 'reduce',
      })
      const page = await context.newPage()
      page.on('pageerror', ({ message }) => faults.push(`${state} ${width} ${theme}: ${message}`))
      await takePlaces(page, demo, { state, ids, suffix: `${width}-${theme}-${state}` })
      await context.close()
    }
  }
}

interface Look {
  state: State
  ids: Readonly<Record<string, string>>
  suffix: string
}

async function takePlaces(page: Page, { url }: Demo, { state, ids, suffix }: Look): Promise<void> {
  const take = async (name: string, address: string): Promise<void> => {
    if (values.chosen && !isChosen(name, suffix)) return
    await page.goto(url + address, { waitUntil: 'domcontentloaded' })
    await settle(page)
    if (state === 'error') await refusalIsShown(page)
    const isTooWide = await page.evaluate(() => {
      const main = document.querySelector('main') ?? document.body
      return main.scrollWidth > main.clientWidth + 1 || document.body.scrollWidth > window.innerWidth + 1
    })
    if (isTooWide) faults.push(`${name} ${suffix} is wider than its window`)
    if (values.chosen) await takeChosen(page, name, suffix)
    else await page.screenshot({ path: path.join(values.out, `${name}-${suffix}.png`) })
    taken += 1
  }
  for (const { name, address, isPublic } of placesOf(state, ids)) {
    if (isPublic === true && isWanted(values.only, name)) await take(name, address)
  }
  await signIn(page, url, state === 'no-right' ? 'nora' : 'ada')
  if (state === 'error') {
    await page.route('**/json/2/**', (route) => route.fulfill({ status: 503, json: UNAVAILABLE }))
  }
  const conversation = state === 'full' ? await firstConversation(page, url) : undefined
  const known = conversation === undefined ? ids : { ...ids, conversation }
  for (const { name, address, isPublic } of placesOf(state, known)) {
    if (isPublic !== true && isWanted(values.only, name)) await take(name, address)
  }
}

async function signIn(page: Page, url: string, login: string): Promise<void> {
  await page.goto(`${url}/sign-in`)
  await page.locator('input').first().fill(login)
  await page.locator('input[type=password]').fill(PASSWORD)
  await page.keyboard.press('Enter')
  await page.waitForURL((at) => at.pathname !== '/sign-in')
}

/** The address of the newest conversation, as its list links it. */
async function firstConversation(page: Page, url: string): Promise<string | undefined> {
  if (!isWanted(values.only, 'conversation')) return undefined
  await page.goto(`${url}/messages`)
  await settle(page)
  const link = page.locator('main a[href^="/messages/"]').first()
  return (await link.count()) === 0 ? undefined : ((await link.getAttribute('href')) ?? undefined)
}

/** Pages that ask for nothing are never refused. */
async function refusalIsShown(page: Page): Promise<void> {
  const again = page.getByRole('button', { name: /Try again|Erneut versuchen/ }).first()
  await again.waitFor({ timeout: REFUSED_MS }).catch(() => undefined)
}

/** Numbers stand ungrouped until the library that knows their groups is there. */
async function numbersAreGrouped(page: Page): Promise<void> {
  const isGrouped = () => performance.getEntriesByType('resource').some(({ name }) => /\/assets\/min-/.test(name))
  await page.waitForFunction(isGrouped, undefined, { timeout: SETTLED_MS }).catch(() => undefined)
  await page.waitForLoadState('networkidle', { timeout: SETTLED_MS })
}

/** Waits until everything that was asked for is there, and the letters are the page's own. */
async function settle(page: Page): Promise<void> {
  await page.locator('main, form').first().waitFor()
  await page.waitForLoadState('networkidle', { timeout: SETTLED_MS })
  await page.evaluate(() => document.fonts.ready.then(() => undefined))
  await numbersAreGrouped(page)
}
