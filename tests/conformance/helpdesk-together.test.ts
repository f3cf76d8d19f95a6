import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sql } from '../../src/database/drizzle.ts'
import { aCall, aPartner } from '../fixtures/records.ts'
import { recordStatements } from '../support/plans.ts'
import { type Answer, TestApp } from '../support/test-app.ts'

const CREATE = '/connect_voiceai_helpdesk/create_ticket'
const NOTE = '/connect_voiceai_helpdesk/ticket_activity'
const UNKNOWN_ID = 2_000_000_000
const CALLS = 12
/** Characters of the longest description or note, and of what one transaction takes of several. */
const TEXT_CHARS_MAX = 100_000
const TRANSACTION_CHARS_MAX = 256 * 1024
/** Characters of what is stored beside a text: names of columns, ids, short values. */
const BESIDE_CHARS = 2_000

let app: TestApp
let partner: number

beforeAll(async () => {
  app = await TestApp.start()
  partner = await aPartner(app, { name: 'Zoe', phone: '+41 31 380 83 16' })
})
afterAll(() => app.stop())

interface Created {
  ticket_id: number
  say: string
}

/** All of them at once, so that they meet in one transaction. */
function askAll(route: string, bodies: readonly object[]): Promise<Answer[]> {
  return Promise.all(bodies.map((body) => app.tool(route, body)))
}

const idsOf = (answers: readonly Answer[]): number[] => answers.map(({ body }) => (body as Created).ticket_id)

async function calls(count: number): Promise<number[]> {
  return Promise.all(Array.from({ length: count }, () => aCall(app, { partner })))
}

async function count(table: 'connect_tool_answer' | 'helpdesk_ticket'): Promise<number> {
  const [row] = await app.db.query<{ count: number }>(sql`select count(*)::int as count from ${sql.identifier(table)}`)
  return row?.count ?? 0
}

describe('create_ticket by many callers at once', () => {
  it('every call gets a ticket of its own, with what its caller said, and is linked to it', async () => {
    const ids = await calls(CALLS)
    const answers = await askAll(
      CREATE,
      ids.map((id) => ({ call_id: id, subject: `Of call ${id}`, description: `Said in ${id}` })),
    )
    expect(answers.map(({ status }) => status)).toEqual(ids.map(() => 200))
    const tickets = idsOf(answers)
    expect(new Set(tickets).size).toBe(CALLS)
    const read = await app.admin.ask<object[]>('helpdesk.ticket', 'read', {
      ids: tickets,
      fields: ['name', 'description', 'made_in_call'],
    })
    expect(read).toEqual(
      ids.map((id, at) => ({
        id: tickets[at],
        name: `Of call ${id}`,
        description: `Said in ${id}`,
        made_in_call: [id, expect.any(String)],
      })),
    )
    const linked = await app.admin.ask<{ ticket: [number, string] }[]>('connect.call', 'read', {
      ids,
      fields: ['ticket'],
    })
    expect(linked.map(({ ticket }) => ticket[0])).toEqual(tickets)
  })

  it('a call that does not exist is refused, harms none of the others, and may ask again', async () => {
    const [one = 0, two = 0] = await calls(2)
    const before = await count('connect_tool_answer')
    const bodies = [one, UNKNOWN_ID, two, UNKNOWN_ID].map((id) => ({ call_id: id, subject: 'Cold' }))
    const answers = await askAll(CREATE, bodies)
    expect(answers.map(({ status }) => status)).toEqual([200, 404, 200, 404])
    expect(await count('connect_tool_answer')).toBe(before + 2)
    expect((await app.tool(CREATE, { call_id: UNKNOWN_ID, subject: 'Cold' })).status).toBe(404)
  })

  it('the same asked for the same call many times at once makes one ticket, beside others for that call', async () => {
    const [id = 0] = await calls(1)
    const before = await count('helpdesk_ticket')
    const subjects = ['Cold', 'Wet', 'Cold', 'Cold', 'Wet', 'Cold']
    const tickets = idsOf(
      await askAll(
        CREATE,
        subjects.map((subject) => ({ call_id: id, subject })),
      ),
    )
    expect(await count('helpdesk_ticket')).toBe(before + 2)
    const bySubject = Map.groupBy(tickets, (_ticket, at) => subjects[at])
    expect([...bySubject.values()].map((of) => new Set(of).size)).toEqual([1, 1])
    const [call] = await app.admin.ask<{ ticket: [number, string] }[]>('connect.call', 'read', {
      ids: [id],
      fields: ['ticket'],
    })
    expect(call?.ticket[0]).toBe(Math.max(...tickets))
  })

  it('tickets for the same calls in opposite orders are all made', async () => {
    const ids = await calls(CALLS)
    const orders = [ids, ids.toReversed(), ids, ids.toReversed()]
    const answers = await askAll(
      CREATE,
      orders.flatMap((order, at) => order.map((id) => ({ call_id: id, subject: `Order ${at}` }))),
    )
    expect(answers.filter(({ status }) => status !== 200)).toEqual([])
    expect(new Set(idsOf(answers)).size).toBe(CALLS * orders.length)
  })
})

describe('ticket_activity by many callers at once', () => {
  it('every note is on its ticket once, and a ticket that does not exist is refused alone', async () => {
    const [one, two] = idsOf(
      await askAll(
        CREATE,
        (await calls(2)).map((id) => ({ call_id: id })),
      ),
    )
    const asked = [one, two, UNKNOWN_ID, one, two].map((ticket, at) => ({
      ticket_id: ticket,
      note: at === 3 ? 'Note 0' : `Note ${at}`,
    }))
    const answers = await askAll(NOTE, asked)
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 404, 200, 200])
    const posts = await app.admin.ask<{ res_id: number; body: string }[]>('mail.message', 'search_read', {
      domain: [
        ['model', '=', 'helpdesk.ticket'],
        ['res_id', 'in', [one, two]],
        ['body', 'like', 'Note'],
      ],
      fields: ['res_id', 'body'],
      order: 'id',
    })
    expect(posts.map(({ res_id: on, body }) => [on, body]).sort()).toEqual(
      [
        [one, '<p>Note 0</p>'],
        [two, '<p>Note 1</p>'],
        [two, '<p>Note 4</p>'],
      ].sort(),
    )
  })
})

describe('long texts by many callers at once', () => {
  const long = (at: number): string => `${at} `.padEnd(TEXT_CHARS_MAX, 'x')

  it('no statement takes more of them than hold nobody up', async () => {
    const ids = await calls(CALLS)
    const statements = await recordStatements(app.db, async () => {
      const answers = await askAll(
        CREATE,
        ids.map((id, at) => ({ call_id: id, description: long(at) })),
      )
      const notes = idsOf(answers).map((id, at) => ({ ticket_id: id, note: long(at) }))
      expect((await askAll(NOTE, notes)).map(({ status }) => status)).toEqual(ids.map(() => 200))
    })
    for (const name of ['helpdesk_tickets_create', 'chatter_insert_many']) {
      const ran = statements.filter((each) => each.name === name)
      const sizes = ran.map(({ values }) => String(values[0]).length)
      expect(sizes.reduce((sum, size) => sum + size, 0)).toBeGreaterThan(CALLS * TEXT_CHARS_MAX)
      expect(Math.max(...sizes)).toBeLessThan(TRANSACTION_CHARS_MAX + BESIDE_CHARS)
    }
  })
})
