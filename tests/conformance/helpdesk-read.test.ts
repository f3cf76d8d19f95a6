import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sql } from '../../src/database/drizzle.ts'
import { aPartner } from '../fixtures/records.ts'
import { countRows } from '../fixtures/row-counts.ts'
import { TestApp } from '../support/test-app.ts'

const SEARCH = '/connect_voiceai_helpdesk/search_tickets'
const FETCH = '/connect_voiceai_helpdesk/fetch_ticket'
const UNKNOWN_ID = 2_000_000_000
const MOMENT = /^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}(\.\d{1,6})?$/

let app: TestApp
let stages: Record<string, number>

beforeAll(async () => {
  app = await TestApp.start()
  const rows = await app.admin.ask<{ id: number; name: string }[]>('helpdesk.stage', 'search_read', {
    fields: ['name'],
  })
  stages = Object.fromEntries(rows.map(({ id, name }) => [name, id]))
})
afterAll(() => app.stop())

interface Summary {
  ticket_id: number
  ticket_name: string
  stage: string
  create_date: string
  description: string
}

function aTicket(values: object): Promise<number> {
  return app.admin.ask<number>('helpdesk.ticket', 'create', { vals_list: { name: 'Broken', ...values } })
}

async function search(body: object): Promise<{ tickets: Summary[]; message?: string; say: string }> {
  const answer = await app.tool(SEARCH, body)
  expect(answer.status).toBe(200)
  return answer.body as never
}

describe('search_tickets', () => {
  it('answers id, name, stage, create date and description of each', async () => {
    const partner = await aPartner(app)
    const id = await aTicket({
      partner_id: partner,
      name: 'Leak',
      description: 'It leaks.',
      stage_id: stages['In Progress'],
    })
    expect(await search({ partner_id: partner })).toEqual({
      tickets: [
        {
          ticket_id: id,
          ticket_name: 'Leak',
          id,
          name: 'Leak',
          stage: 'In Progress',
          create_date: expect.stringMatching(MOMENT),
          description: 'It leaks.',
        },
      ],
      say: `I found one ticket: number ${id}, Leak, in In Progress.`,
    })
  })

  it('8 answers at most 10, newest first', async () => {
    const partner = await aPartner(app)
    const ids: number[] = []
    for (let at = 0; at < 12; at += 1) ids.push(await aTicket({ partner_id: partner, name: `Ticket ${at}` }))
    const { tickets } = await search({ partner_id: partner })
    expect(tickets.map(({ ticket_id: id }) => id)).toEqual(ids.toReversed().slice(0, 10))
  })

  it('newest is by id, also when dates say otherwise', async () => {
    const partner = await aPartner(app)
    const [first, second] = [await aTicket({ partner_id: partner }), await aTicket({ partner_id: partner })]
    await app.db.query(
      sql`update helpdesk_ticket set create_date = create_date + interval '1 day' where id = ${first}::bigint`,
    )
    expect((await search({ partner_id: partner })).tickets.map(({ ticket_id: id }) => id)).toEqual([second, first])
  })

  it.each([true, 'true', 'True', 1, '1', 'yes'])('only_open %o leaves out those in folded stages', async (only) => {
    const partner = await aPartner(app)
    const byStage: Record<string, number> = {}
    for (const [name, id] of Object.entries(stages))
      byStage[name] = await aTicket({ partner_id: partner, stage_id: id })
    const { tickets } = await search({ partner_id: partner, only_open: only })
    expect(tickets.map(({ stage }) => stage).toSorted()).toEqual(['In Progress', 'Inbox', 'On Hold'])
  })

  it.each([undefined, null, false, 'false', '', 0, 'no', 'perhaps', {}, []])(
    'only_open %o leaves nothing out',
    async (only) => {
      const partner = await aPartner(app)
      for (const id of Object.values(stages)) await aTicket({ partner_id: partner, stage_id: id })
      expect((await search({ partner_id: partner, only_open: only })).tickets).toHaveLength(5)
    },
  )

  it('only_open counts before the limit: 10 open ones behind 5 closed are all found', async () => {
    const partner = await aPartner(app)
    for (let at = 0; at < 10; at += 1) await aTicket({ partner_id: partner, stage_id: stages.Inbox })
    for (let at = 0; at < 5; at += 1) await aTicket({ partner_id: partner, stage_id: stages.Closed })
    expect((await search({ partner_id: partner, only_open: true })).tickets).toHaveLength(10)
  })

  it('a ticket without a stage is New and open, one without a description has none', async () => {
    const partner = await aPartner(app)
    const id = await aTicket({ partner_id: partner })
    await app.db.query(sql`update helpdesk_ticket set stage_id = null where id = ${id}::bigint`)
    expect((await search({ partner_id: partner, only_open: true })).tickets).toMatchObject([
      { ticket_id: id, stage: 'New', description: '' },
    ])
  })

  it('finds nothing of other contacts, of unknown ones, and nothing archived', async () => {
    const [partner, other] = [await aPartner(app), await aPartner(app)]
    await aTicket({ partner_id: other })
    await aTicket({ partner_id: partner, active: false })
    const none = { message: 'No tickets found for this partner', tickets: [], say: 'I found no tickets.' }
    expect(await search({ partner_id: partner })).toEqual(none)
    expect(await search({ partner_id: UNKNOWN_ID })).toEqual(none)
  })

  it('takes the id as a text', async () => {
    const partner = await aPartner(app)
    await aTicket({ partner_id: partner })
    for (const given of [String(partner), ` ${partner}`, `${partner}.0`]) {
      expect((await search({ partner_id: given })).tickets).toHaveLength(1)
    }
  })

  it.each([undefined, null, '', ' ', 'None', 'null', false])('partner_id %o counts as missing', async (given) => {
    const answer = await app.tool(SEARCH, { partner_id: given, only_open: true })
    expect(answer.status).toBe(400)
    expect(answer.body).toEqual({ error: 'Partner ID is required to search tickets' })
  })

  it.each(['abc', 0, -1, 1.5, [], {}, true, 2 ** 53])('partner_id %o is no number', async (given) => {
    const answer = await app.tool(SEARCH, { partner_id: given })
    expect(answer.status).toBe(400)
    expect(answer.body).toEqual({ error: 'The partner_id must be a number.' })
  })
})

describe('fetch_ticket', () => {
  it('answers name, description, stage, partner, team, assigned user, create date and priority', async () => {
    const partner = await aPartner(app, { name: 'Zoe', email: 'zoe@example.com', phone: '+41 31 380 83 16' })
    const person = await app.person(['base.group_user', 'helpdesk.group_user'], { name: 'Anna' })
    const id = await aTicket({
      name: 'Leak',
      description: 'It leaks.',
      stage_id: stages['On Hold'],
      partner_id: partner,
      partner_name: 'Zoe at home',
      partner_email: 'home@example.com',
      partner_phone: '+41 44 111 22 33',
      user_id: person.userId,
      priority: '2',
    })
    await app.db.query(sql`update helpdesk_ticket set create_date = '2026-08-27 10:00:00.5' where id = ${id}::bigint`)
    const answer = await app.tool(FETCH, { ticket_id: id })
    expect(answer.status).toBe(200)
    expect(answer.body).toEqual({
      ticket_id: id,
      ticket_name: 'Leak',
      description: 'It leaks.',
      stage: 'On Hold',
      partner_name: 'Zoe at home',
      partner_email: 'home@example.com',
      partner_phone: '+41 44 111 22 33',
      team: 'Customer Care',
      assigned_user: 'Anna',
      create_date: '2026-08-27 10:00:00.5',
      priority: '2',
      say: `Ticket number ${id}, Leak, is in On Hold, opened on Thursday, 27 August 2026. Anna works on it.`,
    })
  })

  it('fetch_ticket of one that a person made has what its contact says', async () => {
    const partner = await aPartner(app, { name: 'Zoe', email: 'zoe@example.com', phone: '+41 31 380 83 16' })
    const contact = { partner_name: 'Zoe', partner_email: 'zoe@example.com', partner_phone: '+41 31 380 83 16' }
    const [made, linked] = [await aTicket({ partner_id: partner }), await aTicket({})]
    await app.admin.ask('helpdesk.ticket', 'write', { ids: [linked], vals: { partner_id: partner } })
    for (const id of [made, linked]) {
      expect((await app.tool(FETCH, { ticket_id: id })).body).toMatchObject(contact)
    }
    const fields = ['phone_normalized']
    expect(await app.admin.ask('helpdesk.ticket', 'read', { ids: [made], fields })).toEqual([
      { id: made, phone_normalized: '+41313808316' },
    ])
  })

  it('fetch_ticket of a bare one has "" for texts, New, Unassigned and priority 0', async () => {
    const id = await aTicket({})
    await app.db.query(
      sql`update helpdesk_ticket set stage_id = null, team_id = null, priority = null where id = ${id}::bigint`,
    )
    expect((await app.tool(FETCH, { ticket_id: String(id) })).body).toEqual({
      ticket_id: id,
      ticket_name: 'Broken',
      description: '',
      stage: 'New',
      partner_name: '',
      partner_email: '',
      partner_phone: '',
      team: '',
      assigned_user: 'Unassigned',
      create_date: expect.stringMatching(MOMENT),
      priority: '0',
      say: expect.stringMatching(/Nobody works on it yet\.$/),
    })
  })

  it('fetch_ticket without an id is refused', async () => {
    for (const given of [undefined, null, '', 'None', false]) {
      const answer = await app.tool(FETCH, { ticket_id: given })
      expect([answer.status, answer.body]).toEqual([400, { error: 'Ticket ID is required' }])
    }
    for (const given of ['x', 0, [], {}, 1.5]) {
      expect(await app.tool(FETCH, { ticket_id: given })).toMatchObject({
        status: 400,
        body: { error: 'The ticket_id must be a number.' },
      })
    }
  })

  it('fetch_ticket of an unknown ticket is 404', async () => {
    expect(await app.tool(FETCH, { ticket_id: UNKNOWN_ID })).toMatchObject({
      status: 404,
      body: { error: 'Ticket not found' },
    })
  })

  it('reading tickets writes nothing', async () => {
    const partner = await aPartner(app)
    const id = await aTicket({ partner_id: partner })
    const before = await countRows(app)
    await app.tool(FETCH, { ticket_id: id })
    await search({ partner_id: partner })
    expect(await countRows(app)).toEqual(before)
  })
})
