// On a service where nothing is set up but a number: a menu that leads to a person and to a voicemail answers that number, and what
// it leads to is made where it is chosen.
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { aNumberOfOurs } from '../fixtures/telco-rows.ts'
import { openBrowser, whyNoBrowser } from '../support/browser.ts'
import { TestApp } from '../support/test-app.ts'
import { BROWSER_MS, firstAdministrator, pageIsBuilt, Visitor } from './visitor.ts'

const NO_BROWSER = whyNoBrowser()
const EXTENSION = 'connect.telco.exten'
/** Clicks from the page that one begins with; typing is none. */
const CLICKS_MAX = 15

let app: TestApp
let browser: Browser
let number: string

beforeAll(async () => {
  app = await TestApp.start({ env: { PAGE: 'on' } })
  await firstAdministrator(app, 'ada')
  number = await aNumberOfOurs(app)
  await pageIsBuilt(app)
  if (NO_BROWSER === undefined) browser = await openBrowser()
}, BROWSER_MS)
afterAll(async () => {
  await browser?.close()
  await app.stop()
})

/** Counts the clicks of a pointer, on every page that is loaded. */
async function countClicks(page: Page): Promise<() => Promise<number>> {
  const script = (): void => {
    const counted = window as unknown as { clicks: number }
    counted.clicks = 0
    window.addEventListener(
      'pointerdown',
      () => {
        counted.clicks += 1
      },
      true,
    )
  }
  await page.evaluate(script)
  return () => page.evaluate(() => (window as unknown as { clicks: number }).clicks)
}

interface Rehearsal {
  steps: { detail: string }[]
}

const heard = async (press: string) => {
  const { steps } = await app.admin.ask<Rehearsal>('connect.telco.number', 'rehearse', {
    ...{ to: number, from: '+14155550213', inputs: [{ press }] },
  })
  return steps.map(({ detail }) => detail).join(' ')
}

const hoursOfNumber = async () => {
  const [row] = await app.admin.ask<{ business_hours: [number, string] | null }[]>(
    'connect.telco.number',
    'search_read',
    {
      ...{ domain: [['phone_number', '=', number]], fields: ['business_hours'] },
    },
  )
  return row?.business_hours?.[0] ?? null
}

describe('a menu on an empty service', { timeout: BROWSER_MS }, () => {
  it('a menu with a person and a voicemail answers the number after fifteen clicks', async ({ skip }) => {
    skip(NO_BROWSER !== undefined, NO_BROWSER)
    expect(await app.admin.ask(EXTENSION, 'search_count')).toBe(0)
    const { userId: user } = await app.person(['connect.group_user'], { name: 'Dora Quick' })
    const visitor = await Visitor.open(browser, app.url)
    const { page } = visitor
    await visitor.signIn('ada', '/now')
    const clicks = await countClicks(page)
    await page.getByRole('link', { name: 'Data', exact: true }).click()
    await page.getByRole('link', { name: 'Call flow', exact: true }).click()
    await page.getByRole('link', { name: 'New' }).click()
    await page.locator('[data-field="name"] input:focus').waitFor()
    await page.keyboard.type('Menu')
    for (const [digits, typed, wanted, named] of [
      ['1', 'ada', 'Ada Keller', 'Ada Keller'],
      ['2', 'voice', 'New voicemail box', 'Voicemail'],
    ] as const) {
      await page.getByRole('button', { name: 'Add: Choices' }).click()
      await page.locator('[aria-label="Keys"]:focus').waitFor()
      await page.keyboard.type(digits)
      await page.keyboard.press('Tab')
      await page.keyboard.type(typed)
      await page.getByRole('group', { name: 'Gets an extension' }).waitFor()
      await page.getByRole('option', { name: wanted }).click()
      await page.getByText(`${named} now has the extension`).waitFor()
    }
    expect(await page.getByRole('switch', { name: 'Ask callers to choose' }).isChecked()).toBe(true)
    await page.getByText('Callers who press nothing hear that the menu has no actions').waitFor()
    // The row of Ada says so, and so did the toast.
    const silent = page.getByText('No phone rings for Ada Keller yet: callers hear the voicemail.')
    await page.getByText(/^Ada Keller now has the extension 100\. No phone rings for Ada Keller yet/).waitFor()
    expect(await page.getByRole('row').filter({ has: silent }).count()).toBe(1)
    expect(await page.getByRole('link', { name: 'Add a phone' }).getAttribute('href')).toMatch(/connect\.user\/\d+$/)
    expect(await visitor.barriers()).toEqual([])
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.waitForURL(/callflow\/\d+$/)
    await page.getByRole('link', { name: 'Data', exact: true }).click()
    await page.getByRole('link', { name: 'Number', exact: true }).click()
    await page.getByText('Main').click()
    await page.getByRole('combobox', { name: 'Answered by' }).click()
    await page.keyboard.type('Menu')
    await page.getByRole('option', { name: 'Menu' }).click()
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('Number saved').waitFor()
    expect(await clicks()).toBeLessThanOrEqual(CLICKS_MAX)
    // Hours are tried before they are saved.
    const always = { name: 'Closed', date_from: '2020-01-01', date_to: '2099-12-31' }
    await app.admin.ask('connect.telco.business_hours', 'create', {
      vals_list: { name: 'Never', tz: 'UTC', holiday_ids: [[0, 0, always]] },
    })
    await page.getByRole('combobox', { name: 'Business hours' }).click()
    await page.getByRole('option', { name: 'Never' }).click()
    await page.getByText('When closed, callers hear that you are closed').waitFor()
    await page.locator('header').getByRole('button', { name: /▾/ }).click()
    await page.getByRole('menuitem', { name: 'Try a call' }).click()
    await page.getByText('Your unsaved changes are tried too.').waitFor()
    await page.getByRole('button', { name: 'Try', exact: true }).click()
    await page.getByText('We are closed at the moment.').first().waitFor()
    await page.getByRole('button', { name: 'Close' }).click()
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await expect.poll(hoursOfNumber).toBeGreaterThan(0)
    const saved = page.getByRole('button', { name: 'Save', exact: true, disabled: true })
    await saved.waitFor()
    // A number whose hours are cleared is open day and night, which is asked about. The form is drawn anew once it is saved, and
    // what has the focus then loses it.
    const next = async (): Promise<string | null | undefined> => {
      await page.getByRole('combobox', { name: 'Business hours' }).focus()
      await page.keyboard.press('Tab')
      return page.evaluate(() => document.activeElement?.getAttribute('aria-label'))
    }
    await expect.poll(next).toBe('Clear')
    await page.keyboard.press('Enter')
    await page.getByText('will be open at all hours, no longer only during Never').waitFor()
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    const question = page.getByRole('dialog', { name: /at all hours\?$/ })
    await question.getByRole('button', { name: 'Cancel' }).click()
    expect(await hoursOfNumber()).toBeGreaterThan(0)
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await question.getByRole('button', { name: 'Save, open at all hours' }).click()
    await expect.poll(hoursOfNumber).toBe(null)
    // Nobody is asked whether to leave a form that is saved.
    await saved.waitFor()
    expect(await heard('1')).toContain('Ada Keller cannot take your call at the moment.')
    expect(await heard('2')).toContain('Please leave a message after the tone.')

    // What was made for a choice that is not wanted after all is taken back.
    await visitor.visit('/records/connect.telco.callflow/new')
    await page.getByRole('button', { name: 'Add: Choices' }).click()
    const extension = page.getByRole('combobox', { name: 'Extension' })
    await extension.fill('+41 79 555 01 99')
    await page.getByRole('option', { name: 'Mobile +41 79 555 01 99' }).click()
    await page.getByText('+41 79 555 01 99 now has the extension 102').waitFor()
    expect(await extension.inputValue()).toMatch(/^102 · /)
    await page.getByRole('button', { name: 'Undo' }).last().click()
    await page.getByText('Change undone').waitFor()
    expect(await extension.inputValue()).toBe('')
    expect(await app.admin.ask(EXTENSION, 'search_count')).toBe(2)
    // What was made for a menu that is discarded is offered to be removed, and nothing that was taken back already.
    const boxes = await app.admin.ask('connect.telco.callflow', 'search_count')
    await page.locator('[data-field="name"] input').fill('Later')
    await extension.fill('voice')
    await page.getByRole('option', { name: 'New voicemail box' }).click()
    await page.getByText(/^Voicemail.* now has the extension 102/).waitFor()
    await page.getByRole('button', { name: 'Discard' }).first().click()
    await page.getByText(/^Changes discarded. Still there: 102 · Voicemail/).waitFor()
    await page.getByRole('button', { name: 'Remove', exact: true }).click()
    await page.getByText('Removed', { exact: true }).waitFor()
    expect(await app.admin.ask(EXTENSION, 'search_count')).toBe(2)
    expect(await app.admin.ask('connect.telco.callflow', 'search_count')).toBe(boxes)
    // A person who got a phone for it has none afterwards, and works with Connect as before; what is not used is said once saved.
    const phones = () => app.admin.ask('connect.user', 'search_count', { domain: [['user', '=', user]] })
    const toast = (words: string) => page.locator('.mantine-Notification-root').filter({ hasText: words })
    const press = async (words: string, name: string): Promise<void> => {
      await toast(words).last().getByRole('button', { name, exact: true }).click()
      // A toast below the pointer stays, and others wait behind it.
      await page.mouse.move(0, 0)
    }
    const choosePerson = async (): Promise<void> => {
      await expect.poll(() => toast('Dora Quick').count()).toBe(0)
      await extension.fill('Dora')
      await page.getByRole('option', { name: 'Dora Quick' }).click()
      await toast('Dora Quick now has the extension 102').waitFor()
      expect(await phones()).toBe(1)
    }
    await page.getByRole('button', { name: 'Add: Choices' }).click()
    await choosePerson()
    await press('Dora Quick now has', 'Undo')
    await expect.poll(() => extension.inputValue()).toBe('')
    expect(await phones()).toBe(0)
    await page.locator('[data-field="name"] input').fill('Unused')
    await page.locator('[aria-label="Keys"]').fill('1')
    await choosePerson()
    await extension.fill('100')
    await page.getByRole('option', { name: /^100/ }).click()
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await press('Made for this form, but not used: 102 · Dora Quick', 'Remove')
    await expect.poll(phones).toBe(0)
    await page.waitForURL(/callflow\/\d+$/)
    await page.getByRole('heading', { name: 'Unused', level: 1 }).waitFor()
    await choosePerson()
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await press('Call flow saved', 'Undo')
    await press('Made for this form, but not used: 102 · Dora Quick', 'Remove')
    await expect.poll(phones).toBe(0)
    const [dora] = await app.admin.ask<object[]>('res.users', 'read', { ids: [user], fields: ['is_in_connect'] })
    expect(dora).toMatchObject({ is_in_connect: true })
    expect(await app.admin.ask(EXTENSION, 'search_count')).toBe(2)
    expect([...(await visitor.barriers()), ...visitor.faults]).toEqual([])
    await visitor.close()
  })

  it('links are no ids while their names are on their way, and columns say what is needed', async ({ skip }) => {
    skip(NO_BROWSER !== undefined, NO_BROWSER)
    const { userId: user } = await app.person(['connect.group_user'], { name: 'Ann Baker' })
    const phone = await app.admin.ask<number>('connect.user', 'create', { vals_list: { user, client_enabled: false } })
    const flow = await app.admin.ask<number>('connect.telco.callflow', 'create', {
      vals_list: { name: 'Group', ring_users: [[6, 0, [phone]]] },
    })
    // Nobody rings whose login is switched off.
    await app.admin.ask('res.users', 'write', { ids: [user], vals: { active: false } })
    const visitor = await Visitor.open(browser, app.url)
    const { page } = visitor
    await visitor.signIn('ada', '/now')
    const { promise: names, resolve: release } = Promise.withResolvers<void>()
    await page.route(/connect\.user\/(read|name_search)$/, async (route) => {
      await names
      await route.continue()
    })
    await visitor.go(`/records/connect.telco.callflow/${flow}`)
    const rung = page.locator('[data-field="ring_users"]')
    await rung.getByText('…', { exact: true }).waitFor()
    expect(await rung.getByText(/^#?\d+$/).count()).toBe(0)
    release()
    await rung.getByText('Ann Baker · deactivated', { exact: true }).first().waitFor()
    await page.getByRole('button', { name: 'Add: Choices' }).click()
    const heads = page.getByRole('columnheader')
    expect((await heads.allInnerTexts()).filter((text) => text !== '')).toEqual([
      'Keys *',
      'Extension *',
      'Spoken words',
    ])
    expect([...(await visitor.barriers()), ...visitor.faults]).toEqual([])
    await visitor.close()
  })

  it('a number that leads to a person of whom no phone rings says so before and after it is saved, in the set-up and in the checks', async ({
    skip,
  }) => {
    skip(NO_BROWSER !== undefined, NO_BROWSER)
    const { userId: user } = await app.person(['connect.group_user'], { name: 'Paul Quiet' })
    await app.admin.ask('connect.user', 'create', { vals_list: { user, client_enabled: false } })
    const visitor = await Visitor.open(browser, app.url)
    const { page } = visitor
    await visitor.signIn('ada', '/now')
    await visitor.visit('/records/connect.telco.number')
    await page.getByText('Main').click()
    await page.getByRole('combobox', { name: 'Answered by' }).click()
    await page.keyboard.type('Paul')
    await page.getByRole('option', { name: 'Paul Quiet' }).click()
    const silence = page.getByText('No phone rings for Paul Quiet yet: callers hear that no one can be reached.')
    await silence.waitFor()
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('Number saved').waitFor()
    await page.reload()
    await silence.waitFor()
    expect(await visitor.barriers()).toEqual([])
    await visitor.visit('/settings/set-up?step=number')
    await page.getByText(/^.{0,2}Callers of .* reach no one\.$/).waitFor()
    await silence.waitFor()
    expect(await page.getByText('is answered').count()).toBe(0)
    await visitor.visit('/settings/checks')
    await page.getByRole('button', { name: 'Run' }).click()
    const problem = page
      .getByRole('listitem')
      .filter({ hasText: 'Phone user "Paul Quiet": No phone rings and voicemail is off' })
    await problem.getByText('Add a phone, a mobile or voicemail.').waitFor()
    expect(await problem.getAttribute('data-result')).toBe('wrong')
    expect([...(await visitor.barriers()), ...visitor.faults]).toEqual([])
    await visitor.close()
  })

  it('a number whose call flow rings only such people says so before and after it is saved, in the set-up and in the checks', async ({
    skip,
  }) => {
    skip(NO_BROWSER !== undefined, NO_BROWSER)
    const { userId: user } = await app.person(['connect.group_user'], { name: 'Quinn Quiet' })
    const phone = await app.admin.ask<number>('connect.user', 'create', { vals_list: { user, client_enabled: false } })
    await app.admin.ask('connect.telco.callflow', 'create', {
      vals_list: { name: 'Quiet group', ring_users: [[6, 0, [phone]]] },
    })
    const [number] = await app.admin.ask<number[]>('connect.telco.number', 'search')
    await app.admin.ask('connect.telco.number', 'write', { ids: [number], vals: { destination: null } })
    const visitor = await Visitor.open(browser, app.url)
    const { page } = visitor
    await visitor.signIn('ada', '/now')
    await visitor.visit(`/records/connect.telco.number/${number}`)
    await page.getByRole('combobox', { name: 'Answered by' }).click()
    await page.keyboard.type('Quiet gr')
    await page.getByRole('option', { name: 'Quiet group' }).click()
    const silence = page.getByText('No phone rings for Quiet group yet: callers reach no one.')
    await silence.waitFor()
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('Number saved').waitFor()
    await page.reload()
    await silence.waitFor()
    expect(await visitor.barriers()).toEqual([])
    await visitor.visit('/settings/set-up?step=number')
    await page.getByText(/^.{0,2}Callers of .* reach no one\.$/).waitFor()
    await silence.waitFor()
    const step = page.locator('[data-state]').filter({ hasText: 'Number' })
    await expect.poll(() => step.getAttribute('data-state')).toBe('open')
    await visitor.visit('/settings/checks')
    await page.getByRole('button', { name: 'Run' }).click()
    const problem = page
      .getByRole('listitem')
      .filter({ hasText: 'Call flow "Quiet group": None of the people it rings has a phone that rings' })
    await problem.getByText('Add a phone or a mobile to one of them.').waitFor()
    expect([...(await visitor.barriers()), ...visitor.faults]).toEqual([])
    // Nobody has to load the page again once a phone rings.
    await visitor.visit('/settings/set-up?step=number')
    await silence.waitFor()
    const mobile = { mobile_enabled: true, mobile_number: '+41795550188' }
    await app.admin.ask('connect.user', 'write', { ids: [phone], vals: mobile })
    await silence.waitFor({ state: 'detached' })
    await page.getByText('is answered').waitFor()
    await visitor.close()
  })

  it('Undo of an extension that was made for a form goes when the form is left or saved, and what was made stays with its draft', async ({
    skip,
  }) => {
    skip(NO_BROWSER !== undefined, NO_BROWSER)
    const { userId: user } = await app.person(['connect.group_user'], { name: 'Erin Early' })
    const phones = () => app.admin.ask('connect.user', 'search_count', { domain: [['user', '=', user]] })
    const visitor = await Visitor.open(browser, app.url)
    const { page } = visitor
    await visitor.signIn('ada', '/now')
    await visitor.visit('/records/connect.telco.callflow/new')
    const extension = page.getByRole('combobox', { name: 'Extension' })
    const toast = page.locator('.mantine-Notification-root').filter({ hasText: 'Erin Early now has the extension' })
    await page.locator('[data-field="name"] input').fill('Left')
    await page.getByRole('button', { name: 'Add: Choices' }).click()
    await page.locator('[aria-label="Keys"]').fill('1')
    await extension.fill('Erin')
    await page.getByRole('option', { name: 'Erin Early' }).click()
    await toast.getByRole('button', { name: 'Undo' }).waitFor()
    await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Calls' }).click()
    await page.getByRole('button', { name: 'Leave', exact: true }).click()
    await page.waitForURL(/\/calls/)
    await expect.poll(() => toast.count(), { timeout: 3_000 }).toBe(0)
    expect(await phones()).toBe(1)
    await visitor.visit('/records/connect.telco.callflow/new')
    await expect.poll(() => extension.inputValue()).toMatch(/Erin Early$/)
    // Another one that was made, and is saved at once.
    await extension.fill('voice')
    await page.getByRole('option', { name: 'New voicemail box' }).click()
    const box = page.locator('.mantine-Notification-root').filter({ hasText: /^Voicemail.* now has the extension/ })
    await box.getByRole('button', { name: 'Undo' }).waitFor()
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('Call flow saved').or(page.getByText('Call flow created')).first().waitFor()
    await expect.poll(() => box.count(), { timeout: 3_000 }).toBe(0)
    const unused = page
      .locator('.mantine-Notification-root')
      .filter({ hasText: /Made for this form, but not used: .*Erin/ })
    await unused.getByRole('button', { name: 'Remove' }).click()
    await expect.poll(phones).toBe(0)
    expect(visitor.faults).toEqual([])
    await visitor.close()
  })
})
