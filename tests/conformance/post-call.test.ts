import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  aConversationId,
  aTranscript,
  callOf,
  callsOf,
  deliver,
  parseFixture,
  readFixture,
  recordingsOf,
  useSecret,
} from '../fixtures/post-call.ts'
import { aCall, aLeg, aNumber, aPartner, aSid, aVoiceAgent } from '../fixtures/records.ts'
import { countRows } from '../fixtures/row-counts.ts'
import { type Answer, TestApp } from '../support/test-app.ts'

let app: TestApp

beforeAll(async () => {
  app = await TestApp.start()
  await useSecret(app)
})
afterAll(() => app.stop())

function expectEmpty(answer: Answer): void {
  expect(answer.status).toBe(200)
  expect(answer.text).toBe('')
}

describe('post_call logs a connect.call and a connect.recording', () => {
  it('post_call logs a connect.call and a connect.recording of a whole delivery, field by field', async () => {
    const agent = await aVoiceAgent(app, 'agent_1')
    const partner = await aPartner(app, { name: 'Caller', phone: '(415) 555-0100', country_id: await countryId('US') })
    expectEmpty(await deliver(app, readFixture('transcript')))
    const call = await callOf(app, 'conv_1')
    expect(call).toMatchObject({
      caller: '+14155550100',
      called: '+14155550199',
      direction: 'incoming',
      status: 'completed',
      duration: 50,
      partner: [partner, 'Caller'],
      call_sid: 'CA00000000000000000000000000000001',
      has_error: false,
      voiceai_agent: [agent, 'Agent agent_1'],
      voiceai_summary: 'Caller reported a broken unit.',
    })
    const recordings = await recordingsOf(app, 'conv_1')
    expect(recordings).toHaveLength(1)
    expect(recordings[0]).toMatchObject({
      call: [call.id, expect.any(String)],
      partner: [partner, 'Caller'],
      call_sid: 'CA00000000000000000000000000000001',
      caller_number: '+14155550100',
      called_number: '+14155550199',
      status: 'completed',
      duration: 50,
      source: 'voiceai',
      transcription_pending: false,
      voiceai_summary: 'Caller reported a broken unit.',
      voiceai_transcript:
        'agent: Hello, how can I help?\nuser: My heating is broken.\nagent: I have created ticket number 9. Größe ☎ café.',
    })
    expect(call.recordings).toEqual([recordings[0]?.id])
  })

  const CHANNELS: [string, object, object][] = [
    [
      'WhatsApp by number',
      { whatsapp: { direction: 'inbound', whatsapp_user_id: '4915112345678' } },
      { call_type: 'whatsapp' },
    ],
    [
      'WhatsApp by number beside an id',
      { whatsapp: { whatsapp_user_id: 'DE.815799212886844830', recipient: { phone: '+4915112345678' } } },
      { call_type: 'whatsapp' },
    ],
    [
      'SMS',
      { sms: { direction: 'inbound', sms_user_phone_number: '+4915112345678', agent_phone_number: '+4930555000' } },
      { call_type: 'phone', called: '+4930555000' },
    ],
  ]
  it.each(CHANNELS)('a conversation over %s has its caller and their contact', async (_name, channel, values) => {
    const phone = '+4915112345678'
    const [known] = await app.admin.ask<number[]>('res.partner', 'search', { domain: [['phone', '=', phone]] })
    const partner = known ?? (await aPartner(app, { name: 'Writer', phone }))
    const conversationId = aConversationId()
    const metadata = { phone_call: null, call_duration_secs: 9, ...channel }
    expectEmpty(await deliver(app, aTranscript({ conversationId, data: { metadata } })))
    expect(await callOf(app, conversationId)).toMatchObject({
      ...{ caller: phone, direction: 'incoming', partner: [partner, 'Writer'] },
      ...values,
    })
    expect(await recordingsOf(app, conversationId)).toMatchObject([{ partner: [partner, 'Writer'] }])
  })

  it('a conversation that the agent began over a channel goes out, and a user without a number is known by id', async () => {
    const [out, hidden] = [aConversationId(), aConversationId()]
    const sms = { direction: 'outbound', sms_user_phone_number: '+4915112345679', agent_phone_number: '+4930555000' }
    const whatsapp = { direction: 'unknown', whatsapp_user_id: 'DE.815799212886844830' }
    for (const [conversationId, channel] of [
      [out, { sms }],
      [hidden, { whatsapp }],
    ] as const) {
      expectEmpty(await deliver(app, aTranscript({ conversationId, data: { metadata: channel } })))
    }
    expect(await callOf(app, out)).toMatchObject({
      ...{ direction: 'outgoing', caller: '+4930555000', called: '+4915112345679' },
    })
    expect(await callOf(app, hidden)).toMatchObject({ direction: 'incoming', caller: 'DE.815799212886844830' })
  })

  it('a conversation that names a number only in its variables has that caller', async () => {
    const conversationId = aConversationId()
    const variables = { system__caller_id: '+4915112345680', system__called_number: '+4930555000' }
    const client = { conversation_initiation_client_data: { dynamic_variables: variables } }
    expectEmpty(await deliver(app, aTranscript({ conversationId, data: { metadata: {}, ...client } })))
    expect(await callOf(app, conversationId)).toMatchObject({ caller: '+4915112345680', called: '+4930555000' })
  })

  it('turns of several voices and turns with files stand in the transcript', async () => {
    const conversationId = aConversationId()
    const file = {
      file_id: 'f1',
      original_filename: 'bill.pdf',
      mime_type: 'application/pdf',
      file_url: 'https://x.example/f1',
    }
    const image = { ...file, file_id: 'f2', original_filename: 'leak.jpg', mime_type: 'image/jpeg' }
    const parts = [
      { text: 'Once upon a time.', voice_label: 'Narrator', time_in_call_secs: 1 },
      { text: 'Who is there?', voice_label: 'Wolf', time_in_call_secs: 2 },
    ]
    const transcript = [
      { role: 'agent', message: null, multivoice_message: { parts }, time_in_call_secs: 1 },
      { role: 'user', message: null, file_input: file, file_inputs: [file, image], time_in_call_secs: 3 },
      { role: 'user', message: 'And this.', file_input: image, source_medium: 'image', time_in_call_secs: 4 },
    ]
    expectEmpty(await deliver(app, aTranscript({ conversationId, data: { transcript } })))
    const [recording] = await recordingsOf(app, conversationId)
    expect(recording?.voiceai_transcript).toBe(
      'agent: Once upon a time. Who is there?\nuser: [File: bill.pdf (application/pdf)] [File: leak.jpg (image/jpeg)]\n' +
        'user: And this. [File: leak.jpg (image/jpeg)]',
    )
  })

  it('what was made in a call belongs to the contact by whom post_call knows the caller', async () => {
    const [caller, call] = [aNumber(), await aCall(app, { caller: 'anonymous' })]
    const created = await app.tool('/connect_voiceai_helpdesk/create_ticket', { call_id: call, subject: 'Leak' })
    const partner = await aPartner(app, { name: 'Late', phone: caller })
    expectEmpty(await deliver(app, aTranscript({ external: caller, variables: { call_id: String(call) } })))
    const { ticket_id: id } = created.body as { ticket_id: number }
    expect(await app.admin.ask('helpdesk.ticket', 'read', { ids: [id] })).toMatchObject([
      { partner_id: [partner, 'Late'] },
    ])
  })

  it('the transcript has one line per turn: trimmed, without blank ones, of the agent when no role is given', async () => {
    expectEmpty(await deliver(app, readFixture('transcript-web')))
    expect(await callOf(app, 'conv_web')).toMatchObject({
      status: 'failed',
      duration: 3,
      caller: null,
      called: null,
      voiceai_agent: null,
      voiceai_summary: null,
    })
    const [recording] = await recordingsOf(app, 'conv_web')
    expect(recording).toMatchObject({ voiceai_transcript: 'agent: Hello from nobody', call_sid: 'conv_web' })
  })

  it('post_call without a transcript and a summary logs a call and no recording', async () => {
    expectEmpty(await deliver(app, readFixture('transcript-nulls')))
    expect(await callOf(app, 'conv_nulls')).toMatchObject({ status: 'failed', duration: 0, direction: 'incoming' })
    expect(await recordingsOf(app, 'conv_nulls')).toEqual([])
  })

  it.each<[string, Record<string, unknown>, boolean]>([
    ['a summary alone', { transcript: [] }, true],
    ['a transcript alone', { analysis: { call_successful: 'success' } }, true],
    [
      'blank turns and a blank summary',
      { transcript: [{ role: 'user', message: ' ' }], analysis: { transcript_summary: ' ' } },
      false,
    ],
    [
      'turns of tools only',
      { transcript: [{ role: 'agent', message: null, tool_calls: [{}] }], analysis: null },
      false,
    ],
  ])('%s', async (_what, data, hasRecording) => {
    const conversationId = aConversationId()
    expectEmpty(await deliver(app, aTranscript({ conversationId, data })))
    await callOf(app, conversationId)
    expect(await recordingsOf(app, conversationId)).toHaveLength(hasRecording ? 1 : 0)
  })

  it('an outbound call has our number as the caller', async () => {
    const partner = await aPartner(app, { phone: '+41313808316' })
    const conversationId = aConversationId()
    const numbers = { external: '+41313808316', agentNumber: '+41310000000' }
    expectEmpty(await deliver(app, aTranscript({ conversationId, direction: 'outbound', ...numbers })))
    expect(await callOf(app, conversationId)).toMatchObject({
      direction: 'outgoing',
      caller: '+41310000000',
      called: '+41313808316',
      partner: [partner, 'Zoe'],
    })
  })

  it.each(['failure', 'unknown', '', null, true])(
    'a call that is %o instead of a success has failed',
    async (value) => {
      const conversationId = aConversationId()
      const analysis = { call_successful: value, transcript_summary: 'x' }
      expectEmpty(await deliver(app, aTranscript({ conversationId, data: { analysis } })))
      expect(await callOf(app, conversationId)).toMatchObject({ status: 'failed' })
    },
  )

  it('numbers that are none are kept as they came', async () => {
    const conversationId = aConversationId()
    expectEmpty(await deliver(app, aTranscript({ conversationId, external: 'anonymous', agentNumber: '41310000001' })))
    expect(await callOf(app, conversationId)).toMatchObject({
      caller: 'anonymous',
      called: '+41310000001',
      partner: null,
    })
  })

  it('the body may be the data without its wrapper', async () => {
    const { data } = aTranscript({ conversationId: 'conv_bare' })
    expectEmpty(await deliver(app, JSON.stringify(data)))
    expect(await callOf(app, 'conv_bare')).toMatchObject({ status: 'completed' })
    expect(await recordingsOf(app, 'conv_bare')).toHaveLength(1)
  })

  it('a wrapper without a type, or with null for it, is a transcript', async () => {
    for (const type of [undefined, null]) {
      const body = aTranscript()
      const conversationId = String(body.data.conversation_id)
      expectEmpty(await deliver(app, JSON.stringify({ ...body, type })))
      await callOf(app, conversationId)
    }
  })

  it('values that the database cannot hold are cleaned, not lost', async () => {
    const conversationId = aConversationId()
    const transcript = [{ role: 'us\u0000er', message: 'a\u0000b \ud800 c\u0007' }]
    expectEmpty(await deliver(app, aTranscript({ conversationId, data: { transcript } })))
    const [recording] = await recordingsOf(app, conversationId)
    expect(recording?.voiceai_transcript).toBe('user: ab \u{fffd} c')
  })

  it('a raw NUL or a broken character in the body does not lose it', async () => {
    const conversationId = aConversationId()
    const text = JSON.stringify(aTranscript({ conversationId })).replace('My heating', 'My \u007f heating')
    const bytes = Buffer.from(text.replace('is broken', 'is @@ broken'))
    bytes.set([0xff, 0xfe], bytes.indexOf('@@'))
    expectEmpty(await deliver(app, bytes))
    const [recording] = await recordingsOf(app, conversationId)
    expect(recording?.voiceai_transcript).toContain('\u{fffd}')
  })
})

describe('and 6 deduplicated by conversation_id', () => {
  it('a delivery that comes again changes nothing', async () => {
    const body = aTranscript({ conversationId: 'conv_again' })
    expectEmpty(await deliver(app, body))
    const [call, before] = [await callOf(app, 'conv_again'), await countRows(app)]
    expectEmpty(await deliver(app, body))
    expectEmpty(
      await deliver(
        app,
        aTranscript({ conversationId: 'conv_again', data: { analysis: { transcript_summary: 'Other' } } }),
      ),
    )
    expect(await callOf(app, 'conv_again')).toEqual(call)
    expect(await countRows(app)).toEqual({ ...before, connect_inbox: before.connect_inbox + 2 })
    expect(await recordingsOf(app, 'conv_again')).toHaveLength(1)
  })

  it('a conversation is recorded once, also when there was nothing to read in it', async () => {
    const body = aTranscript({ conversationId: 'conv_empty', data: { transcript: [], analysis: null } })
    expectEmpty(await deliver(app, body))
    expectEmpty(await deliver(app, body))
    await callOf(app, 'conv_empty')
    expect(await recordingsOf(app, 'conv_empty')).toEqual([])
  })

  it("a delivery without a conversation id has the call's own as its key", async () => {
    const callSid = aSid()
    const body = aTranscript({ conversationId: null, callSid })
    expectEmpty(await deliver(app, body))
    expectEmpty(await deliver(app, body))
    expect(await callsOf(app, callSid)).toHaveLength(1)
    expect(await recordingsOf(app, callSid)).toMatchObject([{ call_sid: callSid }])
  })

  it('a delivery without either id logs nothing, and the answer is the same', async () => {
    const before = await app.count('connect_call')
    const body = aTranscript({ conversationId: null, data: { metadata: null } })
    expectEmpty(await deliver(app, body))
    expect(await app.count('connect_call')).toBe(before)
  })

  it('two conversations are two calls', async () => {
    const before = await app.count('connect_call')
    const [first, second] = [aTranscript(), aTranscript()]
    expectEmpty(await deliver(app, first))
    expectEmpty(await deliver(app, second))
    expect(await app.count('connect_call')).toBe(before + 2)
  })
})

describe('attaches to the call that telephony logged', () => {
  const state = {
    caller: '+41313808316',
    called: '+41310000000',
    direction: 'internal',
    status: 'in-progress',
    duration: 7,
  }

  it.each<[string, (call: number) => Record<string, unknown>]>([
    ['sip_connect_call_ref', (call) => ({ sip_connect_call_ref: call, call_id: 999_999 })],
    ['sip_connect_call_ref as a text', (call) => ({ sip_connect_call_ref: String(call) })],
    ['sip_connect_call_ref, empty elsewhere', (call) => ({ sip_connect_call_ref: call, call_id: '' })],
    ['call_id', (call) => ({ call_id: call })],
    ['call_id as a text', (call) => ({ call_id: `${call}` })],
    ['call_id when the reference is unknown', (call) => ({ sip_connect_call_ref: '888888', call_id: String(call) })],
    ['call_id when the reference is unusable', (call) => ({ sip_connect_call_ref: 'None', call_id: call })],
  ])(
    'a conversation attaches to the call that telephony logged by %s, and keeps what telephony said of it',
    async (_what, variables) => {
      const id = await aCall(app, state)
      const conversationId = aConversationId()
      expectEmpty(await deliver(app, aTranscript({ conversationId, variables: variables(id) })))
      expect(await callOf(app, conversationId)).toMatchObject({
        id,
        ...state,
        voiceai_summary: 'Caller reported a broken unit.',
      })
      expect(await recordingsOf(app, conversationId)).toMatchObject([
        { call: [id, expect.any(String)], caller_number: state.caller, called_number: state.called, duration: 50 },
      ])
    },
  )

  it('a conversation attaches to the call that telephony logged by the call SID of one of its legs', async () => {
    const sid = aSid()
    const id = await aCall(app, { ...state, sid: aSid() })
    const leg = await aLeg(app, { sid, call: id, technical_direction: 'outbound-dial' })
    const conversationId = aConversationId()
    expectEmpty(await deliver(app, aTranscript({ conversationId, callSid: sid, variables: { call_id: '' } })))
    expect(await callOf(app, conversationId)).toMatchObject({ id, ...state })
    expect(await recordingsOf(app, conversationId)).toMatchObject([{ call_sid: sid, channel: [leg, sid] }])
  })

  it.each([
    ['the reference', (call: number, _sid: string) => ({ sip_connect_call_ref: String(call) })],
    ['the leg', (_call: number, sid: string) => ({ sip_call_id: sid })],
  ])(
    'a conversation attaches to the call that telephony logged by %s among the headers of a SIP call, whatever id the platform has for it',
    async (_what, headersOf) => {
      const sid = aSid()
      const id = await aCall(app, { ...state, sid })
      const conversationId = aConversationId()
      const body = aTranscript({ conversationId, callSid: `SCL_${conversationId}`, variables: {} })
      const phoneCall = { type: 'sip_trunking', call_sid: 'SCL_1', sip_header_dynamic_variables: headersOf(id, sid) }
      Object.assign(body.data.metadata as object, { phone_call: phoneCall })
      expectEmpty(await deliver(app, body))
      expect(await callOf(app, conversationId)).toMatchObject({ id, ...state })
    },
  )

  it('the reference of the SIP header wins over call_id, and that over the leg', async () => {
    const sid = aSid()
    const [first, second] = [await aCall(app), await aCall(app)]
    await aCall(app, { sid })
    const [one, two] = [aConversationId(), aConversationId()]
    expectEmpty(
      await deliver(
        app,
        aTranscript({ conversationId: one, callSid: sid, variables: { sip_connect_call_ref: first, call_id: second } }),
      ),
    )
    expectEmpty(await deliver(app, aTranscript({ conversationId: two, callSid: sid, variables: { call_id: second } })))
    expect((await callOf(app, one)).id).toBe(first)
    expect((await callOf(app, two)).id).toBe(second)
  })

  it('sets agent and contact only where there are none', async () => {
    const [agent, other] = [await aVoiceAgent(app, 'agent_kept'), await aVoiceAgent(app, 'agent_said')]
    const number = aNumber()
    const [known, caller] = [
      await aPartner(app, { name: 'Known' }),
      await aPartner(app, { name: 'Caller', phone: number }),
    ]
    const full = await aCall(app, { partner: known, voiceai_agent: agent })
    const bare = await aCall(app)
    const changes = { external: number, data: { agent_id: 'agent_said' } }
    const [one, two] = [aConversationId(), aConversationId()]
    for (const [conversationId, call] of [
      [one, full],
      [two, bare],
    ] as const) {
      const body = aTranscript({ conversationId, external: number, variables: { call_id: call } })
      Object.assign(body.data, changes.data)
      expectEmpty(await deliver(app, body))
    }
    expect(await callOf(app, one)).toMatchObject({
      id: full,
      partner: [known, 'Known'],
      voiceai_agent: [agent, expect.any(String)],
    })
    expect(await callOf(app, two)).toMatchObject({
      id: bare,
      partner: [caller, 'Caller'],
      voiceai_agent: [other, expect.any(String)],
    })
  })

  it('a second conversation in the same call adds its summary and its recording', async () => {
    const id = await aCall(app)
    const [one, two] = [aConversationId(), aConversationId()]
    const variables = { call_id: id }
    const second = aTranscript({
      conversationId: two,
      variables,
      data: { analysis: { transcript_summary: 'And again.' } },
    })
    Object.assign(second.data, { conversation_initiation_client_data: { dynamic_variables: variables } })
    expectEmpty(await deliver(app, aTranscript({ conversationId: one, variables })))
    for (let time = 0; time < 2; time += 1) expectEmpty(await deliver(app, second))
    const call = await callOf(app, one)
    expect(call).toMatchObject({ id, voiceai_summary: 'Caller reported a broken unit.\n\nAnd again.' })
    expect(call.recordings).toHaveLength(2)
    expect(await recordingsOf(app, two)).toHaveLength(1)
  })

  it('an unknown call is made anew, and an unknown called number is no hindrance', async () => {
    const conversationId = aConversationId()
    const body = aTranscript({ conversationId, agentNumber: '+41999999999', variables: { call_id: 2_000_000_000 } })
    expectEmpty(await deliver(app, body))
    expect(await callOf(app, conversationId)).toMatchObject({ caller: '+14155550100', status: 'completed' })
  })
})

describe('deliveries that are no transcript', () => {
  it.each([
    '',
    ' ',
    '[]',
    '7',
    'null',
    '"text"',
    'not json',
    '{"data":',
    '{}',
    '{"data":{}}',
    '{"data":[]}',
    '{"type":{}}',
    '\u{fffd}',
  ])('a body of %o is acknowledged and nothing is logged', async (body) => {
    const before = await countRows(app)
    expectEmpty(await deliver(app, body))
    expect({ ...(await countRows(app)), connect_inbox: 0 }).toEqual({ ...before, connect_inbox: 0 })
  })

  it.each(['voice_removal_notice', 'answering_machine_detection', 'something_new'])(
    'an event of the type %s is acknowledged and nothing is logged',
    async (type) => {
      const before = await countRows(app)
      expectEmpty(await deliver(app, { ...aTranscript(), type }))
      expect({ ...(await countRows(app)), connect_inbox: 0 }).toEqual({ ...before, connect_inbox: 0 })
    },
  )

  it('parts of any wrong kind are not there', async () => {
    const wrong: unknown[] = [7, 'text', [], {}, true, null, [[]], { phone_call: 7 }, { dynamic_variables: [] }]
    for (const value of wrong) {
      const conversationId = aConversationId()
      const data = Object.fromEntries(
        ['agent_id', 'transcript', 'metadata', 'analysis', 'conversation_initiation_client_data'].map((name) => [
          name,
          value,
        ]),
      )
      expectEmpty(await deliver(app, aTranscript({ conversationId, data })))
      await callOf(app, conversationId)
    }
  })

  it('a duration of any kind becomes seconds or none', async () => {
    for (const [given, kept] of [
      ['50', 50],
      [50.4, 50],
      [-1, 0],
      ['x', 0],
      [1e300, 604_800],
      [null, 0],
      [[], 0],
    ] as const) {
      const conversationId = aConversationId()
      const { metadata } = parseFixture('transcript').data
      const data = { metadata: { ...(metadata as object), call_duration_secs: given } }
      expectEmpty(await deliver(app, aTranscript({ conversationId, data })))
      expect(await callOf(app, conversationId)).toMatchObject({ duration: kept })
    }
  })
})

async function countryId(code: string): Promise<number> {
  const [id] = await app.admin.ask<number[]>('res.country', 'search', { domain: [['code', '=', code]] })
  return id ?? 0
}
