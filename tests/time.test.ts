import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  formatLocal,
  parseLocal,
  parseLocalDate,
  parsePublishedTime,
  publishedTime,
  spokenClock,
  spokenDate,
  spokenTime,
} from '../src/time.ts'

const ZONES = [
  'UTC',
  'Europe/Chisinau',
  'America/New_York',
  'Australia/Lord_Howe',
  'Asia/Kathmandu',
  '+05:30',
  '-03:30',
]
const day = (text: string) => Temporal.PlainDate.from(text)
// Years that a four-digit year can tell, and in which all zones keep to whole minutes.
const modernTimes = fc.date({ min: new Date('1980-01-01'), max: new Date('2100-01-01'), noInvalidDate: true })

describe('publishedTime and parsePublishedTime', () => {
  it.each([
    ['2026-08-27 14:05:09', '2026-08-27T14:05:09.000Z'],
    [' 2026-08-27 14:05:09 ', '2026-08-27T14:05:09.000Z'],
    ['2026-08-27T14:05:09', '2026-08-27T14:05:09.000Z'],
    ['2026-08-27T14:05:09Z', '2026-08-27T14:05:09.000Z'],
    ['2026-08-27 14:05', '2026-08-27T14:05:00.000Z'],
    ['2026-08-27', '2026-08-27T00:00:00.000Z'],
    ['2026-08-27 14:05:09.123456', '2026-08-27T14:05:09.123Z'],
    ['2024-02-29 00:00:00', '2024-02-29T00:00:00.000Z'],
    ['0001-01-01 00:00:00', '0001-01-01T00:00:00.000Z'],
    ['9999-12-31 23:59:59', '9999-12-31T23:59:59.000Z'],
  ])('reads %j', (text, iso) => {
    expect(parsePublishedTime(text)?.toISOString()).toBe(iso)
  })

  it.each([
    ['2026-02-30 10:00:00'],
    ['2026-02-29'],
    ['2026-13-01'],
    ['2026-00-10'],
    ['2026-08-27 24:00:00'],
    ['2026-08-27 10:60:00'],
    ['2026-08-27 10:00:60'],
    ['0000-01-01'],
    ['2026-08-27 10'],
    ['2026-08-27 9:00'],
    ['2026-08-27 10:00:00+02:00'],
    ['2026-08-27  10:00:00'],
    ['2026-8-7'],
    ['27.08.2026'],
    ['+002026-08-27'],
    ['tomorrow'],
    [''],
    ['9'.repeat(99)],
  ])('refuses %j', (text) => {
    expect(parsePublishedTime(text)).toBeUndefined()
  })

  it('reads back what it wrote, to the second', () => {
    fc.assert(
      fc.property(modernTimes, (date) => {
        const text = publishedTime(date)
        expect(text).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/)
        expect(parsePublishedTime(text)?.getTime()).toBe(Math.floor(date.getTime() / 1000) * 1000)
      }),
    )
  })

  it('parsePublishedTime never throws', () => {
    const dateLike = fc.string({ unit: fc.constantFrom(...'0123456789-: TZ.+') })
    const unlikely = fc
      .tuple(fc.nat(9999), fc.nat(99), fc.nat(99), fc.nat(99))
      .map(([y, m, d, h]) => `${String(y).padStart(4, '0')}-${pad(m)}-${pad(d)} ${pad(h)}:00`)
    fc.assert(
      fc.property(fc.oneof(fc.string(), dateLike, unlikely), (text) => {
        parsePublishedTime(text)
        parseLocal(text, 'Europe/Berlin')
        parseLocalDate(text)
      }),
    )
  })
})

describe('parseLocal, parseLocalDate and formatLocal', () => {
  it.each([
    ['2026-08-27 14:00:00', 'Europe/Chisinau', '2026-08-27T11:00:00Z'],
    ['2026-08-27T14:00', 'Europe/Chisinau', '2026-08-27T11:00:00Z'],
    ['2026-01-27 14:00', 'Europe/Chisinau', '2026-01-27T12:00:00Z'],
    ['2026-08-27 00:30', '+05:30', '2026-08-26T19:00:00Z'],
    ['2026-08-27 14:00', 'UTC', '2026-08-27T14:00:00Z'],
    // The clock jumps from 02:00 to 03:00: half past two is read as half past three.
    ['2026-03-29 02:30', 'Europe/Berlin', '2026-03-29T01:30:00Z'],
    // The clock goes back from 03:00 to 02:00: half past two is the first of the two.
    ['2026-10-25 02:30', 'Europe/Berlin', '2026-10-25T00:30:00Z'],
  ])('reads %s in %s', (text, zone, instant) => {
    expect(parseLocal(text, zone)?.toInstant().toString()).toBe(instant)
  })

  it.each([
    ['2026-08-27'],
    ['2026-08-27 14:00:00Z'],
    ['2026-08-27T14:00:00+02:00'],
    ['2026-02-30 14:00'],
    ['14:00'],
    [''],
  ])('refuses %j as a wall-clock time', (text) => {
    expect(parseLocal(text, 'UTC')).toBeUndefined()
  })

  it('reads a day, also with a time after it', () => {
    expect(parseLocalDate('2026-08-27')?.toString()).toBe('2026-08-27')
    expect(parseLocalDate(' 2026-08-27 00:00:00 ')?.toString()).toBe('2026-08-27')
    expect(parseLocalDate('2026-08-27 25:00:00')).toBeUndefined()
    expect(parseLocalDate('2026-08-27T00:00:00Z')).toBeUndefined()
    expect(parseLocalDate('2026-02-30')).toBeUndefined()
    expect(parseLocalDate('tomorrow')).toBeUndefined()
  })

  it('reads back every wall-clock time that a zone has', () => {
    fc.assert(
      fc.property(modernTimes, fc.constantFrom(...ZONES), (date, zone) => {
        const time = Temporal.Instant.fromEpochMilliseconds(date.getTime()).toZonedDateTimeISO(zone)
        const text = formatLocal(time)
        const read = parseLocal(text, zone)
        expect(read && formatLocal(read)).toBe(text)
      }),
    )
  })
})

describe('spoken times', () => {
  it('says weekday, date, clock and zone', () => {
    const time = Temporal.ZonedDateTime.from('2026-08-27T14:00:59[Europe/Chisinau]')
    expect(spokenTime(time)).toBe('Thursday, 27 August 2026 at 14:00 Chisinau time')
    expect(spokenTime(time.withTimeZone('UTC'))).toBe('Thursday, 27 August 2026 at 11:00 UTC')
    expect(spokenTime(time.withTimeZone('+02:00'))).toBe('Thursday, 27 August 2026 at 13:00 UTC plus 2')
    expect(spokenClock(time)).toBe('14:00')
  })

  it.each([
    ['2026-08-31', 'Monday, 31 August 2026'],
    ['2026-11-01', 'Sunday, 1 November 2026'],
    ['2024-02-29', 'Thursday, 29 February 2024'],
  ])('says the day %s', (text, spoken) => {
    expect(spokenDate(day(text))).toBe(spoken)
  })
})

function pad(number: number): string {
  return String(number).padStart(2, '0')
}
