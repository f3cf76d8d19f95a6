import { afterAll, beforeAll, expect, test } from 'vitest'
import { sql } from '../../../src/database/drizzle.ts'
import { GROUP } from '../../../src/platform/access/identity.ts'
import { SyncApp } from '../sync/sync-app.ts'

const BUTTONS = [
  ...['voiceai_sync', 'voiceai_sync_tools', 'voiceai_regenerate_prompts', 'voiceai_check'],
  ...['voiceai_enable_webhook', 'voiceai_remove_tools'],
]

let at: SyncApp

beforeAll(async () => {
  at = await SyncApp.start()
})
afterAll(() => at.stop())

type Refused = [settings: object, sentence: RegExp]
const local = (url: string): Refused => [{ voiceai_api_key: 'k', api_url: url }, /Localhost is not allowed/]
const inner = (url: string): Refused => [
  { voiceai_api_key: 'k', api_url: url },
  /is a (private address|name of a private)/,
]

async function refusal(button: string): Promise<string> {
  const answer = await at.app.admin.call('connect.settings', button)
  expect(answer.status).toBe(422)
  return (answer.body as { message: string }).message
}

test.each([
  [{}, 'API key not set'],
  [{ voiceai_api_key: 'k', api_url: null }, /^API URL not set/],
  [{ voiceai_api_key: 'k', api_url: 'http://pbx.example.com' }, /use HTTPS instead of HTTP/],
  [{ voiceai_api_key: 'k', api_url: 'https://localhost:8080' }, /Localhost is not allowed/],
  [{ voiceai_api_key: 'k', api_url: 'http://127.0.0.1' }, /Localhost is not allowed/],
  [{ voiceai_api_key: 'k', api_url: 'https://127.8.9.10' }, /Localhost is not allowed/],
  [{ voiceai_api_key: 'k', api_url: 'https://192.168.1.20' }, /192\.168\.1\.20 is a private address/],
  [{ voiceai_api_key: 'k', api_url: 'https://[fd00::1]:8443/' }, /fd00::1 is a private address/],
  ...['https://[::1]', 'https://2130706433', 'https://0177.0.0.1', 'https://0x7f.1', 'https://localhost.'].map(local),
  ...['https://[::ffff:127.0.0.1]', 'https://a.localhost', 'https://0.0.0.0'].map(local),
  ...['https://10.0.0.1', 'https://012.0.0.1', 'https://167772161', 'https://[::ffff:10.0.0.1]'].map(inner),
  ...['https://[fe80::1]', 'https://169.254.169.254', 'https://172.31.0.1', 'https://100.64.0.1'].map(inner),
  ...['https://foo.local', 'https://FOO.Local.', 'https://pbx', 'https://metadata.google.internal'].map(inner),
])('every button refuses with one sentence and does nothing with %o', async (settings, sentence) => {
  await at.settings(settings)
  for (const button of BUTTONS) expect(await refusal(button)).toMatch(sentence)
  expect(at.fake.asked).toEqual([])
  expect(await at.app.count('connect_sync_run')).toBe(0)
})

test('while voice agents are switched off no speech is generated', async () => {
  await at.settings({ voiceai_api_key: 'k', api_url: 'https://pbx.example.com', voiceai_enabled: false })
  expect(await refusal('voiceai_regenerate_prompts')).toMatch(/switched off/)
  expect(at.fake.asked).toEqual([])
})

test('while voice agents are switched off SYNC sets up everything but the webhooks, and says so', async () => {
  await at.setUp()
  await at.settings({ voiceai_enabled: false })
  const run = await at.run()
  expect(run).toMatchObject({
    state: 'done',
    errors: [],
    counts: { 'initiation webhook': { skipped: 1 }, 'post-call webhook': { skipped: 1 }, tools: { created: 12 } },
    summary: expect.stringMatching(/switched off/),
  })
  expect(at.fake.webhooks.size).toBe(0)
  expect(at.fake.settings).toEqual({})
})

test('the buttons are for administrators, and the history is theirs to read and nobody’s to write', async () => {
  const user = await at.app.person([GROUP.connectUser])
  for (const button of [...BUTTONS, 'voiceai_reset_token', 'voiceai_unbind']) {
    expect((await user.call('connect.settings', button)).status).toBe(403)
  }
  expect((await user.call('connect.sync_run', 'search')).status).toBe(403)
  expect((await at.app.admin.call('connect.sync_run', 'create', { vals_list: { area: 'voiceai' } })).status).toBe(403)
})

test('the token can be changed while the platform cannot be told, and the answer says so', async () => {
  await at.settings({ voiceai_enabled: false })
  const answer = await at.app.admin.ask<{ run_id: number | null; message: string }>(
    'connect.settings',
    'voiceai_reset_token',
  )
  expect(answer).toEqual({ run_id: null, message: expect.stringMatching(/until then it has the old one/) })
  expect((await at.app.tool('/connect_voiceai/get_current_date')).status).toBe(401)
})

test('changing the token pushes it to the workspace and to every tool, and touches nothing else', async () => {
  await at.setUp()
  expect((await at.run()).state).toBe('done')
  at.fake.calm()
  expect(await at.run('voiceai_reset_token')).toMatchObject({ state: 'done', counts: { tools: { updated: 12 } } })
  expect(at.fake.requests()).toEqual([
    'PATCH /v1/convai/settings',
    ...Array.from({ length: 12 }, () => expect.stringMatching(/^PATCH \/v1\/convai\/tools\//)),
  ])
  const { voiceaiAgentToken } = await at.app.app.platform.settings.get()
  expect(at.fake.settings.conversation_initiation_client_data_webhook).toMatchObject({
    request_headers: { 'x-voiceai-agent-token': voiceaiAgentToken },
  })
})

test('SYNC TOOLS pushes the tools only', async () => {
  at.fake.calm()
  expect(await at.run('voiceai_sync_tools')).toMatchObject({ state: 'done', counts: { tools: { updated: 12 } } })
  expect(at.fake.requests().every((each) => each.startsWith('PATCH /v1/convai/tools/'))).toBe(true)
})

test.each([{ api_url: 'https://moved.example.com' }, { voiceai_agent_token: 'a-token-entered-by-hand' }])(
  'after %o the tools say that they are behind, until SYNC TOOLS',
  async (settings) => {
    const behind = async (): Promise<number | undefined> => {
      const rows = await at.app.db.query<{ count: number }>(
        sql`select count(*)::int as count from connect_voiceai_agent_tool where tool_type <> 'system' and not synced`,
      )
      return rows[0]?.count
    }
    await at.settings({ register_summary: true })
    expect(await behind()).toBe(0)
    await at.settings(settings)
    expect(await behind()).toBe(12)
    expect((await at.run('voiceai_sync_tools')).state).toBe('done')
    expect(await behind()).toBe(0)
    for (const config of at.fake.tools.values()) {
      const { api_url: url, voiceai_agent_token: token } = settings as Record<string, string | undefined>
      if (url !== undefined) expect(JSON.stringify(config)).toContain(url)
      if (token !== undefined) expect(JSON.stringify(config)).toContain(token)
    }
  },
)

test('UNBIND forgets what the platform calls our records and leaves the platform as it is', async () => {
  const agent = await at.makeAgent()
  await at.settled()
  at.fake.calm()
  const held = [at.fake.tools.size, at.fake.agents.size, at.fake.numbers.size]
  expect(await at.app.admin.ask('connect.settings', 'voiceai_unbind')).toEqual({ agents: 1, tools: 12 })
  expect(
    await at.read('connect.voiceai_agent', agent, ['agent_uid', 'voiceai_virtual_number_uid', 'synced']),
  ).toMatchObject({ agent_uid: null, voiceai_virtual_number_uid: null, synced: false })
  const [tools] = await at.app.db.query<{ count: number }>(
    sql`select count(*)::int as count from connect_voiceai_agent_tool where tool_id is not null or synced`,
  )
  expect(tools?.count).toBe(0)
  await at.settled()
  expect(at.fake.asked).toEqual([])
  expect([at.fake.tools.size, at.fake.agents.size, at.fake.numbers.size]).toEqual(held)
})

test('neither runs nor errors nor the log of deliveries tell a secret', async () => {
  const { voiceaiAgentToken = '', voiceaiApiKey = '', postCallSecrets } = await at.app.app.platform.settings.get()
  const runs = JSON.stringify(await at.app.admin.ask('connect.sync_run', 'search_read'))
  for (const secret of [voiceaiAgentToken, voiceaiApiKey, ...postCallSecrets]) expect(runs).not.toContain(secret)
})
