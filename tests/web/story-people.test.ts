// Tickets move, a caller's first sentence is read on a telephone, and a person is merged, explained and erased.
import { Readable } from 'node:stream'
import type { Browser, Route } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { SCENARIOS } from '../../emulators/scenarios/catalogue.ts'
import { runScenario } from '../../emulators/scenarios/scenario.ts'
import { sql } from '../../src/database/drizzle.ts'
import { MediaStore } from '../../src/platform/media/media-store.ts'
import { startWorld, type TestWorld } from '../emulators/scenario-world.ts'
import { openBrowser, whyNoBrowser } from '../support/browser.ts'
import { eventually } from '../support/test-app.ts'
import { BROWSER_MS, firstAdministrator, PASSWORD, pageIsBuilt, Visitor } from './visitor.ts'

const NO_BROWSER = whyNoBrowser()
const HOSTILE = '<img src=x onerror=alert(1)> "><script>alert(2)</script>'
const NUMBER = '+14155550210'
const STORY_MS = 2 * BROWSER_MS

let world: TestWorld
let browser: Browser
let ticket: number

beforeAll(async () => {
  world = await startWorld({}, { PAGE: 'on' })
  await firstAdministrator(world.app, 'ada')
  const scenario = SCENARIOS.find(({ name }) => name === 'agent-helpdesk')
  if (scenario === undefined) throw new Error('there is no such scenario')
  expect((await runScenario(scenario, world)).complaints).toEqual([])
  ticket = await idOf('helpdesk.ticket', [['name', '=', 'Leaking boiler']])
  await pageIsBuilt(world.app)
  if (NO_BROWSER === undefined) browser = await openBrowser()
}, BROWSER_MS)
afterAll(async () => {
  await browser?.close()
  await world.stop()
})

async function idOf(model: string, domain: unknown[]): Promise<number> {
  const [id] = await world.app.admin.ask<number[]>(model, 'search', { domain, order: 'id desc', limit: 1 })
  return id ?? 0
}

async function stageOf(id: number): Promise<string | undefined> {
  const [row] = await world.app.admin.ask<{ stage_id: [number, string] }[]>('helpdesk.ticket', 'read', {
    ids: [id],
    fields: ['stage_id'],
  })
  return row?.stage_id[1]
}

describe('in a browser', { timeout: STORY_MS }, () => {
  it('a ticket is dragged, put back, moved by a key, and nothing is lost when somebody else was faster', async ({
    skip,
  }) => {
    skip(NO_BROWSER !== undefined, NO_BROWSER)
    const visitor = await Visitor.open(browser, world.app.url)
    const { page } = visitor
    await visitor.signIn('ada', '/tickets')
    const card = page.getByRole('article').filter({ hasText: 'Leaking boiler' })
    const inStage = (name: string) => page.getByRole('region', { name, exact: true }).getByText('Leaking boiler')
    await card.getByRole('img', { name: /agent/ }).waitFor()
    await card.dragTo(page.getByRole('region', { name: 'On Hold' }))
    await inStage('On Hold').waitFor()
    await eventually(async () => (await stageOf(ticket)) === 'On Hold')
    await page.getByRole('button', { name: 'Undo' }).click()
    await inStage('Inbox').waitFor()
    await eventually(async () => (await stageOf(ticket)) === 'Inbox')
    await card.getByRole('link', { name: 'Leaking boiler' }).focus()
    await page.keyboard.press('m')
    await page.getByRole('menuitem', { name: 'In Progress' }).waitFor()
    expect(await visitor.barriers()).toEqual([])
    await page.waitForFunction(() => document.activeElement?.getAttribute('role') === 'menuitem')
    await page.keyboard.press('ArrowDown')
    await page.getByRole('menuitem', { name: 'In Progress' }).press('Enter')
    await inStage('In Progress').waitFor()
    await eventually(async () => (await stageOf(ticket)) === 'In Progress')
    const hugo = await world.app.person(['helpdesk.group_user'], { name: 'Hugo Blank' })
    const hold = await idOf('helpdesk.stage', [['name', '=', 'On Hold']])
    await card.getByRole('button', { name: `Move #${ticket}` }).click()
    const beforeMove = async (route: Route): Promise<void> => {
      await hugo.ask('helpdesk.ticket', 'write', { ids: [ticket], vals: { stage_id: hold } })
      await route.continue()
    }
    await page.route('**/helpdesk.ticket/move', beforeMove, { times: 1 })
    await page.getByRole('menuitem', { name: 'Inbox' }).click()
    await page.getByText(/^Hugo Blank moved it to On Hold \d+ (s|min) ago\./).waitFor()
    await inStage('On Hold').waitFor()
    expect(await stageOf(ticket)).toBe('On Hold')
    await page.getByRole('button', { name: 'Move anyway' }).click()
    await inStage('Inbox').waitFor()
    await eventually(async () => (await stageOf(ticket)) === 'Inbox')
    expect([...(await visitor.barriers()), ...visitor.faults]).toEqual([])
    await visitor.close()
  })

  it('a person of the helpdesk alone reads and hears the call of a ticket in three clicks', async ({ skip }) => {
    skip(NO_BROWSER !== undefined, NO_BROWSER)
    await world.app.admin.ask('res.users', 'create', {
      vals_list: {
        ...{ login: 'hugo', name: 'Hugo Blank', password: PASSWORD },
        group_ids: await world.app.groupIds(['base.group_user', 'helpdesk.group_user']),
      },
    })
    const sound = await new MediaStore(world.app.config.mediaDir).store(Readable.from([Buffer.from('a sound')]), 'mp3')
    await world.app.db.query(sql`update connect_recording set media_ref = ${sound}, media_type = 'audio/mpeg', duration = 23
      where call in (select id from connect_call where ticket = ${ticket}::bigint)`)
    const visitor = await Visitor.open(browser, world.app.url)
    const { page } = visitor
    await visitor.signIn('hugo')
    await page
      .getByRole('link', { name: /^Tickets/ })
      .first()
      .click()
    await page.getByRole('article').getByRole('link', { name: 'Leaking boiler' }).first().click()
    const calls = page.getByRole('region', { name: 'Calls', exact: true })
    await calls.getByRole('img', { name: /agent/ }).waitFor()
    await calls.getByRole('button', { name: /My boiler leaks/ }).click()
    const said = calls.getByRole('region', { name: 'What was said' })
    await said.getByRole('button', { name: /Hello Zoe Miller/ }).waitFor()
    const source = await said.locator('audio').getAttribute('src')
    expect(await (await page.request.get(world.app.url + source)).text()).toBe('a sound')
    expect(await visitor.barriers()).toEqual([])
    await calls.getByRole('link').first().click()
    await page.waitForURL(/\/calls\/\d+/)
    await page.getByRole('heading', { name: 'Notes' }).waitFor()
    for (const name of ['Write', 'Edit', 'Post', 'Call back', 'Hang up', /summary/]) {
      expect(await page.getByRole('button', { name }).count(), String(name)).toBe(0)
    }
    const zoe = await idOf('res.partner', [['name', '=', 'Zoe Miller']])
    await visitor.go(`/contacts/${zoe}`)
    await page.getByRole('button', { name: 'Read and listen' }).first().click()
    await page.getByRole('region', { name: 'What was said' }).getByText('My boiler leaks.').waitFor()
    await visitor.go('/calls')
    await page.getByText('Zoe Miller').first().waitFor()
    expect([...(await visitor.barriers()), ...visitor.faults]).toEqual([])
    await visitor.close()
  })

  it('a person of the helpdesk finds an old ticket by a word of its call, by keys alone, and makes one with all it needs', async ({
    skip,
  }) => {
    skip(NO_BROWSER !== undefined, NO_BROWSER)
    await world.app.admin.ask('res.users', 'create', {
      vals_list: {
        ...{ login: 'ina', name: 'Ina Field', password: PASSWORD },
        group_ids: await world.app.groupIds(['base.group_user', 'helpdesk.group_user']),
      },
    })
    await world.app.admin.ask('res.partner', 'create', { vals_list: { name: 'Łukasz Müller', phone: '+41313808317' } })
    const team = await world.app.admin.ask<number>('helpdesk.team', 'create', { vals_list: { name: 'Außendienst' } })
    for (const name of ['The first of the list', 'The second of the list']) {
      await world.app.admin.ask('helpdesk.ticket', 'create', { vals_list: { name } })
    }
    const visitor = await Visitor.open(browser, world.app.url)
    const { page } = visitor
    await visitor.signIn('ina', '/tickets')
    await page.getByRole('searchbox').pressSequentially('leaks')
    await page.waitForURL(/text=leaks/)
    await page.getByRole('article').getByRole('link', { name: 'Leaking boiler' }).first().waitFor()
    await page.getByRole('article').getByRole('link', { name: 'The first of the list' }).waitFor({ state: 'detached' })
    expect(await page.getByRole('searchbox').evaluate((box) => box === document.activeElement)).toBe(true)
    expect(await visitor.barriers()).toEqual([])

    await visitor.go('/tickets?as=list')
    await page.getByRole('row', { name: /The second of the list/ }).waitFor()
    await page.keyboard.press('?')
    const help = page.getByRole('dialog')
    await help.getByText('Move in a list').waitFor()
    for (const other of ['Write a note', 'Assign', 'Play and pause', 'Save', 'Copy the link']) {
      expect(await help.getByText(other, { exact: true }).count(), other).toBe(0)
    }
    await page.keyboard.press('Escape')
    await help.waitFor({ state: 'detached' })
    await page.reload()
    await page.getByRole('row', { name: /The second of the list/ }).waitFor()
    // Both before the page is painted again, as a key does that is held down.
    await page.evaluate(() => {
      const press = () => new KeyboardEvent('keydown', { key: 'ArrowDown', bubbles: true, cancelable: true })
      for (let pressed = 0; pressed < 2; pressed += 1) document.body.dispatchEvent(press())
    })
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: /The first of the list/ }).waitFor()
    await page.keyboard.press('?')
    await help.getByText('Write a note').waitFor()
    expect(await help.getByText('Move in a list').count()).toBe(0)
    await page.keyboard.press('Escape')

    await visitor.go('/tickets')
    await page.getByRole('button', { name: '+ add' }).first().click()
    const form = page.getByRole('dialog')
    await form.getByRole('textbox', { name: 'Subject' }).fill('The door is stuck')
    await form.getByRole('textbox', { name: 'Description' }).fill('Since yesterday, on the ground floor.')
    for (const [label, typed, name] of [
      ['Customer', 'lukasz mul', 'Łukasz Müller'],
      ['Team', 'aussen', 'Außendienst'],
    ] as const) {
      const box = form.getByRole('combobox', { name: label })
      await box.fill(typed)
      await page.getByRole('option', { name }).waitFor()
      await eventually(async () => (await page.getByRole('option').count()) === 1)
      await page.keyboard.press('Enter')
      await eventually(async () => (await box.inputValue()) === name)
    }
    expect(await visitor.barriers()).toEqual([])
    await form.getByRole('button', { name: 'Create ticket' }).click()
    await form.waitFor({ state: 'detached' })
    const made = await idOf('helpdesk.ticket', [['name', '=', 'The door is stuck']])
    const [row] = await world.app.admin.ask<object[]>('helpdesk.ticket', 'read', {
      ids: [made],
      fields: ['description', 'partner_id', 'team_id'],
    })
    expect(row).toMatchObject({
      description: 'Since yesterday, on the ground floor.',
      partner_id: [expect.any(Number), 'Łukasz Müller'],
      team_id: [team, 'Außendienst'],
    })
    expect(visitor.faults).toEqual([])
    await visitor.close()
  })

  it('a long list drops the rows that are far away, and has them again when somebody comes back', async ({ skip }) => {
    skip(NO_BROWSER !== undefined, NO_BROWSER)
    await world.app.db.query(
      sql`insert into res_partner (name, active) select 'Long ' || lpad(i::text, 5, '0'), true from generate_series(1, 1500) i`,
    )
    const visitor = await Visitor.open(browser, world.app.url)
    const { page } = visitor
    let again = 0
    page.on('request', (request) => {
      if (request.url().endsWith('res.partner/search_read') && (request.postData() ?? '').includes('["id","in",['))
        again += 1
    })
    await visitor.signIn('ada', '/contacts')
    await visitor.go('/contacts?text=Long')
    const row = (name: string) => page.getByRole('row', { name: new RegExp(name) })
    await row('Long 00001').waitFor()
    await page.keyboard.press('ArrowDown')
    await eventually(async () => {
      await page.keyboard.press('End')
      return (await row('Long 01500').count()) > 0
    }, BROWSER_MS)
    expect(again).toBe(0)
    await page.keyboard.press('Home')
    await row('Long 00001').waitFor()
    await row('Long 00005').waitFor()
    expect(again).toBeGreaterThan(0)
    expect(visitor.faults).toEqual([])
    await visitor.close()
  })

  it('a ticket that is made on a call is about that call', async ({ skip }) => {
    skip(NO_BROWSER !== undefined, NO_BROWSER)
    const call = await world.app.admin.ask<number>('connect.call', 'create', {
      vals_list: { caller: '+14155550277', called: '+14155550110', direction: 'incoming', status: 'completed' },
    })
    const visitor = await Visitor.open(browser, world.app.url)
    const { page } = visitor
    await visitor.signIn('ada', `/calls/${call}`)
    await page.getByRole('button', { name: 'Ticket', exact: true }).click()
    await page.getByRole('dialog').getByRole('textbox', { name: 'Subject' }).fill('Asked for a call')
    await page.getByRole('button', { name: 'Create ticket' }).click()
    await page.waitForURL(/\/tickets\/\d+$/)
    await page.getByRole('region', { name: 'Calls', exact: true }).getByRole('link').first().waitFor()
    const [row] = await world.app.admin.ask<{ ticket: [number, string] }[]>('connect.call', 'read', {
      ids: [call],
      fields: ['ticket'],
    })
    expect(row?.ticket[1]).toBe('Asked for a call')
    expect(visitor.faults).toEqual([])
    await visitor.close()
  })

  it('an administrator lets the helpdesk read the calls of agents in one place', async ({ skip }) => {
    skip(NO_BROWSER !== undefined, NO_BROWSER)
    const hugo = await world.app.person(['helpdesk.group_user'])
    const before = await hugo.ask<number>('connect.call', 'search_count')
    const all = await world.app.admin.ask<number>('connect.call', 'search_count', {
      domain: ['|', ['only_agent', '=', true], ['ticket', '!=', false]],
    })
    const visitor = await Visitor.open(browser, world.app.url)
    const { page } = visitor
    await visitor.signIn('ada', '/settings/groups')
    await page.getByRole('switch', { name: 'Helpdesk user: Can read and hear calls of agents' }).click()
    await page.getByText('Helpdesk user can now read and hear calls of agents').waitFor()
    expect(await hugo.ask<number>('connect.call', 'search_count')).toBe(all)
    await page.getByRole('button', { name: 'Undo' }).click()
    await eventually(async () => (await hugo.ask<number>('connect.call', 'search_count')) === before)
    expect([...(await visitor.barriers()), ...visitor.faults]).toEqual([])
    await visitor.close()
  })

  it('what the caller said is three clicks away, and a ticket is moved and assigned in four', async ({ skip }) => {
    skip(NO_BROWSER !== undefined, NO_BROWSER)
    const visitor = await Visitor.open(browser, world.app.url)
    const { page } = visitor
    await visitor.signIn('ada')
    let clicks = 0
    const click = async (role: 'link' | 'button' | 'menuitem', name: string | RegExp): Promise<void> => {
      await page.getByRole(role, { name }).first().click()
      clicks += 1
    }
    await click('link', /^Tickets/)
    await click('link', 'Leaking boiler')
    await click('button', /My boiler leaks/)
    await page.getByRole('region', { name: 'What was said' }).getByText('My boiler leaks.').waitFor()
    expect(clicks).toBe(3)
    clicks = 0
    await visitor.go('/now')
    await click('link', /^Tickets/)
    await page
      .getByRole('article')
      .filter({ hasText: 'Leaking boiler' })
      .dragTo(page.getByRole('region', { name: 'In Progress' }))
    clicks += 1
    await page.getByRole('region', { name: 'In Progress' }).getByText('Leaking boiler').waitFor()
    await click('link', 'Leaking boiler')
    await click('button', 'Assign to me')
    await page.getByRole('button', { name: 'Assign to me' }).waitFor({ state: 'detached' })
    expect(clicks).toBe(4)
    await page.getByText(/took this ticket$/).waitFor()
    expect(await page.getByText(/user_id|stage_id/).count()).toBe(0)

    const { admin } = world.app
    const gone = await admin.ask<number>('res.users', 'create', {
      vals_list: {
        name: 'Mona Frei',
        login: 'mona',
        group_ids: await world.app.groupIds(['base.group_user', 'helpdesk.group_user']),
      },
    })
    await admin.ask('helpdesk.ticket', 'write', { ids: [ticket], vals: { user_id: gone } })
    await admin.ask('res.users', 'write', { ids: [gone], vals: { active: false } })
    const whose = page.getByRole('combobox', { name: 'Assigned to' })
    await expect.poll(() => whose.inputValue()).toBe('Mona Frei · deactivated')
    await visitor.visit('/tickets')
    await page.getByRole('img', { name: 'Mona Frei · deactivated' }).waitFor()
    expect(visitor.faults).toEqual([])
    await admin.ask('helpdesk.ticket', 'write', { ids: [ticket], vals: { user_id: null } })
    await visitor.close()
  })

  it('a ticket is found, read, taken and noted on a telephone, and no page is too wide', async ({ skip }) => {
    skip(NO_BROWSER !== undefined, NO_BROWSER)
    const visitor = await Visitor.open(browser, world.app.url, { width: 375, height: 700 })
    const { page } = visitor
    await visitor.signIn('ada', '/tickets')
    await page
      .getByRole('navigation', { name: 'Stage' })
      .getByRole('button', { name: /In Progress/ })
      .click()
    expect(await visitor.isTooWide()).toBe(false)
    await page.getByRole('link', { name: 'Leaking boiler' }).click()
    await page.getByText('“My boiler leaks.”').waitFor()
    await page.getByRole('button', { name: 'Assign to me' }).click()
    await page.getByRole('button', { name: 'Assign to me' }).waitFor({ state: 'detached' })
    await page.getByLabel('Write an internal note').fill('I drive there.')
    await page.getByRole('button', { name: 'Add note' }).click()
    await page.getByRole('article').getByText('I drive there.').waitFor()
    expect(await visitor.isTooWide()).toBe(false)
    const contact = await idOf('res.partner', [['name', '=', 'Zoe Miller']])
    for (const route of [
      '/contacts',
      `/contacts/${contact}`,
      `/contacts/${contact}?tab=calls`,
      '/contacts/duplicates',
      '/tickets?as=list',
    ]) {
      await visitor.visit(route)
      await page.locator('main h1').waitFor()
      expect([route, await visitor.isTooWide()]).toEqual([route, false])
    }
    expect([...(await visitor.barriers()), ...visitor.faults]).toEqual([])
    await visitor.close()
  })

  it('a person on the phone merges two contacts; one who only reads them sees no way to', async ({ skip }) => {
    skip(NO_BROWSER !== undefined, NO_BROWSER)
    const { app } = world
    const personIn = async (login: string, group: string) =>
      app.admin.ask('res.users', 'create', {
        vals_list: {
          ...{ login, name: login, password: PASSWORD },
          group_ids: await app.groupIds(['base.group_user', group]),
        },
      })
    await personIn('eve-calls', 'connect.group_user')
    await personIn('hugo-reads', 'helpdesk.group_user')
    const of = (name: string) =>
      app.admin.ask<number>('res.partner', 'create', { vals_list: { name, phone: '+41445550177' } })
    const [keep, twin] = [await of('Yara Novak'), await of('Y. Novak')]
    const hugo = await Visitor.open(browser, app.url)
    await hugo.signIn('hugo-reads', `/contacts/${keep}`)
    await hugo.page.getByText('Same number: Y. Novak').waitFor()
    expect(await hugo.page.getByText(/merge/i).count()).toBe(0)
    await hugo.visit(`/contacts/duplicates?keep=${keep}&other=${twin}`)
    await hugo.page.getByRole('link', { name: 'Y. Novak' }).waitFor()
    expect(await hugo.page.getByRole('button', { name: /merge|compare/i }).count()).toBe(0)
    expect(hugo.faults).toEqual([])
    await hugo.close()
    const eve = await Visitor.open(browser, app.url)
    await eve.signIn('eve-calls', `/contacts/duplicates`)
    await eve.page
      .getByRole('listitem')
      .filter({ hasText: 'Y. Novak' })
      .getByRole('button', { name: 'Compare' })
      .click()
    await eve.page.getByRole('button', { name: 'Merge …' }).click()
    const asked = eve.page.getByRole('dialog', { name: 'Merge Y. Novak into Yara Novak?' })
    await asked.getByText('All calls, messages, tickets, meetings and notes move to Yara Novak.').waitFor()
    expect(await eve.barriers()).toEqual([])
    await asked.getByRole('button', { name: 'Merge', exact: true }).click()
    await eve.page.getByText('Merged into Yara Novak').waitFor()
    await eve.page.getByRole('heading', { name: 'Yara Novak' }).waitFor()
    expect(await idOf('res.partner', [['id', '=', twin]])).toBe(0)
    expect(eve.faults).toEqual([])
    await eve.close()
  })

  it('two contacts of one number become one, the number is explained, and the person is erased', async ({ skip }) => {
    skip(NO_BROWSER !== undefined, NO_BROWSER)
    const { admin } = world.app
    const zoe = await idOf('res.partner', [['name', '=', 'Zoe Miller']])
    const other = await admin.ask<number>('res.partner', 'create', {
      vals_list: { name: 'Zora Millerova', phone: NUMBER, comment: HOSTILE, lang: 'it_CH', tz: 'America/New_York' },
    })
    await admin.ask('helpdesk.ticket', 'create', { vals_list: { name: 'Invoice twice', partner_id: other } })
    const visitor = await Visitor.open(browser, world.app.url)
    const { page } = visitor
    await visitor.signIn('ada', `/contacts/${zoe}`)
    await page.getByText('Same number: Zora Millerova').waitFor()
    await page.getByRole('link', { name: 'Zora Millerova' }).waitFor()
    await page.getByRole('button', { name: 'Who calls from this number' }).click()
    await page.getByText('Several contacts without a company have this number: the oldest is shown.').waitFor()
    await page.getByRole('link', { name: 'Merge ▸' }).click()
    await page.getByRole('radio', { name: 'Zora Millerova' }).waitFor()
    await page.getByRole('radio', { name: 'Italian (Switzerland)' }).waitFor()
    await page.getByRole('radio', { name: 'America/New York' }).waitFor()
    await page.getByRole('button', { name: 'Merge …' }).click()
    const asked = page.getByRole('dialog', { name: 'Merge Zora Millerova into Zoe Miller?' })
    await asked.getByText("The other contact (Zora Millerova) is deleted. This can't be undone.").waitFor()
    await asked.getByRole('button', { name: 'Merge', exact: true }).click()
    await page.getByRole('heading', { name: 'Zoe Miller' }).waitFor()
    await page.getByRole('link', { name: 'Tickets 2' }).click()
    await page.getByText('Invoice twice').waitFor()
    await page.getByText('Leaking boiler').waitFor()
    await page.getByRole('link', { name: 'Calls 1' }).click()
    await page.getByText('The boiler leaks.').first().waitFor()
    expect([...(await visitor.barriers()), ...visitor.faults]).toEqual([])
    await page.getByRole('button', { name: 'Erase …' }).click()
    const dialog = page.getByRole('dialog', { name: 'Erase Zoe Miller?' })
    await dialog.getByText(/^Deleted: the contact, 1 recording/).waitFor()
    await dialog.getByText(/1 call, 2 tickets/).waitFor()
    expect(await dialog.getByRole('button', { name: 'Erase' }).isDisabled()).toBe(true)
    await dialog.getByLabel('Type “Zoe Miller” to confirm').fill('Zoe Miller')
    await dialog.getByRole('button', { name: 'Erase' }).click()
    await page.waitForURL(/\/contacts$/)
    await eventually(async () => (await idOf('connect.erasure', [['state', '=', 'done']])) > 0)
    for (const route of ['/contacts', '/calls', '/tickets', `/tickets/${ticket}`, '/messages', '/deliveries', '/now']) {
      await visitor.visit(route)
      await page.locator('main h1').waitFor()
      const text = await page.locator('main').innerText()
      expect([route, /zoe miller|boiler|555.?0210/i.test(text)]).toEqual([route, false])
    }
    expect(await admin.ask('res.partner', 'search', { domain: [['phone_normalized', '=', NUMBER]] })).toEqual([])
    // What is left of the call says why nobody is named.
    await visitor.visit('/calls')
    await page.getByRole('row', { name: 'Erased person' }).first().click()
    await page.getByRole('heading', { name: 'Erased person' }).first().waitFor()
    expect(visitor.faults).toEqual([])
    await visitor.close()
  })

  it('a hostile name is text on every page of contacts and tickets', async ({ skip }) => {
    skip(NO_BROWSER !== undefined, NO_BROWSER)
    const { admin } = world.app
    const contact = await admin.ask<number>('res.partner', 'create', {
      vals_list: { name: HOSTILE, comment: HOSTILE, phone: '+41313808316' },
    })
    const twin = await admin.ask<number>('res.partner', 'create', {
      vals_list: { name: HOSTILE, mobile: '+41313808316' },
    })
    await admin.ask('res.partner', 'message_post', { ids: [contact], body: `${HOSTILE} javascript:alert(3)` })
    const theirs = await admin.ask<number>('helpdesk.ticket', 'create', {
      vals_list: { name: HOSTILE, description: HOSTILE, partner_id: contact },
    })
    const visitor = await Visitor.open(browser, world.app.url)
    const { page } = visitor
    await visitor.signIn('ada')
    for (const route of [
      '/tickets',
      '/tickets?as=list',
      `/tickets/${theirs}`,
      '/contacts',
      `/contacts/${contact}`,
      `/contacts/${contact}?tab=tickets`,
      `/contacts/duplicates?keep=${contact}&other=${twin}`,
    ]) {
      await visitor.visit(route)
      await eventually(async () => (await page.locator('main').innerText()).includes('onerror=alert(1)'))
      expect(await page.locator('img[src="x"], main script, a[href^="javascript:"]').count(), route).toBe(0)
    }
    expect(visitor.faults).toEqual([])
    await visitor.close()
  })
})
