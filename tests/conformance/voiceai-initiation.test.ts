import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sql } from '../../src/database/drizzle.ts'
import { DYNAMIC_VARIABLES } from '../../src/voiceai/conversations/dynamic-variables.ts'
import { whileStuck, withoutTable } from '../fixtures/database-trouble.ts'
import { lastReasons } from '../fixtures/delivery-reasons.ts'
import {
  aCall,
  aLeg,
  aNumber,
  aPartner,
  aPhoneUser,
  aSid,
  aVoiceAgent,
  contactOf,
  markPushed,
} from '../fixtures/records.ts'
import { INITIATION } from '../fixtures/routes.ts'
import { countRows } from '../fixtures/row-counts.ts'
import { NAMES_OF_NOBODY, WITHHELD } from '../fixtures/withheld.ts'
import { type Answer, TestApp } from '../support/test-app.ts'

const TOO_LATE = 'DeadlineError: no answer within 2000 ms'

let app: TestApp

beforeAll(async () => {
  app = await TestApp.start()
})
afterAll(() => app.stop())

type Variables = Record<(typeof DYNAMIC_VARIABLES)[number], string>

interface Envelope {
  type: string
  dynamic_variables: Variables
  conversation_config_override?: { agent: { language: string } }
}

function expectEnvelope(answer: Answer): Envelope {
  expect(answer.status).toBe(200)
  expect(answer.headers.get('content-type')).toMatch(/^application\/json/)
  const envelope = answer.body as Envelope
  expect(envelope.type).toBe('conversation_initiation_client_data')
  // All of them, always, and texts: the platform ends a call whose prompt names one that is missing, null or nested.
  expect(Object.keys(envelope.dynamic_variables).toSorted()).toEqual(DYNAMIC_VARIABLES.toSorted())
  for (const value of Object.values(envelope.dynamic_variables)) expect(typeof value).toBe('string')
  return envelope
}

async function initiate(body: unknown): Promise<Variables> {
  return expectEnvelope(await app.tool(INITIATION, body)).dynamic_variables
}

/** An agent that speaks English, and these languages beside it. */
async function aMultilingualAgent(uid: string, codes: readonly string[]): Promise<number> {
  const agent = await aVoiceAgent(app, uid)
  const domain = [['code', 'in', [...codes]]]
  const languages = await app.admin.ask<number[]>('res.lang', 'search', { domain })
  expect(languages).toHaveLength(codes.length)
  const vals = { additional_languages: languages }
  await app.admin.ask('connect.voiceai_agent', 'write', { ids: [agent], vals })
  return agent
}

let made: Promise<void> | undefined
function polyglot(): Promise<void> {
  const codes = ['de_DE', 'pt_BR', 'pt_PT', 'fr_FR', 'nb_NO', 'ar_001', 'es_ES']
  made ??= aMultilingualAgent('agent_polyglot', codes).then((agent) => markPushed(app, agent))
  return made
}

async function languageOf(callerId: string, agentUid = 'agent_polyglot'): Promise<string | undefined> {
  const envelope = expectEnvelope(await app.tool(INITIATION, { caller_id: callerId, agent_id: agentUid }))
  if (envelope.conversation_config_override !== undefined) {
    expect(Object.keys(envelope).toSorted()).toEqual(['conversation_config_override', 'dynamic_variables', 'type'])
  }
  return envelope.conversation_config_override?.agent.language
}

describe('conversation_initiation returns a JSON envelope holding dynamic variables', () => {
  it('conversation_initiation returns the dynamic variables of a known caller of a known call', async () => {
    const number = aNumber()
    const partner = await aPartner(app, { name: 'Zoe Müller', phone: number, tz: 'Europe/Zurich' })
    const sid = aSid()
    const call = await aCall(app, { sid, caller: number, called: '+41310000000', partner })
    expect(
      await initiate({ caller_id: number, called_number: '+41310000000', agent_id: 'agent_x', call_sid: sid }),
    ).toEqual({
      call_id: String(call),
      channel_sid: sid,
      caller_number: number,
      called_number: '+41310000000',
      partner_id: String(partner),
      partner_name: 'Zoe Müller',
      existing_partner: 'Yes',
      partner_phone: number,
      partner_tz: 'Europe/Zurich',
      greeting: 'Zoe Müller',
      previous_conversation_id: '',
      previous_topics: '',
      users_directory: '',
      available_extensions: '',
    })
  })

  it('conversation_initiation returns the dynamic variables of nobody known', async () => {
    expect(
      await initiate({
        caller_id: '+41790000000',
        called_number: '+41310000000',
        agent_id: 'a',
        call_sid: 'CA_unknown',
      }),
    ).toEqual({
      call_id: '',
      channel_sid: 'CA_unknown',
      caller_number: '+41790000000',
      called_number: '+41310000000',
      partner_id: '',
      partner_name: 'Not registered',
      existing_partner: 'No',
      partner_phone: '',
      partner_tz: '',
      greeting: 'Dear customer',
      previous_conversation_id: '',
      previous_topics: '',
      users_directory: '',
      available_extensions: '',
    })
  })

  it.each(['', ' ', '{}', '[]', 'null', '7', 'not json', '{"caller_id":', '\u{fffd}'])(
    'a body of %o counts as {}',
    async (body) => {
      expect(await initiate(body)).toMatchObject({
        call_id: '',
        caller_number: '',
        partner_name: 'Not registered',
        greeting: 'Dear customer',
      })
    },
  )

  it('values of any wrong kind are ignored one by one', async () => {
    const number = aNumber()
    const partner = await aPartner(app, { phone: number })
    for (const wrong of [null, [], {}, true, '', ['x'], { a: 1 }, 'x'.repeat(300)]) {
      const rest = {
        called_number: wrong,
        agent_id: wrong,
        call_sid: wrong,
        conversation_id: wrong,
        sip_headers: wrong,
      }
      expect(await initiate({ caller_id: number, ...rest })).toMatchObject({ partner_id: String(partner) })
      await initiate({ caller_id: wrong, ...rest })
    }
    expect(await initiate({ caller_id: Number(number.slice(1)) })).toMatchObject({ partner_id: String(partner) })
  })

  it('conversation_initiation never creates a record', async () => {
    const before = await countRows(app)
    const call = await aCall(app)
    await app.admin.ask('connect.call', 'unlink', { ids: [call] })
    await initiate({
      caller_id: aNumber(),
      called_number: aNumber(),
      agent_id: 'new',
      call_sid: aSid(),
      conversation_id: 'new',
    })
    expect(await countRows(app)).toEqual(before)
  })

  it('asked twice for one call answers the same', async () => {
    const sid = aSid()
    await aCall(app, { sid })
    const body = { call_sid: sid, caller_id: aNumber(), agent_id: 'a' }
    expect(await initiate(body)).toEqual(await initiate(body))
  })
})

describe('3 the call', () => {
  it('the call is that of X-Connect-Call-Ref, whatever its case, before that of call_sid', async () => {
    const sid = aSid()
    const [named, other] = [await aCall(app, { caller: '+41441111111' }), await aCall(app, { sid })]
    for (const name of ['X-Connect-Call-Ref', 'x-connect-call-ref', 'X-CONNECT-CALL-REF']) {
      for (const value of [named, String(named), ` ${named} `]) {
        expect(await initiate({ call_sid: sid, sip_headers: { [name]: value } })).toMatchObject({
          call_id: String(named),
        })
      }
    }
    for (const headers of [
      [{ name: 'X-Connect-Call-Ref', value: String(named) }],
      [
        { name: 'X-CALL-ID', value: sid },
        { name: 'x-connect-call-ref', value: named },
      ],
      [{ key: 'X-Connect-Call-Ref', value: named }],
      [['X-Connect-Call-Ref', String(named)]],
      [{ 'X-Connect-Call-Ref': String(named) }],
      { x_connect_call_ref: String(named) },
      { connect_call_ref: String(named) },
      { sip_connect_call_ref: String(named), sip_call_id: sid },
      { 'sip.h.x-connect-call-ref': String(named) },
      { 'X-Connect-Call-Ref': [String(named)] },
    ]) {
      expect(await initiate({ call_sid: 'SCL_abc', sip_headers: headers })).toMatchObject({ call_id: String(named) })
    }
    for (const value of ['', null, 'None', 'abc', -1, 2_000_000_000, {}, []]) {
      expect(await initiate({ call_sid: sid, sip_headers: { 'X-Connect-Call-Ref': value } })).toMatchObject({
        call_id: String(other),
      })
    }
  })

  it("the call is found by the leg that our dial named, when the platform's id of it is its own", async () => {
    const sid = aSid()
    const call = await aCall(app, { sid })
    for (const headers of [
      { 'X-CALL-ID': sid },
      [{ name: 'x-call-id', value: sid }],
      { sip_call_id: sid },
      { 'Call-ID': 'd8e7f6a5@203.0.113.7', 'X-CALL-ID': sid },
    ]) {
      expect(await initiate({ call_sid: 'SCL_abc', sip_headers: headers })).toMatchObject({
        call_id: String(call),
        channel_sid: sid,
      })
    }
    expect(await initiate({ call_sid: sid })).toMatchObject({ call_id: String(call) })
    expect(await initiate({ call_sid: 'SCL_abc' })).toMatchObject({ call_id: '', channel_sid: '' })
    expect(await initiate({ call_sid: 'SCL_abc', sip_headers: { 'X-CALL-ID': 'CA_unknown' } })).toMatchObject({
      call_id: '',
      channel_sid: 'CA_unknown',
    })
  })

  it("the call is also found by another of its legs; channel_sid is the caller's", async () => {
    const [first, second] = [aSid(), aSid()]
    const call = await aCall(app, { sid: first })
    await aLeg(app, { sid: second, call, parent_sid: first, technical_direction: 'outbound-dial' })
    expect(await initiate({ call_sid: second })).toMatchObject({ call_id: String(call), channel_sid: first })
  })

  it('the caller and the called number of the call replace those of the request', async () => {
    const [caller, sid] = [aNumber(), aSid()]
    const partner = await aPartner(app, { phone: caller })
    await aCall(app, { sid, caller, called: '+41310000002' })
    for (const calledNumber of ['agent_7', '+41310000003', undefined]) {
      const request = { call_sid: sid, caller_id: '+41310000002', called_number: calledNumber, agent_id: 'agent_7' }
      expect(await initiate(request)).toMatchObject({
        caller_number: caller,
        called_number: '+41310000002',
        partner_id: String(partner),
      })
    }
    expect(await initiate({ called_number: '+41310000003', agent_id: 'agent_7' })).toMatchObject({
      called_number: '+41310000003',
    })
    expect(await initiate({ called_number: 'agent_7', agent_id: 'agent_7' })).toMatchObject({ called_number: '' })
  })

  it('the call gets the agent, when it has none and the agent is known', async () => {
    const [agent, other] = [await aVoiceAgent(app, 'agent_first'), await aVoiceAgent(app, 'agent_second')]
    const sid = aSid()
    const call = await aCall(app, { sid })
    const agentOf = async () => {
      const [row] = await app.admin.ask<{ voiceai_agent: [number, string] | null }[]>('connect.call', 'read', {
        ids: [call],
      })
      return row?.voiceai_agent?.[0]
    }
    await initiate({ call_sid: sid, agent_id: 'agent_unknown' })
    expect(await agentOf()).toBeUndefined()
    await initiate({ call_sid: sid, agent_id: 'agent_first' })
    expect(await agentOf()).toBe(agent)
    await initiate({ call_sid: sid, agent_id: 'agent_second' })
    expect(await agentOf()).toBe(agent)
    expect(agent).not.toBe(other)
  })
})

describe('3 the contact', () => {
  it("the contact is the call's own before that of the number", async () => {
    const [number, sid] = [aNumber(), aSid()]
    await aPartner(app, { phone: number, name: 'By number' })
    const own = await aPartner(app, { name: 'Own' })
    await aCall(app, { sid, caller: number, partner: own })
    expect(await initiate({ call_sid: sid })).toMatchObject({ partner_name: 'Own', existing_partner: 'Yes' })
  })

  it.each(['outgoing', 'internal'])('of an %s call without one is that of the login that calls', async (direction) => {
    const person = await app.person(['base.group_user'], { name: `Anna ${direction}` })
    const sid = aSid()
    await aCall(app, { sid, caller: '101', direction, caller_user: person.userId })
    expect(await initiate({ call_sid: sid })).toMatchObject({
      partner_id: String(await contactOf(app, person.userId)),
      partner_name: `Anna ${direction}`,
    })
  })

  it('our own number is not the contact of an incoming call', async () => {
    const person = await app.person(['base.group_user'])
    const sid = aSid()
    await aCall(app, { sid, direction: 'incoming', caller_user: person.userId })
    expect(await initiate({ call_sid: sid })).toMatchObject({ existing_partner: 'No' })
  })

  it('fields it does not have are empty texts', async () => {
    const number = aNumber()
    await aPartner(app, { mobile: number, phone: null })
    expect(await initiate({ caller_id: number })).toMatchObject({
      partner_phone: '',
      partner_tz: '',
      existing_partner: 'Yes',
    })
  })

  it.each([
    ['de_DE', 'de'],
    ['pt_BR', 'pt-br'],
    ['pt_PT', 'pt'],
    ['fr', 'fr'],
    ['pt-BR', 'pt-br'],
    ['nb_NO', 'no'],
    ['nn_NO', 'no'],
    ['ar_001', 'ar'],
    ['es_419', 'es'],
    [null, undefined],
  ])('a language of %s overrides that of the agent with %s', async (lang, code) => {
    const number = aNumber()
    await polyglot()
    await aPartner(app, { phone: number, lang })
    expect(await languageOf(number)).toBe(code)
  })

  it("a language overrides nothing when it is the agent's own, is not among its others, or was not pushed", async () => {
    await polyglot()
    const [english, danish, german] = [aNumber(), aNumber(), aNumber()]
    await aPartner(app, { phone: english, lang: 'en_US' })
    await aPartner(app, { phone: danish, lang: 'da_DK' })
    await aPartner(app, { phone: german, lang: 'de_DE' })
    expect(await languageOf(english)).toBeUndefined()
    expect(await languageOf(danish)).toBeUndefined()
    expect(await languageOf(german)).toBe('de')
    expect(await languageOf(german, 'agent_unknown')).toBeUndefined()
    await aMultilingualAgent('agent_unpushed', ['de_DE'])
    expect(await languageOf(german, 'agent_unpushed')).toBeUndefined()
  })

  it('nobody known overrides no language', async () => {
    expect(await languageOf(aNumber())).toBeUndefined()
  })
})

describe('3 the previous conversation', () => {
  const called = '+41310000009'

  async function aConversation(caller: string, values: object = {}): Promise<number> {
    return aCall(app, { caller, called, status: 'completed', ...values })
  }

  it('the previous conversation is the newest earlier one of the same caller with the same number', async () => {
    const [caller, other] = [aNumber(), aNumber()]
    await aConversation(caller, { voiceai_conversation_id: 'conv_old', voiceai_summary: 'Old.' })
    await aConversation(caller, { voiceai_conversation_id: 'conv_new', voiceai_summary: 'New.' })
    await aConversation(other, { voiceai_conversation_id: 'conv_of_other', voiceai_summary: 'Other.' })
    await aConversation(caller, {
      called: '+41319999999',
      voiceai_conversation_id: 'conv_elsewhere',
      voiceai_summary: 'Elsewhere.',
    })
    await aConversation(caller)
    expect(await initiate({ caller_id: caller, called_number: called })).toMatchObject({
      previous_conversation_id: 'conv_new',
      previous_topics: 'New.',
    })
    expect(await initiate({ caller_id: ` 00${caller.slice(1)} `, called_number: called.slice(1) })).toMatchObject({
      previous_conversation_id: 'conv_new',
    })
  })

  it('the previous conversation is never the conversation that asks, also where its call is not known by its legs', async () => {
    const caller = aNumber()
    await aConversation(caller, { voiceai_conversation_id: 'conv_first', voiceai_summary: 'First.' })
    await aConversation(caller, { voiceai_conversation_id: 'conv_asking', voiceai_summary: 'Asking.' })
    expect(await initiate({ caller_id: caller, called_number: called, conversation_id: 'conv_asking' })).toMatchObject({
      previous_conversation_id: 'conv_first',
    })
  })

  it('the previous conversation is never the call itself, nor a later one', async () => {
    const [caller, sid] = [aNumber(), aSid()]
    await aConversation(caller, { voiceai_conversation_id: 'conv_before', voiceai_summary: 'Before.' })
    await aConversation(caller, { sid, voiceai_conversation_id: 'conv_itself', voiceai_summary: 'Itself.' })
    await aConversation(caller, { voiceai_conversation_id: 'conv_after', voiceai_summary: 'After.' })
    expect(await initiate({ call_sid: sid })).toMatchObject({
      previous_conversation_id: 'conv_before',
      previous_topics: 'Before.',
    })
  })

  it.each([...WITHHELD, ...NAMES_OF_NOBODY])('nobody has spoken before who calls as %j', async (caller) => {
    const ended = { voiceai_conversation_id: `conv_of ${caller}`, voiceai_summary: 'A stranger is ill.' }
    await aConversation(caller, ended)
    await aConversation('', { ...ended, voiceai_conversation_id: `conv_after ${caller}` })
    const sid = aSid()
    await aConversation(caller, { sid })
    for (const asked of [{ caller_id: caller, called_number: called }, { call_sid: sid }]) {
      const told = await initiate(asked)
      expect(told).toMatchObject({ previous_conversation_id: '', previous_topics: '', partner_id: '' })
      // Digits that only spell a word are not read out as the caller's number.
      expect(told.caller_number).not.toMatch(/\d/)
    }
  })

  it('a colleague has spoken before from the same phone, and nobody else from the extension it had', async () => {
    const [before, after] = [await aPhoneUser(app, { name: 'Before' }), await aPhoneUser(app, { name: 'After' })]
    const internal = { direction: 'internal', voiceai_summary: 'My salary.' }
    const [same, other] = [aSid(), aSid()]
    await aConversation('177', {
      ...internal,
      caller_pbx_user: before.pbxUser,
      voiceai_conversation_id: 'conv_colleague',
    })
    await aConversation('177', { direction: 'internal', caller_pbx_user: before.pbxUser, sid: same })
    await aConversation('177', { direction: 'internal', caller_pbx_user: after.pbxUser, sid: other })
    expect(await initiate({ call_sid: same })).toMatchObject({ previous_topics: 'My salary.' })
    expect(await initiate({ call_sid: other })).toMatchObject({ previous_topics: '' })
    expect(await initiate({ caller_id: '177', called_number: called })).toMatchObject({ previous_topics: '' })
  })

  it.each([
    ['+5491123456789', '+541123456789'],
    ['+5551987654321', '+555187654321'],
    ['+2250707123456', '+22507123456'],
    ['+2290197123456', '+22997123456'],
  ])('%s and %s are one caller, whichever form each call came with', async (today, old) => {
    const later = aSid()
    await aConversation(old, { voiceai_conversation_id: `conv_${old}`, voiceai_summary: 'Old form.' })
    expect(await initiate({ caller_id: today, called_number: called })).toMatchObject({ previous_topics: 'Old form.' })
    await aConversation(today, { voiceai_conversation_id: `conv_${today}`, voiceai_summary: 'New form.' })
    await aConversation(old, { sid: later })
    expect(await initiate({ call_sid: later })).toMatchObject({ previous_topics: 'New form.' })
    expect(await initiate({ caller_id: old, called_number: called })).toMatchObject({ previous_topics: 'New form.' })
  })

  it('the topics of the previous conversation are plain text', async () => {
    const caller = aNumber()
    const summary = '<p>Heating &amp; water</p><p>3 < 4 and 5 > 4<br/>done</p><script>x</script>'
    await aConversation(caller, { voiceai_conversation_id: 'conv_html', voiceai_summary: summary })
    expect(await initiate({ caller_id: caller, called_number: called })).toMatchObject({
      previous_topics: 'Heating & water\n3 < 4 and 5 > 4\ndone\nx',
    })
  })
})

describe('3 who can be reached', () => {
  it('users_directory lists phone users with an extension, available_extensions the published ones', async () => {
    await aPhoneUser(app, { name: 'Zed', extension: '103', isPublished: true })
    await aPhoneUser(app, { name: 'Anna "A" <x>', extension: '102', isPublished: false })
    await aPhoneUser(app, { name: 'Without' })
    const variables = await initiate({})
    expect(variables.users_directory).toBe('Anna A x <102>, Zed <103>')
    expect(variables.available_extensions).toBe('<103> "Zed"')
  })
})

describe('7 an internal error', () => {
  const empty = Object.fromEntries(DYNAMIC_VARIABLES.map((name) => [name, '']))

  it.each(['connect_call', 'connect_channel', 'res_partner', 'connect_telco_exten', 'connect_voiceai_agent'])(
    'with %s away is the valid envelope with empty variables, or as many as could be had',
    async (table) => {
      const sid = aSid()
      await aCall(app, { sid })
      await withoutTable(app, table, async () => {
        const variables = await initiate({
          caller_id: aNumber(),
          called_number: aNumber(),
          call_sid: sid,
          agent_id: 'agent_any',
        })
        expect(variables).toEqual(empty)
      })
    },
  )

  it('a database that does not answer within 2 s is the same, in time', async () => {
    const sid = aSid()
    await aCall(app, { sid })
    const before = await countRows(app)
    await whileStuck(app, ['connect_call', 'connect_channel', 'res_partner'], async () => {
      const answers = await Promise.all(
        Array.from({ length: 5 }, () => app.tool(INITIATION, { caller_id: aNumber(), call_sid: sid })),
      )
      for (const answer of answers) expect(expectEnvelope(answer).dynamic_variables).toEqual(empty)
    })
    expect(await lastReasons(app, INITIATION, 5)).toEqual(Array(5).fill(TOO_LATE))
    expect(await countRows(app)).toEqual(before)
    expect(await initiate({ call_sid: sid })).not.toEqual(empty)
  })

  it('a database that does not even give the settings again is an internal error', async () => {
    await whileStuck(app, ['connect_settings', 'connect_call', 'connect_channel', 'res_partner'], async () => {
      app.app.platform.settings.forget()
      expect(await initiate({ caller_id: aNumber(), call_sid: aSid() })).toEqual(empty)
    })
    expect(await lastReasons(app, INITIATION, 1)).toEqual([TOO_LATE])
    expect((await app.db.query(sql`select 1`)).length).toBe(1)
  })
})
