// What a record is made of is entered on its form: hours of a week with a holiday, choices of a menu, and what rings of somebody.
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openBrowser, whyNoBrowser } from '../support/browser.ts'
import { type Caller, eventually, TestApp } from '../support/test-app.ts'
import { BROWSER_MS, firstAdministrator, PASSWORD, pageIsBuilt, Visitor } from './visitor.ts'

const NO_BROWSER = whyNoBrowser()
const HOURS = 'connect.telco.business_hours'
const OPENING = 'connect.telco.opening'
const FLOW = 'connect.telco.callflow'
const PHONE_USER = 'connect.user'
const TEMPLATES = 'connect.message_content_template'
/** Clicks from the freshly opened page that a week of hours, and a menu with voicemail, may take. */
const WEEK_CLICKS_MAX = 12
const MENU_CLICKS_MAX = 15

let app: TestApp
let browser: Browser
let eve: Caller
let phone: number

const create = (model: string, vals: object) => app.admin.ask<number>(model, 'create', { vals_list: vals })
const rowsOf = (model: string, domain: unknown[], fields: string[]) =>
  app.admin.ask<Record<string, unknown>[]>(model, 'search_read', { domain, fields })

beforeAll(async () => {
  app = await TestApp.start({ env: { PAGE: 'on' } })
  await firstAdministrator(app, 'ada')
  await app.admin.ask('connect.settings', 'write', { ids: [1], vals: { tz: 'Europe/Zurich' } })
  eve = await app.person(['connect.group_user'], { login: 'eve', name: 'Eve' })
  await app.admin.ask('res.users', 'write', { ids: [eve.userId], vals: { password: PASSWORD } })
  for (const number of ['701', '702']) await create('connect.telco.exten', { number })
  const domain = await create('connect.telco.domain', { friendly_name: 'Office', subdomain: 'office' })
  phone = await create(PHONE_USER, { user: eve.userId, username: 'eve', domain, client_enabled: true })
  const [second] = await app.admin.ask<number[]>('connect.telco.exten', 'search', { domain: [['number', '=', '702']] })
  await app.admin.ask('connect.telco.exten', 'write', { ids: [second], vals: { dst: `${PHONE_USER},${phone}` } })
  await pageIsBuilt(app)
  if (NO_BROWSER === undefined) browser = await openBrowser()
}, BROWSER_MS)
afterAll(async () => {
  await browser?.close()
  await app.stop()
})

/** Counts the clicks of a pointer; what keys press is none. */
async function countClicks(page: Page): Promise<() => Promise<number>> {
  await page.addInitScript(() => {
    const counted = window as unknown as { clicks: number }
    counted.clicks = 0
    window.addEventListener(
      'pointerdown',
      () => {
        counted.clicks += 1
      },
      true,
    )
  })
  return () => page.evaluate(() => (window as unknown as { clicks: number }).clicks)
}

const save = (page: Page) => page.getByRole('button', { name: 'Save', exact: true })
/** What was pressed is done: until then a second press does nothing, and the form counts as changed. */
const settled = (page: Page) => page.locator('main form button[data-loading]').waitFor({ state: 'detached' })
const part = (page: Page, name: RegExp | string) => page.getByRole('row', { name })

async function daysOf(hours: number): Promise<string[]> {
  const rows = await rowsOf(OPENING, [['business_hours', '=', hours]], ['dayofweek', 'hour_from', 'hour_to'])
  return rows.map(({ dayofweek, hour_from: from, hour_to: to }) => `${dayofweek} ${from} ${to}`)
}

const daysAre = (hours: number, wanted: string[]) =>
  eventually(async () => (JSON.stringify(await daysOf(hours)) === JSON.stringify(wanted) ? true : undefined))

describe('parts of a record on its form', { timeout: BROWSER_MS }, () => {
  it('hours of a week with a holiday are entered in one go, changed, refused at their row, and put back', async ({
    skip,
  }) => {
    skip(NO_BROWSER !== undefined, NO_BROWSER)
    const visitor = await Visitor.open(browser, app.url)
    const { page } = visitor
    await visitor.signIn('ada', '/now')
    const clicks = await countClicks(page)
    await visitor.go(`/records/${HOURS}/new`)
    await page.locator('[data-field="name"] input').click()
    await page.keyboard.type('Office')
    // The zone of the company is there, and is saved without a touch.
    await page.waitForFunction(
      () => document.querySelector<HTMLInputElement>('[data-field=tz] input')?.value === 'Europe/Zurich',
    )
    await page.getByRole('button', { name: 'Add: Opening hours' }).click()
    // The first empty field has the focus: the day is there.
    await page.locator('[aria-label="From"]:focus').waitFor()
    await page.keyboard.type('8:30')
    await page.keyboard.press('Tab')
    await page.keyboard.type('17:00')
    await page.getByRole('button', { name: /^Copy to Monday–Friday/ }).click()
    await page.getByRole('button', { name: 'Add: Holidays' }).click()
    await page.locator('[aria-label="Name"]:focus').waitFor()
    await page.keyboard.type('Christmas')
    await page.getByLabel('First day').fill('2026-12-25')
    expect(await visitor.barriers()).toEqual([])
    await save(page).click()
    await page.waitForURL(/business_hours\/\d+$/)
    expect(await clicks()).toBeLessThanOrEqual(WEEK_CLICKS_MAX)
    const hours = Number(page.url().split('/').at(-1))
    const week = ['0', '1', '2', '3', '4'].map((day) => `${day} 8.5 17`)
    expect(await daysOf(hours)).toEqual(week)
    const holidays = await rowsOf('connect.telco.holiday', [['business_hours', '=', hours]], ['name', 'date_from'])
    expect(holidays).toEqual([expect.objectContaining({ name: 'Christmas', date_from: '2026-12-25' })])

    // A refusal stands at its row and field, and writes nothing.
    const friday = part(page, /^Friday/)
    await friday.getByLabel('To', { exact: true }).fill('7:00')
    await page.getByRole('button', { name: /^Remove: Thursday/ }).click()
    await save(page).click()
    await page.getByRole('row').locator('[aria-invalid="true"]').waitFor()
    expect(await friday.locator('[aria-invalid="true"]').count()).toBe(1)
    expect(await daysOf(hours)).toEqual(week)
    await friday.getByLabel('To', { exact: true }).fill('16:00')
    await save(page).click()
    await daysAre(hours, [...week.slice(0, 3), '4 8.5 16'])
    await page.getByRole('button', { name: 'Undo' }).click()
    await daysAre(hours, week)

    // Somebody else was faster, also where they changed only a part.
    await part(page, /^Thursday/).waitFor()
    await part(page, /^Monday/)
      .getByLabel('To', { exact: true })
      .fill('18:00')
    await app.admin.ask(OPENING, 'create', {
      vals_list: { business_hours: hours, dayofweek: '5', hour_from: 9, hour_to: 12 },
    })
    await save(page).click()
    const theirs = page.getByRole('radio', { name: /Saturday · 09:00 · 12:00/ })
    await theirs.check()
    await page.getByRole('button', { name: 'Save this choice' }).click()
    await part(page, /^Saturday/).waitFor()
    expect(await daysOf(hours)).toEqual([...week, '5 9 12'])

    // What is typed is asked about, and stays as a draft.
    await page.getByRole('button', { name: /^Remove: Saturday/ }).click()
    await page.getByRole('link', { name: 'Now' }).first().click()
    await page.getByRole('dialog').getByRole('button', { name: 'Stay' }).click()
    await page.getByRole('button', { name: 'Discard' }).click()
    await part(page, /^Saturday/).waitFor()

    const narrow = await Visitor.open(browser, app.url, { width: 375, language: 'de' })
    await narrow.signIn('ada', '/now')
    await narrow.go(`/records/${HOURS}/${hours}`)
    await narrow.page.getByRole('button', { name: /^Auf Montag–Freitag kopieren: Montag/ }).waitFor()
    expect([await narrow.barriers(), await narrow.isTooWide()]).toEqual([[], false])
    expect([...visitor.faults, ...narrow.faults]).toEqual([])

    // Anyone who may not write sees the same as text.
    const reader = await Visitor.open(browser, app.url)
    await reader.signIn('eve', '/now')
    await reader.go(`/records/${HOURS}/${hours}`)
    await part(reader.page, /^Monday/)
      .getByText('08:30')
      .waitFor()
    expect(await reader.page.locator('main form').getByRole('button').count()).toBe(0)
    expect(await reader.page.locator('main form input').count()).toBe(0)
    expect(reader.faults).toEqual([])
    for (const each of [visitor, narrow, reader]) await each.close()
  })

  it('before hours are saved, the form says when callers of each number hear what, and they are tried', async ({
    skip,
  }) => {
    skip(NO_BROWSER !== undefined, NO_BROWSER)
    const openings = [0, 4].map((day) => [0, 0, { dayofweek: String(day), hour_from: 8.5, hour_to: 18 }])
    const hours = await create(HOURS, { name: 'Shop', tz: 'Europe/Zurich', opening_ids: openings })
    const visitor = await Visitor.open(browser, app.url)
    const { page } = visitor
    await visitor.signIn('ada', '/now')
    await visitor.go(`/records/${HOURS}/new`)
    await page.getByText('No number uses these hours yet. Once they are saved,').waitFor()
    await visitor.go(`/records/${HOURS}/${hours}`)
    await page.getByText('No number uses these hours yet. Choose them').waitFor()
    const number = await create('connect.telco.number', {
      ...{ phone_number: '+41445550133', destination: 'user', user: phone, business_hours: hours },
      closed_message: 'Please call on Monday.',
    })
    await page.reload()
    await page.locator('[data-field="name"] input').fill('Store')
    await save(page).and(page.locator(':enabled')).waitFor()
    expect(await page.getByText('This changes when').count()).toBe(0)
    await page.getByRole('button', { name: /^Remove: Friday · 08:30/ }).click()
    await page.getByText('Friday: closed (was 08:30–18:00).').waitFor()
    await page.getByRole('button', { name: 'Add: Holidays' }).click()
    await page.locator('[aria-label="Name"]:focus').waitFor()
    await page.keyboard.type('Christmas')
    await page.getByLabel('First day').fill('2026-12-25')
    await page.getByText(/^Christmas, (?:December 25,|25 December) 2026: closed all day\.$/).waitFor()
    await page.getByText('When open, callers reach Eve. When closed, callers hear: “Please call on Monday.”').waitFor()
    const [second] = await rowsOf('connect.telco.exten', [['number', '=', '702']], ['number'])
    const whenClosed = (vals: object) => app.admin.ask('connect.telco.number', 'write', { ids: [number], vals })
    await whenClosed({ closed_exten: second?.id })
    await page.getByText('When closed, callers reach 702 · Eve.').waitFor()
    await whenClosed({ closed_exten: null })
    await page.getByText('When closed, callers hear: “Please call on Monday.”').waitFor()
    const link = page.locator('main form').getByRole('link', { name: '+41 44 555 01 33' })
    expect(await link.getAttribute('href')).toBe(`/records/connect.telco.number/${number}`)
    expect(await visitor.barriers()).toEqual([])
    await page.getByRole('button', { name: 'Discard' }).click()
    // What is typed is tried on the number.
    await page.getByRole('button', { name: /^Remove: Friday/ }).click()
    await page.locator('header').getByRole('button', { name: /▾/ }).click()
    await page.getByRole('menuitem', { name: 'Try a call' }).click()
    await page.getByText('Your unsaved changes are tried too.').waitFor()
    await page.getByRole('dialog').getByLabel('At', { exact: true }).fill('friday 10:00')
    await page.getByRole('button', { name: 'Try', exact: true }).click()
    await page.getByRole('cell', { name: 'Please call on Monday.' }).waitFor()
    await page.getByRole('button', { name: 'Close' }).click()
    // Open at all hours is asked about, and nothing is saved by Cancel.
    await page.getByRole('button', { name: /^Remove: Monday/ }).click()
    await page.getByText('Shop will be open at all hours, every day except holidays.').waitFor()
    expect(await page.getByText('When closed, callers hear').count()).toBe(0)
    await save(page).click()
    await page.getByRole('dialog').getByText('Open Shop at all hours?').waitFor()
    expect(await visitor.barriers()).toEqual([])
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
    expect(await daysOf(hours)).toEqual(['0 8.5 18', '4 8.5 18'])
    await save(page).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Save, open at all hours' }).click()
    await daysAre(hours, [])
    expect(visitor.faults).toEqual([])
    await visitor.close()
  })

  it('a menu with two choices and voicemail is made in one go, and says whom callers no longer reach', async ({
    skip,
  }) => {
    skip(NO_BROWSER !== undefined, NO_BROWSER)
    const visitor = await Visitor.open(browser, app.url)
    const { page } = visitor
    await visitor.signIn('ada', '/now')
    const clicks = await countClicks(page)
    await visitor.go(`/records/${FLOW}/new`)
    await page.locator('[data-field="name"] input').click()
    await page.keyboard.type('Menu')
    // A short number is found by itself, and by who answers it.
    for (const [digits, typed, number] of [
      ['1', '701', '701'],
      ['2', 'eve', '702 · Eve'],
    ] as const) {
      await page.getByRole('button', { name: 'Add: Choices' }).click()
      await page.locator('[aria-label="Keys"]:focus').waitFor()
      await page.keyboard.type(digits)
      await page.keyboard.press('Tab')
      await page.keyboard.type(typed)
      await page.getByRole('option', { name: new RegExp(`^${number}`) }).click()
    }
    await page.getByRole('switch', { name: 'Voicemail' }).click()
    await save(page).click()
    await page.waitForURL(/callflow\/\d+$/)
    expect(await clicks()).toBeLessThanOrEqual(MENU_CLICKS_MAX)
    const flow = Number(page.url().split('/').at(-1))
    const choices = async () => {
      const rows = await rowsOf('connect.telco.callflow_choice', [['callflow', '=', flow]], ['choice_digits', 'exten'])
      return rows.map(({ choice_digits: digits, exten }) => `${digits} ${(exten as [number, string])[1]}`)
    }
    expect(await choices()).toEqual([expect.stringMatching(/^1 701/), expect.stringMatching(/^2 702/)])
    const [made] = await rowsOf(FLOW, [['id', '=', flow]], ['voicemail_enabled', 'voicemail_prompt'])
    expect(made).toMatchObject({ voicemail_enabled: true, voicemail_prompt: expect.stringMatching(/\w/) })

    const menu = page.locator('fieldset', { has: page.getByText('Choices', { exact: true }) })
    const shown = () =>
      menu.getByLabel('Keys').evaluateAll((keys) => keys.map((key) => (key as HTMLInputElement).value))
    await page.getByRole('button', { name: /^Move up: 2/ }).click()
    expect(await shown()).toEqual(['2', '1'])
    await save(page).click()
    await eventually(async () => ((await choices())[0]?.startsWith('2 ') ? true : undefined))
    await settled(page)
    await page.reload()
    await page.getByRole('button', { name: /^Move down: 2/ }).waitFor()
    expect(await shown()).toEqual(['2', '1'])

    await page.getByRole('button', { name: /^Remove: 2/ }).click()
    await page.getByText(/^2 will no longer reach 702 · Eve\.$/).waitFor()
    await save(page).click()
    await eventually(async () => ((await choices()).length === 1 ? true : undefined))
    expect(await visitor.barriers()).toEqual([])
    expect(visitor.faults).toEqual([])
    await visitor.close()
  })

  it('ring steps are added, moved and removed on the phone user, and only read by whom they ring', async ({ skip }) => {
    skip(NO_BROWSER !== undefined, NO_BROWSER)
    const visitor = await Visitor.open(browser, app.url)
    const { page } = visitor
    await visitor.signIn('ada', '/now')
    await visitor.go(`/records/${PHONE_USER}/${phone}`)
    await page.getByRole('button', { name: 'Add SIP phone' }).click()
    await page.getByRole('button', { name: 'Add Voicemail' }).click()
    await part(page, 'SIP phone').getByLabel('SIP phone rings for (seconds)').fill('20')
    // The page has no web phone, so it draws no switch of one.
    expect(await page.locator('main form').getByText('Web phone').count()).toBe(0)
    expect(await visitor.barriers()).toEqual([])
    await save(page).click()
    const steps = () => rowsOf('connect.telco.user_callflow', [['user', '=', phone]], ['callflow_type'])
    const stepsAre = async (wanted: string[]) => {
      await eventually(async () =>
        (await steps()).map(({ callflow_type: type }) => type).join() === wanted.join() ? true : undefined,
      )
      await settled(page)
    }
    await stepsAre(['client', 'sip', 'voicemail'])
    await page.getByRole('button', { name: 'Remove: SIP phone' }).click()
    await save(page).click()
    await stepsAre(['client', 'voicemail'])
    await page.getByRole('button', { name: 'Add SIP phone' }).click()
    await save(page).click()
    // What is added rings after what is there.
    await stepsAre(['client', 'sip', 'voicemail'])
    await page.getByRole('button', { name: 'Add Mobile' }).click()
    const number = part(page, 'Mobile').getByLabel('Mobile number')
    await number.fill('+41 900 123 456')
    await save(page).click()
    await page.getByText('is blocked for calls and messages').first().waitFor()
    await number.fill('+41 79 123 45 67')
    await save(page).click()
    await stepsAre(['client', 'sip', 'mobile', 'voicemail'])
    expect(await visitor.barriers()).toEqual([])
    expect(visitor.faults).toEqual([])
    await visitor.close()

    const own = await Visitor.open(browser, app.url, { width: 375 })
    await own.signIn('eve', '/now')
    await own.go(`/records/${PHONE_USER}/${phone}`)
    await own.page.locator('main form table').getByText('SIP phone').waitFor()
    await own.page.locator('main form table').getByText('+41791234567').waitFor()
    expect(await own.page.locator('main form').getByRole('button').count()).toBe(0)
    expect([await own.barriers(), await own.isTooWide()]).toEqual([[], false])
    // What they do not see they may not do either.
    expect((await eve.call(PHONE_USER, 'write', { ids: [phone], vals: { sip_enabled: false } })).status).toBe(403)
    expect(own.faults).toEqual([])
    await own.close()
  })

  it('buttons of a WhatsApp template are rows: added, ordered and removed, without JSON and addresses of programs', async ({
    skip,
  }) => {
    skip(NO_BROWSER !== undefined, NO_BROWSER)
    const [language] = await app.admin.ask<number[]>('res.lang', 'search', { limit: 1 })
    const actions = [
      { type: 'URL', title: 'Open', url: 'https://example.com/{{1}}' },
      { type: 'PHONE_NUMBER', title: 'Call', phone: '+14155550100' },
    ]
    const vals = { friendly_name: 'Visit', language, body: 'We come.', content_type: 'call-to-action', actions }
    const id = await create(TEMPLATES, vals)
    const visitor = await Visitor.open(browser, app.url)
    const { page } = visitor
    await visitor.signIn('ada', '/now')
    await visitor.go(`/records/${TEMPLATES}/${id}`)
    const form = page.locator('main form')
    await part(page, 'Buttons 2').waitFor()
    expect(await form.getByText(/JSON|URL/).count()).toBe(0)
    await page.getByRole('button', { name: 'Move up: Buttons 2' }).click()
    await page.getByRole('button', { name: 'Add: Buttons' }).click()
    await part(page, 'Buttons 3').getByLabel('Label: 3').fill('Copy')
    await part(page, 'Buttons 3').getByLabel('What it does: 3').click()
    await page.getByRole('option', { name: 'Copy a code' }).click()
    await part(page, 'Buttons 3').getByLabel('Address, number or code: 3').fill('SAVE10')
    expect(await visitor.barriers()).toEqual([])
    await save(page).click()
    const stored = async () => (await rowsOf(TEMPLATES, [['id', '=', id]], ['actions']))[0]?.actions
    const wanted = [actions[1], actions[0], { type: 'COPY_CODE', title: 'Copy', code: 'SAVE10' }]
    await expect.poll(stored).toEqual(wanted)
    await settled(page)
    await page.getByRole('button', { name: 'Remove: Buttons 2' }).click()
    await save(page).click()
    await expect.poll(stored).toEqual([wanted[0], wanted[2]])
    expect(visitor.faults).toEqual([])
    await visitor.close()

    const narrow = await Visitor.open(browser, app.url, { width: 375, language: 'de' })
    await narrow.signIn('ada', '/now')
    await narrow.go(`/records/${TEMPLATES}/${id}`)
    await narrow.page.getByRole('button', { name: 'Hinzufügen: Schaltflächen' }).waitFor()
    expect([await narrow.barriers(), await narrow.isTooWide()]).toEqual([[], false])
    await narrow.close()
  })
})
