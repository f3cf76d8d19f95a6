import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { phoneDirectory } from '../../../../src/telco/routing/phone-directory.ts'
import { sentence } from '../../../../src/telco/sentences/sentence.ts'
import { BASE, CUSTOMER, clientDial, EDGE, Exchange, MAIN_NUMBER, response, say, sipDial, valid } from '../exchange.ts'

let exchange: Exchange
let user = 0
let exten = 0

beforeAll(async () => {
  exchange = await Exchange.start()
  user = await exchange.user('alice', { sip_enabled: true })
  exten = await exchange.extension('101', `connect.user,${user}`)
})

afterAll(() => exchange.stop())

const call = { callSid: 'CA-live', caller: CUSTOMER, called: MAIN_NUMBER }
const render = (id: number) => exchange.open((env) => phoneDirectory.renderExtension(env, id, call))

describe('an extension for a call that is going on', () => {
  test('an extension for a call that is going on is rendered as for the leg itself, whose call remembers the steps', async () => {
    const callId = await exchange.call({ sid: 'CA-live' })
    expect(valid(await render(exten))).toBe(response(clientDial('alice', { userId: user })))
    expect(await exchange.tried(callId)).toEqual(['client'])
    expect(await exchange.userAction(user, { callId, form: { DialCallStatus: 'no-answer' } })).toBe(
      response(sipDial('alice', { userId: user })),
    )
  })

  test('the extension of a voice agent for a call that is going on is called over SIP', async () => {
    const agent = await exchange.extension(
      '102',
      `connect.voiceai_agent,${await exchange.agent({ agent_uid: 'agent_1' })}`,
    )
    expect(await render(agent)).toContain(`>sip:agent_1@sip.rtc.elevenlabs.io:5060;transport=tcp?X-Connect`)
  })

  test('an extension for a call that is going on that leads nowhere is refused in a sentence the agent can speak', async () => {
    const empty = await exchange.create('connect.telco.exten', { number: '103' })
    const refusal = { kind: 'unavailable', message: 'This extension cannot take calls at the moment.' }
    await expect(render(empty)).rejects.toMatchObject(refusal)
    await expect(render(0)).rejects.toMatchObject(refusal)
    await exchange.settings({ api_url: '' })
    await expect(render(exten)).rejects.toMatchObject(refusal)
    await exchange.settings({ api_url: BASE })
  })

  test('an extension for a call that is going on whose markup is too long to be handed over is fetched instead', async () => {
    const users: number[] = []
    for (let at = 0; at < 10; at += 1) users.push(await exchange.user(`ring${at}`))
    const flow = await exchange.flow({ ring_users: users, prompt_message: 'x'.repeat(2_000) })
    const group = await exchange.extension('2\\d+', `connect.telco.callflow,${flow}`)
    const url = `${BASE}/telco/webhook/domain?forward_to=2%5Cd%2B${EDGE}`
    expect(valid(await render(group))).toBe(response(`<Redirect method="POST">${url}</Redirect>`))
    const fetched = await exchange.toDomain('', { query: 'forward_to=2%5Cd%2B', form: { From: CUSTOMER } })
    expect(fetched.match(/<Client /g)).toHaveLength(10)
  })
})

describe('the preview of an extension', () => {
  const preview = async (id: number, caller = exchange.app.admin) => {
    const [row] = await caller.ask<{ markup_preview: string }[]>('connect.telco.exten', 'read', {
      ids: [id],
      fields: ['markup_preview'],
    })
    return row?.markup_preview
  }

  test('shows what a call gets, and changes nothing', async () => {
    const before = await exchange.app.count('connect_telco_user_callflow_call')
    const step = await exchange.stepId(user, 'client')
    expect(valid((await preview(exten)) ?? '')).toBe(
      response(clientDial('alice', { userId: user, callerId: 'anonymous', query: `?done_callflows=${step}` })),
    )
    expect(await exchange.app.count('connect_telco_user_callflow_call')).toBe(before)
    const empty = await exchange.create('connect.telco.exten', { number: '190' })
    expect(await preview(empty)).toBe(response(say(sentence('extensionNotConfigured'))))
  })

  test("the preview of an agent's extension says what a live call does: it is registered, or called over SIP, or something stands in", async () => {
    const agent = await exchange.agent({ agent_uid: 'agent_seen', fallback_message: 'Later.' })
    const ofAgent = await exchange.extension('191', `connect.voiceai_agent,${agent}`)
    const bySip = (await preview(ofAgent)) ?? ''
    expect(valid(bySip)).toContain('<Sip ')
    await exchange.settings({ voiceai_api_key: 'a key' })
    expect(await preview(ofAgent)).toBe(
      `<!-- The call is registered at the voice-agent platform, whose own markup answers it. Only if that fails: -->\n${bySip}`,
    )
    await exchange.write('connect.voiceai_agent', agent, { connect_method: 'sip' })
    expect(await preview(ofAgent)).toBe(bySip)
    await exchange.write('connect.voiceai_agent', agent, { agent_uid: null })
    expect(await preview(ofAgent)).toContain('>Later.</Say><Hangup/>')
  })

  test('the preview of an extension is for administrators', async () => {
    const person = await exchange.app.person(['connect.group_user'])
    const answer = await person.call('connect.telco.exten', 'read', { ids: [exten], fields: ['markup_preview'] })
    expect(answer.status).toBe(403)
  })
})
