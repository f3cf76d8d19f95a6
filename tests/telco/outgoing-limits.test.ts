// How many calls and messages may be begun on a day: several at once are counted together, and none is one too many.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { sql } from '../../src/database/drizzle.ts'
import { countOutgoing, NO_USER } from '../../src/telco/outgoing/outgoing-limits.ts'
import { TestApp } from '../support/test-app.ts'

const [ANNA, BERT] = [9_001, 9_002]
const NOW = new Date('2026-03-04T10:00:00Z')

let app: TestApp

beforeAll(async () => {
  app = await TestApp.start()
})
afterAll(() => app.stop())

/** What is answered for each of these people who begin a call at once, and how many statements were waited for. */
async function begin(users: number[], limits: { callsADay: number; callsADayOfUser: number }) {
  const settings = { ...(await app.app.platform.settings.get()), ...limits }
  let statements = 0
  const reached = await app.db.transaction((tx) => {
    const db = new Proxy(tx, {
      get(target, name) {
        if (name === 'run' || name === 'query') statements += 1
        const value = Reflect.get(target, name)
        return typeof value === 'function' ? value.bind(target) : value
      },
    })
    return countOutgoing({ db, settings, now: NOW }, { kind: 'call', users })
  })
  return { reached, statements }
}

const counts = async () =>
  Object.fromEntries(
    (
      await app.db.query<{ user: number; count: number }>(
        sql`select "user", count from connect_outgoing_count where kind = 'call' and day = '2026-03-04'`,
      )
    ).map(({ user, count }) => [user, count]),
  )

it('calls that several people begin at once are counted by one statement, each person’s second after the first', async () => {
  const limits = { callsADay: 5, callsADayOfUser: 2 }
  const first = await begin([ANNA, NO_USER, ANNA, BERT, ANNA], limits)
  expect(first).toEqual({ reached: [undefined, undefined, undefined, undefined, 'user'], statements: 1 })
  expect(await counts()).toEqual({ 0: 4, [ANNA]: 2, [BERT]: 1 })
  const second = await begin([BERT, BERT, NO_USER, ANNA], limits)
  expect(second.reached).toEqual([undefined, 'company', 'company', 'company'])
  expect(await counts()).toEqual({ 0: 5, [ANNA]: 2, [BERT]: 2 })
})

it('calls without limits are counted, and none is refused', async () => {
  const before = await counts()
  expect((await begin([ANNA, BERT], { callsADay: 0, callsADayOfUser: 0 })).reached).toEqual([undefined, undefined])
  const more: Record<number, number> = { 0: 2, [ANNA]: 1, [BERT]: 1 }
  expect(await counts()).toEqual(
    Object.fromEntries(Object.entries(before).map(([who, count]) => [who, count + (more[Number(who)] ?? 0)])),
  )
})
