import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { sql } from '../../../src/database/drizzle.ts'
import { SyncApp } from '../sync/sync-app.ts'

let at: SyncApp
let agent: number

beforeAll(async () => {
  at = await SyncApp.start()
  await at.setUp()
  expect((await at.run()).state).toBe('done')
  agent = await at.makeAgent({ tools: [await at.toolId('create_partner'), await at.toolId('end_call')] })
  await at.settled()
})
beforeEach(async () => {
  await at.settled()
  at.fake.calm()
})
afterAll(() => at.stop())

/** What the platform was asked because of the change. */
async function after(change: () => Promise<unknown>): Promise<string[]> {
  at.fake.calm()
  await change()
  await at.settled()
  return at.fake.requests().map((each) => each.replace(/_\d+$/, ''))
}

function heldAgent(): Record<string, unknown> | undefined {
  return [...at.fake.agents.values()][0]
}

test('a new agent and its number are created at the platform, and a changed one is updated', async () => {
  expect(await at.read('connect.voiceai_agent', agent, ['synced', 'sync_error'])).toMatchObject({
    synced: true,
    sync_error: null,
  })
  expect([at.fake.agents.size, at.fake.numbers.size]).toEqual([1, 1])
  const asked = await after(() => at.write('connect.voiceai_agent', agent, { first_message: 'Good day!' }))
  expect(asked).toEqual(['PATCH /v1/convai/agents/agent'])
  expect(heldAgent()).toMatchObject({ conversation_config: { agent: { first_message: 'Good day!' } } })
})

test('the way calls are handed over is pushed, because the audio follows it', async () => {
  await at.write('connect.voiceai_agent', agent, { output_audio_format: 'pcm_16000' })
  await at.settled()
  const audioHeld = () => JSON.stringify(heldAgent()).match(/"agent_output_audio_format":"(\w+)"/)?.[1]
  for (const [method, audio] of [
    ['sip', 'pcm_16000'],
    ['register', 'ulaw_8000'],
  ] as const) {
    expect(await after(() => at.write('connect.voiceai_agent', agent, { connect_method: method }))).toEqual([
      'PATCH /v1/convai/agents/agent',
    ])
    expect(audioHeld()).toBe(audio)
  }
})

test('what calls have to know of the copy at the platform is what was pushed', async () => {
  const held = async () => (await at.app.app.agents.get()).get([...at.fake.agents.keys()][0] ?? '')
  const [german] = await at.app.admin.ask<number[]>('res.lang', 'search', { domain: [['code', '=', 'de_DE']] })
  await at.write('connect.voiceai_agent', agent, { additional_languages: [german], prompt: 'For {{tier}}.' })
  await at.settled()
  expect(await held()).toMatchObject({ languages: new Set(['de']), variables: ['tier'] })
  at.fake.fail({ path: /agents/, method: 'PATCH', status: 422 })
  await at.write('connect.voiceai_agent', agent, { additional_languages: [], prompt: 'For {{rank}}.' })
  await at.settled()
  // The platform still has the old prompt, and nobody may ask for a language that is about to go.
  expect((await held())?.variables.toSorted()).toEqual(['rank', 'tier'])
  expect((await held())?.languages).toEqual(new Set())
  at.fake.calm()
  await at.write('connect.voiceai_agent', agent, { prompt: 'You help callers.' })
  await at.settled()
  expect((await held())?.variables).toEqual([])
})

test('a limit of tokens that is taken away ends at the platform too', async () => {
  const limitHeld = () => JSON.stringify(heldAgent()).match(/"max_tokens":(-?\d+)/)?.[1]
  for (const [limit, held] of [
    [500, '500'],
    [-1, '-1'],
  ] as const) {
    await at.write('connect.voiceai_agent', agent, { max_tokens: limit })
    await at.settled()
    expect(limitHeld()).toBe(held)
  }
})

test.each([
  ['its id at the platform', async () => ({ agent_uid: [...at.fake.agents.keys()][0] })],
  ['the version of its prompt that is active already', async () => versionOf(agent)],
  ['what is said when it fails', async () => ({ fallback_message: 'Sorry.' })],
  ['the same prompt', async () => ({ prompt: 'You help callers.' })],
])('changing %s alone asks the platform nothing', async (_what, valuesOf) => {
  const values = await valuesOf()
  expect(await after(() => at.write('connect.voiceai_agent', agent, values))).toEqual([])
  expect(await at.read('connect.voiceai_agent', agent, ['synced'])).toMatchObject({ synced: true })
})

async function versionOf(id: number): Promise<object> {
  const { active_prompt_version: version } = await at.read('connect.voiceai_agent', id, ['active_prompt_version'])
  return { active_prompt_version: version }
}

test('giving the agent an extension asks the platform nothing', async () => {
  const values = { number: '210', dst: `connect.voiceai_agent,${agent}` }
  const asked = await after(() => at.app.admin.ask('connect.telco.exten', 'create', { vals_list: values }))
  expect(asked).toEqual([])
})

test('another list of addresses concerns the virtual number only', async () => {
  const asked = await after(() =>
    at.write('connect.voiceai_agent', agent, { voiceai_inbound_allowed_ips: '203.0.113.0/24' }),
  )
  expect(asked).toEqual(['PATCH /v1/convai/phone-numbers/phnum'])
  expect([...at.fake.numbers.values()]).toMatchObject([
    { inbound_trunk_config: { allowed_addresses: ['203.0.113.0/24'] } },
  ])
})

test('a new prompt and another list of addresses are pushed both', async () => {
  await after(() =>
    at.write('connect.voiceai_agent', agent, { prompt: 'Be kind.', voiceai_inbound_allowed_ips: '198.51.100.7' }),
  )
  expect([...at.fake.numbers.values()]).toMatchObject([
    { inbound_trunk_config: { allowed_addresses: ['198.51.100.7'] } },
  ])
})

test('a list of addresses that the platform refuses stands with the agent', async () => {
  await after(() => {
    at.fake.fail({ path: /phone-numbers/, method: 'PATCH', status: 422, body: { detail: 'no such range' } })
    return at.write('connect.voiceai_agent', agent, { voiceai_inbound_allowed_ips: '198.51.100.8' })
  })
  expect(await at.read('connect.voiceai_agent', agent, ['synced', 'sync_error'])).toMatchObject({
    synced: false,
    sync_error: expect.any(String),
  })
  at.fake.calm()
  await after(() => at.write('connect.voiceai_agent', agent, { voiceai_inbound_allowed_ips: '203.0.113.0/24' }))
  expect(await at.read('connect.voiceai_agent', agent, ['synced', 'sync_error'])).toEqual(
    expect.objectContaining({ synced: true, sync_error: null }),
  )
})

test('a tool is created, changed and removed with ours; its agents follow where they are concerned', async () => {
  const vals = {
    name: 'look_up',
    description: 'Looks something up.',
    url: 'https://crm.example.com/look',
    synced: true,
  }
  const { synced: _synced, ...vals_list } = vals
  let id = 0
  const created = await after(async () => {
    id = await at.app.admin.ask<number>('connect.voiceai_agent_tool', 'create', { vals_list })
  })
  expect(created).toEqual(['POST /v1/convai/tools'])
  // The token opens this service, so another host does not get it.
  expect(at.fake.toolNamed('look_up')?.config).toMatchObject({
    api_schema: { url: 'https://crm.example.com/look', request_headers: {} },
  })

  const changed = await after(() => at.write('connect.voiceai_agent_tool', id, { description: 'Finds something.' }))
  expect(changed).toEqual(['PATCH /v1/convai/tools/tool'])

  const attached = await after(() => at.write('connect.voiceai_agent', agent, { tools: [[4, id]] }))
  expect(attached).toEqual(['PATCH /v1/convai/agents/agent'])

  const parameter = { tool: id, name: 'customer', value_type: 'dynamic_variable', dynamic_variable: 'customer_no' }
  const extended = await after(() => at.app.admin.ask('connect.agent_tool_params', 'create', { vals_list: parameter }))
  expect(extended.toSorted()).toEqual(['PATCH /v1/convai/agents/agent', 'PATCH /v1/convai/tools/tool'])
  expect(heldAgent()).toMatchObject({
    conversation_config: {
      agent: { dynamic_variables: { dynamic_variable_placeholders: { customer_no: 'test_customer_no' } } },
    },
  })

  const toolUid = at.fake.toolNamed('look_up')?.id
  const removed = await after(() => at.app.admin.ask('connect.voiceai_agent_tool', 'unlink', { ids: [id] }))
  expect(removed.toSorted()).toEqual(['DELETE /v1/convai/tools/tool', 'PATCH /v1/convai/agents/agent'])
  expect(at.fake.toolNamed('look_up')).toBeUndefined()
  expect(JSON.stringify(heldAgent())).not.toContain(`"${toolUid}"`)
})

test('constants are sent with their own type', async () => {
  const id = await at.app.admin.ask<number>('connect.voiceai_agent_tool', 'create', {
    vals_list: { name: 'with_constants', description: 'Has constants.', path: '/x', body_params_description: 'All' },
  })
  for (const [name, type, value] of [
    ['source', 'string', 'phone'],
    ['level', 'integer', '3'],
    ['urgent', 'boolean', 'true'],
  ]) {
    await at.app.admin.ask('connect.agent_tool_params', 'create', {
      vals_list: {
        tool: id,
        name,
        data_type: type,
        value_type: 'constant_value',
        constant_value: value,
        required: true,
      },
    })
  }
  await at.settled()
  expect(at.fake.toolNamed('with_constants')?.config).toMatchObject({
    api_schema: {
      request_body_schema: {
        description: 'All',
        required: ['source', 'level', 'urgent'],
        properties: {
          source: { type: 'string', constant_value: 'phone' },
          level: { type: 'integer', constant_value: 3 },
          urgent: { type: 'boolean', constant_value: true },
        },
      },
    },
  })
})

test('a system tool is never a record of its own: the agents that have it are updated', async () => {
  const id = await at.toolId('end_call')
  const asked = await after(() => at.write('connect.voiceai_agent_tool', id, { description: 'Hang up politely.' }))
  expect(asked).toEqual(['PATCH /v1/convai/agents/agent'])
  expect(heldAgent()).toMatchObject({
    conversation_config: {
      agent: { prompt: { built_in_tools: { end_call: { description: 'Hang up politely.' }, skip_turn: null } } },
    },
  })
})

test('rules by which agents hand over are pushed, and forgotten with the agent they name', async () => {
  const other = await at.makeAgent({ name: 'Sales' })
  await at.settled()
  const { agent_uid: otherUid, voiceai_virtual_number_uid: otherNumber } = await at.read(
    'connect.voiceai_agent',
    other,
    ['agent_uid', 'voiceai_virtual_number_uid'],
  )
  await at.write('connect.voiceai_agent', agent, { tools: [[4, await at.toolId('transfer_to_agent')]] })
  await at.app.admin.ask('connect.voiceai_agent_transfer', 'create', {
    vals_list: { agent, transfer_to_agent: other, condition: 'The caller wants to buy.' },
  })
  await at.settled()
  const builtIn = (): unknown => heldAgent()?.conversation_config
  expect(builtIn()).toMatchObject({
    agent: {
      prompt: {
        built_in_tools: {
          transfer_to_agent: {
            interruption_mode: 'disable_during_tool',
            params: {
              system_tool_type: 'transfer_to_agent',
              transfers: [
                {
                  agent_id: otherUid,
                  condition: 'The caller wants to buy.',
                  enable_transferred_agent_first_message: true,
                },
              ],
            },
          },
        },
      },
    },
  })
  const removed = await after(() => at.app.admin.ask('connect.voiceai_agent', 'unlink', { ids: [other] }))
  expect(removed.toSorted()).toEqual([
    'DELETE /v1/convai/agents/agent',
    'DELETE /v1/convai/phone-numbers/phnum',
    'PATCH /v1/convai/agents/agent',
  ])
  expect([at.fake.agents.has(String(otherUid)), at.fake.numbers.has(String(otherNumber))]).toEqual([false, false])
  expect(builtIn()).toMatchObject({ agent: { prompt: { built_in_tools: { transfer_to_agent: null } } } })
})

test('an agent whose tool the platform does not know gets the tool first', async () => {
  await at.settings({ voiceai_enabled: false })
  const tool = await at.app.admin.ask<number>('connect.voiceai_agent_tool', 'create', {
    vals_list: { name: 'late', description: 'Comes late.', path: '/late' },
  })
  await at.settings({ voiceai_enabled: true })
  const asked = await after(() => at.write('connect.voiceai_agent', agent, { tools: [[4, tool]] }))
  expect(asked.slice(0, 2)).toEqual(['POST /v1/convai/tools', 'PATCH /v1/convai/agents/agent'])
  expect(JSON.stringify(heldAgent())).toContain(`"${at.fake.toolNamed('late')?.id}"`)
})

test('what the platform refuses stays with the record as a sentence, and the edit itself is kept', async () => {
  const detail = [{ loc: ['body', 'conversation_config', 'tts', 'voice_id'], msg: 'is unknown' }]
  at.fake.fail({ method: 'PATCH', path: /agents\//, status: 422, body: { detail } })
  await at.write('connect.voiceai_agent', agent, { first_message: 'Refused greeting' })
  await at.settled()
  expect(await at.read('connect.voiceai_agent', agent, ['first_message', 'synced', 'sync_error'])).toMatchObject({
    first_message: 'Refused greeting',
    synced: false,
    sync_error: 'ElevenLabs refused it (status 422): conversation_config.tts.voice_id is unknown.',
  })
})

test('what is changed while it is being pushed is pushed as well', async () => {
  at.fake.fail({
    method: 'PATCH',
    path: /agents\//,
    times: 1,
    before: async () => {
      await at.write('connect.voiceai_agent', agent, { first_message: 'Second' })
    },
  })
  await at.write('connect.voiceai_agent', agent, { first_message: 'First' })
  await at.settled()
  expect(heldAgent()).toMatchObject({ conversation_config: { agent: { first_message: 'Second' } } })
  expect(await at.read('connect.voiceai_agent', agent, ['synced'])).toMatchObject({ synced: true })
})

test('a change that is rolled back pushes nothing', async () => {
  const asked = await after(async () => {
    const answer = await at.app.admin.call('connect.voiceai_agent', 'write', {
      ids: [agent],
      vals: { first_message: 'Never', temperature: 7 },
    })
    expect(answer.status).toBe(422)
  })
  expect(asked).toEqual([])
})

test('while voice agents are switched off nothing is pushed, and the records say that they are behind', async () => {
  await at.settings({ voiceai_enabled: false })
  const tool = await at.toolId('create_partner')
  const asked = await after(async () => {
    await at.write('connect.voiceai_agent', agent, { first_message: 'Quiet' })
    await at.write('connect.voiceai_agent_tool', tool, { description: 'Quiet.' })
    await at.app.admin.ask('connect.voiceai_agent', 'unlink', { ids: [await at.makeAgent({ name: 'Short' })] })
  })
  expect(asked).toEqual([])
  expect(await at.read('connect.voiceai_agent', agent, ['synced'])).toMatchObject({ synced: false })
  expect(await at.read('connect.voiceai_agent_tool', tool, ['synced'])).toMatchObject({ synced: false })
  const [jobs] = await at.app.db.query<{ count: number }>(
    sql`select count(*)::int as count from jobs.job where name = 'voiceai-push' and state in ('created', 'active')`,
  )
  expect(jobs?.count).toBe(0)
})
