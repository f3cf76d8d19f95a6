import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { aPartner } from '../fixtures/records.ts'
import { countRows } from '../fixtures/row-counts.ts'
import { type Answer, type Caller, TestApp } from '../support/test-app.ts'

const CREATE = '/connect_voiceai/create_event'
const LIST = '/connect_voiceai/get_meetings'

/** A Wednesday. */
const NOW = new Date('2026-08-26T09:00:00Z')

let app: TestApp
let anna: Caller

beforeAll(async () => {
  app = await TestApp.start({ clock: () => NOW })
})
beforeEach(async () => {
  anna = await app.person(['base.group_user'], { name: 'Anna', tz: 'Europe/Zurich' })
})
afterAll(() => app.stop())

interface Booked {
  status: number
  detail: string
  event_id: number
  say: string
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

async function expectRefused(answer: Answer, status: number, sentence: string | RegExp): Promise<void> {
  expect(answer.status).toBe(status)
  expect(answer.body).toEqual({
    error: expect.stringMatching(sentence),
    status,
    detail: (answer.body as { error: string }).error,
  })
}

describe('create_event: working hours', () => {
  const sunday = ['2026-08-30 03:00:00', '2026-08-30 03:30:00'] as const

  /** Tuesday, 1 September 2026, from 8 to 12 and from 13 to 17 in Zurich. */
  async function giveHours(): Promise<void> {
    const calendar = await app.admin.ask<number>('resource.calendar', 'create', {
      vals_list: { name: 'Hours', user_id: anna.userId },
    })
    const hours = [
      [8, 12],
      [13, 17],
    ].map(([from, to]) => ({ calendar_id: calendar, dayofweek: '1', hour_from: from, hour_to: to }))
    await app.admin.ask('resource.calendar.attendance', 'create', { vals_list: hours })
  }

  async function allowOutside(isAllowed: boolean): Promise<void> {
    const [id] = await app.admin.ask<number[]>('connect.settings', 'search')
    await app.admin.ask('connect.settings', 'write', { ids: [id], vals: { calendar_outside_hours: isAllowed } })
  }

  it.each([
    ['on a day off', ...sunday],
    ['before the first hour', '2026-09-01 07:45:00', '2026-09-01 08:15:00'],
    ['over the lunch break', '2026-09-01 11:45:00', '2026-09-01 13:15:00'],
    ['past the last hour', '2026-09-01 16:45:00', '2026-09-01 17:15:00'],
  ])('refuses a meeting %s of a colleague who has some', async (_when, start, stop) => {
    await giveHours()
    const before = await countRows(app)
    const sentence =
      /^That is outside the working hours of Anna: \w+, \d+ \w+ 2026 at \d\d:\d\d Zurich time, for \d+ minutes\.$/
    await expectRefused(await app.tool(CREATE, aSlot(start, stop)), 409, sentence)
    expect(await countRows(app)).toEqual(before)
  })

  it('takes what lies inside of them, up to their very ends, in the zone of the caller too', async () => {
    await giveHours()
    expect(await book(aSlot('2026-09-01 08:00:00', '2026-09-01 12:00:00'))).toMatchObject({ status: 201 })
    const inNewYork = { ...aSlot('2026-09-01 10:00:00', '2026-09-01 11:00:00'), timezone: 'America/New_York' }
    expect(await book(inNewYork)).toMatchObject({ status: 201 })
    await expectRefused(
      await app.tool(CREATE, { ...aSlot('2026-09-01 11:00:00', '2026-09-01 11:30:00'), timezone: 'America/New_York' }),
      409,
      /outside the working hours of Anna: Tuesday, 1 September 2026 at 11:00 New York time, for 30 minutes/,
    )
  })

  it('books at any time when the setting allows it, and where nobody entered working hours', async () => {
    expect(await book(aSlot(...sunday))).toMatchObject({ status: 201 })
    await giveHours()
    await allowOutside(true)
    try {
      expect(await book(aSlot('2026-08-30 04:00:00', '2026-08-30 04:30:00'))).toMatchObject({ status: 201 })
    } finally {
      await allowOutside(false)
    }
  })

  it('answers that a meeting is booked already, also one outside of them', async () => {
    await book(aSlot(...sunday))
    await giveHours()
    expect(await book(aSlot(...sunday))).toMatchObject({ status: 200, detail: 'Event already exist!' })
  })
})

describe('create_event: what clock changes do to a time', () => {
  it.each([
    ['2027-03-28 02:30:00', 'There is no 02:30 Zurich time'],
    ['2026-10-25 02:30:00', 'There is 02:30 Zurich time twice'],
  ])('says it once of %s, when the meeting ends in that hour as well', async (start, sentence) => {
    const { say } = await book(aSlot(start, start.replace(':30:', ':45:')))
    expect(say).toContain(sentence)
    expect(say).not.toContain('02:45')
  })

  it.each([
    [
      '2027-03-28 02:30:00',
      'There is no 02:30 Zurich time on Sunday, 28 March 2027, because the clock is put forward then.',
      '03:30',
    ],
    [
      '2026-10-25 02:30:00',
      'There is 02:30 Zurich time twice on Sunday, 25 October 2026; the second one is meant.',
      '02:30',
    ],
  ])('says of %s: %s', async (start, sentence, meant) => {
    const { say } = await book(aSlot(start, `${start.slice(0, 10)} 12:00:00`))
    expect(say).toMatch(
      new RegExp(`^${sentence} The meeting with Anna is booked for Sunday, .* at ${meant} Zurich time\\.$`),
    )
  })

  it.each([
    ['2027-03-28 02:30:00', '2027-03-28 03:15:00', '02:30'],
    ['2027-03-28 02:15', '2027-03-28T03:15', '02:15'],
    ['2027-03-28 02:00:00', '2027-03-28 03:00:00', '02:00'],
  ])('refuses %s to %s, of which nothing is left, and names the next time', async (start, stop, clock) => {
    const before = await countRows(app)
    const sentence = `There is no ${clock} Zurich time on Sunday, 28 March 2027, because the clock is put forward then. The next time is 03:00.`
    await expectRefused(await app.tool(CREATE, aSlot(start, stop)), 400, sentence)
    expect(await countRows(app)).toEqual(before)
  })

  it.each([
    ['2027-03-28 02:30:00', '2027-03-28 02:15:00'],
    ['2027-03-28 03:15:00', '2027-03-28 03:15:00'],
  ])('refuses %s to %s for its order, whatever the clock does that day', async (start, stop) => {
    await expectRefused(await app.tool(CREATE, aSlot(start, stop)), 400, 'The stop must be after the start.')
  })

  it('says nothing of them at any other time', async () => {
    const { say } = await book(aSlot('2027-03-28 10:30:00', '2027-03-28 11:00:00'))
    expect(say).toBe('The meeting with Anna is booked for Sunday, 28 March 2027 at 10:30 Zurich time.')
  })
})

describe('the zone in which meetings are spoken', () => {
  const inNewYork = () => ({ ...aSlot('2026-11-02 09:00:00', '2026-11-02 09:30:00'), timezone: 'America/New_York' })

  it.each([
    ['the one named now', { timezone: 'Asia/Tokyo' }, '2 November 2026 at 23:00 Tokyo time'],
    ['else the one named when it was booked', {}, '2 November 2026 at 09:00 New York time'],
    ['which an unusable one does not change', { timezone: 'Mars' }, '2 November 2026 at 09:00 New York time'],
  ])('the zone in which meetings are spoken is %s', async (_which, asked, time) => {
    const partner = await aPartner(app, { tz: 'Europe/London' })
    const { say } = await book({ ...inNewYork(), partner_id: partner })
    expect(say).toContain('at 09:00 New York time')
    const listed = (await app.tool(LIST, { partner_id: partner, ...asked })).body as { say: string; meetings: object[] }
    expect(listed.say).toBe(`Meetings to come: Unknowns on Monday, ${time}.`)
    expect(Object.keys(listed.meetings[0] ?? {})).not.toContain('tz')
  })

  it('the zone in which meetings are spoken is that of the user where nobody named one, and is set on the user', async () => {
    const id = await app.admin.ask<number>('res.users', 'create', {
      vals_list: { login: `zone-${NOW.getTime()}`, name: 'Bea', tz: 'Asia/Kolkata' },
    })
    const read = () => app.admin.ask<{ tz: string }[]>('res.users', 'read', { ids: [id], fields: ['tz'] })
    expect((await read())[0]?.tz).toBe('Asia/Kolkata')
    expect((await book({ ...aSlot(), user_id: id })).say).toContain('at 14:00 Kolkata time')
    await app.admin.ask('res.users', 'write', { ids: [id], vals: { tz: 'America/New_York' } })
    expect((await book({ ...aSlot(), user_id: id })).say).toContain('at 14:00 New York time')
    const refused = await app.admin.call('res.users', 'write', { ids: [id], vals: { tz: 'Mars' } })
    expect([refused.status, refused.text]).toEqual([422, expect.stringContaining('must be a time zone such as')])
    await app.admin.ask('res.users', 'write', { ids: [id], vals: { tz: null } })
    expect((await read())[0]?.tz).toBe(null)
  })
})
