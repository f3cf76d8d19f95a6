import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sql } from '../../src/database/drizzle.ts'
import { DYNAMIC_VARIABLES } from '../../src/voiceai/conversations/dynamic-variables.ts'
import { writeSettings } from '../fixtures/post-call.ts'
import { TOOLS } from '../fixtures/routes.ts'
import { TestApp } from '../support/test-app.ts'

let app: TestApp

beforeAll(async () => {
  app = await TestApp.start()
})
afterAll(() => app.stop())

interface Tool {
  id: number
  name: string
  tool_type: string
  path: string | null
  callback_url: string | null
  method: string
  response_timeout_secs: number
  disable_interruptions: boolean
  description: string
  params: number[]
}

interface Parameter {
  name: string
  data_type: string
  required: boolean
  value_type: string
  dynamic_variable: string | null
  description: string | null
}

async function readTool(name: string): Promise<Tool> {
  const [tool] = await app.admin.ask<Tool[]>('connect.voiceai_agent_tool', 'search_read', {
    domain: [['name', '=', name]],
  })
  if (tool === undefined) throw new Error(`there is no tool ${name}`)
  return tool
}

/** Name, type and source of each parameter, required ones with a star. */
async function parametersOf({ params }: Tool): Promise<string[]> {
  const rows = await app.admin.ask<Parameter[]>('connect.agent_tool_params', 'read', { ids: params })
  return rows.map(({ name, data_type: type, required, value_type: source, dynamic_variable: variable }) => {
    const from = source === 'dynamic_variable' ? `dynamic ${variable}` : 'agent'
    return `${name}${required ? '*' : ''} ${type} ${from}`
  })
}

describe('five records of connect.voiceai_agent_tool of type webhook', () => {
  it.each<[string, string, string[]]>([
    [
      'helpdesk_create_ticket',
      'create_ticket',
      [
        'subject* string agent',
        'description string agent',
        'team_name string agent',
        'partner_id integer dynamic partner_id',
        'call_id* integer dynamic call_id',
      ],
    ],
    [
      'helpdesk_search_tickets',
      'search_tickets',
      ['partner_id* integer dynamic partner_id', 'only_open boolean agent'],
    ],
    ['helpdesk_fetch_ticket', 'fetch_ticket', ['ticket_id* integer agent']],
    [
      'helpdesk_update_ticket',
      'update_ticket',
      [
        'ticket_id* integer agent',
        'subject string agent',
        'description string agent',
        'priority string agent',
        'stage_name string agent',
      ],
    ],
    ['helpdesk_ticket_activity', 'ticket_activity', ['ticket_id* integer agent', 'note* string agent']],
  ])('%s: parameters in the body, and 20 seconds for the answer', async (name, path, parameters) => {
    const tool = await readTool(name)
    expect(tool).toMatchObject({
      tool_type: 'webhook',
      method: 'POST',
      callback_url: `https://pbx.example.com/connect_voiceai_helpdesk/${path}`,
      response_timeout_secs: 20,
    })
    expect(await parametersOf(tool)).toEqual(parameters)
  })

  it('the allowed priorities are told to the agent', async () => {
    const { params } = await readTool('helpdesk_update_ticket')
    const rows = await app.admin.ask<Parameter[]>('connect.agent_tool_params', 'read', { ids: params })
    expect(rows.find(({ name }) => name === 'priority')?.description).toContain(
      '0 (Low), 1 (Medium), 2 (High), 3 (Urgent)',
    )
  })
})

describe('the voice-agent tools', () => {
  it.each<[string, string, number, string[]]>([
    ['transfer_to_exten', 'transfer', 10, ['exten* string agent', 'channel_sid* string dynamic channel_sid']],
    ['create_partner', 'create_partner', 20, ['name* string agent', 'call_id* integer dynamic call_id']],
    [
      'calendar_get_available_slots',
      'get_available_slots',
      10,
      ['user_id* integer agent', 'start string agent', 'timezone string agent'],
    ],
    [
      'calendar_create_event',
      'create_event',
      10,
      [
        'user_id* integer agent',
        'name string agent',
        'start* string agent',
        'stop* string agent',
        'timezone string agent',
        'call_id integer dynamic call_id',
        'partner_id integer dynamic partner_id',
      ],
    ],
    ['calendar_get_current_date', 'get_current_date', 5, []],
    ['calendar_get_meetings', 'get_meetings', 10, ['partner_id* integer dynamic partner_id']],
    ['calendar_remove_meeting', 'remove_meeting', 10, ['event_id* integer agent', 'call_id integer dynamic call_id']],
  ])('%s', async (name, path, seconds, parameters) => {
    const tool = await readTool(name)
    expect(tool).toMatchObject({
      tool_type: 'webhook',
      callback_url: `https://pbx.example.com/connect_voiceai/${path}`,
      response_timeout_secs: seconds,
    })
    expect(await parametersOf(tool)).toEqual(parameters)
  })

  it('there is one for every tool route, and every dynamic variable it names is always sent', async () => {
    const tools = await app.admin.ask<Tool[]>('connect.voiceai_agent_tool', 'search_read', {
      domain: [['tool_type', '=', 'webhook']],
    })
    expect(tools.map(({ path }) => path).toSorted()).toEqual([...TOOLS].toSorted())
    for (const tool of tools) {
      const variables = (await parametersOf(tool)).flatMap((text) => / dynamic (\w+)$/.exec(text)?.slice(1) ?? [])
      expect(DYNAMIC_VARIABLES).toEqual(expect.arrayContaining(variables))
      expect(tool.description.length).toBeGreaterThan(20)
    }
  })

  it('six more are carried out by the platform itself', async () => {
    const tools = await app.admin.ask<Tool[]>('connect.voiceai_agent_tool', 'search_read', {
      domain: [['tool_type', '=', 'system']],
    })
    expect(tools.map(({ name }) => name)).toEqual([
      'end_call',
      'language_detection',
      'play_keypad_touch_tone',
      'skip_turn',
      'transfer_to_agent',
      'voicemail_detection',
    ])
    expect(tools.filter((tool) => tool.disable_interruptions).map(({ name }) => name)).toEqual([
      'end_call',
      'transfer_to_agent',
    ])
    for (const tool of tools) expect(tool.params).toEqual([])
  })

  it('1 each URL is built from the API URL, with one slash and with its path kept', async () => {
    for (const [base, url] of [
      ['https://other.example.com/', 'https://other.example.com/connect_voiceai_helpdesk/create_ticket'],
      ['https://other.example.com/base', 'https://other.example.com/base/connect_voiceai_helpdesk/create_ticket'],
    ]) {
      await writeSettings(app, { api_url: base })
      expect((await readTool('helpdesk_create_ticket')).callback_url).toBe(url)
    }
    await writeSettings(app, { api_url: 'https://pbx.example.com' })
  })
})

describe('2 one template ships: Helpdesk Support Agent', () => {
  it('covers the tools, the priorities, the stages and the runtime variables', async () => {
    const templates = await app.admin.ask<{ name: string; system_prompt: string }[]>(
      'connect.voiceai_agent_template',
      'search_read',
    )
    expect(templates.map(({ name }) => name)).toEqual(['Helpdesk Support Agent'])
    const prompt = templates[0]?.system_prompt ?? ''
    for (const part of [
      '{{partner_id}}',
      '{{call_id}}',
      '{{system__time}}',
      'helpdesk_create_ticket',
      'helpdesk_search_tickets',
      'helpdesk_fetch_ticket',
      'helpdesk_update_ticket',
      'helpdesk_ticket_activity',
      '0 Low',
      '1 Medium',
      '2 High',
      '3 Urgent',
    ]) {
      expect(prompt).toContain(part)
    }
    for (const stage of ['Inbox', 'In Progress', 'On Hold', 'Resolved', 'Closed']) expect(prompt).toContain(stage)
  })

  it('names no variable that a conversation would miss', async () => {
    const rows = await app.db.query<{ system_prompt: string }>(
      sql`select system_prompt from connect_voiceai_agent_template`,
    )
    const named = [...(rows[0]?.system_prompt ?? '').matchAll(/\{\{\s*(\w+)\s*\}\}/g)].map(([, name = '']) => name)
    expect(named.length).toBeGreaterThan(0)
    const ours = named.filter((name) => !name.startsWith('system__'))
    expect(DYNAMIC_VARIABLES).toEqual(expect.arrayContaining(ours))
  })
})
