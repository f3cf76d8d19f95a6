import { afterAll, beforeAll, expect, test } from 'vitest'
import { sql } from '../../src/database/drizzle.ts'
import { LeaseError, withLease } from '../../src/jobs/lease.ts'
import { TestApp } from '../support/test-app.ts'

let app: TestApp

beforeAll(async () => {
  app = await TestApp.start()
})
afterAll(() => app.stop())

function holders(): Promise<number> {
  return app.count('connect_lease')
}

test('work of one name is done one after the other, also when it fails; other names do not wait', async () => {
  const running: string[] = []
  let most = 0
  const work = async (name: string): Promise<void> => {
    running.push(name)
    most = Math.max(most, running.filter((each) => each === 'a').length)
    await new Promise((resolve) => setTimeout(resolve, 30))
    running.splice(running.indexOf(name), 1)
    if (name === 'a') throw new Error('failed')
  }
  const results = await Promise.allSettled([
    ...Array.from({ length: 5 }, () => withLease(app.db, 'a', () => work('a'))),
    withLease(app.db, 'b', () => work('b')),
  ])
  expect(results.map(({ status }) => status)).toEqual([...Array(5).fill('rejected'), 'fulfilled'])
  expect(most).toBe(1)
  expect(await holders()).toBe(0)
})

test('a lease whose process is gone is taken over when it is over, and not before', async () => {
  const leave = (seconds: number) =>
    app.db.query(
      sql`insert into connect_lease (name, holder, expires_at)
          values ('c', 'gone', (now() at time zone 'utc') + make_interval(secs => ${seconds}::int))
          on conflict (name) do update set expires_at = excluded.expires_at`,
    )
  await leave(60)
  await expect(withLease(app.db, 'c', async () => 'done', { waitMs: 200 })).rejects.toBeInstanceOf(LeaseError)
  await leave(-1)
  expect(await withLease(app.db, 'c', async () => 'done')).toBe('done')
  expect(await holders()).toBe(0)
})
