import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Queryable } from '../../../src/database/database.ts'
import { type SQL, sql } from '../../../src/database/drizzle.ts'
import { compile } from '../../../src/database/statement.ts'
import { cleanUp } from '../../../src/platform/records/clean-up.ts'
import { writeSettings } from '../../fixtures/post-call.ts'
import { TestApp } from '../../support/test-app.ts'

let app: TestApp

beforeAll(async () => {
  app = await TestApp.start()
})
afterAll(() => app.stop())

const daysAgo = (days: number) => sql`(now() at time zone 'utc') - make_interval(days => ${days}::int)`

async function left(table: string, column: string): Promise<string[]> {
  const rows = await app.db.query<{ name: string }>(
    sql`select ${sql.identifier(column)} as name from ${sql.identifier(table)} order by id`,
  )
  return rows.map(({ name }) => name)
}

it('removes what was kept long enough, and nothing that somebody still has to look at', async () => {
  for (const [route, days] of [
    ['old', 31],
    ['young', 29],
  ] as const) {
    await app.db.query(
      sql`insert into connect_delivery (area, route, verdict, received_at) values ('voiceai', ${route}, 'handled', ${daysAgo(days)})`,
    )
  }
  for (const state of ['done', 'ignored', 'failed', 'dead', 'received']) {
    for (const days of [31, 29]) {
      await app.db.query(
        sql`insert into connect_inbox (kind, state, payload, received_at, attempts)
            values ('none', ${state}, ${`${state} ${days}`}, ${daysAgo(days)}, 0)`,
      )
    }
  }
  for (const [key, days] of [
    ['old', 1],
    ['young', 0],
  ] as const) {
    await app.db.query(sql`insert into connect_tool_answer (key, answered_at) values (${key}, ${daysAgo(days)})`)
  }
  await triedSteps([2, 0])
  await cleanUp(app.db, app.app.platform)
  expect(await app.count('connect_telco_user_callflow_call')).toBe(1)
  expect(await left('connect_delivery', 'route')).toEqual(['young'])
  expect(await left('connect_inbox', 'payload')).toEqual([
    'done 29',
    'ignored 29',
    'failed 31',
    'failed 29',
    'dead 31',
    'dead 29',
    'received 31',
    'received 29',
  ])
  expect(await left('connect_tool_answer', 'key')).toEqual(['young'])
})

/** Steps that were tried so many days ago, each in a call of its own. */
async function triedSteps(days: readonly number[]): Promise<void> {
  const { userId } = await app.person([])
  const user = await app.admin.ask<number>('connect.user', 'create', {
    vals_list: { user: userId, client_enabled: false, voicemail_enabled: true },
  })
  for (const each of days) {
    await app.db.query(
      sql`with c as (insert into connect_call (status) values ('ringing') returning id)
          insert into connect_telco_user_callflow_call (call, callflow, create_date)
          select c.id, s.id, ${daysAgo(each)} from c, connect_telco_user_callflow s where s."user" = ${user}::bigint`,
    )
  }
}

it('goes by the settings, and takes any number of rows', async () => {
  await writeSettings(app, { delivery_keep_days: 3 })
  await app.db.query(
    sql`insert into connect_delivery (area, route, verdict, received_at)
        select 'voiceai', 'many', 'handled', ${daysAgo(4)} from generate_series(1, 12000)`,
  )
  await cleanUp(app.db, app.app.platform)
  expect(await left('connect_delivery', 'route')).toEqual([])
})

it('goes on until nothing old is left, however much a day has brought', async () => {
  // Far more than a million rows, which is what two hundred deliveries a second make of two hours.
  const rows = { left: 3_000_000, asked: 0 }
  const endless: Queryable = {
    run: async () => [],
    async query<Row>(query: SQL) {
      const { text, values } = compile(query)
      if (!text.includes('connect_delivery')) return []
      const removed = Math.min(rows.left, Number(values.at(-1)))
      rows.left -= removed
      rows.asked += 1
      return new Array<Row>(removed)
    },
  }
  await cleanUp(endless, app.app.platform)
  expect(rows.left).toBe(0)
  // In steps, so that no statement holds the database for long.
  expect(rows.asked).toBeGreaterThan(100)
})
