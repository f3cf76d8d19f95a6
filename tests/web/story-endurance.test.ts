// A long list is walked with a held key, and the service is killed, stays away, and is started again on the same port and data.
import net from 'node:net'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Database } from '../../src/database/database.ts'
import { sql } from '../../src/database/drizzle.ts'
import { openEmbedded } from '../../src/database/embedded/embedded.ts'
import { openServer } from '../../src/database/server/server.ts'
import { openBrowser, whyNoBrowser } from '../support/browser.ts'
import { Place, ServiceProcess } from '../support/service-process.ts'
import { eventually } from '../support/test-app.ts'
import { BROWSER_MS, PASSWORD, Visitor } from './visitor.ts'

const NO_BROWSER = whyNoBrowser()
const POOL = 3
const OURS = '+14155550110'
/** More than two pages of rows are loaded on the way. */
const WALKED = 200
const CALLS = 260
const AWAY_MS = 10_000
const STORY_MS = 2 * BROWSER_MS
/** Below those that systems hand out by themselves, so that nobody takes the port while the service is away. */
const PORTS = { from: 20_000, count: 10_000 }

let place: Place
let port: number
let service: ServiceProcess
let browser: Browser

beforeAll(async () => {
  place = await Place.prepared()
  await inDatabase((db) =>
    db.query(
      sql`insert into connect_call (caller, called, direction, status)
          select '+1415556' || lpad(n::text, 4, '0'), ${OURS}, 'incoming', 'completed' from generate_series(1, ${CALLS}::int) n`,
    ),
  )
  port = await freePort()
  service = await start()
  await createAdministrator()
  await eventually(async () => {
    const { status } = await fetch(`${service.url}/sign-in`, { headers: { accept: 'text/html' } })
    return status === 200 ? true : undefined
  }, BROWSER_MS)
  if (NO_BROWSER === undefined) browser = await openBrowser()
}, BROWSER_MS)
afterAll(async () => {
  await browser?.close()
  await service?.stop()
  await place.remove()
})

/** While the service does not run, any process may open the embedded database. */
async function inDatabase(work: (db: Database) => Promise<unknown>): Promise<void> {
  const { dataDir, databaseUrl } = place
  const db = databaseUrl === undefined ? await openEmbedded(dataDir) : await openServer(databaseUrl, POOL)
  await work(db).finally(() => db.close())
}

async function freePort(): Promise<number> {
  const wanted = PORTS.from + Math.floor(Math.random() * PORTS.count)
  const server = net.createServer()
  const isFree = await new Promise<boolean>((resolve) => {
    server.once('error', () => resolve(false))
    server.listen(wanted, () => resolve(true))
  })
  if (!isFree) return freePort()
  await new Promise((resolve) => server.close(resolve))
  return wanted
}

function start(): Promise<ServiceProcess> {
  return ServiceProcess.start({ ...place.env, PAGE: 'on', PORT: String(port), LOG_LEVEL: 'fatal' })
}

async function createAdministrator(): Promise<void> {
  const [, token] = /\/setup#token=([\w-]+)/.exec(service.out) ?? []
  const answer = await fetch(`${service.url}/api/setup`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ token, name: 'Ada Keller', login: 'ada', password: PASSWORD }),
  })
  if (!answer.ok) throw new Error(await answer.text())
}

/** One more time the key says that it is still held; the next row is loaded by then, however slow the machine is. */
async function walkTo(page: Page, row: number): Promise<void> {
  const isLoaded = (rows: number) =>
    Number(document.querySelector('[role="grid"]')?.getAttribute('aria-rowcount')) >= rows
  // Rows are counted from 0, and the head is one of them.
  await page.waitForFunction(isLoaded, row + 2)
  await page.keyboard.down('ArrowDown')
  await page.waitForFunction((at) => document.activeElement?.getAttribute('data-row') === String(at), row)
}

describe('in a browser', { timeout: STORY_MS }, () => {
  it('a held arrow walks through two hundred calls, which are loaded on the way, and what was chosen stays chosen', async ({
    skip,
  }) => {
    skip(NO_BROWSER !== undefined, NO_BROWSER)
    const visitor = await Visitor.open(browser, service.url)
    const { page } = visitor
    await visitor.signIn('ada', '/calls')
    await page.locator('[data-row="0"]').focus()
    await page.keyboard.press('x')
    await page.getByText('1 selected', { exact: true }).waitFor()
    for (let row = 1; row <= WALKED; row += 1) await walkTo(page, row)
    await page.keyboard.up('ArrowDown')
    await page.getByText('1 selected', { exact: true }).waitFor()
    await page.keyboard.press('Shift+X')
    await page.getByText(`${WALKED + 1} selected`, { exact: true }).waitFor()
    expect(await page.locator('[data-row="0"]').count()).toBe(0)
    await page.keyboard.press('Home')
    await page.waitForFunction(() => document.activeElement?.getAttribute('data-row') === '0')
    expect(await page.locator('[data-row="0"]').getAttribute('aria-selected')).toBe('true')
    await page.keyboard.press('Space')
    await page.getByRole('complementary', { name: 'Preview' }).getByText('+1 415').waitFor()
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/calls\/\d+$/)
    expect(visitor.faults).toEqual([])
    await visitor.close()
  })

  it('the service is killed and comes back ten seconds later: the page says so, and shows what happened meanwhile', async ({
    skip,
  }) => {
    skip(NO_BROWSER !== undefined, NO_BROWSER)
    const visitor = await Visitor.open(browser, service.url)
    const { page } = visitor
    const sign = page.getByRole('status')
    await visitor.signIn('ada')
    await sign.filter({ hasText: 'live' }).waitFor()
    await page.getByRole('heading', { name: 'No one is on the line.' }).waitFor()
    await page.evaluate(() => Object.assign(window, { isSamePage: true }))
    const address = service.url
    await service.stop('SIGKILL')
    const goneAt = performance.now()
    await sign.filter({ hasText: /reconnecting · last update \d\d:\d\d:\d\d/ }).waitFor()
    await inDatabase((db) =>
      db.query(
        sql`insert into connect_call (caller, called, direction, status)
            values ('+14155560998', ${OURS}, 'incoming', 'in-progress')`,
      ),
    )
    await eventually(async () => performance.now() - goneAt >= AWAY_MS || undefined, 2 * AWAY_MS)
    expect(await page.getByRole('heading', { name: 'No one is on the line.' }).count()).toBe(1)
    service = await start()
    expect(service.url).toBe(address)
    await page.getByRole('heading', { name: '1 on the line' }).waitFor()
    await sign.filter({ hasText: 'live' }).waitFor()
    expect(await page.evaluate(() => 'isSamePage' in window)).toBe(true)
    // It hears again what is new.
    await service.call(place.localKey, 'connect.call', 'create', {
      vals_list: { caller: '+14155560999', called: OURS, direction: 'incoming', status: 'ringing' },
    })
    await page.getByRole('heading', { name: '2 on the line' }).waitFor()
    expect(visitor.faults).toEqual([])
    await visitor.close()
  })
})
