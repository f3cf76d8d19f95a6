import { afterEach, describe, expect, it } from 'vitest'
import { sql } from '../../src/database/drizzle.ts'
import { aVoiceRequest, type Fields, sendTelco, setUpTelco } from '../support/telco.ts'
import { TestApp } from '../support/test-app.ts'

const CALLS = 500
const CLIENTS = 20
const CALLBACKS_PER_CLIENT = 200

const stops: (() => Promise<void> | void)[] = []
afterEach(async () => {
  for (const stop of stops.splice(0).reverse()) await stop()
})

describe('a storm of callbacks', () => {
  it(`of ${CLIENTS} clients, shuffled and repeated, leaves exactly the rows of ${CALLS} calls`, async () => {
    const app = await TestApp.start()
    stops.push(() => app.stop())
    await setUpTelco(app)
    await sendAll((fields) =>
      sendTelco(app, '/telco/webhook/callstatus', fields).then((answer) => answer.status === 200),
    )
    await expectLedger(app)
  }, 120_000)

  it('through two processes on one database leaves exactly the same', async (context) => {
    const app = await TestApp.start()
    stops.push(() => app.stop())
    context.skip(app.databaseUrl === undefined, 'the embedded database serves one process')
    await setUpTelco(app)
    const second = await TestApp.start({ sharesDatabaseOf: app })
    stops.push(() => second.stop())
    let turn = 0
    await sendAll((fields) => {
      turn += 1
      return sendTelco(turn % 2 === 0 ? app : second, '/telco/webhook/callstatus', fields).then(
        ({ status }) => status === 200,
      )
    })
    await expectLedger(app)
  }, 120_000)
})

/** Two legs of each call, six callbacks, and some of them again: 20 x 200 deliveries in an order of their own. */
function callbacks(): Fields[] {
  const random = randomFrom(42)
  const all: Fields[] = []
  for (let call = 0; call < CALLS; call += 1) {
    const root = aVoiceRequest({ CallSid: `CA${call}-root`, From: '+14155550100', To: '+14155550199' })
    const child = {
      ...aVoiceRequest({ CallSid: `CA${call}-child`, From: '+14155550100', To: '+14155550177' }),
      ParentCallSid: `CA${call}-root`,
      Direction: 'outbound-dial',
    }
    const told = (leg: Fields, status: string, sequence: number): Fields => ({
      ...leg,
      CallStatus: status,
      SequenceNumber: String(sequence),
      CallbackSource: 'call-progress-events',
      Timestamp: new Date(Date.UTC(2026, 0, 1, 10, 0, call % 60, 0) + sequence * 1000)
        .toUTCString()
        .replace('GMT', '+0000'),
      ...(status === 'completed' ? { CallDuration: '37' } : {}),
    })
    all.push(root, told(root, 'completed', 3))
    all.push(...['initiated', 'ringing', 'in-progress', 'completed'].map((status, at) => told(child, status, at)))
  }
  while (all.length < CLIENTS * CALLBACKS_PER_CLIENT) all.push(all[Math.floor(random() * all.length)] ?? {})
  return all
    .map((fields) => ({ fields, at: random() }))
    .toSorted((a, b) => a.at - b.at)
    .map(({ fields }) => fields)
}

/** Every callback until the service has acknowledged it, as the provider repeats those that it could not deliver. */
async function sendAll(send: (fields: Fields) => Promise<boolean>): Promise<void> {
  const waiting = callbacks()
  const client = async (): Promise<void> => {
    for (let fields = waiting.pop(); fields !== undefined; fields = waiting.pop()) {
      const isDelivered = await send(fields).catch(() => false)
      if (!isDelivered) {
        waiting.unshift(fields)
        await new Promise((resolve) => setTimeout(resolve, 20))
      }
    }
  }
  await Promise.all(Array.from({ length: CLIENTS }, client))
}

async function expectLedger(app: Pick<TestApp, 'db'>): Promise<void> {
  const [calls] = await app.db.query<{ all: number; right: number }>(
    sql`select count(*)::int as all, count(*) filter (where status = 'completed' and direction = 'incoming' and duration = 37
          and caller = '+14155550100' and called = '+14155550199')::int as right from connect_call`,
  )
  const [legs] = await app.db.query<{ all: number; right: number; calls: number }>(
    sql`select count(*)::int as all, count(*) filter (where status = 'completed' and duration = 37 and call is not null
          and (parent_channel is not null) = (parent_sid is not null))::int as right, count(distinct call)::int as calls
        from connect_channel`,
  )
  expect(calls).toEqual({ all: CALLS, right: CALLS })
  expect(legs).toEqual({ all: 2 * CALLS, right: 2 * CALLS, calls: CALLS })
}

function randomFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state / 2 ** 32
  }
}
