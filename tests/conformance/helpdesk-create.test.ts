import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { sql } from '../../src/database/drizzle.ts'
import { lastReasons } from '../fixtures/delivery-reasons.ts'
import { aCall, aPartner } from '../fixtures/records.ts'
import { countRows } from '../fixtures/row-counts.ts'
import { ageAnswers } from '../fixtures/tool-answers.ts'
import { type Answer, eventually, TestApp } from '../support/test-app.ts'

const ROUTE = '/connect_voiceai_helpdesk/create_ticket'
const UNKNOWN_ID = 2_000_000_000

let app: TestApp
let now = new Date()
let partner: number
let call: number

beforeAll(async () => {
  app = await TestApp.start({ clock: () => now })
})
beforeEach(async () => {
  now = new Date()
  partner = await aPartner(app, { name: 'Zoe', phone: '+41 31 380 83 16', email: 'zoe@example.com' })
  call = await aCall(app, { partner })
})
afterAll(() => app.stop())

interface Created {
  ticket_id: number
  ticket_number: number
  ticket_name: string
  message: string
  say: string
}

interface Ticket {
  name: string
  description: string | null
  team_id: [number, string]
  stage_id: [number, string]
  user_id: [number, string] | null
  partner_id: [number, string] | null
  partner_name: string | null
  partner_email: string | null
  partner_phone: string | null
  phone_normalized: string | null
  priority: string
  active: boolean
  connect_calls: number[]
}

async function create(body: object): Promise<Created> {
  const answer = await app.tool(ROUTE, body)
  expect([answer.status, answer.text]).toEqual([200, expect.any(String)])
  return answer.body as Created
}

async function readTicket(id: number): Promise<Ticket> {
  const [ticket] = await app.admin.ask<Ticket[]>('helpdesk.ticket', 'read', { ids: [id] })
  if (ticket === undefined) throw new Error(`there is no ticket ${id}`)
  return ticket
}

async function created(body: object): Promise<Ticket> {
  return readTicket((await create(body)).ticket_id)
}

function expectRefused(answer: Answer, status: number, sentence: RegExp | string): void {
  expect(answer.status).toBe(status)
  expect(answer.body).toEqual({ error: expect.stringMatching(sentence) })
}

describe('create_ticket creates a helpdesk.ticket', () => {
  it.each([undefined, '', ' '])('the mobile is the phone of a contact whose phone is %o', async (phone) => {
    const contact = await aPartner(app, { name: 'Mo', phone, mobile: '079 500 09 92' })
    const ofAgent = await created({ call_id: await aCall(app, { partner: contact }) })
    expect(ofAgent).toMatchObject({ partner_phone: '079 500 09 92' })
    const id = await app.admin.ask<number>('helpdesk.ticket', 'create', {
      vals_list: { name: 'By hand', partner_id: contact },
    })
    const byHand = await readTicket(id)
    expect(byHand).toMatchObject({ partner_phone: '079 500 09 92', phone_normalized: ofAgent.phone_normalized })
  })

  it('a phone that is none is refused by hand with a sentence, unless it is that of the contact', async () => {
    const byHand = (values: object) =>
      app.admin.call('helpdesk.ticket', 'create', { vals_list: { name: 'By hand', ...values } })
    const refused = await byHand({ partner_phone: 'garbage' })
    expect([refused.status, refused.text]).toEqual([422, expect.stringContaining('must be a phone number')])
    for (const partner_phone of ['(+41) 79 555 01 74', '262966', 'anonymous', ' ', null])
      expect((await byHand({ partner_phone })).status).toBe(200)
    const bank = await aPartner(app, { name: 'Bank' })
    await app.db.query(sql`update res_partner set phone = 'BANK' where id = ${bank}::bigint`)
    expect((await byHand({ partner_id: bank })).status).toBe(200)
  })

  it('a subject that is too long is cut, and the log says so', async () => {
    const created = await create({ subject: 'x'.repeat(10_000), call_id: call })
    expect(created.ticket_name).toBe(`${'x'.repeat(999)}…`)
    expect(await lastReasons(app, ROUTE, 1)).toEqual(['The subject was cut to 1000 characters.'])
  })

  it.each(['team_name', 'email', 'phone'])('a %s that is too long costs nobody the ticket', async (name) => {
    const { ticket_id } = await create({ subject: `Long ${name}`, call_id: call, [name]: 'x'.repeat(1_001) })
    expect(ticket_id).toBeGreaterThan(0)
    const [reason] = await lastReasons(app, ROUTE, 1)
    expect(reason).toContain(`The ${name} was cut to 1000 characters.`)
  })

  it('a subject of signs alone is the usual one', async () => {
    expect((await create({ subject: '🔥🔥', call_id: call })).ticket_name).toBe('Ticket from phone call')
  })

  it.each(['\u200b', '\u200e \u200f', '\u2060\ufeff', '\ufe0f\u034f', '\u2800', '\u3164'])(
    'a subject and a description of which nothing is seen (%j) count as left out',
    async (nothing) => {
      expect(await created({ subject: nothing, description: nothing, call_id: call })).toMatchObject({
        name: 'Ticket from phone call',
        description: null,
      })
    },
  )

  it.each([false, 'false', 'False'])('%o counts as left out', async (nothing) => {
    const body = { subject: nothing, description: nothing, team_name: nothing, partner_id: nothing, email: nothing }
    expect(await created({ ...body, call_id: call })).toMatchObject({
      name: 'Ticket from phone call',
      description: null,
      partner_name: 'Zoe',
    })
  })

  it('answers ticket_id, ticket_number and ticket_name', async () => {
    const answer = await create({ subject: 'Broken', call_id: call })
    expect(answer).toEqual({
      ticket_id: expect.any(Number),
      ticket_number: answer.ticket_id,
      ticket_name: 'Broken',
      message: 'Ticket created successfully',
      say: `I have created ticket number ${answer.ticket_id}.`,
    })
  })

  it('create_ticket creates a helpdesk.ticket with description, contact, first team, its first stage, lowest priority and nobody assigned', async () => {
    const ticket = await created({ subject: 'Broken', description: 'It leaks.\nBadly.', call_id: call })
    expect(ticket).toMatchObject({
      name: 'Broken',
      description: 'It leaks.\nBadly.',
      partner_id: [partner, 'Zoe'],
      partner_name: 'Zoe',
      team_id: [expect.any(Number), 'Customer Care'],
      stage_id: [expect.any(Number), 'Inbox'],
      user_id: null,
      priority: '0',
      active: true,
    })
  })

  it('the ticket of create_ticket is linked back to the call (call.ticket), which shows it', async () => {
    const { ticket_id: id } = await create({ subject: 'Broken', call_id: call })
    expect((await readTicket(id)).connect_calls).toEqual([call])
    const [row] = await app.admin.ask<{ ticket: unknown }[]>('connect.call', 'read', {
      ids: [call],
      fields: ['ticket'],
    })
    expect(row?.ticket).toEqual([id, 'Broken'])
  })

  it('create_ticket creates a helpdesk.ticket is named by the timeline of the call', async () => {
    const { ticket_id: id } = await create({ subject: 'Broken', call_id: call })
    const moment = await eventually(async () => {
      const { moments } = await app.admin.ask<{ moments: { lane: string; sentence: string }[] }>(
        'connect.call',
        'timeline',
        { ids: [call] },
      )
      return moments.find(({ lane }) => lane === 'tools')
    })
    expect(moment.sentence).toContain(`ticket ${id} "Broken"`)
  })

  it('the ticket of create_ticket is made by the webhook user', async () => {
    const { ticket_id: id } = await create({ call_id: call })
    const [row] = await app.admin.ask<object[]>('helpdesk.ticket', 'read', { ids: [id], fields: ['create_uid'] })
    expect(row).toMatchObject({ create_uid: [(await app.webhookUser()).userId, 'Connect Webhook'] })
  })

  it('a subject that is missing or blank becomes "Ticket from phone call"', async () => {
    for (const subject of [undefined, null, '', '   ', 'None', '\u0000', '\u0007']) {
      const id = await aCall(app, { partner })
      expect(await create({ subject, call_id: id })).toMatchObject({ ticket_name: 'Ticket from phone call' })
    }
  })

  it('a subject is trimmed, and may be a number', async () => {
    expect((await create({ subject: '  Broken  ', call_id: call })).ticket_name).toBe('Broken')
    expect((await create({ subject: 404, call_id: call })).ticket_name).toBe('404')
  })

  it('a subject of 1000 characters is kept whole, and one that is no text is refused', async () => {
    expect((await create({ subject: 'ä'.repeat(1_000), call_id: call })).ticket_name).toHaveLength(1_000)
    const before = await countRows(app)
    expectRefused(await app.tool(ROUTE, { subject: ['x'], call_id: call }), 400, /subject/)
    expect(await countRows(app)).toEqual(before)
  })

  it('keys that nobody knows are ignored', async () => {
    const sent = {
      subject: 'Broken',
      call_id: call,
      priority: '3',
      name: 'x',
      ['__proto__']: { team_name: [] },
      extra: {},
    }
    expect(Object.keys(sent)).toContain('__proto__')
    expect(await created(sent)).toMatchObject({ name: 'Broken', priority: '0' })
  })
})

describe('create_ticket: the contact', () => {
  it('the contact of create_ticket is partner_id if given, as a number or as a text', async () => {
    const other = await aPartner(app, { name: 'Max', email: 'max@example.com', phone: '+41 44 111 22 33' })
    for (const given of [other, String(other), `${other}.0`]) {
      expect(
        await created({ subject: `For ${typeof given} ${given}`, call_id: call, partner_id: given }),
      ).toMatchObject({
        partner_id: [other, 'Max'],
        partner_email: 'max@example.com',
        partner_phone: '+41 44 111 22 33',
      })
    }
  })

  it.each([undefined, null, '', 'None', false, 0, -1, 'abc', UNKNOWN_ID, 1.5, [], {}, 1e300, '99999999999999'])(
    "otherwise the call's contact: partner_id %o",
    async (given) => {
      const ticket = await created({ subject: `Nobody ${String(given)}`, call_id: call, partner_id: given })
      expect(ticket.partner_id).toEqual([partner, 'Zoe'])
    },
  )

  it('create_ticket copies the email and phone of the contact', async () => {
    expect(await created({ call_id: call })).toMatchObject({
      partner_email: 'zoe@example.com',
      partner_phone: '+41 31 380 83 16',
      phone_normalized: '+41313808316',
    })
  })

  it('a contact without email and phone leaves them empty, whatever was sent or called', async () => {
    const bare = await aPartner(app, { name: 'Bare' })
    const ticket = await created({ call_id: call, partner_id: bare, email: 'x@example.com', phone: '+41440000000' })
    expect(ticket).toMatchObject({
      partner_id: [bare, 'Bare'],
      partner_email: null,
      partner_phone: null,
      phone_normalized: null,
    })
  })

  it('create_ticket without a contact takes the email and phone that were sent', async () => {
    const stranger = await aCall(app)
    const ticket = await created({ call_id: stranger, email: 'new@example.com', phone: '+41 44 000 00 00' })
    expect(ticket).toMatchObject({
      partner_id: null,
      partner_name: null,
      partner_email: 'new@example.com',
      partner_phone: '+41 44 000 00 00',
      phone_normalized: '+41440000000',
    })
    expect(await created({ call_id: await aCall(app) })).toMatchObject({
      partner_id: null,
      partner_email: null,
      partner_phone: null,
    })
  })

  it.each(['0', '+0', '٠', '00', '000', '(0)', '9'.repeat(20)])(
    '%s is no number, in an installation without a country too',
    async (phone) => {
      expect(await created({ call_id: await aCall(app), phone })).toMatchObject({
        partner_phone: null,
        phone_normalized: null,
        description: `Phone: ${phone}`,
      })
    },
  )

  it('an e-mail address and a number that nobody can read stand in the description, and the log says so', async () => {
    const [email, phone] = ['anna at example dot com', 'the one I always use']
    const sent = { call_id: await aCall(app), description: 'It leaks.', email, phone }
    expect(await created(sent)).toMatchObject({
      partner_email: null,
      partner_phone: null,
      phone_normalized: null,
      description: `It leaks.\nE-mail: ${email}\nPhone: ${phone}`,
    })
    expect(await lastReasons(app, ROUTE, 1)).toEqual([
      'The e-mail address could not be read, and was added to the description of the ticket. ' +
        'The phone number could not be read, and was added to the description of the ticket.',
    ])
    expect(await created({ call_id: await aCall(app), email: 'anna@', phone: 'anonymous' })).toMatchObject({
      partner_email: null,
      partner_phone: null,
      description: 'E-mail: anna@',
    })
  })
})

describe('create_ticket: team_name is matched ignoring case', () => {
  let teams: Record<string, number>

  beforeAll(async () => {
    teams = {}
    for (const name of ['Technical Support', 'Support', 'Support Abroad', '100% Sure', 'under_score', 'ÄRZTE']) {
      teams[name] = await app.admin.ask<number>('helpdesk.team', 'create', { vals_list: { name } })
    }
  })

  it.each([
    ['Support', 'Support'],
    ['support', 'Support'],
    ['SUPPORT', 'Support'],
    ['  support ', 'Support'],
    ['supp', 'Support'],
    ['tech', 'Technical Support'],
    ['abroad', 'Support Abroad'],
    ['customer', 'Customer Care'],
    ['100%', '100% Sure'],
    ['%', '100% Sure'],
    ['_', 'under_score'],
    ['r_s', 'under_score'],
    ['S%t', 'Customer Care'],
    ['\\', 'Customer Care'],
    ['Nobody there', 'Customer Care'],
    ['', 'Customer Care'],
    [null, 'Customer Care'],
    ['ärzte', 'ÄRZTE'],
  ])('%o is %s', async (given, team) => {
    const ticket = await created({ subject: `Team ${given}`, call_id: call, team_name: given })
    expect(ticket.team_id[1]).toBe(team)
  })

  it('the ticket starts in the lowest stage of its team, else in the lowest of all', async () => {
    const own = await app.admin.ask<number>('helpdesk.stage', 'create', {
      vals_list: { name: 'Arrived', sequence: 99, team_ids: [teams.Support] },
    })
    expect(await created({ subject: 'own', call_id: call, team_name: 'support' })).toMatchObject({
      stage_id: [own, 'Arrived'],
    })
    expect(await created({ subject: 'any', call_id: call, team_name: 'abroad' })).toMatchObject({
      stage_id: [expect.any(Number), 'Inbox'],
    })
  })
})

describe('create_ticket: call_id is required', () => {
  it.each([undefined, null, '', ' ', 'None', 'null', 'undefined', false])('%o counts as missing', async (given) => {
    const before = await countRows(app)
    expectRefused(
      await app.tool(ROUTE, { subject: 'Broken', call_id: given, partner_id: partner }),
      400,
      'The call_id is required',
    )
    expect(await countRows(app)).toEqual(before)
  })

  it.each(['abc', 0, -1, 1.5, '1.5', [], [1], {}, true, 2 ** 53, '99999999999999999', '0x10', '1e3', '١'])(
    '%o is no number',
    async (given) => {
      const before = await countRows(app)
      expectRefused(await app.tool(ROUTE, { subject: 'Broken', call_id: given }), 400, 'must be a number')
      expect(await countRows(app)).toEqual(before)
    },
  )

  it('an unknown one makes no ticket', async () => {
    const before = await countRows(app)
    expectRefused(
      await app.tool(ROUTE, { subject: 'Broken', call_id: UNKNOWN_ID, partner_id: partner }),
      404,
      `no call ${UNKNOWN_ID}`,
    )
    expectRefused(await app.tool(ROUTE, { subject: 'Broken', call_id: 2 ** 31 - 1 }), 404, 'no call')
    expect(await countRows(app)).toEqual(before)
    // What was refused may be asked again at once.
    await app.db.query(sql`insert into connect_call (id, status) values (${UNKNOWN_ID}::bigint, 'ringing')`)
    await create({ subject: 'Broken', call_id: UNKNOWN_ID, partner_id: partner })
  })

  it('a number in a text will do', async () => {
    for (const given of [` ${call} `, `${call}.0`]) await create({ subject: `Given ${given}`, call_id: given })
  })
})

// docs/reference/domain.md#repeated-tool-calls
describe('create_ticket called again in the same call within 90 seconds', () => {
  it('create_ticket called again in the same call within 90 seconds gets the first answer, and there is one ticket', async () => {
    const body = { subject: 'Twice', description: 'x', call_id: call }
    const first = await create(body)
    const before = await countRows(app)
    for (const seconds of [0, 30, 50]) {
      await ageAnswers(app, seconds)
      expect(await create(body)).toEqual(first)
      expect(await create({ ...body, call_id: String(call), subject: ' Twice ', extra: 1 })).toEqual(first)
    }
    expect(await countRows(app)).toEqual(before)
  })

  it('create_ticket called again within 90 seconds gets the first answer from a process whose clock is off, too: the database tells the time', async () => {
    const body = { subject: 'Two clocks', call_id: call }
    const first = await create(body)
    for (const hours of [2, -2]) {
      now = new Date(Date.now() + hours * 3_600_000)
      expect(await create(body)).toEqual(first)
    }
    now = new Date()
  })

  it('create_ticket makes another ticket after 90 seconds', async () => {
    const body = { subject: 'Later', call_id: call }
    const first = await create(body)
    await ageAnswers(app, 91)
    const second = await create(body)
    expect(second.ticket_id).toBeGreaterThan(first.ticket_id)
    expect(await create(body)).toEqual(second)
  })

  it('another call, or anything else in it, makes another one', async () => {
    const ids = new Set<number>()
    const body = { subject: 'Same', description: 'Same', call_id: call }
    const variants = [
      body,
      { ...body, call_id: await aCall(app, { partner }) },
      { ...body, subject: 'Other' },
      { ...body, description: 'Other' },
      { ...body, team_name: 'Customer Care' },
    ]
    for (const variant of variants) ids.add((await create(variant)).ticket_id)
    expect(ids.size).toBe(variants.length)
  })

  it('20 at once make one ticket, with the same answer to all', async () => {
    const before = await app.count('helpdesk_ticket')
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => app.tool(ROUTE, { subject: 'Parallel', call_id: call })),
    )
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1)
    expect(answers[0]?.status).toBe(200)
    expect(await app.count('helpdesk_ticket')).toBe(before + 1)
  })
})
