// Refusals of agents, their drafts, tools, knowledge and trials, and of the set-up of an agent: each by its code, its status and its
// sentence.
import { afterAll, beforeAll, describe, it } from 'vitest'
import { sql } from '../../src/database/drizzle.ts'
import { aVoiceAgent } from '../fixtures/records.ts'
import { expectRefusedCall, type RefusedCall } from '../support/refusals.ts'
import { insertRow } from '../support/rows.ts'
import { type Caller, TestApp } from '../support/test-app.ts'

let app: TestApp
let admin: Caller
let agent: number
let tool: number

beforeAll(async () => {
  app = await TestApp.start()
  admin = app.admin
  agent = await aVoiceAgent(app, 'agent_refusals')
  const [first] = await admin.ask<number[]>('connect.voiceai_agent_tool', 'search', { limit: 1 })
  tool = first ?? 0
})
afterAll(() => app.stop())

describe('of agents and their drafts', () => {
  const changed = (vals: object) => () => ({ ids: [agent], vals })
  const CASES: readonly RefusedCall[] = [
    [
      'connect-voiceai-agent-first-message-translations',
      'connect.voiceai_agent/write',
      changed({ first_message_translations: { xx: 'Hi' } }),
      422,
      '"connect.voiceai_agent.first_message_translations" must be an object of language and text, such as {"de": "Guten Tag!"}.',
    ],
    [
      'connect-voiceai-agent-voiceai-inbound-allowed',
      'connect.voiceai_agent/write',
      changed({ voiceai_inbound_allowed_ips: '192.0.2.0/24, here' }),
      422,
      '"connect.voiceai_agent.voiceai_inbound_allowed_ips" has "here", which is neither an IP address nor a range such as 192.0.2.0/24.',
    ],
    [
      'connect-voiceai-agent-active-prompt-version',
      'connect.voiceai_agent/write',
      async () => ({ ids: [agent], vals: { active_prompt_version: await versionOfAnother() } }),
      422,
      '"connect.voiceai_agent.active_prompt_version" must be a version of this agent\'s prompt.',
    ],
    [
      'connect-voiceai-agent-transfer-transfer-agent',
      'connect.voiceai_agent_transfer/create',
      () => ({ vals_list: { agent, transfer_to_agent: agent, condition: 'x' } }),
      422,
      '"connect.voiceai_agent_transfer.transfer_to_agent" must be another agent.',
    ],
    [
      'agent-speaks-with-this-voice-give',
      'connect.voiceai_voice/unlink',
      async () => ({ ids: [await voiceOf(agent)] }),
      409,
      'The agent "Agent agent_refusals" uses this voice. Give it another one first.',
    ],
    [
      'api-sets-too-many-links',
      'connect.voiceai_agent/save_draft',
      () => ({ ids: [agent], vals: { tools: Array.from({ length: 10_001 }, (_none, at) => at + 1) } }),
      422,
      'One call may set at most 10000 links: send it in parts.',
    ],
    [
      'agent-draft-of-one',
      'connect.voiceai_agent/save_draft',
      { ids: [], vals: {} },
      422,
      'A draft belongs to one agent.',
    ],
    [
      'trial-of-one',
      'connect.voiceai_agent/start_trial',
      { ids: [], draft: false, kind: 'text' },
      422,
      'Try one agent at a time.',
    ],
    [
      'voice-key-not-set',
      'connect.voiceai_agent/start_trial',
      () => ({ ids: [agent], draft: false, kind: 'text' }),
      422,
      'API key not set',
    ],
    [
      'voice-address-not-set',
      'connect.voiceai_agent/start_trial',
      () => onceDone(settings({ voiceai_api_key: 'key', api_url: null }), { ids: [agent], draft: false, kind: 'text' }),
      422,
      'API URL not set: ElevenLabs needs the public https address of this service.',
    ],
    [
      'address-private-name',
      'connect.voiceai_agent/start_trial',
      () => onceDone(settings({ api_url: 'https://pbx.local' }), { ids: [agent], draft: false, kind: 'text' }),
      422,
      'Invalid api url! pbx.local is a name of a private network that no provider can reach! Please use a public domain!',
    ],
    [
      'voice-agents-off',
      'connect.voiceai_agent/start_trial',
      () =>
        onceDone(settings({ api_url: 'https://pbx.example.com', voiceai_enabled: false }), {
          ids: [agent],
          draft: false,
          kind: 'text',
        }),
      422,
      'Voice agents are switched off: switch "voiceai_enabled" on first.',
    ],
    [
      'trial-number',
      'connect.voiceai_agent/start_trial',
      () => onceDone(settings({ voiceai_enabled: true }), { ids: [agent], draft: false, kind: 'text', caller: 'anna' }),
      422,
      '"anna" is not a phone number.',
    ],
  ]
  it.each(CASES)('%s: %s', (...refused) => expectRefusedCall(admin, refused))
})

describe('of tools and knowledge', () => {
  const newTool = (values: object) => ({
    vals_list: { name: 'weather', description: 'x', tool_type: 'webhook', ...values },
  })
  const CASES: readonly RefusedCall[] = [
    [
      'required-when',
      'connect.voiceai_agent_tool/create',
      newTool({}),
      422,
      '"connect.voiceai_agent_tool.path" is required for a webhook tool without "url".',
    ],
    [
      'tool-path',
      'connect.voiceai_agent_tool/create',
      newTool({ path: '/a b' }),
      422,
      '"connect.voiceai_agent_tool.path" must be a path of this service such as /connect_voiceai/transfer.',
    ],
    [
      'tool-url',
      'connect.voiceai_agent_tool/create',
      newTool({ url: 'ftp://x.example' }),
      422,
      '"connect.voiceai_agent_tool.url" must be an http or https address.',
    ],
    [
      'tool-address-braces',
      'connect.voiceai_agent_tool/create',
      newTool({ url: 'https://x.example/a{b' }),
      422,
      '"connect.voiceai_agent_tool.url" has braces that name no parameter: write {name}, with letters, digits, underscores, dots and hyphens.',
    ],
    [
      'tool-timeout-webhook',
      'connect.voiceai_agent_tool/create',
      newTool({ path: '/x', response_timeout_secs: 1 }),
      422,
      '"connect.voiceai_agent_tool.response_timeout_secs" of a webhook tool must be from 5 to 300.',
    ],
    [
      'tool-timeout-other',
      'connect.voiceai_agent_tool/create',
      newTool({ tool_type: 'client', response_timeout_secs: 999 }),
      422,
      '"connect.voiceai_agent_tool.response_timeout_secs" of a tool of this type must be from 1 to 120.',
    ],
    [
      'tool-parameter-twice',
      'connect.agent_tool_params/create',
      () => ({
        vals_list: [
          { tool, name: 'x', description: 'x' },
          { tool, name: 'x', description: 'x' },
        ],
      }),
      409,
      'The tool already has a parameter of this name.',
    ],
    ['tool-try-one', 'connect.voiceai_agent_tool/try', { ids: [], arguments: {} }, 422, 'Try one tool at a time.'],
    [
      'knowledge-file-size',
      'connect.voiceai_knowledge/create',
      async () => ({ vals_list: { kind: 'file', file: await aLargeFile() } }),
      422,
      '"connect.voiceai_knowledge.file" must have 20 MB or less.',
    ],
    [
      'question-one',
      'connect.voiceai_question/give_answer',
      { ids: [], answer: 'x' },
      422,
      'One question is answered at a time.',
    ],
    [
      'unbind-after-sync',
      'connect.settings/voiceai_unbind',
      () => onceDone(aRun('voiceai', { state: 'queued' }), {}),
      409,
      'A sync is running. Disconnect the account when it has ended.',
    ],
    [
      'sync-running',
      'connect.settings/voiceai_sync',
      {},
      409,
      'A sync with this provider is already running. Wait until it has ended.',
    ],
    [
      'run-not-cancellable',
      'connect.sync_run/cancel',
      async () => ({ ids: [await aRun('telco', { state: 'succeeded', can_cancel: false })] }),
      409,
      'This run can no longer be cancelled: it has ended, or the tools already have the new token.',
    ],
    [
      'same-sync-running',
      'connect.settings/voiceai_check',
      () => onceDone(aRun('voiceai', { kind: 'check', state: 'queued' }), {}),
      409,
      'This is already running. Wait until it has ended.',
    ],
  ]
  it.each(CASES)('%s: %s', (...refused) => expectRefusedCall(admin, refused))
})

describe('of the set-up of an agent', () => {
  const CASES: readonly RefusedCall[] = [
    [
      'set-up-agent-person',
      'connect.voiceai_agent/set_up',
      { person: 2_000_000_000 },
      422,
      'The person who takes over must be an active user.',
    ],
    [
      'set-up-agent-tools',
      'connect.voiceai_agent/set_up',
      () => onceDone(withoutTools(), { may: ['book'] }),
      422,
      'The agent needs tools that were deleted or renamed: calendar_get_current_date, calendar_get_available_slots, calendar_create_event, calendar_get_meetings, calendar_remove_meeting, create_partner, end_call.',
    ],
  ]
  it.each(CASES)('%s: %s', (...refused) => expectRefusedCall(admin, refused))
})

async function voiceOf(id: number): Promise<number> {
  const [row] = await app.db.query<{ voice: number }>(
    sql`select voice from connect_voiceai_agent where id = ${id}::bigint`,
  )
  return row?.voice ?? 0
}

async function aLargeFile(): Promise<number> {
  return insertRow(app.db, 'connect_attachment', {
    name: 'x.pdf',
    type: 'application/pdf',
    bytes: 21 * 1024 * 1024,
    media_ref: 'x',
    create_uid: admin.userId,
  })
}

function aRun(area: string, values: object): Promise<number> {
  return insertRow(app.db, 'connect_sync_run', { area, kind: 'voiceai_sync', ...values })
}

async function settings(vals: object): Promise<void> {
  await admin.ask('connect.settings', 'write', { ids: [1], vals })
}

async function versionOfAnother(): Promise<number> {
  const other = await aVoiceAgent(app, 'agent_other')
  const [version] = await admin.ask<number[]>('connect.voiceai_agent_prompt', 'search', {
    domain: [['agent', '=', other]],
  })
  return version ?? 0
}

async function withoutTools(): Promise<void> {
  await app.db.query(sql`update connect_voiceai_agent_tool set name = name || '_renamed'`)
}

async function onceDone(done: Promise<unknown>, args: object): Promise<object> {
  await done
  return args
}
