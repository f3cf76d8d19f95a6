import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { sql } from '../../../src/database/drizzle.ts'
import { POST_CALL, POST_CALL_READ, postCallConsumers } from '../../../src/voiceai/conversations/post-call.ts'
import { readPostCall } from '../../../src/voiceai/conversations/post-call-payload.ts'
import { aFailure, aTranscript, type PostCallBody } from '../../fixtures/post-call.ts'
import { aCall, aPartner } from '../../fixtures/records.ts'
import { asWebhook } from '../../support/effects.ts'
import { recordOwnStatements, recordStatements } from '../../support/plans.ts'
import { inLists, randomFrom, shuffled } from '../../support/random-lists.ts'
import { TestApp } from '../../support/test-app.ts'

const ROUNDS = 8
const LIST_MAX = 6
const CALLER = '+15550100001'

const consumer = postCallConsumers({ media: { store: () => Promise.reject(new Error('there is no audio here')) } })[
  POST_CALL
]

let app: TestApp
let callOfTelephony = 0

beforeAll(async () => {
  app = await TestApp.start()
  await aPartner(app, { name: 'Zoe', phone: CALLER })
})
afterAll(() => app.stop())
beforeEach(clear)

async function clear(): Promise<void> {
  await app.db.query(sql`delete from connect_recording`)
  await app.db.query(sql`delete from connect_call`)
  callOfTelephony = await aCall(app, { sid: 'CA-of-telephony', caller: '+15550100002' })
}

async function consume(bodies: readonly PostCallBody[]): Promise<unknown> {
  const deliveries = bodies.map((body) => ({
    kind: POST_CALL,
    conversation: undefined,
    payload: JSON.stringify(body),
    mediaRef: undefined,
  }))
  return asWebhook(app, async (env) => consumer?.consume(env, deliveries))
}

/** Conversations that nobody else knows, one of a call of telephony, ones that failed, before and after what was said in them. */
function bodies(): PostCallBody[] {
  const said = (conversationId: string, more = {}): PostCallBody =>
    aTranscript({ conversationId, callSid: `CA-${conversationId}`, external: CALLER, ...more })
  return [
    said('conv_1'),
    said('conv_2', { external: '+15550100777' }),
    said('conv_3', { callSid: 'CA-of-telephony' }),
    aFailure('conv_4'),
    said('conv_4'),
    said('conv_1'),
    aFailure('conv_2'),
    aFailure('conv_5'),
    said('conv_6', { variables: { connect_call_ref: String(callOfTelephony) } }),
    { type: 'of a later version', data: {} },
    said('conv_7', { conversationId: null, callSid: null }),
    aFailure('conv_5', 'failure-telco'),
  ]
}

/** Everything that the deliveries left but ids and times of writing. */
async function ledger(): Promise<unknown> {
  const calls = await app.db.query(
    sql`select c.voiceai_conversation_id, c.caller, c.called, c.direction, c.status, c.duration, c.call_sid, c.has_error,
          c.error_code, c.error_message, c.voiceai_summary, c.started_at, c.ended_at, c.conversation_seconds, p.name
        from connect_call c left join res_partner p on p.id = c.partner order by c.call_sid, c.voiceai_conversation_id`,
  )
  const recordings = await app.db.query(
    sql`select r.sid, r.call_sid, r.duration, r.voiceai_transcript, r.voiceai_summary, r.turns, r.conversation_started_at,
          c.voiceai_conversation_id, p.name
        from connect_recording r left join connect_call c on c.id = r.call left join res_partner p on p.id = r.partner order by r.sid`,
  )
  return { calls, recordings }
}

describe('post-call deliveries in one list', () => {
  it('leave the same rows as one after another, however they are grouped, and so do their repeats', async () => {
    const alone: unknown[] = []
    for (const body of bodies()) alone.push(...((await consume([body])) as unknown[]))
    const one = await ledger()
    expect(one).toMatchObject({ calls: { length: 6 }, recordings: { length: 5 } })
    for (let round = 0; round < ROUNDS; round += 1) {
      await clear()
      const lists = round === 0 ? [bodies()] : inLists(bodies(), LIST_MAX, randomFrom(round))
      const ends: unknown[] = []
      for (const list of lists) ends.push(...((await consume(list)) as unknown[]))
      expect(await ledger()).toEqual(one)
      expect(ends.map(stateOf)).toEqual(alone.map(stateOf))
      // As they are worked on once more when we died between the commit and the answer.
      await consume(bodies().toReversed())
      expect(await ledger()).toEqual(one)
    }
  })

  it('lists in opposite orders at once make each call and each recording once', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      await clear()
      const random = randomFrom(round + 1)
      const order = shuffled(bodies(), random)
      const lists = [...inLists(order, LIST_MAX, random), ...inLists(order.toReversed(), LIST_MAX, random)]
      await Promise.all(lists.map(consume))
      expect(await ledger()).toMatchObject({ calls: { length: 6 }, recordings: { length: 5 } })
    }
  })

  it('take as many statements as one', async () => {
    const many = (count: number): PostCallBody[] =>
      Array.from({ length: count }, (_each, at) =>
        aTranscript({ conversationId: `conv_${count}_${at}`, external: CALLER, callSid: `CA-${count}-${at}` }),
      )
    const one = await recordOwnStatements(app.db, () => consume(many(1)))
    const twenty = await recordOwnStatements(app.db, () => consume(many(20)))
    expect(one.length).toBeGreaterThan(0)
    expect(twenty.map(({ name }) => name)).toEqual(one.map(({ name }) => name))
  })
})

describe('stored deliveries that are worked on together', () => {
  it('one that takes too long is the only one that is tried again', async () => {
    const { inbox } = app.app
    await app.db.query(sql`delete from connect_inbox`)
    // As a server does with a statement that takes longer than it may.
    await app.db.script(`
      create function take_too_long() returns trigger language plpgsql as $$ begin
        raise exception 'canceling statement due to statement timeout' using errcode = '57014'; end $$;
      create trigger take_too_long before insert on connect_recording for each row
        when (new.sid = 'conv_slow') execute function take_too_long()`)
    const stored = await Promise.all(
      ['conv_1', 'conv_slow', 'conv_2'].map((conversationId) => {
        const payload = JSON.stringify(readPostCall(aTranscript({ conversationId, callSid: `CA-${conversationId}` })))
        return inbox.receive({ kind: POST_CALL_READ, conversation: undefined, payload, mediaRef: undefined })
      }),
    )
    const calls = await Promise.all(stored.map((id) => inbox.process(id ?? 0, POST_CALL_READ)))
    await app.db.script('drop trigger take_too_long on connect_recording; drop function take_too_long')
    expect(calls.map((call) => call !== undefined)).toEqual([true, false, true])
    const rows = await app.db.query(sql`select state, attempts from connect_inbox order by id`)
    const done = { state: 'done', attempts: 1 }
    expect(rows).toEqual([done, { state: 'failed', attempts: 1 }, done])
  })

  it('one that fails is the only one that is tried again, and nothing of the others is doubled', async () => {
    const { inbox } = app.app
    await app.db.query(sql`delete from connect_inbox`)
    const payloads = [1, 2, 3, 4, 5].map((at) =>
      JSON.stringify(readPostCall(aTranscript({ conversationId: `conv_${at}`, callSid: `CA-${at}` }))),
    )
    const stored = await Promise.all(
      payloads
        .toSpliced(2, 0, 'no JSON')
        .map((payload) =>
          inbox.receive({ kind: POST_CALL_READ, conversation: undefined, payload, mediaRef: undefined }),
        ),
    )
    const ran = await recordStatements(app.db, async () => {
      const calls = await Promise.all(stored.map((id) => inbox.process(id ?? 0, POST_CALL_READ)))
      expect(calls.map((call) => call !== undefined)).toEqual([true, true, false, true, true, true])
    })
    const claimed = ran.filter(({ name }) => name === 'inbox_claim').map(({ values: [ids] }) => ids)
    expect(claimed[0]).toEqual(stored)
    const rows = await app.db.query(sql`select state, attempts from connect_inbox order by id`)
    const done = { state: 'done', attempts: 1 }
    expect(rows).toEqual([done, done, { state: 'failed', attempts: 1 }, done, done, done])
    expect(await app.count('connect_recording')).toBe(5)
    // The call of telephony, and five.
    expect(await app.count('connect_call')).toBe(6)
  })
})

describe('deliveries that come at once', () => {
  it('deliveries that come at once are committed with the calls that they make, by one transaction', async () => {
    const { inbox } = app.app
    await app.db.query(sql`delete from connect_inbox`)
    const ran = await recordStatements(app.db, async () => {
      const worked = await Promise.all([1, 2, 3, 4].map((at) => inbox.receiveAndProcess(aDelivery(`conv_${at}`))))
      expect(new Set(worked.map((each) => each?.id)).size).toBe(4)
      expect(new Set(worked.map((each) => each?.call)).size).toBe(4)
    })
    expect(ran.filter(({ name }) => name === 'inbox_insert')).toHaveLength(1)
    expect(ran.filter(({ name }) => name === 'inbox_claim' || name === 'inbox_finish')).toEqual([])
    const rows = await app.db.query(sql`select state, attempts, next_attempt_at from connect_inbox`)
    expect(rows).toEqual(Array.from({ length: 4 }, () => ({ state: 'done', attempts: 1, next_attempt_at: null })))
  })

  it('one that fails is stored and tried again, and nothing of the others is doubled', async () => {
    const { inbox } = app.app
    await app.db.query(sql`delete from connect_inbox`)
    const deliveries = [1, 2, 3, 4].map((at) => aDelivery(`conv_${at}`))
    const worked = await Promise.all(
      deliveries
        .toSpliced(2, 0, { ...aDelivery('conv_bad'), payload: 'no JSON' })
        .map((each) => inbox.receiveAndProcess(each)),
    )
    expect(worked.map((each) => each?.call !== undefined)).toEqual([true, true, false, true, true])
    const rows = await app.db.query<{ state: string; payload: string }>(sql`select state, payload from connect_inbox`)
    expect(rows.filter(({ state }) => state === 'done')).toHaveLength(4)
    expect(rows.filter(({ state }) => state !== 'done')).toEqual([{ state: 'failed', payload: 'no JSON' }])
    expect(await app.count('connect_recording')).toBe(4)
  })

  it('one that has to wait for a call is stored meanwhile, and makes one call and one recording', async ({ skip }) => {
    skip(app.db.kind === 'embedded', 'the embedded database does one thing after the other: nobody waits for a lock')
    const { inbox } = app.app
    await app.db.query(sql`delete from connect_inbox`)
    const { promise: held, resolve: letGo } = Promise.withResolvers<void>()
    const { promise: locked, resolve: hasLocked } = Promise.withResolvers<void>()
    const holding = app.db.transaction(async (tx) => {
      await tx.query(sql`select pg_advisory_xact_lock(hashtextextended('conversation:conv_held', 0))`)
      hasLocked()
      await held
    })
    await locked
    const received = inbox.receiveAndProcess(aDelivery('conv_held'))
    const states = async () =>
      (await app.db.query<{ state: string }>(sql`select state from connect_inbox`)).map(({ state }) => state)
    try {
      await expect.poll(states, { timeout: 10_000 }).toEqual(['received'])
    } finally {
      letGo()
      await holding
    }
    expect((await received)?.id).toBeDefined()
    expect(await app.count('connect_recording')).toBe(1)
    await expect.poll(async () => (await states())[0]).toMatch(/done|ignored/)
  })
})

function aDelivery(conversationId: string) {
  const payload = JSON.stringify(readPostCall(aTranscript({ conversationId, callSid: `CA-${conversationId}` })))
  return { kind: POST_CALL_READ, conversation: undefined, payload, mediaRef: undefined }
}

function stateOf(end: unknown): unknown {
  return typeof end === 'object' && end !== null && 'state' in end ? end.state : end
}
