import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sql } from '../../src/database/drizzle.ts'
import { idList } from '../../src/database/ids.ts'
import { refusing } from '../fixtures/database-trouble.ts'
import { aCall, aPartner } from '../fixtures/records.ts'
import { names, streamOf } from '../support/live-stream.ts'
import { recordStatements } from '../support/plans.ts'
import { type Answer, TestApp } from '../support/test-app.ts'

const CREATE = '/connect_voiceai_helpdesk/create_ticket'
const NOTE = '/connect_voiceai_helpdesk/ticket_activity'
const UNKNOWN_ID = 2_000_000_000
const CALLS = 12
/** Characters of the longest description, of the longest note, and of what one transaction takes of several. */
const TEXT_CHARS_MAX = 100_000
const NOTE_CHARS_MAX = 64 * 1024
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

/** Transactions that have written these tickets last. */
async function transactionsOf(tickets: readonly number[]): Promise<number> {
  const [row] = await app.db.query<{ count: number }>(
    sql`select count(distinct xmin::text)::int as count from helpdesk_ticket where id in (${idList(tickets)})`,
  )
  return row?.count ?? 0
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
    // Those who ask while others are served share a transaction: else many callers at once would wait for each commit.
    expect(await transactionsOf(tickets)).toBeLessThan(CALLS)
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

describe('create_ticket by many callers at once, of which one fails', () => {
  it('a ticket that the database refuses harms none of the others, and may be asked for again', async () => {
    const ids = await calls(CALLS)
    const bodies = ids.map((id, at) => ({ call_id: id, subject: at === 5 ? 'Poison' : 'Cold' }))
    const [tickets, claims] = [await count('helpdesk_ticket'), await count('connect_tool_answer')]
    const answers = await refusing(app, { table: 'helpdesk_ticket', column: 'name', value: 'Poison' }, () =>
      askAll(CREATE, bodies),
    )
    expect(answers.map(({ status }) => status)).toEqual(ids.map((_id, at) => (at === 5 ? 503 : 200)))
    expect(answers[5]?.body).toEqual({ error: 'I cannot do that right now. Please try again in a moment.' })
    expect(await count('helpdesk_ticket')).toBe(tickets + CALLS - 1)
    expect(await count('connect_tool_answer')).toBe(claims + CALLS - 1)
    const linked = await app.admin.ask<{ ticket: [number, string] | null }[]>('connect.call', 'read', {
      ids,
      fields: ['ticket'],
    })
    const made = answers.map(({ status, body }) => (status === 200 ? (body as Created).ticket_id : undefined))
    expect(linked.map(({ ticket }) => ticket?.[0])).toEqual(made)
    const again = await askAll(CREATE, bodies)
    expect(again.map(({ status }) => status)).toEqual(ids.map(() => 200))
    expect(idsOf(again)).toEqual(made.map((id) => id ?? expect.any(Number)))
    expect(await count('helpdesk_ticket')).toBe(tickets + CALLS)
  })

  it('a call that is not the one of its header is refused alone', async () => {
    const ids = await calls(CALLS)
    const answers = await Promise.all(
      ids.map((id, at) => app.tool(CREATE, { call_id: id }, { 'x-connect-call': String(at === 3 ? ids[4] : id) })),
    )
    expect(answers.map(({ status }) => status)).toEqual(ids.map((_id, at) => (at === 3 ? 404 : 200)))
    expect(answers[3]?.body).toEqual({ error: `The call ${ids[3]} is not the call that we are in.` })
  })

  it('each ticket is of the contact that the call of its header reaches', async () => {
    const victim = await aPartner(app, { name: 'Victim' })
    const ids = [...(await calls(3)), await aCall(app, { partner: victim }), await aCall(app, { caller: 'anonymous' })]
    const answers = await Promise.all(
      ids.map((id) => app.tool(CREATE, { call_id: id, partner_id: victim }, { 'x-connect-call': String(id) })),
    )
    const read = await app.admin.ask<{ partner_id: [number, string] | null }[]>('helpdesk.ticket', 'read', {
      ids: idsOf(answers),
      fields: ['partner_id'],
    })
    expect(read.map((ticket) => ticket.partner_id?.[0])).toEqual([partner, partner, partner, victim, undefined])
  })
})

describe('what is left of create_ticket by many callers at once', () => {
  it('the log has a delivery of each, with its own call, body and reply', async () => {
    const ids = [...(await calls(CALLS)), UNKNOWN_ID]
    const bodies = ids.map((id) => ({ call_id: id, subject: `Logged ${id}` }))
    const answers = await askAll(CREATE, bodies)
    await app.app.deliveries.drained()
    const logged = await app.admin.ask<{ call_ref: number; body: string; reply: string }[]>(
      'connect.delivery',
      'search_read',
      {
        domain: [
          ['tool', '=', 'helpdesk_create_ticket'],
          ['body', 'like', 'Logged'],
        ],
        fields: ['call_ref', 'verdict', 'status', 'body', 'reply'],
      },
    )
    const byCall = new Map(logged.map((each) => [each.call_ref, each]))
    expect(logged).toHaveLength(ids.length)
    expect(ids.map((id) => byCall.get(id))).toEqual(
      ids.map((id, at) => ({
        id: expect.any(Number),
        call_ref: id,
        verdict: id === UNKNOWN_ID ? 'refused' : 'handled',
        status: answers[at]?.status,
        body: JSON.stringify(bodies[at]),
        reply: answers[at]?.text,
      })),
    )
  })

  it('open pages hear of every ticket and of every call', async () => {
    const ids = await calls(CALLS)
    const stream = await streamOf(app, app.admin.userId)
    const tickets = idsOf(
      await askAll(
        CREATE,
        ids.map((id) => ({ call_id: id })),
      ),
    )
    for (const id of tickets) await stream.hearChange((each) => names(each, 'helpdesk.ticket', id))
    for (const id of ids) await stream.hearChange((each) => names(each, 'connect.call', id))
    stream.close()
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
    for (const [name, each] of [
      ['helpdesk_tickets_create', TEXT_CHARS_MAX],
      ['chatter_insert_many', NOTE_CHARS_MAX],
    ] as const) {
      const ran = statements.filter((statement) => statement.name === name)
      const sizes = ran.map(({ values }) => String(values[0]).length)
      expect(sizes.reduce((sum, size) => sum + size, 0)).toBeGreaterThan(CALLS * each)
      expect(Math.max(...sizes)).toBeLessThan(TRANSACTION_CHARS_MAX + BESIDE_CHARS)
    }
  })
})
