// What is new is shown by itself: three tabs over one stream, a person who may not read everything, a shared filter, and a
// service that is away for a while.
import { readFileSync } from 'node:fs'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { agentHelpdesk } from '../../emulators/scenarios/agent-helpdesk.ts'
import { runScenario } from '../../emulators/scenarios/scenario.ts'
import { sql } from '../../src/database/drizzle.ts'
import { startWorld, type TestWorld } from '../emulators/scenario-world.ts'
import { openBrowser, whyNoBrowser } from '../support/browser.ts'
import type { Caller } from '../support/test-app.ts'
import { Line } from './line.ts'
import { BROWSER_MS, firstAdministrator, PASSWORD, pageIsBuilt, Visitor } from './visitor.ts'

const NO_BROWSER = whyNoBrowser()
const CALLER = '+14155550177'
const OURS = '+14155550110'

let world: TestWorld
let browser: Browser
let line: Line
let eve: Caller

beforeAll(async () => {
  world = await startWorld({}, { PAGE: 'on' })
  await firstAdministrator(world.app, 'ada')
  eve = await world.app.person(['base.group_user', 'connect.group_user'], { login: 'eve', name: 'Eve' })
  await world.app.admin.ask('res.users', 'write', { ids: [eve.userId], vals: { password: PASSWORD } })
  await pageIsBuilt(world.app)
  line = await Line.to(world.app.url)
  if (NO_BROWSER === undefined) browser = await openBrowser()
}, BROWSER_MS)
afterAll(async () => {
  await browser?.close()
  await line?.cut()
  await world.stop()
})

interface Made {
  status?: string
  caller?: string
  ago?: number
  answeredBy?: number | undefined
}

/** A call that somebody wrote down; it is incoming. */
async function makeCall({ status = 'no-answer', caller = CALLER, ago, answeredBy }: Made = {}): Promise<number> {
  const id = await world.app.admin.ask<number>('connect.call', 'create', {
    vals_list: { caller, called: OURS, direction: 'incoming', status },
  })
  if (ago !== undefined) {
    await world.app.db.query(
      sql`update connect_call set create_date = create_date - ${`${ago} days`}::interval where id = ${id}`,
    )
  }
  if (answeredBy !== undefined) {
    await world.app.db.query(sql`update connect_call set answered_user = ${answeredBy} where id = ${id}`)
  }
  return id
}

/** Something about the call changes, as its providers would report it. */
async function change(id: number, status?: string): Promise<void> {
  if (status !== undefined) await world.app.db.query(sql`update connect_call set status = ${status} where id = ${id}`)
  await world.app.admin.ask('connect.call', 'write', { ids: [id], vals: { summary: `Changed ${Date.now()}` } })
}

const rows = (page: Page) => page.locator('[role="row"][data-row]')
const marked = (page: Page) => page.evaluate(() => 'isSamePage' in window)
/** The lines of the file that a button saves. */
async function savedBy(page: Page, name: string): Promise<string[]> {
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name, exact: true }).click(),
  ])
  return readFileSync(await file.path(), 'utf8')
    .trimEnd()
    .split('\r\n')
}
async function mark(page: Page): Promise<void> {
  await page.evaluate(() => Object.assign(window, { isSamePage: true }))
}

describe('in a browser', { timeout: BROWSER_MS }, () => {
  it('three tabs show what is new by themselves, over one stream', async ({ skip }) => {
    skip(NO_BROWSER !== undefined, NO_BROWSER)
    const visitor = await Visitor.open(browser, world.app.url)
    const now = visitor.page
    const streams: string[] = []
    now.context().on('request', (request) => {
      if (new URL(request.url()).pathname === '/api/live') streams.push(request.url())
    })
    const first = await makeCall()
    await visitor.signIn('ada')
    await now.getByRole('status').filter({ hasText: 'live' }).waitFor()
    const [calls, board] = [await now.context().newPage(), await now.context().newPage()]
    await calls.goto(`${world.app.url}/calls`)
    await board.goto(`${world.app.url}/tickets`)
    await rows(calls).first().waitFor()
    await board.getByRole('region', { name: 'Inbox' }).waitFor()
    for (const page of [now, calls, board]) await mark(page)
    const live = await makeCall({ status: 'in-progress' })
    await now.getByRole('heading', { name: '1 on the line' }).waitFor()
    expect([...(await visitor.barriers())]).toEqual([])
    await change(live, 'no-answer')
    await now.getByRole('heading', { name: 'No one is on the line.' }).waitFor()
    const { complaints } = await runScenario(agentHelpdesk, world)
    expect(complaints).toEqual([])
    await board.getByRole('region', { name: 'Inbox' }).getByText('Leaking boiler').waitFor()
    await calls.getByRole('button', { name: /new$/ }).click()
    await calls.getByRole('row', { name: /With Helpdesk/ }).waitFor()
    expect(await Promise.all([now, calls, board].map(marked))).toEqual([true, true, true])
    expect(streams).toHaveLength(1)
    expect(first).toBeGreaterThan(0)
    expect(visitor.faults).toEqual([])
    await visitor.close()
  })

  it('a stream that says nothing any more is not live, though nobody has ended it', async ({ skip }) => {
    skip(NO_BROWSER !== undefined, NO_BROWSER)
    const visitor = await Visitor.open(browser, line.url)
    const { page } = visitor
    await page.clock.install()
    await visitor.signIn('ada')
    const sign = (text: RegExp) => page.getByRole('status').filter({ hasText: text }).waitFor()
    await sign(/● live/)
    line.silence(true)
    await page.clock.fastForward('00:25')
    await sign(/● live/)
    await page.clock.fastForward('00:10')
    await sign(/reconnecting · last update \d\d:\d\d:\d\d/)
    line.silence(false)
    await page.clock.fastForward('00:35')
    await sign(/● live/)
    expect(visitor.faults).toEqual([])
    await visitor.close()
  })

  it('the page says that it reconnects, and comes back by itself with what happened meanwhile', async ({ skip }) => {
    skip(NO_BROWSER !== undefined, NO_BROWSER)
    const visitor = await Visitor.open(browser, line.url)
    const { page } = visitor
    await visitor.signIn('ada')
    await page.getByRole('status').filter({ hasText: 'live' }).waitFor()
    await page.getByRole('heading', { name: 'No one is on the line.' }).waitFor()
    await mark(page)
    await line.cut()
    await page
      .getByRole('status')
      .filter({ hasText: /reconnecting · last update \d\d:\d\d:\d\d/ })
      .waitFor()
    const live = await makeCall({ status: 'ringing' })
    await line.mend()
    await page.getByRole('heading', { name: '1 on the line' }).waitFor()
    await page.getByRole('status').filter({ hasText: 'live' }).waitFor()
    expect(await marked(page)).toBe(true)
    await change(live, 'no-answer')
    await page.getByRole('heading', { name: 'No one is on the line.' }).waitFor()
    expect(visitor.faults).toEqual([])
    await visitor.close()
  })

  it('anyone who waits to be called back is done with by a button', async ({ skip }) => {
    skip(NO_BROWSER !== undefined, NO_BROWSER)
    await makeCall({ caller: '+14155550178' })
    const visitor = await Visitor.open(browser, world.app.url, { width: 375, height: 700 })
    const { page } = visitor
    await visitor.signIn('ada')
    await page.getByRole('button', { name: /^Done: .*555.0178$/ }).click()
    await page.getByRole('button', { name: /^Done: .*555.0178$/ }).waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByRole('button', { name: /^Done: .*555.0178$/ }).waitFor()
    expect(await visitor.isTooWide()).toBe(false)
    await page.getByRole('button', { name: /^Done: .*555.0178$/ }).click()
    await page.getByRole('button', { name: /^Done: .*555.0178$/ }).waitFor({ state: 'detached' })
    await visitor.go('/calls')
    await rows(page).first().waitFor()
    expect(await visitor.isTooWide()).toBe(false)
    // The list and its page say who is done with it, and there it is taken back.
    const row = rows(page).filter({ hasText: /555.0178/ })
    expect(await row.getByText('Done', { exact: true }).getAttribute('title')).toMatch(/^Done by Ada Keller, \d/)
    await row.click()
    await page.getByRole('heading', { name: /555.0178/ }).waitFor()
    await page.getByText(/^Done by Ada Keller, \d/).waitFor()
    expect(await page.getByText(/^Call .* back\./).count()).toBe(0)
    await page.getByRole('button', { name: 'Not done', exact: true }).click()
    await page.getByText('Waiting for a call back again').waitFor()
    await page.getByText(/^Call .* back\./).waitFor()
    await page.getByText(/^Done by/).waitFor({ state: 'detached' })
    await visitor.go('/calls')
    await rows(page).first().waitFor()
    expect([...(await visitor.barriers()), ...visitor.faults]).toEqual([])
    await visitor.close()
  })

  it('a person sees their calls; another is not there for them, by its address, its timeline, its audio or the stream', async ({
    skip,
  }) => {
    skip(NO_BROWSER !== undefined, NO_BROWSER)
    const own = [await makeCall({ answeredBy: eve.userId }), await makeCall({ answeredBy: eve.userId })]
    const other = await makeCall()
    const nowhere = other + 1_000_000
    const visitor = await Visitor.open(browser, world.app.url)
    const { page } = visitor
    await visitor.signIn('eve', '/calls')
    await rows(page).first().waitFor()
    expect(await rows(page).count()).toBe(2)
    await visitor.go(`/calls/${other}`)
    await page.getByText('Not found, or not shared with you.').waitFor()
    const answers = (id: number) =>
      page.evaluate(async (call) => {
        const timeline = await fetch('/json/2/connect.call/timeline', {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ ids: [call] }),
        })
        const audio = await fetch(`/connect/voicemail/${call}`)
        return [
          timeline.status,
          (await timeline.text()).replaceAll(String(call), 'N'),
          audio.status,
          await audio.text(),
        ]
      }, id)
    expect(await answers(other)).toEqual(await answers(nowhere))
    const heard = page.evaluate(
      (wanted) =>
        new Promise<number[]>((resolve) => {
          const named: number[] = []
          const source = new EventSource('/api/live')
          source.addEventListener('records', ({ data }) => {
            const { changes } = JSON.parse(data) as { changes: { model: string; ids: number[] | null }[] }
            named.push(...changes.filter(({ model }) => model === 'connect.call').flatMap(({ ids }) => ids ?? []))
            if (!wanted.every((id) => named.includes(id))) return
            source.close()
            resolve(named)
          })
        }),
      own,
    )
    let isHeard = false
    const done = heard.then((ids) => {
      isHeard = true
      return ids
    })
    while (!isHeard) for (const id of [other, ...own]) await change(id)
    expect((await done).filter((id) => !own.includes(id))).toEqual([])
    expect(visitor.faults).toEqual([])
    await visitor.close()
  })

  it('a filter is an address: anyone who opens it sees the same, and a view of it can be shared', async ({ skip }) => {
    skip(NO_BROWSER !== undefined, NO_BROWSER)
    const caller = '+14155550179'
    const fits: number[] = []
    for (const status of ['no-answer', 'no-answer'])
      fits.push(await makeCall({ caller, status, answeredBy: eve.userId }))
    await makeCall({ caller, ago: 3, answeredBy: eve.userId })
    await makeCall({ caller, status: 'completed', answeredBy: eve.userId })
    const one = await Visitor.open(browser, world.app.url)
    await one.signIn('eve', '/calls')
    await rows(one.page).first().waitFor()
    await one.page.keyboard.press('f')
    await one.page.getByRole('dialog', { name: 'Filter' }).waitFor()
    await one.page.keyboard.press('Escape')
    await one.go(`${new URL(one.page.url()).pathname}?outcome=missed&day=today`)
    await one.page.getByRole('button', { name: 'Filter', exact: true }).click()
    await one.page.getByRole('textbox', { name: 'Number', exact: true }).fill(caller)
    await one.page.waitForURL(/number=/)
    await one.page.keyboard.press('Escape')
    const shown = async (page: Page) => {
      await page.waitForFunction(
        (count) => document.querySelectorAll('[role="row"][data-row]').length === count,
        fits.length,
      )
      // Numbers are grouped a moment after the page is there.
      return (await rows(page).allInnerTexts()).map((text) => text.replaceAll(/\s/g, ''))
    }
    const seen = await shown(one.page)
    const address = new URL(one.page.url())
    const other = await Visitor.open(browser, world.app.url)
    await other.signIn('ada')
    await other.go(address.pathname + address.search)
    expect(await shown(other.page)).toEqual(seen)
    await other.page.getByRole('button', { name: 'Filtered' }).click()
    await other.page.getByRole('menuitem', { name: 'Save as view …' }).click()
    await other.page.getByLabel('View name').fill('Missed by Maya')
    await other.page.getByLabel('View name').press('Enter')
    await other.page.getByRole('button', { name: 'Missed by Maya' }).click()
    await other.page.getByRole('menuitem', { name: 'Share with everyone' }).click()
    await one.go('/calls')
    await one.page.getByRole('button', { name: 'All calls' }).click()
    await one.page.getByRole('menuitem', { name: 'Missed by Maya' }).click()
    expect(await shown(one.page)).toEqual(seen)
    expect([...one.faults, ...other.faults]).toEqual([])
    await one.close()
    await other.close()
  })

  it('rows are chosen by keys, exported as far as one may read them, and settled after they were counted', async ({
    skip,
  }) => {
    skip(NO_BROWSER !== undefined, NO_BROWSER)
    const caller = '+14155550181'
    const nora = await world.app.admin.ask<number>('res.partner', 'create', { vals_list: { name: 'Nora Number' } })
    for (let made = 0; made < 4; made += 1) {
      const id = await makeCall({ caller, answeredBy: made === 0 ? eve.userId : undefined })
      await world.app.admin.ask('connect.call', 'write', { ids: [id], vals: { partner: nora } })
    }
    const visitor = await Visitor.open(browser, world.app.url)
    const { page } = visitor
    await visitor.signIn('ada')
    await visitor.go(`/calls?number=${encodeURIComponent(caller)}`)
    await page.locator('[data-row="3"]').waitFor()
    const selected = page.getByRole('row', { selected: true })
    await rows(page).first().focus()
    await page.keyboard.press('x')
    await page.getByText('1 selected', { exact: true }).waitFor()
    await page.keyboard.press('ArrowDown')
    await page.waitForFunction(() => document.activeElement?.getAttribute('data-row') === '1')
    await page.keyboard.press('ArrowDown')
    await page.waitForFunction(() => document.activeElement?.getAttribute('data-row') === '2')
    await page.keyboard.press('Shift+X')
    await page.getByText('3 selected', { exact: true }).waitFor()
    expect(await selected.count()).toBe(3)
    expect(await visitor.barriers()).toEqual([])
    const [heads, ...lines] = await savedBy(page, 'Export 3 selected')
    expect(heads?.replace('\uFEFF', '')).toMatch(/^Started \(Europe\/Zurich\),/)
    expect(lines).toHaveLength(3)
    const zurich = new Date().toLocaleDateString('en-CA', { timeZone: 'Europe/Zurich' })
    for (const line of lines) {
      expect([line.startsWith(`${zurich} `), line.includes(`,Incoming,Nora Number ${caller},`)]).toEqual([true, true])
    }
    await page.getByRole('button', { name: 'Select all 4' }).click()
    await page.getByText('4 selected', { exact: true }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Mark as called back' }).click()
    await page.getByRole('heading', { name: 'Mark 4 calls as called back?' }).waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Mark as called back' }).click()
    await page.getByText('4 calls marked as called back').waitFor()
    await page.getByText('4 selected', { exact: true }).waitFor({ state: 'detached' })
    expect(visitor.faults).toEqual([])
    await visitor.close()
    const own = await Visitor.open(browser, world.app.url, { width: 375, height: 700, colorScheme: 'dark' })
    await own.signIn('eve')
    await own.go(`/calls?number=${encodeURIComponent(caller)}`)
    await rows(own.page).first().waitFor()
    // One card for each: who and how long, then what came of it.
    expect(await rows(own.page).getByRole('gridcell').count()).toBe(1)
    expect(await own.isTooWide()).toBe(false)
    const [labels, only, ...others] = await savedBy(own.page, 'Export')
    expect(labels?.replace('\uFEFF', '')).toBe('Started (Europe/Zurich),Direction,Who,Outcome,Timeline,Length,Ticket')
    expect([only?.includes(`Incoming,Nora Number ${caller},`), others]).toEqual([true, []])
    expect([...(await own.barriers()), ...own.faults]).toEqual([])
    await own.close()
  })

  it('a finger that stays chooses a row, and then taps choose and leave out', async ({ skip }) => {
    skip(NO_BROWSER !== undefined, NO_BROWSER)
    const caller = '+14155550182'
    for (let made = 0; made < 3; made += 1) await makeCall({ caller })
    const visitor = await Visitor.open(browser, world.app.url, { width: 375, height: 700, hasTouch: true })
    const { page } = visitor
    const list = `/calls?number=${encodeURIComponent(caller)}`
    await visitor.signIn('ada')
    await visitor.go(list)
    await page.locator('[data-row="2"]').waitFor()
    const row = await page.locator('[data-row="1"]').boundingBox()
    if (row === null) throw new Error('the row is not drawn')
    const finger = await page.context().newCDPSession(page)
    const touchPoints = [{ x: row.x + row.width / 2, y: row.y + row.height / 2 }]
    await finger.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints })
    await page.getByText('1 selected', { exact: true }).waitFor()
    await finger.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
    await page.locator('[data-row="2"]').tap()
    await page.getByText('2 selected', { exact: true }).waitFor()
    await page.locator('[data-row="1"]').tap()
    await page.getByText('1 selected', { exact: true }).waitFor()
    await page.locator('[data-row="2"]').tap()
    await page.getByRole('row', { selected: true }).first().waitFor({ state: 'detached' })
    expect(new URL(page.url()).pathname).toBe('/calls')
    await page.locator('[data-row="0"]').tap()
    await page.waitForURL(/\/calls\/\d+$/)
    expect(visitor.faults).toEqual([])
    await visitor.close()
  })
})
