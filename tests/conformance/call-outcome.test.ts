// What came of a call: docs/reference/domain.md#call-fields.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sql } from '../../src/database/drizzle.ts'
import { aConversationId, aFailure, aTranscript, callOf, deliver, useSecret } from '../fixtures/post-call.ts'
import { aCall } from '../fixtures/records.ts'
import { recordStatements } from '../support/plans.ts'
import { callback, newSid, Office } from '../support/telco-office.ts'

const FIELDS = ['outcome', 'started_at', 'answered_at', 'ended_at', 'wait_seconds', 'end_reason', 'strip']

let office: Office

beforeAll(async () => {
  office = await Office.start()
  await useSecret(office.app)
})
afterAll(() => office.stop())

async function shown(id: number): Promise<Record<string, unknown>> {
  const [row] = await office.app.admin.ask<Record<string, unknown>[]>('connect.call', 'read', {
    ids: [id],
    fields: FIELDS,
  })
  return row ?? {}
}

/** A call that our own markup answered, registered with an agent, and its conversation, in an order. */
async function registered(order: readonly ('legs' | 'conversation')[]): Promise<Record<string, unknown>> {
  const [sid, conversationId] = [newSid(), aConversationId()]
  const [leg] = [{ sid }]
  for (const each of order) {
    if (each === 'legs') {
      await office.reports(callback(leg, 'ringing', { seconds: 0 }))
      await office.reports(callback(leg, 'completed', { seconds: 30, sequence: 2, CallDuration: '30' }))
    } else {
      const answer = await deliver(office.app, aTranscript({ conversationId, callSid: sid }))
      expect(answer.status).toBe(200)
    }
  }
  const { id } = await callOf(office.app, conversationId)
  const { id: _id, strip: _strip, ...said } = await shown(id)
  return said
}

describe('the outcome of a call', () => {
  it('the outcome is the agent where a conversation was held, whichever of legs and conversation comes first', async () => {
    const late = await registered(['legs', 'conversation'])
    expect(late).toMatchObject({ outcome: 'agent', end_reason: 'nothing_dialled' })
    expect(late.answered_at).not.toBeNull()
    expect(await registered(['conversation', 'legs'])).toEqual(late)
  })

  it('the outcome is that of the conversation where telephony reported no leg', async () => {
    const [talked, failed] = [aConversationId(), aConversationId()]
    await deliver(office.app, aTranscript({ conversationId: talked }))
    await deliver(office.app, aFailure(failed))
    const call = await callOf(office.app, talked)
    expect(await shown(call.id)).toMatchObject({
      outcome: 'agent',
      wait_seconds: 0,
      strip: [{ kind: 'agent', from_ms: 0, to_ms: call.duration * 1_000 }],
    })
    expect(await shown((await callOf(office.app, failed)).id)).toMatchObject({ outcome: 'failed', strip: [] })
  })

  it('the outcome is a voicemail from the moment at which one is shown, and missed again when it is deleted', async () => {
    const sid = newSid()
    const child = { sid: newSid(), parent: sid, direction: 'outbound-dial' as const, to: '+14155550177' }
    await office.reports(callback({ sid }, 'ringing'))
    await office.reports(callback(child, 'no-answer', { seconds: 20 }))
    const id = Number(await office.reports(callback({ sid }, 'completed', { seconds: 40, CallDuration: '40' })))
    expect(await shown(id)).toMatchObject({ outcome: 'missed', end_reason: 'nobody_answered', wait_seconds: 40 })
    await office.app.db.query(
      sql`update connect_call set voicemail_url = 'https://telco.example/v', voicemail_duration = 8 where id = ${id}::bigint`,
    )
    expect(await shown(id)).toMatchObject({ outcome: 'voicemail' })
    expect((await shown(id)).strip).toContainEqual({ kind: 'voicemail', from_ms: 32_000, to_ms: 40_000, who: null })
    await office.app.admin.ask('connect.call', 'delete_voicemail', { ids: [id] })
    expect(await shown(id)).toMatchObject({ outcome: 'missed' })
  })

  it('the outcome is in progress while a leg lives', async () => {
    const id = Number(await office.reports(callback({ sid: newSid() }, 'ringing')))
    expect(await shown(id)).toMatchObject({ outcome: 'in_progress', ended_at: null, wait_seconds: null })
    expect((await shown(id)).strip).toEqual([{ kind: 'ringing', from_ms: 0, to_ms: null, who: null }])
  })

  it('the outcome of a call written down by hand follows its status, and can be searched, filtered and sorted by', async () => {
    const { admin } = office.app
    const vals = { caller: '+41310000009', direction: 'incoming', status: 'no-answer' }
    const id = await admin.ask<number>('connect.call', 'create', { vals_list: vals })
    const found = await admin.ask<{ id: number }[]>('connect.call', 'search_read', {
      domain: [
        ['outcome', 'in', ['missed', 'voicemail']],
        ['caller', '=', '+41310000009'],
      ],
      fields: ['outcome', 'wait_seconds'],
      order: 'started_at desc, outcome, wait_seconds, id',
    })
    expect(found.map((row) => row.id)).toEqual([id])
  })

  it('the outcome is written by nobody', async () => {
    const id = await aCall(office.app)
    const answer = await office.app.admin.call('connect.call', 'write', { ids: [id], vals: { outcome: 'agent' } })
    expect(answer.status).toBeGreaterThanOrEqual(400)
    expect(answer.text).toContain('outcome')
  })
})

describe('the recording of a conversation', () => {
  it('the recording of a conversation has its turns, when it began and why it ended', async () => {
    const conversationId = aConversationId()
    const body = aTranscript({ conversationId })
    const metadata = body.data.metadata as Record<string, unknown>
    Object.assign(metadata, { start_time_unix_secs: 1_760_000_000, termination_reason: 'end_call tool was called' })
    body.data.transcript = [{ role: 'user', message: 'My boiler leaks.', time_in_call_secs: 7 }]
    await deliver(office.app, body)
    const [recording] = await office.app.admin.ask<object[]>('connect.recording', 'search_read', {
      domain: [['sid', '=', conversationId]],
      fields: ['turns', 'conversation_started_at', 'termination_reason'],
    })
    expect(recording).toMatchObject({
      turns: [{ at_ms: 7_000, role: 'user', text: 'My boiler leaks.', interrupted: false, tools: [] }],
      conversation_started_at: '2025-10-09 08:53:20',
      termination_reason: 'end_call tool was called',
    })
  })
})

describe('a status callback', () => {
  it('a status callback takes no statement more because of the outcome', async () => {
    const sid = newSid()
    await office.reports(callback({ sid }, 'ringing'))
    const ran = await recordStatements(office.app.db, async () => {
      await office.reports(callback({ sid }, 'in-progress', { sequence: 1, seconds: 2 }))
    })
    const own = ran.filter(({ text }) => /legs_outcome|legs_strip|end_reason/.test(text))
    expect(own.map(({ name }) => name)).toEqual(['calls_update'])
  })
})
