import { afterAll, beforeAll, expect, it } from 'vitest'
import { upkeepJobs } from '../../src/app/upkeep-jobs.ts'
import { sql } from '../../src/database/drizzle.ts'
import { SERVER_URL } from '../support/database.ts'
import { eventually, TestApp } from '../support/test-app.ts'

const CONTACTS = 300

let app: TestApp

beforeAll(async () => {
  app = await TestApp.start()
})
afterAll(() => app.stop())

it('the embedded database is looked after every five minutes, a server looks after itself', async () => {
  const schedules = await app.db.query<{ cron: string }>(
    sql`select cron from jobs.schedule where name = 'look-after-tables'`,
  )
  expect(schedules).toEqual(SERVER_URL === undefined ? [{ cron: '*/5 * * * *' }] : [])
})

it('the job counts what tables hold', async ({ skip }) => {
  skip(SERVER_URL !== undefined, 'a server counts by itself')
  await app.db.query(
    sql`insert into res_partner (name, active) select 'Contact ' || g, true from generate_series(1, ${CONTACTS}::int) g`,
  )
  await app.db.transaction((tx) => app.app.jobs.enqueueIn(tx, { name: 'look-after-tables', payload: {} }))
  await eventually(async () => {
    const [counted] = await app.db.query<{ rows: number }>(
      sql`select reltuples::int as rows from pg_class where oid = 'res_partner'::regclass`,
    )
    return (counted?.rows ?? 0) >= CONTACTS
  })
})

it('what could not be rewritten while calls came in is rewritten when nobody calls, and receipts say so', async ({
  skip,
}) => {
  skip(SERVER_URL !== undefined, 'the files of a server are its own')
  await app.db.query(sql`insert into connect_erasure (contact, state, counts, remains) values
    (1, 'done', '{}', '["public.connect_call"]'), (2, 'done', '{}', '["public.connect_call", "public.no_more"]')`)
  await app.db.transaction((tx) => app.app.jobs.enqueueIn(tx, { name: 'look-after-tables', payload: {} }))
  await eventually(async () => {
    const rows = await app.db.query<{ remains: string[] }>(sql`select remains from connect_erasure order by contact`)
    return rows.every(({ remains }) => remains.length === 0)
  })
})

it('while somebody calls, what could not be rewritten waits', async ({ skip }) => {
  skip(SERVER_URL !== undefined, 'the files of a server are its own')
  await app.db.query(sql`insert into connect_erasure (contact, state, counts, remains) values
    (3, 'done', '{}', '["public.connect_call"]')`)
  const remains = async (): Promise<string[] | undefined> => {
    const [row] = await app.db.query<{ remains: string[] }>(sql`select remains from connect_erasure where contact = 3`)
    return row?.remains
  }
  const job = upkeepJobs(app.db, app.app.platform).find(({ name }) => name === 'look-after-tables')
  await app.db.query(sql`insert into connect_delivery (area, route, verdict, received_at)
    values ('telco', 'callstatus', 'handled', now() at time zone 'utc')`)
  await job?.work({}, { isLast: false })
  expect(await remains()).toEqual(['public.connect_call'])
  await app.db.query(sql`update connect_delivery set received_at = received_at - interval '2 minutes'`)
  await job?.work({}, { isLast: false })
  expect(await remains()).toEqual([])
})
