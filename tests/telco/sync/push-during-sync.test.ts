// What somebody saves is pushed while a SYNC works on the same: anyone who comes second finds what the first one made.
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sql } from '../../../src/database/drizzle.ts'
import { eventually } from '../../support/test-app.ts'
import { SyncOffice } from './sync-office.ts'

const ASKED_WITHIN_MS = 500

let office: SyncOffice

beforeAll(async () => {
  office = await SyncOffice.start()
  await office.setUp()
})
afterAll(() => office.stop())

/** Presses SYNC, does the work while the first request that fits waits for its answer, and ends the run. */
async function during(method: string, path: RegExp, work: () => Promise<void>) {
  office.line.reset()
  const release = Promise.withResolvers<void>()
  office.line.plan(method, path, { held: release.promise })
  const { run_id: id } = await office.app.admin.ask<{ run_id: number }>('connect.settings', 'telco_sync')
  await eventually(async () => office.line.changes(path).length > 0)
  await office.settings({ telco_auto_sync: true })
  await work()
  await office.settings({ telco_auto_sync: false })
  release.resolve()
  return office.ended(id)
}

test('an application that is pushed during a SYNC is made once', async () => {
  const last = await office.one('connect.telco.markup', [['name', '=', 'Reject']])
  const { applications } = office.telco.account
  const run = await during('POST', /^\/Applications\.json$/, async () => {
    await office.write('connect.telco.markup', last.id, { name: 'Reject all' })
    await eventually(async () => applications.list().length === 1)
  })
  expect(run).toMatchObject({ state: 'done', errors: [] })
  expect(applications.list()).toHaveLength(3)
  expect(office.line.changes(/^\/Applications\.json$/)).toHaveLength(3)
})

test('an application that is saved while a SYNC makes it is made once, and held as it was saved last', async () => {
  const id = await office.create('connect.telco.markup', { name: 'Fresh', markup: '<Response><Hangup/></Response>' })
  const { applications } = office.telco.account
  const before = applications.list().length
  const run = await during('POST', /^\/Applications\.json$/, async () => {
    await office.write('connect.telco.markup', id, { name: 'Fresher' })
    await eventually(async () => {
      const [row] = await office.app.db.query(
        sql`select 1 from jobs.job where name like 'telco-push%' and state = 'active'`,
      )
      return row !== undefined
    })
    // The push has begun, and would ask at once.
    await delay(ASKED_WITHIN_MS)
    expect(applications.list()).toHaveLength(before)
  })
  expect(run).toMatchObject({ state: 'done', errors: [] })
  await office.settle()
  const names = applications.list().map((each) => String(each.friendly_name))
  expect(names.filter((name) => name.startsWith('Fresh'))).toEqual(['Fresher'])
})

test('the credential of a SIP phone that is pushed during a SYNC is made once, and the SYNC knows it', async () => {
  await office.domain()
  await office.run()
  await office.phone('alice')
  const bob = await office.phone('bob')
  const { credentials } = office.telco.account
  const run = await during('POST', /\/Credentials\.json$/, async () => {
    await office.write('connect.user', bob, { password: 'Abcdefgh5678' })
    await eventually(async () => (await office.one('connect.user', [['id', '=', bob]])).sid !== null)
  })
  expect(run).toMatchObject({ state: 'done', errors: [] })
  expect(credentials.list().map(({ username }) => username)).toEqual(expect.arrayContaining(['alice', 'bob']))
  expect(credentials.list()).toHaveLength(2)
  expect(await office.one('connect.user', [['id', '=', bob]])).toMatchObject({ sync_error: null, password: '****' })
})

test('a SIP domain that is pushed during a SYNC is made once', async () => {
  await office.domain({ subdomain: 'first', friendly_name: 'First' })
  const second = await office.domain({ subdomain: 'second', friendly_name: 'Second' })
  const { domains } = office.telco.account
  const run = await during('POST', /^\/SIP\/Domains\.json$/, async () => {
    await office.write('connect.telco.domain', second, { friendly_name: 'The second' })
    await eventually(async () => (await office.one('connect.telco.domain', [['id', '=', second]])).sid !== null)
  })
  expect(run).toMatchObject({ state: 'done', errors: [] })
  expect(domains.list()).toHaveLength(3)
  expect(office.line.changes(/^\/SIP\/Domains\.json$/)).toHaveLength(2)
})
