// Three calls from the first webhook to the last. What became of them is read through the JSON-2 API alone.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { aConversationId, aTranscript, deliver, useSecret } from '../fixtures/post-call.ts'
import { INITIATION } from '../fixtures/routes.ts'
import { FakeTelco } from '../support/fake-telco.ts'
import { ACCOUNT_SID } from '../support/telco.ts'
import {
  CUSTOMER,
  callback,
  type Form,
  HANGUP,
  HOOKS,
  type Leg,
  newSid,
  Office,
  providerTime,
  REPORTED,
  requestOf,
  SIP_HOST,
  storedTime,
} from '../support/telco-office.ts'
import { eventually } from '../support/test-app.ts'

const CALL = [
  ...['status', 'direction', 'caller', 'called', 'duration', 'duration_human', 'partner', 'call_type', 'call_sid'],
  ...['caller_user', 'answered_user', 'answered_pbx_user', 'called_users', 'has_error', 'voicemail_url'],
  ...['voicemail_duration', 'voiceai_agent', 'voiceai_conversation_id', 'voiceai_summary', 'channels', 'recordings'],
]
const LEG = [
  ...['sid', 'parent_channel', 'status', 'technical_direction', 'caller_number', 'called_number', 'duration'],
  ...['started_at', 'answered_at', 'ended_at', 'called_user', 'partner'],
]
const linked = (id: number) => [id, expect.any(String)]
const client = (username: string): string => `client:${username}@${SIP_HOST}`

let provider: FakeTelco
let office: Office
let alice: { id: number; loginId: number }
let bob: { id: number; loginId: number }
let zoe: number

beforeAll(async () => {
  provider = await FakeTelco.start()
  office = await Office.start({ env: { TELCO_BASE_URL: provider.url } })
  alice = await office.user('alice', '101', { record_calls: true, greeting_message: 'Hello' })
  bob = await office.user('bob', '102', { sip_enabled: true, missed_calls_notify: true })
  zoe = await office.contact('Zoe', { phone: CUSTOMER })
})
afterAll(async () => {
  await office.stop()
  await provider.stop()
})

function dialled(root: Leg, to: string): Leg {
  return { sid: newSid(), parent: root.sid, direction: 'outbound-dial', from: CUSTOMER, to }
}

/** The legs of a call by their sids, with the sid of the parent in place of its link. */
async function legsOf(call: number): Promise<Map<unknown, Record<string, unknown>>> {
  const legs = await office.list('connect.channel', [['call', '=', call]], LEG)
  return new Map(
    legs.map((leg) => [leg.sid, { ...leg, parent_channel: (leg.parent_channel as unknown[] | null)?.[1] }]),
  )
}

function recording(sid: string, callSid: string, fields: Form): Form {
  const RecordingUrl = provider.recordingUrl(sid)
  const RecordingStartTime = providerTime(6)
  const what = { RecordingSid: sid, CallSid: callSid, RecordingUrl, RecordingStatus: 'completed', RecordingStartTime }
  return { AccountSid: ACCOUNT_SID, ...what, RecordingChannels: '1', ErrorCode: '0', ...fields }
}

describe('an answered call to a number', () => {
  it('an answered call to a number can be followed from ringing to the recording and the note on the contact', async () => {
    const root: Leg = { sid: newSid(), to: '+14155550201' }
    await office.settings({ tz: 'Europe/Zurich' })
    await office.number('+14155550201', { destination: 'user', user: alice.id })

    const markup = await office.voice('number', requestOf(root))
    expect(markup).toContain('<Say language="en-US" voice="woman">Hello</Say><Dial ')
    expect(markup).toContain(`<Parameter name="CallerName" value="Zoe"/><Parameter name="Partner" value="${zoe}"/>`)
    const leg = dialled(root, client('alice'))
    const id = Number(await office.reports(callback(leg, 'initiated', { seconds: 1 })))
    expect(await office.call(root.sid, CALL)).toMatchObject({ id, status: 'initiated', partner: linked(zoe) })
    await office.reports(callback(leg, 'in-progress', { sequence: 2, seconds: 6 }))
    expect(await office.call(root.sid, CALL)).toMatchObject({
      status: 'in-progress',
      answered_user: linked(alice.loginId),
    })
    await office.reports(callback(leg, 'completed', { sequence: 3, seconds: 43, CallDuration: '37', Duration: '1' }))
    const after = { ...requestOf(root), CallStatus: 'in-progress', DialCallStatus: 'completed', DialCallSid: leg.sid }
    const action = { ...after, DialCallDuration: '37', DialBridged: 'true' }
    expect(await office.voice(`connect.user/call_action/${alice.id}`, action)).toBe(HANGUP)
    const fields = { RecordingDuration: '36', RecordingSource: 'DialVerb' }
    const sid = newSid('RE')
    expect(await office.report('recordingstatus', recording(sid, root.sid, fields))).toBe('True')
    await office.reports(callback(root, 'completed', { seconds: 44, CallDuration: '44', Duration: '1' }))

    expect(await office.call(root.sid, CALL)).toEqual({
      id,
      status: 'completed',
      direction: 'incoming',
      caller: CUSTOMER,
      called: '+14155550201',
      duration: 44,
      duration_human: '00:44',
      partner: linked(zoe),
      call_type: 'phone',
      call_sid: root.sid,
      caller_user: null,
      answered_user: linked(alice.loginId),
      answered_pbx_user: linked(alice.id),
      called_users: [alice.loginId],
      has_error: false,
      voicemail_url: null,
      voicemail_duration: null,
      voiceai_agent: null,
      voiceai_conversation_id: null,
      voiceai_summary: null,
      channels: [expect.any(Number), expect.any(Number)],
      recordings: [expect.any(Number)],
    })
    const legs = await legsOf(id)
    expect([...legs.keys()]).toEqual([root.sid, leg.sid])
    expect(legs.get(root.sid)).toMatchObject({
      parent_channel: undefined,
      status: 'completed',
      technical_direction: 'inbound',
      duration: 44,
      started_at: storedTime(0),
      ended_at: storedTime(44),
      partner: linked(zoe),
    })
    expect(legs.get(leg.sid)).toMatchObject({
      parent_channel: root.sid,
      status: 'completed',
      technical_direction: 'outbound-dial',
      called_number: '101',
      duration: 37,
      started_at: storedTime(1),
      answered_at: storedTime(6),
      ended_at: storedTime(43),
      called_user: linked(alice.loginId),
    })
    // The details come from the provider, asked by a job.
    const row = await eventually(async () => {
      const RECORDING = ['call', 'partner', 'caller_number', 'called_user', 'duration', 'price', 'media_url', 'status']
      const kept = await office.only('connect.recording', [['sid', '=', sid]], RECORDING)
      return kept.price === null ? undefined : kept
    })
    expect(row).toMatchObject({
      call: linked(id),
      partner: linked(zoe),
      caller_number: CUSTOMER,
      called_user: linked(alice.loginId),
      duration: 36,
      status: 'completed',
      media_url: provider.recordingUrl(sid),
    })
    const [note = ''] = await office.posts('res.partner', zoe)
    for (const part of [`Incoming call ${id}: completed`, 'Answered by: alice', '00:44']) expect(note).toContain(part)
    // In the zone of the company, where it has one.
    expect(note).toMatch(/Time: \w+day, \d+ \w+ \d{4} at \d\d:\d\d Zurich time/)
  })
})

describe('a call for a person of whom no phone rings', () => {
  it('a call for a person of whom no phone rings waits to be called back by that person, and by nobody else', async () => {
    const paul = await office.app.person(['connect.group_user'], { name: 'Paul' })
    const other = await office.app.person(['connect.group_user'], { name: 'Olive' })
    const user = await office.create('connect.user', {
      ...{ user: paul.userId, client_enabled: false, missed_calls_notify: true },
    })
    await office.number('+14155550204', { destination: 'user', user })
    const root: Leg = { sid: newSid(), to: '+14155550204', from: '+14155550299' }
    expect(await office.voice('number', requestOf(root))).toContain('could not connect your call')
    await office.reports(callback(root, 'completed', { seconds: 6, CallDuration: '6' }))
    const call = await office.call(root.sid, [...CALL, 'outcome', 'end_reason'])
    expect(call).toMatchObject({ outcome: 'missed', end_reason: 'nothing_dialled', called_users: [paul.userId] })
    const waits = (who: typeof paul) => who.ask<{ ids: number[] }[]>('connect.call', 'to_call_back', {})
    expect((await waits(paul)).map(({ ids }) => ids)).toEqual([[call.id]])
    expect(await waits(other)).toEqual([])
    const missed = { domain: [['kind', '=', 'missed']], fields: ['ref'] }
    expect(await paul.ask('connect.notice', 'search_read', missed)).toHaveLength(1)
  })
})

describe('a missed group of phones with voicemail', () => {
  it('a missed group of phones with voicemail can be followed to the message and the comment for those who missed it', async () => {
    const root: Leg = { sid: newSid(), to: '+14155550202' }
    const flow = await office.flow({
      prompt_message: 'Welcome to Acme',
      ring_users: [alice.id, bob.id],
      voicemail_enabled: true,
      voicemail_prompt: 'Nobody is here',
    })
    await office.number('+14155550202', { destination: 'callflow', callflow: flow })

    const markup = await office.voice('number', requestOf(root))
    expect(markup).toContain('>Welcome to Acme</Say><Dial ')
    expect(markup.match(/<Client |<Sip /g)).toHaveLength(3)
    const [toAlice, toBob] = [dialled(root, client('alice')), dialled(root, client('bob'))]
    const toBobsSip = dialled(root, `sip:bob@${SIP_HOST}`)
    const notRegistered = { seconds: 2, CallDuration: '0', ErrorCode: '32009', ErrorMessage: 'Not registered' }
    await office.reports(
      callback(toBobsSip, 'failed', notRegistered),
      callback(toAlice, 'no-answer', { seconds: 31, CallDuration: '0' }),
      callback(toBob, 'no-answer', { seconds: 31, CallDuration: '0' }),
    )
    const after = { ...requestOf(root), CallStatus: 'in-progress', DialCallStatus: 'no-answer', DialBridged: 'false' }
    const voicemail = await office.voice(`connect.telco.callflow/call_action/${flow}`, after)
    expect(voicemail).toContain('>Nobody is here</Say><Record maxLength="120"')
    expect(voicemail).toContain(`recordingStatusCallback="${HOOKS}/vm_recordingstatus${REPORTED}"`)
    const sid = newSid('RE')
    const recorded = { ...requestOf(root), CallStatus: 'in-progress', RecordingSid: sid, Digits: 'hangup' }
    expect(await office.voice('callaction', { ...recorded, RecordingDuration: '23' })).toBe(HANGUP)
    await office.reports(callback(root, 'completed', { seconds: 75, CallDuration: '75' }))
    const fields = { RecordingDuration: '21', RecordingSource: 'RecordVerb' }
    expect(await office.report('vm_recordingstatus', recording(sid, root.sid, fields))).toBe('True')

    const call = await office.call(root.sid, CALL)
    expect(call).toMatchObject({
      status: 'completed',
      direction: 'incoming',
      duration: 75,
      answered_user: null,
      called_users: [alice.loginId, bob.loginId],
      has_error: false,
      voicemail_url: provider.recordingUrl(sid),
      voicemail_duration: 21,
    })
    const kept = await legsOf(call.id)
    expect([...kept.values()].map((leg) => leg.status).toSorted()).toEqual([
      'completed',
      'failed',
      'no-answer',
      'no-answer',
    ])
    expect(await office.posts('connect.call', call.id)).toEqual([`<p>Missed call from ${CUSTOMER}. For: bob.</p>`])
    const notes = await office.posts('res.partner', zoe)
    expect(notes.filter((note) => note.includes(`Incoming call ${call.id}: missed`))).toHaveLength(1)
  })
})

describe('a call to a voice agent that hands it over', () => {
  it('a call to a voice agent that hands it over can be followed through the conversation and the transfer to the person who took it', async () => {
    await useSecret(office.app)
    const agent = await office.agent({ agent_uid: 'agent_7', connect_method: 'sip' })
    await office.number('+14155550203', { destination: 'voiceai_agent', voiceai_agent: agent })
    const [published] = await office.list('connect.telco.exten', [['number', '=', '102']], [])
    await office.write('connect.telco.exten', published?.id ?? 0, { is_published: true })
    const root: Leg = { sid: newSid(), to: '+14155550203' }

    const markup = await office.voice('number', requestOf(root))
    const { id } = await office.call(root.sid, [])
    expect(markup).toContain(`?X-Connect-Call-Ref=${id}&amp;X-CALL-ID=${root.sid}</Sip>`)
    const toAgent = dialled(root, 'sip:agent_7@sip.rtc.elevenlabs.io:5060;transport=tcp')
    await office.reports(
      callback(toAgent, 'initiated', { seconds: 1 }),
      callback(toAgent, 'in-progress', { sequence: 1, seconds: 2 }),
    )
    const opened = await office.app.tool(INITIATION, {
      caller_id: CUSTOMER,
      called_number: 'agent_7',
      agent_id: 'agent_7',
      call_sid: 'SCL_of_the_platform',
      sip_headers: [{ name: 'x-connect-call-ref', value: String(id) }],
    })
    expect((opened.body as { dynamic_variables: object }).dynamic_variables).toMatchObject({
      call_id: String(id),
      channel_sid: root.sid,
      caller_number: CUSTOMER,
      called_number: '+14155550203',
      partner_name: 'Zoe',
      available_extensions: expect.stringContaining('102'),
    })
    const transferred = await office.app.tool('/connect_voiceai/transfer', { channel_sid: root.sid, exten: '102' })
    expect(transferred.body).toMatchObject({ message: 'Transfer Successful', exten: '102' })
    const [redirect, ...others] = provider.asked('POST', new RegExp(`^/Calls/${root.sid}\\.json$`))
    expect(others).toEqual([])
    const handedOver = redirect?.form.get('Twiml') ?? ''
    expect(handedOver).toContain(`<Identity>bob@${SIP_HOST}</Identity>`)
    expect(handedOver).toContain(`action="${HOOKS}/connect.user/call_action/${bob.id}`)

    const toBob = dialled(root, client('bob'))
    await office.reports(
      callback(toAgent, 'completed', { sequence: 2, seconds: 60, CallDuration: '58' }),
      callback(toBob, 'initiated', { seconds: 61 }),
      callback(toBob, 'in-progress', { sequence: 1, seconds: 65 }),
    )
    expect(await office.call(root.sid, ['status'])).toMatchObject({ status: 'in-progress' })
    await office.reports(callback(toBob, 'completed', { sequence: 2, seconds: 125, CallDuration: '60' }))
    const after = { ...requestOf(root), CallStatus: 'in-progress', DialCallStatus: 'completed', DialBridged: 'true' }
    expect(await office.voice(`connect.user/call_action/${bob.id}`, after)).toBe(HANGUP)
    await office.reports(callback(root, 'completed', { seconds: 126, CallDuration: '126' }))
    const conversationId = aConversationId()
    const variables = { call_id: String(id), sip_connect_call_ref: String(id) }
    const about = {
      conversationId,
      callSid: 'SCL_of_the_platform',
      external: CUSTOMER,
      variables,
      data: { agent_id: 'agent_7' },
    }
    expect((await deliver(office.app, aTranscript(about))).status).toBe(200)

    const call = await eventually(async () => {
      const row = await office.call(root.sid, CALL)
      return row.voiceai_conversation_id === conversationId ? row : undefined
    })
    expect(call).toMatchObject({
      id,
      status: 'completed',
      direction: 'incoming',
      caller: CUSTOMER,
      called: '+14155550203',
      duration: 126,
      partner: linked(zoe),
      answered_user: linked(bob.loginId),
      called_users: [bob.loginId],
      voiceai_agent: linked(agent),
      voiceai_summary: expect.any(String),
    })
    const legs = await legsOf(id)
    expect([...legs.values()].map(({ sid, status, duration }) => [sid, status, duration])).toEqual([
      [root.sid, 'completed', 126],
      [toAgent.sid, 'completed', 58],
      [toBob.sid, 'completed', 60],
    ])
    const recordings = await office.list('connect.recording', [['call', '=', id]], ['voiceai_transcript', 'partner'])
    expect(recordings).toMatchObject([{ voiceai_transcript: expect.stringContaining(':'), partner: linked(zoe) }])
    const notes = await office.posts('res.partner', zoe)
    expect(notes.filter((note) => note.includes(`Incoming call ${id}: completed`))).toHaveLength(1)
  })
})
