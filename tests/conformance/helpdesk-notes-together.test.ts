import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Queryable } from '../../src/database/database.ts'
import { sql } from '../../src/database/drizzle.ts'
import { refusing } from '../fixtures/database-trouble.ts'
import { aCall, aPartner, contactOf } from '../fixtures/records.ts'
import { names, streamOf } from '../support/live-stream.ts'
import { type Answer, TestApp } from '../support/test-app.ts'

const HELPDESK = '/connect_voiceai_helpdesk/'
const NOTE = `${HELPDESK}ticket_activity`
const UNKNOWN_ID = 2_000_000_000
const TICKETS = 8

let app: TestApp
let partner: number
let tickets: number[]

beforeAll(async () => {
  app = await TestApp.start()
})
beforeEach(async () => {
  partner = await aPartner(app, { name: 'Zoe' })
  const made = await Promise.all(Array.from({ length: TICKETS }, () => aTicket(partner)))
  tickets = made.toSorted((a, b) => a - b)
})
afterAll(() => app.stop())

interface Note {
  ticket_id: number
  note: string
}

function aTicket(owner: number): Promise<number> {
  return app.admin.ask<number>('helpdesk.ticket', 'create', { vals_list: { name: 'Leak', partner_id: owner } })
}

/** All of them at once, so that they meet in one transaction; in the calls that are named, where there are some. */
function postAll(notes: readonly Note[], inCalls: readonly number[] = []): Promise<Answer[]> {
  return Promise.all(
    notes.map((note, at) => {
      const call = inCalls[at]
      return app.tool(NOTE, note, call === undefined ? {} : { 'x-connect-call': String(call) })
    }),
  )
}

const notesOnAll = (text: string): Note[] => tickets.map((id, at) => ({ ticket_id: id, note: `${text} ${at}` }))
const statusesOf = (answers: readonly Answer[]): number[] => answers.map(({ status }) => status)

/** What was posted on the tickets by voice agents, by ticket and text. */
async function posted(): Promise<[number, string][]> {
  const rows = await app.db.query<{ res_id: number; body: string }>(
    sql`select res_id, body from mail_message where model = 'helpdesk.ticket' and subtype = 'comment'
        and res_id in (${sql.join(tickets, sql`, `)}) order by res_id, body`,
  )
  return rows.map(({ res_id: id, body }) => [id, body])
}

/** Resolves when somebody waits for what the transaction has locked. */
async function someoneWaits(tx: Queryable): Promise<void> {
  for (let isWaiting = false; !isWaiting; ) {
    const [row] = await tx.query<{ waits: boolean }>(
      sql`select exists (select from pg_locks l where not l.granted and pg_backend_pid() = any(pg_blocking_pids(l.pid))) as waits`,
    )
    isWaiting = row?.waits === true
  }
}

describe('ticket_activity by many callers at once', () => {
  it('every note is on its ticket once, and a ticket that does not exist is refused alone', async () => {
    const [one = 0, two = 0] = tickets
    const notes = [one, two, UNKNOWN_ID, one, two].map((id, at) => ({
      ticket_id: id,
      note: at === 3 ? 'Note 0' : `Note ${at}`,
    }))
    expect(statusesOf(await postAll(notes))).toEqual([200, 200, 404, 200, 200])
    expect(await posted()).toEqual([
      [one, '<p>Note 0</p>'],
      [two, '<p>Note 1</p>'],
      [two, '<p>Note 4</p>'],
    ])
  })

  it('every note is a comment by the user of the webhooks', async () => {
    await postAll(notesOnAll('By whom'))
    const { userId } = await app.webhookUser()
    const read = await app.admin.ask<object[]>('mail.message', 'search_read', {
      domain: [
        ['model', '=', 'helpdesk.ticket'],
        ['res_id', 'in', tickets],
        ['body', 'like', 'By whom'],
      ],
      fields: ['author_id', 'create_uid', 'message_type', 'subtype'],
    })
    const author = await contactOf(app, userId)
    const expected = {
      id: expect.any(Number),
      author_id: [author, expect.any(String)],
      create_uid: [userId, 'Connect Webhook'],
      message_type: 'comment',
      subtype: 'comment',
    }
    expect(read).toEqual(tickets.map(() => expected))
  })

  it('a note that the database refuses harms none of the others, and may be asked for again', async () => {
    const notes = notesOnAll('Heard')
    const answers = await refusing(app, { table: 'mail_message', column: 'body', value: '<p>Heard 5</p>' }, () =>
      postAll(notes),
    )
    expect(statusesOf(answers)).toEqual(tickets.map((_id, at) => (at === 5 ? 503 : 200)))
    const all = tickets.map((id, at) => [id, `<p>Heard ${at}</p>`])
    expect(await posted()).toEqual(all.toSpliced(5, 1))
    expect(statusesOf(await postAll(notes))).toEqual(tickets.map(() => 200))
    expect(await posted()).toEqual(all)
  })

  it('the log has a delivery of each, with its own call, body and reply', async () => {
    const calls = await Promise.all(tickets.map(() => aCall(app, { partner })))
    const notes = notesOnAll('Logged')
    const answers = await postAll(notes, calls)
    await app.app.deliveries.drained()
    const logged = await app.admin.ask<object[]>('connect.delivery', 'search_read', {
      domain: [
        ['tool', '=', 'helpdesk_ticket_activity'],
        ['call_ref', 'in', calls],
      ],
      fields: ['call_ref', 'verdict', 'status', 'body', 'reply'],
      order: 'call_ref',
    })
    const expected = calls.map((call, at) => ({
      id: expect.any(Number),
      call_ref: call,
      verdict: 'handled',
      status: 200,
      body: JSON.stringify(notes[at]),
      reply: answers[at]?.text,
    }))
    expect(logged).toEqual(expected.toSorted((a, b) => a.call_ref - b.call_ref))
  })

  it('open pages hear of every ticket', async () => {
    const stream = await streamOf(app, app.admin.userId)
    await postAll(notesOnAll('Open'))
    for (const id of tickets) await stream.hearChange((each) => names(each, 'helpdesk.ticket', id))
    stream.close()
  })
})

describe('ticket_activity in calls that the header names', () => {
  it('a call that does not reach its ticket is refused alone, also where the same note was just posted', async () => {
    const own = await Promise.all(tickets.map(() => aCall(app, { partner })))
    const stranger = await aCall(app, { caller: 'anonymous' })
    const notes = notesOnAll('In the call')
    const [first = { ticket_id: 0, note: '' }] = notes
    const answers = await postAll([...notes, first], [...own.with(3, stranger), stranger])
    expect(statusesOf(answers)).toEqual([...tickets.map((_id, at) => (at === 3 ? 404 : 200)), 404])
    expect(answers[3]?.body).toEqual({
      error: `Ticket not found: the caller has no ticket with the number ${tickets[3]}.`,
    })
    expect(await posted()).toEqual(tickets.map((id, at) => [id, `<p>In the call ${at}</p>`]).toSpliced(3, 1))
  })

  it('a ticket that is given to somebody else while notes wait for it gets none of them', async () => {
    const other = await aPartner(app, { name: 'Somebody else' })
    const [lost = 0] = tickets
    const calls = await Promise.all(tickets.map(() => aCall(app, { partner })))
    const { answers } = await app.db.transaction(async (tx) => {
      await tx.query(sql`update helpdesk_ticket set partner_id = ${other}::bigint where id = ${lost}::bigint`)
      const asked = postAll(notesOnAll('Too late'), calls)
      // The embedded engine does one thing at a time; on a server the notes wait for the ticket.
      if (app.db.kind === 'server') await someoneWaits(tx)
      return { answers: asked }
    })
    expect(statusesOf(await answers)).toEqual(tickets.map((id) => (id === lost ? 404 : 200)))
    expect((await posted()).map(([id]) => id)).toEqual(tickets.slice(1))
  })
})

describe('a call whose contact is corrected, while it waits for a ticket that is given to the contact it had', () => {
  it.each([
    ['ticket_activity', { note: 'Not theirs' }],
    ['update_ticket', { priority: '3' }],
  ])('%s answers 404, for there was no moment at which the call reached the ticket', async (tool, args) => {
    const other = await aPartner(app, { name: 'Somebody else' })
    const id = await aTicket(other)
    const call = await aCall(app, { partner })
    const { answer } = await app.db.transaction(async (tx) => {
      // The embedded engine does one thing at a time, so that there is no moment in between.
      const rest = app.db.kind === 'server' ? app.db : tx
      await tx.query(sql`update helpdesk_ticket set partner_id = ${partner}::bigint where id = ${id}::bigint`)
      const asked = app.tool(HELPDESK + tool, { ticket_id: id, ...args }, { 'x-connect-call': String(call) })
      if (app.db.kind === 'server') await someoneWaits(tx)
      await rest.query(sql`update connect_call set partner = ${other}::bigint where id = ${call}::bigint`)
      return { answer: asked }
    })
    expect((await answer).status).toBe(404)
  })
})
