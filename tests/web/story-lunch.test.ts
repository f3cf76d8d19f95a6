// The first hour of an owner: from the printed link to a number that an agent answers, which knows a document, books, opens a
// ticket, says that it is an AI, and hands over to a mobile; by the set-up and the page of the agent alone.
import type { Browser, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { answers, hangUp, hear, press, say, wait } from '../../emulators/people.ts'
import { one } from '../../emulators/scenarios/expectation.ts'
import { runScenario } from '../../emulators/scenarios/scenario.ts'
import { ServiceApi } from '../../emulators/scenarios/service-api.ts'
import type { Emulators } from '../../emulators/start.ts'
import { answersAbout, calls, hears, says } from '../../emulators/voiceai/conversation/script.ts'
import { setupToken } from '../../src/platform/identity/session-routes.ts'
import { openBrowser, whyNoBrowser } from '../support/browser.ts'
import type { TestApp } from '../support/test-app.ts'
import { type NewInstallation, NUMBER, PUBLIC_URL, startNewInstallation } from './new-installation.ts'
import { BROWSER_MS, PASSWORD, Visitor } from './visitor.ts'

const NO_BROWSER = whyNoBrowser()
const CALLER = '+14155550213'
const LATE_CALLER = '+14155550214'
const MOBILE = '+41795550199'
const FIRM = 'Müller & Söhne'
const PRICE = 'Ein Notfall am Sonntag kostet 240 Franken.'
const DAYS = ['Montag', 'Dienstag', 'Mittwoch', 'Donnerstag', 'Freitag']
/** From the printed link to the end of the trial; what is typed is not counted. */
const CLICKS_MAX = 30
const HALF_AN_HOUR_MS = 1_800_000

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

/** An owner who speaks German only: they click and type, and each click is counted. */
class Owner {
  clicks = 0
  readonly page: Page

  constructor(page: Page) {
    this.page = page
  }

  async click(target: Locator): Promise<void> {
    this.clicks += 1
    await target.click()
  }

  press(name: string | RegExp, within: Page | Locator = this.page): Promise<void> {
    return this.click(within.getByRole('button', { name, exact: typeof name === 'string' }))
  }

  async type(label: string, text: string): Promise<void> {
    await this.page.getByLabel(label, { exact: true }).fill(text)
  }

  /** Saves what was typed in the card of the step, and goes on once the step is proved. */
  async saveAndGoOn(step: number): Promise<void> {
    await this.press('Speichern')
    await this.isDone(step)
    await this.press('Weiter')
  }

  isDone(step: number): Promise<void> {
    return this.page.getByRole('link', { name: new RegExp(`^${step} .* fertig$`) }).waitFor()
  }
}

/** Company, address, both accounts, and the first SYNC. */
async function accounts(owner: Owner): Promise<void> {
  const { page } = owner
  await page.getByRole('textbox', { name: 'Firma', exact: true }).fill(FIRM)
  await page.getByRole('combobox', { name: 'Land' }).fill('schweiz')
  await owner.click(page.getByRole('option', { name: 'Schweiz', exact: true }))
  await owner.saveAndGoOn(2)
  await page.getByRole('textbox', { name: 'Öffentliche Adresse', exact: true }).fill(PUBLIC_URL)
  await owner.press('Speichern')
  await page
    .getByText('Twilio und ElevenLabs werden auf diesem Rechner nachgespielt und erreichen diesen Dienst.')
    .waitFor()
  await owner.press('Weiter')
  await page.getByRole('textbox', { name: 'Account SID', exact: true }).fill(emulators.telco.account.sid)
  await owner.type('Auth-Token', emulators.telco.account.authToken)
  await owner.saveAndGoOn(4)
  await owner.type('API-Schlüssel', emulators.voiceai.workspace.apiKey)
  await owner.saveAndGoOn(5)
  await owner.press('Beide abgleichen')
  await owner.isDone(6)
  await owner.press('Weiter')
}

/** The questions of the set-up. */
async function makeAgent(owner: Owner): Promise<void> {
  const { page } = owner
  await page.getByLabel('Was macht Ihre Firma?').fill('Wir reparieren Heizungen in Bern.')
  for (const box of [...DAYS, 'Termine vereinbaren', 'Tickets anlegen', 'Mit einem Menschen verbinden']) {
    await owner.click(page.getByRole('checkbox', { name: box }))
  }
  await owner.type('Mobilnummer', '079 555 01 99')
  await owner.press('Agenten anlegen')
  await owner.isDone(7)
  await page.getByText('Fügen Sie dort Ihre Dokumente und Ihre Website hinzu').waitFor()
}

/** On the page of the agent: a document, and a conversation by text in which it does all that it may. */
async function tryIt(owner: Owner): Promise<string[]> {
  const { page } = owner
  await owner.click(page.getByRole('link', { name: /^Öffnen und ausprobieren/ }))
  const known = page.getByRole('region', { name: 'Wissen' })
  await owner.press('Hinzufügen', known)
  const dialog = page.getByRole('dialog')
  await owner.click(dialog.getByText('Datei', { exact: true }))
  const file = { name: 'Preise.md', mimeType: 'text/markdown', buffer: Buffer.from(PRICE) }
  await dialog.locator('input[type=file]').setInputFiles(file)
  await owner.press('Hinzufügen', dialog)
  await known.getByText('Preise.md').waitFor()
  await expect
    .poll(() => [...emulators.voiceai.workspace.documents.values()].map(({ content }) => content))
    .toContain(PRICE)

  const talk = page.getByRole('region', { name: 'Mit ihm sprechen' })
  const before = owner.clicks
  await owner.press('Ihm schreiben', talk)
  const said = talk.getByRole('log')
  await said.getByText(/^Sie sprechen mit einem KI-Assistenten, .* Guten Tag, hier ist Müller & Söhne\./).waitFor()
  for (const [words, answer] of [
    ['Kosten Notfälle am Sonntag mehr?', PRICE],
    ['Xyzzy?', /^Das weiß ich leider nicht\./],
    ['Ich möchte einen Termin buchen.', /^Der Termin ist gebucht\.$/],
    ['Meine Heizung tropft.', /^Das Ticket ist angelegt\.$/],
    ['Bitte mit einem Menschen verbinden.', /^Ich verbinde Sie\.$/],
  ] as const) {
    await page.keyboard.type(words)
    await page.keyboard.press('Enter')
    await said.getByText(answer).waitFor()
  }
  // From the page of the agent, by text.
  expect(owner.clicks - before).toBeLessThanOrEqual(3)
  await owner.press('Beenden', talk)
  await talk.getByText(/^Das Gespräch ist beendet/).waitFor()
  return said.getByText(/verweigert|abgelehnt/i).allInnerTexts()
}

const ask = <Row>(model: string, fields: readonly string[], domain: unknown = []) =>
  app.admin.ask<Row[]>(model, 'search_read', { domain, fields })

/** A customer calls: the agent announces itself, knows the price, opens a ticket, books, and rings the mobile, which presses 1. */
async function customerCalls(): Promise<string[]> {
  const [user] = await ask<{ id: number }>('res.users', ['login'], [['login', '=', 'ada']])
  const [exten] = await ask<{ number: string }>('connect.telco.exten', ['number'], [['is_published', '=', true]])
  const who = { user_id: user?.id }
  const { complaints } = await runScenario(
    {
      name: 'lunch',
      title: 'A customer calls the firm',
      company: {},
      scripts: () => ({
        [FIRM]: {
          summary: 'A ticket was opened, a visit was booked, and the caller was connected.',
          turns: [
            hears('kostet'),
            answersAbout('240'),
            hears('tropft'),
            calls('helpdesk_create_ticket', { subject: 'Heizung tropft', description: 'Seit heute früh.' }),
            calls('calendar_get_available_slots', who),
            calls('calendar_create_event', (heard) => {
              const start = String(heard('calendar_get_available_slots.slots.0.start'))
              return { ...who, name: 'Besuch', start, stop: halfAnHourAfter(start) }
            }),
            says('Ich verbinde Sie.'),
            calls('transfer_to_exten', { exten: exten?.number }),
          ],
        },
      }),
      async play({ call, phone }) {
        phone(
          MOBILE,
          answers([
            hear('drücken sie die 1'),
            press('1'),
            hear('sie sind verbunden'),
            say('Hier ist Ada.'),
            hear('guten tag ada'),
            hangUp(),
          ]),
        )
        const acts = [
          hear('sie sprechen mit einem ki'),
          say('Was kostet ein Notfall?'),
          hear('240 franken'),
          say('Meine Heizung tropft.'),
          hear('hier ist ada'),
          say('Guten Tag Ada!'),
        ]
        await call({ from: CALLER, to: NUMBER, acts })
      },
      expects: [
        one(
          'connect.call',
          { caller: CALLER },
          { direction: 'incoming', outcome: 'agent_person', voiceai_agent: FIRM },
        ),
      ],
    },
    { ...emulators, service: new ServiceApi({ url: app.url, key: app.admin.key }) },
  )
  return [...complaints]
}

/** A customer whom the agent puts through to a mobile that is switched off, so that its voicemail of the network picks up. */
async function nobodyTakesOver(): Promise<string[]> {
  const [exten] = await ask<{ number: string }>('connect.telco.exten', ['number'], [['is_published', '=', true]])
  const { complaints } = await runScenario(
    {
      name: 'lunch-nobody',
      title: 'A customer whom nobody takes over leaves a message',
      company: {},
      scripts: () => ({
        [FIRM]: {
          summary: 'The caller was put through.',
          turns: [hears('menschen'), says('Ich verbinde.'), calls('transfer_to_exten', { exten: exten?.number })],
        },
      }),
      async play({ call, phone }) {
        phone(MOBILE, answers([say('Dies ist die Mailbox.', 9)]))
        const acts = [
          hear('sie sprechen mit einem ki'),
          say('Bitte mit einem Menschen verbinden.'),
          hear('bitte hinterlassen sie eine nachricht'),
          say('Bitte rufen Sie mich zurück.'),
          wait(3),
          hangUp(),
        ]
        await call({ from: LATE_CALLER, to: NUMBER, acts })
      },
      expects: [one('connect.call', { caller: LATE_CALLER }, { outcome: 'voicemail', voiceai_agent: FIRM })],
    },
    { ...emulators, service: new ServiceApi({ url: app.url, key: app.admin.key }) },
  )
  return [...complaints]
}

function halfAnHourAfter(start: string): string {
  return new Date(Date.parse(`${start.replace(' ', 'T')}Z`) + HALF_AN_HOUR_MS)
    .toISOString()
    .slice(0, 'YYYY-MM-DDTHH:MM:SS'.length)
}

describe('the first hour of an owner', { timeout: 2 * BROWSER_MS }, () => {
  it('an owner who speaks German only gets from the printed link to a number that an agent answers, and tries it first', async ({
    skip,
  }) => {
    skip(NO_BROWSER !== undefined, NO_BROWSER)
    const visitor = await Visitor.open(browser, app.url, { language: 'de' })
    const { page } = visitor
    const owner = new Owner(page)
    await visitor.go(`/setup#token=${setupToken(app.app)}`)
    await owner.type('Name', 'Ada Keller')
    await owner.type('Anmeldename', 'ada')
    await owner.type('Passwort', PASSWORD)
    await owner.press('Konto anlegen')
    await page.waitForURL(/\/settings\/set-up/)
    await accounts(owner)
    await makeAgent(owner)
    const barriers = await visitor.barriers()
    expect(await tryIt(owner)).toEqual([])
    barriers.push(...(await visitor.barriers()), ...(await visitor.misdrawn()))
    expect(owner.clicks).toBeLessThanOrEqual(CLICKS_MAX)
    // What was tried left nothing.
    expect(await ask('helpdesk.ticket', ['name'])).toEqual([])

    expect(await customerCalls()).toEqual([])
    expect(await ask('helpdesk.ticket', ['name'])).toMatchObject([{ name: 'Heizung tropft' }])
    expect(await ask('calendar.event', ['name', 'user_id'])).toMatchObject([
      { name: 'Besuch', user_id: [expect.any(Number), 'Ada Keller'] },
    ])
    expect(await nobodyTakesOver()).toEqual([])
    await visitor.visit('/settings/set-up')
    await page.getByText('Alles ist eingerichtet').waitFor()
    barriers.push(...(await visitor.barriers()))
    // Another agent takes no number from the first one, unless that is chosen.
    await visitor.visit('/settings/set-up?step=number')
    await owner.press('Weiteren Agenten anlegen')
    expect(await page.getByRole('combobox', { name: 'Bei welcher Nummer geht er ans Telefon?' }).inputValue()).toBe('')
    expect([...barriers, ...visitor.faults]).toEqual([])
    await visitor.close()
  })
})
