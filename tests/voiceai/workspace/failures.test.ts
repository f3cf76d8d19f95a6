import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest'
import { sql } from '../../../src/database/drizzle.ts'
import { DeadRuns } from '../../../src/sync/dead-runs.ts'
import { syncJobs } from '../../../src/sync/jobs.ts'
import { withProgress } from '../../../src/sync/sync-progress.ts'
import { reviveDeadRuns } from '../../../src/sync/sync-run.ts'
import { agentResource } from '../../../src/voiceai/agents/agent-resource.ts'
import { toolResource } from '../../../src/voiceai/tools/tool-resource.ts'
import { VOICEAI_SYNC } from '../../../src/voiceai/workspace/provider.ts'
import { eventually } from '../../support/test-app.ts'
import { SyncApp } from '../sync/sync-app.ts'

let at: SyncApp

beforeAll(async () => {
  at = await SyncApp.start()
  await at.setUp()
})
beforeEach(() => at.fake.calm())
afterAll(() => at.stop())

async function token(): Promise<string | undefined> {
  at.app.app.platform.settings.forget()
  return (await at.app.app.platform.settings.get()).voiceaiAgentToken
}

/** Lets what waits for its repeat be repeated now. */
async function hurry(): Promise<void> {
  await at.app.db.query(
    sql`update jobs.job set start_after = now() where name = 'voiceai-push' and state in ('created', 'retry')`,
  )
  await at.settled()
}

test('a wrong key ends the run at its first step with one sentence, and nothing was changed', async () => {
  const before = await token()
  await at.settings({ voiceai_api_key: 'sk_wrong_key_123' })
  onTestFinished(() => at.settings({ voiceai_api_key: at.fake.apiKey }))
  const run = await at.run()
  expect(run).toMatchObject({
    state: 'failed',
    step: 'voices',
    errors: [{ step: 'voices', message: 'ElevenLabs does not accept the API key: Invalid API key.' }],
  })
  expect(JSON.stringify(run)).not.toContain('sk_wrong_key_123')
  expect(at.fake.requests({ withReads: true })).toEqual(['GET /v1/voices'])
  expect(await token()).toBe(before)
})

test('a comparison with a wrong key says that nothing was compared', async () => {
  await at.settings({ voiceai_api_key: 'sk_wrong_key_123' })
  onTestFinished(() => at.settings({ voiceai_api_key: at.fake.apiKey }))
  const run = await at.run('voiceai_check')
  expect(run).toMatchObject({
    state: 'failed',
    summary: 'Not compared with ElevenLabs. Fix what is in the way and check again.',
    errors: [{ step: 'check', message: 'ElevenLabs does not accept the API key: Invalid API key.' }],
  })
})

test('a key that opens the voices only ends the run before the token is changed', async () => {
  const before = await token()
  at.fake.fail({
    path: /convai\/settings/,
    status: 403,
    body: { detail: { message: 'missing permission convai_read' } },
  })
  const run = await at.run()
  expect(run).toMatchObject({ state: 'failed', step: 'voices' })
  expect(run.errors[0]?.message).toBe(
    'ElevenLabs does not allow this with the API key: missing permission convai_read.',
  )
  expect(await token()).toBe(before)
})

test('a platform that is away ends the run before the token is changed', async () => {
  const before = await token()
  at.fake.fail({ path: /./, isCut: true })
  const run = await at.run()
  expect(run).toMatchObject({ state: 'failed', step: 'voices' })
  expect(run.errors[0]?.message).toMatch(/^ElevenLabs cannot be reached/)
  expect(await token()).toBe(before)
})

test('when one tool fails the others are pushed, the run says which one is behind, and it is tried again', async () => {
  expect((await at.run()).state).toBe('done')
  at.fake.calm()
  const tool = at.fake.toolNamed('helpdesk_fetch_ticket')
  const detail = [{ loc: ['body', 'tool_config', 'name'], msg: 'is bad' }]
  at.fake.fail({ method: 'PATCH', path: new RegExp(`tools/${tool?.id}`), status: 422, body: { detail } })
  const run = await at.run()
  const id = await at.toolId('helpdesk_fetch_ticket')
  const message = 'ElevenLabs refused it (status 422): tool_config.name is bad.'
  expect(run).toMatchObject({
    state: 'failed',
    counts: { tools: { total: 12, updated: 11, failed: 1 } },
    errors: [{ step: 'tools', model: 'connect.voiceai_agent_tool', id, name: 'helpdesk_fetch_ticket', message }],
    summary: expect.stringMatching(/^Not in sync: helpdesk_fetch_ticket\./),
  })
  expect(await at.read('connect.voiceai_agent_tool', id, ['synced', 'sync_error'])).toMatchObject({
    synced: false,
    sync_error: message,
  })
  const current = await token()
  const tokenOf = (name: string): unknown => at.fake.toolNamed(name)?.config.api_schema
  expect(tokenOf('create_partner')).toMatchObject({ request_headers: { 'x-voiceai-agent-token': current } })
  expect(tokenOf('helpdesk_fetch_ticket')).not.toMatchObject({ request_headers: { 'x-voiceai-agent-token': current } })
  at.fake.calm()
  await hurry()
  expect(tokenOf('helpdesk_fetch_ticket')).toMatchObject({ request_headers: { 'x-voiceai-agent-token': current } })
  expect(await at.read('connect.voiceai_agent_tool', id, ['synced', 'sync_error'])).toMatchObject({
    synced: true,
    sync_error: null,
  })
})

test('one tool that the key may not change is no reason to leave the others behind', async () => {
  const tool = at.fake.toolNamed('create_partner')
  at.fake.fail({ method: 'PATCH', path: new RegExp(`tools/${tool?.id}`), status: 403, body: { detail: 'not yours' } })
  const run = await at.run()
  expect(run).toMatchObject({ state: 'failed', counts: { tools: { total: 12, updated: 11, failed: 1 } } })
  expect(run.errors).toMatchObject([{ name: 'create_partner', message: expect.stringMatching(/not yours\.$/) }])
})

test('what the platform has done is done, also when its answer lacks what nobody needs', async () => {
  at.fake.fail({ method: 'PATCH', path: /convai\/(?:tools|agents)/, body: {}, isDone: true })
  at.fake.fail({ method: 'GET', path: /convai\/settings/, status: 404 })
  expect(await at.run()).toMatchObject({ state: 'done', errors: [], counts: { tools: { updated: 12 } } })
})

test('an answer that is none of the platform is a failure', async () => {
  const tool = at.fake.toolNamed('create_partner')
  const headers = { 'content-type': 'text/html; charset=utf-8' }
  at.fake.fail({ method: 'PATCH', path: new RegExp(`tools/${tool?.id}`), body: '<html>Sign in</html>', headers })
  const run = await at.run()
  expect(run.errors).toMatchObject([{ name: 'create_partner', message: expect.stringMatching(/not understood/) }])
})

test('a run that failed half-way can be run again, and then everything is in sync', async () => {
  at.fake.fail({ path: /convai\/tools/, status: 500 })
  at.fake.fail({ method: 'PATCH', path: /convai\/settings/, status: 503 })
  const run = await at.run()
  expect(run.state).toBe('failed')
  expect(run.errors.map(({ step, name }) => name ?? step)).toEqual(
    expect.arrayContaining(['initiation webhook', 'post-call webhook', 'create_partner', 'helpdesk_ticket_activity']),
  )
  expect(run.counts.tools).toMatchObject({ total: 12, failed: 12 })
  const [behind] = await at.app.db.query<{ count: number }>(
    sql`select count(*)::int as count from connect_voiceai_agent_tool where tool_type <> 'system' and not synced`,
  )
  expect(behind?.count).toBe(12)
  // After three tools without an answer the rest are not asked for: 3 tools with 3 attempts each.
  expect(at.fake.requests().filter((each) => each.includes('/tools'))).toHaveLength(9)
  at.fake.calm()
  expect(await at.run()).toMatchObject({ state: 'done', errors: [] })
  expect(at.fake.tools.size).toBe(12)
})

test('a tool that the platform does not know any more is created again, and its agents learn the new id', async () => {
  const tool = await at.toolId('create_partner')
  const agent = await at.makeAgent({ tools: [tool] })
  await at.settled()
  const { id: lost = '' } = at.fake.toolNamed('create_partner') ?? {}
  at.fake.tools.delete(lost)
  expect(await at.run('voiceai_sync_tools')).toMatchObject({
    state: 'done',
    counts: { tools: { total: 12, updated: 11, created: 1 } },
  })
  await at.settled()
  const { id: made } = at.fake.toolNamed('create_partner') ?? {}
  expect(made).not.toBe(lost)
  const { agent_uid: uid } = await at.read('connect.voiceai_agent', agent, ['agent_uid'])
  expect(at.fake.agents.get(String(uid))).toMatchObject({
    conversation_config: { agent: { prompt: { tool_ids: [made] } } },
  })
})

test('an agent that the platform does not know any more is created again, with a number of its new id', async () => {
  const [before] = await at.app.admin.ask<{ id: number; agent_uid: string }[]>('connect.voiceai_agent', 'search_read', {
    fields: ['agent_uid'],
  })
  at.fake.agents.delete(before?.agent_uid ?? '')
  expect(await at.run()).toMatchObject({ state: 'done', counts: { agents: { total: 1, created: 1 } } })
  const after = await at.read('connect.voiceai_agent', before?.id ?? 0, ['agent_uid', 'voiceai_virtual_number_uid'])
  expect(after.agent_uid).not.toBe(before?.agent_uid)
  expect([...at.fake.numbers]).toMatchObject([[after.voiceai_virtual_number_uid, { phone_number: after.agent_uid }]])
})

test('a number that is gone is made again; one that is there already is taken over', async () => {
  const [agent] = await at.app.admin.ask<{ id: number; agent_uid: string; voiceai_virtual_number_uid: string }[]>(
    'connect.voiceai_agent',
    'search_read',
    { fields: ['agent_uid', 'voiceai_virtual_number_uid'] },
  )
  at.fake.numbers.clear()
  expect((await at.run()).state).toBe('done')
  expect([...at.fake.numbers.values()]).toMatchObject([{ phone_number: agent?.agent_uid, agent_id: agent?.agent_uid }])
  await at.app.db.query(sql`update connect_voiceai_agent set voiceai_virtual_number_uid = null`)
  expect((await at.run()).state).toBe('done')
  expect(at.fake.numbers.size).toBe(1)
  const again = await at.read('connect.voiceai_agent', agent?.id ?? 0, ['voiceai_virtual_number_uid'])
  expect(again.voiceai_virtual_number_uid).toBe([...at.fake.numbers.keys()][0])
})

test('creating is never repeated blindly: what an unclear attempt made is found and taken', async () => {
  await at.app.admin.ask('connect.settings', 'voiceai_unbind')
  for (const held of [at.fake.tools, at.fake.agents, at.fake.numbers]) held.clear()
  at.fake.fail({ method: 'POST', path: /convai\/tools/, isCut: true, isDone: true, times: 1 })
  at.fake.fail({ method: 'POST', path: /agents\/create/, status: 502, isDone: true, times: 1 })
  at.fake.fail({ method: 'POST', path: /phone-numbers/, status: 504, isDone: true, times: 1 })
  expect(await at.run()).toMatchObject({ state: 'done', errors: [] })
  expect([at.fake.tools.size, at.fake.agents.size, at.fake.numbers.size]).toEqual([12, 1, 1])
})

test('a tool of ours that the platform has already is taken over, where names may be used once', async () => {
  await at.app.admin.ask('connect.settings', 'voiceai_unbind')
  const before = [...at.fake.tools.keys()]
  at.fake.fail({ method: 'POST', path: /convai\/tools/, status: 409, body: { detail: 'The name is taken' } })
  expect(await at.run('voiceai_sync_tools')).toMatchObject({ state: 'done', errors: [] })
  await at.settled()
  expect([...at.fake.tools.keys()]).toEqual(before)
  const { id } = at.fake.toolNamed('create_partner') ?? {}
  const tool = await at.toolId('create_partner')
  expect(await at.read('connect.voiceai_agent_tool', tool, ['tool_id'])).toMatchObject({ tool_id: id })
})

test('a run that was cut off is in nobody’s way for long, and is taken up again by the queue', async () => {
  const rows = await at.app.db.query<{ id: number }>(
    sql`insert into connect_sync_run (area, kind, state, step, alive_at)
        values ('voiceai', 'sync', 'running', 'tools', (now() at time zone 'utc') - interval '7 seconds') returning id`,
  )
  expect((await at.run()).state).toBe('done')
  expect(await at.readRun(rows[0]?.id ?? 0)).toMatchObject({
    state: 'failed',
    summary: expect.stringMatching(/cut off/),
  })
})

test('a run whose process was killed is taken up within ten seconds, once, and at most three times', async () => {
  const leave = async (attempts: number): Promise<number> => {
    const [row] = await at.app.db.query<{ id: number }>(
      sql`insert into connect_sync_run (area, kind, state, step, alive_at, attempts)
          values ('voiceai', 'sync', 'running', 'tools', (now() at time zone 'utc') - interval '7 seconds', ${attempts}::bigint)
          returning id`,
    )
    return row?.id ?? 0
  }
  const deadRuns = new DeadRuns(at.app.db, at.app.app.platform)
  deadRuns.start()
  onTestFinished(() => deadRuns.stop())
  const id = await leave(1)
  const taken = await eventually(async () => {
    const run = await at.readRun(id)
    return run.state === 'done' && run
  })
  expect(taken).toMatchObject({ counts: { tools: { updated: 12 } } })
  const hopeless = await leave(3)
  const given = await eventually(async () => {
    const run = await at.readRun(hopeless)
    return run.state === 'failed' && run
  })
  expect(given.summary).toMatch(/cut off/)
})

test('a run of a process that had the embedded database before this one is taken up without waiting for silence', async ({
  skip,
}) => {
  skip(at.app.db.kind !== 'embedded', 'other processes may be at work on a server')
  const [row] = await at.app.db.query<{ id: number }>(
    sql`insert into connect_sync_run (area, kind, state, step, alive_at, attempts)
        values ('voiceai', 'sync', 'running', 'tools', (now() at time zone 'utc') - interval '1 second'
          - make_interval(secs => ${process.uptime()}::float8), 1)
        returning id`,
  )
  const [young] = await at.app.db.query<{ id: number }>(
    sql`insert into connect_sync_run (area, kind, state, step, alive_at, attempts)
        values ('telco', 'check', 'running', 'tools', now() at time zone 'utc', 1) returning id`,
  )
  const found = await at.app.db.transaction((tx) => reviveDeadRuns(tx, { isAlone: true }))
  expect(found.map(({ id }) => id)).toEqual([row?.id])
  await at.app.db.query(sql`delete from connect_sync_run where id in (${row?.id}::bigint, ${young?.id}::bigint)`)
})

test('a run that a living process works on is left to it, also while the provider lets it wait', async () => {
  const release = Promise.withResolvers<void>()
  const [row] = await at.app.db.query<{ id: number }>(
    sql`insert into connect_sync_run (area, kind, state) values ('voiceai', 'sync', 'queued') returning id`,
  )
  const id = row?.id ?? 0
  const work = withProgress(at.app.db, id, () => release.promise)
  const aliveAt = async () =>
    (
      await at.app.db.query<{ alive_at: string }>(sql`select alive_at from connect_sync_run where id = ${id}::bigint`)
    )[0]?.alive_at
  const first = await eventually(async () => (await at.readRun(id)).state === 'running' && aliveAt())
  await eventually(async () => (await aliveAt()) !== first)
  let isTwice = false
  await withProgress(at.app.db, id, async () => {
    isTwice = true
  })
  expect(isTwice).toBe(false)
  release.resolve()
  await work
  await at.app.db.query(sql`delete from connect_sync_run where id = ${id}::bigint`)
})

test('what a killed SYNC had made at the platform is found and taken, not made twice', async () => {
  await at.app.admin.ask('connect.settings', 'voiceai_unbind')
  for (const held of [at.fake.tools, at.fake.agents, at.fake.numbers]) held.clear()
  expect(await at.run()).toMatchObject({ state: 'done', errors: [] })
  await at.settled()
  const before = [[...at.fake.tools.keys()], [...at.fake.agents.keys()]]
  // `kill -9` between the platform's answer and our commit: asked for, and not known to be there.
  await at.app.db.query(
    sql`update connect_voiceai_agent_tool set tool_id = null, synced = false, create_asked_at = now() at time zone 'utc'
        where tool_id is not null`,
  )
  await at.app.db.query(
    sql`update connect_voiceai_agent set agent_uid = null, synced = false, create_asked_at = now() at time zone 'utc'`,
  )
  expect(await at.run()).toMatchObject({ state: 'done', errors: [] })
  await at.settled()
  expect([[...at.fake.tools.keys()], [...at.fake.agents.keys()]]).toEqual(before)
})

test('what a killed SYNC had made is found under its old name and address by a record that was changed since', async () => {
  const tool = await at.toolId('create_partner')
  const [agent = 0] = await at.app.admin.ask<number[]>('connect.voiceai_agent', 'search')
  await at.app.admin.ask('connect.settings', 'voiceai_unbind')
  for (const held of [at.fake.tools, at.fake.agents, at.fake.numbers]) held.clear()
  // Made there, with no word of it here: as when the process is killed before the answer comes.
  const isLost = { status: 502, isDone: true, times: 1 }
  const empty = { body: { tools: [], agents: [], has_more: false }, times: 1 }
  at.fake.fail({ method: 'POST', path: /convai\/tools/, ...isLost })
  at.fake.fail({ method: 'POST', path: /agents\/create/, ...isLost })
  at.fake.fail({ method: 'GET', path: /convai\/tools/, ...empty })
  at.fake.fail({ method: 'GET', path: /convai\/agents/, ...empty })
  await at.app.db.query(sql`delete from jobs.job where name = 'voiceai-push'`)
  await toolResource.push(at.parts, tool).catch(() => undefined)
  await agentResource.push(at.parts, agent).catch(() => undefined)
  expect([at.fake.tools.size, at.fake.agents.size]).toEqual([1, 1])
  at.fake.calm()
  await at.app.db.query(sql`update connect_voiceai_agent_tool set name = 'make_partner' where id = ${tool}::bigint`)
  await at.app.db.query(sql`update connect_voiceai_agent set name = 'Renamed' where id = ${agent}::bigint`)
  await at.settings({ api_url: 'https://moved.example.com' })
  expect(await at.run()).toMatchObject({ state: 'done', errors: [] })
  await at.settled()
  expect([at.fake.tools.size, at.fake.agents.size]).toEqual([12, 1])
  expect(at.fake.toolNamed('make_partner')?.config).toMatchObject({
    api_schema: { url: expect.stringContaining('https://moved.example.com/') },
  })
  expect([...at.fake.agents.values()]).toMatchObject([{ name: 'Renamed' }])
  await at.app.db.query(sql`update connect_voiceai_agent_tool set name = 'create_partner' where id = ${tool}::bigint`)
  await at.settings({ api_url: 'https://pbx.example.com' })
  await at.run()
})

test('a run whose process went away is worked through again from its beginning', async () => {
  const rows = await at.app.db.query<{ id: number }>(
    sql`insert into connect_sync_run (area, kind, state, step, errors, alive_at)
        values ('voiceai', 'sync', 'queued', 'tools', '[{"message": "old"}]', now() at time zone 'utc') returning id`,
  )
  const id = rows[0]?.id ?? 0
  const job = syncJobs(VOICEAI_SYNC, at.parts).find((kind) => kind.name === 'voiceai-sync')
  await job?.work({ run_id: id, kind: 'sync' }, { isLast: false })
  expect(await at.readRun(id)).toMatchObject({ state: 'done', errors: [], counts: { tools: { updated: 12 } } })
  at.fake.calm()
  await job?.work({ run_id: id, kind: 'sync' }, { isLast: false })
  expect(at.fake.asked).toEqual([])
})

test('a first SYNC makes all tools before the agents that need them, and each agent once', async () => {
  await at.app.admin.ask('connect.settings', 'voiceai_unbind')
  for (const held of [at.fake.tools, at.fake.agents, at.fake.numbers]) held.clear()
  const [one = 0] = await at.app.admin.ask<number[]>('connect.voiceai_agent', 'search')
  await at.settings({ voiceai_enabled: false })
  const two = await at.makeAgent({ name: 'Sales', tools: [await at.toolId('transfer_to_agent')] })
  await at.app.admin.ask('connect.voiceai_agent_transfer', 'create', {
    vals_list: { agent: two, transfer_to_agent: one, condition: 'Help is needed.' },
  })
  await at.settings({ voiceai_enabled: true })
  at.fake.calm()
  expect(await at.run()).toMatchObject({ state: 'done', errors: [] })
  await at.settled()
  const asked = at.fake.requests().filter((each) => /tools|agents/.test(each))
  expect(asked.map((each) => each.replace(/_\d+$/, ''))).toEqual([
    ...Array.from({ length: 12 }, () => 'POST /v1/convai/tools'),
    'POST /v1/convai/agents/create',
    'POST /v1/convai/agents/create',
    'PATCH /v1/convai/agents/agent',
    'PATCH /v1/convai/agents/agent',
  ])
  const { agent_uid: target } = await at.read('connect.voiceai_agent', one, ['agent_uid'])
  expect(JSON.stringify([...at.fake.agents.values()])).toContain(`"transfers":[{"agent_id":"${target}"`)
})

test('a busy platform is asked again when it says so, also to create', async () => {
  await at.app.admin.ask('connect.settings', 'voiceai_unbind')
  at.fake.tools.clear()
  at.fake.fail({ method: 'POST', path: /convai\/tools/, status: 429, headers: { 'retry-after': '1' }, times: 2 })
  expect(await at.run('voiceai_sync_tools')).toMatchObject({ state: 'done', counts: { tools: { created: 12 } } })
})
