// What a batch of changes shows each person is what the same person finds, model by model.
import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type SQL, sql } from '../../../src/database/drizzle.ts'
import { VisibleChanges } from '../../../src/platform/live/visible-changes.ts'
import { type Caller, TestApp } from '../../support/test-app.ts'

const RUNS = 15
const ROWS = 40
const GROUPS = [
  ['connect.group_user'],
  ['connect.group_user'],
  ['helpdesk.group_user'],
  ['connect.group_user', 'helpdesk.group_user'],
  ['connect.group_user', 'connect.group_agent_calls'],
  ['connect.group_admin'],
]
/** Their rules name people once or several times, by many links, through a call, beside other conditions, or not at all. */
const TABLES = {
  'connect.call': 'connect_call',
  'connect.channel': 'connect_channel',
  'connect.recording': 'connect_recording',
  'connect.voicemail': 'connect_voicemail',
  'connect.message': 'connect_message',
  'connect.conversation': 'connect_conversation',
  'connect.notice': 'connect_notice',
  'mail.message': 'mail_message',
  'res.partner': 'res_partner',
}
type Name = keyof typeof TABLES

let app: TestApp
const people: Caller[] = []
const ids = {} as Record<Name, number[]>

beforeAll(async () => {
  app = await TestApp.start()
  for (const groups of GROUPS) people.push(await app.person(groups))
  await makeRows(people.map(({ userId }) => userId))
  for (const [model, table] of Object.entries(TABLES)) {
    const rows = await app.db.query<{ id: number }>(sql`select id from ${sql.identifier(table)} order by id limit 200`)
    ids[model as Name] = rows.map(({ id }) => id)
  }
})
afterAll(() => app.stop())

/** Each row names one or several of the people, or nobody. */
async function makeRows(users: readonly number[]): Promise<void> {
  const all = sql`${sql.param([...users])}::bigint[]`
  const who = (factor: number): SQL => sql`(${all})[(i * ${factor}::int + i / 6) % 7]`
  const rows = sql`from generate_series(1, ${ROWS}::int) i`
  await app.db.query(sql`insert into connect_call (direction, caller_user, answered_user)
    select 'incoming', ${who(1)}, ${who(3)} ${rows}`)
  await app.db.query(sql`insert into connect_call_called_users_rel (call_id, user_id)
    select c.id, u from connect_call c, unnest(${all}) u where (c.id + u) % 5 = 0`)
  const ticket = await app.admin.ask<number>('helpdesk.ticket', 'create', { vals_list: { name: 'Leak' } })
  await app.db.query(sql`update connect_call set ticket = ${ticket}::bigint where id % 4 = 0`)
  await app.db.query(sql`update connect_call set voiceai_conversation_id = 'conv_' || id where id % 3 = 0`)
  const call = sql`(select c.id from connect_call c order by c.id offset i - 1 limit 1)`
  await app.db.query(sql`insert into connect_channel (sid, caller_user, called_user, call)
    select 'CA' || i, ${who(2)}, ${who(5)}, ${call} ${rows}`)
  await app.db.query(sql`insert into connect_recording (sid, caller_user, call)
    select 'RE' || i, ${who(2)}, ${call} ${rows}`)
  await app.db.query(sql`insert into connect_voicemail (sid, call_sid, url, duration, call)
    select 'RE' || id, 'CA' || id, '', 1, case when id % 9 > 0 then id end from connect_call`)
  await app.db.query(sql`insert into connect_conversation (channel, ours, theirs, last_open)
    select 'sms', '+4101', '+4100' || i, case when i % 4 = 0 then i end ${rows}`)
  await app.db.query(sql`insert into connect_message (from_number, to_number, sender_user, conversation)
    select '+4100' || i, '+4101', ${who(2)},
      case when i % 5 > 0 then (select c.id from connect_conversation c where c.theirs = '+4100' || i) end ${rows}`)
  await app.db.query(sql`insert into connect_conversation_reader (conversation, "user")
    select c.id, u from connect_conversation c, unnest(${all}) u where (c.id + u) % 6 = 0`)
  await app.db.query(sql`insert into connect_notice ("user", kind, res_model, res_id, noticed_at)
    select coalesce(${who(1)}, (${all})[1]), 'missed', 'connect.call', i, timestamp '2026-11-01' ${rows}`)
  await app.db.query(sql`insert into mail_message (model, res_id, body, message_type, date)
    select (array['res.partner', 'helpdesk.ticket', 'connect.call'])[1 + i % 3], i, 'x', 'comment', timestamp '2026-11-01' ${rows}`)
}

/** What the store answers, as far as they may ask it. */
async function foundBy(person: Caller, model: string, each: readonly number[]): Promise<number[]> {
  const found = await person.call(model, 'search', { domain: [['id', 'in', each]], limit: 100 })
  return found.status === 403 ? [] : (found.body as number[])
}

const byNumber = (one: number, other: number): number => one - other

it('a batch of changes shows each person what the same person finds', async () => {
  const names = Object.keys(TABLES) as Name[]
  const changed = fc.record(
    Object.fromEntries(names.map((name) => [name, fc.uniqueArray(fc.nat(ROWS - 1), { maxLength: 15 })])),
  )
  await fc.assert(
    fc.asyncProperty(changed, async (places) => {
      const asked = names.map(
        (model) => [model, (places[model] ?? []).map((at) => ids[model][at % ids[model].length] ?? 0)] as const,
      )
      const batch = asked.map(([model, each]) => ({
        model,
        isGone: false,
        ids: new Set(each),
        calls: new Set<number>(),
      }))
      const visible = new VisibleChanges(
        { db: app.db, models: app.app.platform.models, callModel: 'connect.call' },
        batch,
      )
      for (const person of people) {
        const identity = await app.app.identities.byId(person.userId)
        if (identity === undefined) throw new Error('the person is missing')
        const shown = new Map((await visible.of(identity)).map((change) => [change.model, change.ids ?? []]))
        for (const [model, each] of asked) {
          const expected = await foundBy(person, model, each)
          expect([...(shown.get(model) ?? [])].toSorted(byNumber), model).toEqual(expected.toSorted(byNumber))
        }
      }
    }),
    { numRuns: RUNS },
  )
})

it('people are named by some of the records and not by others', async () => {
  const domain = [['id', 'in', ids['connect.call']]]
  const [anna] = people
  const own = await anna?.ask<number>('connect.call', 'search_count', { domain })
  expect(own).toBeGreaterThan(5)
  expect(own).toBeLessThan(ROWS)
})

it('asks the database as often for two hundred people as for one', async () => {
  let asked = 0
  const db = {
    query: <Row>(query: SQL): Promise<Row[]> => {
      asked += 1
      return app.db.query<Row>(query)
    },
  }
  const parts = { db, models: app.app.platform.models, callModel: 'connect.call' }
  const batch = (['connect.call', 'connect.channel', 'connect.conversation', 'connect.message'] as const).map(
    (model) => ({
      model,
      isGone: false,
      ids: new Set(ids[model]),
      calls: new Set<number>(),
    }),
  )
  const visible = new VisibleChanges(parts as never, batch)
  const identity = await app.app.identities.byId(people[0]?.userId ?? 0)
  if (identity === undefined) throw new Error('the person is missing')
  await visible.of(identity)
  const forOne = asked
  await Promise.all(Array.from({ length: 200 }, (_, at) => visible.of({ ...identity, userId: 1_000_000 + at })))
  expect(forOne).toBeGreaterThan(0)
  expect(asked).toBe(forOne)
})
