// How many records of one kind one person may have: those that only cost, and that everybody else waits for.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { sql } from '../../../src/database/drizzle.ts'
import { type Caller, TestApp } from '../../support/test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await TestApp.start()
})
afterAll(() => app.stop())

interface Kind {
  kind: string
  max: number
  sentence: string
  /** Makes so many at once, as the database has them. */
  fill(userId: number, count: number): Promise<unknown>
  /** Makes one more, as a program does. */
  make(caller: Caller): Promise<{ status: number; text: string }>
}

const VIEW = { name: 'Missed', model: 'connect.call', query: {} }
const KINDS: Kind[] = [
  {
    kind: 'saved views',
    max: 200,
    sentence: 'You can keep 200 saved views. Delete one first.',
    fill: (userId, count) =>
      app.db.query(sql`insert into connect_view (name, model, query, "user")
        select 'x', 'connect.call', '{}', ${userId}::bigint from generate_series(1, ${count}::int)`),
    make: (caller) => caller.call('connect.view', 'create', { vals_list: VIEW }),
  },
  {
    kind: 'favourites',
    max: 500,
    sentence: 'You can keep 500 favourites. Delete one first.',
    fill: (userId, count) =>
      app.db.query(sql`insert into connect_favorite (phone_number, "user")
        select '+41315550142', ${userId}::bigint from generate_series(1, ${count}::int)`),
    make: (caller) => caller.call('connect.favorite', 'create', { vals_list: { phone_number: '+41315550143' } }),
  },
  {
    kind: 'drafts',
    max: 200,
    sentence: 'You can keep 200 drafts of text messages. Send or delete one first.',
    fill: (userId, count) =>
      app.db.query(sql`insert into connect_message (from_number, to_number, status, direction, sender_user)
        select '+41315550142', '+41315550143', 'draft', 'outgoing', ${userId}::bigint from generate_series(1, ${count}::int)`),
    make: (caller) =>
      caller.call('connect.message', 'create', {
        vals_list: { from_number: '+41315550142', to_number: '+41315550143', body: 'Hello' },
      }),
  },
  {
    kind: 'keys',
    max: 100,
    sentence: 'A user can have 100 API keys. Delete one first.',
    fill: (userId, count) =>
      app.db.query(sql`insert into res_users_apikeys (name, user_id, key_hash)
        select 'x', ${userId}::bigint, ${`${userId}-`} || i from generate_series(1, ${count - 1}::int) i`),
    make: (caller) => caller.call('res.users', 'api_key_create', { ids: [caller.userId], name: 'x' }),
  },
]

it.each(KINDS)('one person has so many $kind and no more, and others still make theirs', async (kind) => {
  const [full, other] = [await app.person(['connect.group_user']), await app.person(['connect.group_user'])]
  await kind.fill(full.userId, kind.max - 1)
  expect((await kind.make(full)).status).toBe(200)
  expect(await kind.make(full)).toMatchObject({ status: 422, text: expect.stringContaining(kind.sentence) })
  expect((await kind.make(other)).status).toBe(200)
})

it('a thousand saved views of one person are refused, and none of them is left', async () => {
  const eager = await app.person(['connect.group_user'])
  const answer = await eager.call('connect.view', 'create', { vals_list: Array.from({ length: 1_000 }, () => VIEW) })
  expect(answer).toMatchObject({ status: 422, text: expect.stringContaining('You can keep 200 saved views') })
  expect(await app.db.query(sql`select id from connect_view where "user" = ${eager.userId}::bigint`)).toEqual([])
})

it('saved views that one person makes at the same moment are as many as there is room for', async () => {
  const eager = await app.person(['connect.group_user'])
  await KINDS[0]?.fill(eager.userId, 195)
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => eager.call('connect.view', 'create', { vals_list: VIEW })),
  )
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(5)
  expect(answers.filter(({ status }) => status === 422)).toHaveLength(15)
})
