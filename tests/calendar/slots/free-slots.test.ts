import { describe, expect, it } from 'vitest'
import {
  DEFAULT_WORKING_HOURS,
  defaultDay,
  freeSlots,
  type Interval,
  localSlots,
  nextDayWithSlots,
  slotSearchSpan,
  slotsSentence,
} from '../../../src/calendar/slots/free-slots.ts'

type SlotSearch = Parameters<typeof freeSlots>[0]

const CHISINAU = 'Europe/Chisinau'

const day = (text: string) => Temporal.PlainDate.from(text)
const at = (text: string) => Temporal.PlainDateTime.from(text.replace(' ', 'T')).toZonedDateTime(CHISINAU).toInstant()
const between = (start: string, stop: string): Interval => ({ start: at(start), stop: at(stop) })
const everyDay = (from: number, to: number) => [1, 2, 3, 4, 5, 6, 7].map((weekday) => ({ weekday, from, to }))

/** Thursday, asked well ahead, in the organiser's own zone. */
function aSearch(changes: Partial<SlotSearch> = {}): SlotSearch {
  return {
    day: day('2026-08-27'),
    zone: CHISINAU,
    organiserZone: CHISINAU,
    workingHours: DEFAULT_WORKING_HOURS,
    busy: [],
    now: at('2026-08-20 12:00'),
    ...changes,
  }
}

const clock = (search: SlotSearch) =>
  localSlots(freeSlots(search), search.zone).map(({ start, stop }) => `${start.slice(0, 16)} - ${stop.slice(0, 16)}`)

describe('freeSlots', () => {
  it('gives the working day when nothing is planned', () => {
    expect(clock(aSearch())).toEqual(['2026-08-27 08:00 - 2026-08-27 18:00'])
  })

  it('gives nothing on a day on which the organiser does not work', () => {
    expect(clock(aSearch({ day: day('2026-08-29') }))).toEqual([])
    expect(clock(aSearch({ workingHours: [] }))).toEqual([])
  })

  it('leaves out busy times, merging those that overlap or touch', () => {
    const busy = [
      between('2026-08-27 14:00', '2026-08-27 15:00'),
      between('2026-08-27 10:00', '2026-08-27 11:00'),
      between('2026-08-27 10:30', '2026-08-27 11:30'),
      between('2026-08-27 11:30', '2026-08-27 12:00'),
      between('2026-08-27 10:45', '2026-08-27 10:50'),
    ]
    expect(clock(aSearch({ busy }))).toEqual([
      '2026-08-27 08:00 - 2026-08-27 10:00',
      '2026-08-27 12:00 - 2026-08-27 14:00',
      '2026-08-27 15:00 - 2026-08-27 18:00',
    ])
  })

  it.each<[string, string, string, string[]]>([
    ['started the day before', '2026-08-26 20:00', '2026-08-27 09:00', ['2026-08-27 09:00 - 2026-08-27 18:00']],
    ['runs past the evening', '2026-08-27 16:30', '2026-08-27 22:00', ['2026-08-27 08:00 - 2026-08-27 16:30']],
    ['spans several days', '2026-08-25 00:00', '2026-08-30 00:00', []],
    ['takes exactly the working day', '2026-08-27 08:00', '2026-08-27 18:00', []],
    ['ends when work starts', '2026-08-27 07:00', '2026-08-27 08:00', ['2026-08-27 08:00 - 2026-08-27 18:00']],
    ['starts when work ends', '2026-08-27 18:00', '2026-08-27 20:00', ['2026-08-27 08:00 - 2026-08-27 18:00']],
    ['is empty', '2026-08-27 10:00', '2026-08-27 10:00', ['2026-08-27 08:00 - 2026-08-27 18:00']],
    ['is reversed', '2026-08-27 12:00', '2026-08-27 10:00', ['2026-08-27 08:00 - 2026-08-27 18:00']],
  ])('handles a busy time that %s', (_name, start, stop, slots) => {
    expect(clock(aSearch({ busy: [between(start, stop)] }))).toEqual(slots)
  })

  it.each([
    ['2026-08-27 07:00:00', ['2026-08-27 08:00 - 2026-08-27 18:00']],
    ['2026-08-27 10:00:00', ['2026-08-27 10:00 - 2026-08-27 18:00']],
    ['2026-08-27 10:00:01', ['2026-08-27 10:05 - 2026-08-27 18:00']],
    ['2026-08-27 17:56:00', []],
    ['2026-08-27 18:00:00', []],
    ['2026-08-28 09:00:00', []],
  ])('offers nothing past at %s', (now, slots) => {
    expect(clock(aSearch({ now: at(now) }))).toEqual(slots)
  })

  it('leaves out gaps too short to tell, and keeps those of a minute', () => {
    const busy = [
      between('2026-08-27 00:00:00', '2026-08-27 10:00:10'),
      between('2026-08-27 10:00:50', '2026-08-27 10:05:30'),
      between('2026-08-27 10:06:00', '2026-08-28 00:00:00'),
    ]
    expect(clock(aSearch({ busy }))).toEqual(['2026-08-27 10:05 - 2026-08-27 10:06'])
  })

  it('takes shifts as they come: several a day, overlapping, out of bounds, without sense', () => {
    const workingHours = [
      { weekday: 4, from: 13 * 60, to: 17 * 60 },
      { weekday: 4, from: 8 * 60, to: 12 * 60 },
      { weekday: 4, from: 11 * 60, to: 12 * 60 + 30 },
      { weekday: 4, from: 23 * 60, to: 5000 },
      { weekday: 4, from: 20 * 60, to: 19 * 60 },
      { weekday: 9, from: 0, to: 1440 },
    ]
    expect(clock(aSearch({ workingHours }))).toEqual([
      '2026-08-27 08:00 - 2026-08-27 12:30',
      '2026-08-27 13:00 - 2026-08-27 17:00',
      '2026-08-27 23:00 - 2026-08-28 00:00',
    ])
  })

  it('joins shifts that meet at midnight, within the asked day only', () => {
    expect(clock(aSearch({ workingHours: everyDay(0, 1440) }))).toEqual(['2026-08-27 00:00 - 2026-08-28 00:00'])
  })
})

describe('nextDayWithSlots', () => {
  it('names the next day with free time, not the asked one', () => {
    const next = nextDayWithSlots(aSearch({ day: day('2026-08-28') }))
    expect(next?.day.toString()).toBe('2026-08-31')
    expect(localSlots(next?.slots ?? [], CHISINAU)).toEqual([
      { start: '2026-08-31 08:00:00', stop: '2026-08-31 18:00:00' },
    ])
  })

  it('skips days that are fully booked', () => {
    const busy = [between('2026-08-28 00:00', '2026-09-02 09:30')]
    expect(nextDayWithSlots(aSearch({ busy }))?.day.toString()).toBe('2026-09-02')
  })

  it('starts from today when a past day is asked for', () => {
    const search = aSearch({ day: day('2020-01-01'), now: at('2026-08-27 17:00') })
    expect(nextDayWithSlots(search)?.day.toString()).toBe('2026-08-27')
    expect(nextDayWithSlots({ ...search, now: at('2026-08-27 18:00') })?.day.toString()).toBe('2026-08-28')
  })

  it('looks ahead so far and no further', () => {
    const last = day('2026-08-27').add({ days: 31 })
    const until = (date: Temporal.PlainDate) => [
      { start: at('2026-08-01 00:00'), stop: date.toZonedDateTime(CHISINAU).toInstant() },
    ]
    const search = aSearch({ workingHours: everyDay(480, 1080) })
    expect(nextDayWithSlots({ ...search, busy: until(last) })?.day).toEqual(last)
    expect(nextDayWithSlots({ ...search, busy: until(last.add({ days: 1 })) })).toBeUndefined()
    expect(nextDayWithSlots({ ...search, workingHours: [] })).toBeUndefined()
  })
})

describe('slotSearchSpan', () => {
  it('reaches from the asked day over all days looked at', () => {
    const { start, stop } = slotSearchSpan(aSearch())
    expect(start).toEqual(at('2026-08-27 00:00'))
    expect(stop).toEqual(at('2026-09-28 00:00'))
  })

  it('slotSearchSpan never reaches into the past', () => {
    const now = at('2026-08-27 12:00')
    const { start, stop } = slotSearchSpan(aSearch({ day: day('2001-01-01'), now }))
    expect(start).toEqual(now)
    expect(stop).toEqual(at('2026-08-27 00:00').add({ hours: 24 * 31 }))
  })
})

describe('defaultDay', () => {
  it.each([
    ['2026-08-26 12:00', CHISINAU, '2026-08-27'],
    ['2026-08-27 23:59', CHISINAU, '2026-08-28'],
    ['2026-08-28 12:00', CHISINAU, '2026-08-31'],
    ['2026-08-30 12:00', CHISINAU, '2026-08-31'],
    // Where it is still the 26th, tomorrow is the 27th.
    ['2026-08-27 05:00', 'America/New_York', '2026-08-27'],
    ['2026-08-27 05:00', CHISINAU, '2026-08-28'],
  ])('defaultDay at %s, asked in %s, is %s', (now, zone, expected) => {
    expect(defaultDay(aSearch({ now: at(now), zone })).toString()).toBe(expected)
  })

  it('defaultDay is tomorrow when the organiser never works', () => {
    expect(defaultDay(aSearch({ workingHours: [] })).toString()).toBe('2026-08-21')
  })
})

describe('slotsSentence', () => {
  const sentence = (search: SlotSearch) =>
    slotsSentence({
      day: search.day,
      zone: search.zone,
      slots: freeSlots(search),
      next: nextDayWithSlots(search),
      now: search.now,
    })

  it('tells what is free', () => {
    expect(sentence(aSearch())).toBe('Free on Thursday, 27 August 2026: 08:00 to 18:00, Chisinau time.')
    const busy = [between('2026-08-27 10:00', '2026-08-27 11:00'), between('2026-08-27 14:00', '2026-08-27 15:30')]
    expect(sentence(aSearch({ busy }))).toBe(
      'Free on Thursday, 27 August 2026: 08:00 to 10:00, 11:00 to 14:00 and 15:30 to 18:00, Chisinau time.',
    )
  })

  it('says midnight for the end of the day', () => {
    const search = aSearch({ workingHours: everyDay(1320, 1440), zone: 'UTC', organiserZone: 'UTC' })
    expect(sentence(search)).toBe('Free on Thursday, 27 August 2026: 22:00 to midnight, UTC.')
  })

  it('counts the slots that would take too long to read out', () => {
    const busy = [8, 9, 10, 11, 12, 13, 14, 15].map((hour) => ({
      start: at('2026-08-27 00:00').add({ hours: hour, minutes: 30 }),
      stop: at('2026-08-27 00:00').add({ hours: hour + 1 }),
    }))
    expect(sentence(aSearch({ busy }))).toBe(
      'Free on Thursday, 27 August 2026: 08:00 to 08:30, 09:00 to 09:30, 10:00 to 10:30, 11:00 to 11:30, ' +
        '12:00 to 12:30, 13:00 to 13:30 and 3 more later that day, Chisinau time.',
    )
  })

  it('names the next day when nothing is free', () => {
    expect(sentence(aSearch({ day: day('2026-08-29') }))).toBe(
      'Nothing is free on Saturday, 29 August 2026. ' +
        'The next day with free times is Monday, 31 August 2026: 08:00 to 18:00, Chisinau time.',
    )
  })

  it('says so when no day near is free either', () => {
    expect(sentence(aSearch({ workingHours: [] }))).toBe(
      'Nothing is free on Thursday, 27 August 2026, nor in the 31 days that follow.',
    )
  })
})
