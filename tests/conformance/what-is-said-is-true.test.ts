// No conclusion from one report that another contradicts: voicemails, recordings, dials, conversations, and forms that say little.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sql } from '../../src/database/drizzle.ts'
import { aConversationId, aFailure, aTranscript, callOf, deliver, useSecret } from '../fixtures/post-call.ts'
import { ACCOUNT_SID, sendTelco } from '../support/telco.ts'
import { callback, type Form, type Leg, newSid, Office, providerTime, requestOf } from '../support/telco-office.ts'
import { eventually } from '../support/test-app.ts'

let office: Office
let alice: { id: number; loginId: number }

beforeAll(async () => {
  office = await Office.start()
  await useSecret(office.app)
  alice = await office.user('alice', '101', { record_calls: true })
})
afterAll(() => office.stop())

const SEEN = ['outcome', 'voicemail_icon', 'voicemail_widget', 'voicemail_duration', 'needs_callback', 'answered_user']
const RECORDED = ['recording', 'recording_icon', 'recording_widget']

let callers = 0
function aCaller(): string {
  callers += 1
  return `+1415555${String(1000 + callers)}`
}

function callTo(from: string): { root: Leg; leg: Leg } {
  const root: Leg = { sid: newSid(), from }
  const to = 'client:alice@acme.sip.twilio.com'
  return { root, leg: { sid: newSid(), parent: root.sid, direction: 'outbound-dial', from, to } }
}

/** All orders of a few things. */
function orders<Thing>(things: readonly Thing[]): Thing[][] {
  if (things.length < 2) return [[...things]]
  return things.flatMap((first, at) => orders(things.toSpliced(at, 1)).map((rest) => [first, ...rest]))
}

function voicemail({ sid }: Leg, fields: Form = {}): Form {
  const RecordingSid = newSid('RE')
  const RecordingUrl = `https://api.twilio.com/2010-04-01/Accounts/${ACCOUNT_SID}/Recordings/${RecordingSid}`
  const what = { RecordingSid, RecordingUrl, RecordingStatus: 'completed', RecordingDuration: '12' }
  return { AccountSid: ACCOUNT_SID, CallSid: sid, ...what, ...fields }
}

async function explain(id: number): Promise<{ code: string; sentence: string; fixes: { code: string }[] }> {
  return office.app.admin.ask('connect.call', 'explain', { ids: [id] })
}

describe('a dial that answered and was connected with nobody', () => {
  const parts = ['answered', 'completed', 'action', 'voicemail'] as const

  const named = orders(parts).map((order) => [order.join(', '), order, true] as const)
  const unnamed = orders(parts).map((order) => [`${order.join(', ')}, without DialCallSid`, order, false] as const)

  it.each([...named, ...unnamed])(
    'a dial without a bridge is no person who answered: the voicemail counts, and waits to be called back (%s)',
    async (_name, order, isNamed) => {
      const { root, leg } = callTo(aCaller())
      await office.reports(callback(root, 'ringing'), callback(root, 'in-progress', { sequence: 1, seconds: 1 }))
      const dial = { DialCallStatus: 'completed', DialBridged: 'false', ...(isNamed ? { DialCallSid: leg.sid } : {}) }
      const steps = {
        answered: () => office.reports(callback(leg, 'in-progress', { sequence: 1, seconds: 5 })),
        completed: () => office.reports(callback(leg, 'completed', { sequence: 2, seconds: 9, CallDuration: '4' })),
        action: () =>
          office.voice(`connect.user/call_action/${alice.id}`, {
            ...requestOf(root),
            CallStatus: 'in-progress',
            ...dial,
          }),
        voicemail: () => office.report('vm_recordingstatus', voicemail(root)),
      }
      for (const part of order) await steps[part]()
      await office.reports(callback(root, 'completed', { sequence: 3, seconds: 40, CallDuration: '40' }))
      const call = await office.call(root.sid, SEEN)
      expect(call).toMatchObject({
        outcome: 'voicemail',
        voicemail_duration: 12,
        needs_callback: true,
        answered_user: null,
      })
      expect(call.voicemail_icon).not.toBeNull()
    },
  )

  const contradictions: Form[] = [
    ...['busy', 'no-answer', 'failed', 'canceled'].flatMap((status) => [
      { DialCallStatus: status },
      { DialCallStatus: status, DialBridged: 'false' },
    ]),
    { DialBridged: 'false' },
    { DialCallStatus: 'Completed', DialBridged: 'False' },
  ]

  const everyWay = contradictions.flatMap((dial) =>
    ['connect.user', ''].flatMap((model) => [true, false].map((isFirst) => ({ model, isFirst, dial }))),
  )

  it.each(everyWay)(
    'a phone that answered is no person where the dial says that it connected nobody: %j',
    async ({ model, isFirst, dial }) => {
      const route = model === '' ? 'callaction' : `${model}/call_action/${alice.id}`
      const { root, leg } = callTo(aCaller())
      const action = { ...requestOf(root), CallStatus: 'in-progress', DialCallSid: leg.sid, ...dial }
      await office.reports(callback(root, 'ringing'), callback(root, 'in-progress', { sequence: 1, seconds: 1 }))
      if (isFirst) await office.voice(route, action)
      await office.reports(
        callback(leg, 'in-progress', { sequence: 1, seconds: 5 }),
        callback(leg, 'completed', { sequence: 2, seconds: 9, CallDuration: '4' }),
      )
      if (!isFirst) await office.voice(route, action)
      await office.report('vm_recordingstatus', voicemail(root))
      await office.reports(callback(root, 'completed', { sequence: 3, seconds: 40, CallDuration: '40' }))
      const call = await office.call(root.sid, SEEN)
      expect(call).toMatchObject({ outcome: 'voicemail', needs_callback: true, answered_user: null })
    },
  )

  const lost = ['none', 'ringing', 'in-progress', 'no-answer', 'busy', 'failed', 'canceled'].flatMap((status) =>
    [true, false].map((isFirst) => ({ status, isFirst })),
  )

  it.each(lost)(
    'a dial that connected two people is a person who answered, whatever is reported of the leg: %j',
    async ({ status, isFirst }) => {
      const { root, leg } = callTo(aCaller())
      const dial = { DialCallSid: leg.sid, DialCallStatus: 'completed', DialBridged: 'true', DialCallDuration: '37' }
      const action = { ...requestOf(root), CallStatus: 'in-progress', ...dial }
      await office.reports(callback(root, 'ringing'))
      if (isFirst) await office.voice(`connect.user/call_action/${alice.id}`, action)
      if (status !== 'none') await office.reports(callback(leg, status, { seconds: 9 }))
      if (!isFirst) await office.voice(`connect.user/call_action/${alice.id}`, action)
      await office.reports(callback(root, 'completed', { sequence: 3, seconds: 60, CallDuration: '60' }))
      const call = await office.call(root.sid, SEEN)
      expect(call).toMatchObject({ outcome: 'person', needs_callback: false })
      expect(await office.leg(leg.sid, ['status', 'duration'])).toMatchObject({ status: 'completed', duration: 37 })
    },
  )

  it('a dial to a voice agent that connected makes no person of a leg that nobody reported', async () => {
    const agent = await office.agent()
    const { root, leg } = callTo(aCaller())
    await office.reports(callback(root, 'ringing'))
    const dial = { DialCallSid: leg.sid, DialCallStatus: 'completed', DialBridged: 'true', DialCallDuration: '37' }
    await office.voice(`connect.voiceai_agent/call_action/${agent}`, {
      ...requestOf(root),
      CallStatus: 'in-progress',
      ...dial,
    })
    await office.reports(callback(root, 'completed', { sequence: 3, seconds: 60, CallDuration: '60' }))
    expect((await office.call(root.sid, SEEN)).outcome).not.toBe('person')
  })

  it.each(['connect.user', ''])(
    'a dial without a bridge or voicemail is a missed call, and with a bridge a person: %j',
    async (model) => {
      const route = model === '' ? 'callaction' : `${model}/call_action/${alice.id}`
      for (const [bridged, outcome] of [
        ['false', 'missed'],
        ['true', 'person'],
      ] as const) {
        const { root, leg } = callTo(aCaller())
        await office.reports(callback(root, 'ringing'), callback(leg, 'completed', { seconds: 9, CallDuration: '4' }))
        const dial = { DialCallStatus: 'completed', DialCallSid: leg.sid, DialBridged: bridged }
        const action = { ...requestOf(root), CallStatus: 'in-progress', ...dial }
        await office.voice(route, action)
        await office.reports(callback(root, 'completed', { sequence: 3, seconds: 40, CallDuration: '40' }))
        const call = await office.call(root.sid, SEEN)
        expect(call).toMatchObject({ outcome })
        expect((await explain(call.id)).code).toBe(bridged === 'true' ? 'person' : 'nobody_answered')
      }
    },
  )

  it('a number that was picked up and connected with nobody did not answer the call from here', async () => {
    const root: Leg = {
      sid: newSid(),
      from: 'sip:alice@acme.sip.twilio.com',
      to: 'sip:+41795550199@acme.sip.twilio.com',
    }
    const leg: Leg = { ...root, sid: newSid(), parent: root.sid, direction: 'outbound-dial', to: '+41795550199' }
    await office.reports(callback(root, 'ringing'), callback(leg, 'completed', { seconds: 9, CallDuration: '4' }))
    const dial = { DialCallSid: leg.sid, DialCallStatus: 'no-answer', DialBridged: 'false' }
    await office.voice('callaction', { ...requestOf(root), CallStatus: 'in-progress', ...dial })
    await office.reports(callback(root, 'completed', { sequence: 3, seconds: 60, CallDuration: '60' }))
    expect(await office.call(root.sid, SEEN)).toMatchObject({ outcome: 'no_answer' })
  })

  it.each([
    ['no-answer', {}, 'nobody_answered'],
    ['busy', {}, 'refused'],
    ['failed', { SipResponseCode: '480' }, 'not_reached'],
    ['failed', {}, 'not_reached'],
    ['failed', { ErrorCode: '13224', ErrorMessage: 'Invalid number' }, 'provider_refused'],
  ] as const)(
    'a dial that ended %s is told as it ended, also where no report tells when: %j',
    async (status, error, code) => {
      const { root, leg } = callTo(aCaller())
      const untimed = ({ Timestamp: _, ...form }: Form) => form
      const told = [untimed(callback(root, 'ringing')), { ...untimed(callback(leg, status)), ...error }]
      await office.reports(...told, untimed(callback(root, 'completed', { sequence: 3, CallDuration: '9' })))
      const { call } = await office.leg(root.sid, ['call'])
      expect(await explain(Array.isArray(call) ? Number(call[0]) : 0)).toMatchObject({ code })
    },
  )

  it('a voicemail that began after they had talked waits to be called back; one from before does not', async () => {
    for (const [began, outcome] of [
      [20, 'voicemail'],
      [3, 'person'],
    ] as const) {
      const { root, leg } = callTo(aCaller())
      await office.reports(callback(root, 'ringing'), callback(leg, 'in-progress', { sequence: 1, seconds: 5 }))
      await office.report('vm_recordingstatus', voicemail(root, { RecordingStartTime: providerTime(began) }))
      await office.reports(callback(leg, 'completed', { sequence: 2, seconds: 15, CallDuration: '10' }))
      await office.reports(callback(root, 'completed', { sequence: 3, seconds: 40, CallDuration: '40' }))
      expect(await office.call(root.sid, SEEN)).toMatchObject({ outcome })
    }
  })
})

describe('a voicemail of no length', () => {
  it.each([
    ['0 seconds', { RecordingDuration: '0' }],
    ['0.0 seconds', { RecordingDuration: '0.0' }],
    ['absent', { RecordingStatus: 'absent' }],
    ['failed', { RecordingStatus: 'failed' }],
    ['no address', { RecordingUrl: '' }],
  ])('a voicemail of no length is none (%s): the call was missed', async (_name, fields) => {
    const { root, leg } = callTo(aCaller())
    await office.reports(callback(root, 'ringing'), callback(leg, 'no-answer', { seconds: 20 }))
    expect(await office.report('vm_recordingstatus', voicemail(root, fields))).toBe('True')
    await office.reports(callback(root, 'completed', { sequence: 3, seconds: 40, CallDuration: '40' }))
    const call = await office.call(root.sid, SEEN)
    expect(call).toMatchObject({
      outcome: 'missed',
      voicemail_icon: null,
      voicemail_widget: null,
      needs_callback: true,
    })
    expect((await explain(call.id)).sentence).not.toContain('message')
  })

  it.each(['-1', ''])(
    'a voicemail whose length is not known (%j) is one, and nothing is said of its length',
    async (RecordingDuration) => {
      const { root, leg } = callTo(aCaller())
      await office.reports(callback(root, 'ringing'), callback(leg, 'no-answer', { seconds: 20 }))
      expect(await office.report('vm_recordingstatus', voicemail(root, { RecordingDuration }))).toBe('True')
      await office.reports(callback(root, 'completed', { sequence: 3, seconds: 40, CallDuration: '40' }))
      const call = await office.call(root.sid, SEEN)
      expect(call).toMatchObject({ outcome: 'voicemail', needs_callback: true })
      expect((await explain(call.id)).sentence).not.toMatch(/\b0 s/)
      const told = await office.app.admin.ask<{ moments: { title: string; sentence: string }[] }>(
        'connect.call',
        'timeline',
        {
          ids: [call.id],
        },
      )
      expect(told.moments.filter(({ title }) => title === 'voicemail').map(({ sentence }) => sentence)).toEqual([
        'Voicemail',
      ])
    },
  )

  it('a voicemail learns its length from a later report', async () => {
    const { root, leg } = callTo(aCaller())
    await office.reports(callback(root, 'ringing'), callback(leg, 'no-answer', { seconds: 20 }))
    const whole = voicemail(root)
    const { RecordingDuration: _length, ...without } = whole
    for (const form of [without, whole, without]) await office.report('vm_recordingstatus', form)
    expect(await office.call(root.sid, SEEN)).toMatchObject({ voicemail_duration: 12 })
  })
})

describe('a recording without audio', () => {
  const NONE: [string, Form][] = [
    ...['absent', 'failed', 'in-progress'].map((status): [string, Form] => [
      status,
      { RecordingStatus: status, RecordingUrl: '' },
    ]),
    ['of 0 seconds', { RecordingDuration: '0' }],
  ]

  it.each(NONE)(
    'a recording without audio hides none that has some, whichever is reported first (%s)',
    async (_what, without) => {
      for (const isFirst of [true, false]) {
        const { root } = callTo(aCaller())
        await office.reports(callback(root, 'completed', { seconds: 40, CallDuration: '40' }))
        const [audible, none] = [voicemail(root), voicemail(root, without)]
        for (const form of isFirst ? [none, audible] : [audible, none]) await office.report('recordingstatus', form)
        const [recording] = await office.list('connect.recording', [['sid', '=', audible.RecordingSid]], ['id'])
        const call = await office.call(root.sid, RECORDED)
        expect(call.recording).toEqual([recording?.id, expect.any(String)])
        expect(call.recording_widget).toContain('<audio')
        const domain = [
          ['id', '=', call.id],
          ['is_recorded', '=', true],
        ]
        expect(await office.list('connect.call', domain, ['is_recorded'])).toEqual([{ id: call.id, is_recorded: true }])
        expect(await office.app.admin.ask('connect.call', 'search_count', { domain })).toBe(1)
        const { audio } = await office.app.admin.ask<{ audio: object[] }>('connect.call', 'timeline', {
          ids: [call.id],
        })
        expect(audio).toHaveLength(1)
      }
    },
  )

  it.each(NONE)('a recording without audio shows no sign of one: %s', async (_what, without) => {
    const { root } = callTo(aCaller())
    await office.reports(callback(root, 'completed', { seconds: 40, CallDuration: '40' }))
    await office.report('recordingstatus', voicemail(root, without))
    const call = await office.call(root.sid, RECORDED)
    expect(call).toMatchObject({ recording: null, recording_icon: null, recording_widget: null })
    for (const field of ['is_recorded', 'recordings.is_recorded']) {
      const domain = [
        ['id', '=', call.id],
        [field, '=', true],
      ]
      expect([field, await office.list('connect.call', domain, ['id'])]).toEqual([field, []])
    }
    const told = await office.app.admin.ask<{ audio: object[]; moments: { kind: string; title: string }[] }>(
      'connect.call',
      'timeline',
      { ids: [call.id] },
    )
    expect(told.audio).toEqual([])
    expect(told.moments.filter(({ title }) => title === 'recording')).toEqual([])
  })
})

describe('the recording of a conference', () => {
  it('the recording of a conference is stored without a call, and linked where a participant is known, in either order', async () => {
    for (const isFirst of [true, false]) {
      const { root } = callTo(aCaller())
      const ConferenceSid = newSid('CF')
      const { CallSid: _leg, ...form } = voicemail(root, { ConferenceSid })
      const participant = callback(root, 'completed', { seconds: 40, CallDuration: '40', ConferenceSid })
      if (isFirst) await office.reports(participant)
      expect(await office.report('recordingstatus', form)).toBe('True')
      if (!isFirst) await office.reports(participant)
      const { id } = await office.call(root.sid, ['id'])
      const stored = await office.only(
        'connect.recording',
        [['sid', '=', form.RecordingSid]],
        ['conference_sid', 'call', 'call_sid', 'duration'],
      )
      expect(stored).toMatchObject({ conference_sid: ConferenceSid, call: [id, expect.any(String)], duration: 12 })
    }
  })

  it('one that names neither call nor conference is refused as before', async () => {
    const { CallSid: _leg, ...form } = voicemail(callTo(aCaller()).root)
    expect(await office.report('recordingstatus', form)).toBe('False')
  })
})

describe('a report that says little', () => {
  it('a form without a status changes nothing of a leg that is not known', async () => {
    const sid = newSid()
    for (const status of ['', undefined]) {
      const { CallStatus: _status, ...bare } = callback({ sid }, 'ringing')
      const form = status === undefined ? bare : { ...bare, CallStatus: status }
      expect(await office.report('callstatus', form)).toBe('False')
    }
    expect(await office.list('connect.channel', [['sid', '=', sid]], ['id'])).toEqual([])
    const id = await office.reports(callback({ sid }, 'ringing'))
    const { CallStatus: _status, ...bare } = callback({ sid }, 'ringing')
    expect(await office.report('callstatus', bare)).toBe(id)
    expect(await office.leg(sid, ['status'])).toMatchObject({ status: 'ringing' })
  })

  it('an unknown status takes nothing back', async () => {
    const sid = newSid()
    await office.reports(
      callback({ sid }, 'completed', { seconds: 9, CallDuration: '9' }),
      callback({ sid }, 'teleported'),
    )
    expect(await office.leg(sid, ['status', 'duration'])).toMatchObject({ status: 'completed', duration: 9 })
  })

  it.each(orders([0, 1, 2]).map((order) => [order.join(), order] as const))(
    'a completed leg without a duration lasted from the answer to the end (%s)',
    async (_name, order) => {
      const sid = newSid()
      const forms = [
        callback({ sid }, 'ringing', { seconds: 0 }),
        callback({ sid }, 'in-progress', { sequence: 1, seconds: 6 }),
        callback({ sid }, 'completed', { sequence: 2, seconds: 43 }),
      ]
      await office.reports(...order.map((at) => forms[at] ?? {}))
      expect(await office.leg(sid, ['duration'])).toMatchObject({ duration: 37 })
      expect(await office.call(sid, ['duration'])).toMatchObject({ duration: 37 })
      await office.reports(callback({ sid }, 'completed', { sequence: 2, seconds: 43, CallDuration: '38' }))
      expect(await office.call(sid, ['duration'])).toMatchObject({ duration: 38 })
    },
  )
})

describe('what the network says of a caller', () => {
  it('the name and verification of a caller are stored with the call and its leg, and told in words', async () => {
    const root: Leg = { sid: newSid(), from: aCaller(), to: '+14155550299' }
    await office.number('+14155550299', { destination: 'user', user: alice.id })
    const told = { CallerName: 'ACME Plumbing', StirVerstat: 'TN-Validation-Passed-A', ForwardedFrom: '+41315550101' }
    await office.voice('number', { ...requestOf(root), ...told })
    const stored = {
      caller_name: 'ACME Plumbing',
      stir_verstat: 'TN-Validation-Passed-A',
      forwarded_from: '+41315550101',
    }
    expect(await office.leg(root.sid, Object.keys(stored))).toMatchObject(stored)
    const call = await office.call(root.sid, [...Object.keys(stored), 'caller_verification'])
    expect(call).toMatchObject({ ...stored, caller_verification: 'The network vouches for the number' })
    await eventually(async () => {
      const { moments } = await office.app.admin.ask<{ moments: { sentence: string }[] }>('connect.call', 'timeline', {
        ids: [call.id],
      })
      const told = 'Call received from ACME Plumbing, forwarded from +41315550101. The network vouches for the number'
      return moments.some(({ sentence }) => sentence.startsWith(told))
    })
  })
})

describe('how a conversation ended', () => {
  async function ended(metadata: object, { status = 'done', result = 'success' } = {}) {
    const conversationId = aConversationId()
    const body = aTranscript({ conversationId })
    Object.assign(body.data, { status })
    Object.assign(body.data.metadata as object, metadata)
    Object.assign(body.data.analysis as object, { call_successful: result })
    await deliver(office.app, body)
    const { id } = await callOf(office.app, conversationId)
    const fields = ['outcome', 'conversation_result', 'conversation_ending', 'has_error']
    const [call] = await office.list('connect.call', [['id', '=', id]], fields)
    return { call, why: await explain(id) }
  }

  it.each([
    ['end_call tool was called.', 'agent_ended'],
    ['Call ended by remote party', 'agent_caller_hung_up'],
    ['The user hung up', 'agent_caller_hung_up'],
    ['Client disconnected: 1005', 'agent_disconnected'],
    ['Silence end call timeout reached', 'agent_silence'],
    ['voicemail_detection tool was called.', 'agent_voicemail'],
    ['Conversation exceeded maximum duration', 'agent_too_long'],
    ['transfer_to_number tool was called.', 'agent_transferred'],
    ['', 'agent_no_reason'],
    ['The moon was in the way', 'agent_said'],
    ['Transfer to number failed', 'agent_said'],
    ['agent_hangup', 'agent_ended'],
    ['Hangup by the assistant', 'agent_ended'],
    ['Agent disconnected', 'agent_said'],
    ['Voicemail not detected', 'agent_said'],
    ['voicemail_not_detected', 'agent_said'],
    ['transfer-failed', 'agent_said'],
    ['call_ended_by_user', 'agent_caller_hung_up'],
    ['customer-ended-call', 'agent_caller_hung_up'],
    ['Maximum conversation length exceeded', 'agent_too_long'],
    ['No response from user', 'agent_silence'],
    ['The user did not want to be transferred', 'agent_said'],
  ])('the ending %j is told in its own words', async (reason, code) => {
    const { call, why } = await ended({ termination_reason: reason })
    expect(call).toMatchObject({ outcome: 'agent', conversation_ending: code.replace('agent_', '') })
    expect(why.code.replace(/_(ticket|visit)$/, '')).toBe(code)
    if (code === 'agent_said') expect(why.sentence).toContain(`“${reason}”`)
  })

  it.each([
    [{ error: { code: 1002, reason: 'This request exceeds your quota limit.' } }, 'agent_quota'],
    [{ termination_reason: 'This request exceeds your quota limit.' }, 'agent_quota'],
    [{ error: { code: 1011, reason: 'Non retryable error during text to speech' } }, 'agent_error'],
    [{ termination_reason: '' }, 'agent_failed'],
  ])('a failed one is an error with something to do: %j', async (metadata, code) => {
    const { call, why } = await ended(metadata, { status: 'failed', result: 'unknown' })
    expect(call).toMatchObject({ outcome: 'failed', conversation_result: 'unknown', has_error: true })
    expect(why.code).toBe(code)
    expect(why.fixes.map((fix) => fix.code)).toContain(code === 'agent_quota' ? 'fix_quota' : 'fix_platform')
  })

  it.each([
    ['busy', 'busy', '+14155550100 was busy, or declined the call.'],
    ['no-answer', 'no_answer', '+14155550100 did not answer.'],
    ['unknown', 'not_started', 'unknown'],
  ])('a call of an agent that was not started for %j is told so', async (reason, code, sentence) => {
    const conversationId = aConversationId()
    const body = aFailure(conversationId)
    Object.assign(body.data, { failure_reason: reason })
    await deliver(office.app, body)
    const why = await explain((await callOf(office.app, conversationId)).id)
    expect(why).toMatchObject({ code, sentence: expect.stringContaining(sentence) })
    expect(why.fixes.some((fix) => fix.code === 'fix_synchronise_agents')).toBe(code === 'not_started')
  })

  it.each(['quota_exceeded', 'This request exceeds your quota limit.', 'Insufficient credits'])(
    'one that the quota ended half-way is an error with something to do, though it is called done: %j',
    async (reason) => {
      const { call, why } = await ended({ termination_reason: reason })
      expect(call).toMatchObject({ outcome: 'failed', has_error: true })
      expect(why.code).toBe('agent_quota')
      expect(why.fixes.map((fix) => fix.code)).toContain('fix_quota')
    },
  )

  it.each([
    'Agent ended the call: billing question answered',
    'end_call tool was called: insufficient credits explained',
    'Customer asked about credits',
  ])('one that was about money is no quota, and has not failed: %j', async (reason) => {
    const { call, why } = await ended({ termination_reason: reason })
    expect(call).toMatchObject({ outcome: expect.not.stringMatching('failed'), has_error: false })
    expect(why.code).not.toBe('agent_quota')
  })

  it('one that failed for another error is no quota, though the agent spoke of credits', async () => {
    const metadata = {
      error: { code: 1011, reason: 'Non retryable error during text to speech' },
      termination_reason: 'Agent ended the call: insufficient credits explained',
    }
    const { why } = await ended(metadata, { status: 'failed', result: 'unknown' })
    expect(why.code).toBe('agent_error')
  })
})

describe('an address that is nearly right', () => {
  it.each([
    ['/telco/webhook/number/', 'a trailing slash', '/telco/webhook/number'],
    ['/telco/webhook//callstatus', 'a double slash', '/telco/webhook/callstatus'],
    ['/telco/webhook/CallStatus', 'capital letters', '/telco/webhook/callstatus'],
    ['/connect_voiceai/post_call/', 'a trailing slash', '/connect_voiceai/post_call'],
  ])('the address %s is answered with 404, and the log says why', async (path, what, right) => {
    const answer = await sendTelco(office.app, path, requestOf({ sid: newSid() }))
    expect(answer.status).toBe(404)
    await eventually(async () => {
      const rows = await office.app.db.query<{ reason: string }>(
        sql`select reason from connect_delivery where target = ${path} and status = 404`,
      )
      return rows[0]?.reason.includes(`The address has ${what}. Change it to ${right} at the provider.`)
    })
  })
})
