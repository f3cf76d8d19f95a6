import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  aConversationId,
  aFailure,
  anAudio,
  aTranscript,
  type CallRow,
  callOf,
  callsOf,
  deliver,
  type PostCallBody,
  parseFixture,
  recordingsOf,
  useSecret,
} from '../fixtures/post-call.ts'
import { aCall, aNumber, aPartner, aSid } from '../fixtures/records.ts'
import { TestApp } from '../support/test-app.ts'

const PARALLEL = 50

let app: TestApp

beforeAll(async () => {
  app = await TestApp.start()
  await useSecret(app)
})
afterAll(() => app.stop())

async function deliverAll(...bodies: PostCallBody[]): Promise<void> {
  for (const body of bodies) {
    const answer = await deliver(app, body)
    expect([answer.status, answer.text]).toEqual([200, ''])
  }
}

/** A call as it ended, without what differs from run to run. */
async function outcomeOf(conversationId: string): Promise<object> {
  const { id: _id, voiceai_conversation_id: _conversation, recordings, ...call } = await callOf(app, conversationId)
  const kept: (keyof CallRow)[] = ['status', 'duration', 'has_error', 'error_code', 'error_message', 'voiceai_summary']
  return {
    recordings: recordings.length,
    ...Object.fromEntries(kept.map((name) => [name, call[name as keyof typeof call]])),
  }
}

describe('parallel deliveries of one conversation', () => {
  it(`${PARALLEL} at once give one call and one recording`, async () => {
    const before = [await app.count('connect_call'), await app.count('connect_recording')]
    const body = aTranscript({ conversationId: 'conv_parallel' })
    const answers = await Promise.all(Array.from({ length: PARALLEL }, () => deliver(app, body)))
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`))).toEqual(new Set(['200 ']))
    expect(await callsOf(app, 'conv_parallel')).toHaveLength(1)
    expect(await recordingsOf(app, 'conv_parallel')).toHaveLength(1)
    expect([await app.count('connect_call'), await app.count('connect_recording')]).toEqual(
      before.map((count) => count + 1),
    )
  })

  it('parallel deliveries of one conversation make one call, also when transcript, audio and failure come mixed, and other conversations with them', async () => {
    const ids = ['conv_mixed_1', 'conv_mixed_2', 'conv_mixed_3']
    const bodies = ids.flatMap((id) => [
      aTranscript({ conversationId: id }),
      anAudio(id, Buffer.from(`ID3 ${id}`)),
      aFailure(id),
    ])
    const before = [await app.count('connect_call'), await app.count('connect_recording')]
    await Promise.all([...bodies, ...bodies.toReversed(), ...bodies].map((body) => deliver(app, body)))
    expect([await app.count('connect_call'), await app.count('connect_recording')]).toEqual(
      before.map((count) => count + 3),
    )
    const outcomes = await Promise.all(ids.map(outcomeOf))
    expect(new Set(outcomes.map((outcome) => JSON.stringify(outcome))).size).toBe(1)
    expect(outcomes[0]).toMatchObject({ status: 'completed', recordings: 1, has_error: false, error_code: null })
  })

  it('parallel deliveries of one conversation make one call in two processes as well', async (test) => {
    if (app.databaseUrl === undefined) return test.skip('two processes cannot share the embedded database')
    const other = await TestApp.start({ sharesDatabaseOf: app })
    try {
      const ids = Array.from({ length: 10 }, (_, at) => `conv_shared_${at}`)
      const before = [await app.count('connect_call'), await app.count('connect_recording')]
      const bodies = ids.flatMap((id) => [
        aTranscript({ conversationId: id }),
        anAudio(id, Buffer.from('ID3')),
        aFailure(id),
      ])
      await Promise.all([app, other, other, app].flatMap((process) => bodies.map((body) => deliver(process, body))))
      const after = [await app.count('connect_call'), await app.count('connect_recording')]
      expect(after).toEqual(before.map((count) => count + ids.length))
    } finally {
      await other.stop()
    }
  })

  it('attached to one call of telephony, it stays one call', async () => {
    const sid = aSid()
    const id = await aCall(app, { sid })
    const before = await app.count('connect_call')
    const body = aTranscript({ conversationId: 'conv_attached', callSid: sid })
    await Promise.all(Array.from({ length: 20 }, () => deliver(app, body)))
    expect(await app.count('connect_call')).toBe(before)
    expect((await callOf(app, 'conv_attached')).id).toBe(id)
  })
})

describe('call_initiation_failure', () => {
  it('call_initiation_failure of the SIP form is a failed outgoing call with its reason', async () => {
    const partner = await aPartner(app, { name: 'Called', phone: '+14155550100' })
    await deliverAll(parseFixture('failure-sip'))
    expect(await callOf(app, 'conv_2')).toMatchObject({
      status: 'failed',
      direction: 'outgoing',
      caller: '+14155550199',
      called: '+14155550100',
      duration: 0,
      partner: [partner, 'Called'],
      call_sid: 'd8e7f6a5-b4c3-4d5e-8f9a-0b1c2d3e4f5a',
      has_error: true,
      error_code: 'busy',
      error_message: 'The call could not be started: busy (INVITE failed: sip status: 486: Busy here (SIP 486))',
    })
    expect(await recordingsOf(app, 'conv_2')).toEqual([])
  })

  it('call_initiation_failure of the telephony form reads the raw callback', async () => {
    await deliverAll(parseFixture('failure-telco'))
    expect(await callOf(app, 'conv_3')).toMatchObject({
      status: 'failed',
      caller: '+14155550199',
      called: '+14155550100',
      call_sid: 'CA00000000000000000000000000000003',
      error_code: 'no-answer',
      error_message: 'The call could not be started: no-answer (no-answer)',
    })
  })

  it('joins the call that telephony logged, whose state stays as telephony said', async () => {
    const sid = aSid()
    const id = await aCall(app, {
      sid,
      direction: 'outgoing',
      status: 'busy',
      caller: '+41310000000',
      called: aNumber(),
    })
    const conversationId = aConversationId()
    const body = aFailure(conversationId, 'failure-telco')
    Object.assign((body.data.metadata as { body: object }).body, { CallSid: sid })
    await deliverAll(body, body)
    expect(await callOf(app, conversationId)).toMatchObject({
      id,
      status: 'busy',
      has_error: true,
      error_code: 'no-answer',
    })
    await deliverAll(aTranscript({ conversationId, callSid: sid }))
    expect(await callOf(app, conversationId)).toMatchObject({ id, status: 'busy', has_error: false, error_code: null })
  })

  it.each([
    ['with a number', { whatsapp: { direction: 'outbound', whatsapp_user_id: '4915112345678' } }, '+4915112345678'],
    ['with an id', { whatsapp: { whatsapp_user_id: 'DE.815799212886844830' } }, 'DE.815799212886844830'],
    ['by type', { type: 'whatsapp', body: { whatsapp_user_id: '4915112345678' } }, '+4915112345678'],
  ])('call_initiation_failure over WhatsApp %s is a failed call over WhatsApp', async (_name, metadata, called) => {
    const conversationId = aConversationId()
    const data = { conversation_id: conversationId, agent_id: 'agent_1', failure_reason: 'unknown', metadata }
    await deliverAll({ type: 'call_initiation_failure', data })
    expect(await callOf(app, conversationId)).toMatchObject({
      ...{ status: 'failed', direction: 'outgoing', call_type: 'whatsapp', called, error_code: 'unknown' },
    })
  })

  it('call_initiation_failure without any reason or detail is still a failed call', async () => {
    const conversationId = aConversationId()
    await deliverAll({ type: 'call_initiation_failure', data: { conversation_id: conversationId, metadata: null } })
    expect(await callOf(app, conversationId)).toMatchObject({ status: 'failed', error_code: 'unknown' })
  })

  it('call_initiation_failure that names neither a conversation nor a call is acknowledged', async () => {
    const before = await app.count('connect_call')
    await deliverAll({ type: 'call_initiation_failure', data: {} })
    expect(await app.count('connect_call')).toBe(before)
  })
})

describe('the order and the number of deliveries do not matter', () => {
  const kinds = {
    transcript: (id: string) => aTranscript({ conversationId: id }),
    failure: (id: string) => aFailure(id),
    audio: (id: string) => anAudio(id, Buffer.from('ID3 sound')),
    empty: (id: string) =>
      aTranscript({ conversationId: id, data: { transcript: [], analysis: { call_successful: 'success' } } }),
  }
  type Kind = keyof typeof kinds

  it.each<Kind[][]>([
    [['transcript', 'failure']],
    [['transcript', 'audio']],
    [['failure', 'audio']],
    [['empty', 'failure']],
    [['empty', 'audio']],
    [['transcript', 'failure', 'audio']],
    [['empty', 'failure', 'audio']],
  ])('%j', async (...[set]) => {
    const outcomes = new Set<string>()
    for (const order of permutations(set as unknown as Kind[])) {
      const conversationId = aConversationId()
      const bodies = order.map((kind) => kinds[kind](conversationId))
      await deliverAll(...bodies, ...bodies)
      const recordings = await recordingsOf(app, conversationId)
      const { id } = await callOf(app, conversationId)
      for (const recording of recordings) expect(recording.call?.[0]).toBe(id)
      outcomes.add(
        JSON.stringify([
          await outcomeOf(conversationId),
          recordings.map(({ voiceai_transcript: text, media_type: media }) => [text, media]),
        ]),
      )
    }
    expect([...outcomes]).toHaveLength(1)
  })

  it('a transcript takes a failure away: the conversation took place after all', async () => {
    const conversationId = aConversationId()
    await deliverAll(aFailure(conversationId))
    expect(await outcomeOf(conversationId)).toMatchObject({ status: 'failed', has_error: true })
    await deliverAll(aTranscript({ conversationId }))
    expect(await outcomeOf(conversationId)).toEqual({
      status: 'completed',
      duration: 50,
      has_error: false,
      error_code: null,
      error_message: null,
      voiceai_summary: 'Caller reported a broken unit.',
      recordings: 1,
    })
  })
})

function permutations<Item>(items: readonly Item[]): Item[][] {
  if (items.length <= 1) return [[...items]]
  return items.flatMap((item, at) => permutations(items.toSpliced(at, 1)).map((rest) => [item, ...rest]))
}
