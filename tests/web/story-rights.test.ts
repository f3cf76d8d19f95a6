// What one may not do is not drawn: people in the groups that they really have look at every page of theirs, and what is drawn
// there is compared with what the service would allow them.
import type { Browser, Page, Request } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sql } from '../../src/database/drizzle.ts'
import { GROUP } from '../../src/platform/access/identity.ts'
import { openBrowser, whyNoBrowser } from '../support/browser.ts'
import { insertRow } from '../support/rows.ts'
import { type Caller, TestApp } from '../support/test-app.ts'
import { BROWSER_MS, firstAdministrator, PASSWORD, pageIsBuilt, Visitor } from './visitor.ts'

const NO_BROWSER = whyNoBrowser()
const STORY_MS = 2 * BROWSER_MS
const CUSTOMER = '+14155550210'
const OURS = '+14155550110'

const PEOPLE = {
  helpdesk: [GROUP.helpdeskUser],
  connect: [GROUP.connectUser],
  both: [GROUP.helpdeskUser, GROUP.connectUser],
  manager: [GROUP.helpdeskManager],
  administrator: [GROUP.connectAdmin],
} as const
type Person = keyof typeof PEOPLE

/** Models of which everybody who reads them looks at a record; those beside are the same forms. */
const LOOKED_AT = [
  ...[
    'res.partner',
    'res.users',
    'res.groups',
    'connect.view',
    'calendar.event',
    'connect.favorite',
    'connect.message',
  ],
  ...['helpdesk.ticket', 'helpdesk.team', 'helpdesk.stage', 'connect.call', 'connect.conversation', 'connect.user'],
  ...['connect.telco.number', 'connect.telco.callflow', 'connect.telco.exten', 'connect.voiceai_agent', 'res.lang'],
]

let app: TestApp
let browser: Browser
const callers = {} as Record<Person, Caller>
let contact: number
let ticket: number
/** About the ticket, and nobody's own. */
let foreignCall: number

beforeAll(async () => {
  app = await TestApp.start({ env: { PAGE: 'on' } })
  await firstAdministrator(app, 'ada')
  for (const [login, groups] of Object.entries(PEOPLE)) {
    const id = await create('res.users', {
      ...{ login, name: `${login} person`, password: PASSWORD },
      group_ids: await app.groupIds([GROUP.internal, ...groups]),
    })
    callers[login as Person] = await app.callerOf(id)
  }
  contact = await create('res.partner', { name: 'Zoe Miller', phone: CUSTOMER })
  ticket = await create('helpdesk.ticket', { name: 'Leaking boiler', partner_id: contact })
  const values = { direction: 'incoming', status: 'no-answer', caller: CUSTOMER, called: OURS, partner: contact }
  foreignCall = await create('connect.call', { ...values, ticket })
  for (const { userId } of Object.values(callers)) {
    await create('connect.call', { ...values, caller: `+141555503${userId}`, called_users: [[6, 0, [userId]]] })
  }
  const flow = await create('connect.telco.callflow', { name: 'Sales menu', prompt_message: 'Hello.' })
  await create('connect.telco.number', { phone_number: OURS, destination: 'callflow', callflow: flow })
  await create('connect.telco.exten', { number: '700', dst: `connect.telco.callflow,${flow}` })
  const voice = await create('connect.voiceai_voice', { name: 'Ann', voice_id: 'ann' })
  await create('connect.voiceai_agent', { name: 'Helpdesk', prompt: 'You are the helpdesk.', voice })
  await create('connect.view', { name: 'Everybody', model: 'connect.call', query: {}, user: null })
  await create('connect.user', { user: callers.connect.userId, client_enabled: false })
  await create('calendar.event', {
    ...{ name: 'Visit', start: '2026-11-27 10:00:00', stop: '2026-11-27 11:00:00' },
    user_id: callers.connect.userId,
  })
  await callers.connect.ask('connect.favorite', 'create', { vals_list: { name: 'Zoe', phone_number: CUSTOMER } })
  await failedMessages()
  await pageIsBuilt(app)
  if (NO_BROWSER === undefined) browser = await openBrowser()
}, BROWSER_MS)
afterAll(async () => {
  await browser?.close()
  await app.stop()
})

function create(model: string, vals: object): Promise<number> {
  return app.admin.ask<number>(model, 'create', { vals_list: vals })
}

/** A conversation in which a text of each of two colleagues was not delivered. */
async function failedMessages(): Promise<void> {
  const conversation = await insertRow(app.db, 'connect_conversation', {
    ...{ channel: 'sms', ours: OURS, theirs: CUSTOMER, partner: contact },
  })
  for (const person of ['connect', 'both'] as const) {
    const id = await insertRow(app.db, 'connect_message', {
      ...{ message_type: 'sms', from_number: OURS, to_number: CUSTOMER, body: `From ${person}`, direction: 'outgoing' },
      ...{ status: 'failed', sender_user: callers[person].userId, partner: contact, conversation },
    })
    await app.db.query(
      sql`update connect_conversation set last_message = ${id}::bigint, last_open = ${id}::bigint where id = ${conversation}::bigint`,
    )
  }
}

interface Drawn {
  save: number
  remove: number
  note: number
  methods: string[]
}

async function painted(page: Page): Promise<void> {
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))))
}

/** Models whose methods a page holds already: it asks once. */
const held = new WeakMap<Page, Set<string>>()

async function described(page: Page, model: string): Promise<void> {
  const models = held.get(page) ?? new Set()
  held.set(page, models.add(model))
  await page.waitForResponse((answer) => answer.url().endsWith(`/${model}/methods_get`))
}

/** Goes to the page of a record within the page, as a link does, and waits until it stands there. */
async function openRecord({ page }: Visitor, model: string, id: number): Promise<void> {
  const isRead = (request: Request) =>
    request.url().endsWith(`/${model}/read`) && request.postData()?.startsWith(`{"ids":[${id}],"fields"`) === true
  const read = page.waitForResponse((answer) => isRead(answer.request()))
  const methods = held.get(page)?.has(model) === true ? undefined : described(page, model)
  await page.evaluate((address) => history.pushState({}, '', address), `/records/${model}/${id}`)
  const [row] = (await (await read).json()) as { display_name?: string }[]
  await page.waitForFunction((name) => {
    const bare = (text: string) => text.replaceAll(/[^\p{L}\d]/gu, '')
    return bare(document.querySelector('#page h1')?.textContent ?? '').includes(bare(name))
  }, row?.display_name ?? '')
  await page.locator('#page form').first().waitFor()
  await methods
  await painted(page)
}

/** What stands on the page of a record for changing it. */
async function drawnOn(visitor: Visitor, model: string, id: number): Promise<Drawn> {
  const { page } = visitor
  await openRecord(visitor, model, id)
  const button = (name: string) => page.locator('#page').getByRole('button', { name, exact: true }).count()
  const head = page.locator('#page header').getByRole('button')
  const plain = await head.allInnerTexts()
  const more = page.locator('#page').getByRole('button', { name: 'More ▾' })
  const hasMore = (await more.count()) > 0
  if (hasMore) await more.click()
  const asking = hasMore ? await page.getByRole('menuitem').allInnerTexts() : []
  return {
    save: await button('Save'),
    remove: await button('Delete'),
    note: await page.locator('#page [data-note]').count(),
    methods: [
      ...plain.filter((name) => !/^(?:Delete|More ▾|)$/.test(name)),
      ...asking.map((name) => name.replace(/ …$/, '')),
    ],
  }
}

const ALLOWED = 200
const ID_OF_NOBODY = 2_147_483_647

/** The same as the service answers it. */
async function allowedOn(caller: Caller, model: string, id: number): Promise<Drawn> {
  const statusOf = async (method: string, args: object) => (await caller.call(model, method, args)).status
  const written = await statusOf('write', { ids: [id], vals: {} })
  const fields = await caller.ask<Record<string, { writable?: boolean; written_when?: string }>>(
    model,
    'fields_get',
    {},
  )
  const isAny = Object.values(fields).some((each) => each.writable === true && each.written_when !== 'creating')
  const removed = await statusOf('consequences', { ids: [id] })
  // A blank note is refused, after whether one may write one.
  const noted = await statusOf('message_post', { ids: [id], body: ' ' })
  const methods = await caller.ask<Record<string, { label: string; allowed: boolean; takes: string }>>(
    model,
    'methods_get',
    {},
  )
  return {
    save: written === ALLOWED && isAny ? 1 : 0,
    remove: removed === ALLOWED ? 1 : 0,
    note: noted === 422 ? 1 : 0,
    methods: Object.values(methods)
      .filter(({ allowed, takes }) => allowed && (!['write', 'unlink'].includes(takes) || written === ALLOWED))
      .map(({ label }) => label),
  }
}

/** The newest record of a model that somebody reads, and the oldest. */
async function recordsOf(caller: Caller, model: string): Promise<number[]> {
  const ends = await Promise.all(
    ['id desc', 'id'].map((order) => caller.ask<number[]>(model, 'search', { order, limit: 1 })),
  )
  return [...new Set(ends.flat())]
}

type Access = Record<string, string>

/** What is drawn on records of a model and would be refused, and what is missing there. */
async function wrongOn(visitor: Visitor, caller: Caller, model: string): Promise<object[]> {
  const found: object[] = []
  for (const id of await recordsOf(caller, model)) {
    const drawn = await drawnOn(visitor, model, id)
    const allowed = await allowedOn(caller, model, id)
    const methods = drawn.methods.filter((name) => !allowed.methods.includes(name))
    const wrong = (['save', 'remove', 'note'] as const).filter((what) => drawn[what] > allowed[what])
    // A colleague's message is read, and theirs.
    const missing = allowed.save > drawn.save && model !== 'connect.message' ? ['save'] : []
    if (methods.length + wrong.length + missing.length > 0) found.push({ model, id, methods, wrong, missing })
  }
  return found
}

/** Whether the list of the model that is open leads to a new record. */
async function isNewOffered({ page }: Visitor, model: string): Promise<boolean> {
  await page.evaluate((address) => history.pushState({}, '', address), `/records/${model}`)
  await page.locator('#page').getByRole('button', { name: 'Filter', exact: false }).first().waitFor()
  await painted(page)
  return (await page.locator('#page').getByRole('link', { name: 'New', exact: true }).count()) > 0
}

/** What of a page is drawn and would be refused, or is allowed and missing. */
async function wrongAt(visitor: Visitor, { address, controls }: LookedAt): Promise<object[]> {
  const { page } = visitor
  await visitor.go(address)
  await page.locator('#page').getByRole('heading', { level: 1 }).first().waitFor()
  const found: object[] = []
  for (const { name, role = 'button', count } of controls) {
    const control = page.locator('#page').getByRole(role, { name })
    if (count > 0) await control.nth(count - 1).waitFor()
    await painted(page)
    const drawn = await control.count()
    if (drawn !== count) found.push({ address, name: String(name), drawn, allowed: count })
  }
  return found
}

describe.each(Object.keys(PEOPLE) as Person[])('in a browser, %s', { timeout: STORY_MS }, (person) => {
  it('pages of records draw what the service allows', async ({ skip }) => {
    skip(NO_BROWSER !== undefined, NO_BROWSER)
    const visitor = await Visitor.open(browser, app.url)
    await visitor.signIn(person, '/me')
    const { access } = (await visitor.page.evaluate(async () => (await fetch('/api/me')).json())) as { access: Access }
    const found: object[] = []
    for (const model of LOOKED_AT.filter((name) => access[name]?.includes('r'))) {
      found.push(...(await wrongOn(visitor, callers[person], model)))
      const isNew = await isNewOffered(visitor, model)
      if (isNew !== access[model]?.includes('c')) found.push({ model, isNew })
    }
    expect(found).toEqual([])
    expect(visitor.faults).toEqual([])
    await visitor.close()
  })

  it('the other pages draw what the service allows', async ({ skip }) => {
    skip(NO_BROWSER !== undefined, NO_BROWSER)
    const visitor = await Visitor.open(browser, app.url)
    const { page } = visitor
    await visitor.signIn(person, '/me')
    const links = page.getByRole('navigation').getByRole('link')
    const rail = await links.evaluateAll((all) => all.map((link) => new URL((link as HTMLAnchorElement).href).pathname))
    const found: object[] = []
    for (const looked of await pagesOf(callers[person])) {
      if (rail.includes(looked.part)) found.push(...(await wrongAt(visitor, looked)))
    }
    expect(found).toEqual([])
    expect(visitor.faults).toEqual([])
    await visitor.close()
  })
})

interface Control {
  name: string | RegExp
  role?: 'button' | 'link' | 'textbox'
  /** How many there are of those who may. */
  count: number
}
interface LookedAt {
  part: string
  address: string
  controls: Control[]
}

/** Pages by the entry of the rail that they belong to, with what is pressed on them and the service allows. */
async function pagesOf(caller: Caller): Promise<LookedAt[]> {
  const may = async (model: string, method: string, args: object, allowed = ALLOWED) =>
    (await caller.call(model, method, args)).status === allowed ? 1 : 0
  const makes = (model: string) => may(model, 'create', { vals_list: [] })
  const calls = async (model: string, method: string) => {
    const { status, body } = await caller.call(model, 'methods_get', {})
    return status === ALLOWED && (body as Record<string, { allowed: boolean }>)[method]?.allowed === true ? 1 : 0
  }
  const sees = await may('connect.call', 'read', { ids: [foreignCall], fields: ['id'] })
  const noted = await may('connect.call', 'write', { ids: [foreignCall], vals: {} })
  const edits = await may('res.partner', 'write', { ids: [contact], vals: {} })
  const failed = await caller.call('connect.message', 'search_read', {
    domain: [['status', '=', 'failed']],
    fields: ['sender_user'],
  })
  const isAdmin = (await may('connect.message', 'unlink', { ids: [ID_OF_NOBODY] }, 404)) === 1
  const own = failed.status === ALLOWED ? (failed.body as { sender_user: [number, string] | null }[]) : []
  const again = own.filter(({ sender_user: sender }) => isAdmin || sender?.[0] === caller.userId).length
  const waiting = await caller.call('connect.call', 'to_call_back', {})
  const settled = (waiting.body as { may_settle?: boolean }[]).filter((each) => each.may_settle === true).length
  return [
    {
      part: '/contacts',
      address: `/contacts/${contact}`,
      controls: [
        { name: /^Message/, count: await makes('connect.message') },
        { name: /^Ticket$/, count: await makes('helpdesk.ticket') },
        { name: /^Meeting$/, count: await makes('calendar.event') },
        { name: /^Edit$/, role: 'link', count: edits },
        { name: /note$/i, role: 'textbox', count: edits },
        { name: /^Erase/, count: await calls('res.partner', 'erase') },
      ],
    },
    {
      part: '/contacts',
      address: '/contacts',
      controls: [{ name: /^New$/, role: 'link', count: await makes('res.partner') }],
    },
    {
      part: '/tickets',
      address: '/tickets',
      controls: [
        { name: /^New team/, count: await makes('helpdesk.team') },
        { name: /New stage/, count: await makes('helpdesk.stage') },
      ],
    },
    ...(sees === 0
      ? []
      : [
          {
            part: '/calls',
            address: `/calls/${foreignCall}`,
            controls: [{ name: /note$/i, role: 'textbox' as const, count: noted }],
          },
        ]),
    {
      part: '/messages',
      address: `/messages/sms/${encodeURIComponent(OURS)}/${encodeURIComponent(CUSTOMER)}`,
      controls: [{ name: 'Try again', count: again }],
    },
    { part: '/now', address: '/now', controls: [{ name: /^Done: /, count: settled }] },
    {
      part: '/settings',
      address: '/settings/people',
      controls: [{ name: /^Invite/, count: await calls('res.users', 'invite') }],
    },
  ]
}
