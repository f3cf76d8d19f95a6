import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { aCall, aNumber, aPartner, setCountry } from '../fixtures/records.ts'
import { countRows } from '../fixtures/row-counts.ts'
import { ageAnswers } from '../fixtures/tool-answers.ts'
import { WITHHELD } from '../fixtures/withheld.ts'
import { insertRow } from '../support/rows.ts'
import { TestApp } from '../support/test-app.ts'

const ROUTE = '/connect_voiceai/create_partner'
const UNKNOWN_ID = 2_000_000_000

let app: TestApp
let now = new Date()

beforeAll(async () => {
  app = await TestApp.start({ clock: () => now })
  await setCountry(app, 'CH')
})
beforeEach(() => {
  now = new Date()
})
afterAll(() => app.stop())

interface Created {
  partner_id: number
  message: string
  say: string
}

interface Partner {
  name: string
  phone: string | null
  phone_normalized: string | null
  connect_calls_count: number
}

async function create(body: object): Promise<Created> {
  const answer = await app.tool(ROUTE, body)
  expect([answer.status, answer.text]).toEqual([200, expect.any(String)])
  return answer.body as Created
}

async function readPartner(id: number): Promise<Partner | undefined> {
  const [partner] = await app.admin.ask<Partner[]>('res.partner', 'read', { ids: [id] })
  return partner
}

async function partnerOf(call: number): Promise<number | undefined> {
  const [row] = await app.admin.ask<{ partner: [number, string] | null }[]>('connect.call', 'read', { ids: [call] })
  return row?.partner?.[0]
}

describe('create_partner creates a res.partner for the caller and links it to the call', () => {
  it('create_partner creates a contact with the caller of an incoming call', async () => {
    const caller = aNumber()
    const call = await aCall(app, { caller })
    const answer = await create({ call_id: call, name: ' Zoe Müller ' })
    expect(answer).toEqual({
      partner_id: expect.any(Number),
      message: 'Partner created',
      say: 'I have saved your contact as Zoe Müller.',
    })
    expect(await readPartner(answer.partner_id)).toMatchObject({
      name: 'Zoe Müller',
      phone: caller,
      phone_normalized: caller,
      connect_calls_count: 1,
    })
    expect(await partnerOf(call)).toBe(answer.partner_id)
  })

  it('create_partner creates a contact with the called number of an outgoing call', async () => {
    const called = aNumber()
    const call = await aCall(app, { caller: '+41310000000', called, direction: 'outgoing' })
    const { partner_id: id } = await create({ call_id: String(call), name: 'Zoe' })
    expect(await readPartner(id)).toMatchObject({ phone: called })
  })

  it.each([
    ['044 200 00 01', '+41442000001'],
    ['0041442000002', '+41442000002'],
    ['sip:+41442000003@sip.example.com', '+41442000003'],
    ['whatsapp:+41442000004', '+41442000004'],
    ['101', '101'],
    ['anonymous', null],
    ['sip:zoe@example.com', null],
    ['', null],
    [null, null],
  ])('a caller of %o is kept as %o', async (caller, phone) => {
    const call = await aCall(app, { caller })
    const { partner_id: id } = await create({ call_id: call, name: `Caller ${caller}` })
    expect(await readPartner(id)).toMatchObject({ phone })
    expect(await partnerOf(call)).toBe(id)
  })

  it('the phone is never taken from the body', async () => {
    const caller = aNumber()
    const call = await aCall(app, { caller })
    const { partner_id: id } = await create({
      call_id: call,
      name: 'Zoe',
      phone: '+41790000001',
      caller: 'x',
      email: 'x@example.com',
    })
    expect(await readPartner(id)).toMatchObject({ phone: caller, email: null })
  })

  it.each(WITHHELD)('a caller who calls as %j gets a contact of their own without a number', async (caller) => {
    const [one, other] = [await aCall(app, { caller }), await aCall(app, { caller })]
    const [first, second] = [await create({ call_id: one, name: 'Zoe' }), await create({ call_id: other, name: 'Max' })]
    expect([first.message, second.message]).toEqual(['Partner created', 'Partner created'])
    expect(second.partner_id).not.toBe(first.partner_id)
    expect(await readPartner(first.partner_id)).toMatchObject({ name: 'Zoe', phone: null, phone_normalized: null })
  })

  it('a contact that was written down with a keypad word is nobody who calls', async () => {
    // As earlier versions stored it; today saving says that it is no number.
    await insertRow(app.db, 'res_partner', {
      ...{ name: 'Secret', active: true, phone: '+86282452253', phone_normalized: '+86282452253' },
    })
    const call = await aCall(app, { caller: '+86282452253' })
    expect(await create({ call_id: call, name: 'Zoe' })).toMatchObject({ message: 'Partner created' })
  })

  it('a contact that the call has already is answered instead', async () => {
    const partner = await aPartner(app, { name: 'Known' })
    const call = await aCall(app, { partner })
    const before = await countRows(app)
    expect(await create({ call_id: call, name: 'Other' })).toEqual({
      partner_id: partner,
      message: 'Partner already exists',
      say: 'You are known to us as Known.',
    })
    expect(await countRows(app)).toEqual(before)
  })

  it('create_partner takes the contact that has the number, and links the call to it', async () => {
    const caller = aNumber()
    const partner = await aPartner(app, { name: 'Known', mobile: `00${caller.slice(1)}` })
    const call = await aCall(app, { caller: `0${caller.slice(3)}` })
    const before = await countRows(app)
    expect(await create({ call_id: call, name: 'Other' })).toMatchObject({
      partner_id: partner,
      message: 'Partner already exists',
    })
    expect(await partnerOf(call)).toBe(partner)
    expect(await countRows(app)).toEqual(before)
  })
})

describe('a name that is nobody’s makes no contact, and finds the one that is there', () => {
  it.each(['Unknown caller', 'zoe@example.com', '+41 79 555 01 75'])(
    '%j on a call that has a contact',
    async (name) => {
      const partner = await aPartner(app, { name: 'Known' })
      const call = await aCall(app, { partner })
      expect(await create({ call_id: call, name })).toMatchObject({
        partner_id: partner,
        message: 'Partner already exists',
      })
    },
  )

  it.each(['Unknown caller', 'N/A'])('%j of a caller whose number is a contact’s', async (name) => {
    const caller = aNumber()
    const partner = await aPartner(app, { name: 'Known', phone: caller })
    const call = await aCall(app, { caller })
    expect(await create({ call_id: call, name })).toMatchObject({
      partner_id: partner,
      message: 'Partner already exists',
    })
    expect(await partnerOf(call)).toBe(partner)
  })
})

describe('a second contact for the same call or number is never made', () => {
  it('a second contact for the same call or number is never made by 20 requests of one call at once', async () => {
    const call = await aCall(app)
    const before = await app.count('res_partner')
    const names = Array.from({ length: 20 }, (_, at) => `Name ${at % 4}`)
    const answers = await Promise.all(names.map((name) => app.tool(ROUTE, { call_id: call, name })))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
    expect(new Set(answers.map(({ body }) => (body as Created).partner_id)).size).toBe(1)
    expect(await app.count('res_partner')).toBe(before + 1)
  })

  it('a second contact for the same call or number is never made by 20 calls of one new caller at once', async () => {
    const caller = aNumber()
    const calls = await Promise.all(Array.from({ length: 20 }, () => aCall(app, { caller })))
    const before = await app.count('res_partner')
    const answers = await Promise.all(calls.map((call) => create({ call_id: call, name: 'Zoe' })))
    const ids = new Set(answers.map(({ partner_id: id }) => id))
    expect(ids.size).toBe(1)
    expect(await app.count('res_partner')).toBe(before + 1)
    for (const call of calls) expect(ids.has((await partnerOf(call)) ?? 0)).toBe(true)
  })

  it('the same request within 90 seconds gets the first answer', async () => {
    const call = await aCall(app)
    const first = await create({ call_id: call, name: 'Zoe' })
    await ageAnswers(app, 80)
    expect(await create({ call_id: String(call), name: ' Zoe ' })).toEqual(first)
    await ageAnswers(app, 20)
    expect(await create({ call_id: call, name: 'Zoe' })).toEqual({
      ...first,
      message: 'Partner already exists',
      say: expect.any(String),
    })
  })
})

describe('what cannot be done is refused, and nothing is written', () => {
  it.each([undefined, null, '', ' ', 'None', [], {}, true, 'x'.repeat(501)])('a name of %o', async (name) => {
    const call = await aCall(app)
    const before = await countRows(app)
    const answer = await app.tool(ROUTE, { call_id: call, name })
    expect(answer.status).toBe(400)
    expect(answer.body).toEqual({ error: expect.stringContaining('name') })
    expect(await countRows(app)).toEqual(before)
    expect(await partnerOf(call)).toBeUndefined()
  })

  it.each([
    'Unknown',
    'anonymous',
    'unknown caller',
    'Anonymous user',
    'Unbekannter Anrufer',
    'N/A',
    'not provided',
    'zoe@example.com',
    '+41 79 555 01 75',
  ])('the name %j is nobody’s', async (name) => {
    const call = await aCall(app)
    const answer = await app.tool(ROUTE, { call_id: call, name })
    expect([answer.status, answer.body]).toEqual([400, { error: 'That is no name. What is your first and last name?' }])
    expect(await partnerOf(call)).toBeUndefined()
  })

  it.each(['Zoe Null', 'Private', 'Hidden', 'Nobody', 'Invalid'])('%j is a name that somebody has', async (name) => {
    const call = await aCall(app, { caller: aNumber() })
    const { partner_id: id, message } = await create({ call_id: call, name })
    expect(message).toBe('Partner created')
    expect(await readPartner(id)).toMatchObject({ name })
  })

  it.each([undefined, null, '', 'None', false, 'abc', 0, -1, 1.5, [], {}, 2 ** 53])(
    'a call_id of %o',
    async (given) => {
      const before = await countRows(app)
      const answer = await app.tool(ROUTE, { call_id: given, name: 'Zoe' })
      expect(answer.status).toBe(400)
      expect(answer.body).toEqual({ error: expect.stringContaining('call_id') })
      expect(await countRows(app)).toEqual(before)
    },
  )

  it('create_partner refuses an unknown call', async () => {
    const before = await countRows(app)
    const answer = await app.tool(ROUTE, { call_id: UNKNOWN_ID, name: 'Zoe' })
    expect([answer.status, answer.body]).toEqual([404, { error: expect.stringContaining(`no call ${UNKNOWN_ID}`) }])
    expect(await countRows(app)).toEqual(before)
  })
})

describe('what was made in a call belongs to the contact that the call gets, whatever came first', () => {
  const TOOLS = '/connect_voiceai'
  let hour = 0

  /** A ticket and a meeting of a caller whom nobody knows yet. */
  async function made(call: number): Promise<{ ticket: number; event: number; organiser: number }> {
    const organiser = await app.person(['base.group_user'], { name: 'Anna' })
    const ticket = await app.tool(`${TOOLS}_helpdesk/create_ticket`, { call_id: call, subject: 'Leak', phone: '999' })
    hour += 1
    const [start, stop] = [`2027-03-02 ${hour}:00:00`, `2027-03-02 ${hour}:30:00`].map((at) => at.replace(' ', ' 1'))
    const slot = { user_id: organiser.userId, start, stop, call_id: call }
    const event = await app.tool(`${TOOLS}/create_event`, slot)
    expect([ticket.status, event.status]).toEqual([200, 200])
    const { ticket_id: ticketId } = ticket.body as { ticket_id: number }
    return { ticket: ticketId, event: (event.body as { event_id: number }).event_id, organiser: organiser.userId }
  }

  async function expectTheirs(partner: number, { ticket, event }: { ticket: number; event: number }): Promise<void> {
    const next = await aCall(app, { partner })
    const inNext = { 'x-connect-call': String(next) }
    expect((await app.tool(`${TOOLS}_helpdesk/search_tickets`, {}, inNext)).body).toMatchObject({
      tickets: [{ ticket_id: ticket }],
    })
    expect((await app.tool(`${TOOLS}/get_meetings`, {}, inNext)).body).toMatchObject({ meetings: [{ id: event }] })
    const rows = await app.admin.ask('helpdesk.ticket', 'read', {
      ids: [ticket],
      fields: ['partner_id', 'partner_phone'],
    })
    expect(rows).toMatchObject([{ partner_id: [partner, expect.any(String)], partner_phone: '999' }])
  }

  it('create_ticket, create_event, create_partner', async () => {
    const call = await aCall(app, { caller: 'anonymous' })
    const all = await made(call)
    const { partner_id: partner } = await create({ call_id: call, name: 'Zoe' })
    expect(await partnerOf(call)).toBe(partner)
    await expectTheirs(partner, all)
    await create({ call_id: await aCall(app, { caller: 'anonymous' }), name: 'Max' })
    await expectTheirs(partner, all)
  })

  it('the history of the ticket says who has become its contact', async () => {
    const call = await aCall(app, { caller: '+266696687' })
    const { ticket } = await made(call)
    await create({ call_id: call, name: 'Zoe Withheld' })
    const posts = await app.admin.ask<{ changes: object[] }[]>('helpdesk.ticket', 'message_list', { ids: [ticket] })
    expect(posts.flatMap(({ changes }) => changes ?? [])).toContainEqual(
      expect.objectContaining({ field: 'partner_id', to: 'Zoe Withheld' }),
    )
  })

  it('a person who names the contact of the call, or makes one for it', async () => {
    const [named, of] = [await aCall(app, { caller: '' }), await aPartner(app, { name: 'Named' })]
    const all = await made(named)
    await app.admin.ask('connect.call', 'write', { ids: [named], vals: { partner: of } })
    await expectTheirs(of, all)
    const call = await aCall(app, { caller: '+86282452253' })
    const others = await made(call)
    const values = { vals_list: { name: 'Made' }, context: { connect_call_id: call } }
    await expectTheirs(await app.admin.ask<number>('res.partner', 'create', values), others)
  })

  it('what belongs to somebody already stays theirs', async () => {
    const [call, owner, caller] = [await aCall(app), await aPartner(app), await aPartner(app)]
    const { ticket, event } = await made(call)
    await app.admin.ask('helpdesk.ticket', 'write', { ids: [ticket], vals: { partner_id: owner } })
    await app.admin.ask('calendar.event', 'write', { ids: [event], vals: { partner_ids: [[4, owner]] } })
    await app.admin.ask('connect.call', 'write', { ids: [call], vals: { partner: caller } })
    expect(await app.admin.ask('helpdesk.ticket', 'read', { ids: [ticket] })).toMatchObject([
      { partner_id: [owner, expect.any(String)] },
    ])
    const [meeting] = await app.admin.ask<{ partner_ids: number[] }[]>('calendar.event', 'read', { ids: [event] })
    expect(meeting?.partner_ids).toContain(owner)
    expect(meeting?.partner_ids).not.toContain(caller)
  })
})
