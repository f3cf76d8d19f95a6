// Legs whose end the provider never reports.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { sql } from '../../../src/database/drizzle.ts'
import { callback, newSid, Office } from '../../support/telco-office.ts'
import { eventually } from '../../support/test-app.ts'

let office: Office

beforeAll(async () => {
  office = await Office.start()
})
afterAll(() => office.stop())

async function sweep(): Promise<void> {
  const { db, app } = office.app
  await db.transaction((tx) => app.jobs.enqueueIn(tx, { name: 'end-stale-legs', payload: {} }))
}

async function ageLegs(hours: number, ...sids: string[]): Promise<void> {
  for (const sid of sids) {
    await office.app.db.query(
      sql`update connect_channel set create_date = now() at time zone 'utc' - make_interval(hours => ${hours}::int),
            write_date = now() at time zone 'utc' - make_interval(hours => ${hours}::int) where sid = ${sid}`,
    )
  }
}

async function callOf(sid: string): Promise<Record<string, unknown> | undefined> {
  const [call] = await office.app.db.query<Record<string, unknown>>(
    sql`select c.outcome, c.end_reason, c.status, c.duration from connect_call c join connect_channel l on l.call = c.id
        where l.sid = ${sid}`,
  )
  return call
}

it('a leg that nobody reported for a day and an hour ends its call, a younger one goes on, and a late report still counts', async () => {
  const [stale, fresh] = [newSid(), newSid()]
  for (const sid of [stale, fresh]) await office.reports(callback({ sid }, 'ringing', { seconds: 0 }))
  await ageLegs(26, stale)
  await ageLegs(24, fresh)
  await sweep()
  await eventually(async () => (await callOf(stale))?.end_reason === 'not_reported')
  expect((await callOf(stale))?.outcome).not.toBe('in_progress')
  expect(await callOf(fresh)).toMatchObject({ outcome: 'in_progress', end_reason: null })
  await office.reports(callback({ sid: stale }, 'completed', { seconds: 30, sequence: 2, CallDuration: '30' }))
  expect(await callOf(stale)).toMatchObject({ status: 'completed', duration: 30, end_reason: 'nothing_dialled' })
})
