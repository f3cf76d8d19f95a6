// A search of many rows finds all of them, in order, and hides what is to be hidden.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sql } from '../../../src/database/drizzle.ts'
import { insertRow } from '../../support/rows.ts'
import { type Caller, TestApp } from '../../support/test-app.ts'

const CONTACTS = 20_000
/** Looks into every row, and is true for everybody. */
const DEAR = Array.from({ length: 6 }, (_, at) => ['name', 'not ilike', `nobody ${at}`])
const SOME = [...DEAR, ['name', 'ilike', 'CONTACT 19']]

let app: TestApp
let anna: Caller
let expected: { id: number; name: string }[]

beforeAll(async () => {
  app = await TestApp.start()
  anna = await app.person(['connect.group_user'])
  await app.db.query(sql`insert into res_partner (name, active)
    select 'Contact ' || i, true from generate_series(1, ${CONTACTS}::int) i`)
  await app.db.script('analyze res_partner')
  expected = await app.db.query(sql`select id, name from res_partner where name like 'Contact 19%' order by id`)
})
afterAll(() => app.stop())

const byName = (one: { id: number; name: string }, other: { id: number; name: string }) =>
  one.name < other.name ? 1 : -1

describe('a long search', () => {
  it.each([
    ['id', 0, 2_000],
    ['id desc', 0, 2_000],
    ['id desc', 30, 100],
    ['id', 1_100, 100],
    ['name desc', 0, 2_000],
    ['name desc', 40, 50],
  ] as const)('a long search in the order "%s" from %d on finds the same %d rows', async (order, offset, limit) => {
    const orders = { id: expected, 'id desc': expected.toReversed(), 'name desc': expected.toSorted(byName) }
    const all = orders[order]
    const wanted = all.slice(offset, offset + limit)
    const args = { domain: SOME, order, offset, limit }
    expect(await anna.ask('res.partner', 'search', args)).toEqual(wanted.map(({ id }) => id))
    const rows = await anna.ask<object[]>('res.partner', 'search_read', { ...args, fields: ['name'] })
    expect(rows).toEqual(wanted.map(({ id, name }) => ({ id, name })))
  })

  it('a long search is counted whole, or up to a limit', async () => {
    expect(expected).toHaveLength(1_111)
    expect(await anna.ask('res.partner', 'search_count', { domain: SOME })).toBe(1_111)
    expect(await anna.ask('res.partner', 'search_count', { domain: SOME, limit: 500 })).toBe(500)
    expect(await anna.ask('res.partner', 'search_count', { domain: SOME, limit: 0 })).toBe(0)
  })

  it('an operator that lacks its condition takes none of ours', async () => {
    for (const method of ['search', 'search_count', 'search_read']) {
      const answer = await anna.call('res.partner', method, { domain: [...DEAR, '|', ['name', '=', 'x']] })
      expect(answer).toMatchObject({ status: 422, text: expect.stringContaining('too few conditions') })
    }
  })
})

describe('a rule of several links', () => {
  it('shows a call once, by whichever link it is one’s own, and no other', async () => {
    const other = (await app.person(['connect.group_user'])).userId
    const own = { caller: '+41310000001', called: '+41310000002' }
    const both = await insertRow(app.db, 'connect_call', {
      ...own,
      caller_user: anna.userId,
      answered_user: anna.userId,
    })
    const answered = await insertRow(app.db, 'connect_call', { ...own, answered_user: anna.userId })
    const rung = await insertRow(app.db, 'connect_call', own)
    await insertRow(app.db, 'connect_call', { ...own, answered_user: other })
    const called = await insertRow(app.db, 'connect_call', { ...own, answered_user: other })
    for (const call of [both, rung]) {
      await app.db.query(sql`insert into connect_call_called_users_rel (call_id, user_id)
        values (${call}::bigint, ${anna.userId}::bigint), (${call}::bigint, ${other}::bigint)`)
    }
    const domain = [['caller', '=', own.caller]]
    expect(await anna.ask('connect.call', 'search', { domain })).toEqual([rung, answered, both])
    expect(await anna.ask('connect.call', 'search', { domain, order: 'duration, id' })).toHaveLength(3)
    expect(await anna.ask('connect.call', 'search_count', { domain })).toBe(3)
    expect((await anna.call('connect.call', 'read', { ids: [called], fields: ['caller'] })).status).toBe(404)
    expect(await anna.ask('connect.call', 'read', { ids: [rung], fields: ['caller'] })).toHaveLength(1)
  })
})
