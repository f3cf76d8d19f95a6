// Every model by every group by every operation, as the documents state it, written down here once more and asked over
// the API with real keys. A model that no document names is listed at the end; a new model has to be added here.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sql } from '../../src/database/drizzle.ts'
import { rowsOf } from '../../src/platform/model/rows-of.ts'
import { type Caller, TestApp } from '../support/test-app.ts'

const PEOPLE = [
  ...(['user', 'admin', 'webhook', 'public', 'helpdesk', 'helpdeskManager', 'agentCalls', 'manager'] as const),
  'nobody',
] as const
type Person = (typeof PEOPLE)[number]
type Rights = Partial<Record<Person, string>>

const FULL = 'rwcu'

/** docs/reference/contract.md#groups-and-access: User, Admin, Webhook, Public. */
const CONTRACT = `
connect.voiceai_agent               | r | rwcu | r   | -
connect.voiceai_agent_tool          | r | rwcu | r   | -
connect.agent_tool_params           | r | rwcu | r   | -
connect.voiceai_agent_prompt        | r | rwcu | -   | -
connect.voiceai_agent_transfer      | r | rwcu | -   | -
connect.voiceai_agent_draft         | r | r    | -   | -
connect.voiceai_agent_template      | - | rwcu | -   | -
connect.voiceai_voice               | r | rcu  | -   | -
connect.voiceai_file                | r | rwcu | -   | r
connect.telco.exten                 | r | rwcu | r   | -
connect.telco.callflow              | r | rwcu | r   | -
connect.telco.callflow_choice       | r | rwcu | r   | -
connect.telco.number                | r | rwcu | r   | -
connect.telco.outgoing_callerid     | r | rwcu | rw  | -
connect.telco.user_callflow         | r | rwcu | -   | -
connect.telco.user_callflow_call    | r | rwcu | -   | -
connect.telco.message_configuration | - | rwcu | -   | -
connect.telco.markup                | r | rwcu | r   | -
connect.telco.domain                | r | rwcu | r   | -
connect.whatsapp_sender             | r | rwcu | rwc | -
connect.message_content_template    | r | rwcu | -   | -
`

/** docs/reference/domain.md#access */
const LEDGER = `
connect.call      | rwc  | rwcu | rwc | -
connect.channel   | r    | rwcu | rwc | -
connect.recording | r    | rwcu | rwc | -
connect.message   | rwc  | rwcu | rwc | -
connect.user      | r    | rwcu | r   | -
connect.favorite  | rwcu | rwcu | -   | -
connect.settings  | -    | rwc  | -   | -
connect.debug     | -    | rwcu | rc  | -
`

/** Configuration that no document names, opened like the configuration around it. */
const OURS = `
connect.telco.business_hours | r | rwcu | r | -
connect.telco.opening        | r | rwcu | r | -
connect.telco.holiday        | r | rwcu | r | -
connect.delivery             | - | r    | - | -
connect.inbox                | - | r    | - | -
connect.sync_run             | - | r    | - | -
connect.audit                | - | r    | - | -
connect.job                  | - | r    | - | -
connect.check_run            | - | r    | - | -
connect.erasure              | - | r    | - | -
connect.conversation         | r | r    | - | -
connect.conversation.reader  | r | r    | - | -
connect.voiceai_knowledge    | r | rwcu | - | -
connect.voiceai_question     | r | r    | - | -
connect.voiceai_trial        | - | r    | - | -
`

const SIGNED_IN: Rights = Object.fromEntries(PEOPLE.filter((person) => person !== 'public').map((each) => [each, 'r']))

/** docs/reference/domain.md#access-of-the-platforms-models */
const PLATFORM: Record<string, Rights> = {
  'helpdesk.ticket': { webhook: 'rwc', helpdesk: 'rwc', helpdeskManager: FULL },
  'helpdesk.team': { webhook: 'r', helpdesk: 'r', helpdeskManager: FULL },
  'helpdesk.stage': { webhook: 'r', helpdesk: 'r', helpdeskManager: FULL },
  'res.partner': { user: 'rwc', admin: FULL, webhook: 'rwc', helpdesk: 'r', helpdeskManager: 'r' },
  'res.users': { ...SIGNED_IN, admin: FULL, manager: FULL },
  'res.users.apikeys': { ...SIGNED_IN, webhook: '' },
  'res.groups': { ...SIGNED_IN, manager: FULL },
  'res.lang': { ...SIGNED_IN, manager: FULL },
  'res.country': { ...SIGNED_IN, manager: FULL },
  'resource.calendar': { ...SIGNED_IN, admin: FULL },
  'resource.calendar.attendance': { ...SIGNED_IN, admin: FULL },
  'calendar.event': { user: FULL, admin: FULL, webhook: FULL },
  'mail.message': { user: 'r', admin: 'r', webhook: 'c', helpdesk: 'r', helpdeskManager: 'r' },
  'connect.notice': { ...SIGNED_IN, webhook: '' },
  'res.users.session': { ...SIGNED_IN, webhook: '' },
  'res.users.second_factor': {},
  'res.users.recovery_code': {},
  'res.users.sign_on': {},
  'res.users.network': {},
  'connect.outgoing_count': {},
  'res.users.invitation': { manager: 'r' },
  'connect.tool_answer': {},
  'connect.lease': {},
  'connect.seed': {},
  'connect.view': {
    user: FULL,
    admin: FULL,
    helpdesk: FULL,
    helpdeskManager: FULL,
    manager: FULL,
    agentCalls: FULL,
    nobody: FULL,
  },
  'connect.voicemail': { user: 'r', admin: 'r' },
  'connect.media_removal': {},
  // Files are had by the record of their note.
  'connect.attachment': {},
}

const EXPECTED: Record<string, Rights> = { ...table(CONTRACT), ...table(LEDGER), ...table(OURS), ...PLATFORM }
// Secrets of the settings are for managers, so they read and write that record; a key is also deleted by its owner.
EXPECTED['connect.settings'] = { ...EXPECTED['connect.settings'], manager: 'rw' }
// Calls of tickets and of agents are read by those who are no Connect users; which ones is in access-calls.test.ts.
for (const name of ['connect.call', 'connect.channel', 'connect.recording', 'connect.voicemail']) {
  EXPECTED[name] = { ...EXPECTED[name], helpdesk: 'r', helpdeskManager: 'r', agentCalls: 'r' }
}
EXPECTED['res.users.apikeys'] = Object.fromEntries(
  Object.entries(EXPECTED['res.users.apikeys'] ?? {}).map(([person, rights]) => [person, rights === 'r' ? 'ru' : '']),
)

let app: TestApp
const callers = {} as Record<Person, Caller>

beforeAll(async () => {
  app = await TestApp.start()
  callers.user = await app.person(['connect.group_user'])
  callers.admin = await app.person(['connect.group_admin'])
  callers.webhook = await app.webhookUser()
  callers.helpdesk = await app.person(['helpdesk.group_user'])
  callers.helpdeskManager = await app.person(['helpdesk.group_manager'])
  callers.agentCalls = await app.person(['connect.group_agent_calls'])
  callers.manager = await app.person(['base.group_erp_manager'])
  callers.nobody = await app.person([])
  const stranger = await app.person(['base.group_public'])
  await app.admin.ask('res.users', 'write', { ids: [stranger.userId], vals: { share: true } })
  callers.public = stranger
})
afterAll(() => app.stop())

const ID_OF_NOBODY = 2_147_483_647
const CALLS = {
  r: { method: 'search_count', args: {}, allowed: 200 },
  w: { method: 'write', args: { ids: [ID_OF_NOBODY], vals: {} }, allowed: 404 },
  c: { method: 'create', args: { vals_list: [] }, allowed: 200 },
  u: { method: 'unlink', args: { ids: [ID_OF_NOBODY] }, allowed: 404 },
} as const

it('the matrix names every model of the service', () => {
  const models = [...app.app.platform.models].map((model) => model.name)
  expect(models.filter((name) => EXPECTED[name] === undefined)).toEqual([])
  expect(Object.keys(EXPECTED).filter((name) => !models.includes(name))).toEqual([])
})

describe.each(PEOPLE)('%s', (person) => {
  it.each(Object.entries(EXPECTED))('rights on %s', async (model, rights) => {
    const found: Record<string, number> = {}
    for (const [letter, { method, args }] of Object.entries(CALLS)) {
      found[letter] = (await callers[person].call(model, method, args)).status
    }
    const expected = Object.fromEntries(
      Object.entries(CALLS).map(([letter, { allowed }]) => [
        letter,
        (rights[person] ?? '').includes(letter) ? allowed : 403,
      ]),
    )
    expect(found).toEqual(expected)
  })

  it.each(Object.keys(EXPECTED))('reads %s by no other method either', async (model) => {
    if ((EXPECTED[model]?.[person] ?? '').includes('r')) return
    const [row] = await app.db.query<{ id: number }>(
      sql`select id from ${rowsOf(app.app.platform.models.get(model))} order by id limit 1`,
    )
    const ids = [row?.id ?? ID_OF_NOBODY]
    const statuses = await Promise.all([
      callers[person].call(model, 'search', {}),
      callers[person].call(model, 'search_read', {}),
      callers[person].call(model, 'read', { ids }),
      callers[person].call(model, 'name_search', { name: '' }),
      callers[person].call(model, 'fields_get', {}),
    ])
    expect(statuses.map((answer) => answer.status)).toEqual([403, 403, 403, 403, 403])
  })
})

it('nobody without an identity reads, writes, creates or deletes anything', async () => {
  for (const model of Object.keys(EXPECTED)) {
    for (const { method, args } of Object.values(CALLS)) {
      expect((await app.post(`/json/2/${model}/${method}`, args)).status).toBe(401)
    }
  }
})

it('a refusal names the operation and the model', async () => {
  const answer = await callers.user.call('connect.telco.exten', 'create', { vals_list: { number: '101' } })
  expect(answer.body).toMatchObject({
    name: 'odoo.exceptions.AccessError',
    message: 'You are not allowed to create records of connect.telco.exten.',
  })
  expect(await app.count('connect_telco_exten')).toBe(0)
})

it('anyone who is in two groups has the rights of both', async () => {
  const both = await app.person(['connect.group_user', 'helpdesk.group_user'])
  expect((await both.call('helpdesk.ticket', 'search_count')).status).toBe(200)
  expect((await both.call('connect.call', 'search_count')).status).toBe(200)
})

function table(text: string): Record<string, Rights> {
  const rows = text.trim().split('\n')
  return Object.fromEntries(
    rows.map((row) => {
      const [model = '', user = '', admin = '', webhook = '', everybody = ''] = row
        .split('|')
        .map((cell) => cell.trim())
      return [model, { user, admin, webhook, public: everybody }]
    }),
  )
}
