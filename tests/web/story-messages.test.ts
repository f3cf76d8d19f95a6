// Somebody answers messages in a browser: in the open window, by a template after it, and again what was not delivered.
import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { SCENARIOS } from '../../emulators/scenarios/catalogue.ts'
import { runScenario } from '../../emulators/scenarios/scenario.ts'
import { sql } from '../../src/database/drizzle.ts'
import { GROUP } from '../../src/platform/access/identity.ts'
import { startWorld, type TestWorld } from '../emulators/scenario-world.ts'
import { openBrowser, whyNoBrowser } from '../support/browser.ts'
import { insertRow } from '../support/rows.ts'
import { eventually } from '../support/test-app.ts'
import { BROWSER_MS, firstAdministrator, PASSWORD, pageIsBuilt, Visitor } from './visitor.ts'

const NO_BROWSER = whyNoBrowser()
const PLAYED = ['sms', 'whatsapp']
const OURS = '+14155550118'
const XENIA = '+14155550218'
const STRANGER = '+14155550299'
const HOSTILE = '<img src=x onerror=alert(1)><script>alert(2)</script> javascript:alert(3) https://evil.example/x?y'

let world: TestWorld
let browser: Browser

beforeAll(async () => {
  world = await startWorld({}, { PAGE: 'on' })
  await firstAdministrator(world.app, 'ada')
  for (const scenario of SCENARIOS.filter(({ name }) => PLAYED.includes(name))) {
    const { complaints } = await runScenario(scenario, world)
    expect(complaints).toEqual([])
  }
  await world.app.admin.ask('res.partner', 'create', { vals_list: { name: HOSTILE, phone: STRANGER } })
  await world.telco.text({ from: STRANGER, to: OURS, body: HOSTILE })
  await pageIsBuilt(world.app)
  if (NO_BROWSER === undefined) browser = await openBrowser()
}, BROWSER_MS)
/** A page that a failed story left open would go on to read what comes in the next one; what stood on it says why it failed. */
afterEach(async ({ task }) => {
  for (const context of browser?.contexts() ?? []) {
    if (task.result?.state === 'fail') for (const page of context.pages()) console.log(await textOf(page))
    await context.close()
  }
})
afterAll(async () => {
  await browser?.close()
  await world.stop()
})

function textOf(page: Page): Promise<string> {
  return page.locator('body').innerText()
}

/** The messages of the conversation that is open. */
function said(page: Page) {
  return page.getByRole('list', { name: 'Messages' })
}

/** A conversation in the list of them. */
function row(page: Page, name: RegExp) {
  return page.getByRole('navigation', { name: 'Conversations' }).getByRole('link', { name })
}

/** Counts clicks from a freshly opened page, as the limits of the jobs do; typing is free. */
function counted(page: Page) {
  let clicks = 0
  return {
    get clicks() {
      return clicks
    },
    async click(role: 'link' | 'button' | 'option' | 'menuitem', name: string | RegExp): Promise<void> {
      clicks += 1
      await page
        .getByRole(role, { name, exact: typeof name === 'string' })
        .first()
        .click()
    },
  }
}

/** The clock a day and an hour on, for everything that was said with this number. */
async function aDayLater(number: string): Promise<void> {
  await world.app.db.query(
    sql`update connect_message set create_date = create_date - interval '25 hours' where from_number = ${number}`,
  )
  await world.app.db.query(
    sql`update connect_conversation set last_incoming_at = last_incoming_at - interval '25 hours' where theirs = ${number}`,
  )
}

async function optOut(number: string, at: string | null): Promise<void> {
  await world.app.db.query(
    sql`update connect_conversation set opted_out_at = ${at}::timestamp where theirs = ${number} and channel = 'WhatsApp'`,
  )
}

async function statusOf(body: string): Promise<string | undefined> {
  const [row] = await world.app.db.query<{ status: string }>(
    sql`select status from connect_message where body = ${body} order by id desc limit 1`,
  )
  return row?.status
}

async function setAuthToken(token: string | null): Promise<void> {
  const ids = await world.app.admin.ask<number[]>('connect.settings', 'search')
  await world.app.admin.ask('connect.settings', 'write', { ids, vals: { auth_token: token } })
}

async function aPerson(login: string, name: string, groups: readonly string[]): Promise<void> {
  const { app } = world
  await app.admin.ask('res.users', 'create', {
    vals_list: { login, name, password: PASSWORD, group_ids: await app.groupIds([...groups]) },
  })
}

async function anApprovedTemplate(): Promise<void> {
  const { admin } = world.app
  const [language] = await admin.ask<number[]>('res.lang', 'search', { limit: 1 })
  const id = await admin.ask<number>('connect.message_content_template', 'create', {
    vals_list: {
      friendly_name: 'Visit',
      language,
      body: 'Hello {{1}}, we come tomorrow.',
      variables: { 1: 'Zoe' },
    },
  })
  await admin.ask('connect.message_content_template', 'submit', { ids: [id] })
  await eventually(async () => {
    await admin.ask('connect.message_content_template', 'fetch_status', { ids: [id] })
    const [row] = await admin.ask<{ status: string }[]>('connect.message_content_template', 'read', {
      ids: [id],
      fields: ['status'],
    })
    return row?.status === 'approved'
  })
}

describe('in a browser', { timeout: BROWSER_MS }, () => {
  it('somebody answers in the open window, in three clicks', async ({ skip }) => {
    skip(NO_BROWSER !== undefined, NO_BROWSER)
    const visitor = await Visitor.open(browser, world.app.url)
    const { page } = visitor
    await visitor.signIn('ada', '/now')
    const count = counted(page)
    await count.click('link', /^Messages/)
    await count.click('link', /Xenia Lopez/)
    await page.getByText(/You can reply freely for 23 h/).waitFor()
    await page.getByLabel('Write a message').fill('On our way.')
    await count.click('button', 'Send')
    await said(page).getByText('On our way.').waitFor()
    expect(count.clicks).toBe(3)
    expect(await page.getByLabel('Write a message').inputValue()).toBe('')
    await page
      .getByText(/✓✓ read/)
      .first()
      .waitFor()
    expect([...(await visitor.barriers()), ...visitor.faults]).toEqual([])
    await visitor.close()
  })

  it('only a template goes out after 24 hours, with its variable filled in', async ({ skip }) => {
    skip(NO_BROWSER !== undefined, NO_BROWSER)
    await anApprovedTemplate()
    await aDayLater(XENIA)
    const visitor = await Visitor.open(browser, world.app.url)
    const { page } = visitor
    await visitor.signIn('ada', '/messages')
    await row(page, /Xenia Lopez/).click()
    await page.getByText('The 24 hours are over. Choose a template.').waitFor()
    expect(await page.getByLabel('Write a message').count()).toBe(0)
    await page.getByRole('combobox', { name: 'Template' }).click()
    await page.getByRole('option', { name: /Visit/ }).click()
    expect(await page.getByRole('button', { name: 'Send template' }).isDisabled()).toBe(true)
    await page.getByLabel('{{1}}').fill('Xenia')
    await page.getByText('Hello Xenia, we come tomorrow.').waitFor()
    await page.getByRole('button', { name: 'Send template' }).click()
    await said(page).getByText('Hello Xenia, we come tomorrow.').waitFor()
    expect([...(await visitor.barriers()), ...visitor.faults]).toEqual([])
    await visitor.close()
  })

  it('the form of templates says before one is filled in that the receiver wrote STOP', async ({ skip }) => {
    skip(NO_BROWSER !== undefined, NO_BROWSER)
    await aDayLater(XENIA)
    await optOut(XENIA, '2024-03-01 12:00:00')
    const visitor = await Visitor.open(browser, world.app.url)
    const { page } = visitor
    await visitor.signIn('ada', '/messages')
    await row(page, /Xenia Lopez/).click()
    const form = page.getByRole('region', { name: 'Template' })
    await form.getByText(/opted out of your WhatsApp messages on .*2024.* \(STOP\)/).waitFor()
    await optOut(XENIA, null)
    await page.reload()
    await form.getByRole('combobox', { name: 'Template' }).waitFor()
    await form.getByText(/opted out/).waitFor({ state: 'detached' })
    expect([...(await visitor.barriers()), ...visitor.faults]).toEqual([])
    await visitor.close()
  })

  it('what came with a message is opened from a note by our own address, and never by the one of the provider', async ({
    skip,
  }) => {
    skip(NO_BROWSER !== undefined, NO_BROWSER)
    const [message] = await world.app.db.query<{ id: number; partner: number; media_url: string }>(
      sql`select id, partner, media_url from connect_message where num_media = 1 and direction = 'incoming' limit 1`,
    )
    const { id = 0, partner = 0, media_url: kept = '' } = message ?? {}
    const [own, provider] = [
      `/connect/message/${id}/media/0`,
      'https://api.twilio.com/2010-04-01/Messages/MM1/Media/ME1',
    ]
    await insertRow(world.app.db, 'mail_message', {
      ...{ model: 'res.partner', res_id: partner, message_type: 'comment', date: new Date().toISOString() },
      body: `<p>A picture: <a href="${own}">${kept}</a></p><p>An older one: <a href="${provider}">${provider}</a></p>`,
    })
    const visitor = await Visitor.open(browser, world.app.url)
    const { page } = visitor
    await visitor.signIn('ada', `/contacts/${partner}`)
    const notes = page.getByRole('region', { name: 'Notes' })
    // What came is posted by itself as well: this is the note that somebody wrote.
    const note = notes.getByRole('article').filter({ hasText: 'A picture:' })
    const file = note.getByRole('link', { name: 'File 1', exact: true })
    expect(await file.getAttribute('href')).toBe(own)
    const opened = await page.request.get(world.app.url + own)
    expect([opened.status(), opened.headers()['content-type']]).toEqual([200, 'image/jpeg'])
    expect(await notes.locator('a[href*="twilio"]').count()).toBe(0)
    expect([...(await visitor.barriers()), ...visitor.faults]).toEqual([])
    await visitor.close()
  })

  it('what was not delivered says why, with its code, and Try again sends it', async ({ skip }) => {
    skip(NO_BROWSER !== undefined, NO_BROWSER)
    world.telco.reactToTexts(STRANGER, 'undelivered')
    const visitor = await Visitor.open(browser, world.app.url)
    const { page } = visitor
    await visitor.signIn('ada', `/messages/sms/${OURS}/${STRANGER}`)
    await page.getByLabel('Write a message').fill('Are you there?')
    await page.getByText('14/1600 · 1 SMS · GSM-7').waitFor()
    await page.keyboard.press('Control+Enter')
    await said(page).getByText('Their phone is switched off or out of range. (30003)').waitFor()
    world.telco.reactToTexts(STRANGER, 'delivered')
    await page.getByRole('button', { name: 'Try again' }).click()
    await eventually(async () => (await statusOf('Are you there?')) === 'delivered')
    await page.getByText(/✓✓ delivered/).waitFor()
    expect(visitor.faults).toEqual([])
    await visitor.close()
  })

  it('what a stranger wrote is text, and a link to the web says its host', async ({ skip }) => {
    skip(NO_BROWSER !== undefined, NO_BROWSER)
    const visitor = await Visitor.open(browser, world.app.url)
    const { page } = visitor
    await visitor.signIn('ada', `/messages/sms/${OURS}/${STRANGER}`)
    await said(page).getByText('<img src=x onerror=alert(1)>', { exact: false }).first().waitFor()
    expect(await page.locator('img[src="x"], main script, a[href^="javascript:"]').count()).toBe(0)
    expect(await said(page).getByRole('link', { name: 'evil.example/x?y' }).getAttribute('rel')).toContain('noopener')
    expect(visitor.faults).toEqual([])
    await visitor.close()
  })

  it('a conversation is assigned, closed, and opened again by the next message; a draft stays', async ({ skip }) => {
    skip(NO_BROWSER !== undefined, NO_BROWSER)
    const visitor = await Visitor.open(browser, world.app.url)
    const { page } = visitor
    await visitor.signIn('ada', '/messages')
    await row(page, /Xenia Lopez/).click()
    // The menu of the conversation before goes with it.
    await page.waitForURL((url) => decodeURIComponent(url.pathname).endsWith(XENIA))
    await page.getByRole('button', { name: /Assign/ }).click()
    await page.getByRole('menuitem', { name: 'Assign to me' }).click()
    await page.getByRole('link', { name: /^Mine 1/ }).click()
    await row(page, /Xenia Lopez/).waitFor()
    await page.getByRole('link', { name: /^Open/ }).click()
    await page.getByRole('button', { name: 'Close', exact: true }).click()
    await row(page, /Xenia Lopez/).waitFor({ state: 'detached' })
    // Its row is gone before the page says so.
    const closed = page.getByRole('alert').filter({ hasText: 'Closed. Their next message reopens it.' })
    await closed.getByRole('button', { name: 'Undo' }).click()
    await row(page, /Xenia Lopez/).waitFor()
    await row(page, /Xenia Lopez/).click()
    await page.getByRole('button', { name: 'Close', exact: true }).click()
    await row(page, /Xenia Lopez/).waitFor({ state: 'detached' })
    await world.telco.text({ from: `whatsapp:${XENIA}`, to: `whatsapp:${OURS}`, body: 'One more thing' })
    await said(page).getByText('One more thing').first().waitFor()
    await page.getByLabel('Write a message').fill('Half a sentence')
    await page.reload()
    await page.getByLabel('Write a message').waitFor()
    expect(await page.getByLabel('Write a message').inputValue()).toBe('Half a sentence')
    expect(visitor.faults).toEqual([])
    await visitor.close()
  })

  it('a message that comes to a tab behind others is unread until somebody looks', async ({ skip }) => {
    skip(NO_BROWSER !== undefined, NO_BROWSER)
    const visitor = await Visitor.open(browser, world.app.url)
    const { page } = visitor
    const read: string[] = []
    page.on('request', (request) => {
      if (request.url().endsWith('connect.conversation/mark_read')) read.push(request.url())
    })
    const look = (state: 'visible' | 'hidden') =>
      page.evaluate((shown) => {
        Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => shown })
        document.dispatchEvent(new Event('visibilitychange'))
      }, state)
    await visitor.signIn('ada', '/messages')
    await page.getByRole('link', { name: /^All/ }).click()
    await row(page, /Xenia Lopez/)
      .first()
      .click()
    await said(page).waitFor()
    await look('hidden')
    const before = read.length
    await world.telco.text({ from: `whatsapp:${XENIA}`, to: `whatsapp:${OURS}`, body: 'Is anybody there?' })
    await said(page).getByText('Is anybody there?').first().waitFor()
    await row(page, /Is anybody there\?/).waitFor()
    expect(read.length).toBe(before)
    await look('visible')
    await eventually(async () => read.length > before)
    await visitor.close()
  })

  it('two colleagues see each other’s answers, who answered, and that somebody is answering', async ({ skip }) => {
    skip(NO_BROWSER !== undefined, NO_BROWSER)
    await aPerson('eve', 'Eve Adams', [GROUP.internal, GROUP.connectUser])
    await aPerson('ben', 'Ben Carter', [GROUP.internal, GROUP.connectUser])
    const address = `/messages/sms/${OURS}/${STRANGER}`
    const [eve, ben] = [await Visitor.open(browser, world.app.url), await Visitor.open(browser, world.app.url)]
    await eve.signIn('eve', '/messages')
    await eve.go(address)
    await ben.signIn('ben', '/messages')
    await ben.go(address)
    await said(eve.page).waitFor()
    await said(ben.page).waitFor()
    await eve.page.getByLabel('Write a message').fill('I come at ten.')
    await ben.page.getByRole('status').getByText('Eve Adams is answering').waitFor()
    expect(await eve.page.getByText('is answering').count()).toBe(0)
    await eve.page.getByRole('button', { name: 'Send', exact: true }).click()
    const answer = said(ben.page).getByRole('listitem').filter({ hasText: 'I come at ten.' })
    await answer.getByText(/Eve Adams · ✓✓ delivered/).waitFor()
    await ben.page.getByText('Eve Adams is answering').waitFor({ state: 'detached' })
    expect(await answer.getByRole('button', { name: 'Try again' }).count()).toBe(0)
    await ben.page.getByLabel('Write a message').fill('And I bring the part.')
    await eve.page.getByRole('status').getByText('Ben Carter is answering').waitFor()
    await ben.page.getByLabel('Write a message').fill('')
    await eve.page.getByText('Ben Carter is answering').waitFor({ state: 'detached' })
    const { telco } = world
    await world.app.db.query(
      sql`insert into connect_message (from_number, to_number, body, status, direction, attempt, conversation)
        select ${OURS}, ${STRANGER}, 'We are closed.', 'sent', 'outgoing', 1, id from connect_conversation where theirs = ${STRANGER}`,
    )
    await telco.text({ from: STRANGER, to: OURS, body: 'Good' })
    await said(ben.page).getByText('Good').first().waitFor()
    const automatic = said(ben.page).getByRole('listitem').filter({ hasText: 'We are closed.' })
    await automatic.getByText(/Automatic reply · ✓ sent/).waitFor()
    expect([...(await ben.barriers()), ...eve.faults, ...ben.faults]).toEqual([])
    await eve.close()
    await ben.close()
  })

  it('a text from a ticket shows channel, number and delivery to the helpdesk, and the next thing written is a note', async ({
    skip,
  }) => {
    skip(NO_BROWSER !== undefined, NO_BROWSER)
    await aPerson('hugo', 'Hugo Blank', [GROUP.internal, GROUP.helpdeskUser])
    const [customer] = await world.app.admin.ask<number[]>('res.partner', 'search', {
      domain: [['phone', '=', STRANGER]],
    })
    const ticket = await world.app.admin.ask<number>('helpdesk.ticket', 'create', {
      vals_list: { name: 'The part', partner_id: customer, partner_phone: STRANGER },
    })
    const [ada, hugo] = [await Visitor.open(browser, world.app.url), await Visitor.open(browser, world.app.url)]
    await hugo.signIn('hugo', '/tickets')
    await hugo.go(`/tickets/${ticket}`)
    await ada.signIn('ada', '/tickets')
    await ada.go(`/tickets/${ticket}`)
    const box = (name: string | RegExp) => ada.page.getByRole('textbox', { name })
    await box('Write an internal note').waitFor()
    expect(await hugo.page.getByText(/^SMS to/).count()).toBe(0)
    await ada.page.getByText(/^SMS to/).click()
    await box(/^SMS to/).fill('The part is here.')
    await ada.page.getByRole('button', { name: 'Send', exact: true }).click()
    for (const { page } of [ada, hugo]) {
      const text = page.getByRole('listitem').filter({ hasText: 'The part is here.' })
      await text.getByText(/SMS to .*0299 · ✓✓ delivered/).waitFor()
      await text.getByText('Ada Keller').waitFor()
    }
    await box('Write an internal note').waitFor()
    await box('Write an internal note').fill('Called, too')
    await ada.page.getByRole('button', { name: 'Add note', exact: true }).click()
    const note = hugo.page.getByRole('listitem').filter({ hasText: 'Called, too' })
    await note.waitFor()
    expect(await note.getByText(/SMS/).count()).toBe(0)
    await ada.go(`/contacts/${customer}`)
    const told = ada.page.getByRole('listitem').filter({ hasText: 'The part is here.' })
    await told.getByText(/Ada Keller · SMS to .*0299 · ✓✓ delivered/).waitFor()
    expect([...(await hugo.barriers()), ...ada.faults, ...hugo.faults]).toEqual([])
    await ada.close()
    await hugo.close()
  })

  it('one pane is shown at a time on a telephone, and Escape leads back', async ({ skip }) => {
    skip(NO_BROWSER !== undefined, NO_BROWSER)
    const visitor = await Visitor.open(browser, world.app.url, { width: 375, height: 700, colorScheme: 'dark' })
    const { page } = visitor
    await visitor.signIn('ada', '/messages')
    await row(page, /Xenia Lopez/).click()
    await said(page).getByText('We come tomorrow.', { exact: true }).first().waitFor()
    expect(await page.getByLabel('Name or number').isVisible()).toBe(false)
    expect(await visitor.isTooWide()).toBe(false)
    expect(await visitor.barriers()).toEqual([])
    await page.keyboard.press('Escape')
    await page.waitForURL(/\/messages$/)
    await page.getByLabel('Name or number').fill('4155550299')
    await row(page, /onerror/).waitFor()
    expect(await row(page, /Xenia Lopez/).count()).toBe(0)
    expect(await visitor.isTooWide()).toBe(false)
    expect([...(await visitor.barriers()), ...visitor.faults]).toEqual([])
    await visitor.close()
  })

  it('the filters stand in one line in German too', async ({ skip }) => {
    skip(NO_BROWSER !== undefined, NO_BROWSER)
    const visitor = await Visitor.open(browser, world.app.url, { language: 'de' })
    const { page } = visitor
    await page.route('**/connect.message/conversation_counts', async (route) => {
      await route.fulfill({ json: { open: 66, unread: 55, failed: 44, mine: 33 } })
    })
    await visitor.signIn('ada', '/messages')
    await page.getByRole('link', { name: 'Offen 66' }).waitFor()
    const names = ['Offen 66', 'Ungelesen 55', 'Fehler 44', 'Meine 33', 'Alle']
    const tops = names.map(async (name) => (await page.getByRole('link', { name, exact: true }).boundingBox())?.y)
    expect(new Set(await Promise.all(tops)).size).toBe(1)
    expect([...(await visitor.misdrawn()), ...visitor.faults]).toEqual([])
    await visitor.close()
  })

  it('a new message goes to a number, from one of ours, and says whose number it is', async ({ skip }) => {
    skip(NO_BROWSER !== undefined, NO_BROWSER)
    const wilma = { name: 'Wilma Stone', phone: '(415) 555-0288', country_id: 'US' }
    await world.app.admin.ask('res.partner', 'create', { vals_list: wilma })
    const visitor = await Visitor.open(browser, world.app.url)
    const { page } = visitor
    await visitor.signIn('ada', '/messages')
    const write = () => page.getByRole('button', { name: 'New message' }).first().click()
    const theirs = page.getByRole('textbox', { name: 'Number', exact: true })
    await write()
    await theirs.fill('somebody')
    await page.getByRole('button', { name: 'Continue', exact: true }).click()
    await page.getByText('Include the country code').waitFor()
    await page.locator('button[data-loading]').waitFor({ state: 'detached' })
    await theirs.fill('+1 415 555 0288')
    await page.getByRole('button', { name: 'Continue', exact: true }).click()
    await page.waitForURL(/\/messages\/sms\/[^/]+\/(?:\+|%2B)14155550288$/)
    await page.goto(`${world.app.url}/messages`)
    await write()
    await page.getByRole('combobox', { name: 'Contact' }).fill('Wilma')
    await page.getByRole('option', { name: 'Wilma Stone' }).click()
    await eventually(async () => (await theirs.inputValue()) !== '')
    await page.getByRole('button', { name: 'Continue', exact: true }).click()
    await page.waitForURL(/\/messages\/sms\/[^/]+\/(?:\+|%2B)14155550288$/)
    const whose = page.getByRole('complementary', { name: 'Contact' })
    await whose.getByRole('link', { name: 'Wilma Stone' }).waitFor()
    expect(await page.getByText('Unknown number').count()).toBe(0)
    await page.getByLabel('Write a message').fill('Good morning')
    await page.getByRole('button', { name: 'Send', exact: true }).click()
    await said(page).getByText('Good morning').first().waitFor()
    expect([...(await visitor.barriers()), ...visitor.faults]).toEqual([])
    await visitor.close()
  })

  it('before anything is written it is said that the account is missing, with the way to it', async ({ skip }) => {
    skip(NO_BROWSER !== undefined, NO_BROWSER)
    const visitor = await Visitor.open(browser, world.app.url)
    const { page } = visitor
    await visitor.signIn('ada', '/messages')
    const obstacle = () => page.getByRole('status').filter({ hasText: 'No message can be sent yet' })
    await setAuthToken(null)
    try {
      await visitor.go(`/messages/sms/${OURS}/${STRANGER}`)
      await page.getByLabel('Write a message').waitFor()
      await obstacle().waitFor()
      expect(await visitor.barriers()).toEqual([])
      await page.getByRole('button', { name: 'New message' }).first().click()
      await page.getByRole('dialog').getByRole('link', { name: 'Settings › Phone (Twilio)' }).click()
      await page.waitForURL(/\/settings\/phone$/)
      await page.getByLabel('Auth token', { exact: true }).waitFor()
    } finally {
      await setAuthToken(world.telco.account.authToken)
    }
    await visitor.go(`/messages/sms/${OURS}/${STRANGER}`)
    await page.getByLabel('Write a message').waitFor()
    await obstacle().waitFor({ state: 'detached' })
    expect(visitor.faults).toEqual([])
    await visitor.close()
  })

  it('the bell says what is new, leads there, and the rail counts what is unread', async ({ skip }) => {
    skip(NO_BROWSER !== undefined, NO_BROWSER)
    const { admin } = world.app
    const [ada] = await admin.ask<{ id: number }[]>('res.users', 'search_read', {
      domain: [['login', '=', 'ada']],
      fields: ['id'],
    })
    const ticket = await admin.ask<number>('helpdesk.ticket', 'create', {
      vals_list: { name: HOSTILE, user_id: ada?.id },
    })
    await world.telco.text({ from: '+14155550277', to: OURS, body: 'Somebody there?' })
    const visitor = await Visitor.open(browser, world.app.url)
    const { page } = visitor
    await visitor.signIn('ada', '/me')
    await page.getByRole('link', { name: /^Messages \d+ unread$/ }).waitFor()
    await page.getByRole('button', { name: /^Notices \d+$/ }).click()
    const list = page.getByRole('region', { name: 'Notices' })
    await list.getByText('Assigned to you').first().waitFor()
    expect([...(await visitor.barriers()), ...visitor.faults]).toEqual([])
    await list
      .getByRole('button', { name: /onerror/ })
      .first()
      .click()
    await page.waitForURL(new RegExp(`/tickets/${ticket}$`))
    const unread = await world.app.db.query(
      sql`select id from connect_notice where res_id = ${ticket}::bigint and kind = 'assigned' and read_at is null`,
    )
    expect(unread).toEqual([])
    expect(visitor.faults).toEqual([])
    await visitor.close()
  })
})
