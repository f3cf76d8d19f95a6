// What is typed belongs to a record and a person: it never stands on the next record, is there again on coming back, and is
// never shown to the next person.
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openBrowser, whyNoBrowser } from '../support/browser.ts'
import { TestApp } from '../support/test-app.ts'
import { BROWSER_MS, firstAdministrator, PASSWORD, pageIsBuilt, Visitor } from './visitor.ts'

const NO_BROWSER = whyNoBrowser()
const PHONE = '+14155550231'
const SECRET = 'typed-and-never-stored'

let app: TestApp
let browser: Browser

beforeAll(async () => {
  app = await TestApp.start({ env: { PAGE: 'on' } })
  await firstAdministrator(app, 'ada')
  await pageIsBuilt(app)
  if (NO_BROWSER === undefined) browser = await openBrowser()
}, BROWSER_MS)
afterAll(async () => {
  await browser?.close()
  await app.stop()
})

function make(model: string, vals: object): Promise<number> {
  return app.admin.ask<number>(model, 'create', { vals_list: vals })
}

/** Somebody who may do what the first administrator may. */
async function colleague(login: string): Promise<void> {
  const [ada] = await app.admin.ask<{ group_ids: number[] }[]>('res.users', 'search_read', {
    domain: [['login', '=', 'ada']],
    fields: ['group_ids'],
  })
  await make('res.users', { name: login, login, password: PASSWORD, group_ids: ada?.group_ids })
}

function note(page: Page) {
  return page.getByRole('textbox', { name: /^Write an? (?:internal )?note/ })
}

/** Everything that the browser has stored of the page. */
function stored(page: Page): Promise<string> {
  return page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }]))
}

async function signOut(page: Page): Promise<void> {
  await page.getByRole('navigation').getByTitle('Your account').click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await page.waitForURL(/\/sign-in/)
}

describe('drafts', { timeout: BROWSER_MS }, () => {
  beforeEach(({ skip }) => skip(NO_BROWSER !== undefined, NO_BROWSER))

  it('text, channel and file stay with their ticket', async () => {
    for (const name of ['Draft one', 'Draft two']) await make('helpdesk.ticket', { name, partner_phone: PHONE })
    const visitor = await Visitor.open(browser, app.url)
    const { page } = visitor
    await visitor.signIn('ada', '/tickets')
    await visitor.go('/tickets?as=list')
    await page.getByRole('row', { name: /Draft two/ }).click()
    await page.getByRole('heading', { name: /Draft two/ }).waitFor()
    await page.locator('input[type=file]').setInputFiles({
      name: 'offer.txt',
      mimeType: 'text/plain',
      buffer: Buffer.from('an offer'),
    })
    await page.getByText('offer.txt').waitFor()
    await note(page).fill('Only for two')

    await page.keyboard.press('Escape')
    await page.getByRole('link', { name: 'Next' }).click()
    await page.getByRole('heading', { name: /Draft one/ }).waitFor()
    expect(await note(page).inputValue()).toBe('')
    expect(await page.getByText('offer.txt').count()).toBe(0)
    await page.getByText(/^SMS to /).click()
    await page.getByRole('textbox', { name: /^SMS to/ }).fill('Only for one')

    await page.getByRole('link', { name: 'Previous' }).click()
    await page.getByRole('heading', { name: /Draft two/ }).waitFor()
    expect(await note(page).inputValue()).toBe('Only for two')
    await page.getByText('offer.txt').waitFor()

    await page.getByRole('link', { name: 'Next' }).click()
    await page.getByRole('heading', { name: /Draft one/ }).waitFor()
    expect(await page.getByRole('textbox', { name: /^SMS to/ }).inputValue()).toBe('Only for one')
    // The same by keys, and after leaving.
    await page.keyboard.press('[')
    await page.getByRole('heading', { name: /Draft two/ }).waitFor()
    expect(await page.getByRole('textbox', { name: /^SMS to/ }).count()).toBe(0)
    expect(await note(page).inputValue()).toBe('Only for two')
    await page.keyboard.press(']')
    await page.getByRole('heading', { name: /Draft one/ }).waitFor()
    await page.reload()
    expect(await page.getByRole('textbox', { name: /^SMS to/ }).inputValue()).toBe('Only for one')
    await visitor.visit('/now')
    await visitor.visit('/records/helpdesk.ticket')
    await page.getByRole('row', { name: /Draft two/ }).click()
    await page.locator('[data-field="name"] input').waitFor()
    await page.keyboard.press(']')
    await page.waitForFunction(
      () => document.querySelector<HTMLInputElement>('[data-field="name"] input')?.value === 'Draft one',
    )
    expect(await page.locator('main').innerText()).not.toMatch(/Only for two|offer\.txt/)
    expect(visitor.faults).toEqual([])
    await visitor.close()
  })

  it('notes, texts and dialogs stay with their contact, and with the person who typed them', async () => {
    await colleague('ben')
    const company = await make('res.partner', { name: 'Miller & Sons', is_company: true, phone: '+14155550240' })
    const zoe = await make('res.partner', { name: 'Zoe Draft', phone: '+14155550241', parent_id: company })
    const visitor = await Visitor.open(browser, app.url)
    const { page } = visitor
    await visitor.signIn('ada', `/contacts/${zoe}`)
    await page.getByRole('button', { name: 'Message', exact: true }).click()
    await page.getByRole('dialog').getByRole('textbox', { name: 'Message' }).fill('Dear Zoe')
    await page.getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('link', { name: 'Miller & Sons' }).first().click()
    await page.getByRole('heading', { name: 'Miller & Sons' }).waitFor()
    await page.getByRole('button', { name: 'Message', exact: true }).click()
    expect(await page.getByRole('dialog').getByRole('textbox', { name: 'Message' }).inputValue()).toBe('')
    await page.getByRole('button', { name: 'Cancel' }).click()

    await visitor.go(`/records/res.partner/${zoe}`)
    await note(page).fill('Zoe alone')
    await page.locator('[data-field="name"] input').fill('Zoe Typed')
    await signOut(page)

    await visitor.signIn('ben', `/records/res.partner/${zoe}`)
    await note(page).waitFor()
    expect(await note(page).inputValue()).toBe('')
    expect(await page.locator('[data-field="name"] input').inputValue()).toBe('Zoe Draft')
    expect(await stored(page)).not.toMatch(/Zoe alone|Zoe Typed|Dear Zoe/)
    expect(visitor.faults).toEqual([])
    await visitor.close()
  })

  it('two tabs with one form keep what is typed in each, and save that', async () => {
    const id = await make('helpdesk.ticket', { name: 'Two tabs' })
    const visitor = await Visitor.open(browser, app.url)
    const { page: one } = visitor
    await visitor.signIn('ada', `/records/helpdesk.ticket/${id}`)
    const two = await one.context().newPage()
    await two.goto(one.url())
    const subject = (page: Page) => page.getByRole('textbox', { name: /^Subject/ })
    await subject(two).waitFor()
    await subject(one).fill('Version A')
    // Nothing changes in a form that is open and that nobody has typed in.
    await two.waitForTimeout(300)
    expect(await subject(two).inputValue()).toBe('Two tabs')
    await subject(two).fill('Version B')
    await one.waitForTimeout(300)
    expect(await subject(one).inputValue()).toBe('Version A')
    await one.getByRole('button', { name: 'Save', exact: true }).click()
    await one.getByText('Ticket saved').waitFor()
    const [stored] = await app.admin.ask<{ name: string }[]>('helpdesk.ticket', 'read', { ids: [id], fields: ['name'] })
    expect(stored?.name).toBe('Version A')
    // The other one is typed still, and there again after the tab is loaded anew.
    expect(await subject(two).inputValue()).toBe('Version B')
    await two.reload()
    await subject(two).waitFor()
    expect(await subject(two).inputValue()).toBe('Version B')
    expect(visitor.faults).toEqual([])
    await visitor.close()
  })

  it('a note that was sent in one tab does not wait in another one to be sent again', async () => {
    const id = await make('helpdesk.ticket', { name: 'Sent once' })
    const visitor = await Visitor.open(browser, app.url)
    const { page: one } = visitor
    await visitor.signIn('ada', `/tickets/${id}`)
    await note(one).fill('Once')
    const two = await one.context().newPage()
    await two.goto(one.url())
    await note(two).filter({ hasText: 'Once' }).waitFor()
    await one.getByRole('button', { name: 'Add note', exact: true }).click()
    await one.getByRole('article').getByText('Once').waitFor()
    await two.getByRole('article').getByText('Once').waitFor()
    expect(await note(two).inputValue()).toBe('')
    expect(visitor.faults).toEqual([])
    await visitor.close()
  })

  it('a tab in which somebody else was signed in turns to the person who signs in in another one', async () => {
    await colleague('cleo')
    const visitor = await Visitor.open(browser, app.url)
    const { page } = visitor
    await visitor.signIn('ada', '/contacts')
    const other = await page.context().newPage()
    const headers = { origin: app.url }
    const data = { login: 'cleo', password: PASSWORD }
    await page.context().request.post(`${app.url}/api/sign-in`, { headers, data })
    await other.goto(`${app.url}/now`)
    const account = (of: Page) => of.getByRole('navigation').getByTitle('Your account')
    await account(other).filter({ hasText: 'cleo' }).waitFor()
    await account(page).filter({ hasText: 'cleo' }).waitFor()
    expect(new URL(page.url()).pathname).toBe('/contacts')
    await visitor.close()
  })

  it('a secret that is typed is never stored', async () => {
    const visitor = await Visitor.open(browser, app.url)
    const { page } = visitor
    await visitor.signIn('ada', '/settings/phone')
    await page.getByLabel('Auth token', { exact: true }).fill(SECRET)
    const [ada] = await app.admin.ask<number[]>('res.users', 'search', { domain: [['login', '=', 'ada']] })
    expect(await stored(page)).not.toContain(SECRET)
    await visitor.go(`/records/res.users/${ada}`)
    await page.locator('[data-field="password"] input').fill(SECRET)
    await page.locator('[data-field="name"] input').fill('Ada Stored')
    expect(await stored(page)).toContain('Ada Stored')
    expect(await stored(page)).not.toContain(SECRET)
    await signOut(page)
    expect(await stored(page)).not.toContain(SECRET)
    await visitor.close()
  })

  it('what is typed and thrown away at one press comes back by Undo', async () => {
    const ticket = await make('helpdesk.ticket', { name: 'Thrown away', description: 'Before.' })
    await app.admin.ask('helpdesk.ticket', 'message_post', { ids: [ticket], body: 'A note.' })
    const contact = await make('res.partner', { name: 'Zoe Thrown', phone: '+14155550249' })
    const visitor = await Visitor.open(browser, app.url)
    const { page } = visitor
    const undone = async (): Promise<void> => {
      await page.getByText('Changes discarded', { exact: true }).waitFor()
      await page.getByRole('button', { name: 'Undo', exact: true }).click()
    }
    await visitor.signIn('ada', `/tickets/${ticket}`)
    await page.getByRole('button', { name: 'Edit subject and description' }).click()
    const words = page.getByRole('textbox', { name: 'Description' })
    await words.fill('Nine hundred words.')
    await page.getByRole('button', { name: 'Cancel' }).click()
    await undone()
    expect(await words.inputValue()).toBe('Nine hundred words.')
    // What was not changed goes without a word.
    await words.fill('Before.')
    await page.getByRole('button', { name: 'Cancel' }).click()
    await words.waitFor({ state: 'detached' })

    await visitor.go(`/contacts/${contact}/edit`)
    const name = page.locator('[data-field="name"] input')
    await name.fill('Zoe Long')
    await page.getByRole('button', { name: 'Discard' }).last().click()
    await expect.poll(() => name.inputValue()).toBe('Zoe Thrown')
    await undone()
    await expect.poll(() => name.inputValue()).toBe('Zoe Long')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText(/^Contact saved/).waitFor()

    await visitor.go('/settings/address')
    const company = page.locator('[data-field="company_name"] input')
    const before = await company.inputValue()
    await company.fill('Novak & Daughters')
    await page.getByRole('button', { name: 'Discard' }).click()
    await expect.poll(() => company.inputValue()).toBe(before)
    await undone()
    await expect.poll(() => company.inputValue()).toBe('Novak & Daughters')
    await page.getByRole('button', { name: 'Discard' }).click()
    expect(visitor.faults).toEqual([])
    await visitor.close()
  })

  it('the keyboard goes along where what was pressed is gone or waits', async () => {
    const ticket = await make('helpdesk.ticket', { name: 'Along' })
    const visitor = await Visitor.open(browser, app.url, { width: 375 })
    const { page } = visitor
    const isOn = (shown: ReturnType<Page['locator']>) =>
      expect.poll(() => shown.evaluate((element) => element === document.activeElement)).toBe(true)
    await visitor.signIn('ada', `/tickets/${ticket}`)
    const edit = page.getByRole('button', { name: 'Edit subject and description' })
    await edit.press('Enter')
    await isOn(page.getByRole('textbox', { name: 'Subject' }))
    await page.getByRole('button', { name: 'Cancel' }).press('Enter')
    await isOn(edit)
    const partner = await make('res.partner', { name: 'Noted Along' })
    await visitor.visit(`/records/res.partner/${partner}`)
    await note(page).fill('A note.')
    await page.getByRole('button', { name: 'Add note' }).press('Enter')
    const change = page.getByRole('article').getByRole('button', { name: 'Edit' })
    await change.press('Enter')
    await isOn(page.getByRole('article').getByRole('textbox'))
    await page.getByRole('article').getByRole('button', { name: 'Cancel' }).press('Enter')
    await isOn(change)
    await visitor.visit('/tickets?as=list')
    const saved = page.waitForEvent('download')
    const file = page.getByRole('button', { name: /^Export/ })
    await file.press('Enter')
    await saved
    await isOn(file)
    await visitor.visit('/me')
    await page.getByRole('button', { name: 'Set up two-factor sign-in' }).press('Enter')
    const password = page.getByLabel('Confirm your password')
    await isOn(password)
    const wrapper = page.locator('.mantine-InputWrapper-root').filter({ has: password })
    expect((await wrapper.boundingBox())?.width).toBeGreaterThan(250)
    await password.fill(PASSWORD)
    await password.press('Enter')
    await isOn(page.locator('input[name="code"]'))
    expect(await visitor.barriers()).toEqual([])
    expect(visitor.faults).toEqual([])
    await visitor.close()
  })
})
