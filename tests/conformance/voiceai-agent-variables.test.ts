import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { DYNAMIC_VARIABLES } from '../../src/voiceai/conversations/dynamic-variables.ts'
import { withoutTable } from '../fixtures/database-trouble.ts'
import { aVoiceAgent } from '../fixtures/records.ts'
import { INITIATION } from '../fixtures/routes.ts'
import { TestApp } from '../support/test-app.ts'

let app: TestApp

beforeAll(async () => {
  app = await TestApp.start()
})
afterAll(() => app.stop())

describe('3 the variables of an agent', () => {
  const named = ['tier', 'salutation', 'gruss', 'vehicle', 'zone', 'floor', 'sip_connect_call_ref']

  async function anAgentThatNames(uid: string): Promise<number> {
    const create = (model: string, values: object) => app.admin.ask<number>(model, 'create', { vals_list: values })
    const [agent, other] = [await aVoiceAgent(app, uid), await aVoiceAgent(app, `${uid}_other`)]
    const tool = await create('connect.voiceai_agent_tool', {
      name: `look_up_${uid}`,
      description: 'Looks a vehicle up in {{ zone }}.',
      url: 'https://example.com/vehicles',
    })
    const parameter = { name: 'car', value_type: 'dynamic_variable', dynamic_variable: 'vehicle' }
    await create('connect.agent_tool_params', { tool, ...parameter })
    await create('connect.voiceai_agent_transfer', {
      agent,
      transfer_to_agent: other,
      condition: 'Asked for {{floor}}',
    })
    const write = (id: number, vals: object) => app.admin.ask('connect.voiceai_agent', 'write', { ids: [id], vals })
    await write(other, { prompt: 'Speak of {{sip_connect_call_ref}}.' })
    await write(agent, {
      prompt: 'For {{tier}}, {{partner_name}} and {{system__time}}.',
      first_message: 'Hello {{salutation}}',
      first_message_translations: { de: 'Guten Tag {{gruss}}' },
      tools: [tool],
    })
    return agent
  }

  async function variablesFor(uid: string): Promise<Record<string, string>> {
    const { body } = await app.tool(INITIATION, { agent_id: uid })
    return (body as { dynamic_variables: Record<string, string> }).dynamic_variables
  }

  it('the variables of an agent are all given, empty when nobody knows them, also those of agents that it may hand over to', async () => {
    await anAgentThatNames('agent_naming')
    const variables = await variablesFor('agent_naming')
    expect(Object.keys(variables).toSorted()).toEqual([...DYNAMIC_VARIABLES, ...named].toSorted())
    expect(named.map((name) => variables[name])).toEqual(named.map(() => ''))
    expect(variables.partner_name).toBe('Not registered')
  })

  it('the variables of an agent are given by the empty envelope too', async () => {
    await anAgentThatNames('agent_in_trouble')
    await variablesFor('agent_in_trouble')
    await withoutTable(app, 'connect_telco_exten', async () => {
      const variables = await variablesFor('agent_in_trouble')
      expect(variables).toEqual(Object.fromEntries([...DYNAMIC_VARIABLES, ...named].map((name) => [name, ''])))
    })
  })

  it('follow every change', async () => {
    const agent = await anAgentThatNames('agent_changing')
    await variablesFor('agent_changing')
    const write = (vals: object) => app.admin.ask('connect.voiceai_agent', 'write', { ids: [agent], vals })
    await write({ prompt: 'For {{rank}}.' })
    expect(Object.keys(await variablesFor('agent_changing'))).toEqual(expect.arrayContaining(['rank', 'vehicle']))
    expect(await variablesFor('agent_changing')).not.toHaveProperty('tier')
    await write({ tools: [] })
    expect(await variablesFor('agent_changing')).not.toHaveProperty('vehicle')
    const [transfer] = await app.admin.ask<number[]>('connect.voiceai_agent_transfer', 'search', {
      domain: [['agent', '=', agent]],
    })
    await app.admin.ask('connect.voiceai_agent_transfer', 'unlink', { ids: [transfer] })
    expect(await variablesFor('agent_changing')).not.toHaveProperty('floor')
    await write({ agent_uid: 'agent_renamed' })
    expect(await variablesFor('agent_renamed')).toHaveProperty('rank', '')
    expect(await variablesFor('agent_changing')).not.toHaveProperty('rank')
  })
})
