import { describe, expect, it } from 'vitest'
import { DEFAULT_WORKING_HOURS, freeSlots, type Interval, localSlots } from '../../../src/calendar/slots/free-slots.ts'

type SlotSearch = Parameters<typeof freeSlots>[0]

const day = (text: string) => Temporal.PlainDate.from(text)
const at = (text: string, zone: string) =>
  Temporal.PlainDateTime.from(text.replace(' ', 'T')).toZonedDateTime(zone).toInstant()
const everyDay = (from: number, to: number) => [1, 2, 3, 4, 5, 6, 7].map((weekday) => ({ weekday, from, to }))

const BERLIN = { zone: 'Europe/Berlin', organiserZone: 'Europe/Berlin' }

/** Thursday, in a place at +3 in August, asked long before. */
function aSearch(changes: Partial<SlotSearch> = {}): SlotSearch {
  return {
    day: day('2026-08-27'),
    zone: 'Europe/Chisinau',
    organiserZone: 'Europe/Chisinau',
    workingHours: DEFAULT_WORKING_HOURS,
    busy: [],
    now: at('1980-01-01 00:00', 'UTC'),
    ...changes,
  }
}

const clock = (search: SlotSearch) =>
  localSlots(freeSlots(search), search.zone).map(({ start, stop }) => `${start.slice(0, 16)} - ${stop.slice(0, 16)}`)

const hours = (search: SlotSearch) =>
  freeSlots(search).map(({ start, stop }) => start.until(stop).total({ unit: 'hours' }))

describe('freeSlots across zones', () => {
  it('keeps to the wall clock of the organiser and tells it in the asked zone', () => {
    // New York is at -4 in August, seven hours behind Chisinau.
    expect(clock(aSearch({ zone: 'America/New_York' }))).toEqual(['2026-08-27 01:00 - 2026-08-27 11:00'])
    expect(clock(aSearch({ zone: '+05:30' }))).toEqual(['2026-08-27 10:30 - 2026-08-27 20:30'])
  })

  it('ends a shift at midnight of the organiser, however long it claims to be', () => {
    const workingHours = [{ weekday: 4, from: -60, to: 5000 }]
    const search = aSearch({ workingHours, zone: 'UTC', organiserZone: '-05:00' })
    expect(clock(search)).toEqual(['2026-08-27 05:00 - 2026-08-28 00:00'])
    expect(clock({ ...search, day: day('2026-08-28') })).toEqual(['2026-08-28 00:00 - 2026-08-28 05:00'])
  })

  it('joins two working days of the organiser in one asked day', () => {
    // Auckland is 22 hours ahead of Honolulu: its working day is 10:00 to 20:00 there, a day earlier.
    const auckland = { zone: 'Pacific/Honolulu', organiserZone: 'Pacific/Auckland' }
    expect(clock(aSearch(auckland))).toEqual(['2026-08-27 10:00 - 2026-08-27 20:00'])
    const tokyo = { zone: 'America/New_York', organiserZone: 'Asia/Tokyo' }
    expect(clock(aSearch(tokyo))).toEqual([
      '2026-08-27 00:00 - 2026-08-27 05:00',
      '2026-08-27 19:00 - 2026-08-28 00:00',
    ])
    // On Friday in New York only the rest of Tokyo's Friday is left; its Saturday is free.
    expect(clock(aSearch({ ...tokyo, day: day('2026-08-28') }))).toEqual(['2026-08-28 00:00 - 2026-08-28 05:00'])
    expect(clock(aSearch({ ...tokyo, day: day('2026-08-30') }))).toEqual(['2026-08-30 19:00 - 2026-08-31 00:00'])
  })
})

describe('freeSlots on days on which the clock changes', () => {
  it.each<[string, string, number]>([
    ['2026-03-29', 'Europe/Berlin', 23],
    ['2026-10-25', 'Europe/Berlin', 25],
    ['2026-03-08', 'America/New_York', 23],
    ['2026-11-01', 'America/New_York', 25],
    ['2026-10-04', 'Australia/Lord_Howe', 23.5],
    ['2026-04-05', 'Australia/Lord_Howe', 24.5],
    ['2026-09-06', 'America/Santiago', 23],
    ['2026-04-04', 'America/Santiago', 25],
    ['2026-04-24', 'Africa/Cairo', 23],
    ['2011-12-29', 'Pacific/Apia', 24],
    ['1985-12-31', 'Asia/Kathmandu', 24],
    ['1986-01-01', 'Asia/Kathmandu', 23.75],
  ])('counts %s in %s as %d hours', (date, zone, length) => {
    const search = aSearch({ day: day(date), zone, organiserZone: zone, workingHours: everyDay(0, 1440) })
    expect(hours(search)).toEqual([length])
  })

  it('finds nothing on the day that Apia left out, and each neighbour once', () => {
    const apia = { zone: 'Pacific/Apia', organiserZone: 'Pacific/Apia' }
    const search = (date: string) => aSearch({ ...apia, day: day(date), workingHours: everyDay(480, 1080) })
    expect(clock(search('2011-12-29'))).toEqual(['2011-12-29 08:00 - 2011-12-29 18:00'])
    expect(clock(search('2011-12-30'))).toEqual([])
    expect(clock(search('2011-12-31'))).toEqual(['2011-12-31 08:00 - 2011-12-31 18:00'])
  })

  it('starts and ends shifts at the jump when their time is jumped over', () => {
    const search = (from: number, to: number) =>
      aSearch({ ...BERLIN, day: day('2026-03-29'), workingHours: everyDay(from, to) })
    expect(clock(search(150, 300))).toEqual(['2026-03-29 03:00 - 2026-03-29 05:00'])
    expect(clock(search(60, 150))).toEqual(['2026-03-29 01:00 - 2026-03-29 03:00'])
    expect(hours(search(60, 150))).toEqual([1])
    expect(clock(search(120, 180))).toEqual([])
  })

  it('works through the hour that comes twice', () => {
    const search = aSearch({ ...BERLIN, day: day('2026-10-25'), workingHours: everyDay(60, 240) })
    expect(hours(search)).toEqual([4])
  })

  it('leaves out a slot that would be told as ending before it starts', () => {
    const utc = (start: string, stop: string): Interval => ({ start: at(start, 'UTC'), stop: at(stop, 'UTC') })
    const busy = [
      utc('2026-10-24 00:00', '2026-10-25 00:45'),
      utc('2026-10-25 01:15', '2026-10-25 02:00'),
      utc('2026-10-25 03:00', '2026-10-26 00:00'),
    ]
    const search = aSearch({ ...BERLIN, busy, day: day('2026-10-25'), workingHours: everyDay(0, 1440) })
    expect(clock(search)).toEqual(['2026-10-25 03:00 - 2026-10-25 04:00'])
  })
})
