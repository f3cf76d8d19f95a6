import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { countRows } from '../fixtures/row-counts.ts'
import { type Caller, TestApp } from '../support/test-app.ts'

const SLOTS = '/connect_voiceai/get_available_slots'
const DATE = '/connect_voiceai/get_current_date'

/** A Wednesday, 11:00 in Zurich. */
const NOW = new Date('2026-08-26T09:00:00Z')

let app: TestApp
let now = NOW
let zurich: Caller

beforeAll(async () => {
  app = await TestApp.start({ clock: () => now })
  zurich = await app.person(['base.group_user'], { name: 'Anna', tz: 'Europe/Zurich' })
})
beforeEach(() => {
  now = NOW
})
afterAll(() => app.stop())

interface Slots {
  slots: { start: string; stop: string }[]
  timezone: string
  say: string
}

async function slotsOf(body: object): Promise<Slots> {
  const answer = await app.tool(SLOTS, body)
  expect([answer.status, answer.text]).toEqual([200, expect.any(String)])
  return answer.body as Slots
}

/** The slots as `08:00-18:00`, which is enough where the day is clear. */
async function clocks(body: object): Promise<string[]> {
  const { slots } = await slotsOf(body)
  return slots.map(({ start, stop }) => `${start.slice(11, 16)}-${stop.slice(11, 16)}`)
}

function anEvent(organiser: Caller, start: string, stop: string, values: object = {}): Promise<number> {
  return app.admin.ask<number>('calendar.event', 'create', {
    vals_list: { name: 'Busy', user_id: organiser.userId, start, stop, ...values },
  })
}

async function workingHours(person: Caller, days: Record<number, [number, number][]>, tz?: string): Promise<void> {
  const id = await app.admin.ask<number>('resource.calendar', 'create', {
    vals_list: { name: 'Own', user_id: person.userId, ...(tz && { tz }) },
  })
  for (const [day, hours] of Object.entries(days)) {
    for (const [from, to] of hours) {
      await app.admin.ask('resource.calendar.attendance', 'create', {
        vals_list: { calendar_id: id, dayofweek: day, hour_from: from, hour_to: to },
      })
    }
  }
}

describe('get_available_slots: free business-hours slots', () => {
  it("free slots of a free working day are one from 08:00 to 18:00 in the organiser's zone", async () => {
    expect(await slotsOf({ user_id: zurich.userId, start: '2026-08-27' })).toEqual({
      slots: [{ start: '2026-08-27 08:00:00', stop: '2026-08-27 18:00:00' }],
      timezone: 'Europe/Zurich',
      say: 'Free on Thursday, 27 August 2026: 08:00 to 18:00, Zurich time.',
    })
  })

  it('leave out what is busy: overlapping and adjacent events are one, in order', async () => {
    const person = await app.person(['base.group_user'], { tz: 'Europe/Zurich' })
    await anEvent(person, '2026-08-27 12:00:00', '2026-08-27 13:00:00')
    await anEvent(person, '2026-08-27 12:30:00', '2026-08-27 13:30:00')
    await anEvent(person, '2026-08-27 08:00:00', '2026-08-27 09:00:00')
    await anEvent(person, '2026-08-27 09:00:00', '2026-08-27 09:30:00')
    expect(await clocks({ user_id: person.userId, start: '2026-08-27' })).toEqual([
      '08:00-10:00',
      '11:30-14:00',
      '15:30-18:00',
    ])
    expect((await slotsOf({ user_id: String(person.userId), start: '2026-08-27' })).say).toBe(
      'Free on Thursday, 27 August 2026: 08:00 to 10:00, 11:30 to 14:00 and 15:30 to 18:00, Zurich time.',
    )
  })

  it('free slots are cut by events that began before the hours, end after them, or take days', async () => {
    const person = await app.person(['base.group_user'], { tz: 'Europe/Zurich' })
    await anEvent(person, '2026-08-26 20:00:00', '2026-08-27 07:00:00')
    await anEvent(person, '2026-08-27 15:00:00', '2026-08-27 22:00:00')
    expect(await clocks({ user_id: person.userId, start: '2026-08-27' })).toEqual(['09:00-17:00'])
    await anEvent(person, '2026-08-31 00:00:00', '2026-09-02 10:00:00')
    expect(await clocks({ user_id: person.userId, start: '2026-09-01' })).toEqual([])
    expect(await clocks({ user_id: person.userId, start: '2026-09-02' })).toEqual(['12:00-18:00'])
  })

  it("a whole-day event takes the organiser's day, an archived one and one of somebody else nothing", async () => {
    const person = await app.person(['base.group_user'], { tz: 'America/New_York' })
    await anEvent(person, '2026-08-27 00:00:00', '2026-08-27 00:00:00', { allday: true })
    await anEvent(person, '2026-08-28 12:00:00', '2026-08-28 22:00:00', { active: false })
    await anEvent(zurich, '2026-09-10 06:00:00', '2026-09-10 16:00:00')
    expect(await clocks({ user_id: person.userId, start: '2026-08-27' })).toEqual([])
    expect(await clocks({ user_id: person.userId, start: '2026-08-28' })).toEqual(['08:00-18:00'])
    expect(await clocks({ user_id: person.userId, start: '2026-09-10' })).toEqual(['08:00-18:00'])
  })

  it('free slots of a fully booked or a free day are none, and say names the next day that has some', async () => {
    const person = await app.person(['base.group_user'], { tz: 'Europe/Zurich' })
    await anEvent(person, '2026-08-28 06:00:00', '2026-08-28 16:00:00')
    await anEvent(person, '2026-08-31 06:00:00', '2026-08-31 14:00:00')
    const next = 'The next day with free times is Monday, 31 August 2026: 16:00 to 18:00, Zurich time.'
    for (const [day, spoken] of [
      ['2026-08-28', 'Friday, 28 August 2026'],
      ['2026-08-29', 'Saturday, 29 August 2026'],
    ]) {
      expect(await slotsOf({ user_id: person.userId, start: day })).toEqual({
        slots: [],
        timezone: 'Europe/Zurich',
        say: `Nothing is free on ${spoken}. ${next}`,
      })
    }
  })

  it('free slots of a past day are none; of today those that are left', async () => {
    expect(await slotsOf({ user_id: zurich.userId, start: '2026-08-25' })).toMatchObject({
      slots: [],
      say: expect.stringContaining(
        'Tuesday, 25 August 2026 is in the past. The next day with free times is Wednesday, 26 August 2026: 11:00 to 18:00',
      ),
    })
    expect(await clocks({ user_id: zurich.userId, start: '2026-08-26' })).toEqual(['11:00-18:00'])
    now = new Date('2026-08-26T15:58:00Z')
    expect(await clocks({ user_id: zurich.userId, start: '2026-08-26' })).toEqual([])
  })

  it('free slots without a start are those of tomorrow, or of the next working day', async () => {
    for (const start of [undefined, null, '', 'None']) {
      expect((await slotsOf({ user_id: zurich.userId, start })).slots).toEqual([
        { start: '2026-08-27 08:00:00', stop: '2026-08-27 18:00:00' },
      ])
    }
    now = new Date('2026-08-28T09:00:00Z')
    expect((await slotsOf({ user_id: zurich.userId })).slots).toEqual([
      { start: '2026-08-31 08:00:00', stop: '2026-08-31 18:00:00' },
    ])
  })

  it('tomorrow is that of the asked zone', async () => {
    now = new Date('2026-08-26T22:30:00Z')
    expect((await slotsOf({ user_id: zurich.userId })).slots[0]?.start).toBe('2026-08-28 08:00:00')
    expect((await slotsOf({ user_id: zurich.userId, timezone: 'America/New_York' })).slots[0]?.start).toBe(
      '2026-08-27 02:00:00',
    )
  })

  it('free slots of an organiser with working hours of their own are those, in their own zone', async () => {
    const person = await app.person(['base.group_user'], { tz: 'Europe/Zurich' })
    await workingHours(
      person,
      {
        3: [
          [9, 12.5],
          [13.25, 16],
        ],
        5: [[10, 12]],
      },
      'America/New_York',
    )
    const body = { user_id: person.userId, start: '2026-08-27' }
    expect(await slotsOf(body)).toMatchObject({ timezone: 'America/New_York' })
    expect(await clocks(body)).toEqual(['09:00-12:30', '13:15-16:00'])
    expect(await clocks({ ...body, start: '2026-08-29' })).toEqual(['10:00-12:00'])
    expect(await clocks({ ...body, start: '2026-08-28' })).toEqual([])
    expect(await clocks({ ...body, timezone: 'Europe/Zurich' })).toEqual(['15:00-18:30', '19:15-22:00'])
  })

  it('free slots of an organiser without a zone are in UTC', async () => {
    const person = await app.person(['base.group_user'])
    expect(await slotsOf({ user_id: person.userId, start: '2026-08-27' })).toMatchObject({
      timezone: 'UTC',
      say: 'Free on Thursday, 27 August 2026: 08:00 to 18:00, UTC.',
    })
  })
})

describe('get_available_slots: the timezone', () => {
  // The organiser works from 06:00 to 16:00 UTC.
  it.each([
    ['Europe/Chisinau', 'Europe/Chisinau', '09:00-19:00'],
    ['europe/chisinau', 'Europe/Chisinau', '09:00-19:00'],
    ['Asia/Kolkata', 'Asia/Kolkata', '11:30-21:30'],
    ['America/New_York', 'America/New_York', '02:00-12:00'],
    ['2', '+02:00', '08:00-18:00'],
    [2, '+02:00', '08:00-18:00'],
    ['+2', '+02:00', '08:00-18:00'],
    ['-5', '-05:00', '01:00-11:00'],
    [-5, '-05:00', '01:00-11:00'],
    ['UTC+2', '+02:00', '08:00-18:00'],
    ['GMT-5', '-05:00', '01:00-11:00'],
    ['5.5', '+05:30', '11:30-21:30'],
    ['+05:30', '+05:30', '11:30-21:30'],
    [0, 'UTC', '06:00-16:00'],
    ['UTC', 'UTC', '06:00-16:00'],
    ['', 'Europe/Zurich', '08:00-18:00'],
    [null, 'Europe/Zurich', '08:00-18:00'],
  ])('%o is %s', async (timezone, zone, clock) => {
    const body = { user_id: zurich.userId, start: '2026-08-27', timezone }
    expect((await slotsOf(body)).timezone).toBe(zone)
    expect(await clocks(body)).toEqual([clock])
  })

  it('a day there may take in two days of the organiser', async () => {
    const body = { user_id: zurich.userId, start: '2026-08-27', timezone: 'Pacific/Auckland' }
    // 18:00 to 04:00 there is a working day in Zurich, so one ends and the next begins on the asked day.
    expect(await clocks(body)).toEqual(['00:00-04:00', '18:00-00:00'])
  })

  it.each(['Mars/Phobos', '+15', '25', 'x', 'Europe/Zurich; drop', 7.123, {}, [], true])(
    'an unusable one (%o) is refused',
    async (timezone) => {
      const answer = await app.tool(SLOTS, { user_id: zurich.userId, start: '2026-08-27', timezone })
      const sentence = 'The timezone must be a name such as Europe/Zurich or an offset such as +2.'
      expect([answer.status, answer.body]).toEqual([400, { error: sentence, status: 400, detail: sentence }])
    },
  )
})

describe('get_available_slots: days on which the clock changes', () => {
  it.each([
    ['Europe/Zurich', '2027-03-28', 23],
    ['Europe/Zurich', '2026-10-25', 25],
    ['America/New_York', '2027-03-14', 23],
    ['America/New_York', '2026-11-01', 25],
    ['Australia/Lord_Howe', '2026-10-04', 23.5],
    ['Asia/Kolkata', '2026-10-25', 24],
  ])('get_available_slots knows that in %s %s has %d hours', async (tz, day, hours) => {
    const person = await app.person(['base.group_user'], { tz })
    await workingHours(person, { 6: [[0, 24]] })
    const { slots } = await slotsOf({ user_id: person.userId, start: day })
    const [next] = [new Date(`${day}T00:00:00Z`)].map((date) =>
      new Date(date.getTime() + 86_400_000).toISOString().slice(0, 10),
    )
    expect(slots).toEqual([{ start: `${day} 00:00:00`, stop: `${next} 00:00:00` }])
    const { slots: inUtc } = await slotsOf({ user_id: person.userId, start: day, timezone: 'UTC' })
    const { slots: before } = await slotsOf({ user_id: person.userId, start: prior(day), timezone: 'UTC' })
    const { slots: after } = await slotsOf({ user_id: person.userId, start: next, timezone: 'UTC' })
    expect(hoursOf([...before, ...inUtc, ...after])).toBe(hours)
  })
})

describe('get_available_slots: what is refused', () => {
  it.each([undefined, null, '', 'None', 'abc', 0, -1, 1.5, [], {}, 2 ** 53])('a user_id of %o', async (given) => {
    const answer = await app.tool(SLOTS, { user_id: given, start: '2026-08-27' })
    expect([answer.status, answer.body]).toEqual([
      400,
      { error: expect.stringContaining('user_id'), status: 400, detail: expect.any(String) },
    ])
  })

  it('a user who is not there, or no longer', async () => {
    const gone = await app.person(['base.group_user'])
    await app.admin.ask('res.users', 'write', { ids: [gone.userId], vals: { active: false } })
    for (const id of [2_000_000_000, gone.userId, (await app.webhookUser()).userId]) {
      const sentence = `There is no colleague with the id ${id}.`
      const answer = await app.tool(SLOTS, { user_id: id })
      expect([answer.status, answer.body]).toEqual([404, { error: sentence, status: 404, detail: sentence }])
    }
  })

  it.each([
    'tomorrow',
    '27.08.2026',
    '2026-8-27',
    '2026-02-30',
    '2026-13-01',
    '0000-01-01',
    '2026-08-27T08:00:00Z',
    20260827,
    [],
    {},
    '9999-12-31',
    '2036-08-27',
  ])('a start of %o', async (start) => {
    for (const timezone of [undefined, -12, 14]) {
      const answer = await app.tool(SLOTS, { user_id: zurich.userId, start, timezone })
      expect([answer.status, answer.body]).toMatchObject([400, { status: 400, error: expect.any(String) }])
    }
  })

  it('a start with a time of day is its day', async () => {
    expect(await clocks({ user_id: zurich.userId, start: '2026-08-27 15:00:00' })).toEqual(['08:00-18:00'])
  })

  it('asking for free slots writes nothing', async () => {
    const before = await countRows(app)
    await slotsOf({ user_id: zurich.userId })
    await app.tool(SLOTS, { user_id: 2_000_000_000 })
    expect(await countRows(app)).toEqual(before)
  })
})

describe('get_current_date: current server date/time', () => {
  it('the current date is in UTC with microseconds', async () => {
    now = new Date('2026-08-26T09:00:00.123Z')
    const answer = await app.tool(DATE)
    expect([answer.status, answer.body]).toEqual([
      200,
      {
        current_date: '2026-08-26 09:00:00.123000',
        timezone: 'UTC',
        say: 'It is Wednesday, 26 August 2026 at 09:00 UTC.',
      },
    ])
  })

  it('whatever the body', async () => {
    for (const body of ['', '{}', '[]', 'nonsense', '{"timezone":"x"}'])
      expect((await app.tool(DATE, body)).status).toBe(200)
  })

  it('get_current_date of a real clock is now', async () => {
    now = new Date()
    const { current_date: text } = (await app.tool(DATE)).body as { current_date: string }
    expect(text).toBe(`${now.toISOString().slice(0, 23).replace('T', ' ')}000`)
  })
})

function prior(day: string): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) - 86_400_000).toISOString().slice(0, 10)
}

function hoursOf(slots: readonly { start: string; stop: string }[]): number {
  const at = (text: string): number => Date.parse(`${text.replace(' ', 'T')}Z`)
  return slots.reduce((sum, { start, stop }) => sum + (at(stop) - at(start)) / 3_600_000, 0)
}
