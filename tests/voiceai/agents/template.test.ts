// Templates of voice agents: what one that starts from them can do, and the one that an administrator adds.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { seed } from '../../../src/app/seed.ts'
import { sql } from '../../../src/database/drizzle.ts'
import { aVoiceAgent } from '../../fixtures/records.ts'
import { TEST_CIPHER } from '../../support/database.ts'
import { TestApp } from '../../support/test-app.ts'

const TEMPLATE = 'connect.voiceai_agent_template'
const AGENT = 'connect.voiceai_agent'

let app: TestApp

beforeAll(async () => {
  app = await TestApp.start()
})
afterAll(() => app.stop())

async function templateId(name: string): Promise<number> {
  const [id = 0] = await app.admin.ask<number[]>(TEMPLATE, 'search', { domain: [['name', '=', name]] })
  return id
}

async function toolNames(model: string, id: number): Promise<string[]> {
  const [row] = await app.admin.ask<{ tools: number[] }[]>(model, 'read', { ids: [id], fields: ['tools'] })
  const tools = await app.admin.ask<{ name: string }[]>('connect.voiceai_agent_tool', 'read', {
    ids: row?.tools ?? [],
    fields: ['name'],
  })
  return tools.map(({ name }) => name).sort()
}

async function newAgent(values: object): Promise<number> {
  const voice = await app.admin.ask<number>('connect.voiceai_voice', 'create', {
    vals_list: { name: 'Voice', voice_id: `voice_${Math.random()}` },
  })
  return app.admin.ask<number>(AGENT, 'create', { vals_list: { name: 'New', voice, ...values } })
}

describe('an agent that starts from the template Helpdesk Support Agent', () => {
  it('an agent from the template Helpdesk Support Agent has every tool that the prompt speaks of', async () => {
    const template = await templateId('Helpdesk Support Agent')
    const [row] = await app.admin.ask<{ system_prompt: string }[]>(TEMPLATE, 'read', { ids: [template] })
    const named = [...(row?.system_prompt ?? '').matchAll(/helpdesk_\w+/g)].map(([name]) => name)
    const tools = await toolNames(AGENT, await newAgent({ template }))
    expect(new Set(named).size).toBe(5)
    expect(tools).toEqual(expect.arrayContaining([...named, 'create_partner', 'end_call', 'transfer_to_exten']))
  })

  it('an agent from a template has the tools that are written beside the template instead', async () => {
    const template = await templateId('Helpdesk Support Agent')
    expect(await toolNames(AGENT, await newAgent({ template, tools: [[6, 0, []]] }))).toEqual([])
  })

  it('keeps the tools it had when it is given the template later, and those taken away stay away', async () => {
    const template = await templateId('Helpdesk Support Agent')
    const agent = await aVoiceAgent(app, 'agent_had_tools')
    const [skip = 0] = await app.admin.ask<number[]>('connect.voiceai_agent_tool', 'search', {
      domain: [['name', '=', 'skip_turn']],
    })
    await app.admin.ask(AGENT, 'write', { ids: [agent], vals: { tools: [[4, skip]] } })
    await app.admin.ask(AGENT, 'write', { ids: [agent], vals: { template } })
    expect(await toolNames(AGENT, agent)).toEqual(expect.arrayContaining(['helpdesk_create_ticket', 'skip_turn']))
    await app.admin.ask(AGENT, 'write', { ids: [agent], vals: { tools: [[6, 0, [skip]]] } })
    await app.admin.ask(AGENT, 'write', { ids: [agent], vals: { template, name: 'Renamed' } })
    expect(await toolNames(AGENT, agent)).toEqual(['skip_turn'])
  })
})

describe('the template of an earlier version', () => {
  it('the template of an earlier version gets its tools at the next start, once', async () => {
    const template = await templateId('Helpdesk Support Agent')
    const start = (): Promise<void> => seed(app.db, TEST_CIPHER, { apiUrl: undefined })
    await app.db.query(sql`delete from connect_voiceai_agent_template_tools_rel`)
    await app.db.query(sql`delete from connect_seed where name like 'voiceai.template_tools.%'`)
    await start()
    expect(await toolNames(TEMPLATE, template)).toHaveLength(8)
    await app.admin.ask(TEMPLATE, 'write', { ids: [template], vals: { tools: [[5]] } })
    await start()
    expect(await toolNames(TEMPLATE, template)).toEqual([])
  })
})

describe('the appointment assistant', () => {
  const add = (caller = app.admin) => caller.call(TEMPLATE, 'add_appointment_assistant', {})

  it('the appointment assistant is added by one press, names only its own tools, and no colleague by id', async () => {
    expect(await templateId('Appointment Assistant')).toBe(0)
    const id = await app.admin.ask<number>(TEMPLATE, 'add_appointment_assistant', {})
    const [row] = await app.admin.ask<{ system_prompt: string }[]>(TEMPLATE, 'read', { ids: [id] })
    const prompt = row?.system_prompt ?? ''
    const named = [...prompt.matchAll(/\((\w+)\)/g)].map(([, name]) => name)
    expect(named).toEqual(expect.arrayContaining(['calendar_get_available_slots', 'calendar_create_event']))
    expect(await toolNames(TEMPLATE, id)).toEqual(expect.arrayContaining(named))
    expect(prompt).not.toMatch(/user_id|\bid \d/)
  })

  it('the appointment assistant is there once however often it is pressed, as the administrator has changed it', async () => {
    const id = await app.admin.ask<number>(TEMPLATE, 'add_appointment_assistant', {})
    await app.admin.ask(TEMPLATE, 'write', { ids: [id], vals: { system_prompt: 'Ours.' } })
    const presses = await Promise.all([add(), add(), add()])
    expect(presses.map(({ body }) => body)).toEqual([id, id, id])
    const rows = await app.admin.ask<object[]>(TEMPLATE, 'search_read', {
      domain: [['name', '=', 'Appointment Assistant']],
      fields: ['system_prompt'],
    })
    expect(rows).toEqual([{ id, system_prompt: 'Ours.' }])
  })

  it('only administrators add the appointment assistant', async () => {
    expect((await add(await app.person(['connect.group_user']))).status).toBe(403)
  })
})
