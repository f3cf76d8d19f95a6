import { afterAll, beforeAll, expect, test } from 'vitest'
import { sql } from '../../src/database/drizzle.ts'
import { JobQueue } from '../../src/jobs/queue.ts'
import { createLog } from '../../src/log.ts'
import { eventually, TestApp } from '../support/test-app.ts'

const JOBS = 12
/** So long that a job which waits for the next look is never seen. */
const POLL_SECONDS = 600

let app: TestApp

beforeAll(async () => {
  app = await TestApp.start()
})
afterAll(() => app.stop())

test.each([1, 3])('jobs queued in one transaction are done one right after the other, by %i at once', async (many) => {
  const name = `counting-${many}`
  const { promise: allDone, resolve } = Promise.withResolvers<void>()
  const done = new Set<number>()
  const queue = new JobQueue(app.db, createLog('silent'), [
    {
      name,
      attemptsMax: 1,
      retryDelaySeconds: 1,
      concurrency: many,
      pollSeconds: POLL_SECONDS,
      async work(payload) {
        done.add((payload as { at: number }).at)
        if (done.size === JOBS) resolve()
      },
    },
  ])
  await queue.start({ works: true })
  try {
    await app.db.transaction(async (tx) => {
      for (let at = 0; at < JOBS; at += 1) await queue.enqueueIn(tx, { name, payload: { at } })
    })
    await allDone
    expect(done.size).toBe(JOBS)
  } finally {
    await queue.stop()
  }
})

test('what an update of the service changes in a kind of job is in force from its next start on', async () => {
  const kind = { name: 'changing', retryDelaySeconds: 1, work: async () => undefined }
  for (const change of [
    { attemptsMax: 1, expireSeconds: 60, cron: '0 3 * * *' },
    { attemptsMax: 4, expireSeconds: 90, cron: '0 4 * * *' },
    { attemptsMax: 4, expireSeconds: 90, cron: '0 4 * * *' },
  ]) {
    const queue = new JobQueue(app.db, createLog('silent'), [{ ...kind, ...change }])
    await queue.start({ works: false })
    const [kept] = await app.db.query(
      sql`select q.retry_limit, q.expire_seconds, s.cron from jobs.queue q join jobs.schedule s on s.name = q.name
          where q.name = ${kind.name}`,
    )
    const { attemptsMax, expireSeconds, cron } = change
    expect(kept).toEqual({ retry_limit: attemptsMax - 1, expire_seconds: expireSeconds, cron })
    await queue.stop()
  }
})

test('a schedule that this process has no kind for ends at its start, with the jobs that wait for it', async () => {
  const common = { attemptsMax: 1, retryDelaySeconds: 1, cron: '0 3 * * *', work: async () => undefined }
  const [gone, stays] = [
    { ...common, name: 'of-another-engine' },
    { ...common, name: 'of-every-engine' },
  ]
  const before = new JobQueue(app.db, createLog('silent'), [gone, stays])
  await before.start({ works: false })
  for (const { name } of [gone, stays]) {
    await app.db.transaction((tx) => before.enqueueIn(tx, { name, payload: {} }))
  }
  await before.stop()
  const after = new JobQueue(app.db, createLog('silent'), [stays])
  await after.start({ works: false })
  await after.stop()
  const left = (table: 'schedule' | 'job') =>
    app.db.query(sql`select name from ${sql.raw(`jobs.${table}`)} where name like 'of-%-engine'`)
  expect(await left('schedule')).toEqual([{ name: stays.name }])
  expect(await left('job')).toEqual([{ name: stays.name }])
})

test('jobs scheduled while the clock was ahead are due when the queue opens, and the queue looks after itself again', async () => {
  const { promise: isDone, resolve } = Promise.withResolvers<void>()
  const kind = {
    name: 'from-the-future',
    attemptsMax: 1,
    retryDelaySeconds: 1,
    work: async () => resolve(),
  }
  const before = new JobQueue(app.db, createLog('silent'), [kind])
  await before.start({ works: false })
  await app.db.transaction((tx) => before.enqueueIn(tx, { name: kind.name, payload: {} }))
  await before.stop()
  await app.db.query(
    sql`update jobs.job set created_on = created_on + interval '1 year', start_after = start_after + interval '1 year'
        where name = ${kind.name}`,
  )
  await app.db.query(sql`update jobs.queue set monitor_claim_on = now() + interval '1 year'`)
  const after = new JobQueue(app.db, createLog('silent'), [kind])
  await after.start({ works: true })
  try {
    await isDone
    const late = await app.db.query(sql`select name from jobs.queue where monitor_claim_on > now()`)
    expect(late).toEqual([])
  } finally {
    await after.stop()
  }
})

test('a job whose process was killed goes on once its last sign of life is ten seconds old', async () => {
  const { promise: isDone, resolve } = Promise.withResolvers<void>()
  const kind = {
    name: 'killed',
    attemptsMax: 3,
    retryDelaySeconds: 1,
    heartbeatSeconds: 10,
    pollSeconds: 2,
    work: async () => resolve(),
  }
  const before = new JobQueue(app.db, createLog('silent'), [kind])
  await before.start({ works: false })
  await app.db.transaction((tx) => before.enqueueIn(tx, { name: kind.name, payload: {} }))
  await before.stop()
  // What `kill -9` leaves: under way, and not alive any more.
  await app.db.query(
    sql`update jobs.job set state = 'active', started_on = now(), heartbeat_on = now() - interval '11 seconds'
        where name = ${kind.name}`,
  )
  const after = new JobQueue(app.db, createLog('silent'), [kind])
  await after.start({ works: true })
  try {
    await isDone
    const sending = await app.db.query(sql`select heartbeat_seconds from jobs.queue where name = 'message-send'`)
    expect(sending).toEqual([{ heartbeat_seconds: 10 }])
  } finally {
    await after.stop()
  }
})

test('an attempt at a job whose place is away does not count, and the job goes on by itself when it is back', async () => {
  const { promise: isDone, resolve } = Promise.withResolvers<boolean>()
  let tries = 0
  const kind = {
    name: 'waiting-for-a-place',
    // One that counted would be the last.
    attemptsMax: 1,
    retryDelaySeconds: 600,
    waitsForPlaces: true,
    async work(_payload: object, { isLast }: { isLast: boolean }) {
      tries += 1
      if (tries < 3) throw Object.assign(new Error('no room'), { code: 'ENOSPC' })
      resolve(isLast)
    },
  } as const
  const queue = new JobQueue(app.db, createLog('silent'), [kind])
  await queue.start({ works: true })
  try {
    await app.db.transaction((tx) => queue.enqueueIn(tx, { name: kind.name, payload: {} }))
    const read = () =>
      app.db.query<{ state: string; retry_count: number; output: { message: string } | null }>(
        sql`select state, retry_count, output from jobs.job where name = ${kind.name}`,
      )
    await eventually(async () => (await read())[0]?.state === 'retry')
    expect(await read()).toMatchObject([{ retry_count: 0, output: { message: 'no room' } }])
    await isDone
    await eventually(async () => (await read())[0]?.state === 'completed')
    expect([tries, await read()]).toMatchObject([3, [{ retry_count: 0 }]])
  } finally {
    await queue.stop()
  }
}, 60_000)
