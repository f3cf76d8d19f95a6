// Files that the page makes or saves: each is really downloaded, and has a name, an ending and a type that fit, times in the zone
// that it names, and nothing that a spreadsheet would calculate or a browser would obey.
import { readFileSync } from 'node:fs'
import { Readable } from 'node:stream'
import type { Browser, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { sql } from '../../src/database/drizzle.ts'
import { MediaStore } from '../../src/platform/media/media-store.ts'
import { openBrowser, whyNoBrowser } from '../support/browser.ts'
import { insertRow } from '../support/rows.ts'
import { eventually, TestApp } from '../support/test-app.ts'
import { BROWSER_MS, firstAdministrator, pageIsBuilt, Visitor } from './visitor.ts'

const NO_BROWSER = whyNoBrowser()
const MARKUP = '<img src=x onerror=alert(1)>'
/** In winter Zurich is an hour ahead of UTC. */
const [STARTED, IN_ZURICH] = ['2026-01-15 11:00:00', '2026-01-15 12:00:00']
const HOSTILE = ['=1+1', '+cmd', '-cmd', '@sum(a1)', 'a;=1+1', 'a\t+cmd', 'a|@sum', 'say "hi"', 'one, two']
const CELLS = [
  ...["'=1+1", "'+cmd", "'-cmd", "'@sum(a1)", `"a;'=1+1"`, `"a\t'+cmd"`, `"a|'@sum"`, '"say ""hi"""', '"one, two"'],
]

let app: TestApp
let browser: Browser
let [zoe, call] = [0, 0]

beforeAll(async () => {
  app = await TestApp.start({ env: { PAGE: 'on' } })
  await firstAdministrator(app, 'ada')
  // Some of them were stored before names were refused that have control characters.
  for (const name of HOSTILE) await insertRow(app.db, 'res_partner', { name, email: 'x@list.example', active: true })
  zoe = await app.admin.ask('res.partner', 'create', {
    vals_list: { name: `Zoe/Miller: ${MARKUP}`, mobile: '+41313808316' },
  })
  call = await insertRow(app.db, 'connect_call', {
    ...{ caller: '+41313808316', called: '+15550100110', direction: 'incoming', status: 'completed', partner: zoe },
    ...{ duration: 23, started_at: STARTED },
  })
  const sent = await app.request('/api/attachment?name=offer.pdf', {
    method: 'POST',
    headers: { authorization: `bearer ${app.admin.key}`, 'content-type': 'application/octet-stream' },
    body: Buffer.from('%PDF-1.4\n%%EOF\n'),
  })
  const { id: file } = sent.body as { id: number }
  await app.admin.ask('res.partner', 'message_post', { ids: [zoe], body: `Called ${MARKUP}`, attachment_ids: [file] })
  const sound = await new MediaStore(app.config.mediaDir).store(Readable.from([Buffer.from('a sound')]), 'mp3')
  await insertRow(app.db, 'connect_recording', {
    ...{
      sid: 'REsaved',
      call,
      partner: zoe,
      media_ref: sound,
      media_type: 'audio/mpeg',
      duration: 23,
      start_time: STARTED,
    },
    status: 'completed',
  })
  await pageIsBuilt(app)
  if (NO_BROWSER === undefined) browser = await openBrowser()
}, BROWSER_MS)
afterAll(async () => {
  await browser?.close()
  await app.stop()
})

interface Saved {
  name: string
  text: string
}

/** What is saved by a press. */
async function savedBy(page: Page, pressed: Locator): Promise<Saved> {
  const [file] = await Promise.all([page.waitForEvent('download'), pressed.click()])
  return { name: file.suggestedFilename(), text: readFileSync(await file.path(), 'utf8') }
}

/** The types of the files that a page makes by itself, as it makes them. */
async function typesOf(page: Page): Promise<string[]> {
  return page.evaluate(() => (window as unknown as { types: string[] }).types)
}

async function noteTypes(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const types: string[] = []
    Object.assign(window, { types })
    const make = URL.createObjectURL.bind(URL)
    URL.createObjectURL = (blob: Blob) => {
      types.push(blob.type)
      return make(blob)
    }
  })
}

it(
  'a list is saved under its name, with its labels, in the zone that it names, and a spreadsheet calculates no cell of it',
  async ({ skip }) => {
    skip(NO_BROWSER !== undefined, NO_BROWSER)
    const visitor = await Visitor.open(browser, app.url)
    const { page } = visitor
    await noteTypes(page)
    await visitor.signIn('ada', '/records')
    await visitor.go('/records/res.partner')
    await page.locator('[data-row="8"]').waitFor()
    const contacts = await savedBy(page, page.getByRole('button', { name: 'Export', exact: true }))
    expect(contacts.name).toBe('Contact.csv')
    expect(contacts.text).toMatch(/^\uFEFFContact,/)
    for (const cell of CELLS) expect(contacts.text).toContain(`\r\n${cell},`)
    await visitor.go('/calls')
    await page.locator('[data-row="0"]').waitFor()
    const calls = await savedBy(page, page.getByRole('button', { name: 'Export', exact: true }))
    expect(calls.name).toBe('Calls.csv')
    expect(calls.text).toMatch(/^\uFEFFStarted \(Europe\/Zurich\),Direction,Who,/)
    expect(calls.text).toContain(`\r\n${IN_ZURICH},Incoming,`)
    expect(await typesOf(page)).toEqual(['text/csv;charset=utf-8'])
    expect(visitor.faults).toEqual([])
    await visitor.close()
  },
  BROWSER_MS,
)

it(
  'what is stored of a person is saved as a page under their name, which obeys nothing and names the zone of its times',
  async ({ skip }) => {
    skip(NO_BROWSER !== undefined, NO_BROWSER)
    const visitor = await Visitor.open(browser, app.url)
    const { page } = visitor
    await noteTypes(page)
    await visitor.signIn('ada', '/records')
    await visitor.go(`/contacts/${zoe}`)
    const { name, text } = await savedBy(page, page.getByRole('button', { name: 'Export all' }))
    expect(name).toBe('Zoe Miller img src=x onerror=alert(1).html')
    expect(await typesOf(page)).toEqual(['text/html;charset=utf-8'])
    expect(text).toMatch(/^<!doctype html>\n<html/)
    expect(text).not.toContain('<img')
    const shown = await (await page.context().newPage()).evaluate((html) => {
      const { body } = new DOMParser().parseFromString(html, 'text/html')
      return [...body.querySelectorAll('p, li')].map(({ textContent }) => textContent ?? '')
    }, text)
    expect(shown[0]).toBe('Times are in Europe/Zurich.')
    expect(shown).toContain(`Started: ${IN_ZURICH}`)
    expect(shown.filter((line) => line.includes(STARTED.slice(0, 13)))).toEqual([])
    expect(shown.filter((line) => /<\/?\w+>|&lt;|[{[]"/.test(line))).toEqual([])
    expect(shown).toContain('Name: offer.pdf')
    expect(text).not.toContain('"contact":')
    // For programs there is a file of its own.
    const data = await savedBy(page, page.getByRole('button', { name: 'Export for programs' }))
    expect(data.name).toBe('Zoe Miller img src=x onerror=alert(1).json')
    expect(JSON.parse(data.text)).toMatchObject({ contact: [{ id: zoe }], files: [{ name: 'offer.pdf' }] })
    expect(visitor.faults).toEqual([])
    await visitor.close()
  },
  BROWSER_MS,
)

it(
  'each link that saves a recording gives its sound, under a name with the ending of its type',
  async ({ skip }) => {
    skip(NO_BROWSER !== undefined, NO_BROWSER)
    const visitor = await Visitor.open(browser, app.url)
    const { page } = visitor
    await visitor.signIn('ada', '/records')
    await visitor.go(`/calls/${call}`)
    const links = page.locator('main a[download]')
    await eventually(async () => (await links.count()) === 2)
    for (const link of await links.all()) {
      const { name, text } = await savedBy(page, link)
      expect(name).toMatch(/^recording-\d+\.mp3$/)
      expect(text).toBe('a sound')
    }
    const [row] = await app.db.query<{ count: number }>(sql`select count(*)::int as count from connect_recording`)
    expect(row?.count).toBe(1)
    expect(visitor.faults).toEqual([])
    await visitor.close()
  },
  BROWSER_MS,
)

it(
  'a form says the zone of its times, and stores them by it',
  async ({ skip }) => {
    skip(NO_BROWSER !== undefined, NO_BROWSER)
    const visitor = await Visitor.open(browser, app.url)
    const { page } = visitor
    await visitor.signIn('ada', '/records/calendar.event/new')
    await page.locator('[data-field="name"] input').fill('In winter')
    await page.getByLabel('Start (Europe/Zurich)').fill(IN_ZURICH.slice(0, -3))
    await page.getByLabel('End (Europe/Zurich)').fill('2026-01-15 12:30')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.waitForURL(/\/records\/calendar\.event\/\d+$/)
    const [row] = await app.admin.ask<{ start: string }[]>('calendar.event', 'search_read', {
      domain: [['name', '=', 'In winter']],
      fields: ['start'],
    })
    expect(row?.start).toBe(STARTED)
    await page.getByRole('heading', { name: 'In winter' }).waitFor()
    expect(await page.getByLabel('Start (Europe/Zurich)').inputValue()).toBe(IN_ZURICH.slice(0, -3))
    expect(visitor.faults).toEqual([])
    await visitor.close()
  },
  BROWSER_MS,
)
