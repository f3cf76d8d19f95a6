import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  formatLocal,
  parseLocal,
  parseLocalDate,
  parseLocalSpan,
  parsePublishedTime,
  publishedTime,
  spokenClock,
  spokenDate,
  spokenMoment,
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

describe('parseLocalSpan', () => {
  const NEW_YORK = 'America/New_York'

  it.each([
    ['inside the hour that comes twice', '01:30', '01:45', '05:30', '05:45'],
    ['up to its end', '01:30', '02:00', '05:30', '06:00'],
    ['all of it', '01:00', '02:00', '05:00', '06:00'],
    ['into it', '00:30', '01:30', '04:30', '05:30'],
    ['out of it, so it begins in the second one', '01:30', '02:30', '06:30', '07:30'],
    ['over all of it and more', '00:30', '02:30', '04:30', '07:30'],
    ['behind it', '02:00', '02:30', '07:00', '07:30'],
  ])('a span %s, %s to %s, is %s to %s in UTC', (_where, from, to, start, stop) => {
    const read = parseLocalSpan({ start: `2027-11-07 ${from}`, stop: `2027-11-07 ${to}` }, NEW_YORK)
    const utc = (time: Temporal.ZonedDateTime | undefined) => time?.toInstant().toString().slice(11, 16)
    expect([utc(read.start), utc(read.stop)]).toEqual([start, stop])
  })

  it('lasts as long as its clock times say, wherever one of them comes twice', () => {
    const changes = ZONES.flatMap(backwardChanges)
    expect(changes.length).toBeGreaterThan(20)
    const minutes = fc.integer({ min: 1, max: 600 })
    fc.assert(
      fc.property(
        fc.constantFrom(...changes),
        fc.double({ min: 0, max: 1, noNaN: true }),
        minutes,
        fc.boolean(),
        (change, share, length, isStop) => {
          const { zone, from, repeatedMinutes } = change
          const end = from.add({ minutes: Math.floor(share * (repeatedMinutes - 1)) })
          const start = isStop ? end.subtract({ minutes: length }) : end
          const stop = start.add({ minutes: length })
          const read = parseLocalSpan({ start: start.toString(), stop: stop.toString() }, zone)
          if (read.start === undefined || read.stop === undefined) throw new Error('neither time was read')
          expect(read.start.until(read.stop).total('minutes')).toBe(length)
          expect(read.start.toPlainDateTime().toString()).toBe(start.toString())
        },
      ),
    )
  })

  it('reads both times as they are where none comes twice, and nothing that is no time', () => {
    const winter = parseLocalSpan({ start: '2027-01-07 01:30', stop: '2027-01-08 02:00' }, NEW_YORK)
    expect([winter.start, winter.stop].map(String)).toEqual([
      '2027-01-07T01:30:00-05:00[America/New_York]',
      '2027-01-08T02:00:00-05:00[America/New_York]',
    ])
    expect(parseLocalSpan({ start: '2027-11-07 01:30', stop: 'two' }, NEW_YORK).stop).toBeUndefined()
  })
})

/** Each time that the clock of a zone is turned back: the first wall-clock time that comes twice, and for how long. */
function backwardChanges(zone: string) {
  const found: { zone: string; from: Temporal.PlainDateTime; repeatedMinutes: number }[] = []
  let at: Temporal.ZonedDateTime | null = Temporal.ZonedDateTime.from(`2000-01-01T00:00[${zone}]`)
  for (;;) {
    at = at.getTimeZoneTransition('next')
    if (at === null || at.year > 2040) return found
    const before = at.subtract({ nanoseconds: 1 }).offsetNanoseconds
    const repeatedMinutes = (before - at.offsetNanoseconds) / 60e9
    if (repeatedMinutes > 0) found.push({ zone, from: at.toPlainDateTime(), repeatedMinutes })
  }
}

describe('spoken times', () => {
  it('says weekday, date, clock and zone', () => {
    const time = Temporal.ZonedDateTime.from('2026-08-27T14:00:59[Europe/Chisinau]')
    expect(spokenTime(time)).toBe('Thursday, 27 August 2026 at 14:00 Chisinau time')
    expect(spokenMoment(time.epochMilliseconds, 'Europe/Chisinau')).toBe(
      'Thursday, 27 August 2026 at 14:00 Chisinau time',
    )
    expect(spokenMoment(time.epochMilliseconds, null)).toBe('Thursday, 27 August 2026 at 11:00 UTC')
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
