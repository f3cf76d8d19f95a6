// Somebody works in a browser: from signing in to a moved ticket, with what strangers wrote shown as text.
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { SCENARIOS } from '../../emulators/scenarios/catalogue.ts'
import { runScenario } from '../../emulators/scenarios/scenario.ts'
import { startWorld, type TestWorld } from '../emulators/scenario-world.ts'
import { openBrowser, whyNoBrowser } from '../support/browser.ts'
import { eventually, TestApp } from '../support/test-app.ts'
import { BROWSER_MS, firstAdministrator, PASSWORD, pageIsBuilt, Visitor } from './visitor.ts'

const NO_BROWSER = whyNoBrowser()
const PLAYED = ['agent-helpdesk', 'missed-call', 'sms', 'whatsapp']
const HOSTILE = '<img src=x onerror=alert(1)> "><script>alert(2)</script>'
const ROUTES_MS = 400_000
/** Below it a page is laid out for a phone, where words and buttons have the least room. */
const NARROW_PX = 400
const ON_PHONES = [
  '/calls/999999999',
  '/contacts/duplicates',
  '/messages?show=unread',
  '/deliveries/inbox',
  '/deliveries/jobs',
  ...['phone', 'voice-agents', 'messages', 'calls', 'groups', 'sign-in', 'keys', 'privacy', 'checks', 'trace'].map(
    (part) => `/settings/${part}`,
  ),
  '/records/connect.telco.callflow/new',
  '/records/connect.telco.business_hours/new',
  '/records/connect.user',
]

/** A button that can be pressed is pressed by then. */
const PRESS_MS = 10_000

let world: TestWorld
let browser: Browser
/** The contact with the hostile name, and a ticket and a message of theirs. */
let hostile: number

beforeAll(async () => {
  world = await startWorld({}, { PAGE: 'on' })
  await firstAdministrator(world.app, 'ada')
  for (const scenario of SCENARIOS.filter(({ name }) => PLAYED.includes(name))) {
    const { complaints } = await runScenario(scenario, world)
    expect(complaints).toEqual([])
  }
  hostile = await leaveHostileText()
  await pageIsBuilt(world.app)
  if (NO_BROWSER === undefined) browser = await openBrowser()
}, BROWSER_MS)
afterAll(async () => {
  await browser?.close()
  await world.stop()
})

async function leaveHostileText(): Promise<number> {
  const { admin } = world.app
  const id = await admin.ask<number>('res.partner', 'create', {
    vals_list: { name: HOSTILE, comment: HOSTILE, phone: '+41313808316' },
  })
  await admin.ask('res.partner', 'message_post', { ids: [id], body: `${HOSTILE} javascript:alert(3)` })
  await admin.ask('helpdesk.ticket', 'create', { vals_list: { name: HOSTILE, description: HOSTILE, partner_id: id } })
  await admin.ask('connect.call', 'create', {
    vals_list: {
      caller: '+41313808316',
      called: '+14155550110',
      direction: 'incoming',
      status: 'no-answer',
      partner: id,
    },
  })
  return id
}

async function newestId(model: string, domain: unknown[] = []): Promise<number> {
  const [id] = await world.app.admin.ask<number[]>(model, 'search', { domain, order: 'id desc', limit: 1 })
  return id ?? 0
}

it(
  'a fresh installation says how the first administrator is made, and shows the link to nobody',
  async ({ skip }) => {
    skip(NO_BROWSER !== undefined, NO_BROWSER)
    const fresh = await TestApp.start({ env: { PAGE: 'on' } })
    await pageIsBuilt(fresh)
    const visitor = await Visitor.open(browser, fresh.url)
    await visitor.go('/now')
    await visitor.page.getByRole('heading', { name: 'No one can sign in yet' }).waitFor()
    expect(await visitor.page.content()).not.toContain('token=')
    expect([...(await visitor.barriers()), ...visitor.faults]).toEqual([])
    await visitor.close()
    await fresh.stop()
  },
  BROWSER_MS,
)

describe('in a browser', { timeout: BROWSER_MS }, () => {
  it('somebody signs in, sees the present, opens a call, and signs out', async ({ skip }) => {
    skip(NO_BROWSER !== undefined, NO_BROWSER)
    const visitor = await Visitor.open(browser, world.app.url)
    const { page } = visitor
    await visitor.go('/calls?outcome=agent')
    await page.getByLabel('Login').fill('ada')
    await page.getByLabel('Password', { exact: true }).fill('not the password')
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByText('The login or the password is wrong.').waitFor()
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.waitForURL(/\/calls\?outcome=agent$/)
    await page.getByRole('img', { name: /^agent 0:\d\d$/ }).waitFor()
    await page.keyboard.press('g')
    await page.keyboard.press('n')
    await page.getByRole('heading', { name: 'No one is on the line.' }).waitFor()
    await page.getByRole('link', { name: /Yara Novak/ }).waitFor()
    await page.getByRole('link', { name: /by voice agents$/ }).click()
    await page.getByRole('row', { name: /Zoe Miller/ }).click()
    await page.getByText('The boiler leaks. A ticket').waitFor()
    await page.getByText('0:00', { exact: true }).first().waitFor()
    await page.getByRole('tab', { name: 'Conversation' }).click()
    await page.getByText('My boiler leaks.').waitFor()
    await page.reload()
    await page.getByText('My boiler leaks.').waitFor()
    await page.getByRole('link', { name: /^#\d+ Leaking boiler/ }).waitFor()
    await page.getByRole('button', { name: 'ada' }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await page.waitForURL(/\/sign-in$/)
    expect(visitor.faults).toEqual([])
    await visitor.close()
  })

  it('somebody is found by a badly written number, and messages go out', async ({ skip }) => {
    skip(NO_BROWSER !== undefined, NO_BROWSER)
    const visitor = await Visitor.open(browser, world.app.url)
    const { page } = visitor
    await visitor.signIn('ada', '/messages')
    await page.getByRole('link', { name: /Xenia Lopez/ }).click()
    await page.getByLabel('Write a message').fill('On our way.')
    await page.getByRole('button', { name: 'Send', exact: true }).click()
    await page.getByRole('list', { name: 'Messages' }).getByText('On our way.').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('heading', { name: 'Messages' }).click()
    await page.keyboard.press('/')
    await page.getByPlaceholder('Name, number, ticket, call').fill('0041 (31) 380')
    await page.getByRole('dialog').getByText(HOSTILE).first().waitFor()
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/contacts\/\d+$/)
    expect(visitor.faults).toEqual([])
    await visitor.close()
  })

  it('what a stranger wrote is text on every page', async ({ skip }) => {
    skip(NO_BROWSER !== undefined, NO_BROWSER)
    const visitor = await Visitor.open(browser, world.app.url)
    const { page } = visitor
    await visitor.signIn('ada')
    const call = await newestId('connect.call')
    const ticket = await newestId('helpdesk.ticket', [['partner_id', '=', hostile]])
    for (const route of [
      '/now',
      '/calls',
      `/calls/${call}`,
      '/tickets',
      '/tickets?as=list',
      `/tickets/${ticket}`,
      '/contacts',
      `/contacts/${hostile}`,
      '/records/res.partner',
      `/records/res.partner/${hostile}`,
      `/records/helpdesk.ticket/${ticket}`,
    ]) {
      await visitor.visit(route)
      await eventually(() =>
        page.evaluate(() =>
          `${document.body.innerText} ${[...document.querySelectorAll('input,textarea')].map((each) => (each as HTMLInputElement).value).join(' ')}`.includes(
            'onerror=alert(1)',
          ),
        ),
      )
      expect(await page.locator('img[src="x"], main script, a[href^="javascript:"]').count(), route).toBe(0)
    }
    expect(visitor.faults).toEqual([])
    await visitor.close()
  })

  it('a record of any kind is changed, and the refusal of the service stands at its field', async ({ skip }) => {
    skip(NO_BROWSER !== undefined, NO_BROWSER)
    const visitor = await Visitor.open(browser, world.app.url)
    const { page } = visitor
    await visitor.signIn('ada', '/records')
    await page.getByLabel('Filter').fill('res.partner')
    await page.getByRole('link', { name: 'Contact', exact: true }).click()
    await page.getByRole('link', { name: 'New' }).click()
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Kim Brand')
    await page.getByRole('textbox', { name: 'Phone', exact: true }).fill('no number')
    await page.getByRole('button', { name: 'Save' }).click()
    await page
      .locator('[data-field=phone]')
      .getByText(/phone number/)
      .waitFor()
    await page.getByRole('textbox', { name: 'Phone', exact: true }).fill('')
    await page.getByRole('combobox', { name: 'Language' }).fill('German')
    await page
      .getByRole('option', { name: /German/ })
      .first()
      .click()
    await page.getByRole('combobox', { name: 'Time zone' }).fill('zurich')
    await page.getByRole('option', { name: 'Europe/Zurich' }).click()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.waitForURL(/\/records\/res\.partner\/\d+$/)
    await page.getByRole('heading', { name: 'Kim Brand' }).waitFor()
    await page.getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await page.waitForURL(/\/records\/res\.partner$/)
    expect(visitor.faults).toEqual([])
    await visitor.close()
  })

  it('a session that has ended asks for the password where one is, and what was typed stays', async ({ skip }) => {
    skip(NO_BROWSER !== undefined, NO_BROWSER)
    const visitor = await Visitor.open(browser, world.app.url)
    const { page } = visitor
    const ticket = await newestId('helpdesk.ticket')
    await visitor.signIn('ada', `/tickets/${ticket}`)
    await page.getByLabel('Write an internal note').fill('Half a sentence')
    await world.app.db.script('delete from res_users_session')
    const veil = page.getByRole('dialog', { name: 'You have been signed out' })
    // The page may ask for something by itself before, and be veiled by then.
    const press = page.getByRole('button', { name: 'Add note' }).click({ timeout: PRESS_MS })
    await press.catch(() => veil.waitFor())
    await veil.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await veil.getByRole('button', { name: 'Sign in' }).click()
    await veil.waitFor({ state: 'detached' })
    expect(await page.getByLabel('Write an internal note').inputValue()).toBe('Half a sentence')
    await page.getByRole('button', { name: 'Add note' }).click()
    await page.getByRole('article').getByText('Half a sentence').waitFor()
    expect(visitor.faults).toEqual([])
    await visitor.close()
  })

  it('what one may not do is not drawn, and an address says for whom it is', async ({ skip }) => {
    skip(NO_BROWSER !== undefined, NO_BROWSER)
    const { userId } = await world.app.person(['connect.group_user'], { login: 'eve' })
    await world.app.admin.ask('res.users', 'write', { ids: [userId], vals: { password: PASSWORD } })
    const visitor = await Visitor.open(browser, world.app.url)
    const { page } = visitor
    await visitor.signIn('eve')
    const rail = page.getByRole('navigation', { name: 'Pages' })
    await rail.getByRole('link', { name: 'Calls' }).waitFor()
    expect(await rail.getByRole('link', { name: /Tickets|Webhooks|Settings/ }).count()).toBe(0)
    await visitor.go('/deliveries')
    await page.getByText('Only Connect administrators can see webhooks.').waitFor()
    await page.getByText(/You're a Connect user\. .*Ada Keller.* can give you access\./).waitFor()
    await visitor.go(`/calls/${await newestId('connect.call')}`)
    await page.getByText('Not found, or not shared with you.').waitFor()
    await visitor.go('/no/such/page')
    await page.getByRole('heading', { name: 'Page not found.' }).waitFor()
    await rail.getByRole('link', { name: 'Calls' }).click()
    await page.waitForURL(/\/calls$/)
    expect(visitor.faults).toEqual([])
    await visitor.close()
  })

  it('the audit says in words who changed what, and shows the names that programs use when they are asked for', async ({
    skip,
  }) => {
    skip(NO_BROWSER !== undefined, NO_BROWSER)
    const { admin } = world.app
    const stage = await admin.ask<number>('helpdesk.stage', 'create', { vals_list: { name: 'Waiting' } })
    await admin.ask('helpdesk.stage', 'write', { ids: [stage], vals: { name: HOSTILE, fold: true } })
    await admin.ask('helpdesk.stage', 'unlink', { ids: [stage] })
    const ids = await world.app.groupIds(['helpdesk.group_user'])
    for (const given of [true, false]) await admin.ask('res.groups', 'agent_calls', { ids, given })
    const visitor = await Visitor.open(browser, world.app.url)
    const { page } = visitor
    await visitor.signIn('ada', '/settings/audit')
    const entry = (deed: string) => page.getByRole('listitem').filter({ hasText: ` · ${deed}` })
    // Not the name that programs have for it, though no form has a button of that name.
    await entry('Calls of agents').first().waitFor()
    await page.getByRole('combobox', { name: 'Type' }).fill('Helpdesk stage')
    await page.getByRole('option', { name: 'Helpdesk stage' }).click()
    await page.waitForURL(/kind=helpdesk\.stage/)
    await entry('deleted').waitFor()
    await entry('changed').getByText('Closed').waitFor()
    await entry('changed').getByText('No → Yes').waitFor()
    await entry('changed').getByText(`Waiting → ${HOSTILE}`).waitFor()
    expect(await entry('changed').getByText(`helpdesk.stage ${stage} write`).isVisible()).toBe(false)
    await entry('changed').getByText('Details').click()
    await entry('changed').getByText(`helpdesk.stage ${stage} write`).waitFor()
    await page.getByRole('combobox', { name: 'Action' }).click()
    await page.getByRole('option', { name: 'created' }).click()
    await entry('changed').waitFor({ state: 'detached' })
    await entry('created').waitFor()
    expect([...(await visitor.barriers()), ...visitor.faults]).toEqual([])
    await visitor.close()
  })

  it('a page that could not be loaded names the request, as the log of the service does', async ({ skip }) => {
    skip(NO_BROWSER !== undefined, NO_BROWSER)
    const visitor = await Visitor.open(browser, world.app.url)
    const { page } = visitor
    await visitor.signIn('ada')
    let request = ''
    await page.route('**/connect.call/search_read', async (route) => {
      const answer = await route.fetch()
      request = answer.headers()['x-request-id'] ?? ''
      await route.fulfill({ response: answer, status: 500, json: { message: 'It broke.' } })
    })
    await visitor.go('/calls')
    await page.getByText("Couldn't load this.").waitFor()
    expect(request).toMatch(/^[\da-f-]{36}$/)
    await page.getByRole('button', { name: `Copy the request ${request.slice(0, 8)}` }).waitFor()
    expect([...(await visitor.barriers()), ...visitor.faults]).toEqual([])
    await visitor.close()
  })
})

/** What only programs read: moments in UTC, names of fields and models, JSON, words of a programming language. */
const OF_PROGRAMS =
  /\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d|\bUTC\b|\b[a-z]\w*_[a-z]\w*|[{}]|\[\[|\b(?:connect|helpdesk|res|calendar|mail)\.[a-z]\w*|\b(?:True|False|null|undefined|NaN)\b|\[object/g

/**
 * What of that stands on the page outside of ids, addresses and what is called raw; names that people and providers gave are theirs,
 * and so is what callers and agents said.
 */
async function programWords(page: Page, names: readonly string[]): Promise<string[]> {
  const texts = await page.evaluate(() => {
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    const found: string[] = []
    while (walker.nextNode()) {
      const { parentElement: parent, data } = walker.currentNode as Text
      if (parent === null || !parent.checkVisibility() || parent.closest('code, pre, .mono, [data-told]') !== null)
        continue
      found.push(data)
    }
    return found
  })
  return texts
    .flatMap((text) => [...text.matchAll(OF_PROGRAMS)].map(([word]) => word))
    .filter((word) => !names.includes(word))
}

/** The tools of voice agents are called as their platform wants it. */
async function givenNames(): Promise<string[]> {
  const tools = await world.app.admin.ask<{ name: string }[]>('connect.voiceai_agent_tool', 'search_read', {
    fields: ['name'],
  })
  return tools.map(({ name }) => name)
}

it(
  'no page of the helpdesk, or of somebody who only phones, says what only programs read',
  async ({ skip }) => {
    skip(NO_BROWSER !== undefined, NO_BROWSER)
    const names = await givenNames()
    const ticket = await newestId('helpdesk.ticket')
    const said: string[] = []
    for (const { login, group, routes } of [
      {
        login: 'hugo',
        group: 'helpdesk.group_user',
        routes: [
          '/tickets',
          `/tickets/${ticket}`,
          `/records/helpdesk.ticket/${ticket}`,
          `/contacts/${hostile}`,
          '/calls',
          '/me',
        ],
      },
      {
        login: 'phil',
        group: 'connect.group_user',
        routes: [
          '/now',
          '/calls',
          '/messages',
          `/contacts/${hostile}`,
          '/records/calendar.event/new',
          '/records',
          '/me',
        ],
      },
    ]) {
      const { userId } = await world.app.person([group], { login })
      await world.app.admin.ask('res.users', 'write', { ids: [userId], vals: { password: PASSWORD } })
      const visitor = await Visitor.open(browser, world.app.url)
      await visitor.signIn(login, routes[0])
      for (const route of routes) {
        await visitor.visit(route)
        await visitor.page.locator('main h1, main [role=status] p').first().waitFor()
        said.push(...(await programWords(visitor.page, names)).map((word) => `${login} ${route} ${word}`))
      }
      expect(visitor.faults).toEqual([])
      await visitor.close()
    }
    expect(said).toEqual([])
  },
  ROUTES_MS,
)

/** Pages that are looked at on a phone alone, beside those that are looked at everywhere. */
function narrowRoutes(width: number): string[] {
  return width < NARROW_PX ? [...ON_PHONES, `/contacts/${hostile}?tab=calls`] : []
}

describe.each([
  { width: 1280, colorScheme: 'light', language: 'en', by: 'go' },
  { width: 1280, colorScheme: 'dark', language: 'de', by: 'visit' },
  { width: 375, colorScheme: 'light', language: 'de', by: 'visit' },
  { width: 375, colorScheme: 'dark', language: 'en', by: 'visit' },
] as const)('pages at $width px in the $colorScheme, in $language', { timeout: ROUTES_MS }, (look) => {
  it('no page keeps anybody from using it, is wider than its window, or says what only programs read', async ({
    skip,
  }) => {
    skip(NO_BROWSER !== undefined, NO_BROWSER)
    const visitor = await Visitor.open(browser, world.app.url, look)
    const { page } = visitor
    await visitor.go('/sign-in')
    await page.getByLabel(/^(?:Login|Anmeldename)$/).waitFor()
    const barriers = [...(await visitor.barriers())]
    await visitor.signIn('ada')
    const [call, ticket] = [
      await newestId('connect.call', [['voiceai_agent', '!=', null]]),
      await newestId('helpdesk.ticket'),
    ]
    const delivery = await newestId('connect.delivery')
    const names = await givenNames()
    for (const route of [
      '/now',
      '/calls',
      `/calls/${call}`,
      `/calls/${call}?tab=transcript`,
      `/calls/${call}?tab=about`,
      '/tickets',
      '/tickets?as=list',
      `/tickets/${ticket}`,
      '/contacts',
      `/contacts/${hostile}`,
      '/messages',
      '/deliveries',
      `/deliveries?open=${delivery}`,
      '/settings/set-up',
      '/settings/address',
      '/settings/people',
      '/settings/synchronise',
      '/settings/audit',
      '/me',
      '/records',
      '/records/connect.voiceai_agent',
      `/records/connect.telco.number/${await newestId('connect.telco.number')}`,
      '/records/res.partner/new',
      '/records/calendar.event/new',
      '/records/connect.sync_run',
      `/records/connect.sync_run/${await newestId('connect.sync_run')}`,
      '/no/such/page',
      ...narrowRoutes(look.width),
    ]) {
      await visitor[look.by](route)
      await page.waitForLoadState('networkidle')
      await page.locator('main h1, main [role=status] p').first().waitFor()
      barriers.push(...(await visitor.barriers()).map((each) => `${route} ${each}`))
      barriers.push(...(await visitor.misdrawn()).map((each) => `${route} ${each}`))
      const said = await programWords(page, names)
      barriers.push(...said.map((word) => `${route} says ${word}`))
    }
    expect(barriers).toEqual([])
    expect(visitor.faults).toEqual([])
    await visitor.close()
  })
})
