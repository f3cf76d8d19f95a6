// An hour at the helpdesk and on the phone: what two people do on one ticket, and what is found of it.
import { readFileSync } from 'node:fs'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { SCENARIOS } from '../../emulators/scenarios/catalogue.ts'
import { runScenario } from '../../emulators/scenarios/scenario.ts'
import { startWorld, type TestWorld } from '../emulators/scenario-world.ts'
import { openBrowser, whyNoBrowser } from '../support/browser.ts'
import { eventually } from '../support/test-app.ts'
import { BROWSER_MS, firstAdministrator, PASSWORD, pageIsBuilt, Visitor } from './visitor.ts'

const NO_BROWSER = whyNoBrowser()
const STORY_MS = 2 * BROWSER_MS
/** Pixels of the head of a page that is one line. */
const HEAD_LINE_MAX = 60

let world: TestWorld
let browser: Browser

beforeAll(async () => {
  world = await startWorld({}, { PAGE: 'on' })
  await firstAdministrator(world.app, 'ada')
  for (const wanted of ['agent-helpdesk', 'whatsapp']) {
    const scenario = SCENARIOS.find(({ name }) => name === wanted)
    if (scenario === undefined) throw new Error(`there is no scenario ${wanted}`)
    expect((await runScenario(scenario, world)).complaints).toEqual([])
  }
  await personIn('hugo', 'Hugo Hofer', ['base.group_user', 'helpdesk.group_user'])
  await personIn('hanna', 'Hanna Huber', ['base.group_user', 'helpdesk.group_user'])
  await personIn('mona', 'Mona Berg', ['base.group_user', 'helpdesk.group_manager'])
  await personIn('eve', 'Eve Blank', ['base.group_user', 'connect.group_user'])
  await pageIsBuilt(world.app)
  if (NO_BROWSER === undefined) browser = await openBrowser()
}, BROWSER_MS)
afterAll(async () => {
  await browser?.close()
  await world.stop()
})

async function personIn(login: string, name: string, groups: string[]): Promise<void> {
  const group_ids = await world.app.groupIds(groups)
  await world.app.admin.ask('res.users', 'create', { vals_list: { login, name, password: PASSWORD, group_ids } })
}

async function ticketOf(values: object): Promise<number> {
  return world.app.admin.ask<number>('helpdesk.ticket', 'create', { vals_list: values })
}

/** The words of a ticket, as the service has them. */
async function wordsOf(id: number): Promise<object | undefined> {
  const fields = ['name', 'description']
  const [row] = await world.app.admin.ask<Record<string, string>[]>('helpdesk.ticket', 'read', { ids: [id], fields })
  return { name: row?.name, description: row?.description }
}

const shownIn = (page: Page, label: string) => page.getByRole('combobox', { name: label }).inputValue()

describe('in a browser', { timeout: STORY_MS }, () => {
  it('a ticket shows to both who has it as soon as one takes it, and the toast says so', async ({ skip }) => {
    skip(NO_BROWSER !== undefined, NO_BROWSER)
    const [first] = await world.app.admin.ask<number[]>('res.users', 'search', { domain: [['login', '=', 'hanna']] })
    const id = await ticketOf({ name: 'Router is dead', user_id: first })
    const [hugo, hanna] = [await Visitor.open(browser, world.app.url), await Visitor.open(browser, world.app.url)]
    await hugo.signIn('hugo', `/tickets/${id}`)
    await hanna.signIn('hanna', `/tickets/${id}`)
    for (const { page } of [hugo, hanna]) {
      await eventually(async () => (await shownIn(page, 'Assigned to')) === 'Hanna Huber' || undefined)
    }
    await hugo.page.getByRole('button', { name: 'Assign to me' }).click()
    await hugo.page.getByText('Assigned to Hugo Hofer', { exact: true }).waitFor()
    for (const { page } of [hugo, hanna]) {
      await eventually(async () => (await shownIn(page, 'Assigned to')) === 'Hugo Hofer' || undefined)
    }
    await hugo.page.getByRole('button', { name: 'Undo' }).click()
    for (const { page } of [hugo, hanna]) {
      await eventually(async () => (await shownIn(page, 'Assigned to')) === 'Hanna Huber' || undefined)
    }
    expect([...hugo.faults, ...hanna.faults]).toEqual([])
    await hugo.close()
    await hanna.close()
  })

  it('one writes the subject and the other the description of one ticket, and neither is lost', async ({ skip }) => {
    skip(NO_BROWSER !== undefined, NO_BROWSER)
    const id = await ticketOf({ name: 'Door', description: 'It is stuck.' })
    const [hugo, hanna] = [await Visitor.open(browser, world.app.url), await Visitor.open(browser, world.app.url)]
    await hugo.signIn('hugo', `/tickets/${id}`)
    await hanna.signIn('hanna', `/tickets/${id}`)
    for (const { page } of [hugo, hanna]) {
      await page.getByRole('button', { name: 'Edit subject and description' }).click()
    }
    await hugo.page.getByRole('textbox', { name: 'Subject' }).fill('Front door')
    await hanna.page.getByRole('textbox', { name: 'Description' }).fill('It is stuck since Monday.')
    await hanna.page.getByRole('button', { name: 'Save' }).click()
    await hanna.page.getByText('Description saved', { exact: true }).waitFor()
    // What Hugo has not typed over is what is there now.
    const description = hugo.page.getByRole('textbox', { name: 'Description' })
    await eventually(async () => (await description.inputValue()) === 'It is stuck since Monday.' || undefined)
    await hugo.page.getByRole('button', { name: 'Save' }).click()
    await hugo.page.getByText('Subject saved. Hanna Huber changed other fields in the meantime.').waitFor()
    expect(await wordsOf(id)).toEqual({ name: 'Front door', description: 'It is stuck since Monday.' })

    await hanna.page.getByRole('heading', { name: /Front door/ }).waitFor()
    for (const { page } of [hugo, hanna]) {
      await page.getByRole('button', { name: 'Edit subject and description' }).click()
    }
    await hugo.page.getByRole('textbox', { name: 'Subject' }).fill('Back door')
    await hanna.page.getByRole('textbox', { name: 'Subject' }).fill('Side door')
    await hanna.page.getByRole('button', { name: 'Save' }).click()
    await hugo.page.getByRole('heading', { name: /Side door/ }).waitFor()
    await hugo.page.getByRole('button', { name: 'Save' }).click()
    await hugo.page.getByText(/^Hanna Huber also changed Subject/).waitFor()
    expect(await wordsOf(id)).toMatchObject({ name: 'Side door' })
    expect([...hugo.faults, ...hanna.faults]).toEqual([])
    await hugo.close()
    await hanna.close()
  })

  it('a closed ticket is found by a word, from the search of every page too, and its stage opens for it', async ({
    skip,
  }) => {
    skip(NO_BROWSER !== undefined, NO_BROWSER)
    const [closed] = await world.app.admin.ask<number[]>('helpdesk.stage', 'search', {
      domain: [['fold', '=', true]],
      order: 'sequence desc',
      limit: 1,
    })
    const description = 'The xylophone is out of tune.'
    await ticketOf({ name: 'Long ago', description, stage_id: closed })
    await ticketOf({ name: 'Just now', description })
    const visitor = await Visitor.open(browser, world.app.url, { width: 1440, height: 900 })
    const { page } = visitor
    await visitor.signIn('hugo', '/tickets')
    await page.getByRole('article').first().waitFor()
    await page.keyboard.press('/')
    const search = page.getByRole('dialog')
    await search.getByRole('textbox').fill('xylophone')
    await search.getByRole('button', { name: /Tickets with “xylophone”/ }).waitFor()
    // Nobody reads that nothing was found where tickets were not looked into yet.
    expect(await search.getByText('No results.').count()).toBe(0)
    await search.getByRole('button', { name: /Tickets with “xylophone”/ }).click()
    await page.waitForURL(/text=xylophone/)
    for (const name of ['Long ago', 'Just now']) {
      await page.getByRole('article').getByRole('link', { name }).waitFor()
    }
    // What somebody of the helpdesk alone works with, and nothing that sets the service up.
    expect(await page.getByRole('link', { name: 'Data', exact: true }).count()).toBe(0)
    const [made] = await world.app.admin.ask<number[]>('helpdesk.ticket', 'search', {
      domain: [['name', '=', 'Leaking boiler']],
    })
    await visitor.visit(`/tickets/${made}`)
    await page.getByText('Created by Helpdesk (call)').waitFor()
    expect([...(await visitor.barriers()), ...visitor.faults]).toEqual([])
    await visitor.close()
  })

  it('the head keeps its sign on the first line, and a telephone has what one works with in its bar', async ({
    skip,
  }) => {
    skip(NO_BROWSER !== undefined, NO_BROWSER)
    const visitor = await Visitor.open(browser, world.app.url, { width: 1024, height: 768 })
    const { page } = visitor
    await visitor.signIn('hugo', '/tickets')
    await page.getByRole('article').first().waitFor()
    const title = await page.getByRole('heading', { level: 1 }).boundingBox()
    const sign = await page.locator('header').getByRole('status').first().boundingBox()
    const middleOf = (box: typeof title) => (box === null ? Number.NaN : box.y + box.height / 2)
    expect(Math.abs(middleOf(title) - middleOf(sign))).toBeLessThan(4)
    expect(await visitor.misdrawn()).toEqual([])
    await page.setViewportSize({ width: 375, height: 812 })
    const bar = page.getByRole('navigation', { name: 'Pages' })
    await bar.getByRole('link', { name: 'Contacts' }).waitFor()
    expect(await visitor.misdrawn()).toEqual([])
    await visitor.close()
  })

  it.each([
    ['en', 'New team', 'Calls'],
    ['de', 'Neues Team', 'Anrufe'],
  ] as const)(
    'the head of the tickets of a manager is one line, and no calls are a dash (%s)',
    async (language, newTeam, calls) => {
      if (NO_BROWSER !== undefined) return
      const id = await ticketOf({ name: 'No call was about this' })
      const visitor = await Visitor.open(browser, world.app.url, { language })
      const { page } = visitor
      await visitor.signIn('mona', '/tickets')
      await visitor.go('/tickets?mine=true&team=1')
      const head = page.locator('header').filter({ has: page.getByRole('button', { name: newTeam }) })
      await head.getByRole('combobox', { name: 'Team' }).waitFor()
      expect((await head.boundingBox())?.height).toBeLessThan(HEAD_LINE_MAX)
      const misdrawn = await visitor.misdrawn()
      await visitor.go(`/records/helpdesk.ticket/${id}`)
      await page.locator('[data-field="connect_calls"]').getByText('–', { exact: true }).waitFor()
      expect(await page.locator('[data-field="connect_calls"]').innerText()).toMatch(new RegExp(`^${calls}\\s+–$`))
      expect([...misdrawn, ...visitor.faults]).toEqual([])
      await visitor.close()
    },
  )

  it('tickets and contacts are selected by x in their lists, as ? says, and a file has those', async ({ skip }) => {
    skip(NO_BROWSER !== undefined, NO_BROWSER)
    const id = await ticketOf({ name: 'Selected by a key' })
    const visitor = await Visitor.open(browser, world.app.url)
    const { page } = visitor
    await visitor.signIn('hugo', '/tickets')
    for (const address of ['/tickets?as=list', '/contacts']) {
      await visitor.go(address)
      await page.getByRole('grid').getByRole('row').nth(1).waitFor()
      await page.keyboard.press('?')
      await page.getByRole('dialog').getByText('Select', { exact: true }).waitFor()
      await page.keyboard.press('Escape')
      await page.getByRole('dialog').waitFor({ state: 'detached' })
      await page.keyboard.press('x')
      await page.getByText('1 selected', { exact: true }).waitFor()
      await page.keyboard.press('ArrowDown')
      await page.locator('[data-row="1"]:focus').waitFor()
      await page.keyboard.press('x')
      await page.getByText('2 selected', { exact: true }).waitFor()
      expect(await visitor.barriers()).toEqual([])
    }
    await visitor.go('/tickets?as=list')
    await page.getByRole('row', { name: /Selected by a key/ }).waitFor()
    await page.keyboard.press('x')
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Export 1 selected' }).click(),
    ])
    expect(file.suggestedFilename()).toBe('Tickets.csv')
    const [, line] = readFileSync(await file.path(), 'utf8').split('\r\n')
    expect(line).toMatch(new RegExp(`^${id},Selected by a key,Inbox,`))
    expect(visitor.faults).toEqual([])
    await visitor.close()
    // The board has no rows to select, and saves what it shows.
    for (const width of [1280, 375]) {
      const other = await Visitor.open(browser, world.app.url, { width })
      await other.signIn('hugo', '/tickets')
      await other.page.locator('[data-ticket]').first().waitFor()
      const [saved] = await Promise.all([
        other.page.waitForEvent('download'),
        other.page.getByRole('button', { name: 'Export', exact: true }).click(),
      ])
      expect(readFileSync(await saved.path(), 'utf8')).toContain(`\r\n${id},Selected by a key,Inbox,`)
      expect([await other.isTooWide(), await other.barriers(), other.faults]).toEqual([false, [], []])
      await other.close()
    }
  })

  it('a conversation in the list says hours and minutes, and a file what it is and not its media type', async ({
    skip,
  }) => {
    skip(NO_BROWSER !== undefined, NO_BROWSER)
    const visitor = await Visitor.open(browser, world.app.url)
    const { page } = visitor
    await visitor.signIn('eve', '/messages')
    const list = page.getByRole('navigation', { name: 'Conversations' })
    await list.getByRole('link').first().waitFor()
    const times = await list.locator('time').allInnerTexts()
    expect(times.filter((time) => !/\d\d:\d\d$/.test(time))).toEqual([])
    await list.getByRole('link', { name: /Xenia/ }).first().click()
    await page.getByText('Look at this').last().waitFor()
    expect(await page.getByRole('main').innerText()).not.toMatch(/image\/|application\//)
    expect(visitor.faults).toEqual([])
    await visitor.close()
  })
})
