// People try an agent before a customer does: a copy at the platform, tools of which nothing is kept, and a mark.

import { createHmac } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { sql } from '../../../src/database/drizzle.ts'
import { readTrialToken, trialToken } from '../../../src/deliveries/tools/trial-token.ts'
import { cipherOf } from '../../../src/platform/secrets/secrets.ts'
import { type Caller, eventually } from '../../support/test-app.ts'
import { SyncApp } from '../sync/sync-app.ts'

const AGENT = 'connect.voiceai_agent'
const TRIAL = 'connect.voiceai_trial'
const ADMINS = ['connect.group_admin', 'base.group_user']

interface Started {
  trial: number
  url: string
  is_draft: boolean
  missing_tools: string[]
  opening: {
    type: string
    dynamic_variables: Record<string, string>
    conversation_config_override?: { agent: { language: string } }
  }
}

let at: SyncApp
let agent: number
let ada: Caller

beforeAll(async () => {
  at = await SyncApp.start()
  await at.setUp()
  expect((await at.run()).state).toBe('done')
  ada = await at.app.person(ADMINS, { name: 'Ada Keller' })
  const tools = [
    await at.toolId('helpdesk_create_ticket'),
    await at.toolId('create_partner'),
    await at.toolId('transfer_to_exten'),
  ]
  agent = await at.makeAgent({ name: 'Helpdesk', prompt: 'You help {{favourite}}.', tools: [[6, 0, tools]] })
  await at.settled()
})
beforeEach(async () => {
  const open = await ada.ask<number[]>(TRIAL, 'search', { domain: [['ended_at', '=', false]] })
  if (open.length > 0) await ada.ask(TRIAL, 'end', { ids: open })
  await at.settled()
  at.fake.calm()
  at.fake.signedUrl = undefined
})
afterAll(() => at.stop())

const start = (values: object = {}) =>
  ada.ask<Started>(AGENT, 'start_trial', { ids: [agent], draft: false, kind: 'text', ...values })
/** As the platform delivers what was said. */
async function signed(delivery: object): Promise<void> {
  const { postCallSecrets } = await at.app.app.platform.settings.get()
  const [body, seconds] = [JSON.stringify(delivery), Math.floor(Date.now() / 1000)]
  const digest = createHmac('sha256', postCallSecrets[0] ?? '')
    .update(`${seconds}.${body}`)
    .digest('hex')
  const headers = { 'voiceai-signature': `t=${seconds},v0=${digest}` }
  expect((await at.app.post('/connect_voiceai/post_call', body, headers)).status).toBe(200)
}
/** With the token that the first synchronisation made. */
async function tool(address: string, body: unknown, headers: Record<string, string>) {
  const { voiceaiAgentToken = '' } = await at.app.app.platform.settings.get()
  return at.app.tool(address, body, { 'x-voiceai-agent-token': voiceaiAgentToken, ...headers })
}
const copies = () => [...at.fake.agents.values()].filter(({ name }) => String(name).startsWith('Connect trial'))
const rows = async () => {
  const [counted] = await at.app.db.query<{ calls: number; legs: number; tickets: number; contacts: number }>(
    sql`select (select count(*)::int from connect_call) as calls, (select count(*)::int from connect_channel) as legs,
          (select count(*)::int from helpdesk_ticket) as tickets, (select count(*)::int from res_partner) as contacts`,
  )
  return counted
}

test('a trial is a copy of its own, which only a signed address opens and of which the platform keeps no sound', async () => {
  const started = await start()
  expect(at.fake.requests({ withReads: true })).toEqual([
    'POST /v1/convai/agents/create',
    'GET /v1/convai/conversation/get-signed-url',
  ])
  expect(at.fake.asked.at(-1)?.path).toContain('include_conversation_id=true')
  expect(copies()).toMatchObject([
    {
      name: expect.stringMatching(new RegExp(`^Connect trial ${started.trial} \\([0-9a-f]{8}\\)$`)),
      conversation_config: {
        agent: {
          first_message: 'Hello! How can I help you today?',
          // Who opens the conversation without the token has it in the place of the call all the same.
          dynamic_variables: {
            dynamic_variable_placeholders: {
              call_id: started.opening.dynamic_variables.call_id,
              channel_sid: 'test_channel_sid',
            },
          },
        },
        asr: { user_input_audio_format: 'pcm_16000' },
        tts: { agent_output_audio_format: 'pcm_16000' },
        conversation: { text_only: true },
      },
      platform_settings: {
        auth: { enable_auth: true },
        privacy: { record_voice: false, retention_days: 1, delete_transcript_and_pii: true, delete_audio: true },
        overrides: { enable_conversation_initiation_client_data_from_webhook: false },
      },
    },
  ])
  expect(started.url).toMatch(/^ws:.*conversation_signature=/)
  expect(JSON.stringify(started)).not.toContain(at.fake.apiKey)
})

test('a copy goes without tools that would work for real: those of others, and those that the platform has in an older form', async () => {
  const shop = await at.app.admin.ask<number>('connect.voiceai_agent_tool', 'create', {
    vals_list: {
      name: 'order_part',
      description: 'Orders a part.',
      tool_type: 'webhook',
      url: 'https://shop.example/order',
    },
  })
  const stale = await at.toolId('create_partner')
  const other = await at.makeAgent({ name: 'Sales' })
  const transfer = await at.toolId('transfer_to_agent')
  await at.app.admin.ask(AGENT, 'write', {
    ids: [agent],
    vals: {
      tools: [
        [4, shop],
        [4, transfer],
      ],
      transfer_to_agent: [[0, 0, { transfer_to_agent: other, condition: 'They want to buy.' }]],
    },
  })
  await at.settled()
  const sales = (await at.read(AGENT, other, ['agent_uid'])).agent_uid
  const uidOf = async (id: number) => (await at.read('connect.voiceai_agent_tool', id, ['tool_id'])).tool_id
  const [orders, partners, tickets] = [
    await uidOf(shop),
    await uidOf(stale),
    await uidOf(await at.toolId('helpdesk_create_ticket')),
  ]
  expect(orders).toEqual(expect.any(String))
  await at.app.db.query(sql`update connect_voiceai_agent_tool set synced = false where id = ${stale}::bigint`)
  const started = await start()
  expect(started.missing_tools.toSorted()).toEqual(['create_partner', 'order_part', 'transfer_to_agent'])
  const copied = JSON.stringify(copies())
  expect(copied).toContain(String(tickets))
  expect(copied).not.toContain(String(orders))
  expect(copied).not.toContain(String(partners))
  expect(sales).toEqual(expect.any(String))
  expect(copied).not.toContain(String(sales))
  await at.app.db.query(sql`update connect_voiceai_agent_tool set synced = true where id = ${stale}::bigint`)
  await at.app.admin.ask(AGENT, 'write', {
    ids: [agent],
    vals: {
      tools: [
        [3, shop],
        [3, transfer],
      ],
    },
  })
  await at.settled()
})

test('what a trial has left at the platform goes also when voice agents are switched off meanwhile', async () => {
  const { trial } = await start()
  expect(copies()).toHaveLength(1)
  await at.settings({ voiceai_enabled: false })
  await ada.ask(TRIAL, 'end', { ids: [trial] })
  await eventually(async () => copies().length === 0)
  await at.settings({ voiceai_enabled: true })
  await at.settled()
})

test('a draft is tried without being published, and the agent of calls stays as it is', async () => {
  await ada.ask(AGENT, 'save_draft', { ids: [agent], vals: { prompt: 'You sell boilers.', temperature: 0.7 } })
  const before = JSON.stringify([...at.fake.agents])
  const drafted = await start({ draft: true })
  expect(drafted.is_draft).toBe(true)
  expect(JSON.stringify(copies())).toContain('You sell boilers.')
  await ada.ask(TRIAL, 'end', { ids: [drafted.trial] })
  const published = await start({ draft: false })
  expect(published.is_draft).toBe(false)
  expect(JSON.stringify(copies())).not.toContain('You sell boilers.')
  await ada.ask(TRIAL, 'end', { ids: [published.trial] })
  await at.settled()
  expect(JSON.stringify([...at.fake.agents])).toBe(before)
  expect(await at.read(AGENT, agent, ['prompt', 'synced'])).toMatchObject({
    prompt: 'You help {{favourite}}.',
    synced: true,
  })
  expect(await ada.ask('connect.voiceai_agent_draft', 'search', {})).toHaveLength(1)
  await ada.ask(AGENT, 'discard_draft', { ids: [agent] })
})

test('the agent is told of the chosen caller what it is told of a call', async () => {
  const zoe = await at.app.admin.ask<number>('res.partner', 'create', {
    vals_list: { name: 'Zoe Miller', phone: '+41313808316' },
  })
  const before = await rows()
  const byContact = await start({ partner: zoe })
  expect(byContact.opening).toMatchObject({
    type: 'conversation_initiation_client_data',
    dynamic_variables: {
      partner_name: 'Zoe Miller',
      partner_id: String(zoe),
      caller_number: '+41313808316',
      existing_partner: 'Yes',
      favourite: '',
    },
  })
  const byNumber = await start({ caller: '+41 31 380 83 16' })
  expect(byNumber.opening.dynamic_variables).toMatchObject({ partner_name: 'Zoe Miller', greeting: 'Zoe Miller' })
  const stranger = await start()
  expect(stranger.opening.dynamic_variables).toMatchObject({ partner_name: 'Not registered', caller_number: '' })
  expect(await rows()).toEqual(before)
})

test('tools work as in a call of that caller, are shown, and nothing of what they do is kept', async () => {
  const { trial, opening } = await start({ caller: '+14155550161' })
  const before = await rows()
  const token = opening.dynamic_variables.call_id ?? ''
  const made = await tool(
    '/connect_voiceai/create_partner',
    // As the platform sends what it was given as a text for a number.
    { name: 'Max Weber', call_id: token },
    { 'x-connect-call': token },
  )
  expect([made.status, made.body]).toMatchObject([200, { partner_id: expect.any(Number) }])
  const asNumber = `{"name":"Max Weber","call_id":${token}}`
  const again = await tool('/connect_voiceai/create_partner', asNumber, { 'x-connect-call': token })
  expect(again.status).toBe(200)
  const ticket = { subject: 'Leaking boiler', description: 'The boiler leaks.', call_id: token }
  expect((await tool('/connect_voiceai_helpdesk/create_ticket', ticket, { 'x-connect-call': token })).status).toBe(200)
  const moved = await tool(
    '/connect_voiceai/transfer',
    { exten: '999', channel_sid: opening.dynamic_variables.channel_sid },
    { 'x-connect-call': token },
  )
  expect(moved.status).toBe(404)
  expect(await rows()).toEqual(before)
  // The log says that they came, and nothing of what was said.
  const logged = await eventually(async () => {
    const fields = ['reason', 'body', 'reply']
    const found = await at.app.admin.ask<object[]>('connect.delivery', 'search_read', {
      ...{ domain: [['tool', '!=', false]], fields, order: 'id desc', limit: 4 },
    })
    return found.length === 4 ? found : undefined
  })
  expect(JSON.stringify(logged)).not.toMatch(/Max Weber|boiler|partner_id/)
  expect(await at.read(TRIAL, trial, ['steps', 'tool_calls'])).toMatchObject({
    tool_calls: 4,
    steps: [
      { tool: 'create_partner', asked: '{"name":"Max Weber"}', status: 200 },
      { tool: 'create_partner', status: 200 },
      { tool: 'helpdesk_create_ticket', asked: expect.stringContaining('Leaking boiler'), status: 200 },
      { tool: 'transfer_to_exten', status: 404 },
    ],
  })
})

test('a token that nobody here signed, and one of a trial that is over, work on nothing', async () => {
  const { trial, opening } = await start({ caller: '+14155550162' })
  const before = await rows()
  const token = opening.dynamic_variables.call_id ?? ''
  const use = (named: string) =>
    tool('/connect_voiceai_helpdesk/create_ticket', { subject: 'Boiler', call_id: named }, { 'x-connect-call': named })
  const forged = `${token.slice(0, 5)}${token[5] === '1' ? '2' : '1'}${token.slice(6)}`
  for (const named of [forged, `${token}1`, `1${'0'.repeat(60)}`]) {
    expect([(await use(named)).status, (await use(named)).body]).toMatchObject([503, { error: 'This trial is over.' }])
  }
  await ada.ask(TRIAL, 'end', { ids: [trial] })
  expect((await use(token)).status).toBe(503)
  expect(await rows()).toEqual(before)
})

test('a token ends with its trial', () => {
  const cipher = cipherOf('a key of some length')
  const expiresAt = new Date('2026-11-27T05:00:00Z')
  const token = trialToken(cipher, { id: 17, expiresAt })
  expect(token).toMatch(/^\d+$/)
  expect(readTrialToken(cipher, token, new Date('2026-11-27T04:59:59Z'))).toBe(17)
  expect(readTrialToken(cipher, token, expiresAt)).toBeUndefined()
  expect(readTrialToken(cipherOf('another key'), token, new Date(0))).toBeUndefined()
})

test('what is left of a trial that is over is a mark, and its copy is gone', async () => {
  const { trial } = await start({ caller: '+14155550163' })
  expect(await ada.ask(TRIAL, 'end', { ids: [trial] })).toEqual({ ended: 1 })
  await at.settled()
  expect(copies()).toEqual([])
  expect(await at.read(TRIAL, trial, ['caller', 'steps', 'partner', 'tool_calls', 'create_uid'])).toEqual({
    ...{ id: trial, caller: null, steps: null, partner: null, tool_calls: 0 },
    create_uid: [ada.userId, 'Ada Keller'],
  })
  expect(await ada.ask(TRIAL, 'end', { ids: [trial] })).toEqual({ ended: 0 })
})

test('the copy of a trial that could not begin is removed, also when its making was not answered', async () => {
  at.fake.signedUrl = 'wss://elsewhere.example.com/v1/convai/conversation?agent_id=x'
  const elsewhere = await ada.call(AGENT, 'start_trial', { ids: [agent], draft: false, kind: 'text' })
  expect([elsewhere.status, elsewhere.body]).toMatchObject([
    503,
    { message: 'You cannot talk to ElevenLabs right now. The address is not one of ElevenLabs.' },
  ])
  at.fake.signedUrl = undefined
  at.fake.fail({ method: 'POST', path: /agents\/create/, isCut: true, isDone: true, times: 1 })
  expect((await ada.call(AGENT, 'start_trial', { ids: [agent], draft: false, kind: 'text' })).status).toBe(503)
  await at.settled()
  expect(copies()).toEqual([])
})

test('a conversation that was a trial is no call, and a caller cannot make theirs look like one', async () => {
  const { opening } = await start()
  const before = await rows()
  const token = opening.dynamic_variables.call_id ?? ''
  const deliver = (callId: string, id: string) =>
    signed({
      type: 'post_call_transcription',
      data: {
        agent_id: 'agent_of_a_copy',
        conversation_id: id,
        transcript: [{ role: 'user', message: 'My boiler leaks.' }],
        metadata: { call_duration_secs: 5 },
        analysis: { call_successful: 'success', transcript_summary: 'A leak.' },
        conversation_initiation_client_data: { dynamic_variables: { call_id: callId } },
      },
    })
  await deliver(token, 'conv_trial')
  expect(await rows()).toEqual(before)
  await deliver(`${token.slice(0, -1)}${token.at(-1) === '1' ? 2 : 1}`, 'conv_caller')
  expect((await rows())?.calls).toBe((before?.calls ?? 0) + 1)
})

test('only administrators try an agent, five times at once', async () => {
  const eve = await at.app.person(['connect.group_user', 'base.group_user'])
  const asked = { ids: [agent], draft: true, kind: 'text' }
  expect((await eve.call(AGENT, 'start_trial', asked)).status).toBe(403)
  expect((await eve.call(TRIAL, 'search_read', {})).status).toBe(403)
  for (let count = 0; count < 5; count += 1) await start()
  expect((await ada.call(AGENT, 'start_trial', asked)).body).toMatchObject({
    message: 'You have 5 open conversations with agents. End one of them first.',
  })
  const wrong = await ada.call(AGENT, 'start_trial', { ...asked, caller: 'the boiler man' })
  expect(wrong.status).toBe(409)
})

test('a tool is tried by itself: nothing of it is kept unless it is for real', async () => {
  const id = await at.toolId('helpdesk_create_ticket')
  const before = await rows()
  const sent = { subject: 'Leaking boiler', description: 'The boiler leaks.' }
  const [call] = await at.app.admin.ask<number[]>('connect.call', 'search', { limit: 1 })
  const tried = await ada.ask<{ status: number; body: string }>('connect.voiceai_agent_tool', 'try', {
    ids: [id],
    arguments: sent,
  })
  expect(tried).toMatchObject({
    status: 200,
    body: expect.stringContaining('ticket'),
    ms: expect.any(Number),
    is_kept: false,
  })
  expect(await rows()).toEqual(before)
  const refused = await ada.ask('connect.voiceai_agent_tool', 'try', { ids: [id], arguments: { call_id: 'x' } })
  expect(refused).toMatchObject({ status: 400, is_kept: false })
  const forReal = { ids: [id], arguments: sent, call, commit: true }
  expect((await ada.call('connect.voiceai_agent_tool', 'try', forReal)).status).toBe(403)
  expect(await rows()).toEqual(before)
  const both = await at.app.person([...ADMINS, 'helpdesk.group_user'])
  const real = await both.ask('connect.voiceai_agent_tool', 'try', forReal)
  expect(real).toMatchObject({ status: 200, is_kept: true })
  expect((await rows())?.tickets).toBe((before?.tickets ?? 0) + 1)
  const [audit] = await at.app.admin.ask<object[]>('connect.audit', 'search_read', {
    domain: [['what', '=', 'try']],
    limit: 1,
  })
  expect(audit).toMatchObject({ model: 'connect.voiceai_agent_tool', res_id: id })
  const system = await ada.call('connect.voiceai_agent_tool', 'try', {
    ids: [await at.toolId('end_call')],
    arguments: {},
  })
  expect(system.body).toMatchObject({ message: 'Only the tools of Connect can be tried here.' })
})
