// What one may not do is not drawn, and what one may do is: five people open records of each kind, and what is drawn for them is
// compared with what the service answers to their own session.
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { writersOf } from '../../src/app/areas.ts'
import { sql } from '../../src/database/drizzle.ts'
import { isForPeople } from '../../web/records/record-rights.ts'
import { CARDS } from '../../web/settings/settings-cards.ts'
import { aPhoneUser, aVoiceAgent } from '../fixtures/records.ts'
import { openBrowser, whyNoBrowser } from '../support/browser.ts'
import { insertRow } from '../support/rows.ts'
import { TestApp } from '../support/test-app.ts'
import { BROWSER_MS, firstAdministrator, PASSWORD, pageIsBuilt, Visitor } from './visitor.ts'

const NO_BROWSER = whyNoBrowser()
const INTERNAL = 'base.group_user'
/** From the person who may do least. */
const PEOPLE = {
  nobody: [INTERNAL],
  helpdesk: [INTERNAL, 'helpdesk.group_user'],
  user: [INTERNAL, 'connect.group_user'],
  admin: [INTERNAL, 'connect.group_admin'],
  ada: [],
} as const
type Name = keyof typeof PEOPLE
const NAMES = Object.keys(PEOPLE) as Name[]

/** Of these some rows are somebody's own and others are not. */
const OF_PEOPLE: Readonly<Record<string, number>> = {
  'connect.call': 4,
  'connect.message': 5,
  'connect.view': 5,
  'connect.recording': 3,
  'res.users': 5,
}
/** What a new installation has none of, and nobody makes by hand. */
const WITHOUT_RECORDS = [
  ...['connect.erasure', 'connect.job', 'connect.notice', 'connect.telco.user_callflow_call'],
  ...['connect.voiceai_knowledge', 'connect.voiceai_question', 'connect.voiceai_trial', 'res.users.invitation'],
]
const SHOWN_MS = 30_000

/** What is done on pages that are not made from the model, and what the service has to say to it. */
type Truth = [kind: 'create' | 'write' | 'post' | 'method', model: string, name?: string]
const OWN_PAGES: Readonly<Record<string, Readonly<Record<string, Truth>>>> = {
  '/contacts': { New: ['create', 'res.partner'], Duplicates: ['method', 'res.partner', 'duplicates'] },
  '/contacts/{res.partner}': {
    Edit: ['write', 'res.partner'],
    'Add note': ['post', 'res.partner'],
    'Export all': ['method', 'res.partner', 'export_person'],
    'Export for programs': ['method', 'res.partner', 'export_person'],
    'Erase …': ['method', 'res.partner', 'erase'],
    Ticket: ['create', 'helpdesk.ticket'],
    Call: ['method', 'connect.user', 'originate'],
    Message: ['method', 'connect.message', 'send'],
    Meeting: ['create', 'calendar.event'],
  },
  '/tickets': { New: ['create', 'helpdesk.ticket'] },
  '/tickets/{helpdesk.ticket}': {
    'Edit subject and description': ['write', 'helpdesk.ticket'],
    'Assign to me': ['write', 'helpdesk.ticket'],
    'Add note': ['post', 'helpdesk.ticket'],
  },
  '/calls/{connect.call}': {
    Write: ['write', 'connect.call'],
    'Add note': ['post', 'connect.call'],
    'Call back': ['method', 'connect.user', 'originate'],
  },
  '/messages/sms/+15550100110/+41313808316': {
    Close: ['method', 'connect.conversation', 'close'],
    'Assign ▾': ['method', 'connect.conversation', 'assign'],
    Send: ['method', 'connect.message', 'send'],
  },
  '/agents': {
    'Set up an agent': ['create', 'connect.voiceai_agent'],
    'New agent (all fields)': ['create', 'connect.voiceai_agent'],
  },
  '/messages': { 'New message': ['method', 'connect.message', 'send'] },
  '/settings/people': { 'Invite someone': ['method', 'res.users', 'invite'] },
}

type Row = Record<string, unknown>
interface Answer {
  status: number
  body: unknown
}
interface Method {
  allowed: boolean
  takes: string | null
  arguments: { properties?: Record<string, Row>; required?: string[] }
}
/** What is drawn of a record, or should be. */
interface Drawn {
  save: boolean
  delete: boolean
  note: boolean
  methods: string[]
  /** Lists of its parts to which one can be added. */
  parts: string[]
}

let app: TestApp
let browser: Browser
const visitors = {} as Record<Name, Visitor>
const ids = {} as Record<Name, number>
/** The record of a model that nobody has as their own. */
const shared: Record<string, number> = {}

beforeAll(async () => {
  app = await TestApp.start({ env: { PAGE: 'on' } })
  await firstAdministrator(app, 'ada')
  ids.ada = await newest('res.users', [['login', '=', 'ada']])
  for (const name of NAMES.slice(0, -1)) {
    const group_ids = await app.groupIds(PEOPLE[name])
    const values = { login: name, name: `Person ${name}`, password: PASSWORD, group_ids }
    ids[name] = await app.admin.ask('res.users', 'create', { vals_list: values })
  }
  await makeShared()
  for (const name of NAMES) await makeOwn(ids[name])
  await pageIsBuilt(app)
  if (NO_BROWSER !== undefined) return
  browser = await openBrowser()
  for (const name of NAMES) {
    visitors[name] = await Visitor.open(browser, app.url)
    await withWebPhone(visitors[name].page)
    await visitors[name].signIn(name, '/records')
  }
}, BROWSER_MS)
afterAll(async () => {
  await browser?.close()
  await app.stop()
})

/** What needs one's own phone is drawn for people whose phone can ring. */
async function withWebPhone(page: Page): Promise<void> {
  await page.route('**/api/me', async (route) => {
    const response = await route.fetch()
    const me = (await response.json()) as { features?: object; phone?: object | null }
    const phone = { id: 0, extension: null, ...me.phone, rings: ['client'], calls_from: 'client' }
    const json = response.ok() ? { ...me, features: { ...me.features, web_phones: true }, phone } : me
    await route.fulfill({ response, json })
  })
}

/** The models that somebody reads. */
function readModels(): string[] {
  return [...app.app.platform.models].flatMap(({ name, access = {} }) =>
    Object.values(access).some((rights) => rights.includes('r')) ? [name] : [],
  )
}

async function newest(model: string, domain: unknown[] = []): Promise<number> {
  const [id = 0] = await app.admin.ask<number[]>(model, 'search', { domain, order: 'id desc', limit: 1 })
  return id
}

const make = (model: string, vals_list: Row) => app.admin.ask<number>(model, 'create', { vals_list })

/** A record past the API, where the service alone makes them. */
function row(model: string, values: Row): Promise<number> {
  return insertRow(app.db, model.replaceAll('.', '_'), { ...values, create_date: '2026-01-15 11:00:00' })
}

/** A record of each kind that there is one of, which is nobody's own. */
async function makeShared(): Promise<void> {
  const zoe = await make('res.partner', { name: 'Zoe Miller', mobile: '+41313808316' })
  const ticket = await make('helpdesk.ticket', { name: 'Leaking boiler', partner_id: zoe })
  const agent = await aVoiceAgent(app, 'agent_rights')
  const call = await insertRow(app.db, 'connect_call', {
    ...{ caller: '+41313808316', called: '+15550100110', direction: 'incoming', status: 'completed' },
    ...{ partner: zoe, ticket, voiceai_agent: agent },
  })
  await insertRow(app.db, 'connect_channel', { sid: 'CArights', call, status: 'completed' })
  await insertRow(app.db, 'connect_recording', { sid: 'RErights', call, status: 'completed' })
  await insertRow(app.db, 'connect_voicemail', {
    ...{ sid: 'REvoice', call_sid: 'CArights', url: 'https://api.twilio.com/x', duration: 5, call },
  })
  Object.assign(shared, { 'res.partner': zoe, 'helpdesk.ticket': ticket, 'connect.call': call })
  const { pbxUser } = await aPhoneUser(app, { name: 'Pia Phone', extension: '101' })
  const number = await make('connect.telco.number', { phone_number: '+15550100110' })
  const flow = await make('connect.telco.callflow', { name: 'Menu' })
  const exten = await newest('connect.telco.exten')
  const hours = await row('connect.telco.business_hours', { name: 'Office', tz: 'Europe/Zurich' })
  const application = await newest('connect.telco.markup')
  const [week, day] = [await make('resource.calendar', { name: 'Week' }), { dayofweek: '0', hour_from: 8, hour_to: 17 }]
  const conversation = await row('connect.conversation', {
    channel: 'sms',
    ours: '+15550100110',
    theirs: '+41313808316',
  })
  const text = { from_number: '+41313808316', to_number: '+15550100110', direction: 'incoming', status: 'received' }
  const message = await insertRow(app.db, 'connect_message', { ...text, body: 'Hello', conversation })
  await app.db.query(sql`update connect_conversation set last_message = ${message}::bigint, last_open = ${message}::bigint
    where id = ${conversation}::bigint`)
  Object.assign(shared, { 'connect.conversation': conversation, 'connect.voiceai_agent': agent })
  const second = await aVoiceAgent(app, 'agent_second')
  const at = '2026-01-15 11:00:00'
  const rows: Record<string, Row> = {
    'connect.telco.callflow_choice': { callflow: flow, choice_digits: '1', exten },
    'connect.telco.opening': { business_hours: hours, ...day },
    'connect.telco.holiday': { business_hours: hours, name: 'New Year', date_from: '2026-01-01' },
    'connect.telco.outgoing_callerid': { number: '+15550100111', friendly_name: 'Desk', callerid_type: 'number' },
    'connect.telco.message_configuration': { number, destination: 'connect.voiceai_agent' },
    'connect.telco.domain': { subdomain: 'desk', friendly_name: 'Desk', application },
    'connect.whatsapp_sender': { number: '+15550100112' },
    'connect.voiceai_agent_transfer': { agent, transfer_to_agent: second },
    'connect.voiceai_agent_draft': { agent: second, vals: '{"name": "Nora"}', base: '{"name": "Nina"}' },
    'connect.voiceai_file': { text: 'Hello', filename: 'hello.mp3' },
    'connect.conversation.reader': { conversation, user: ids.ada },
    'connect.delivery': { area: 'telco', route: '/telco/webhook/callstatus', verdict: 'accepted', received_at: at },
    'connect.inbox': { kind: 'post_call', state: 'failed', received_at: at, attempts: 1 },
    'connect.sync_run': { area: 'telco', kind: 'sync', state: 'done' },
    'connect.check_run': { state: 'done', started_at: at },
    'connect.debug': {},
    'resource.calendar.attendance': { calendar_id: week, ...day },
  }
  for (const [model, values] of Object.entries(rows)) await row(model, values)
  await make('connect.telco.user_callflow', { user: pbxUser })
  await make('calendar.event', { name: 'Visit', start: '2026-01-15 11:00:00', stop: '2026-01-15 12:00:00' })
  await app.admin.ask('res.partner', 'message_post', { ids: [zoe], body: 'Called' })
}

/** Records of somebody, beside which others have theirs. */
async function makeOwn(user: number): Promise<void> {
  const parties = { caller: '+41313808317', called: '+15550100110', direction: 'incoming', status: 'completed' }
  const call = await insertRow(app.db, 'connect_call', { ...parties, answered_user: user })
  await insertRow(app.db, 'connect_recording', { sid: `RE${user}`, call, status: 'completed', called_user: user })
  await insertRow(app.db, 'connect_favorite', { name: 'Zoe', phone_number: '+41313808316', user })
  const text = { from_number: '+15550100110', to_number: '+41313808316', direction: 'outgoing', body: 'Hello' }
  await insertRow(app.db, 'connect_message', { ...text, status: 'failed', sender_user: user })
  await insertRow(app.db, 'connect_message', { ...text, status: 'draft', attempt: 0, sender_user: user })
  const view = { name: `View ${user}`, model: 'res.partner', query: '{}' }
  await insertRow(app.db, 'connect_view', { ...view, user })
}

/** What the service answers to the session of a page, one after another. */
async function ask(
  page: Page,
  asked: readonly (readonly [model: string, method: string, args: Row])[],
): Promise<Answer[]> {
  return page.evaluate(
    async (all) => {
      const answers: Answer[] = []
      for (const [model, method, args] of all) {
        const headers = { 'content-type': 'application/json' }
        const init = { method: 'POST', headers, body: JSON.stringify(args), signal: AbortSignal.timeout(30_000) }
        const answer = await fetch(`/json/2/${model}/${method}`, init).catch(() => undefined)
        const body = await answer?.json().catch(() => undefined)
        answers.push({ status: answer?.status ?? 0, body })
      }
      return answers
    },
    asked as unknown as [string, string, Row][],
  )
}

const isRefused = ({ status }: Answer) => status === 403 || status === 404

interface Seen {
  model: string
  id: number
  row: Row
  fields: Record<string, Row>
  methods: Record<string, Method>
  expected: Drawn
}

/** The records of a model that somebody reads, with what the service says that they may do with each. */
async function recordsOf(name: Name, model: string): Promise<Seen[]> {
  const { page } = visitors[name]
  const me = ids[name]
  const limit = OF_PEOPLE[model] ?? 1
  const [found, described, fields] = await ask(page, [
    [model, 'search_read', { order: 'id desc', limit }],
    [model, 'methods_get', {}],
    [model, 'fields_get', {}],
  ])
  if (found?.status !== 200) return []
  const methods = described?.body as Record<string, Method>
  const isWritten = Object.values(fields?.body as Record<string, Row>).some(
    ({ writable, written_when: when }) => writable === true && when !== 'creating',
  )
  const ofParts = await partsOf(page, fields?.body as Record<string, Row>)
  const seen: Seen[] = []
  for (const row of found.body as (Row & { id: number })[]) {
    const of = { ids: [row.id] }
    const [write, unlink, note] = (await ask(page, [
      [model, 'write', { ...of, vals: {} }],
      [model, 'consequences', of],
      [model, 'message_post', { ...of, body: ' ' }],
    ])) as [Answer, Answer, Answer]
    const mayWrite = !isRefused(write)
    const expected = {
      save: isWritten && mayWrite,
      delete: !isRefused(unlink),
      note: !isRefused(note),
      methods: Object.entries(methods)
        .filter(([name, { allowed }]) => allowed && isForPeople(model, name) && row[`can_${name}`] !== false)
        .filter(([name]) => name !== 'api_keys_end' || row.id === me || me === ids.ada)
        .filter(([, { takes }]) => (takes !== 'write' || mayWrite) && (takes !== 'unlink' || !isRefused(unlink)))
        .map(([name]) => name)
        .sort(),
      parts: mayWrite ? ofParts : [],
    }
    seen.push({ model, id: row.id, row, fields: fields?.body as Record<string, Row>, methods, expected })
  }
  return seen
}

/** The lists of parts of a model in which somebody may make parts. */
async function partsOf(page: Page, fields: Record<string, Row>): Promise<string[]> {
  const lists = Object.entries(fields).filter(([, { parts, writable }]) => parts === true && writable === true)
  const made = await ask(
    page,
    lists.map(([, { relation }]) => [String(relation), 'create', { vals_list: [] }] as const),
  )
  return lists
    .filter((_list, at) => !isRefused(made[at] ?? { status: 403, body: {} }))
    .map(([name]) => name)
    .sort()
}

/** What is drawn on the page of a record: the menu of what can be done with it is opened. */
function drawnOn(page: Page): Promise<Drawn> {
  return page.evaluate(async () => {
    const main = document.querySelector('#page') ?? document.body
    const named = (name: string) =>
      [...main.querySelectorAll('button')].some((each) => each.textContent === name && each.closest('article') === null)
    const more = [...main.querySelectorAll('button')].find(({ textContent }) => textContent === 'More ▾')
    if (more !== undefined && more.getAttribute('aria-expanded') !== 'true') more.click()
    await new Promise((resolve) => setTimeout(resolve, 0))
    const methods = [...document.querySelectorAll<HTMLElement>('[data-method]')].map(
      (each) => each.dataset.method ?? '',
    )
    return {
      save: [...main.querySelectorAll('form:not([data-note]) [type="submit"]')].length > 0,
      delete: named('Delete'),
      note: main.querySelector('form[data-note]') !== null,
      methods: methods.sort(),
      parts: [...main.querySelectorAll<HTMLElement>('[data-field]')]
        .filter((each) => each.querySelector('[data-add]:not([data-add="text"])') !== null)
        .map((each) => each.dataset.field ?? '')
        .sort(),
    }
  })
}

/** Opens a page as a link would. */
async function open(page: Page, address: string): Promise<void> {
  await page.evaluate((to) => {
    for (const form of document.querySelectorAll('form')) form.setAttribute('data-before', '')
    history.pushState(null, '', to)
  }, address)
}

const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)

/** Where what is drawn is not what it should be, when it has had time to be. */
async function differenceOf(page: Page, { model, id, expected }: Seen): Promise<string[]> {
  await open(page, `/records/${model}/${id}`)
  await page.waitForFunction(
    (to) => location.pathname === to && document.querySelector('main form:not([data-note], [data-before])') !== null,
    `/records/${model}/${id}`,
  )
  const end = performance.now() + SHOWN_MS
  let drawn = await drawnOn(page)
  while (!isSame(drawn, expected) && performance.now() < end) drawn = await drawnOn(page)
  return (Object.keys(expected) as (keyof Drawn)[])
    .filter((part) => !isSame(drawn[part], expected[part]))
    .map((part) => `${model} ${id}: ${part} is ${JSON.stringify(drawn[part])}, not ${JSON.stringify(expected[part])}`)
}

describe('rights in a browser', () => {
  beforeEach(({ skip }) => skip(NO_BROWSER !== undefined, NO_BROWSER))

  it(
    'five people see on the page of each kind of record what the service lets them do, and nothing else',
    async () => {
      const models = readModels()
      const kinds = new Set<string>()
      const wrong = await Promise.all(
        NAMES.map(async (name) => {
          const { page } = visitors[name]
          const found: string[] = []
          for (const model of models) {
            for (const seen of await recordsOf(name, model)) {
              kinds.add(model)
              found.push(...(await differenceOf(page, seen)).map((each) => `${name}: ${each}`))
            }
          }
          return found
        }),
      )
      expect(models.filter((each) => !kinds.has(each)).sort()).toEqual(WITHOUT_RECORDS)
      expect(wrong.flat()).toEqual([])
      expect(NAMES.flatMap((name) => visitors[name].faults)).toEqual([])
    },
    BROWSER_MS,
  )

  it(
    'an act on a page of contacts, tickets, calls, messages or people is drawn for those whom the service lets do it',
    async () => {
      const wrong = await Promise.all(
        NAMES.map(async (name) => {
          const found: string[] = []
          for (const template of Object.keys(OWN_PAGES)) found.push(...(await differenceOfPage(name, template)))
          return found
        }),
      )
      expect(wrong.flat()).toEqual([])
    },
    BROWSER_MS,
  )

  it(
    'the cards of the settings, and the page of an agent, can be changed by those whose they are',
    async () => {
      const wrong = await Promise.all(
        NAMES.map(async (name) => {
          const found = await differenceOfAgent(name)
          for (const part of Object.keys(CARDS)) found.push(...(await differenceOfCards(name, part)))
          return found
        }),
      )
      expect(wrong.flat()).toEqual([])
    },
    BROWSER_MS,
  )

  it(
    'each act on a record is really tried: the service refuses nothing that is drawn, and accepts nothing that is not',
    async () => {
      const refused: string[] = []
      const models = readModels()
      for (const name of NAMES) {
        const { page } = visitors[name]
        for (const model of models) {
          for (const seen of await recordsOf(name, model)) {
            refused.push(...(await triedOn(page, seen)).map((each) => `${name}: ${each}`))
          }
        }
      }
      expect(refused).toEqual([])
    },
    BROWSER_MS,
  )
})

/** The settings on the cards of a part that somebody can change there, and how many secrets. */
function changeableOn(page: Page, names: readonly string[]): Promise<string[]> {
  return page.evaluate((wanted) => {
    const main = document.querySelector('#page') ?? document.body
    const secrets = main.querySelectorAll('input[type="password"], button[aria-label^="Replace: "]').length
    const control = ':is(input, textarea, select, button):not([disabled])'
    const fields = wanted.filter((name) => main.querySelector(`[data-field="${name}"] ${control}`) !== null)
    return [...fields, `${secrets} secrets`]
  }, names)
}

/** Where the cards of the settings let somebody change what is not theirs, or not what is. */
async function differenceOfCards(name: Name, part: string): Promise<string[]> {
  const { page } = visitors[name]
  const all = CARDS[part]?.flatMap(({ fields }) => fields) ?? []
  const may = (field: string) => {
    const writer = writersOf('connect.settings')?.[field]
    return name === 'ada' ? writer !== 'service' : name === 'admin' && writer === 'administrators'
  }
  const isSecret = (field: string) => field.startsWith('display_')
  const fields = all.filter((field) => !isSecret(field) && may(field))
  // A part that one is not shown lets nothing be changed.
  const expected = [...fields, `${all.filter((field) => isSecret(field) && may(field)).length} secrets`]
  await open(page, `/settings/${part}`)
  await page.waitForFunction((to) => location.pathname === to, `/settings/${part}`)
  const end = performance.now() + SHOWN_MS
  let drawn = await changeableOn(page, all)
  while (!isSame(drawn, expected) && performance.now() < end) drawn = await changeableOn(page, all)
  return isSame(drawn, expected) ? [] : [`${name}: /settings/${part}: ${drawn.join()}, not ${expected.join()}`]
}

/** Where the page of an agent lets somebody change it who may not, or the other way round. */
async function differenceOfAgent(name: Name): Promise<string[]> {
  const { page } = visitors[name]
  const id = shared['connect.voiceai_agent'] ?? 0
  const [write] = await ask(page, [['connect.voiceai_agent', 'write', { ids: [id], vals: {} }]])
  const expected = write !== undefined && !isRefused(write)
  await open(page, `/agents/${id}`)
  await page.waitForFunction((to) => location.pathname === to, `/agents/${id}`)
  const mayChange = () =>
    page.evaluate(() => document.querySelector('#page section :is(input, textarea):not([disabled])') !== null)
  const end = performance.now() + SHOWN_MS
  let drawn = await mayChange()
  while (drawn !== expected && performance.now() < end) drawn = await mayChange()
  return drawn === expected ? [] : [`${name}: the page of an agent can be changed: ${drawn}, not ${expected}`]
}

/** Where the acts that are drawn on a page are not those that the service lets somebody do. */
async function differenceOfPage(name: Name, template: string): Promise<string[]> {
  const { page } = visitors[name]
  const acts = OWN_PAGES[template] ?? {}
  const names = Object.keys(acts)
  const address = template.replace(/\{(.*)\}/, (_whole, model: string) => String(shared[model]))
  const may = (await isShared(page, template)) ? await allowedOf(page, Object.values(acts)) : []
  const expected = names.filter((_act, at) => may[at] === true)
  await open(page, address)
  await page.waitForFunction((to) => location.pathname === to, address)
  const end = performance.now() + SHOWN_MS
  let drawn = await actsOn(page, names)
  while (!isSame(drawn, expected) && performance.now() < end) drawn = await actsOn(page, names)
  return isSame(drawn, expected) ? [] : [`${name}: ${address}: ${drawn.join()}, not ${expected.join()}`]
}

/** Whether somebody reads the record of a page, where it is one of a record. */
async function isShared(page: Page, template: string): Promise<boolean> {
  const [, model] = /\{(.*)\}/.exec(template) ?? []
  if (model === undefined) return true
  const [found] = await ask(page, [[model, 'search_count', { domain: [['id', '=', shared[model]]] }]])
  return found?.body === 1
}

/** Which of the acts the service lets somebody do. */
async function allowedOf(page: Page, acts: readonly Truth[]): Promise<boolean[]> {
  const asked = acts.map(([kind, model, method = '']) => {
    const ids = [shared[model] ?? 0]
    if (kind === 'create') return [model, 'create', { vals_list: [] }] as const
    if (kind === 'write') return [model, 'write', { ids, vals: {} }] as const
    if (kind === 'post') return [model, 'message_post', { ids, body: ' ' }] as const
    return [model, 'methods_get', { method }] as const
  })
  const answers = await ask(
    page,
    asked.map(([model, method, args]) => [model, method, method === 'methods_get' ? {} : args]),
  )
  return acts.map(([kind, , method = ''], at) => {
    const { status, body } = answers[at] ?? { status: 0, body: {} }
    if (kind !== 'method') return !isRefused({ status, body })
    return status === 200 && (body as Record<string, Method>)[method]?.allowed === true
  })
}

/** Which of the acts are drawn, by their names. */
function actsOn(page: Page, names: readonly string[]): Promise<string[]> {
  return page.evaluate((wanted) => {
    const shown = [...document.querySelectorAll('#page :is(button, a)')].map((each) => {
      const named = each.cloneNode(true) as Element
      for (const unsaid of named.querySelectorAll('kbd')) unsaid.remove()
      return named.textContent.trim()
    })
    return wanted.filter((name) => shown.includes(name))
  }, names)
}

/** What the service refuses of what is drawn on a record, and accepts of what is not. */
async function triedOn(page: Page, { model, id, row, fields, methods, expected }: Seen): Promise<string[]> {
  const of = { ids: [id] }
  const acts: { method: string; args: Row; isDrawn: boolean }[] = Object.entries(methods)
    .filter(([name]) => isForPeople(model, name) && row[`can_${name}`] !== false)
    .map(([method, { arguments: args }]) => ({
      method,
      args: { ...of, ...argumentsOf(args) },
      isDrawn: expected.methods.includes(method),
    }))
  const vals = changeOf(fields, row)
  if (vals !== undefined) acts.push({ method: 'write', args: { ...of, vals }, isDrawn: expected.save })
  if (app.app.platform.models.get(model).hasChatter === true)
    acts.push({ method: 'message_post', args: { ...of, body: 'A note' }, isDrawn: expected.note })
  acts.push({ method: 'unlink', args: of, isDrawn: expected.delete })
  const answers = await ask(
    page,
    acts.map(({ method, args }) => [model, method, args]),
  )
  return acts.flatMap(({ method, isDrawn }, at) => {
    const { status = 0, body } = answers[at] ?? {}
    if (isDrawn ? status !== 403 : status !== 200) return []
    const text = `${model} ${id}: ${method} is ${isDrawn ? 'drawn' : 'not drawn'}, and answered ${status}`
    return [`${text} ${JSON.stringify(body).slice(0, 120)}`]
  })
}

/** A small change of one text that somebody may write. */
function changeOf(fields: Record<string, Row>, values: Row): Row | undefined {
  const found = Object.entries(fields).find(
    ([name, { type, writable, written_when: when }]) =>
      (type === 'char' || type === 'text') &&
      writable === true &&
      when === undefined &&
      typeof values[name] === 'string' &&
      !['login', 'lang', 'tz'].includes(name),
  )
  return found && { [found[0]]: `${String(values[found[0]])}x` }
}

/** Something that fits what a method asks for. */
function argumentsOf({ properties = {}, required = [] }: Method['arguments']): Row {
  return Object.fromEntries(required.map((name) => [name, fitting(properties[name] ?? {})]))
}

function fitting({ type, anyOf, const: only }: Row): unknown {
  if (only !== undefined) return only
  if (Array.isArray(anyOf)) return fitting(anyOf[0] as Row)
  if (type === 'integer' || type === 'number') return 1
  if (type === 'boolean') return true
  if (type === 'array') return []
  return type === 'object' ? {} : '+41313808399'
}
