// An installation from the printed link to its first call: the administrator, the eight steps, who is invited, and a SYNC
// while somebody is with an agent.
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Emulators } from '../../emulators/start.ts'
import { setupToken } from '../../src/platform/identity/session-routes.ts'
import { aCall } from '../fixtures/records.ts'
import { openBrowser, whyNoBrowser } from '../support/browser.ts'
import type { TestApp } from '../support/test-app.ts'
import { type NewInstallation, NUMBER, PUBLIC_URL, startNewInstallation } from './new-installation.ts'
import { BROWSER_MS, PASSWORD, Visitor } from './visitor.ts'

const NO_BROWSER = whyNoBrowser()

let installation: NewInstallation
let emulators: Emulators
let app: TestApp
let browser: Browser

beforeAll(async () => {
  installation = await startNewInstallation()
  app = installation.app
  emulators = installation.emulators
  if (NO_BROWSER === undefined) browser = await openBrowser()
}, BROWSER_MS)
afterAll(async () => {
  await browser?.close()
  await installation.stop()
})

function field(page: Page, name: string) {
  return page.getByRole('textbox', { name, exact: true })
}

/** Saves what was typed in the card of the step. */
async function save(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Save', exact: true }).click()
}

async function goOn(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Continue' }).click()
}

/** Waits until the run of a provider has gone well. */
async function inSync(page: Page, provider: string): Promise<void> {
  const card = page.getByRole('region', { name: provider, exact: true })
  await card.getByText('Everything is in sync.').waitFor()
}

describe('a fresh installation', { timeout: BROWSER_MS }, () => {
  it('the printed link makes the first administrator, the eight steps prove themselves, and a played call ends on its page', async ({
    skip,
  }) => {
    skip(NO_BROWSER !== undefined, NO_BROWSER)
    const visitor = await Visitor.open(browser, app.url)
    const { page } = visitor
    const link = `/setup#token=${setupToken(app.app)}`
    await visitor.go('/')
    await page.getByRole('heading', { name: 'No one can sign in yet' }).waitFor()
    await visitor.go(link)
    await page.getByLabel('Name').fill('Ada Keller')
    await page.getByLabel('Login').fill('ada')
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
    const barriers = await visitor.barriers()
    await page.getByRole('button', { name: 'Create' }).click()
    await page.waitForURL(/\/settings\/set-up/)
    await page.getByRole('link', { name: /^5 .* to do$/ }).waitFor()
    await page.getByRole('navigation', { name: 'Pages' }).getByRole('button', { name: 'Ada Keller' }).waitFor()

    // Nothing is found fault with before somebody begins.
    expect(await page.getByText('Still missing').count()).toBe(0)
    await field(page, 'Company').fill('Miller & Sons')
    await page.getByRole('combobox', { name: 'Country' }).fill('UK')
    await page.getByRole('option', { name: 'United Kingdom' }).waitFor()
    // Who types on does not lose what Enter was to take.
    await page.getByRole('combobox', { name: 'Country' }).fill('Switzer')
    await page.keyboard.press('Enter')
    await field(page, 'Company').focus()
    await page.waitForFunction(
      () => document.querySelector<HTMLInputElement>('[data-field=country_id] input')?.value === 'Switzerland',
    )
    // The zone of the browser is proposed, and any other is found by its city.
    expect(await page.getByRole('combobox', { name: 'Time zone' }).inputValue()).toBe('Europe/Zurich')
    await page.getByRole('combobox', { name: 'Time zone' }).click()
    await page.keyboard.type('zürich')
    await page.getByRole('option', { name: 'Europe/Zurich' }).click()
    // So is the language of the reader for callers; these speak another.
    const callers = page.getByRole('combobox', { name: "Callers' language" })
    expect(await callers.inputValue()).toBe('English (United Kingdom)')
    await callers.click()
    await page.getByRole('option', { name: 'German', exact: true }).click()
    await save(page)
    await page.getByRole('link', { name: /^2 .* done$/ }).waitFor()
    await page.getByRole('button', { name: 'Save', exact: true, disabled: true }).waitFor()
    barriers.push(...(await visitor.barriers()))
    await goOn(page)
    await field(page, 'Public address').waitFor()
    await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Now' }).click()
    await page.getByRole('region', { name: 'Set up Connect' }).getByRole('link', { name: /^3 / }).click()

    await field(page, 'Public address').fill('pbx.example.com')
    await save(page)
    await page
      .locator('[data-field=api_url]')
      .getByText(/^"Public address" must be an address/)
      .waitFor()
    await field(page, 'Public address').fill('http://pbx.example.com')
    await save(page)
    await page.getByText('It is not https').waitFor()
    await field(page, 'Public address').fill(PUBLIC_URL)
    await save(page)
    await page.getByText('reach this service.').waitFor()
    await page.getByRole('link', { name: /^3 .* done$/ }).waitFor()
    await goOn(page)

    await field(page, 'Account SID').fill(emulators.telco.account.sid)
    await page.getByLabel('Auth token', { exact: true }).fill('0'.repeat(32))
    await save(page)
    await page.getByText(/check the Account SID and the Auth Token/).waitFor()
    await page.getByRole('button', { name: 'Replace: Auth token' }).click()
    await page.getByLabel('Auth token', { exact: true }).fill(emulators.telco.account.authToken)
    await save(page)
    await page.getByText(/^● Connected\. Balance: /).waitFor()
    await page.getByRole('link', { name: /^4 .* done$/ }).waitFor()
    // Left and taken up again: the address says where.
    await page.reload()
    await goOn(page)

    await page.getByLabel('API key', { exact: true }).fill(emulators.voiceai.workspace.apiKey)
    // Anyone who enters the key need not switch on what it is for.
    expect(await page.getByRole('switch', { name: 'Use voice agents' }).isChecked()).toBe(true)
    await save(page)
    await page.getByText('Connected').waitFor()
    await page.getByRole('link', { name: /^5 .* done$/ }).waitFor()
    await goOn(page)

    // That everything differs before the first time is no news.
    await page.getByText('Not synced yet').nth(1).waitFor()
    expect(await page.getByText(/^Differs from/).count()).toBe(0)
    await page.getByRole('button', { name: 'Sync both' }).click()
    await inSync(page, 'Phone (Twilio)')
    await inSync(page, 'Voice agents')
    await page.getByRole('link', { name: /^6 .* done$/ }).waitFor()
    await goOn(page)

    // Nothing answers the number, and nothing is proposed.
    await page.getByRole('button', { name: 'Save', exact: true, disabled: true }).waitFor()
    await page.getByRole('combobox', { name: 'Answered by' }).click()
    await page.getByRole('option', { name: 'A sentence' }).click()
    expect(await page.getByRole('combobox', { name: 'Language of announcements' }).inputValue()).toBe('German')
    await field(page, 'Sentence').fill('We are glad that you call.')
    await save(page)
    await page.getByText(/^Welcome now answers/).waitFor()
    const welcome = { domain: [['name', '=', 'Welcome']], fields: ['language'] }
    expect(await app.admin.ask('connect.telco.callflow', 'search_read', welcome)).toMatchObject([{ language: 'de-DE' }])
    // Which does not count: no telephone was involved.
    await aCall(app, {
      status: 'completed',
      summary: 'Simulated by connect simulate call --record: no telephone was involved.',
    })
    await goOn(page)

    barriers.push(...(await visitor.barriers()))
    await page.getByRole('link', { name: /^8 .* to do$/ }).waitFor()
    await page.getByText("can't be dialled from a phone").waitFor()
    await page.getByRole('button', { name: 'Try a call' }).click()
    await page.waitForURL(/\/calls\/\d+$/)
    await page.getByText('0:00', { exact: true }).first().waitFor()
    await visitor.go('/settings/set-up')
    await page.getByText('Everything is set up').waitFor()
    await visitor.go('/settings/checks')
    await page.getByText('Not run yet.').waitFor()
    await page.getByRole('button', { name: 'Run checks' }).click()
    await page.getByText('is not checked: Twilio and ElevenLabs are emulated on this machine').waitFor()
    await page.getByText('No problems').waitFor()
    barriers.push(...(await visitor.barriers()))
    await app.admin.ask('connect.settings', 'write', { ids: [1], vals: { telco_verify_requests: false } })
    await page.getByRole('button', { name: 'Run again' }).click()
    const wrong = page.getByRole('listitem').filter({ hasText: 'anyone can send call events' })
    await wrong.waitFor()
    await wrong.getByRole('link', { name: 'Fix' }).click()
    await page.getByRole('switch', { name: 'Verify webhooks' }).waitFor()
    await app.admin.ask('connect.settings', 'write', { ids: [1], vals: { telco_verify_requests: true } })
    await visitor.go(link)
    await page.getByRole('heading', { name: 'This link has already been used' }).waitFor()
    expect(await page.locator('form').count()).toBe(0)
    await visitor.go('/api/docs')
    await page.getByText('POST /api/sign-in', { exact: true }).waitFor()
    expect(barriers).toEqual([])
    expect(visitor.faults).toEqual([])
    await visitor.close()
  })

  it('somebody who is invited chooses a password in their own browser, and the link is used up', async ({ skip }) => {
    skip(NO_BROWSER !== undefined, NO_BROWSER)
    const ada = await Visitor.open(browser, app.url)
    await ada.signIn('ada', '/settings/people')
    await ada.page.getByRole('button', { name: 'Invite someone' }).click()
    await ada.page.getByLabel('Name').fill('Eve Stone')
    await ada.page.getByLabel('Login').fill('eve')
    await ada.page.getByLabel('Connect user').check()
    expect(await ada.barriers()).toEqual([])
    await ada.page.getByRole('button', { name: 'Create link' }).click()
    const dialog = ada.page.getByRole('dialog', { name: 'Link for Eve Stone' })
    const link = await dialog.getByRole('textbox').inputValue()
    expect(new URL(link).origin).toBe(app.url)
    await dialog.getByText("is an example, so its link doesn't work.").waitFor()
    expect(await ada.barriers()).toEqual([])
    await ada.page.getByRole('button', { name: 'Close' }).click()
    await ada.page.getByText(/^invited until/).waitFor()
    const { pathname, hash } = new URL(link)

    const eve = await Visitor.open(browser, app.url)
    await eve.go(`${pathname}${hash}`)
    await eve.page.getByRole('heading', { name: 'Welcome, Eve Stone' }).waitFor()
    await eve.page.getByText('work with calls, messages and contacts').waitFor()
    expect(await eve.page.getByRole('combobox', { name: 'Time zone' }).inputValue()).toBe('Europe/Zurich')
    expect([...(await eve.barriers()), await eve.isTooWide()]).toEqual([false])
    await eve.page.getByLabel('Choose a password').fill('short')
    await eve.page.getByRole('button', { name: 'Continue' }).click()
    await eve.page.getByText('must have 12 to 200 characters').waitFor()
    await eve.page.getByLabel('Choose a password').fill(PASSWORD)
    await eve.page.getByRole('button', { name: 'Continue' }).click()
    await eve.page.waitForURL(/\/now$/)
    await eve.go(`${pathname}${hash}`)
    await eve.page.getByRole('heading', { name: "This link isn't valid" }).waitFor()
    // Before she is deactivated it is said whose calls still ring her phone.
    const [user] = await app.admin.ask<number[]>('res.users', 'search', { domain: [['login', '=', 'eve']] })
    const phone = await app.admin.ask<number>('connect.user', 'create', {
      vals_list: { user, client_enabled: false, mobile_enabled: true, mobile_number: '+41795550177' },
    })
    await app.admin.ask('connect.telco.exten', 'create', { vals_list: { number: '177', dst: `connect.user,${phone}` } })
    await ada.page.getByRole('button', { name: 'Actions for Eve Stone' }).click()
    await ada.page.getByRole('menuitem', { name: 'Deactivate' }).click()
    const question = ada.page.getByRole('dialog', { name: 'Deactivate Eve Stone?' })
    await question.getByText('Calls still ring their phones: 177.').waitFor()
    expect(await question.getByRole('link').getAttribute('href')).toBe(`/records/connect.user/${phone}`)
    expect(await ada.barriers()).toEqual([])
    await question.getByRole('button', { name: 'Cancel' }).click()
    expect([...eve.faults, ...ada.faults, ...(await eve.barriers())]).toEqual([])
    await eve.close()
    await ada.close()
  })

  it('a SYNC counts who is with an agent, waits, and shows its steps in a second tab; no secret is on a page or in an answer', async ({
    skip,
  }) => {
    skip(NO_BROWSER !== undefined, NO_BROWSER)
    const visitor = await Visitor.open(browser, app.url)
    const { page } = visitor
    const answers: string[] = []
    page.on(
      'response',
      (response) =>
        void response.text().then(
          (text) => answers.push(text),
          () => undefined,
        ),
    )
    await visitor.signIn('ada', '/settings/phone')
    await page.getByText(/^set .* by Ada Keller$/).waitFor()
    await visitor.go('/settings/voice-agents')
    await page.getByText(/^set .* by Ada Keller$/).waitFor()

    const call = await callWithAgent()
    await visitor.go('/settings/synchronise')
    const second = await page.context().newPage()
    await second.goto(`${app.url}/settings/synchronise`)
    const agents = (of: Page) => of.getByRole('region', { name: 'Voice agents', exact: true })
    await agents(second).getByText('Everything is in sync.').waitFor()
    await breakOneTool()
    await agents(page).getByRole('button', { name: 'Sync now' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('1 call is with an agent right now.').waitFor()
    await dialog.getByRole('button', { name: 'Wait for the calls to end' }).click()
    await dialog.getByText('Waiting for 1 call to end').waitFor()
    expect(await runs()).toBe(1)
    await app.db.script(`update connect_call set status = 'completed' where id = ${call}`)
    await dialog.waitFor({ state: 'detached' })
    for (const tab of [page, second]) {
      await agents(tab)
        .getByText(/tools\s*12\/12/)
        .waitFor()
      const problem = agents(tab).getByRole('list', { name: 'Out of sync' }).getByRole('listitem')
      await problem.getByRole('link', { name: 'helpdesk_create_ticket:' }).waitFor()
    }
    expect(await visitor.barriers()).toEqual([])
    const secrets = [emulators.telco.account.authToken, emulators.voiceai.workspace.apiKey, await agentToken()]
    const shown = [await page.content(), await second.content(), ...answers].join('\n')
    for (const secret of secrets) expect(shown).not.toContain(secret)
    expect(shown).toContain('****')
    // A run is read as tables, not as what a program writes.
    await agents(page).getByRole('link', { name: 'Details' }).first().click()
    await page.getByRole('columnheader', { name: 'Total', exact: true }).first().waitFor()
    await page.getByRole('row').filter({ hasText: 'helpdesk_create_ticket' }).first().waitFor()
    expect(await page.locator('#page').textContent()).not.toMatch(/[{}]/)
    expect(await page.getByRole('button', { name: 'Cancel' }).count()).toBe(0)
    expect(await visitor.barriers()).toEqual([])
    expect(visitor.faults).toEqual([])
    await visitor.close()
  })
})

/** A call that is handed to an agent and goes on. */
async function callWithAgent(): Promise<number> {
  const { admin, db } = app
  const [voice] = await admin.ask<number[]>('connect.voiceai_voice', 'search', { limit: 1 })
  const agent = await admin.ask<number>('connect.voiceai_agent', 'create', {
    vals_list: { name: 'Helpdesk', prompt: 'You are the helpdesk.', voice },
  })
  const call = await admin.ask<number>('connect.call', 'create', {
    vals_list: { caller: '+14155550213', called: NUMBER, direction: 'incoming', status: 'in-progress' },
  })
  await db.script(`update connect_call set voiceai_agent = ${agent} where id = ${call}`)
  return call
}

/** The platform refuses one tool from now on. */
async function breakOneTool(): Promise<void> {
  await app.db.script(`update connect_voiceai_agent_tool set name = 'helpdesk_create_ticket', response_timeout_secs = 100000
    where name = 'helpdesk_create_ticket'`)
}

async function runs(): Promise<number> {
  return app.admin.ask<number>('connect.sync_run', 'search_count', {
    domain: [
      ['area', '=', 'voiceai'],
      ['kind', '=', 'sync'],
    ],
  })
}

async function agentToken(): Promise<string> {
  const { voiceaiAgentToken: token } = await app.app.platform.settings.get()
  return token ?? ''
}
