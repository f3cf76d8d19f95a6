// What waits in the queue, and what could not be done, as administrators see it, try it again and drop it.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sql } from '../../src/database/drizzle.ts'
import { type Caller, eventually, TestApp } from '../support/test-app.ts'

const DISTANT_SECONDS = 86_400

interface Job {
  id: number
  kind: string
  state: string
  attempts: number
  attempts_max: number
  error: string | null
  due: string
}

let app: TestApp
let ada: Caller

beforeAll(async () => {
  app = await TestApp.start()
  ada = await app.person(['connect.group_admin'])
})
afterAll(() => app.stop())

function jobs(domain: unknown[] = []): Promise<Job[]> {
  return ada.ask<Job[]>('connect.job', 'search_read', { domain })
}

/** A job that waits until tomorrow. */
async function aJob(): Promise<Job> {
  const before = (await jobs()).map(({ id }) => id)
  const { platform } = app.app
  await app.db.transaction((tx) =>
    platform.enqueue(tx, { name: 'clean-up', payload: {}, delaySeconds: DISTANT_SECONDS }),
  )
  const [made] = (await jobs()).filter(({ id }) => !before.includes(id))
  if (made === undefined) throw new Error('there is no such job')
  return made
}

async function fail({ id }: Job): Promise<void> {
  await app.db.query(
    sql`update jobs.job set state = 'failed', retry_count = retry_limit, output = '{"message": "it rained"}', completed_on = now()
        where hashtextextended(id::text, 0) & 9007199254740991 = ${id}::bigint`,
  )
}

test('a job that waits is listed with its kind, its attempts and when it is due', async () => {
  const job = await aJob()
  expect(job).toMatchObject({ kind: 'clean-up', state: 'created', attempts: 0, attempts_max: 3, error: null })
  expect(Date.parse(`${job.due.replace(' ', 'T')}Z`)).toBeGreaterThan(Date.now())
  expect(await ada.ask('connect.job', 'read', { ids: [job.id], fields: ['kind'] })).toEqual([
    { id: job.id, kind: 'clean-up' },
  ])
  expect(await ada.ask('connect.job', 'search_count', { domain: [['id', '=', job.id]] })).toBe(1)
  await ada.ask('connect.job', 'drop', { ids: [job.id] })
  expect(await jobs([['id', '=', job.id]])).toEqual([])
})

test('a job that has failed says why, and is done when it is tried again', async () => {
  const job = await aJob()
  await fail(job)
  expect(await jobs([['id', '=', job.id]])).toMatchObject([{ state: 'failed', error: 'it rained' }])
  await ada.ask('connect.job', 'retry', { ids: [job.id] })
  await eventually(async () => (await jobs([['id', '=', job.id]])).length === 0 || undefined)
  const [line] = await app.admin.ask<{ what: string; res_id: number }[]>('connect.audit', 'search_read', {
    domain: [
      ['model', '=', 'connect.job'],
      ['what', '=', 'retry'],
    ],
    fields: ['what', 'res_id'],
  })
  expect(line).toMatchObject({ what: 'retry', res_id: job.id })
})

test('a job that waits for tomorrow is done now when it is tried', async () => {
  const job = await aJob()
  await ada.ask('connect.job', 'retry', { ids: [job.id] })
  await eventually(async () => (await jobs([['id', '=', job.id]])).length === 0 || undefined)
})

test('a job that is being worked on is left alone', async () => {
  const job = await aJob()
  await app.db.query(
    sql`update jobs.job set state = 'active', started_on = now() where hashtextextended(id::text, 0) & 9007199254740991 = ${job.id}::bigint`,
  )
  for (const method of ['retry', 'drop']) {
    const answer = await ada.call('connect.job', method, { ids: [job.id] })
    expect([answer.status, answer.text]).toEqual([409, expect.stringContaining('is running at the moment')])
  }
})

test('jobs are for administrators, and nobody writes them', async () => {
  const user = await app.person(['connect.group_user'])
  expect((await user.call('connect.job', 'search_read', {})).status).toBe(403)
  expect((await user.call('connect.job', 'drop', { ids: [1] })).status).toBe(403)
  expect((await ada.call('connect.job', 'create', { vals_list: {} })).status).toBe(403)
  expect((await ada.call('connect.job', 'drop', { ids: [1] })).status).toBe(404)
})
