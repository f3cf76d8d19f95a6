// What is there on a new installation (docs/reference/domain.md#seed-data), and that a later start neither repeats nor
// undoes anything.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { seed } from '../../src/app/seed.ts'
import { sql } from '../../src/database/drizzle.ts'
import { TEST_CIPHER } from '../support/database.ts'
import { type Caller, TestApp } from '../support/test-app.ts'

let app: TestApp
let admin: Caller

beforeAll(async () => {
  app = await TestApp.start()
  admin = app.admin
})
afterAll(() => app.stop())

/** Name, path, timeout, parameters: name type, `*` required, `@` dynamic variable of the same name. */
const TOOLS = `
transfer_to_exten            | /connect_voiceai/transfer                 | 10 | exten string *, channel_sid string * @
create_partner               | /connect_voiceai/create_partner           | 20 | name string *, call_id integer * @
calendar_get_available_slots | /connect_voiceai/get_available_slots      | 10 | user_id integer *, start string, timezone string
calendar_create_event        | /connect_voiceai/create_event             | 10 | user_id integer *, name string, start string *, stop string *, timezone string
calendar_get_current_date    | /connect_voiceai/get_current_date         | 5  |
calendar_get_meetings        | /connect_voiceai/get_meetings             | 10 | partner_id integer * @
calendar_remove_meeting      | /connect_voiceai/remove_meeting           | 10 | event_id integer *
helpdesk_create_ticket       | /connect_voiceai_helpdesk/create_ticket   | 20 | subject string *, description string, team_name string, partner_id integer @, call_id integer * @
helpdesk_search_tickets      | /connect_voiceai_helpdesk/search_tickets  | 20 | partner_id integer * @, only_open boolean
helpdesk_fetch_ticket        | /connect_voiceai_helpdesk/fetch_ticket    | 20 | ticket_id integer *
helpdesk_update_ticket       | /connect_voiceai_helpdesk/update_ticket   | 20 | ticket_id integer *, subject string, description string, priority string, stage_name string
helpdesk_ticket_activity     | /connect_voiceai_helpdesk/ticket_activity | 20 | ticket_id integer *, note string *
`
/** Beyond the documents: by these the meeting tools know the caller, whose meetings they are about. */
const ALSO_SENT: Record<string, string[]> = {
  calendar_create_event: ['call_id integer @', 'partner_id integer @'],
  calendar_remove_meeting: ['call_id integer @'],
}
const SYSTEM_TOOLS = [
  'end_call',
  'language_detection',
  'play_keypad_touch_tone',
  'skip_turn',
  'transfer_to_agent',
  'voicemail_detection',
]

interface Tool {
  id: number
  name: string
  path: string | null
  callback_url: string | null
  tool_type: string
  method: string
  param_type: string
  response_timeout_secs: number
  description: string
  disable_interruptions: boolean
}

interface Param {
  name: string
  data_type: string
  required: boolean
  value_type: string
  dynamic_variable: string | null
  description: string | null
}

async function readTools(toolType: string): Promise<Tool[]> {
  return admin.ask('connect.voiceai_agent_tool', 'search_read', { domain: [['tool_type', '=', toolType]], order: 'id' })
}

async function readParams(toolId: number): Promise<Param[]> {
  return admin.ask('connect.agent_tool_params', 'search_read', { domain: [['tool', '=', toolId]], order: 'id' })
}

function describeParam({ name, data_type: type, required, value_type: source }: Param): string {
  return `${name} ${type}${required ? ' *' : ''}${source === 'dynamic_variable' ? ' @' : ''}`
}

describe('the tools', () => {
  it('the tools are the seven of the voice agent and the five of the helpdesk, with their parameters and timeouts', async () => {
    const found = []
    for (const tool of await readTools('webhook')) {
      const also = ALSO_SENT[tool.name] ?? []
      const params = (await readParams(tool.id)).map(describeParam).filter((each) => !also.includes(each))
      found.push([tool.name, tool.path, String(tool.response_timeout_secs), params.join(', ')])
      expect(tool).toMatchObject({ method: 'POST', param_type: 'body' })
      expect(tool.callback_url).toBe(`https://pbx.example.com${tool.path}`)
    }
    const expected = TOOLS.trim()
      .split('\n')
      .map((line) => line.split('|').map((cell) => cell.trim()))
    expect(found.sort()).toEqual(expected.sort())
  })

  it('tell the agent what each parameter is, or where it comes from', async () => {
    for (const tool of await readTools('webhook')) {
      expect(tool.description.length).toBeGreaterThan(20)
      for (const param of await readParams(tool.id)) {
        const isDynamic = param.value_type === 'dynamic_variable'
        expect(param.dynamic_variable).toBe(isDynamic ? param.name : null)
        expect(isDynamic || (param.description ?? '').length > 10).toBe(true)
      }
    }
    const [update] = await admin.ask<Tool[]>('connect.voiceai_agent_tool', 'search_read', {
      domain: [['name', '=', 'helpdesk_update_ticket']],
    })
    const priority = (await readParams(update?.id ?? 0)).find((param) => param.name === 'priority')
    expect(priority?.description).toMatch(/0 \(Low\), 1 \(Medium\), 2 \(High\), 3 \(Urgent\)/)
  })

  it('the tools of the platform’s own are these six', async () => {
    const tools = await readTools('system')
    expect(tools.map((tool) => tool.name).sort()).toEqual(SYSTEM_TOOLS)
    for (const tool of tools) {
      expect(await readParams(tool.id)).toEqual([])
      expect(tool.description).toMatch(/Use it when|Use it after/)
      expect(tool.description).toMatch(/Do not/)
      expect(tool.disable_interruptions).toBe(['end_call', 'transfer_to_agent'].includes(tool.name))
    }
  })
})

describe('the Helpdesk Support Agent template', () => {
  it('the Helpdesk Support Agent template is the one template, and covers what the contract asks', async () => {
    const templates = await admin.ask<{ name: string; system_prompt: string }[]>(
      'connect.voiceai_agent_template',
      'search_read',
    )
    expect(templates.map((template) => template.name)).toEqual(['Helpdesk Support Agent'])
    const prompt = templates[0]?.system_prompt ?? ''
    for (const word of [
      ...['{{partner_id}}', '{{call_id}}', '{{system__time}}'],
      ...['0 Low', '1 Medium', '2 High', '3 Urgent'],
      ...['Inbox', 'In Progress', 'On Hold', 'Resolved', 'Closed'],
      ...['helpdesk_create_ticket', 'helpdesk_search_tickets', 'helpdesk_fetch_ticket', 'helpdesk_update_ticket'],
      ...['helpdesk_ticket_activity', 'human'],
    ]) {
      expect(prompt).toContain(word)
    }
    expect(prompt).not.toMatch(/user_id|organiser \d/)
  })
})

describe('people and groups', () => {
  it('the groups are those of the contract, with what they imply', async () => {
    const groups = await admin.ask<{ id: number; external_id: string; implied_ids: number[] }[]>(
      'res.groups',
      'search_read',
    )
    const nameOf = new Map(groups.map((group) => [group.id, group.external_id]))
    const implied = Object.fromEntries(
      groups.map((group) => [group.external_id, group.implied_ids.map((id) => nameOf.get(id))]),
    )
    expect(implied).toEqual({
      'base.group_public': [],
      'base.group_user': [],
      'base.group_erp_manager': ['base.group_user'],
      'connect.group_user': [],
      'connect.group_admin': ['connect.group_user'],
      'connect.group_webhook': [],
      'connect.group_agent_calls': [],
      'helpdesk.group_user': [],
      'helpdesk.group_manager': ['helpdesk.group_user'],
    })
  })

  it('the people are the archived webhook user with its archived contact, no password and one group, and the local administrator with another', async () => {
    const users = await admin.ask<{ login: string; external_id: string; partner_id: [number, string] }[]>(
      'res.users',
      'search_read',
      { order: 'login' },
    )
    expect(users).toMatchObject([
      { login: 'connect_webhook', external_id: 'connect.user_connect_webhook', active: false },
      { login: 'local-admin', external_id: 'base.user_admin', active: true },
    ])
    const contacts = await admin.ask('res.partner', 'read', {
      ids: users.map(({ partner_id: contact }) => contact[0]),
      fields: ['name', 'active'],
    })
    // Nobody calls or meets them, so that both are archived.
    expect(contacts).toMatchObject([
      { name: 'Connect Webhook', active: false },
      { name: 'Local Administrator', active: false },
    ])
    expect(await app.db.query(sql`select 1 from res_users where password_hash is not null`)).toEqual([])
    expect((await app.app.identities.webhook()).groups).toEqual(new Set(['connect.group_webhook']))
  })
})

describe('the helpdesk', () => {
  it('the helpdesk has one team with its five stages', async () => {
    const teams = await admin.ask<{ stage_ids: number[] }[]>('helpdesk.team', 'search_read')
    expect(teams).toHaveLength(1)
    const stages = await admin.ask('helpdesk.stage', 'search_read', { fields: ['name', 'fold'] })
    expect(stages).toMatchObject([
      { name: 'Inbox', fold: false },
      { name: 'In Progress', fold: false },
      { name: 'On Hold', fold: false },
      { name: 'Resolved', fold: true },
      { name: 'Closed', fold: true },
    ])
    expect(teams[0]?.stage_ids).toHaveLength(5)
  })
})

describe('a later start', () => {
  it('changes nothing at all', async () => {
    const before = await contents()
    await seed(app.db, TEST_CIPHER, { apiUrl: 'https://elsewhere.example.com' })
    await Promise.all([
      seed(app.db, TEST_CIPHER, { apiUrl: undefined }),
      seed(app.db, TEST_CIPHER, { apiUrl: undefined }),
    ])
    expect(await contents()).toEqual(before)
  })

  it('keeps what an administrator has renamed, changed or deleted', async () => {
    const [transfer, partner, meetings] = (await readTools('webhook')) as [Tool, Tool, Tool]
    const write = (model: string, id: number, vals: object) => admin.ask(model, 'write', { ids: [id], vals })
    await write('connect.voiceai_agent_tool', transfer.id, { name: 'connect_caller', response_timeout_secs: 30 })
    const [param] = (await admin.ask<{ id: number }[]>('connect.agent_tool_params', 'search_read', {
      domain: [['tool', '=', partner.id]],
    })) as [{ id: number }]
    await write('connect.agent_tool_params', param.id, { description: 'Ours.' })
    await admin.ask('connect.voiceai_agent_tool', 'unlink', { ids: [meetings.id] })
    const [template] = (await admin.ask<{ id: number }[]>('connect.voiceai_agent_template', 'search_read')) as [
      { id: number },
    ]
    await write('connect.voiceai_agent_template', template.id, { name: 'Our Agent', system_prompt: 'Ours.' })
    const [team] = (await admin.ask<{ id: number }[]>('helpdesk.team', 'search_read')) as [{ id: number }]
    await write('helpdesk.team', team.id, { name: 'Our Team' })
    const [stage] = (await admin.ask<{ id: number }[]>('helpdesk.stage', 'search_read')) as [{ id: number }]
    await write('helpdesk.stage', stage.id, { name: 'New', fold: true })
    await admin.ask('connect.settings', 'write', { ids: [1], vals: { api_url: 'https://changed.example.com' } })
    const before = await contents()
    await seed(app.db, TEST_CIPHER, { apiUrl: 'https://pbx.example.com' })
    expect(await contents()).toEqual(before)
  })
})

/** Every row of every table of ours but the stamps of keys. */
async function contents(): Promise<Record<string, string>> {
  const found: Record<string, string> = {}
  for (const { table, rows } of app.app.platform.models) {
    // A model that says where its rows are shows what is stored elsewhere.
    if (table === 'res_users_apikeys' || rows !== undefined) continue
    const [row] = await app.db.query<{ all: string }>(
      sql`select coalesce(string_agg(to_jsonb(t)::text, chr(10) order by id), '') as all from ${sql.identifier(table)} t`,
    )
    found[table] = row?.all ?? ''
  }
  return found
}
