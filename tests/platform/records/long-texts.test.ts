// What a search in long texts costs: it counts their bytes, which the planner does not.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sql } from '../../../src/database/drizzle.ts'
import { SERVER_URL } from '../../support/database.ts'
import { type Caller, TestApp } from '../../support/test-app.ts'

const CONTACT = 'res.partner'
const SENTENCE = 'would take too long'
const MEGABYTE = 1_000_000

let app: TestApp
let anna: Caller
const fill = (name: string, count: number, bytes: number) =>
  app.db.query(sql`insert into res_partner (name, active, comment)
    select ${name}, true, repeat('x', ${bytes}::int) || ' here' from generate_series(1, ${count}::int)`)
const find = (method: string, domain: unknown, args: object = {}) => anna.call(CONTACT, method, { domain, ...args })

beforeAll(async () => {
  app = await TestApp.start()
  anna = await app.person(['connect.group_user'])
})
afterAll(() => app.stop())

// A server is asked, and stops what takes too long.
describe.skipIf(SERVER_URL !== undefined)('a search in long texts', () => {
  it('a search in long texts that is affordable is made in slices and finds them', async () => {
    await fill('Long', 10, MEGABYTE - 10)
    const here = [['comment', 'ilike', 'HERE']]
    expect(await find('search_count', here)).toMatchObject({ status: 200, body: 10 })
    expect((await find('search', here, { limit: 50 })).body).toHaveLength(10)
    expect((await find('search_read', here, { fields: ['name'], order: 'name', limit: 50 })).body).toHaveLength(10)
    expect((await find('read_group', here, { by: ['name'] })).body).toEqual([{ name: 'Long', __count: 10 }])
    expect((await find('search_count', [['comment', 'ilike', 'nowhere']])).body).toBe(0)
  }, 60_000)

  it('a search in long texts that looks into too many bytes is refused before it runs', async () => {
    await fill('Longer', 90, MEGABYTE - 10)
    for (const method of ['search', 'search_count', 'search_read', 'read_group', 'name_search']) {
      const args = method === 'read_group' ? { by: ['name'] } : {}
      const answer = await find(method, [['comment', 'ilike', 'nowhere']], args)
      expect(answer).toMatchObject({ status: 422, text: expect.stringContaining(SENTENCE) })
    }
    // Through a link, and as often as it is looked into.
    const linked = await anna.call('connect.call', 'search', { domain: [['partner.comment', 'ilike', 'nowhere']] })
    expect(linked).toMatchObject({ status: 422, text: expect.stringContaining(SENTENCE) })
    // A condition that leaves few makes it cheap, and so does one on something else.
    const few = await find('search_count', [
      ['name', '=', 'nobody'],
      ['comment', 'ilike', 'here'],
    ])
    expect(few).toMatchObject({ status: 200, body: 0 })
    expect((await find('search_count', [['name', 'ilike', 'longer']])).body).toBe(90)
  }, 60_000)
})
