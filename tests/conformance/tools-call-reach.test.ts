import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { sql } from '../../src/database/drizzle.ts'
import { aCall, aNumber, aPartner, contactOf } from '../fixtures/records.ts'
import { countRows } from '../fixtures/row-counts.ts'
import { type Answer, type Caller, TestApp } from '../support/test-app.ts'

const HELPDESK = '/connect_voiceai_helpdesk'
const REMOVE = '/connect_voiceai/remove_meeting'
const BOOK = '/connect_voiceai/create_event'
const LIST = '/connect_voiceai/get_meetings'
const CREATE = `${HELPDESK}/create_ticket`
const SEARCH = `${HELPDESK}/search_tickets`
const UNKNOWN_ID = 2_000_000_000

let app: TestApp
let anna: Caller
let hour = 0

/** Somebody whose records strangers are after, and somebody who calls. */
let [company, victim, caller, known, stranger] = [0, 0, 0, 0, 0]
let foreign: number

beforeAll(async () => {
  app = await TestApp.start({ clock: () => new Date('2026-08-26T09:00:00Z') })
  anna = await app.person(['base.group_user'], { name: 'Anna' })
})
beforeEach(async () => {
  company = await aPartner(app, { name: 'Works Ltd', is_company: true })
  victim = await aPartner(app, { name: 'Victim', email: 'victim@example.com' })
  caller = await aPartner(app, { name: 'Caller', parent_id: company })
  known = await aCall(app, { partner: caller })
  stranger = await aCall(app, { caller: 'anonymous' })
  foreign = await aTicket(victim)
})
afterEach(() => setOpen(false))
afterAll(() => app.stop())

function aTicket(partner: number | null): Promise<number> {
  return app.admin.ask<number>('helpdesk.ticket', 'create', { vals_list: { name: 'Leak', partner_id: partner } })
}

async function aMeeting(values: object, headers: Record<string, string> = {}): Promise<number> {
  hour += 1
  const day = `2026-09-${String(1 + Math.floor(hour / 20)).padStart(2, '0')}`
  const at = String(hour % 20).padStart(2, '0')
  const [start, stop] = [`${day} ${at}:00:00`, `${day} ${at}:30:00`]
  const answer = await app.tool(BOOK, { user_id: anna.userId, start, stop, ...values }, headers)
  return (answer.body as { event_id: number }).event_id
}

async function setOpen(isOpen: boolean): Promise<void> {
  const [id] = await app.admin.ask<number[]>('connect.settings', 'search')
  await app.admin.ask('connect.settings', 'write', { ids: [id], vals: { voiceai_tools_open: isOpen } })
}

const inCall = (call: unknown): Record<string, string> => ({ 'x-connect-call': String(call) })

/** Every tool that takes the number of a ticket. */
const USES: [string, object][] = [
  ['fetch_ticket', {}],
  ['update_ticket', { priority: '3' }],
  ['ticket_activity', { note: 'Heard.' }],
]
/** Both ways in which a request names its call. */
const WAYS: [string, (call: unknown) => { body: object; headers: Record<string, string> }][] = [
  ['the header', (call) => ({ body: {}, headers: inCall(call) })],
  ['call_id in the body', (call) => ({ body: { call_id: call }, headers: {} })],
]

function use(tool: string, body: object, headers: Record<string, string> = {}): Promise<Answer<never>> {
  return app.tool(`${HELPDESK}/${tool}`, body, headers)
}

describe.each(WAYS)('with the call named by %s', (_way, name) => {
  it.each(USES)(
    '%s answers 404 with a sentence to the ticket of somebody else, and writes nothing',
    async (tool, args) => {
      for (const call of [known, stranger, UNKNOWN_ID, 'test_call_id']) {
        const { body, headers } = name(call)
        const before = await countRows(app)
        const answer = await use(tool, { ticket_id: foreign, ...args, ...body }, headers)
        expect([answer.status, answer.body]).toEqual([
          404,
          { error: `Ticket not found: the caller has no ticket with the number ${foreign}.` },
        ])
        expect(answer.text).not.toContain('victim')
        expect(await countRows(app)).toEqual(before)
      }
      const [ticket] = await app.admin.ask<{ priority: string }[]>('helpdesk.ticket', 'read', { ids: [foreign] })
      expect(ticket?.priority).toBe('0')
    },
  )

  it.each(USES)('%s does not tell whether somebody else has a ticket with that number', async (tool, args) => {
    const { body, headers } = name(known)
    const answer = await use(tool, { ticket_id: UNKNOWN_ID, ...args, ...body }, headers)
    expect([answer.status, answer.body]).toEqual([
      404,
      { error: `Ticket not found: the caller has no ticket with the number ${UNKNOWN_ID}.` },
    ])
  })

  it.each(USES)("%s works on tickets of the call's contact and of the contact's company", async (tool, args) => {
    const { body, headers } = name(known)
    for (const owner of [caller, company]) {
      const answer = await use(tool, { ticket_id: await aTicket(owner), ...args, ...body }, headers)
      expect([answer.status, answer.text]).toEqual([200, expect.any(String)])
    }
  })

  it.each(USES)('%s works on every ticket made in the call, also of a caller who is not known', async (tool, args) => {
    const { body, headers } = name(stranger)
    for (const subject of ['First', 'Second']) {
      const made = (await app.tool(CREATE, { call_id: stranger, subject }, headers)).body as { ticket_id: number }
      expect((await use(tool, { ticket_id: made.ticket_id, ...args, ...body }, headers)).status).toBe(200)
      expect(
        (await use(tool, { ticket_id: made.ticket_id, ...args, ...name(known).body }, name(known).headers)).status,
      ).toBe(404)
    }
  })

  it.each(USES)('%s works on the ticket that is linked to the call', async (tool, args) => {
    await app.admin.ask('connect.call', 'write', { ids: [stranger], vals: { ticket: foreign } })
    const { body, headers } = name(stranger)
    expect((await use(tool, { ticket_id: foreign, ...args, ...body }, headers)).status).toBe(200)
  })

  it('a caller without a contact is the one with the number of the call', async () => {
    const number = aNumber()
    const call = await aCall(app, { caller: number })
    await app.db.query(sql`update res_partner set mobile_normalized = ${number} where id = ${caller}::bigint`)
    await app.db.query(sql`update connect_call set partner = null where id = ${call}::bigint`)
    const { body, headers } = name(call)
    expect((await use('fetch_ticket', { ticket_id: await aTicket(caller), ...body }, headers)).status).toBe(200)
    expect((await use('fetch_ticket', { ticket_id: foreign, ...body }, headers)).status).toBe(404)
  })

  it.each([false, true])(
    'a ticket of a caller without a contact is for the one with the number (open: %o)',
    async (open) => {
      await app.admin.ask('connect.settings', 'write', { ids: [1], vals: { voiceai_tools_open: open } })
      const number = aNumber()
      const call = await aCall(app, { caller: number })
      const owner = await aPartner(app, { name: 'Nina', phone: number })
      const { body, headers } = name(call)
      for (const sent of [{}, { partner_id: '' }, { partner_id: UNKNOWN_ID }]) {
        const made = (
          await app.tool(CREATE, { ...body, ...sent, call_id: call, subject: JSON.stringify(sent) }, headers)
        ).body as { ticket_id: number }
        const [ticket] = await app.admin.ask<object[]>('helpdesk.ticket', 'read', { ids: [made.ticket_id] })
        expect(ticket).toMatchObject({ partner_id: [owner, 'Nina'], partner_phone: number })
      }
      await app.admin.ask('connect.settings', 'write', { ids: [1], vals: { voiceai_tools_open: false } })
    },
  )

  it('search_tickets lists those of the contact and of their company, and answers 404 to another contact', async () => {
    const { body, headers } = name(known)
    for (const owner of [caller, company]) {
      const ticket = await aTicket(owner)
      const answer = await app.tool(SEARCH, { partner_id: owner, ...body }, headers)
      expect(answer.body).toMatchObject({ tickets: [{ ticket_id: ticket }] })
    }
    for (const call of [known, stranger, UNKNOWN_ID]) {
      const answer = await app.tool(SEARCH, { partner_id: victim, ...name(call).body }, name(call).headers)
      expect([answer.status, answer.body]).toEqual([
        404,
        { error: 'I can only look up the tickets of the person who is calling.' },
      ])
    }
  })

  it('remove_meeting does not cancel the meeting of somebody else, least of all for a caller who is not known', async () => {
    const meeting = await aMeeting({ partner_id: victim })
    for (const call of [known, stranger, UNKNOWN_ID, 'test_call_id']) {
      const { body, headers } = name(call)
      for (const sent of [{}, { partner_id: victim }]) {
        const answer = await app.tool(REMOVE, { event_id: meeting, ...sent, ...body }, headers)
        expect([answer.status, answer.body]).toMatchObject([404, { error: 'Event not found', status: 404 }])
      }
    }
    expect((await app.admin.call('calendar.event', 'read', { ids: [meeting] })).status).toBe(200)
  })

  it('remove_meeting cancels what the contact or their company attends, and what was booked in the call', async () => {
    for (const partner of [caller, company]) {
      const meeting = await aMeeting({ partner_id: partner })
      expect((await app.tool(REMOVE, { event_id: meeting, ...name(known).body }, name(known).headers)).status).toBe(200)
    }
    const { body, headers } = name(stranger)
    const booked = await aMeeting(body, headers)
    expect((await app.tool(REMOVE, { event_id: booked, ...name(known).body }, name(known).headers)).status).toBe(404)
    expect((await app.tool(REMOVE, { event_id: booked, ...body }, headers)).status).toBe(200)
  })

  it('another call does not hear that a meeting was just cancelled', async () => {
    const meeting = await aMeeting({ partner_id: caller })
    expect((await app.tool(REMOVE, { event_id: meeting, ...name(known).body }, name(known).headers)).status).toBe(200)
    const { body, headers } = name(stranger)
    expect((await app.tool(REMOVE, { event_id: meeting, ...body }, headers)).status).toBe(404)
  })

  it('get_meetings tells nothing of other contacts', async () => {
    await aMeeting({ partner_id: victim })
    const own = await aMeeting({ partner_id: caller })
    const ask = (call: unknown) => app.tool(LIST, { partner_id: victim, ...name(call).body }, name(call).headers)
    expect((await ask(known)).body).toMatchObject({ meetings: [{ id: own }] })
    for (const call of [stranger, UNKNOWN_ID]) {
      expect([(await ask(call)).status, (await ask(call)).body]).toMatchObject([
        404,
        { error: 'I do not know who is calling, so I cannot look up meetings.' },
      ])
    }
  })

  it('the setting opens tickets and meetings to every call', async () => {
    await setOpen(true)
    const { body, headers } = name(stranger)
    expect((await use('fetch_ticket', { ticket_id: foreign, ...body }, headers)).body).toMatchObject({
      partner_email: 'victim@example.com',
    })
    expect((await app.tool(SEARCH, { partner_id: victim, ...body }, headers)).status).toBe(200)
    const meeting = await aMeeting({ partner_id: victim })
    expect((await app.tool(REMOVE, { event_id: meeting, ...body }, headers)).status).toBe(200)
  })
})

describe('with the call named by the header', () => {
  it.each([undefined, '', null, 'None'])('a contact that is left out (%o) is the caller', async (contact) => {
    const ticket = await aTicket(caller)
    const meeting = await aMeeting({ partner_id: caller })
    for (const isOpen of [false, true]) {
      await setOpen(isOpen)
      const found = await app.tool(SEARCH, { partner_id: contact }, inCall(known))
      expect([found.status, found.body]).toMatchObject([200, { tickets: [{ ticket_id: ticket }] }])
      const listed = await app.tool(LIST, { partner_id: contact }, inCall(known))
      expect([listed.status, listed.body]).toMatchObject([200, { meetings: [{ id: meeting }] }])
    }
  })

  it('a caller who is not known hears so where no contact is named', async () => {
    for (const call of [stranger, UNKNOWN_ID, '', 'test_call_id']) {
      const found = await app.tool(SEARCH, {}, inCall(call))
      expect([found.status, found.body]).toEqual([
        404,
        { error: 'I do not know who is calling, so I cannot look up tickets.' },
      ])
      const listed = await app.tool(LIST, {}, inCall(call))
      expect([listed.status, listed.body]).toMatchObject([
        404,
        { error: 'I do not know who is calling, so I cannot look up meetings.' },
      ])
    }
  })

  it('a contact that is unreadable is refused, and is not the caller', async () => {
    const answer = await app.tool(SEARCH, { partner_id: 'abc' }, inCall(known))
    expect([answer.status, answer.body]).toEqual([400, { error: 'The partner_id must be a number.' }])
  })

  it('the variable of a call that could not be looked up, which is empty, opens nothing', async () => {
    expect((await use('fetch_ticket', { ticket_id: foreign }, inCall(''))).status).toBe(404)
    const meeting = await aMeeting({ partner_id: victim })
    expect((await app.tool(REMOVE, { event_id: meeting }, inCall(''))).status).toBe(404)
  })

  it('what the body says of the call does not count', async () => {
    const theirs = await aCall(app, { partner: victim })
    expect((await use('fetch_ticket', { ticket_id: foreign, call_id: theirs }, inCall(known))).status).toBe(404)
    const meeting = await aMeeting({ partner_id: victim })
    expect((await app.tool(REMOVE, { event_id: meeting, call_id: theirs }, inCall(known))).status).toBe(404)
  })

  it('tickets and contacts are made for that call only, and for its own contact', async () => {
    const refused = await app.tool(CREATE, { call_id: stranger, subject: 'x' }, inCall(known))
    expect([refused.status, refused.body]).toEqual([
      404,
      { error: `The call ${stranger} is not the call that we are in.` },
    ])
    const create = { call_id: stranger, name: 'Mallory' }
    expect((await app.tool('/connect_voiceai/create_partner', create, inCall(known))).status).toBe(404)
    const made = await app.tool(CREATE, { call_id: known, subject: 'Own', partner_id: victim }, inCall(known))
    const [ticket] = await app.admin.ask<{ partner_id: [number, string] }[]>('helpdesk.ticket', 'read', {
      ids: [(made.body as { ticket_id: number }).ticket_id],
    })
    expect(ticket?.partner_id[0]).toBe(caller)
  })

  // docs/reference/domain.md#repeated-tool-calls
  it('a ticket asked for again is the same one, also when the caller was saved as a contact meanwhile', async () => {
    const colleague = await contactOf(app, anna.userId)
    const call = await aCall(app, { direction: 'internal', caller: '101', caller_user: anna.userId })
    const body = { call_id: call, subject: 'Twice', partner_id: colleague }
    const first = await app.tool(CREATE, body, inCall(call))
    expect(first.status).toBe(200)
    const saved = await app.tool('/connect_voiceai/create_partner', { call_id: call, name: 'Ann' }, inCall(call))
    expect(saved.body).toMatchObject({ message: 'Partner created' })
    const again = await app.tool(CREATE, body, inCall(call))
    expect([again.status, again.body]).toEqual([200, first.body])
  })
})

describe("without a call the contract's tools stay as they are", () => {
  it('a contact must be named, also beside a call that only the body names', async () => {
    for (const body of [{}, { call_id: known }]) {
      const answer = await app.tool(SEARCH, body)
      expect([answer.status, answer.body]).toEqual([400, { error: 'Partner ID is required to search tickets' }])
    }
  })

  it.each(USES)('%s works on any ticket', async (tool, args) => {
    expect((await use(tool, { ticket_id: foreign, ...args })).status).toBe(200)
  })

  it('meetings and tickets of any contact are listed, and any meeting is cancelled', async () => {
    const meeting = await aMeeting({ partner_id: victim })
    expect((await app.tool(SEARCH, { partner_id: victim })).body).toMatchObject({ tickets: [{}] })
    expect((await app.tool(LIST, { partner_id: victim })).body).toMatchObject({ meetings: [{ id: meeting }] })
    expect((await app.tool(REMOVE, { event_id: meeting })).status).toBe(200)
  })
})

it('the call in which something was made is not set by hand', async () => {
  const answer = await app.admin.call('helpdesk.ticket', 'write', { ids: [foreign], vals: { made_in_call: stranger } })
  expect([answer.status, answer.body]).toMatchObject([422, { message: expect.stringContaining('set by the service') }])
})
