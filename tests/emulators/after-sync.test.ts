import { afterAll, beforeAll, expect, test } from 'vitest'
import { synchronise } from '../../emulators/scenarios/prepare.ts'
import { setUpCompany } from '../../emulators/scenarios/set-up.ts'
import type { WireRecord } from '../../emulators/telco/store.ts'
import type { PropertySchema, ToolConfig } from '../../emulators/voiceai/workspace.ts'
import { writeAsService } from '../fixtures/post-call.ts'
import { eventually } from '../support/test-app.ts'
import { startWorld, type TestWorld } from './scenario-world.ts'

const BASE = 'https://pbx.example.com'
const TOKEN = 'x-voiceai-agent-token'
const CALL = 'x-connect-call'
const NUMBER = '+14155550110'
let world: TestWorld

beforeAll(async () => {
  world = await startWorld()
  await setUpCompany(world.service, world, {
    people: [{ name: 'Ann Baker', username: 'ann', phones: ['sip'] }],
    agents: [
      {
        name: 'Helpdesk',
        greeting: 'Hello {{greeting}}',
        prompt: 'Help.',
        tools: ['helpdesk_create_ticket', 'end_call'],
      },
    ],
    numbers: [{ number: NUMBER, leadsTo: 'Helpdesk' }],
    whatsAppNumbers: [NUMBER],
  })
  await synchronise(world.service, 'telco')
  await synchronise(world.service, 'voiceai')
})
afterAll(() => world.stop())

async function settings(): Promise<Record<string, unknown>> {
  return (await world.service.find('connect.settings', {})) ?? {}
}

function tool(name: string): ToolConfig {
  const found = [...world.voiceai.workspace.tools.values()].find(({ config }) => config.name === name)
  if (found === undefined) throw new Error(`the platform has no tool ${name}`)
  return found.config
}

test('neither provider had anything to object to', () => {
  world.problems.check()
})

// docs/reference/contract.md#helpdesk-tools: name, type, whether it must be there, and the variable when it is one.
const HELPDESK: Record<string, [string, string, boolean, string?][]> = {
  helpdesk_create_ticket: [
    ['subject', 'string', true],
    ['description', 'string', false],
    ['team_name', 'string', false],
    ['partner_id', 'integer', false, 'partner_id'],
    ['call_id', 'integer', true, 'call_id'],
  ],
  helpdesk_search_tickets: [
    ['partner_id', 'integer', true, 'partner_id'],
    ['only_open', 'boolean', false],
  ],
  helpdesk_fetch_ticket: [['ticket_id', 'integer', true]],
  helpdesk_update_ticket: [
    ['ticket_id', 'integer', true],
    ['subject', 'string', false],
    ['description', 'string', false],
    ['priority', 'string', false],
    ['stage_name', 'string', false],
  ],
  helpdesk_ticket_activity: [
    ['ticket_id', 'integer', true],
    ['note', 'string', true],
  ],
}

test.each(Object.entries(HELPDESK))('%s is at the platform as the contract says', async (name, parameters) => {
  const config = tool(name)
  const { voiceai_agent_token: token } = await settings()
  expect(config).toMatchObject({
    type: 'webhook',
    response_timeout_secs: 20,
    tool_error_handling_mode: 'passthrough',
    api_schema: {
      url: `${BASE}/connect_voiceai_helpdesk/${name.replace('helpdesk_', '')}`,
      method: 'POST',
      request_headers: { [TOKEN]: token, [CALL]: { variable_name: 'call_id' } },
    },
  })
  const { properties = {}, required = [] } = config.api_schema?.request_body_schema ?? {}
  const pushed = Object.entries(properties).map(([key, property]) => describeParameter(key, property, required))
  expect(pushed.sort()).toEqual(
    parameters.map(([key, type, must, variable]) => [key, type, must, variable ?? 'agent']).sort(),
  )
})

function describeParameter(name: string, property: PropertySchema, required: readonly string[]): unknown[] {
  return [name, property.type, required.includes(name), property.dynamic_variable ?? 'agent']
}

test('every tool of this service is asked over https with the token', async () => {
  const { voiceai_agent_token: token } = await settings()
  const configs = [...world.voiceai.workspace.tools.values()].map(({ config }) => config)
  expect(configs).toHaveLength(12)
  for (const { api_schema: api } of configs) {
    expect(api?.url).toMatch(/^https:\/\/pbx\.example\.com\/connect_voiceai(?:_helpdesk)?\/\w+$/)
    expect(api?.request_headers).toEqual({ [TOKEN]: token, [CALL]: { variable_name: 'call_id' } })
  }
})

test('the workspace asks about calls and delivers transcripts, signed with the secret that the service keeps', async () => {
  const {
    voiceai_agent_token: token,
    voiceai_post_call_webhook_id: id,
    voiceai_post_call_webhook_secret: secret,
  } = await settings()
  const { workspace } = world.voiceai
  expect(workspace.settings.conversation_initiation_client_data_webhook).toEqual({
    url: `${BASE}/connect_voiceai/conversation_initiation`,
    request_headers: { [TOKEN]: token },
  })
  expect(workspace.settings.webhooks).toMatchObject({
    post_call_webhook_id: id,
    events: ['transcript', 'call_initiation_failure'],
  })
  expect([...workspace.webhooks.values()]).toMatchObject([
    { id, secret, url: `${BASE}/connect_voiceai/post_call`, isDisabled: false },
  ])
})

test('an agent names no variable that the service does not answer', async () => {
  const agent = world.voiceai.workspace.findAgentByName('Helpdesk')
  const { agent: speaker } = agent?.config.conversation_config ?? {}
  const mentioned = `${speaker?.first_message} ${speaker?.prompt?.prompt}`.matchAll(/\{\{(\w+)\}\}/g)
  const { voiceai_agent_token: token } = await settings()
  const reply = await world.app.post('/connect_voiceai/conversation_initiation', {}, { [TOKEN]: String(token) })
  const { dynamic_variables: answered } = reply.body as { dynamic_variables: Record<string, unknown> }
  for (const [, name = ''] of mentioned) expect(Object.keys(answered)).toContain(name)
  expect(agent?.config.platform_settings?.overrides?.enable_conversation_initiation_client_data_from_webhook).toBe(true)
})

test('the telephony provider holds the addresses of this service, each with its edge and without a lost query', () => {
  const { account } = world.telco
  const [number] = account.numbers.list()
  const reports = '#e=ashburn&rc=2&rp=ct,rt,5xx'
  expect(number).toMatchObject({
    voice_url: `${BASE}/telco/webhook/number#e=ashburn`,
    status_callback: `${BASE}/telco/webhook/callstatus${reports}`,
    sms_url: `${BASE}/telco/webhook/message#e=ashburn`,
  })
  const [domain] = account.domains.list()
  expect(domain).toMatchObject({ domain_name: 'connect-demo.sip.twilio.com', sip_registration: true })
  const addresses = [account.numbers, account.domains, account.applications, account.senders]
    .flatMap((store) => store.list())
    .flatMap(addressesOf)
  expect(addresses.length).toBeGreaterThan(10)
  for (const address of addresses)
    expect(address).toMatch(/^https:\/\/pbx\.example\.com\/telco\/webhook\/[\w/]+#e=ashburn(?:&rc=2&rp=ct,rt,5xx)?$/)
})

function addressesOf(record: WireRecord): string[] {
  const webhook = (record.webhook ?? {}) as Record<string, unknown>
  return Object.entries({ ...record, ...webhook }).flatMap(([name, value]) =>
    /_url$|^status_callback$/.test(name) && typeof value === 'string' && value !== '' ? [value] : [],
  )
}

test('SIP phones may register and call: their credentials are mapped for both', () => {
  const { account } = world.telco
  const [domain] = account.domains.list()
  const [credential] = account.credentials.list()
  expect(credential).toMatchObject({ username: 'ann' })
  for (const mappings of [account.callMappings, account.registrationMappings]) {
    expect(mappings.list()).toMatchObject([{ domain_sid: domain?.sid, list_sid: credential?.credential_list_sid }])
  }
})

test('after another synchronisation the old token opens nothing, and every tool holds the new one', async () => {
  const { voiceai_agent_token: old } = await settings()
  await synchronise(world.service, 'voiceai')
  const { voiceai_agent_token: token } = await settings()
  expect(token).not.toBe(old)
  const ask = (value: unknown) => world.app.post('/connect_voiceai/get_current_date', {}, { [TOKEN]: String(value) })
  expect((await ask(old)).status).toBe(401)
  expect((await ask(token)).status).toBe(200)
  for (const { config } of world.voiceai.workspace.tools.values()) {
    expect(config.api_schema?.request_headers).toMatchObject({ [TOKEN]: token })
  }
  world.problems.check()
})

/** How the service answers a delivery that the platform makes, once it has come. */
async function answered(): Promise<number | undefined> {
  const { deliveries, workspace } = world.voiceai
  const before = deliveries.length
  const agentId = workspace.findAgentByName('Helpdesk')?.id ?? ''
  const callSid = `CA${String(before).padStart(32, '0')}`
  world.voiceai.failCall({ agentId, reason: 'busy', callSid, from: NUMBER, to: '+14155550299' })
  await eventually(async () => deliveries.length > before)
  await world.app.app.deliveries.drained()
  const outcome = deliveries.at(-1)?.outcome
  return outcome?.kind === 'answered' ? outcome.status : undefined
}

async function compared(): Promise<unknown[]> {
  const { run_id: id } = await world.service.ask<{ run_id: number }>('connect.settings', 'voiceai_check')
  let run: Record<string, unknown> | undefined
  await eventually(async () => {
    run = await world.service.find('connect.sync_run', { id }, ['state', 'differences'])
    return run?.state === 'done'
  })
  return (run?.differences ?? []) as unknown[]
}

const CHANGES: Record<string, () => Promise<void>> = {
  'that was changed at the platform': async () => {
    const { webhooks } = world.voiceai.workspace
    for (const [id, webhook] of webhooks) webhooks.set(id, { ...webhook, secret: 'nobody was told' })
  },
  'that is another one here': () => writeAsService(world.app, { voiceai_post_call_webhook_secret: 'of an old backup' }),
  'that is missing here': () =>
    writeAsService(world.app, {
      voiceai_post_call_webhook_secret: null,
      voiceai_post_call_webhook_previous_secret: null,
    }),
}

test.each(Object.entries(CHANGES))(
  'a post-call secret %s heals with SYNC and with a comparison',
  async (_what, change) => {
    for (const heal of [() => synchronise(world.service, 'voiceai'), compared]) {
      const [old] = world.voiceai.workspace.webhooks.keys()
      await change()
      expect(await answered()).toBe(401)
      await heal()
      await eventually(async () => !world.voiceai.workspace.webhooks.has(old ?? ''))
      expect(await answered()).toBe(200)
      expect(await compared()).toEqual([])
      expect(world.voiceai.workspace.webhooks.size).toBe(1)
    }
  },
)
