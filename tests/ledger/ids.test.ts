// Ids of the ledger: a report about a leg or a recording that is known already uses none up.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { sql } from '../../src/database/drizzle.ts'
import { withLease } from '../../src/jobs/lease.ts'
import { aVoiceRequest, sendTelco, setUpTelco } from '../support/telco.ts'
import { TestApp } from '../support/test-app.ts'

const FIRST = 'CA000000000000000000000000000000a1'
const SECOND = 'CA000000000000000000000000000000a2'
const RECORDING = 'RE000000000000000000000000000000a1'
const NEXT_RECORDING = 'RE000000000000000000000000000000a2'
const STATUSES = ['initiated', 'ringing', 'in-progress', 'completed']

let app: TestApp

beforeAll(async () => {
  app = await TestApp.start()
  await setUpTelco(app)
})
afterAll(() => app.stop())

async function idsOf(table: string, sids: string[]): Promise<number[]> {
  const rows = await app.db.query<{ id: number }>(
    sql`select id from ${sql.identifier(table)} where sid in (${sql.join(
      sids.map((sid) => sql`${sid}`),
      sql`, `,
    )}) order by id`,
  )
  return rows.map(({ id }) => id)
}

it('four reports of one leg use up one id', async () => {
  for (const status of STATUSES) {
    await sendTelco(app, '/telco/webhook/callstatus', aVoiceRequest({ CallSid: FIRST, CallStatus: status }))
  }
  await sendTelco(app, '/telco/webhook/callstatus', aVoiceRequest({ CallSid: SECOND, CallStatus: 'initiated' }))
  const [first = 0, second] = await idsOf('connect_channel', [FIRST, SECOND])
  expect(second).toBe(first + 1)
})

it('reports of one recording use up one id', async () => {
  const report = (sid: string, RecordingStatus: string) =>
    sendTelco(app, '/telco/webhook/recordingstatus', {
      ...aVoiceRequest({ CallSid: FIRST }),
      RecordingSid: sid,
      RecordingStatus,
      RecordingDuration: '3',
    })
  for (const status of ['in-progress', 'completed', 'completed']) await report(RECORDING, status)
  await report(NEXT_RECORDING, 'in-progress')
  const [first = 0, second] = await idsOf('connect_recording', [RECORDING, NEXT_RECORDING])
  expect(second).toBe(first + 1)
})

it('a lease that is refused uses up no id', async () => {
  const next = () =>
    app.db.query<{ id: number }>(
      sql`insert into connect_lease (name, holder, expires_at) values (${crypto.randomUUID()}, 'test', now()) returning id`,
    )
  const [before] = await next()
  await withLease(app.db, 'busy', () => withLease(app.db, 'busy', async () => undefined, { waitMs: 0 })).catch(
    () => undefined,
  )
  const [after] = await next()
  // One for the lease that was had.
  expect(after?.id).toBe((before?.id ?? 0) + 2)
})
