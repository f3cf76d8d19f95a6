// Somebody changes how calls are answered: every form begins with what is, says whom callers no longer reach, and can be undone.
import type { Browser, Locator, Page, Route } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openBrowser, whyNoBrowser } from '../support/browser.ts'
import { insertRow } from '../support/rows.ts'
import { eventually, TestApp } from '../support/test-app.ts'
import { BROWSER_MS, firstAdministrator, pageIsBuilt, Visitor } from './visitor.ts'

const NO_BROWSER = whyNoBrowser()
const NUMBERS = 'connect.telco.number'
const NUMBER = '+14155550110'

let app: TestApp
let browser: Browser
let agent: number
let flow: number
let night: number
let number: number

beforeAll(async () => {
  app = await TestApp.start({ env: { PAGE: 'on' } })
  await firstAdministrator(app, 'ada')
  const create = (model: string, vals: object) => app.admin.ask<number>(model, 'create', { vals_list: vals })
  const voice = await create('connect.voiceai_voice', { name: 'Ann', voice_id: 'ann' }).catch(() => null)
  agent = await create('connect.voiceai_agent', { name: 'Helpdesk', prompt: 'You are the helpdesk.', voice })
  flow = await create('connect.telco.callflow', { name: 'Sales menu', prompt_message: 'Hello.' })
  night = await create('connect.telco.callflow', { name: 'Night menu', prompt_message: 'Good night.' })
  number = await create(NUMBERS, { phone_number: NUMBER, destination: 'voiceai_agent', voiceai_agent: agent })
  await pageIsBuilt(app)
  if (NO_BROWSER === undefined) browser = await openBrowser()
}, BROWSER_MS)
afterAll(async () => {
  await browser?.close()
  await app.stop()
})

async function answered(by: object): Promise<void> {
  await eventually(async () => {
    const fields = ['destination', 'voiceai_agent', 'callflow']
    const [row] = await app.admin.ask<Record<string, unknown>[]>(NUMBERS, 'read', { ids: [number], fields })
    const idOf = (link: unknown) => (Array.isArray(link) ? link[0] : link)
    const now = Object.fromEntries(fields.map((name) => [name, idOf(row?.[name])]))
    return JSON.stringify(now) === JSON.stringify({ destination: null, voiceai_agent: null, callflow: null, ...by })
      ? true
      : undefined
  })
}

async function choose(page: Page, label: string, option: string | RegExp): Promise<void> {
  await page.getByRole('combobox', { name: label }).click()
  await page.getByRole('option', { name: option, exact: true }).click()
}

const save = (page: Page | Locator) => page.getByRole('button', { name: 'Save', exact: true })

describe('changing how calls are answered', { timeout: BROWSER_MS }, () => {
  it('step 7 shows what answers the number, says whom it will no longer reach, and takes it back', async ({ skip }) => {
    skip(NO_BROWSER !== undefined, NO_BROWSER)
    const visitor = await Visitor.open(browser, app.url)
    const { page } = visitor
    await visitor.signIn('ada', '/now')
    await visitor.go('/settings/set-up?step=number')
    const target = page.getByRole('combobox', { name: 'Answered by' })
    await page.waitForFunction(() =>
      [...document.querySelectorAll('input')].some((input) => (input as HTMLInputElement).value === 'Helpdesk'),
    )
    expect(await target.inputValue()).toBe('Helpdesk')
    expect(await save(page).isDisabled()).toBe(true)
    await choose(page, 'Answered by', 'Helpdesk')
    expect(await save(page).isDisabled()).toBe(true)
    await choose(page, 'Answered by', 'Sales menu')
    await page.getByText(/will no longer reach Helpdesk\.$/).waitFor()
    expect(await visitor.barriers()).toEqual([])
    await save(page).click()
    await page.getByText(/^Sales menu now answers/).waitFor()
    await answered({ destination: 'callflow', callflow: flow })
    await page.getByRole('button', { name: 'Undo' }).click()
    await answered({ destination: 'voiceai_agent', voiceai_agent: agent })

    // What somebody else has changed meanwhile stays.
    await choose(page, 'Answered by', 'Sales menu')
    await save(page).click()
    await page.getByText(/^Sales menu now answers/).waitFor()
    const other = { destination: 'callflow', callflow: night }
    await app.admin.ask(NUMBERS, 'write', { ids: [number], vals: other })
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByText('Not undone: someone has changed it since.').waitFor()
    await answered(other)
    await app.admin.ask(NUMBERS, 'write', {
      ids: [number],
      vals: { destination: 'voiceai_agent', voiceai_agent: agent },
    })

    // The same on the form of the number; what is chosen already changes nothing.
    await visitor.go(`/records/${NUMBERS}/${number}`)
    await choose(page, 'Answered by', 'Helpdesk')
    expect(await save(page).isDisabled()).toBe(true)
    await page.locator('[data-field="destination"] button').click()
    await page.getByText(/will no longer reach Helpdesk\.$/).waitFor()
    await save(page).click()
    const dialog = page.getByRole('dialog', { name: /^Leave .* without an answer\?$/ })
    await dialog.getByText(/Callers will hear that this number isn't set up\./).waitFor()
    expect(await visitor.barriers()).toEqual([])
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await answered({ destination: 'voiceai_agent', voiceai_agent: agent })
    await choose(page, 'Answered by', 'Sales menu')
    await save(page).click()
    await page.getByText('Number saved', { exact: true }).waitFor()
    await answered({ destination: 'callflow', callflow: flow })
    await page.getByRole('button', { name: 'Undo' }).click()
    await answered({ destination: 'voiceai_agent', voiceai_agent: agent })

    await visitor.go(`/records/connect.voiceai_agent/${agent}`)
    await page.getByRole('button', { name: 'Delete', exact: true }).click()
    await page
      .getByRole('dialog')
      .getByText(/will no longer reach Helpdesk\./)
      .waitFor()
    expect(visitor.faults).toEqual([])
    await visitor.close()
  })

  it('what an extension leads to is chosen in one field, whether it is a call flow or a voice agent', async ({
    skip,
  }) => {
    skip(NO_BROWSER !== undefined, NO_BROWSER)
    const exten = await app.admin.ask<number>('connect.telco.exten', 'create', { vals_list: { number: '601' } })
    const visitor = await Visitor.open(browser, app.url)
    const { page } = visitor
    await visitor.signIn('ada', '/now')
    await visitor.go(`/records/connect.telco.exten/${exten}`)
    const target = page.getByRole('combobox', { name: 'Leads to' })
    await target.fill('night')
    await page.getByRole('option', { name: 'Night menu' }).waitFor()
    await target.press('Enter')
    expect(await page.getByText('Leads to', { exact: true }).count()).toBe(1)
    await save(page).click()
    await page.getByText('Extension saved', { exact: true }).waitFor()
    expect(await read('connect.telco.exten', exten, 'dst')).toBe(`connect.telco.callflow,${night}`)
    await page.reload()
    await target.waitFor()
    expect(await target.inputValue()).toBe('Night menu')
    await choose(page, 'Leads to', 'Helpdesk')
    await page.getByText(/will no longer reach Night menu\.$/).waitFor()
    expect(await visitor.barriers()).toEqual([])
    await save(page).click()
    await page.getByText('Extension saved', { exact: true }).waitFor()
    expect(await read('connect.telco.exten', exten, 'dst')).toBe(`connect.voiceai_agent,${agent}`)
    await page.getByRole('button', { name: 'Undo' }).click()
    await eventually(
      async () => (await read('connect.telco.exten', exten, 'dst')) === `connect.telco.callflow,${night}`,
    )
    expect(visitor.faults).toEqual([])
    await visitor.close()
  })

  it('times and decimals are typed as one says them, and what is needed is not cleared', async ({ skip }) => {
    skip(NO_BROWSER !== undefined, NO_BROWSER)
    const hours = await app.admin.ask<number>('connect.telco.business_hours', 'create', {
      vals_list: { name: 'Office', tz: 'Europe/Zurich' },
    })
    const opening = await app.admin.ask<number>('connect.telco.opening', 'create', {
      vals_list: { business_hours: hours, dayofweek: '1', hour_from: 8, hour_to: 17 },
    })
    const visitor = await Visitor.open(browser, app.url)
    const { page } = visitor
    await visitor.signIn('ada', '/now')
    await visitor.go(`/records/connect.telco.opening/${opening}`)
    const from = page.getByRole('textbox', { name: 'From' })
    const to = page.getByRole('textbox', { name: 'To', exact: true })
    await from.waitFor()
    expect([await from.inputValue(), await to.inputValue()]).toEqual(['08:00', '17:00'])
    await choose(page, 'Day', 'Tuesday')
    expect(await save(page).isDisabled()).toBe(true)
    expect(await page.locator('[data-field="business_hours"] button').count()).toBe(0)
    await to.fill('half past')
    await page.getByText('Enter a time such as 18:00.').waitFor()
    await from.pressSequentially('x')
    await from.fill('')
    await from.pressSequentially('8.5')
    await to.fill('')
    await to.pressSequentially('18:00')
    await save(page).click()
    await page.getByText('Opening hours saved', { exact: true }).waitFor()
    const [row] = await app.admin.ask<object[]>('connect.telco.opening', 'read', {
      ids: [opening],
      fields: ['hour_from', 'hour_to', 'dayofweek'],
    })
    expect(row).toMatchObject({ hour_from: 8.5, hour_to: 18, dayofweek: '1' })
    expect([await from.inputValue(), await to.inputValue()]).toEqual(['08:30', '18:00'])
    await visitor.go('/records/connect.telco.opening')
    await page
      .getByRole('row', { name: /Tuesday/ })
      .getByText('08:30')
      .first()
      .waitFor()

    await visitor.go(`/records/connect.voiceai_agent/${agent}`)
    const temperature = page.locator('[data-field="temperature"] input')
    await temperature.fill('')
    await temperature.pressSequentially('0.5')
    await save(page).click()
    await eventually(async () => {
      const [read] = await app.admin.ask<{ temperature: number }[]>('connect.voiceai_agent', 'read', {
        ids: [agent],
        fields: ['temperature'],
      })
      return read?.temperature === 0.5 ? true : undefined
    })
    expect(visitor.faults).toEqual([])
    await visitor.close()
  })

  it('a form in which somebody typed before the stream told of another change still lets them choose between both values', async ({
    skip,
  }) => {
    skip(NO_BROWSER !== undefined, NO_BROWSER)
    const contact = await app.admin.ask<number>('res.partner', 'create', { vals_list: { name: 'Zoe Miller' } })
    await app.admin.ask('res.partner', 'create', { vals_list: { name: 'Max Weber', phone: '+41445550177' } })
    const visitor = await Visitor.open(browser, app.url, { width: 375 })
    const { page } = visitor
    await visitor.signIn('ada', '/now')
    await visitor.go(`/records/res.partner/${contact}`)
    // Who else has a number is said where it is typed, not below everything else.
    await page.locator('[data-field="phone"] input').fill('+41 44 555 01 77')
    await page.locator('[data-field="phone"]').getByText('Also the number of: Max Weber').waitFor()
    await page.locator('[data-field="email"] input').fill('kein at')
    await page.keyboard.press('Control+s')
    await page.getByText('Contact saved').waitFor()
    // It stays when it was saved.
    await page.locator('[data-field="phone"]').getByText('Also the number of: Max Weber').waitFor()
    await page.locator('[data-field="email"]').getByText("This isn't an e-mail address yet.").waitFor()
    await app.admin.ask('res.partner', 'write', { ids: [contact], vals: { phone: null, email: null } })
    await page.locator('[data-field="email"] input:not([value="kein at"])').waitFor()
    await page.locator('[data-field="name"] input').fill('Zoe Moss')
    await app.admin.ask('res.partner', 'write', {
      ids: [contact],
      vals: { name: 'Zoe Muller', email: 'zoe@example.com' },
    })
    // The page has read what is there now.
    await page.getByRole('heading', { name: 'Zoe Muller' }).waitFor()
    expect(await page.locator('[data-field="name"] input').inputValue()).toBe('Zoe Moss')
    await save(page).click()
    await page.getByRole('radio', { name: 'You: Zoe Moss' }).waitFor()
    expect(await page.getByRole('button', { name: 'Save this choice' }).isDisabled()).toBe(true)
    expect(await visitor.barriers()).toEqual([])
    await page.getByRole('radio', { name: /: Zoe Muller$/ }).check()
    await page.getByRole('button', { name: 'Save this choice' }).click()
    await page.waitForFunction(
      () => document.querySelector<HTMLInputElement>('[data-field="name"] input')?.value === 'Zoe Muller',
    )
    const [row] = await app.admin.ask<object[]>('res.partner', 'read', { ids: [contact], fields: ['name', 'email'] })
    expect(row).toMatchObject({ name: 'Zoe Muller', email: 'zoe@example.com' })
    // What was changed in other fields stays, and is said.
    await page.locator('[data-field="name"] input').fill('Zoe Hill')
    await app.admin.ask('res.partner', 'write', { ids: [contact], vals: { email: 'hill@example.com' } })
    await save(page).click()
    await page.getByText(/^Contact saved\. .+ changed other fields in the meantime\.$/).waitFor()
    expect(await read('res.partner', contact, 'name')).toBe('Zoe Hill')
    expect(await read('res.partner', contact, 'email')).toBe('hill@example.com')
    expect(visitor.faults).toEqual([])
    await visitor.close()
  })

  it('words of a ticket that two wrote at once: both are shown with the name of the other, and one is chosen', async ({
    skip,
  }) => {
    skip(NO_BROWSER !== undefined, NO_BROWSER)
    const ticket = await app.admin.ask<number>('helpdesk.ticket', 'create', {
      vals_list: { name: 'Boiler', description: 'It leaks.' },
    })
    const visitor = await Visitor.open(browser, app.url)
    const { page } = visitor
    await visitor.signIn('ada', '/now')
    await visitor.go(`/tickets/${ticket}`)
    await page.getByRole('button', { name: 'Edit subject and description' }).click()
    await page.getByRole('textbox', { name: 'Subject' }).fill('Boiler leaks')
    const hugo = await app.person(['helpdesk.group_user'], { login: 'hugo', name: 'Hugo Hall' })
    const write = (vals: object) => hugo.ask('helpdesk.ticket', 'write', { ids: [ticket], vals })
    await write({ name: 'Boiler in the cellar', description: 'It leaks a lot.' })
    await page.getByRole('heading', { name: 'Boiler in the cellar' }).waitFor()
    await save(page).click()
    await page.getByText(/^Hugo Hall also changed Subject/).waitFor()
    await page.getByRole('radio', { name: 'Hugo Hall: Boiler in the cellar' }).waitFor()
    await page.getByRole('radio', { name: 'You: Boiler leaks' }).check()
    await page.getByRole('button', { name: 'Save this choice' }).click()
    await page.getByText('Subject saved').waitFor()
    // What only the other wrote stays.
    expect(await read('helpdesk.ticket', ticket, 'name')).toBe('Boiler leaks')
    expect(await read('helpdesk.ticket', ticket, 'description')).toBe('It leaks a lot.')

    // Another field is no conflict of words.
    await page.getByRole('button', { name: 'Edit subject and description' }).click()
    await page.getByRole('textbox', { name: 'Subject' }).fill('Boiler')
    await write({ priority: '3' })
    await save(page).click()
    await page.getByText('Subject saved. Hugo Hall changed other fields in the meantime.').waitFor()
    expect(await read('helpdesk.ticket', ticket, 'name')).toBe('Boiler')
    expect(await read('helpdesk.ticket', ticket, 'priority')).toBe('3')
    expect(visitor.faults).toEqual([])
    await visitor.close()
  })

  it('Undo of a setting and of a ticket leaves what somebody else changed since, and says so', async ({ skip }) => {
    skip(NO_BROWSER !== undefined, NO_BROWSER)
    const ticket = await app.admin.ask<number>('helpdesk.ticket', 'create', { vals_list: { name: 'Boiler' } })
    const visitor = await Visitor.open(browser, app.url)
    const { page } = visitor
    await visitor.signIn('ada', '/now')
    await visitor.go('/settings/address')
    const company = page.getByRole('region', { name: 'Company', exact: true })
    await company.locator('[data-field="company_name"] input').fill('Mill')
    await save(company).click()
    await page.getByText('Company saved', { exact: true }).waitFor()
    await app.admin.ask('connect.settings', 'write', { ids: [1], vals: { company_name: 'Mill & Sons' } })
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByText('Not undone: someone has changed it since.').waitFor()
    expect(await read('connect.settings', 1, 'company_name')).toBe('Mill & Sons')

    // What a shorter time deletes is asked about before it is saved.
    await visitor.go('/settings/privacy')
    const keeping = page.getByRole('region', { name: 'Data retention', exact: true })
    await keeping.locator('[data-field="transcript_keep_days"] input').fill('7')
    await save(keeping).click()
    const question = page.getByRole('dialog', { name: 'Delete what is older?' })
    await question.getByText("Transcripts older than 7 days are deleted. This can't be undone.").waitFor()
    expect(await visitor.barriers()).toEqual([])
    await question.getByRole('button', { name: 'Cancel' }).click()
    await question.waitFor({ state: 'detached' })
    expect(await read('connect.settings', 1, 'transcript_keep_days')).toBeFalsy()
    await save(keeping).click()
    await question.getByRole('button', { name: 'Save and delete' }).click()
    await expect.poll(() => read('connect.settings', 1, 'transcript_keep_days')).toBe(7)
    await app.admin.ask('connect.settings', 'write', { ids: [1], vals: { transcript_keep_days: null } })

    await visitor.go(`/tickets/${ticket}`)
    await choose(page, 'Priority', 'High')
    await page.getByRole('button', { name: 'Undo' }).waitFor()
    await app.admin.ask('helpdesk.ticket', 'write', { ids: [ticket], vals: { priority: '3' } })
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByText('Not undone: someone has changed it since.').waitFor()
    expect(await read('helpdesk.ticket', ticket, 'priority')).toBe('3')
    await choose(page, 'Priority', 'Low')
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByText('Change undone', { exact: true }).waitFor()
    expect(await read('helpdesk.ticket', ticket, 'priority')).toBe('3')
    expect(visitor.faults).toEqual([])
    await visitor.close()
  })

  it('what is typed while a setting or the draft of an agent is saved is the next change, also what was there before', async ({
    skip,
  }) => {
    skip(NO_BROWSER !== undefined, NO_BROWSER)
    await app.admin.ask('connect.settings', 'write', { ids: [1], vals: { company_name: 'Mill' } })
    const visitor = await Visitor.open(browser, app.url)
    const { page } = visitor
    await visitor.signIn('ada', '/now')
    await visitor.go('/settings/address')
    const company = page.getByRole('region', { name: 'Company', exact: true })
    const name = company.locator('[data-field="company_name"] input')
    const writes = '**/connect.settings/write'
    let letGo = await hold(page, writes)
    await name.fill('Miller')
    let asked = page.waitForRequest(writes)
    await save(company).click()
    await asked
    await name.fill('Mill')
    await letGo()
    await page.getByText('Company saved', { exact: true }).waitFor()
    expect([await read('connect.settings', 1, 'company_name'), await name.inputValue()]).toEqual(['Miller', 'Mill'])
    await save(company).click()
    await expect.poll(() => read('connect.settings', 1, 'company_name')).toBe('Mill')
    expect(await name.inputValue()).toBe('Mill')

    await visitor.go(`/agents/${agent}`)
    const [prompt, greeting] = ['Prompt', 'Greeting'].map((label) => page.getByRole('textbox', { name: label }).first())
    const before = (await greeting?.inputValue()) ?? ''
    const drafts = '**/connect.voiceai_agent/save_draft'
    letGo = await hold(page, drafts)
    await prompt?.fill('You are kind.')
    await greeting?.fill('Good day.')
    asked = page.waitForRequest(drafts)
    const bar = page.getByRole('region', { name: 'Draft', exact: true })
    await bar.getByRole('button', { name: 'Review' }).click()
    await asked
    await prompt?.fill('You are very kind.')
    await greeting?.fill(before)
    await letGo()
    const drafted = async () => {
      const rows = await app.admin.ask<{ vals: Record<string, unknown> }[]>(
        'connect.voiceai_agent_draft',
        'search_read',
        {
          ...{ domain: [['agent', '=', agent]], fields: ['vals'] },
        },
      )
      return rows[0]?.vals
    }
    await expect.poll(drafted).toMatchObject({ prompt: 'You are kind.', first_message: 'Good day.' })
    await bar.getByRole('button', { name: 'Review' }).click()
    await expect.poll(async () => (await drafted())?.prompt).toBe('You are very kind.')
    expect([await prompt?.inputValue(), await greeting?.inputValue()]).toEqual(['You are very kind.', before])
    expect((await drafted())?.first_message ?? before).toBe(before)
    expect(visitor.faults).toEqual([])
    await bar.getByRole('button', { name: 'Discard' }).click()
    await bar.waitFor({ state: 'detached' })
    await visitor.close()
  })

  it('a refusal stands beside the button that was pressed, and where one chose what was refused', async ({ skip }) => {
    skip(NO_BROWSER !== undefined, NO_BROWSER)
    const ticket = await app.admin.ask<number>('helpdesk.ticket', 'create', { vals_list: { name: 'Roof' } })
    const visitor = await Visitor.open(browser, app.url)
    const { page } = visitor
    await visitor.signIn('ada', '/now')
    await visitor.go(`/records/${NUMBERS}/${number}`)
    const refuse = (route: Route) =>
      route.fulfill({ status: 422, json: { name: 'odoo.exceptions.UserError', message: 'Not today.', context: {} } })
    await page.route(`**/${NUMBERS}/sync`, refuse)
    const head = page.locator('#page header')
    await head.getByRole('button', { name: 'Sync numbers' }).click()
    await head.getByRole('alert').getByText('Not today.').waitFor()
    expect(await page.locator('.mantine-Notification-root').count()).toBe(0)
    expect(await visitor.barriers()).toEqual([])
    // A sync that was begun is told as in the settings.
    const run = await insertRow(app.db, 'connect_sync_run', {
      ...{ area: 'telco', kind: 'numbers', state: 'failed', summary: 'Not in sync: Office. Run it again.' },
      errors: JSON.stringify([{ step: 'numbers', name: 'Office', message: 'Twilio does not have it.' }]),
    })
    await page.unroute(`**/${NUMBERS}/sync`)
    await page.route(`**/${NUMBERS}/sync`, (route) => route.fulfill({ json: { run_id: run } }))
    await head.getByRole('button', { name: 'Sync numbers' }).click()
    const told = page.getByRole('dialog')
    await told.getByText('Not in sync: Office. Run it again.').waitFor()
    await told.getByText('Twilio does not have it.').waitFor()
    expect(await told.textContent()).not.toMatch(/run id|Technical details/i)
    await page.keyboard.press('Escape')
    await visitor.go(`/tickets/${ticket}`)
    await page.route('**/helpdesk.ticket/write', refuse)
    await choose(page, 'Priority', 'High')
    await page.getByRole('complementary').getByText('Not today.').waitFor()
    expect(visitor.faults).toEqual([])
    await visitor.close()
  })

  it('whom a number no longer reaches, why it was not saved, and who else changed it stand in sight on a long form', async ({
    skip,
  }) => {
    skip(NO_BROWSER !== undefined, NO_BROWSER)
    await app.admin.ask(NUMBERS, 'write', {
      ids: [number],
      vals: { destination: 'voiceai_agent', voiceai_agent: agent, callflow: null, business_hours: null },
    })
    const hours = await app.admin.ask<number[]>('connect.telco.business_hours', 'search')
    if (hours.length > 0) await app.admin.ask('connect.telco.business_hours', 'unlink', { ids: hours })
    const visitor = await Visitor.open(browser, app.url, { height: 620 })
    const { page } = visitor
    await visitor.signIn('ada', '/now')
    await visitor.go(`/records/${NUMBERS}/${number}`)
    // What there is none of yet is made from the picker, and what is typed here stays.
    await page.getByRole('combobox', { name: 'Business hours' }).click()
    const [made] = await Promise.all([
      page.waitForEvent('popup'),
      page.getByText('None yet.').getByRole('link', { name: 'New' }).click(),
    ])
    await made.getByRole('heading', { name: 'Business hours: New' }).waitFor()
    await made.close()
    await page.keyboard.press('Escape')
    await choose(page, 'Answered by', 'Night menu')
    await inSight(page.getByText('will no longer reach Helpdesk'))
    const edgeOf = async (each: Locator) => (await each.boundingBox())?.x
    expect(await edgeOf(save(page))).toBe(await edgeOf(page.getByRole('textbox', { name: 'Phone number' })))
    await page.route(`**/${NUMBERS}/write`, (route) => route.abort())
    await save(page).click()
    await inSight(page.getByText('The service cannot be reached at the moment.'))
    await page.unroute(`**/${NUMBERS}/write`)
    await app.admin.ask(NUMBERS, 'write', { ids: [number], vals: { destination: 'callflow', callflow: flow } })
    await page.locator('[data-field="closed_message"] textarea').fill('We are closed.')
    await page.getByText('Call event URL').scrollIntoViewIfNeeded()
    await save(page).click()
    await inSight(page.getByRole('radio', { name: /^You: / }).first())
    await visitor.close()
  })

  it('what was typed stays in its field while it is saved, and the company’s new time zone is proposed at once', async ({
    skip,
  }) => {
    skip(NO_BROWSER !== undefined, NO_BROWSER)
    const visitor = await Visitor.open(browser, app.url)
    const { page } = visitor
    await visitor.signIn('ada', '/now')
    await visitor.visit(`/records/connect.telco.callflow/${night}`)
    const prompt = page.locator('[data-field="prompt_message"] textarea').first()
    await prompt.fill('Good night, all.')
    const seen: string[] = []
    await page.route('**/connect.telco.callflow/read', async (route) => {
      seen.push(await prompt.inputValue())
      await route.continue()
    })
    await save(page).click()
    await page.getByText('Call flow saved').waitFor()
    await page.unrouteAll({ behavior: 'wait' })
    expect(seen.length).toBeGreaterThan(0)
    expect(new Set(seen)).toEqual(new Set(['Good night, all.']))
    expect(await prompt.inputValue()).toBe('Good night, all.')

    // Typed back to what was there while another text is on its way: that is the next change, and not lost.
    const held = Promise.withResolvers<void>()
    await page.route('**/connect.telco.callflow/write', async (route) => {
      await held.promise
      await route.continue()
    })
    await prompt.fill('Good morning.')
    const asked = page.waitForRequest('**/connect.telco.callflow/write')
    await save(page).click()
    await asked
    await prompt.fill('Good night, all.')
    held.resolve()
    await page.unrouteAll({ behavior: 'wait' })
    const storedPrompt = async () => {
      const rows = await app.admin.ask<{ prompt_message: string }[]>('connect.telco.callflow', 'read', {
        ids: [night],
        fields: ['prompt_message'],
      })
      return rows[0]?.prompt_message
    }
    await expect.poll(storedPrompt).toBe('Good morning.')
    await save(page).click()
    await expect.poll(storedPrompt).toBe('Good night, all.')
    expect(await prompt.inputValue()).toBe('Good night, all.')
    // What is stored is still a draft until the form has heard of it, and a page with a draft asks before it is left.
    const drafts = () => page.evaluate(() => Object.keys(localStorage).filter((key) => key.includes('draft')).length)
    await expect.poll(drafts).toBe(0)
    expect(await save(page).isDisabled()).toBe(true)

    await visitor.visit('/settings/address')
    await page.getByRole('combobox', { name: 'Time zone' }).fill('Lisbon')
    await page.getByRole('option', { name: 'Europe/Lisbon' }).click()
    await save(page.getByRole('region', { name: 'Company', exact: true })).click()
    await page.getByText('Company saved', { exact: true }).waitFor()
    await visitor.visit('/records/connect.telco.business_hours/new')
    await expect.poll(() => page.getByRole('combobox', { name: 'Time zone' }).inputValue()).toBe('Europe/Lisbon')
    expect(visitor.faults).toEqual([])
    await visitor.close()
  })
})

/** Holds requests to an address until it is let go. */
async function hold(page: Page, address: string): Promise<() => Promise<void>> {
  const held = Promise.withResolvers<void>()
  await page.route(address, async (route) => {
    await held.promise
    await route.continue()
  })
  return async () => {
    held.resolve()
    await page.unrouteAll({ behavior: 'wait' })
  }
}

/** Waits until the whole of it lies in the window, without anybody scrolling. */
async function inSight(words: Locator): Promise<void> {
  await words.waitFor()
  const isWhole = (element: Element) => {
    const { top, bottom, left, right } = element.getBoundingClientRect()
    const isAbove = document.elementFromPoint((left + right) / 2, (top + bottom) / 2)
    return top >= 0 && bottom <= innerHeight && (element.contains(isAbove) || isAbove?.contains(element) === true)
  }
  await expect.poll(() => words.evaluate(isWhole), { message: 'in sight' }).toBe(true)
}

async function read(model: string, id: number, field: string): Promise<unknown> {
  const [row] = await app.admin.ask<Record<string, unknown>[]>(model, 'read', { ids: [id], fields: [field] })
  return row?.[field]
}
