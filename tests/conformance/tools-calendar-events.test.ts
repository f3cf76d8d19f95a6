import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { lastReasons } from '../fixtures/delivery-reasons.ts'
import { aCall, aPartner, contactOf } from '../fixtures/records.ts'
import { countRows } from '../fixtures/row-counts.ts'
import { ageAnswers } from '../fixtures/tool-answers.ts'
import { type Answer, type Caller, TestApp } from '../support/test-app.ts'

const CREATE = '/connect_voiceai/create_event'
const LIST = '/connect_voiceai/get_meetings'
const REMOVE = '/connect_voiceai/remove_meeting'
const UNKNOWN_ID = 2_000_000_000

/** A Wednesday. */
const NOW = new Date('2026-08-26T09:00:00Z')

let app: TestApp
let now = NOW
let anna: Caller

beforeAll(async () => {
  app = await TestApp.start({ clock: () => now })
})
beforeEach(async () => {
  now = NOW
  anna = await app.person(['base.group_user'], { name: 'Anna', tz: 'Europe/Zurich' })
})
afterAll(() => app.stop())

interface Booked {
  status: number
  detail: string
  event_id: number
  say: string
}

interface Event {
  id: number
  name: string
  start: string
  stop: string
  user_id: [number, string]
  partner_ids: number[]
  create_uid: [number, string]
}

function aSlot(
  start = '2026-08-27 14:00:00',
  stop = '2026-08-27 15:00:00',
): { user_id: number; start: string; stop: string } {
  return { user_id: anna.userId, start, stop }
}

async function book(body: object): Promise<Booked> {
  const answer = await app.tool(CREATE, body)
  expect([answer.status, answer.text]).toEqual([200, expect.any(String)])
  return answer.body as Booked
}

async function readEvent(id: number): Promise<Event> {
  const [event] = await app.admin.ask<Event[]>('calendar.event', 'read', { ids: [id] })
  if (event === undefined) throw new Error(`there is no event ${id}`)
  return event
}

async function expectRefused(answer: Answer, status: number, sentence: string | RegExp): Promise<void> {
  expect(answer.status).toBe(status)
  expect(answer.body).toEqual({
    error: expect.stringMatching(sentence),
    status,
    detail: (answer.body as { error: string }).error,
  })
}

describe('create_event: book an event', () => {
  it('answers 201 inside HTTP 200, and says when', async () => {
    const booked = await book({ ...aSlot(), name: 'Heating' })
    expect(booked).toEqual({
      status: 201,
      detail: 'Event successfully created',
      event_id: expect.any(Number),
      say: 'The meeting with Anna is booked for Thursday, 27 August 2026 at 14:00 Zurich time.',
    })
    expect(await readEvent(booked.event_id)).toMatchObject({
      name: 'Heating',
      start: '2026-08-27 12:00:00',
      stop: '2026-08-27 13:00:00',
      user_id: [anna.userId, 'Anna'],
      create_uid: [anna.userId, 'Anna'],
      partner_ids: [await contactOf(app, anna.userId)],
    })
  })

  it.each([undefined, null, '', ' ', 'None'])('without a name (%o) it is Unknowns', async (name) => {
    expect(await readEvent((await book({ ...aSlot(), name })).event_id)).toMatchObject({ name: 'Unknowns' })
  })

  it.each([
    ['2026-12-01 14:00:00', undefined, '2026-12-01 13:00:00'],
    ['2026-08-27 14:00', undefined, '2026-08-27 12:00:00'],
    ['2026-08-27T14:00:00', undefined, '2026-08-27 12:00:00'],
    ['2026-08-27 14:00:00', 'America/New_York', '2026-08-27 18:00:00'],
    ['2026-12-01 14:00:00', 'America/New_York', '2026-12-01 19:00:00'],
    ['2026-08-27 14:00:00', 'Asia/Kolkata', '2026-08-27 08:30:00'],
    ['2026-08-28 01:00:00', 'Pacific/Auckland', '2026-08-27 13:00:00'],
    ['2026-08-27 14:00:00', '+05:30', '2026-08-27 08:30:00'],
    ['2026-08-27 14:00:00', -5, '2026-08-27 19:00:00'],
    ['2026-08-27 14:00:00', '2', '2026-08-27 12:00:00'],
    // In the hour that comes twice the side that the end is on, the one that is missing is as far behind the jump.
    ['2026-10-25 02:30:00', undefined, '2026-10-25 01:30:00'],
    ['2027-03-28 02:30:00', undefined, '2027-03-28 01:30:00'],
  ])('%s with the timezone %o is stored as %s', async (start, timezone, stored) => {
    const stop = `${start.slice(0, 10)} 23:30:00`
    expect((await readEvent((await book({ user_id: anna.userId, start, stop, timezone })).event_id)).start).toBe(stored)
  })

  it('a meeting in the hour that comes twice lasts as long as its clock times say, and the hour is named', async () => {
    const slot = aSlot('2027-11-07 01:30:00', '2027-11-07 02:00:00')
    const { event_id: id, say } = await book({ ...slot, timezone: 'America/New_York' })
    expect(await readEvent(id)).toMatchObject({ start: '2027-11-07 05:30:00', stop: '2027-11-07 06:00:00' })
    expect(say).toBe(
      'There is 01:30 New York time twice on Sunday, 7 November 2027; the first one is meant. ' +
        'The meeting with Anna is booked for Sunday, 7 November 2027 at 01:30 New York time.',
    )
    expect(await book({ ...slot, timezone: 'America/New_York' })).toMatchObject({ status: 200, event_id: id })
  })

  it('create_event books for an organiser without a zone in UTC', async () => {
    const person = await app.person(['base.group_user'])
    const { event_id: id, say } = await book({ ...aSlot(), user_id: String(person.userId) })
    expect((await readEvent(id)).start).toBe('2026-08-27 14:00:00')
    expect(say).toContain('at 14:00 UTC')
  })

  it("the caller's contact attends: that of the call, or without a call the one that was sent", async () => {
    const [ofCall, sent] = [await aPartner(app, { name: 'Of call' }), await aPartner(app, { name: 'Sent' })]
    const [known, unknown] = [await aCall(app, { partner: ofCall }), await aCall(app)]
    const own = await contactOf(app, anna.userId)
    const attendees = async (hour: number, values: object): Promise<number[]> => {
      const slot = aSlot(`2026-09-01 ${hour}:00:00`, `2026-09-01 ${hour}:30:00`)
      return (await readEvent((await book({ ...slot, ...values })).event_id)).partner_ids.toSorted((a, b) => a - b)
    }
    expect(await attendees(10, { call_id: String(known), partner_id: sent })).toEqual(
      [own, ofCall].toSorted((a, b) => a - b),
    )
    expect(await attendees(11, { call_id: unknown, partner_id: String(sent) })).toEqual([own])
    expect(await attendees(12, { partner_id: sent })).toEqual([own, sent].toSorted((a, b) => a - b))
    for (const [at, id] of [UNKNOWN_ID, '', 'None', 'abc', -1, [], null].entries()) {
      expect(await attendees(13 + at, { call_id: id, partner_id: id })).toEqual([own])
    }
  })
})

describe('create_event: the identical event again', () => {
  it("create_event of the identical event is answered with 200 and the first one's id", async () => {
    const first = await book(aSlot())
    const before = await countRows(app)
    expect(await book({ ...aSlot(), name: 'Other name' })).toEqual({
      status: 200,
      detail: 'Event already exist!',
      event_id: first.event_id,
      say: 'That meeting with Anna is booked already.',
    })
    expect(await book({ ...aSlot('2026-08-27 12:00:00', '2026-08-27 13:00:00'), timezone: 'UTC' })).toMatchObject({
      status: 200,
    })
    expect(await countRows(app)).toEqual(before)
  })

  it('create_event of the identical event by the same contact stays theirs; one without a contact becomes theirs', async () => {
    const partner = await aPartner(app)
    const first = await book(aSlot())
    expect((await readEvent(first.event_id)).partner_ids).not.toContain(partner)
    for (let time = 0; time < 2; time += 1) {
      expect(await book({ ...aSlot(), partner_id: partner })).toMatchObject({ status: 200, event_id: first.event_id })
      expect((await readEvent(first.event_id)).partner_ids).toContain(partner)
    }
  })

  it("create_event of the identical event by another contact is not free: nobody gets into somebody else's meeting", async () => {
    const [one, other] = [await aPartner(app), await aPartner(app)]
    const { event_id: id } = await book({ ...aSlot(), partner_id: one, name: 'Private' })
    const before = await countRows(app)
    await expectRefused(
      await app.tool(CREATE, { ...aSlot(), partner_id: other }),
      409,
      'Anna is not free on Thursday, 27 August 2026 at 14:00',
    )
    expect((await readEvent(id)).partner_ids).not.toContain(other)
    expect(await countRows(app)).toEqual(before)
  })
})

describe('create_event: the same hour of somebody else', () => {
  const NOT_FREE = 'Anna is not free on Thursday, 27 August 2026 at 14:00'
  const ways: [string, (call: number) => [body: object, headers: Record<string, string>]][] = [
    ['the header', (call) => [aSlot(), { 'x-connect-call': String(call) }]],
    ['call_id', (call) => [{ ...aSlot(), call_id: String(call) }, {}]],
  ]

  it.each(ways)('two callers who are not known are two, named by %s; the same call again is one', async (_way, ask) => {
    const [first, second] = [await aCall(app, { caller: 'anonymous' }), await aCall(app, { caller: 'anonymous' })]
    const booked = (await app.tool(CREATE, ...ask(first))).body as Booked
    expect(booked).toMatchObject({ status: 201 })
    await expectRefused(await app.tool(CREATE, ...ask(second)), 409, NOT_FREE)
    await ageAnswers(app, 600)
    expect((await app.tool(CREATE, ...ask(first))).body).toMatchObject({ status: 200, event_id: booked.event_id })
    await expectRefused(await app.tool(CREATE, aSlot()), 409, NOT_FREE)
  })

  it('two callers who are not known ask at once: one is told that it is booked', async () => {
    const calls = await Promise.all(Array.from({ length: 5 }, () => aCall(app, { caller: '' })))
    const answers = await Promise.all(calls.map((call) => app.tool(CREATE, { ...aSlot(), call_id: call })))
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409, 409, 409, 409])
  })

  it("a colleague's private entry is nobody's: no caller gets into it, nor is its title said", async () => {
    const [partner, own] = [await aPartner(app), await contactOf(app, anna.userId)]
    const [known, unknown] = [await aCall(app, { partner }), await aCall(app, { caller: 'Restricted' })]
    const values = { name: 'Surgery', user_id: anna.userId, start: '2026-08-27 12:00:00', stop: '2026-08-27 13:00:00' }
    const id = await app.admin.ask<number>('calendar.event', 'create', { vals_list: values })
    for (const body of [{ call_id: known }, { call_id: unknown }, { partner_id: partner }, {}]) {
      const answer = await app.tool(CREATE, { ...aSlot(), ...body })
      await expectRefused(answer, 409, NOT_FREE)
      expect(answer.text).not.toContain('Surgery')
    }
    expect((await readEvent(id)).partner_ids).toEqual([own])
    expect((await app.tool(LIST, { partner_id: partner })).body).toMatchObject({ meetings: [] })
  })

  it('a request that names no call is a repeat only for a while', async () => {
    const { event_id: id } = await book(aSlot())
    expect(await book(aSlot())).toMatchObject({ status: 200, event_id: id })
    await ageAnswers(app, 91)
    await expectRefused(await app.tool(CREATE, aSlot()), 409, NOT_FREE)
  })
})

describe("create_event: overlap with the organiser's other events is refused", () => {
  it.each([
    ['2026-08-27 13:00:00', '2026-08-27 14:00:01'],
    ['2026-08-27 14:59:59', '2026-08-27 16:00:00'],
    ['2026-08-27 14:15:00', '2026-08-27 14:45:00'],
    ['2026-08-27 13:00:00', '2026-08-27 16:00:00'],
    ['2026-08-27 14:00:00', '2026-08-27 15:30:00'],
  ])('%s to %s with 14:00 to 15:00', async (start, stop) => {
    await book(aSlot())
    const before = await countRows(app)
    await expectRefused(await app.tool(CREATE, aSlot(start, stop)), 409, 'Anna is not free')
    expect(await countRows(app)).toEqual(before)
  })

  it("just before, just after, or somebody else's is none", async () => {
    const other = await app.person(['base.group_user'], { tz: 'Europe/Zurich' })
    await book(aSlot())
    for (const body of [
      aSlot('2026-08-27 13:00:00', '2026-08-27 14:00:00'),
      aSlot('2026-08-27 15:00:00', '2026-08-27 16:00:00'),
      { ...aSlot(), user_id: other.userId },
    ]) {
      expect(await book(body)).toMatchObject({ status: 201 })
    }
  })

  it('an event that people made counts, also one of whole days; an archived one does not', async () => {
    const make = (values: object) =>
      app.admin.ask('calendar.event', 'create', { vals_list: { name: 'Busy', user_id: anna.userId, ...values } })
    await make({ start: '2026-09-01 00:00:00', stop: '2026-09-01 00:00:00', allday: true })
    await make({ start: '2026-09-02 10:00:00', stop: '2026-09-02 11:00:00' })
    await make({ start: '2026-09-03 10:00:00', stop: '2026-09-03 11:00:00', active: false })
    await expectRefused(await app.tool(CREATE, aSlot('2026-09-01 23:00:00', '2026-09-01 23:30:00')), 409, 'not free')
    await expectRefused(await app.tool(CREATE, aSlot('2026-09-02 12:30:00', '2026-09-02 13:30:00')), 409, 'not free')
    expect(await book(aSlot('2026-09-03 12:00:00', '2026-09-03 13:00:00'))).toMatchObject({ status: 201 })
  })

  it('20 overlapping bookings at once: exactly one is booked', async () => {
    const before = await app.count('calendar_event')
    const bodies = Array.from({ length: 20 }, (_, at) => {
      const minute = String(at).padStart(2, '0')
      return aSlot(`2026-08-27 14:${minute}:00`, `2026-08-27 15:${minute}:00`)
    })
    const answers = await Promise.all(bodies.map((body) => app.tool(CREATE, body)))
    const statuses = answers.map(({ status }) => status).toSorted((a, b) => a - b)
    expect(statuses).toEqual([200, ...Array.from({ length: 19 }, () => 409)])
    expect(await app.count('calendar_event')).toBe(before + 1)
  })

  it('20 identical bookings at once: one event, and all know it', async () => {
    const before = await app.count('calendar_event')
    const answers = await Promise.all(Array.from({ length: 20 }, () => book(aSlot())))
    expect(new Set(answers.map(({ event_id: id }) => id)).size).toBe(1)
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1)
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(19)
    expect(await app.count('calendar_event')).toBe(before + 1)
  })

  it("bookings of different organisers do not wait for each other's answer", async () => {
    const people = await Promise.all(Array.from({ length: 10 }, () => app.person(['base.group_user'])))
    const answers = await Promise.all(people.map(({ userId }) => book({ ...aSlot(), user_id: userId })))
    expect(answers.every(({ status }) => status === 201)).toBe(true)
  })
})

describe('create_event: who is busy', () => {
  const SLOTS = '/connect_voiceai/get_available_slots'

  it('anyone who attends the meeting of a colleague is busy, in slots and in bookings', async () => {
    const bo = await app.person(['base.group_user'], { name: 'Bo', tz: 'Europe/Zurich' })
    const attendees = [await contactOf(app, anna.userId)]
    const vals = { name: 'Staff', start: '2026-08-27 12:00:00', stop: '2026-08-27 13:00:00', user_id: bo.userId }
    const id = await app.admin.ask<number>('calendar.event', 'create', {
      vals_list: { ...vals, partner_ids: attendees },
    })
    await expectRefused(await app.tool(CREATE, aSlot()), 409, /Anna is not free/)
    const { slots } = (await app.tool(SLOTS, { user_id: anna.userId, start: '2026-08-27' })).body as { slots: unknown }
    expect(slots).toEqual([
      { start: '2026-08-27 08:00:00', stop: '2026-08-27 14:00:00' },
      { start: '2026-08-27 15:00:00', stop: '2026-08-27 18:00:00' },
    ])
    await app.admin.ask('calendar.event', 'write', { ids: [id], vals: { active: false } })
    expect(await book(aSlot())).toMatchObject({ status: 201 })
  })

  it('a caller extends and moves a meeting of their own by booking it again', async () => {
    const partner = await aPartner(app)
    const { event_id: id } = await book({ ...aSlot(), name: 'Boiler', partner_id: partner })
    const longer = aSlot('2026-08-27 14:00:00', '2026-08-27 15:30:00')
    expect(await book({ ...longer, partner_id: partner })).toMatchObject({
      status: 200,
      event_id: id,
      say: 'Your meeting with Anna is now on Thursday, 27 August 2026 at 14:00 Zurich time until 15:30.',
    })
    expect(await readEvent(id)).toMatchObject({
      name: 'Boiler',
      start: '2026-08-27 12:00:00',
      stop: '2026-08-27 13:30:00',
    })
    const other = await aPartner(app)
    const next = aSlot('2026-08-27 15:30:00', '2026-08-27 16:00:00')
    await book({ ...next, partner_id: other })
    const overNext = { ...aSlot('2026-08-27 15:00:00', '2026-08-27 16:00:00'), partner_id: partner }
    await expectRefused(await app.tool(CREATE, overNext), 409, /not free/)
    await expectRefused(await app.tool(CREATE, { ...aSlot(), partner_id: other }), 409, /not free/)
  })

  it('anyone who is no contact extends what they booked in the same call, and nobody else does', async () => {
    const [call, another] = [await aCall(app), await aCall(app)]
    const { event_id: id } = await book({ ...aSlot(), call_id: call })
    const longer = aSlot('2026-08-27 14:00:00', '2026-08-27 15:30:00')
    await expectRefused(await app.tool(CREATE, { ...longer, call_id: another }), 409, /not free/)
    await expectRefused(await app.tool(CREATE, longer), 409, /not free/)
    expect(await book({ ...longer, call_id: call })).toMatchObject({ status: 200, event_id: id })
  })

  it('a meeting that is written by hand ends within a year, and is moved over itself', async () => {
    const { event_id: id } = await book(aSlot())
    await app.admin.ask('calendar.event', 'write', { ids: [id], vals: { stop: '2026-08-27 13:30:00' } })
    const answer = await app.admin.call('calendar.event', 'write', { ids: [id], vals: { stop: '2027-08-27 12:00:00' } })
    expect([answer.status, answer.text]).toEqual([422, expect.stringMatching(/less than a year after/)])
  })
})

describe('create_event: what is refused, and writes nothing', () => {
  it.each<[string, () => object, number, RegExp]>([
    ['a start in the past', () => aSlot('2026-08-26 10:59:59', '2026-08-26 12:00:00'), 400, /in the past/],
    ['a stop before the start', () => aSlot('2026-08-27 15:00:00', '2026-08-27 14:00:00'), 400, /after the start/],
    ['a stop at the start', () => aSlot('2026-08-27 15:00:00', '2026-08-27 15:00:00'), 400, /after the start/],
    ['no start', () => ({ ...aSlot(), start: undefined }), 400, /start is required/],
    ['no stop', () => ({ ...aSlot(), stop: ' ' }), 400, /stop is required/],
    ['a start that is no time', () => ({ ...aSlot(), start: 'tomorrow at two' }), 400, /start must be a local time/],
    ['a day alone', () => ({ ...aSlot(), start: '2026-08-27' }), 400, /start must be a local time/],
    ['a day that does not exist', () => aSlot('2026-02-30 10:00:00', '2026-08-27 15:00:00'), 400, /local time/],
    ['a time with a zone of its own', () => ({ ...aSlot(), start: '2026-08-27T14:00:00Z' }), 400, /local time/],
    ['a stop that is a number', () => ({ ...aSlot(), stop: 7 }), 400, /local time/],
    ['a time far beyond', () => aSlot('2026-08-27 14:00:00', '9999-12-31 23:59:59'), 400, /10 years away/],
    ['a stop a second later', () => aSlot('2026-08-27 14:00:00', '2026-08-27 14:00:01'), 400, /a minute at least/],
    ['a stop a year later', () => aSlot('2026-08-27 14:00:00', '2027-08-27 15:00:00'), 400, /a day at most/],
    [
      'a stop a day and a second later',
      () => aSlot('2026-08-27 14:00:00', '2026-08-28 14:00:01'),
      400,
      /a day at most/,
    ],
    ['an unusable timezone', () => ({ ...aSlot(), timezone: 'Mars' }), 400, /timezone/],
    ['no user', () => ({ ...aSlot(), user_id: '' }), 400, /user_id is required/],
    ['a user that is no number', () => ({ ...aSlot(), user_id: 'Anna' }), 400, /user_id must be a number/],
    ['an unknown user', () => ({ ...aSlot(), user_id: UNKNOWN_ID }), 404, /no colleague/],
    ['a name that is no text', () => ({ ...aSlot(), name: {} }), 400, /name must be a text/],
  ])('%s', async (_what, body, status, sentence) => {
    const before = await countRows(app)
    await expectRefused(await app.tool(CREATE, body()), status, sentence)
    expect(await countRows(app)).toEqual(before)
  })

  it('a name that is too long is cut, and the meeting booked', async () => {
    const { event_id: id } = await book({
      ...aSlot('2026-08-31 16:00:00', '2026-08-31 16:30:00'),
      name: 'x'.repeat(1_001),
    })
    const [event] = await app.admin.ask<{ name: string }[]>('calendar.event', 'read', { ids: [id], fields: ['name'] })
    expect(event?.name).toBe(`${'x'.repeat(999)}…`)
    expect(await lastReasons(app, CREATE, 1)).toEqual(['The name was cut to 1000 characters.'])
  })

  it('a start of just now is not past', async () => {
    expect(await book(aSlot('2026-08-26 11:00:00', '2026-08-26 11:30:00'))).toMatchObject({ status: 201 })
  })
})

describe("get_meetings: list a partner's meetings", () => {
  it('those to come, the next one first, and then those that are over, the last one first', async () => {
    const partner = await aPartner(app)
    const times = [
      ['2026-08-27 14:00:00', '2026-08-27 15:00:00'],
      ['2026-08-28 14:00:00', '2026-08-28 15:00:00'],
      ['2026-09-01 14:00:00', '2026-09-01 15:00:00'],
      ['2026-09-02 14:00:00', '2026-09-02 15:00:00'],
    ] as const
    for (const [start, stop] of times) await book({ ...aSlot(start, stop), partner_id: partner })
    // While the third one goes on.
    now = new Date('2026-09-01T12:30:00Z')
    const { meetings, say } = (await app.tool(LIST, { partner_id: partner })).body as {
      meetings: { start: string }[]
      say: string
    }
    expect(meetings.map(({ start }) => start.slice(0, 10))).toEqual([
      '2026-09-01',
      '2026-09-02',
      '2026-08-28',
      '2026-08-27',
    ])
    expect(say).toMatch(/^Meetings to come: Unknowns on Tuesday, 1 September 2026 .*; Unknowns on Wednesday/)
  })

  it.each(['America/New_York', 'Europe/Zurich', 'Pacific/Auckland'])(
    'an all-day meeting is on its days in %s, and over with the last of them',
    async (timezone) => {
      const partner = await aPartner(app)
      const make = (name: string, start: string, stop: string) =>
        app.admin.ask('calendar.event', 'create', {
          vals_list: { name, start, stop, allday: true, user_id: anna.userId, partner_ids: [partner] },
        })
      await make('Past', '2026-08-30 00:00:00', '2026-08-31 00:00:00')
      await make('Fair', '2026-08-31 00:00:00', '2026-09-01 00:00:00')
      await make('Visit', '2026-09-02 00:00:00', '2026-09-02 00:00:00')
      now = new Date('2026-09-01T11:00:00Z')
      const { meetings, say } = (await app.tool(LIST, { partner_id: partner, timezone })).body as {
        meetings: { name: string }[]
        say: string
      }
      expect(meetings.map(({ name }) => name)).toEqual(['Fair', 'Visit', 'Past'])
      expect(say).toBe(
        'Meetings to come: Fair from Monday, 31 August 2026 to Tuesday, 1 September 2026, all day; ' +
          'Visit on Wednesday, 2 September 2026, all day.',
      )
    },
  )

  it('the next one first, with all that is known of each', async () => {
    const partner = await aPartner(app, { tz: 'America/New_York' })
    const first = await book({
      ...aSlot('2026-08-28 14:00:00', '2026-08-28 15:00:00'),
      name: 'Second',
      partner_id: partner,
    })
    const second = await book({ ...aSlot(), name: 'First', partner_id: partner })
    await app.admin.ask('calendar.event', 'write', {
      ids: [second.event_id],
      vals: { location: 'Bern', description: 'Bring it.' },
    })
    const answer = await app.tool(LIST, { partner_id: String(partner) })
    expect([answer.status, answer.body]).toEqual([
      200,
      {
        status: 200,
        meetings: [
          {
            id: second.event_id,
            name: 'First',
            start: '2026-08-27 12:00:00',
            stop: '2026-08-27 13:00:00',
            user_id: [anna.userId, 'Anna'],
            location: 'Bern',
            description: 'Bring it.',
          },
          {
            id: first.event_id,
            name: 'Second',
            start: '2026-08-28 12:00:00',
            stop: '2026-08-28 13:00:00',
            user_id: [anna.userId, 'Anna'],
            location: '',
            description: '',
          },
        ],
        say: 'Meetings to come: First on Thursday, 27 August 2026 at 08:00 New York time; Second on Friday, 28 August 2026 at 08:00 New York time.',
      },
    ])
  })

  it('finds what create_event booked in the same call', async () => {
    const partner = await aPartner(app)
    const call = await aCall(app, { partner })
    const { event_id: id } = await book({ ...aSlot(), call_id: call })
    const answer = await app.tool(LIST, { partner_id: partner })
    expect((answer.body as { meetings: { id: number }[] }).meetings.map((meeting) => meeting.id)).toEqual([id])
  })

  it('lists those that the contact attends, at most 20, archived ones left out', async () => {
    const partner = await aPartner(app)
    for (let day = 1; day <= 22; day += 1) {
      const date = `2026-09-${String(day).padStart(2, '0')}`
      await book({ ...aSlot(`${date} 14:00:00`, `${date} 15:00:00`), partner_id: partner })
    }
    const { event_id: archived } = await book({
      ...aSlot('2026-10-01 14:00:00', '2026-10-01 15:00:00'),
      partner_id: partner,
    })
    await app.admin.ask('calendar.event', 'write', { ids: [archived], vals: { active: false } })
    await book({ ...aSlot('2026-10-02 14:00:00', '2026-10-02 15:00:00') })
    const { meetings } = (await app.tool(LIST, { partner_id: partner })).body as { meetings: { start: string }[] }
    expect(meetings).toHaveLength(20)
    expect(meetings[0]?.start).toBe('2026-09-01 12:00:00')
    expect(meetings.at(-1)?.start).toBe('2026-09-20 12:00:00')
  })

  it('says so when there are none to come', async () => {
    const none = { status: 200, meetings: [], say: 'There are no meetings to come.' }
    expect((await app.tool(LIST, { partner_id: await aPartner(app) })).body).toEqual(none)
    expect((await app.tool(LIST, { partner_id: UNKNOWN_ID })).body).toEqual(none)
    const partner = await aPartner(app)
    await book({ ...aSlot(), partner_id: partner })
    now = new Date('2026-08-30T00:00:00Z')
    expect((await app.tool(LIST, { partner_id: partner })).body).toMatchObject({
      meetings: [{}],
      say: 'There are no meetings to come.',
    })
  })

  it('a call that is named shows the meetings of its own contact only', async () => {
    const [own, other] = [await aPartner(app), await aPartner(app)]
    await book({ ...aSlot(), partner_id: other })
    const call = await aCall(app, { partner: own })
    expect((await app.tool(LIST, { partner_id: other, call_id: call })).body).toMatchObject({ meetings: [] })
  })

  it.each([undefined, null, '', 'None', false])('a partner_id of %o is missing', async (given) => {
    await expectRefused(await app.tool(LIST, { partner_id: given }), 400, 'partner_id is required')
  })

  it.each(['abc', 0, [], {}, 1.5])('a partner_id of %o is no number', async (given) => {
    await expectRefused(await app.tool(LIST, { partner_id: given }), 400, 'partner_id must be a number')
  })
})

describe('remove_meeting: cancel a meeting', () => {
  it('remove_meeting deletes the meeting', async () => {
    const { event_id: id } = await book(aSlot())
    const before = await app.count('calendar_event')
    const answer = await app.tool(REMOVE, { event_id: String(id) })
    expect([answer.status, answer.body]).toEqual([
      200,
      { status: 200, detail: 'Event successfully removed', say: 'The meeting is cancelled.' },
    ])
    expect(await app.count('calendar_event')).toBe(before - 1)
    expect((await app.admin.call('calendar.event', 'read', { ids: [id] })).status).toBe(404)
    expect(await book(aSlot())).toMatchObject({ status: 201 })
  })

  it('the same within 90 seconds gets the first answer, also 10 at once; then it is not found', async () => {
    const { event_id: id } = await book(aSlot())
    const answers = await Promise.all(Array.from({ length: 10 }, () => app.tool(REMOVE, { event_id: id })))
    await ageAnswers(app, 80)
    answers.push(await app.tool(REMOVE, { event_id: id }))
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1)
    expect(answers[0]?.status).toBe(200)
    await ageAnswers(app, 20)
    await expectRefused(await app.tool(REMOVE, { event_id: id }), 404, 'Event not found')
  })

  it('remove_meeting cancels, for a caller who is known, only a meeting that they attend', async () => {
    const [own, other] = [await aPartner(app), await aPartner(app)]
    const call = await aCall(app, { partner: own })
    const { event_id: foreign } = await book({ ...aSlot(), partner_id: other })
    const before = await countRows(app)
    await expectRefused(await app.tool(REMOVE, { event_id: foreign, call_id: call }), 404, 'Event not found')
    await expectRefused(
      await app.tool(REMOVE, { event_id: foreign, call_id: String(call), partner_id: other }),
      404,
      'Event not found',
    )
    expect(await countRows(app)).toEqual(before)
    const { event_id: mine } = await book({ ...aSlot('2026-08-28 14:00:00', '2026-08-28 15:00:00'), call_id: call })
    expect((await app.tool(REMOVE, { event_id: mine, call_id: call })).status).toBe(200)
  })

  it('an unknown one is 404', async () => {
    await expectRefused(await app.tool(REMOVE, { event_id: UNKNOWN_ID }), 404, 'Event not found')
  })

  it.each([undefined, null, '', 'None', false])('an event_id of %o is missing', async (given) => {
    await expectRefused(await app.tool(REMOVE, { event_id: given }), 400, 'event_id is required')
  })

  it.each(['abc', 0, -1, [], {}, 1.5, 2 ** 53])('an event_id of %o is no number', async (given) => {
    await expectRefused(await app.tool(REMOVE, { event_id: given }), 400, 'event_id must be a number')
  })
})
